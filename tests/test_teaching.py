"""TEACHING.md: what it refers to exists, and its minutes add up."""

import re

import pytest
from series import PATHS, READ, ROOT, SECTIONS

from helpers import explorers

TEXT = (ROOT / "TEACHING.md").read_text(encoding="utf-8")
CELLS = {path.stem: [cell.id for cell in READ[path].cells] for path in PATHS}
REFERENCE = re.compile(r"`(\d\d_\w+): ([a-z0-9-]+)`")
LENGTHS = {"Plan A": 50, "First lecture": 90, "Second lecture": 90, "Plan C": 420}


def plans():
    """Name, minutes and table of each plan; a table is a list of rows, a row a list of fields."""
    for section in re.split(r"^#+ ", TEXT, flags=re.MULTILINE):
        heading, *lines = section.splitlines() or [""]
        title = re.fullmatch(r"(.+?): .*, (\d+) minutes", heading)
        if title:
            table = [[field.strip() for field in line.strip("|").split("|")] for line in lines if line.startswith("|")]
            yield title[1], int(title[2]), table


PLANS = list(plans())


def test_every_cell_exists():
    found = REFERENCE.findall(TEXT)
    assert found
    assert [pair for pair in found if pair[1] not in CELLS.get(pair[0], [])] == []


def test_every_cell_is_a_link_to_itself():
    linked = re.findall(r"\[`(\d\d_\w+): ([a-z0-9-]+)`\]\(notebooks/\1\.ipynb#cell-id=\2\)", TEXT)
    assert linked == REFERENCE.findall(TEXT)


def test_every_lesson_is_named():
    named = set(re.findall(r"`(\d\d_\w+)", TEXT))
    assert named == set(SECTIONS)


def test_every_explorer_exists():
    named = set(re.findall(r"explore_\w+", TEXT))
    assert named and named <= set(explorers.__all__)


def test_an_explorer_stands_in_the_cell_it_is_said_to_stand_in():
    pairs = re.findall(r"`(explore_\w+)` in \[`(\d\d_\w+): ([a-z0-9-]+)`", TEXT)
    sources = {(path.stem, cell.id): cell.source for path in PATHS for cell in READ[path].cells}
    assert pairs
    assert [pair for pair in pairs if f"{pair[0]}(" not in sources[pair[1:]]] == []


def test_plans_have_their_lengths():
    assert {name: length for name, length, _ in PLANS} == LENGTHS


@pytest.mark.parametrize(("length", "table"), [plan[1:] for plan in PLANS], ids=[plan[0] for plan in PLANS])
def test_minutes_add_up(length, table):
    head, rule, *rows = table
    assert {len(row) for row in table} == {6}
    assert head[2] == "min" and set("".join(rule)) == {"-"}
    assert sum(int(row[2]) for row in rows) == length


def test_self_study_gives_each_lesson_at_least_its_own_minutes():
    (given,) = [{row[0]: int(row[2]) for row in table[2:]} for name, _, table in PLANS if name == "Plan C"]
    own = {path.stem[:2]: int(re.search(r"(\d+) minutes", READ[path].cells[0].source)[1]) for path in PATHS}
    assert set(given) == {stem[:2] for stem in SECTIONS}
    assert {lesson: minutes for lesson, minutes in own.items() if given[lesson] < minutes} == {}


def test_rows_of_a_plan_refer_to_their_own_lesson():
    for name, _, table in PLANS:
        for row in table[2:]:
            lessons = {lesson[:2] for field in row for lesson, _ in REFERENCE.findall(field)}
            assert lessons <= {row[0]}, f"{name}: {row[0]} refers to {lessons}"


def test_readme_leads_here():
    assert "](TEACHING.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
