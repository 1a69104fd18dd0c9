"""The lessons as the site shows them: `python site/lessons.py` runs the notebooks, writes site/lessons/ and site/index.md.

A notebook is run again only when its code, the helpers, the data or the packages have changed; what was run lies in
site/build/executed/. What a page leaves out, folds or adds follows from rules that hold for all lessons.
"""

import hashlib
import os
import re
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from string import Template

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell

SITE = Path(__file__).resolve().parent
ROOT = SITE.parent
EXECUTED, PAGES, PYTHON, SLIDES = SITE / "build/executed", SITE / "lessons", ROOT / "_site/python", ROOT / "_site/slides"
sys.path.insert(0, str(ROOT))

from helpers.example import SENTENCE  # noqa: E402
from helpers.exercises.checking import EXERCISES, solution  # noqa: E402
from tools.maps import MAP, RUNNABLE  # noqa: E402
from tools.minutes import PREDICTION, SITE_LINE  # noqa: E402
from tools.refresh import NOTEBOOKS, run, tidy  # noqa: E402

FROZEN = 'import sys; sys.path[:0] = ["..", "../site"]\nimport frozen; frozen.use(get_ipython().display_formatter)'
LEFT_OUT = "only-with-a-kernel"  # the tag of cells that make sense only where they can be run
RUNNABLE_ALL = '<a href="python/index.html">The lessons with Python in your browser</a>.'
# As HTML, for MyST-NB would look for what these lead to among its own pages.
TO_PYTHON = '<p><a href="../{}">Run this lesson</a> in your browser.</p>\n\n'
TO_SLIDES = '<p><b>In front of a class:</b> <a href="slides/index.html">the lessons as slides</a>, with notes to speak from.</p>'
HOW_TO_SOLVE = re.compile(r"\s*(?:Stuck\? |\()?`show_solution\(.*?(?:\.\)|\)\.|way\.\)?)", re.DOTALL)  # needs a kernel
RESULT, SOLUTION, SETUP = "Show the result", "Show one way to do it", "What this page imports"


# Run


def digest(notebook):
    """Changes with the code of the notebook, and with everything that it may import or read."""
    files = [ROOT / "requirements.txt", SITE / "frozen.py",
             *(path for folder in ("helpers", "data") for path in sorted((ROOT / folder).rglob("*"))
               if path.is_file() and path.suffix not in (".pyc", ".css", ".js"))]
    code = "\0".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    return hashlib.sha256(b"".join([code.encode(), *(path.read_bytes() for path in files)])).hexdigest()


def executed(path):
    """The notebook of a lesson, run with frozen explorers, and the seconds it took; 0 if it had been run before."""
    notebook, stored = nbformat.read(path, as_version=4), EXECUTED / path.name
    mark, start = digest(notebook), time.perf_counter()
    if stored.exists():
        before = nbformat.read(stored, as_version=4)
        if before.metadata.get("digest") == mark:
            _take_outputs(notebook, before)
            return notebook, 0
    notebook.cells.insert(0, new_code_cell(FROZEN))
    run(notebook, NOTEBOOKS)
    del notebook.cells[0]
    tidy(notebook)
    notebook.metadata["digest"] = mark
    stored.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, stored)
    return notebook, time.perf_counter() - start


def _take_outputs(notebook, before):
    ran = (cell for cell in before.cells if cell.cell_type == "code")
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = next(ran).outputs


# Write


def with_link(cells, name):
    """The cells of a page; in the first a link to the lesson in the reader's own browser, where that has been built."""
    links = TO_PYTHON.format(RUNNABLE.format(name)) if PYTHON.exists() else ""
    title, minutes, text = SITE_LINE.sub("", cells[0].source).split("\n\n", 2)
    cells[0].source = f"{title}\n\n{minutes}\n\n{links}{text}"
    return cells


def page(cells):
    """The cells of a page: set-up, solutions and what was asked before a result are folded, navigation is left to the theme."""
    cells = [cell for cell in cells if cell.id != "navigation" and LEFT_OUT not in cell.metadata.get("tags", [])]
    return list(_with_results_folded(_with_solutions(cells)))


def _with_solutions(cells):
    """In place of what the check of an exercise prints, its solution, folded; the set-up is folded too."""
    for cell in cells:
        check = re.search(r"^check_(\w+)\(", cell.source, re.MULTILINE)
        if cell.cell_type == "code" and check:
            yield _without_outputs(cell)
            yield from _folded(SOLUTION, new_code_cell(solution(EXERCISES[check[1]].reference)))
        elif cell.id == "setup":
            yield from _folded(SETUP, cell)
        elif cell.cell_type == "code":
            yield cell
        elif source := HOW_TO_SOLVE.sub("", cell.source):
            yield new_markdown_cell(source, id=cell.id)


def _with_results_folded(cells):
    """The result of a prediction, and the text that reads it up to the next question, folded until the reader asks."""
    asked, result = False, []
    for cell in cells:
        if cell.cell_type == "code" and asked:
            if result:
                yield from _folded(RESULT, *result)
            explorer = any("attn-frozen" in output.get("data", {}).get("text/html", "") for output in cell.outputs)
            yield cell if explorer else _without_outputs(cell)
            result = [_only_outputs(cell)] if cell.outputs and not explorer else []
            continue
        read, rest = ("", cell.source) if cell.source.startswith("#") else _reading(cell.source)
        if result:
            yield from _folded(RESULT, *result, *([new_markdown_cell(read)] if read else []))
            cell.source = rest
        asked, result = PREDICTION in rest, []
        if cell.source:
            yield cell
    if result:
        yield from _folded(RESULT, *result)


def _reading(source):
    """A text in two: what reads a result, and the paragraph that asks the next question with all that follows."""
    read, asks, rest = source.partition(PREDICTION)
    return read.strip(), asks + rest


def _without_outputs(cell):
    return new_code_cell(cell.source, id=cell.id)


def _only_outputs(cell):
    return new_code_cell(cell.source, outputs=cell.outputs, metadata={"tags": ["remove-input"]})


def _folded(words, *cells):
    """Cells behind a line that opens them; HTML, so it needs no script."""
    return [new_markdown_cell(f'<details class="folded"><summary>{words}</summary>'), *cells, new_markdown_cell("</details>")]


def write(notebook, path):
    """Write a notebook unless the file holds it already, so that Sphinx reads it again only when something has changed."""
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"  # the same ones in every build
    _write(nbformat.writes(notebook), path)


def _write(text, path):
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def start_page():
    """The text of the first page: start.md, filled with what the README and lesson 00 say."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Start")[0]
    introduction = "\n\n".join(part for part in readme.split("\n\n") if part[:1] not in "#![")
    cells = {cell.id: cell.source for cell in nbformat.read(NOTEBOOKS / f"{MAP}.ipynb", as_version=4).cells}
    table = re.search(r"(^\|.*\n?)+", cells["one-word-read"], re.MULTILINE)[0]
    lessons = re.sub(r"(?<=\]\()(?=\d\d_\w+\.ipynb\))", f"{PAGES.name}/", cells["map"])
    start = Template((SITE / "start.md").read_text(encoding="utf-8"))
    slides = TO_SLIDES if SLIDES.exists() else ""
    runnable = RUNNABLE_ALL if PYTHON.exists() else ""
    return start.substitute(introduction=introduction, sentence=SENTENCE, one_page=table, map=lessons, slides=slides,
                            runnable=runnable)


def lesson(path):
    """Bring the page of one lesson up to date; gives the seconds that running it took."""
    notebook, seconds = executed(path)
    notebook.cells = with_link(page(notebook.cells), path.stem)
    write(notebook, PAGES / path.name)
    return seconds


def main():
    """All lessons, as many at a time as there are processors."""
    PAGES.mkdir(exist_ok=True)
    paths = sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))
    for page_of_none in {path.name for path in PAGES.glob("*.ipynb")} - {path.name for path in paths}:
        (PAGES / page_of_none).unlink()
    _write(start_page(), SITE / "index.md")
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for path, seconds in zip(paths, pool.map(lesson, paths), strict=True):
            if seconds:
                print(f"{path.stem} ({seconds:.1f} s)", flush=True)


if __name__ == "__main__":
    main()
