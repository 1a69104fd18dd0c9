"""The form in which notebooks are saved."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools.refresh import METADATA, WIDGET, CellError, ChangedError, refresh

PICTURE = """
from IPython.display import display
png = "iVBORw0KGgo="
display({"image/png": png, "text/plain": "weight 0.50"}, raw=True,
        metadata={"image/png": {"alt": "one weight", "width": 40}, "other": 1})
"""


VIEW = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
from helpers.views import Bars
Bars([0.5], caption="one weight")
"""


@pytest.fixture
def folder(tmp_path):
    return tmp_path


def write(folder, name, heading, *sources):
    cells = [new_markdown_cell(f"# {heading}\n\n*0 minutes · document §1*", id="title")]
    cells += [new_code_cell(source, id=f"step-{word}") for word, source in sources]
    path = folder / f"{name}.ipynb"
    nbformat.write(new_notebook(cells=cells), path)
    return path


def read(path):
    return nbformat.read(path, as_version=4)


def test_widget_is_removed_and_text_stays(folder):
    path = write(folder, "00_start_here", "00 · Start",
                 ("slider", "import ipywidgets\nipywidgets.IntSlider(3)"))
    refresh(folder)
    data = read(path).cells[1].outputs[0].data
    assert WIDGET not in data
    assert data["text/plain"].startswith("IntSlider(value=3")


def test_metadata_is_reduced(folder):
    path = write(folder, "00_start_here", "00 · Start", ("picture", PICTURE))
    notebook = read(path)
    notebook.metadata["widgets"] = {"state": {}}
    notebook.cells[1].metadata = {"tags": ["nbval-ignore-output"], "collapsed": True}
    nbformat.write(notebook, path)
    refresh(folder)
    notebook = read(path)
    assert notebook.metadata == METADATA
    assert notebook.cells[1].metadata == {"tags": ["nbval-ignore-output"]}
    assert notebook.cells[1].outputs[0].metadata == {
        "image/png": {"alt": "one weight", "width": 40}
    }


def test_a_view_is_written_as_png_and_text(folder):
    path = write(folder, "00_start_here", "00 · Start", ("view", VIEW))
    refresh(folder)
    [output] = read(path).cells[1].outputs
    assert set(output.data) == {"image/png", "text/plain"}
    assert output.metadata["image/png"]["alt"] == "one weight"


def test_measured_times_are_kept_until_their_words_change(folder):
    path = write(folder, "00_start_here", "00 · Start",
                 ("time", "import time\nprint(f'{time.time()} seconds')"), ("value", "time.time()"))
    notebook = read(path)
    for cell in notebook.cells[1:]:
        cell.metadata = {"tags": ["nbval-ignore-output"]}
    nbformat.write(notebook, path)
    refresh(folder)
    once = path.read_bytes()
    refresh(folder)
    assert path.read_bytes() == once
    notebook = read(path)
    notebook.cells[1].source = notebook.cells[1].source.replace("seconds", "s")
    nbformat.write(notebook, path)
    refresh(folder)
    assert read(path).cells[1].outputs[0].text.endswith(" s\n")


def test_counts_ids_and_streams(folder):
    path = write(folder, "00_start_here", "00 · Start", ("one", "x = 1"),
                 ("two", "for i in range(3):\n    print(i, flush=True)"), ("three", "x"))
    refresh(folder)
    cells = read(path).cells
    assert [cell.execution_count for cell in cells if cell.cell_type == "code"] == [1, 2, 3]
    assert [cell.id for cell in cells] == [
        "title", "step-one", "step-two", "step-three", "navigation",
    ]
    assert [output.text for output in cells[2].outputs] == ["0\n1\n2\n"]


def test_what_is_printed_stays_between_the_pictures_that_it_stood_between(folder):
    path = write(folder, "00_start_here", "00 · Start", ("one", f"print('a')\nprint('b')\n{PICTURE}\nprint('c')"))
    refresh(folder)
    assert [output.get("text") for output in read(path).cells[1].outputs] == ["a\nb\n", None, "c\n"]


def test_the_kernel_is_asked_for_pictures(folder):
    path = write(folder, "00_start_here", "00 · Start", ("asked", "import os\nprint(os.environ['ATTENTION_PICTURES'])"))
    refresh(folder)
    assert read(path).cells[1].outputs[0].text == "png\n"


def test_navigation_links_the_neighbours(folder):
    paths = [write(folder, "00_start_here", "00 · Start here"),
             write(folder, "02_queries", "02 · Queries and keys"),
             write(folder, "03_scores", "03 · Scores")]
    refresh(folder)
    assert [read(path).cells[-1].source for path in paths] == [
        "[02 Queries and keys](02_queries.ipynb) →",
        "← [00 Start here](00_start_here.ipynb) · [Map of lessons](00_start_here.ipynb)"
        " · [03 Scores](03_scores.ipynb) →",
        "← [02 Queries and keys](02_queries.ipynb) · [Map of lessons](00_start_here.ipynb)",
    ]


def test_several_prefixes_run_their_notebooks(folder):
    names = ("00_start_here", "01_next", "02_last")
    paths = [write(folder, name, f"{name[:2]} · Lesson", ("one", "1 + 1")) for name in names]
    refresh(folder, "00", "02")
    assert [len(read(path).cells[1].outputs) for path in paths] == [1, 0, 1]
    with pytest.raises(ValueError, match="starting with '07'"):
        refresh(folder, "00", "07")


def test_prefix_runs_only_its_notebooks_but_renews_all_navigation(folder):
    first = write(folder, "00_start_here", "00 · Start", ("one", "1 + 1"))
    second = write(folder, "01_next", "01 · Next", ("one", "1 + 1"))
    refresh(folder, "01")
    assert read(first).cells[1].outputs == []
    assert read(first).cells[-1].source == "[01 Next](01_next.ipynb) →"
    assert read(second).cells[1].outputs[0].data["text/plain"] == "2"


def test_unknown_prefix_is_named(folder):
    write(folder, "00_start_here", "00 · Start")
    with pytest.raises(ValueError, match="starting with '07'"):
        refresh(folder, "07")


def test_failing_cell_is_named_and_the_file_left_alone(folder):
    path = write(folder, "00_start_here", "00 · Start", ("wrong", "1 / 0"))
    before = path.read_bytes()
    with pytest.raises(CellError, match=r"00_start_here.ipynb, cell step-wrong: ZeroDivisionErr"):
        refresh(folder)
    assert path.read_bytes() == before
    assert list(folder.iterdir()) == [path]


def test_cell_that_loses_its_kernel_is_named(folder):
    write(folder, "00_start_here", "00 · Start", ("lost", "import os\nos._exit(1)"))
    with pytest.raises(CellError, match="cell step-lost"):
        refresh(folder)


def test_second_run_writes_nothing(folder):
    path = write(folder, "00_start_here", "00 · Start", ("picture", PICTURE), ("sum", "1 + 1"))
    refresh(folder)
    stat, content = path.stat(), path.read_bytes()
    refresh(folder)
    assert path.read_bytes() == content
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (stat.st_ino, stat.st_mtime_ns)


def test_somebody_elses_change_is_not_overwritten(folder):
    path = folder / "00_start_here.ipynb"
    write(folder, "00_start_here", "00 · Start",
          ("change", f"with open({str(path)!r}, 'a') as file:\n    file.write(' ')"))
    before = path.read_bytes()
    with pytest.raises(ChangedError, match=r"00_start_here.ipynb was changed"):
        refresh(folder)
    assert path.read_bytes() == before + b" "
    assert list(folder.iterdir()) == [path]


def test_the_others_are_renewed_even_if_the_chosen_one_fails(folder):
    write(folder, "00_start_here", "00 · Start", ("wrong", "1 / 0"))
    other = write(folder, "01_next", "01 · Next")
    with pytest.raises(CellError):
        refresh(folder, "00")
    assert read(other).cells[-1].id == "navigation"


def test_script_has_the_ending_of_python(folder, tmp_path):
    path = write(folder, "00_start_here", "00 · Start", ("sum", "1 + 1"))
    refresh(folder)
    command = [sys.executable, "-m", "jupyter", "nbconvert", "--to", "script", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    assert "1 + 1" in path.with_suffix(".py").read_text(encoding="utf-8")
