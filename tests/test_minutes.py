"""The minutes of a lesson and where they are written, with a made notebook."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from series import LESSONS, ROOT

from tools import maps
from tools.maps import (
    SITE,
    deeper_heading,
    lesson_map,
    read_lesson,
    readme_with_map,
    set_map,
    set_minutes,
    set_site_line,
    site_line,
)
from tools.minutes import Minutes, calls, minutes, seconds

WORDS = "word " * 180  # one minute


def text(source, name="text"):
    return new_markdown_cell(source, id=name)


def code(source, name="code"):
    return new_code_cell(source, id=name)


# The rule


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (text(WORDS), 60),
        (text("one | two · three, *four* − $x^2$"), 5 / 3),
        (text(f"{WORDS} **Before you run it:**"), 60 + 4 / 3 + 36),
        (code("x = 1"), 24),
        (code("%time x = 1"), 24),
        (code("from helpers.exercises import check_mask\ncheck_mask(mask)"), 24 + 180),
        (code("from helpers.exercises import check_mask"), 24),
        (code("explore_mask(words, scale=1)  # or explore_mask()"), 24 + 120),
        (code("x = 1  # then explore_mask()"), 24),
        (code("quiz('review')"), 24 + 9 * 60),
    ],
)
def test_seconds_of_one_cell(cell, expected):
    assert seconds([cell]) == pytest.approx(expected)


def test_an_exercise_takes_no_time_on_the_short_path():
    assert seconds([code("check_mask(mask)"), code("1")], exercises=False) == 24


def test_calls_have_their_constants():
    assert calls("f(1, x, 'a'); y.g(2)") == [("f", [1, "a"])]


def lesson(*ends):
    """A title of 12 words, a core of 2 minutes with the exercise, two Deeper sections, the navigation."""
    return new_notebook(cells=[
        text("# 03 · Scores\n\n*0 minutes · document §7, §8*\n\nWhat you can do after it.", "title"),
        text("word " * 150, "half"), *ends, code("check_scores(scores)", "exercise"), text("## Recap", "recap"),
        text("## Deeper: one more (§7, 0 minutes)\n\nwords", "one"), code("1"), text(WORDS, "after"),
        text("## Deeper: another (0 minutes)", "two"), text(WORDS, "navigation")])


END = text("On the short path? Go on.", "short-path-ends")


@pytest.mark.parametrize(
    ("notebook", "number", "expected"),
    [
        (lesson(), "03", Minutes(5, [2, 1], 1, False)),
        (lesson(END), "03", Minutes(5, [2, 1], 1, True)),
        (lesson(), "10", Minutes(5, [2, 1], 0, False)),
    ],
    ids=["whole core", "first part", "off the short path"],
)
def test_minutes_of_a_lesson(notebook, number, expected):
    assert minutes(notebook.cells, number) == expected


def test_short_path_ends_where_the_cell_says():
    early, late = lesson(END), lesson()
    early.cells.insert(3, text(WORDS * 5, "long"))
    late.cells.insert(3, text(WORDS * 5, "long"))
    assert (minutes(early.cells, "03").short, minutes(late.cells, "03").short) == (1, 6)


# Where they are written


@pytest.fixture
def path(tmp_path):
    return tmp_path / "03_scores.ipynb"


def test_title_and_headings_are_written_once_and_for_all(path):
    notebook = lesson()
    set_minutes(notebook, read_lesson(path, notebook))
    assert notebook.cells[0].source.splitlines()[2] == "*5 minutes, Deeper 3 more · document §7, §8*"
    assert [cell.source.splitlines()[0] for cell in notebook.cells if "Deeper" in cell.source][1:] == [
        "## Deeper: one more (§7, 2 minutes)", "## Deeper: another (1 minute)"]
    before = [cell.source for cell in notebook.cells]
    again = read_lesson(path, notebook)
    set_minutes(notebook, again)
    assert [cell.source for cell in notebook.cells] == before
    assert again.minutes == Minutes(5, [2, 1], 1, False)


def test_links_to_the_site_stand_below_the_minutes_and_take_none(path):
    notebook = lesson()
    before = read_lesson(path, notebook)
    for _ in range(2):
        set_minutes(notebook, before)
        set_site_line(notebook, site_line(before))
    assert notebook.cells[0].source.splitlines()[2:6] == [
        "*5 minutes, Deeper 3 more · document §7, §8*", "",
        f"[This lesson with moving sliders]({SITE}/lessons/03_scores.html) · "
        f"[run it in your browser]({SITE}/python/notebooks/index.html?path=notebooks/03_scores.ipynb)", ""]
    assert notebook.cells[0].source.count(SITE) == 2
    assert read_lesson(path, notebook).minutes == before.minutes


def test_title_without_deeper(path):
    notebook = lesson()
    notebook.cells = notebook.cells[:4]
    set_minutes(notebook, read_lesson(path, notebook))
    assert notebook.cells[0].source.splitlines()[2] == "*5 minutes · document §7, §8*"


@pytest.mark.parametrize(
    ("heading", "written"),
    [
        ("## Deeper: a (§8, 0 minutes)", "## Deeper: a (§8, 7 minutes)"),
        ("## Deeper: a (§8, §9, 12 minutes)\n\nText (§8).", "## Deeper: a (§8, §9, 7 minutes)\n\nText (§8)."),
        ("## Deeper: a (1 minute)", "## Deeper: a (7 minutes)"),
        ("## Deeper: a (§8)", "## Deeper: a (§8, 7 minutes)"),
        ("## Deeper: f(x) and g(y)\n", "## Deeper: f(x) and g(y) (7 minutes)\n"),
        ("## Deeper: f(x) (§3–5, 2 minutes)", "## Deeper: f(x) (§3–5, 7 minutes)"),
    ],
)
def test_deeper_headings(heading, written):
    assert deeper_heading(heading, 7) == written


@pytest.mark.parametrize(
    "title",
    ["# 03 Scores\n\n*0 minutes · document §7*", "# 03 · Scores\n\n*0 minutes*", "## 03 · S\n\n*0 minutes · document §7*"])
def test_a_title_of_another_form_is_named(path, title):
    with pytest.raises(ValueError, match=r"03_scores\.ipynb: the first cell needs"):
        read_lesson(path, new_notebook(cells=[text(title)]))


def test_a_cell_that_is_no_python_is_named(path):
    notebook = lesson()
    notebook.cells.insert(1, code("x = ", "wrong"))
    with pytest.raises(ValueError, match=r"03_scores\.ipynb: a cell is not Python"):
        read_lesson(path, notebook)


TABLE = """\
| lesson | minutes | Deeper | short path | document |
|---|---|---|---|---|
| [00 Start](00_start_here.ipynb) | 8 |  |  | §0 |
| [03 Scores](03_scores.ipynb) | 12 | 5 | 9, first part | §7 |
| [04 Scale](04_scale.ipynb) | 20 | 4 | 11 | §8, §9 |
| all | 40 | 9 | 20 |  |

The **short path** goes through lessons 01 to 09 in 20 minutes, exercises not counted. Where it takes only the first part \
of a lesson, the lesson says where to leave."""


@pytest.fixture
def lessons(tmp_path):
    return [maps.Lesson(tmp_path / "00_start_here.ipynb", "00 Start", "§0", Minutes(8, [], 0, False)),
            maps.Lesson(tmp_path / "03_scores.ipynb", "03 Scores", "§7", Minutes(12, [3, 2], 9, True)),
            maps.Lesson(tmp_path / "04_scale.ipynb", "04 Scale", "§8, §9", Minutes(20, [4], 11, False))]


def test_map_of_lessons(lessons):
    assert lesson_map(lessons) == TABLE
    notebook = new_notebook(cells=[text("old", "map"), text("stays", "other")])
    set_map(notebook, lessons)
    assert [cell.source for cell in notebook.cells] == [f"## Map of the lessons\n\n{TABLE}", "stays"]


def test_map_in_the_readme(lessons):
    old = f"before\n{maps.README_START}\nold\n{maps.README_END}\nafter\n"
    new = readme_with_map(old, lessons)
    table = TABLE.replace("](", "](notebooks/")
    assert new == f"before\n{maps.README_START}\n\n{table}\n\n{maps.README_END}\nafter\n"
    assert readme_with_map(new, lessons) == new


def test_the_readme_links_to_the_site_wherever_that_is(monkeypatch):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme.index("](") == readme.index(f"]({SITE}/)"), "its first link"
    monkeypatch.setattr(maps, "SITE", "https://example.org")
    moved = readme_with_map(readme, list(LESSONS.values()))
    assert "[Read the lessons with moving sliders](https://example.org/)" in moved and f"{SITE}/)" not in moved
