"""Handouts on paper: `make handouts` writes for each lesson a page to fill in and its answers into _handouts/, as PDF;
and the guide for teachers.

Both come from the lesson: its formulas with gaps, its questions, an empty matrix of the shape that a result has; and what
the lesson says of them. Chromium prints the pages, on A4 and on letter.
"""

import html
import os
import re
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from string import Template
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "site"))

from beats import beats, condensed, sentences  # noqa: E402
from formulas import copy_katex  # noqa: E402
from lessons import NOTEBOOKS, executed  # noqa: E402
from notes import notes  # noqa: E402
from slides import Texts, lessons  # noqa: E402

from classroom import guide  # noqa: E402
from classroom.gaps import plain, with_gaps  # noqa: E402
from classroom.printing import browser, printed  # noqa: E402
from helpers.example import SENTENCE  # noqa: E402
from tools.minutes import DEEPER, PREDICTION  # noqa: E402

SHEETS, FOLDER = Path(__file__).parent / "sheet", ROOT / "_handouts"
PAPERS = {"a4": ("210mm", "297mm"), "letter": ("8.5in", "11in")}
WHOLE_HEAD = ("09_single_head", "one-page-of-a-head")
DISPLAYED = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
TABLE = re.compile(r'<table class="attn-matrix(?! attn-dense| attn-colours).*?</table>', re.DOTALL)
QUESTIONS, FORMULAS, CONTEXT, MORE = 6, 3, 220, 380  # of a page at most; letters that lead to a question, go on with an answer
SHOWN = re.compile(r"\$\$|^[|>] ?|^(?:[-*]|\d+\.) ", re.MULTILINE)  # what is not a plain paragraph
COMPLETE = (".", "?", ".)", ".**")  # how a sentence ends that nothing else belongs to
BESIDE = re.compile(r",?\s*(?:\\qquad\s*)+")  # between formulas of one line
LARGEST, TOGETHER = 135, 75  # cells of a matrix, of two
SECTION = re.compile(r"\s*\(§[^)]*\)$")
NUMBER = re.compile(r"\d+\.\d+|\b(?:three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b", re.IGNORECASE)
CAPTION = re.compile(r"(<caption>.*?): (.*?)(?=(?:</span>)?</caption>)", re.DOTALL)
NAME = 3  # words at most of a caption that only names its matrix
VALUE = re.compile(r"(<td\b[^>]*>)[^<]*(?=</td>)")
EMPTY_CELL = re.compile(r"<td\b[^>]*></td>")
LOOK = re.compile(r'(<td)(?: style="[^"]*"| class="attn-off")')


class Question(NamedTuple):
    """A question of a lesson, with what leads to it and what the lesson answers; texts in Markdown."""

    context: str
    words: str
    answer: str
    more: str           # the next sentences; all of them for the question of the recap


class Grid(NamedTuple):
    """Matrices to be filled in."""

    title: str          # the section of the lesson that shows them
    tables: list        # as HTML


class Handout(NamedTuple):
    """What a page is made of."""

    title: str
    formulas: list      # in TeX
    questions: list
    grid: Grid | None   # the matrices of a result


# What a lesson gives


def handout(path):
    """The handout of a lesson.

    Parameters
    ----------
    path : Path
        Of the notebook.
    """
    notebook, _ = executed(path)
    made = beats(notebook.cells)
    core = [beat for beat in made if not beat.deeper]
    taught = {cell for stem, cell in notes(guide.GUIDE.read_text(encoding="utf-8")) if stem == path.stem}
    return Handout(re.match(r"# (.*)", notebook.cells[0].source)[1], formulas(notebook.cells), questions(core, taught),
                   grid(made))


def questions(made, taught):
    """The questions of the core; where there are too many, those whose cells a plan of the guide names."""
    asked = [list(same) for words, same in groupby(made, lambda beat: beat.question) if words]
    ranked = sorted(asked, key=lambda same: not any(cell in taught for beat in same for cell in beat.cells))
    found = []
    for same in filter(ranked[:QUESTIONS].__contains__, asked):
        told = set().union(*(numbers(question.words) & numbers(question.answer) for question in found))
        found.append(Question(*map(plain, (_leads(same[0].context, told), _begun(same[0].question), *_answer(same)))))
    return found


def numbers(text):
    """The numbers in a text that an answer can be known by.

    >>> sorted(numbers("Nine words; 0.50 of 3."))
    ['0.50', 'nine']
    """
    return set(map(str.lower, NUMBER.findall(text)))


def _leads(context, told):
    """The last sentences of a text; not those with a number that was a right guess, nor a formula, which would fill gaps."""
    kept, blocks = [], [block for block in context.split("\n\n") if "$$" not in block]
    for sentence in reversed(sentences(blocks[-1] if blocks else "")):
        if numbers(sentence) & told:
            continue
        if kept and sum(map(len, kept)) + len(sentence) > CONTEXT:
            break
        kept.insert(0, sentence)
    return " ".join(kept)


def _begun(question):
    words = question.replace(PREDICTION, "").strip()
    return words[:1].upper() + words[1:]


def _answer(same):
    """What the text that reads the results says first, and what it goes on with; nothing where none does."""
    beat = next((beat for beat in reversed(same) if beat.reading), same[-1])
    first, rest = condensed(beat.reading)
    if not beat.code:
        return first, rest
    said = [sentence for block in rest.split("\n\n") if not SHOWN.search(block) for sentence in sentences(block)
            if sentence.endswith(COMPLETE)]
    return first, " ".join(sentence for place, sentence in enumerate(said) if len(" ".join(said[:place + 1])) <= MORE)


def formulas(cells):
    """The displayed formulas of the core, else of Deeper sections; a lesson without any has that of a whole head."""
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    deeper = next((place for place, text in enumerate(texts) if text.startswith(DEEPER)), len(texts))
    for part in (texts[:deeper], texts[deeper:]):
        found = [tex.strip() for text in part for tex in DISPLAYED.findall(text) if with_gaps(tex) != plain(tex)]
        if found:
            return found[:FORMULAS]
    whole, _ = executed(NOTEBOOKS / f"{WHOLE_HEAD[0]}.ipynb")
    return formulas(whole.cells)


def grid(made):
    """The matrices to be filled in: the largest that fit the page, of a question's result if there is one."""
    ranks = [lambda beat: beat.question and not beat.deeper, lambda beat: not beat.deeper, lambda beat: True]
    for rank in ranks:
        found = [Grid(SECTION.sub("", beat.title), _small(beat)) for beat in made if rank(beat)]
        largest = max(found, key=lambda grid: sum(map(_cells, grid.tables)), default=None)
        if largest and largest.tables:
            return largest
    return None


def _small(beat):
    shown = [table for output in beat.outputs for table in TABLE.findall(output.get("data", {}).get("text/html", ""))]
    small = [table for table in shown if _cells(table) <= LARGEST][-2:]
    return small if sum(map(_cells, small)) <= TOGETHER else small[-1:]


def _cells(table):
    return table.count("<td")


# Pages


def page(handout, filled):
    """The content of a page, to be filled in or with the answers, as HTML."""
    texts = Texts()
    parts = [_head(handout, filled, texts), _formulas(handout, filled, texts), _grids(handout, filled, texts),
             _questions(handout, filled, texts)]
    return texts.filled("".join(parts))


def _head(handout, filled, texts):
    place = "<p>Answers</p>" if filled else '<p class="name">Name:</p>'
    return f"<header><h1>{texts.line(handout.title)}</h1>{place}</header>"


def _formulas(handout, filled, texts):
    parts = [part for tex in handout.formulas for part in BESIDE.split(tex)]
    made = (texts.html(f"$${plain(tex) if filled else with_gaps(tex)}$$") for tex in parts)
    head = "The formula" if len(handout.formulas) == 1 else "The formulas"
    return f'<h2>{head}</h2><div class="formulas">{"".join(made)}</div>'


def _grids(handout, filled, texts):
    if handout.grid is None:
        return ""
    title, tables = handout.grid
    made = [LOOK.sub(r"\1", table) if filled else emptied(table) for table in tables]
    marked = ", the marked row at least" if "<tr data-marked" in tables[0] else ""
    head = f"{'The numbers' if filled else f'Fill in{marked}'}: {texts.line(title)}"
    return f'<h2>{head}</h2><div class="grids attn-views">{"".join(made)}</div>'


def emptied(table):
    """A matrix without its numbers and without what its caption says of them.

    >>> emptied('<caption><b>S</b> (1, 1): a is the largest</caption><tbody><tr><td style="background:#fff">8</td></tr></tbody>')
    '<caption><b>S</b> (1, 1)</caption><tbody><tr><td></td></tr></tbody>'
    """
    head, body, cells = CAPTION.sub(lambda found: found[0] if _names(found[2]) else found[1], table).partition("<tbody>")
    return head + body + VALUE.sub(r"\1", LOOK.sub(r"\1", cells))


def _names(caption):
    """Whether a caption names its matrix and does not say what is found in it."""
    return caption.startswith("what ") or (len(caption.split()) <= NAME and not numbers(caption))


def _questions(handout, filled, texts):
    entries = [f"<li><b>{number}</b>{_entry(question, filled, texts)}</li>"
               for number, question in enumerate(handout.questions, start=1)]
    return f'<h2>{"Answers" if filled else "Questions"}</h2><ol class="questions">{"".join(entries)}</ol>'


def _entry(question, filled, texts):
    if filled:
        answer = texts.html(f"{question.answer} {question.more}".strip())
        return f'<div class="asked">{texts.html(question.words)}</div><div>{answer}</div>'
    context = f'<div class="context">{texts.html(question.context)}</div>' if question.context else ""
    return f'{context}<div>{texts.html(question.words)}</div><div class="lines"></div>'


def whole_head():
    """All matrices of a head on one page, as lesson 09 shows them."""
    notebook, _ = executed(NOTEBOOKS / f"{WHOLE_HEAD[0]}.ipynb")
    (cell,) = [cell for cell in notebook.cells if cell.id == WHOLE_HEAD[1]]
    return f'<header><h1>A whole head on one page</h1><p>{html.escape(SENTENCE)}</p></header>{cell.outputs[0].data["text/html"]}'


def for_teachers():
    """The guide for teachers; it goes over as many pages as it needs."""
    texts = Texts()
    return texts.filled(texts.html(guide.on_paper(guide.GUIDE.read_text(encoding="utf-8"))))


# Print


def pages():
    """Every page on every paper: its file name and its HTML."""
    for path in lessons():
        yield from lesson_pages(path)
    yield from on_papers("one_page", "A whole head", "whole", whole_head())
    yield from on_papers(guide.GUIDE.stem, "In front of a class", "guide", for_teachers())


def lesson_pages(path):
    """The pages of a lesson."""
    made = handout(path)
    yield from on_papers(path.stem, made.title, "fill", page(made, filled=False))
    yield from on_papers(f"{path.stem}.answers", made.title, "answers", page(made, filled=True))


def on_papers(name, title, kind, content):
    """A page on every paper, that of a whole head on its side."""
    template = Template((SHEETS / "sheet.html").read_text(encoding="utf-8"))
    for paper, size in PAPERS.items():
        width, height = reversed(size) if kind == "whole" else size
        yield f"{name}.{paper}", template.substitute(title=html.escape(title), kind=kind, paper=f"{width} {height}",
                                                     width=width, height=height, content=content)


def write(folder, made):
    """Write pages as HTML, with what they load, into a folder; gives their paths."""
    copy_katex(folder / "katex")
    for path in (ROOT / "helpers/style.css", SHEETS / "sheet.css"):
        shutil.copy(path, folder)
    written = []
    for name, content in made:
        written.append(folder / f"{name}.html")
        written[-1].write_text(content, encoding="utf-8")
    return written


def main():
    """All pages, as many at a time as there are processors."""
    browser()
    print("Running lessons that have changed, and writing the pages", flush=True)
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        paths = write(Path(folder), pages())
        for number, _ in enumerate(pool.map(lambda path: printed(path, FOLDER), paths), start=1):
            print(f"\r{number} of {len(paths)} pages printed", end="", flush=True)
    print(f"\nThe handouts are in {FOLDER.name}/.")


if __name__ == "__main__":
    main()
