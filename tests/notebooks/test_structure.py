"""How a lesson is built: title, setup, core, recap, Deeper, navigation."""

import ast
import re

import pytest
from nbformat.v4 import new_markdown_cell
from series import LESSONS, PATHS, SECTIONS, code_cells, headings, markdown, parsed, sections

from tools.maps import navigation
from tools.minutes import DEEPER, SHORT_PATH, SHORT_PATH_ENDS, calls, is_deeper, parts

FORBIDDEN = {"plt", "pyplot", "interact", "interactive_output", "Output"}
NO_EXERCISE = {"00_start_here"}


def core(notebook):
    """The cells up to the recap."""
    return parts(notebook.cells)[0]


def names(source):
    """Every name that the code of a cell uses or imports."""
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield from node.name.split(".")
        elif isinstance(node, ast.ImportFrom):
            yield from (node.module or "").split(".")


def called(cells, prefix):
    """The functions with this prefix that the code cells call."""
    return [name for cell in code_cells(cells) for name, _ in calls(cell.source) if name.startswith(prefix)]


def test_sections_are_read():
    assert sections("## Scale (§8)") == {8}
    assert sections("§1, §3–5 and §§7, 9") == {1, 3, 4, 5, 7, 9}


# The order


def test_first_cell(path, notebook):
    cell = notebook.cells[0]
    assert cell.cell_type == "markdown"
    assert re.match(rf"# {path.stem[:2]} · \S", cell.source)
    assert sections(cell.source) == SECTIONS[path.stem]
    assert len(headings(notebook.cells, 1)) == 1


def test_setup_comes_first(notebook):
    cell = code_cells(notebook.cells)[0]
    assert cell.id == "setup"
    assert cell.source.startswith('import sys; sys.path.insert(0, "..")\n')
    assert "from helpers import style; style.use()" in cell.source


def disorder(cells):
    """What is wrong with the order core, recap, Deeper, navigation."""
    ids = [cell.id for cell in cells]
    if ids.count("recap") != 1 or not cells[ids.index("recap")].source.startswith("## Recap\n"):
        return ["one cell has the id recap and begins with '## Recap'"]
    if ids[-1] != "navigation":
        return ["the last cell has the id navigation"]
    end = ids.index("recap") + 1
    after = cells[end:-1]
    faults = [f"{cell.id}: Deeper, before the recap" for cell in cells[:end] if DEEPER in cell.source]
    faults += [f"{cell.id}: right after the recap, but not Deeper" for cell in after[:1] if not is_deeper(cell)]
    faults += [f"after the recap: {line!r} is not Deeper" for line in headings(after, 2) if not line.startswith(DEEPER)]
    faults += [f"{cell.id}: a Deeper heading that does not begin its cell" for cell in after if f"\n{DEEPER}" in cell.source]
    return faults


def test_core_recap_deeper_navigation(path, notebook):
    assert disorder(notebook.cells) == [], path.stem


RECAP = ("recap", "## Recap\n\n- one")
ONE, END = ("one", "## Deeper: one (§1, 1 minute)"), ("navigation", "←")


@pytest.mark.parametrize(
    ("cells", "fault"),
    [
        ([RECAP, END], None),
        ([("a", "## A"), RECAP, ONE, ("more", "### More"), END], None),
        ([("a", "## A"), END], "id recap"),
        ([("recap", "## The end\n"), END], "id recap"),
        ([RECAP, ONE], "last cell"),
        ([ONE, RECAP, END], "one: Deeper, before the recap"),
        ([RECAP, ("more", "More."), ONE, END], "more: right after"),
        ([RECAP, ONE, ("b", "## B"), END], "'## B' is not Deeper"),
        ([RECAP, ONE, ("b", "Text.\n\n## Deeper: b"), END], "b: a Deeper heading"),
    ],
)
def test_disorder_is_found(cells, fault):
    found = disorder([new_markdown_cell(source, id=name) for name, source in cells])
    assert [fault in words for words in found] == ([True] if fault else [])


def test_navigation_is_current(path, notebook):
    assert notebook.cells[-1].source == navigation(LESSONS[path], list(LESSONS.values()))


def test_short_path_leads_to_the_next_lesson(path, notebook):
    for cell in notebook.cells:
        if cell.id == SHORT_PATH_ENDS:
            assert path.stem[:2] in SHORT_PATH
            assert cell in core(notebook)
            after = LESSONS[PATHS[PATHS.index(path) + 1]]
            assert f"[{after.title}]({after.path.name})" in cell.source, f"{path.stem}: expected {after.title!r}"


# What a core holds


def test_the_core_follows_the_document(path, notebook):
    missing = SECTIONS[path.stem] - sections("\n".join(headings(core(notebook), 2)))
    assert missing == set(), f"{path.stem}: no '## ' heading of the core names these sections"


def test_the_core_has_an_exercise(path, notebook):
    assert path.stem in NO_EXERCISE or called(core(notebook), "check_"), path.stem


def test_the_core_has_an_explorer_or_a_quiz(path, notebook):
    assert called(core(notebook), "explore_") or called(core(notebook), "quiz"), path.stem


def test_recap_says_what_was_not_shown(path, notebook):
    (recap,) = [cell for cell in notebook.cells if cell.id == "recap"]
    assert "**Not shown here:**" in recap.source, path.stem
    assert "*Check yourself:*" in recap.source, path.stem


def test_only_views_and_explorers_draw(notebook):
    for cell in code_cells(notebook.cells):
        assert FORBIDDEN.isdisjoint(names(cell.source)), cell.id


def test_links_lead_somewhere(path, notebook):
    targets = re.findall(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"", markdown(notebook.cells))
    for target in ("".join(pair).split("#")[0] for pair in targets):
        if target and not re.match(r"https?://", target):
            assert (path.parent / target).exists(), target


def test_every_column_of_a_table_has_a_name(notebook):
    tables = re.findall(r"^(\|.*\|)\n\|[-:| ]+\|$", markdown(notebook.cells), re.M)
    assert [head for head in tables if re.search(r"\|\s*\|", head)] == []
