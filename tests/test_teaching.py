"""TEACHING.md: what it refers to exists, what it quotes stands in the lesson, and its minutes add up."""

import re

import numpy as np
import pytest
from series import LESSONS, PATHS, READ, ROOT, SECTIONS, markdown, outputs

from helpers import exercises, explorers
from tools.minutes import SHORT_PATH, parts, short_path

TEXT = (ROOT / "TEACHING.md").read_text(encoding="utf-8")
CELLS = {(path.stem, cell.id): cell for path in PATHS for cell in READ[path].cells}
REFERENCE = re.compile(r"`(\d\d_\w+): ([a-z0-9-]+)`")
QUOTE = re.compile(r'"([^"]+)"')
NUMBER = re.compile(r"\d+\.\d+")
COLUMNS = ["lesson", "cells", "min"]
LENGTHS = {"Plan A": 100, "First lecture": 90, "Second lecture": 90, "Plan D": 90,
           "Plan C": sum(lesson.minutes.core for lesson in LESSONS.values())}


def rows_of(section):
    """The rows of the table in a section, head and rule included; a row is a list of fields."""
    return [[field.strip() for field in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("|")]


def plans():
    """Name, minutes and table of each plan."""
    for section in re.split(r"^#+ ", TEXT, flags=re.MULTILINE):
        title = re.match(r"(.+?): .*, (\d+) minutes\n", section)
        if title:
            yield title[1], int(title[2]), rows_of(section)


PLANS = list(plans())
ROWS = [pytest.param(name, row, id=f"{name}, {row[0]}, {row[1].count('[')} cells, {place}")
        for name, _, table in PLANS for place, row in enumerate(table[2:])]


def section(heading):
    """What stands below a heading, up to the next one."""
    return re.search(rf"^## {heading}\n(.*?)^## ", TEXT, flags=re.MULTILINE | re.DOTALL)[1]


def named(field):
    """The cells that a field refers to, as (lesson, cell id)."""
    return REFERENCE.findall(field)


def question_above(lesson, cell_id):
    """The markdown in which the question of a cell stands: the cell itself, or the nearest above it."""
    (cells,) = [READ[path].cells for path in PATHS if path.stem == lesson]
    place = [cell.id for cell in cells].index(cell_id)
    return next(cell.source for cell in reversed(cells[: place + 1]) if cell.cell_type == "markdown")


def numbers_of(lesson):
    """The decimal numbers in a lesson's text and in its printed results."""
    (notebook,) = [READ[path] for path in PATHS if path.stem == lesson]
    printed = [output.get("text") or output.get("data", {}).get("text/plain", "") for _, output in outputs(notebook)]
    return set(NUMBER.findall("\n".join([markdown(notebook.cells), *printed])))


def where(which):
    """The cells of the cores, or those of the short path, as (lesson, cell id)."""
    return {(path.stem, cell.id) for path, notebook in READ.items() for cell in which(path, parts(notebook.cells)[0])}


CORE = where(lambda path, core: core)
ON_SHORT_PATH = where(lambda path, core: short_path(core) if path.stem[:2] in SHORT_PATH else [])


def test_every_cell_exists():
    found = REFERENCE.findall(TEXT)
    assert found
    assert [pair for pair in found if pair not in CELLS] == []


def test_every_cell_is_a_link_to_itself():
    linked = re.findall(r"\[`(\d\d_\w+): ([a-z0-9-]+)`\]\(notebooks/\1\.ipynb#cell-id=\2\)", TEXT)
    assert linked == REFERENCE.findall(TEXT)


def test_every_lesson_is_named():
    assert set(re.findall(r"`(\d\d_\w+)", TEXT)) == set(SECTIONS)


# Plans


def test_plans_have_their_lengths():
    assert {name: length for name, length, _ in PLANS} == LENGTHS


@pytest.mark.parametrize(("length", "table"), [plan[1:] for plan in PLANS], ids=[plan[0] for plan in PLANS])
def test_minutes_add_up(length, table):
    head, rule, *rows = table
    assert {len(row) for row in table} == {len(head)}
    assert head[:3] == COLUMNS and head[4].startswith("right") and set("".join(rule)) == {"-"}
    assert sum(int(row[2]) for row in rows) == length


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_a_row_refers_to_its_own_lesson(name, row):
    assert {lesson[:2] for field in row for lesson, _ in named(field)} == {row[0]}


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_a_row_stays_in_the_core(name, row):
    *fields, last = row
    assert named(row[1])
    if name == "Plan C":
        assert set(named("".join(fields))) <= CORE
        assert not set(named(last)) & CORE
    else:
        assert set(named("".join(row))) <= CORE


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_a_question_in_quotation_marks_stands_above_its_cell(name, row):
    quotes = QUOTE.findall(row[3])
    above = [question_above(*cell) for cell in named(row[1])]
    assert quotes
    assert [quote for quote in quotes if not any(quote in source for source in above)] == []


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_numbers_of_a_row_stand_in_its_lesson(name, row):
    assert set(NUMBER.findall(row[3] + row[4])) <= numbers_of(named(row[1])[0][0])


def test_plan_a_is_on_the_short_path():
    (rows,) = [table[2:] for name, _, table in PLANS if name == "Plan A"]
    assert [row[0] for row in rows] == ["00", *SHORT_PATH]
    assert {cell for row in rows[1:] for field in row for cell in named(field)} <= ON_SHORT_PATH
    assert [row[0] for row in rows if len(re.findall(r'\*\*".+?"\*\*', row[3])) != 1] == []
    assert sum(lesson.minutes.short for lesson in LESSONS.values()) <= LENGTHS["Plan A"]


def test_plan_a_on_the_clock():
    (rows,) = [table[2:] for name, _, table in PLANS if name == "Plan A"]
    clock = re.search(r"On the clock: (.*?)\.", TEXT, flags=re.DOTALL)[1]
    begins = {row[0]: sum(int(before[2]) for before in rows[:place]) for place, row in enumerate(rows) if place}
    assert {lesson: int(minute) for lesson, minute in re.findall(r"(\d\d) (?:begins )?at (\d+)", clock)} == begins


def test_self_study_gives_each_lesson_the_minutes_of_its_core():
    (given,) = [{row[0]: int(row[2]) for row in table[2:]} for name, _, table in PLANS if name == "Plan C"]
    assert given == {path.stem[:2]: lesson.minutes.core for path, lesson in LESSONS.items()}


def test_days_of_self_study_hold_every_lesson_once():
    days = re.search(r"Day 1: (.*?)\.", TEXT, flags=re.DOTALL)[1]
    lessons = []
    for first, last in re.findall(r"(?<!\d)(\d\d)(?:–(\d\d))?", days):
        lessons += range(int(first), int(last or first) + 1)
    assert lessons == list(range(len(PATHS)))


# What to listen for, explorers, exercises


def test_numbers_to_listen_for_stand_in_the_lesson():
    rows = rows_of(section("What to listen for"))[2:]
    assert rows
    for heard, so, cells in rows:
        assert set(NUMBER.findall(heard + so)) <= set().union(*(numbers_of(lesson) for lesson, _ in named(cells))), heard


def test_every_explorer_exists():
    found = set(re.findall(r"explore_\w+", TEXT))
    assert found and found <= set(explorers.__all__)


EXPLORERS = [row for row in rows_of(section("On the wall")) if row[0].startswith("`explore_")]


@pytest.mark.parametrize("row", EXPLORERS, ids=[row[0].split("`")[1] for row in EXPLORERS])
def test_an_explorer_stands_in_its_cell_and_starts_as_said(row):
    name = row[0].split("`")[1]
    (cell,) = named(row[0])
    assert f"{name}(" in CELLS[cell].source
    starts = {f"{control.description} {shown(control)}" for control in getattr(explorers, name)().controls.values()}
    assert set(row[1].split(", ")) <= starts


def shown(control):
    """The value of a control as its reader sees it."""
    return getattr(control, "label", None) or str(control.value)


@pytest.mark.parametrize(("wrong", "said"), [
    (lambda Q, K: K @ Q.T, "transpose"),
    (lambda Q, K: Q @ K.T / np.sqrt(Q.shape[1]), "1/√d_k"),
    (lambda Q, K: Q @ K, "3 columns meet 7 rows"),
], ids=["K Qᵀ", "scaled", "not transposed"])
def test_the_check_of_scores_says_what_is_promised(wrong, said, capsys):
    exercises.check_scores(wrong)
    assert said in capsys.readouterr().out


def test_readme_leads_here():
    assert "](TEACHING.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
