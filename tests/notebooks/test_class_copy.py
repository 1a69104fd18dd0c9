"""The class copy: folded, cleared, without captions that tell; and the code gives the lesson's results."""

import ast
import io
import re
import tokenize
from itertools import pairwise

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from series import IGNORED, PATHS, READ, ROOT, code_cells

from classroom import guide
from classroom.class_copy import CAPTIONS_NAME, FOLD, folded, for_the_wall, reads, taken_out, without_captions, write
from tools.minutes import PREDICTION, calls
from tools.refresh import run

NUMBER = re.compile(r"(?<![\w.])[−-]?(?:0\.\d+|[1-9]\d*(?:[.,]\d+)*)")
DETAILS = re.compile(r"<details>.*?</details>", re.DOTALL)
FOLDED = re.compile(re.escape(FOLD).replace(r"\{\}", "(.*?)"), re.DOTALL)
NO_ANSWER = {"real-curve-read: 16384"}    # a comment says how far the axis goes
QUICK = ("03_scores", "11_cross_attention")    # 11 has a variable CAPTION


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The class copy."""
    folder = tmp_path_factory.mktemp("series") / "_class"
    write(folder=folder)
    return folder


@pytest.fixture(scope="session")
def copies(folder):
    """All lessons of the class copy, by their paths in notebooks/."""
    return {path: nbformat.read(folder / path.name, as_version=4) for path in PATHS}


def numbers(text):
    """Every number in a text but those with a leading 0, which are names of lessons."""
    return {number.replace("−", "-") for number in NUMBER.findall(text)}


def visible(cell):
    """What of a cell stands in sight before it is run: its text without folds; of code the words, strings and comments."""
    if cell.cell_type != "code":
        return DETAILS.sub("", cell.source)
    return " ".join(token.string for token in tokens(cell) if token.type not in (tokenize.NUMBER, tokenize.OP))


def tokens(cell):
    """The tokens of a code cell."""
    return tokenize.generate_tokens(io.StringIO(cell.source).readline)


def literals(cell):
    """The numbers with which a code cell computes, also as percent."""
    values = [node.value for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Constant)]
    return {f"{factor * value:g}" for value in values if isinstance(value, int | float) for factor in (1, 100)}


def results(cells):
    """The printed results of cells."""
    return "\n".join(output.get("text") or output.get("data", {}).get("text/plain", "")
                     for cell in code_cells(cells) for output in cell.outputs)


def answers_in_sight(cells, lesson):
    """Of each prediction, the numbers that answer it, are new, and stand in sight: in the code or in the text below."""
    for place, cell in enumerate(cells):
        if cell.cell_type != "markdown" or PREDICTION not in cell.source:
            continue
        end = next(number for number in range(place + 1, len(cells)) if cells[number].cell_type == "markdown")
        run, read, below = cells[place + 1:end], cells[end], cells[end + 1:end + 2]    # all on one screen
        told = numbers(lesson[end].source.partition(PREDICTION)[0]) & numbers(results(lesson[place:end]))
        known = numbers("\n".join(map(visible, cells[:place + 1])) + results(lesson[:place]))
        given = set().union(*map(literals, run))
        sight = numbers("\n".join(map(visible, [*run, read, *below])))
        for number in sorted((told - known - given) & sight):
            yield f"{read.id}: {number}"


def test_no_answer_stands_in_sight(copies):
    found = {path.stem: {*answers_in_sight(copies[path].cells, READ[path].cells)} - NO_ANSWER for path in PATHS}
    assert {stem: answers for stem, answers in found.items() if answers} == {}


def test_the_lessons_themselves_show_their_answers():
    """So the test above sees what it should see."""
    assert sum(len(list(answers_in_sight(READ[path].cells, READ[path].cells))) for path in PATHS) > 100


def test_every_answer_to_a_question_is_folded(path, copies):
    for question, *rest in (READ[path].cells[place:] for place in range(len(READ[path].cells))):
        if question.cell_type == "markdown" and PREDICTION in question.source:
            reading = next(cell for cell in rest if cell.cell_type == "markdown")
            (copy,) = [cell for cell in copies[path].cells if cell.id == reading.id]
            told, asks, next_question = reading.source.partition(f"\n\n{PREDICTION}")
            assert copy.source == FOLD.format(told) + asks + next_question


def test_what_reads_an_explorer_is_folded(path, copies):
    for before, cell in pairwise(copies[path].cells):
        if before.cell_type == "code" and any(name.startswith("explore_") for name, _ in calls(before.source)):
            assert FOLDED.match(cell.source), cell.id


def test_only_folds_captions_and_results_differ(path, copies):
    lesson, copy = READ[path], copies[path]
    assert [(cell.id, cell.cell_type) for cell in copy.cells] == [(cell.id, cell.cell_type) for cell in lesson.cells]
    for cell, other in zip(lesson.cells, copy.cells, strict=True):
        if cell.cell_type == "markdown":
            assert FOLDED.sub(r"\1", other.source) == FOLDED.sub(r"\1", cell.source), cell.id
        else:
            assert other.outputs == [] and other.execution_count is None
            assert len(other.source.splitlines()) <= len(cell.source.splitlines()) + (cell.id == "setup"), cell.id
            assert max(map(len, other.source.splitlines())) <= 95 or cell.id == "setup", cell.id
            written = [node.value for node in ast.walk(ast.parse(other.source))
                       if isinstance(node, ast.keyword) and node.arg == "caption"]
            assert not any(isinstance(node, ast.Constant | ast.JoinedStr) for node in written), cell.id
    nbformat.validate(copy)


def test_the_summary_of_a_fold_says_nothing():
    assert set(re.findall(r"\w+", re.search("<summary>(.*)</summary>", FOLD)[1])) == {"After", "the", "run"}


def test_the_lessons_stay_as_they_are(tmp_path):
    before = {path: path.read_bytes() for path in (ROOT / "notebooks").iterdir() if path.is_file()}
    write(folder=tmp_path / "_class")
    write(folder=tmp_path / "_class")
    assert {path: path.read_bytes() for path in (ROOT / "notebooks").iterdir() if path.is_file()} == before


# Results


def differences(path, folder):
    """Run the class copy of a lesson in its folder; the ids of cells whose results are not the lesson's."""
    copy = nbformat.read(folder / path.name, as_version=4)
    run(copy, folder)
    for cell, other in zip(code_cells(READ[path].cells), code_cells(copy.cells), strict=True):
        if IGNORED not in cell.metadata.get("tags", []) and results([cell]) != results([other]):
            yield cell.id


@pytest.mark.parametrize("path", [
    pytest.param(path, id=path.stem, marks=[] if path.stem in QUICK else pytest.mark.slow) for path in PATHS])
def test_the_code_gives_the_results_of_the_lesson(path, tmp_path):
    """From a folder beside helpers/, as _class/ is."""
    for name in ("helpers", "data"):
        (tmp_path / name).symlink_to(ROOT / name)
    write(folder=tmp_path / "_class")
    assert list(differences(path, tmp_path / "_class")) == []


def test_the_guide_beside_the_copies_leads_to_the_questions(copies, folder):
    text = (folder / guide.GUIDE.name).read_text(encoding="utf-8")
    links = re.findall(r"\]\((\d\d_\w+\.ipynb)#cell-id=([\w-]+)\)", text)
    kinds = {(path.name, cell.id): cell.cell_type for path, notebook in copies.items() for cell in notebook.cells}
    assert len(links) == len(guide.LINK.findall(guide.GUIDE.read_text(encoding="utf-8"))) > 100
    assert {kinds.get(link) for link in links} == {"markdown"} and not guide.LINK.search(text)
    assert ("03_scores.ipynb", guide.question(READ[ROOT / "notebooks/03_scores.ipynb"].cells, "one-score-products")) in links


# The rules


def test_a_link_leads_to_the_text_above_a_cell():
    made = cells("One.", ">1", ">2", "Two.")
    assert [guide.question(made, cell.id) for cell in made] == ["cell-0", "cell-0", "cell-0", "cell-3"]
    with pytest.raises(ValueError, match=r"TEACHING\.md names the cell 'lost'"):
        guide.question(made, "lost")


def cells(*sources):
    """Markdown cells, and code cells of sources that begin with ``>``."""
    return [new_code_cell(source[1:], id=f"cell-{number}") if source[0] == ">" else new_markdown_cell(source, id=f"cell-{number}")
            for number, source in enumerate(sources)]


@pytest.mark.parametrize(("before", "cell", "expected"), [
    (">1", "It is 1.", True), (">1", f"It is 1.\n\n{PREDICTION} and 2?", True), (">1", "## Next", False),
    (">1", f"{PREDICTION} and 2?", False), ("Words.", "It is 1.", False), (">check_scores(scores)", "Stuck?", False),
    (">1", ">2", False), (">1", "**Try:** move it.", False)])
def test_what_reads_a_result(before, cell, expected):
    before, cell = cells(before, cell)
    assert reads(cell, before) is expected


def test_a_fold_in_a_fold_closes():
    text = folded("One.\n\n<details>\n<summary>Answer</summary>\n\nTwo.\n\n</details>")
    assert text.count("<details>") == text.count("</details>") == 2


@pytest.mark.parametrize("source", [
    'show(caption="a")', "show(caption='é' 'b', x=1)", 'show(1,\n     caption="a"\n     "b")',
    'show(caption=f"{1 + 1} of {2:.2f}")',
    "é = 'ü'; show(x=é, caption='ö', y=2)", 'show(caption=f"{{}} {3!r:>4}")', 'show(show(caption="in"), caption="out {}")',
    "name = 'n'\nshow(caption=name)", 'show(x=[show(caption=f"{k}") for k in "ab"])', "show(caption=f'{dict(a=1)[\"a\"]:{4}}')",
], ids=str)
def test_captions_are_the_same_when_it_runs(source):
    def run(source, **names):
        seen = []
        exec(source, {"show": lambda *args, **options: seen.append((args, options)), **names})
        return seen
    captions = ["another one"]
    changed = without_captions(source, captions)
    assert run(source) == run(changed, **{CAPTIONS_NAME: captions})
    assert changed != source or "caption=name" in source or "{4}" in source


def test_what_is_computed_stays():
    assert taken_out(ast.parse("name", mode="eval").body, 0) is None


def test_a_lesson_that_uses_the_name_of_the_captions_is_refused():
    notebook = new_notebook(cells=cells(f">{CAPTIONS_NAME} = 1", '>Bars([1], caption="a")'))
    with pytest.raises(ValueError, match=CAPTIONS_NAME):
        for_the_wall(notebook, "99_new")
