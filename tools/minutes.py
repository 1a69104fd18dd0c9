"""How long a lesson takes: the core, each Deeper section, the short path. Computed from its cells, never typed."""

import ast
import json
import math
import re
from pathlib import Path
from typing import NamedTuple

from IPython.core.inputtransformer2 import TransformerManager

QUIZZES = Path(__file__).resolve().parent.parent / "data" / "quiz.json"
SHORT_PATH = [f"{number:02}" for number in range(1, 10)]  # the lessons on it
SHORT_PATH_ENDS = "short-path-ends"  # the id of the cell after which it leaves a lesson
PREDICTION = "**Before you run it:**"
DEEPER = "## Deeper:"
GENERATED = {"navigation", "map"}  # ids of cells that `make refresh` writes
SITE_LINE = re.compile(r"^\[This lesson with moving sliders\]\(.*\)\n\n", re.MULTILINE)  # and a line in the first cell

WORDS_A_SECOND = 3
CODE, PREDICT, EXPLORE, EXERCISE, ASK = 24, 36, 120, 180, 60  # seconds a cell, a prediction, …, a quiz question


class Minutes(NamedTuple):
    """Whole minutes of the core, of each Deeper section, and of the part of the core that the short path takes."""

    core: int
    deeper: list
    short: int
    only_first_part: bool  # whether the short path leaves the core before its end


def minutes(cells, lesson):
    """The minutes of the lesson with this number (``"03"``), each part rounded up."""
    core, *deeper = parts(cells)
    short = short_path(core) if lesson in SHORT_PATH else []
    return Minutes(rounded(seconds(core)), [rounded(seconds(part)) for part in deeper],
                   rounded(seconds(short, exercises=False)), 0 < len(short) < len(core))


def parts(cells):
    """The cells of the core, then those of each Deeper section; the navigation belongs to none."""
    found = [[]]
    for cell in cells:
        if is_deeper(cell):
            found.append([])
        if cell["id"] not in GENERATED:
            found[-1].append(cell)
    return found


def is_deeper(cell):
    """Whether a Deeper section begins with this cell."""
    return cell["cell_type"] == "markdown" and cell["source"].startswith(DEEPER)


def short_path(core):
    """The cells of a core up to the one that ends the short path, or all."""
    ends = [place for place, cell in enumerate(core, start=1) if cell["id"] == SHORT_PATH_ENDS]
    return core[: ends[0] if ends else len(core)]


def seconds(cells, exercises=True):
    """How long these cells take, with or without the code of their exercises."""
    return sum(_prose(cell["source"]) if cell["cell_type"] == "markdown" else _code(cell["source"], exercises)
               for cell in cells)


def _prose(source):
    return len(re.findall(r"\S*\w\S*", SITE_LINE.sub("", source))) / WORDS_A_SECOND + PREDICT * source.count(PREDICTION)


def _code(source, exercises):
    used = calls(source)
    exercise = any(name.startswith("check_") for name, _ in used)
    if exercise and not exercises:
        return 0
    explorer = any(name.startswith("explore_") for name, _ in used)
    asked = sum(_questions(*arguments) for name, arguments in used if name == "quiz")
    return CODE + EXERCISE * exercise + EXPLORE * explorer + ASK * asked


def calls(source):
    """The calls in a code cell by a plain name: the name and the constants among the arguments."""
    tree = ast.parse(TransformerManager().transform_cell(source))
    return [(node.func.id, [value.value for value in node.args if isinstance(value, ast.Constant)])
            for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]


def _questions(name):
    return len(json.loads(QUIZZES.read_text(encoding="utf-8"))[name]["questions"])


def rounded(time):
    """Seconds as minutes, rounded up."""
    return math.ceil(time / 60)
