"""Every question is answered: predictions, explorers, *Check yourself*."""

import re
from itertools import pairwise

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from tools.minutes import PREDICTION, calls

SENTENCE = 40  # characters of the sentence that answers, at least
FOLDED = re.compile(r"<details>\n<summary>Answer</summary>\n\n\S.*?\n\n</details>", re.DOTALL)


def first_sentence(text):
    """The text up to the first full stop, question or exclamation mark that ends a word."""
    return re.split(r"(?<=[.?!])[)*\"”]*\s", text.strip(), maxsplit=1)[0]


def no_reading(cell):
    """Why a cell is not one that reads the result above it."""
    if cell is None or cell.cell_type != "markdown":
        return "no markdown cell reads the result"
    if cell.source.startswith(("#", PREDICTION)):
        return f"the next cell, {cell.id}, begins with a heading or a question"
    sentence = first_sentence(cell.source)
    if len(sentence) < SENTENCE:
        return f"the answer in {cell.id} begins with {sentence!r}, {len(sentence)} characters of at least {SENTENCE}"
    return None


def unanswered(cells):
    """Predictions and explorers without an answer."""
    for place, cell in enumerate(cells):
        rest = cells[place + 1 :]
        reading = next((other for other in rest if other.cell_type == "markdown"), None)
        if cell.cell_type == "markdown" and PREDICTION in cell.source:
            if cell.source.count(PREDICTION) > 1:
                yield f"{cell.id}: more than one prediction"
            fault = no_reading(reading) if rest and rest[0].cell_type == "code" else "no code cell follows"
            if fault:
                yield f"{cell.id}: {fault}"
        elif cell.cell_type == "code" and any(name.startswith("explore_") for name, _ in calls(cell.source)):
            fault = no_reading(rest[0] if rest else None)
            if fault:
                yield f"{cell.id}: {fault}"


def unfolded(cells):
    """Cells with a question whose answer is missing or cannot be folded."""
    for cell in cells:
        folded = len(FOLDED.findall(cell.source))
        asked = cell.source.count("*Check yourself:*")
        if cell.cell_type == "markdown" and (folded < asked or folded < cell.source.count("<details>")):
            yield f"{cell.id}: expected <details>, <summary>Answer</summary>, empty line, text, empty line, </details>"


def test_every_question_is_answered(path, notebook):
    faults = list(unanswered(notebook.cells))
    assert not faults, "\n".join([path.stem, *faults])


def test_check_yourself_has_a_folded_answer(path, notebook):
    faults = list(unfolded(notebook.cells))
    assert not faults, "\n".join([path.stem, *faults])


def test_every_look_for_stands_above_an_explorer(path, notebook):
    for cell, after in pairwise(notebook.cells):
        if "**Look for:**" in cell.source:
            assert any(name.startswith("explore_") for name, _ in calls(after.source)), f"{path.stem}: {cell.id}"


ASK = f"Some words.\n\n{PREDICTION} will it grow?"
READING = "It grows, but not as fast as the number of tokens does. See?"


def made(*cells):
    """Cells from pairs of a type's first letter and a source."""
    new = {"m": new_markdown_cell, "c": new_code_cell}
    return [new[kind](source, id=f"cell-{number}") for number, (kind, source) in enumerate(cells)]


@pytest.mark.parametrize(
    ("cells", "fault"),
    [
        ([("m", ASK), ("c", "1"), ("m", READING)], None),
        ([("m", ASK), ("c", "1"), ("c", "2"), ("m", READING)], None),
        ([("c", "explore_mask()"), ("m", READING)], None),
        ([("c", "explore_mask"), ("c", "1")], None),
        ([("m", ASK), ("m", READING)], "cell-0: no code cell follows"),
        ([("m", ASK), ("c", "1")], "cell-0: no markdown cell reads"),
        ([("m", ASK), ("c", "1"), ("m", "## Next\n\n" + READING)], "cell-0: the next cell, cell-2, begins with"),
        ([("m", ASK), ("c", "1"), ("m", PREDICTION + READING), ("c", "1"), ("m", READING)], "cell-0: the next cell"),
        ([("m", ASK), ("c", "1"), ("m", "Neither. " + READING)], "cell-0: the answer in cell-2 begins with 'Neither.'"),
        ([("m", ASK + ASK), ("c", "1"), ("m", READING)], "cell-0: more than one"),
        ([("c", "explore_mask()"), ("c", "1"), ("m", READING)], "cell-0: no markdown cell reads"),
        ([("c", "explore_mask()"), ("m", "## Next")], "cell-0: the next cell"),
        ([("c", "explore_mask()")], "cell-0: no markdown cell reads"),
    ],
)
def test_a_missing_answer_is_found(cells, fault):
    assert [found.startswith(fault or "?") for found in unanswered(made(*cells))] == ([True] if fault else [])


ANSWER = "\n\n<details>\n<summary>Answer</summary>\n\nA third.\n\n</details>"


@pytest.mark.parametrize(
    ("source", "right"),
    [
        ("*Check yourself:* how much?" + ANSWER, True),
        ("Why?" + ANSWER, True),
        ("*Check yourself:* how much?", False),
        ("*Check yourself:* how much? *Check yourself:* why?" + ANSWER, False),
        ("*Check yourself:* how much?" + ANSWER.replace("\n\nA", "\nA"), False),
        ("*Check yourself:* how much?" + ANSWER.replace("third.\n", "third."), False),
        ("*Check yourself:* how much?" + ANSWER.replace("A third.", ""), False),
        ("Why?" + ANSWER.replace("Answer", "More"), False),
    ],
)
def test_a_missing_fold_is_found(source, right):
    assert (list(unfolded(made(("m", source)))) == []) == right
