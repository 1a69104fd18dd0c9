"""The rules for notebooks as files."""

import ast
import csv
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager

from tools.maps import deeper_heading, lesson_map, navigation, read_lesson, readme_with_map, title_line
from tools.minutes import SHORT_PATH, is_deeper
from tools.refresh import METADATA, WIDGET, refresh

ROOT = Path(__file__).resolve().parent.parent
PATHS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
READ = {path: nbformat.read(path, as_version=4) for path in PATHS}
LESSONS = {path: read_lesson(path, notebook) for path, notebook in READ.items()}
LONGEST_CORE = {"13_training": 30, "15_real_head": 30, "16_review": 30}  # minutes; the others take at most 20
LONGEST_SHORT_PATH = 100

SECTIONS = {  # of the document, by lesson
    "00_start_here": {0, 2, 24},
    "01_embeddings": {0, 1, 3, 4},
    "02_queries_and_keys": {5, 6},
    "03_scores": {7},
    "04_scaling": {8},
    "05_causal_mask": {9},
    "06_softmax": {10, 11},
    "07_values": {12, 13},
    "08_residual": {1, 14, 15},
    "09_single_head": {16, 23},
    "10_multi_head": {15, 17, 18},
    "11_cross_attention": {19},
    "12_cost": {20},
    "13_training": {5, 17, 21},
    "14_kv_cache": {21},
    "15_real_head": {0, 1, 17, 22},
    "16_review": {22, 23, 24, 25},
}
IGNORED = "nbval-ignore-output"
FORBIDDEN = {"plt", "pyplot", "interact", "interactive_output", "Output"}
NUMBER = re.compile(r"\d+(?:\.\d+)?")


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture
def notebook(path):
    return READ[path]


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def outputs(notebook):
    return [(cell.id, output) for cell in code_cells(notebook) for output in cell.outputs]


def markdown(notebook):
    return "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def headings(notebook):
    return [line for line in markdown(notebook).splitlines() if line.startswith("#")]


def names(source):
    """Every name that the code of a cell uses or imports."""
    tree = ast.parse(TransformerManager().transform_cell(source))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield from node.name.split(".")
        elif isinstance(node, ast.ImportFrom):
            yield from (node.module or "").split(".")


def sections(text):
    """The document's sections in a text: ``§1, §3–5`` gives {1, 3, 4, 5}."""
    found = set()
    for group in re.findall(r"§+\s*(\d+(?:\s*[–,-]\s*§?\d+)*)", text):
        for part in re.split(r"\s*,\s*", group):
            ends = [int(number) for number in re.findall(r"\d+", part)]
            found.update(range(ends[0], ends[-1] + 1))
    return found


def test_sections_are_read():
    assert sections("## Scale (§8)") == {8}
    assert sections("§1, §3–5 and §§7, 9") == {1, 3, 4, 5, 7, 9}


# How it was run


def test_executed_in_order(notebook):
    counts = [cell.execution_count for cell in code_cells(notebook)]
    assert counts == list(range(1, len(counts) + 1))


def test_nothing_went_wrong(notebook):
    wrong = [cell for cell, output in outputs(notebook)
             if output.output_type == "error" or output.get("name") == "stderr"]
    assert wrong == []


def test_most_cells_show_something(notebook):
    cells = [cell for cell in code_cells(notebook) if cell.id != "setup"]
    silent = [cell.id for cell in cells if not cell.outputs]
    assert len(silent) <= len(cells) / 4, silent


def test_outputs_are_compared():
    cells = [cell for notebook in READ.values() for cell in code_cells(notebook) if cell.outputs]
    ignored = [cell.id for cell in cells if IGNORED in cell.metadata.get("tags", [])]
    assert len(ignored) <= 0.05 * len(cells), ignored


def test_cell_left_out_of_the_comparison_says_why(notebook):
    for cell in code_cells(notebook):
        assert not re.search(r"#\s*(NBVAL|PYTEST_VALIDATE)_", cell.source), cell.id
        if IGNORED in cell.metadata.get("tags", []):
            assert re.search(r"# not compared: \w+", cell.source), cell.id


# What the file holds


def test_size(path):
    assert path.stat().st_size < 1.5e6


def test_metadata(notebook):
    assert notebook.metadata == METADATA


def test_no_cell_is_hidden(notebook):
    for cell in notebook.cells:
        assert set(cell.metadata) <= {"tags"}, cell.id
        assert set(cell.metadata.get("tags", [])) <= {IGNORED}, cell.id


def test_no_widget_is_stored(notebook):
    assert [cell for cell, output in outputs(notebook) if WIDGET in output.get("data", {})] == []


def test_every_picture_carries_its_numbers(notebook):
    for cell, output in outputs(notebook):
        if "image/png" in output.get("data", {}):
            twin = output.data.get("text/plain", "")
            assert not twin.startswith("<"), f"{cell}: {twin}"
            assert NUMBER.search(twin), f"{cell}: no number in {twin!r}"
            assert output.metadata.get("image/png", {}).get("alt"), f"{cell}: no alt text"


def test_ids_are_words(notebook):
    for cell in notebook.cells:
        assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", cell.id), cell.id
        assert not re.match(r"[0-9a-f]{8}(-|$)", cell.id), cell.id


# How a lesson is built


def test_first_cell(path, notebook):
    cell = notebook.cells[0]
    assert cell.cell_type == "markdown"
    assert re.match(rf"# {path.stem[:2]} · \S", cell.source)
    assert sections(cell.source) == SECTIONS[path.stem]


def test_sections_are_headings(path, notebook):
    second_level = [line for line in headings(notebook) if line.startswith("## ")]
    missing = SECTIONS[path.stem] - sections("\n".join(second_level))
    assert missing == set()


def test_setup_comes_first(notebook):
    cell = code_cells(notebook)[0]
    assert cell.id == "setup"
    assert cell.source.startswith('import sys; sys.path.insert(0, "..")\n')
    assert "from helpers import style; style.use()" in cell.source


def test_cells_are_short(notebook):
    long = {cell.id: len(cell.source.splitlines()) for cell in code_cells(notebook)}
    assert {cell: lines for cell, lines in long.items() if lines > 15} == {}


def test_only_views_and_explorers_draw(notebook):
    for cell in code_cells(notebook):
        assert FORBIDDEN.isdisjoint(names(cell.source)), cell.id


def test_exercise(path, notebook):
    used = {name for cell in code_cells(notebook) for name in names(cell.source)}
    assert path.stem.startswith("00") or any(name.startswith("check_") for name in used)


def test_ends_with_recap_and_navigation(path, notebook):
    assert "recap" in [cell.id for cell in notebook.cells]
    assert notebook.cells[-1].id == "navigation"
    assert notebook.cells[-1].source == navigation(LESSONS[path], list(LESSONS.values()))


def test_links_lead_somewhere(path, notebook):
    targets = re.findall(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"", markdown(notebook))
    for target in ("".join(pair).split("#")[0] for pair in targets):
        if target and not re.match(r"https?://", target):
            assert (path.parent / target).exists(), target


# Minutes: "make refresh" writes them


def test_title_says_the_minutes(path, notebook):
    expected = title_line(LESSONS[path])
    assert expected in notebook.cells[0].source.splitlines(), f"{path.stem}, {notebook.cells[0].id}: expected {expected!r}"


def test_deeper_headings_say_the_minutes(path, notebook):
    headings = [cell for cell in notebook.cells if is_deeper(cell)]
    for cell, time in zip(headings, LESSONS[path].minutes.deeper, strict=True):
        expected = deeper_heading(cell.source, time)
        assert cell.source == expected, f"{path.stem}, {cell.id}: expected {expected.splitlines()[0]!r}"


def test_core_is_short(path):
    core, longest = LESSONS[path].minutes.core, LONGEST_CORE.get(path.stem, 20)
    assert core <= longest, f"{path.stem}: the core takes {core} minutes; at most {longest} are right"


def test_short_path_is_short():
    times = {path.stem: lesson.minutes.short for path, lesson in LESSONS.items() if lesson.minutes.short}
    assert [stem[:2] for stem in times] == SHORT_PATH
    assert sum(times.values()) <= LONGEST_SHORT_PATH, f"{sum(times.values())} minutes: {times}"


def test_map_of_lessons_is_current():
    start = READ[ROOT / "notebooks" / "00_start_here.ipynb"]
    (cell,) = [cell for cell in start.cells if cell.id == "map"]
    assert lesson_map(list(LESSONS.values())) in cell.source


def test_readme_has_the_map():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme == readme_with_map(readme, list(LESSONS.values()))


# What the series claims


def test_claims_lead_to_cells_and_tests():
    with open(ROOT / "tests" / "claims.csv", encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        wrong = [f"line {reader.line_num}: {fault}" for row in reader for fault in faults(row)]
    assert reader.fieldnames == ["section", "claim", "notebook", "cell", "test"]
    assert wrong == []


def faults(row):
    """What is wrong with a claim."""
    if None in row or not all(row.values()):
        return ["expected five fields, none of them empty"]
    found = []
    if row["section"] not in [f"§{number}" for number in range(26)]:
        found.append(f"section {row['section']!r} is not one of §0 … §25")
    notebook = READ.get(ROOT / "notebooks" / row["notebook"])
    if notebook is None:
        found.append(f"no notebook {row['notebook']}")
    elif row["cell"] not in [cell.id for cell in notebook.cells]:
        found.append(f"no cell {row['cell']} in {row['notebook']}")
    file, _, name = row["test"].partition("::")
    if name not in functions(ROOT / file):
        found.append(f"no test {row['test']}")
    return found


def functions(file):
    if not file.is_file():
        return set()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"claim": ""}, "none of them empty"),
        ({"section": "§26"}, "not one of §0"),
        ({"notebook": "99_nothing.ipynb"}, "no notebook 99_nothing"),
        ({"cell": "no-such-cell"}, "no cell no-such-cell"),
        ({"test": "tests/test_notebooks.py::test_nothing"}, "no test tests/test_notebooks.py"),
        ({"test": "tests/test_nothing.py::test_size"}, "no test tests/test_nothing.py"),
    ],
)
def test_a_wrong_claim_is_found(change, fault):
    row = {"section": "§7", "claim": "a claim", "notebook": PATHS[0].name, "cell": "setup",
           "test": "tests/test_notebooks.py::test_size"}
    assert faults(row) == []
    assert [fault in found for found in faults(row | change)] == [True]


# The strict re-run


def copy_of_series(folder):
    for name in ("helpers", "data"):
        (folder / name).symlink_to(ROOT / name, target_is_directory=True)
    (folder / "notebooks").mkdir()
    for path in PATHS:
        shutil.copy(path, folder / "notebooks")
    return folder / "notebooks"


def strict_run(*paths, **environment):
    """nbval over the paths, away from this project's settings; the finished process."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "--nbval",
               "--nbval-current-env", "-c", os.devnull, "--rootdir", paths[0].parent, *paths]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True)


def damage(notebook):
    """Change one number: in the text beside the last picture, else in the last text."""
    texts = [output.data for _, output in outputs(notebook)
             if NUMBER.search(output.get("data", {}).get("text/plain", ""))]
    data = [data for data in texts if "image/png" in data][-1:] or texts[-1:]
    data[0]["text/plain"] = NUMBER.sub(
        lambda number: f"{float(number[0]) + 1:.2f}", data[0]["text/plain"], count=1)


@pytest.mark.parametrize("path", PATHS[:1], ids=lambda path: path.stem)
def test_damaged_number_fails_the_strict_run(path, tmp_path):
    copy = copy_of_series(tmp_path) / path.name
    intact = strict_run(copy)
    assert intact.returncode == 0, intact.stdout
    notebook = nbformat.read(copy, as_version=4)
    damage(notebook)
    nbformat.write(notebook, copy)
    damaged = strict_run(copy)
    assert damaged.returncode == 1
    assert " 1 failed" in "\n " + damaged.stdout.splitlines()[-1]


CORES = {"Haswell": "avx2", "Sandybridge": "avx", "Nehalem": "sse4_2"}  # and what each needs


def blas_core(**environment):
    """The kind of core that OpenBLAS computes for in a new process."""
    code = "import numpy, threadpoolctl as t; print(t.threadpool_info()[0].get('architecture'))"
    command = [sys.executable, "-c", code]
    return subprocess.check_output(command, env=os.environ | environment, text=True).strip()


@pytest.mark.slow
@pytest.mark.skipif(not PATHS, reason="no notebook yet")
@pytest.mark.skipif(platform.system() != "Linux" or platform.machine() != "x86_64",
                    reason="needs the processor flags of Linux on x86-64")
def test_strict_run_on_another_core():
    flags = Path("/proc/cpuinfo").read_text().split()
    cores = [core for core, flag in CORES.items() if flag in flags and core != blas_core()]
    assert blas_core(OPENBLAS_CORETYPE=cores[0]) == cores[0]
    result = strict_run(*PATHS, OPENBLAS_CORETYPE=cores[0])
    assert result.returncode == 0, result.stdout


@pytest.mark.slow
@pytest.mark.skipif(not PATHS, reason="no notebook yet")
def test_refresh_twice_changes_nothing(tmp_path):
    folder = copy_of_series(tmp_path)
    refresh(folder)
    once = {path.name: path.read_bytes() for path in folder.iterdir()}
    refresh(folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == once
