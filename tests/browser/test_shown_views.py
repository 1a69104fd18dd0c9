"""Views as a notebook shows them: in the colours of the theme, wrapped, and readable where HTML is not trusted."""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from helpers.style import ROLES, SHADES
from tests.browser.lab import THEMES, Notebook, until

SETUP = 'import sys; sys.path.insert(0, "..")\nfrom helpers.views import Bars, Curves, Matrix, Row\nimport numpy as np'
SHOWN = """
Row(Matrix.weights(np.eye(3), ["one", "two", "three"], caption="a caption that is wider than its small table", highlight=1),
    Matrix([[4.83, -4.83]], caption="a minus makes no cell wider"),
    Bars([1, -2], ["up", "down"], symbol="Q", caption="bars"),
    Curves([1, 2, 3], {"S_scaled": [1, 2, 3]}, caption="a line", x_label="d_k"))
"""
FORMULA = "".join(f"$\\color{{{colour}}}{{Q}}$ " for colour in ROLES.values())
TEXT_COLOURS = """output => [...output.querySelectorAll('caption, tbody th, svg text[fill=currentColor]')]
    .map(element => getComputedStyle(element).color)"""
HEX = "'#' + getComputedStyle(part).color.match(/\\d+/g).map(one => Number(one).toString(16).padStart(2, '0')).join('')"
ROLE_COLOURS = f"parts => parts.map(part => {HEX})"
LEFT_EDGES = "output => [...output.querySelectorAll('.attn-views > div')].map(e => e.getBoundingClientRect().left)"


def write(server, name):
    """A notebook with three views as a file that nobody has trusted; gives its path."""
    cells = [new_code_cell(SETUP, id="setup"), new_code_cell(SHOWN.strip(), id="shown"), new_markdown_cell(FORMULA)]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(new_notebook(cells=cells, metadata=kernel), server.project / "notebooks" / name)
    return f"notebooks/{name}"


def output_of(notebook):
    return notebook.page.locator(".jp-Cell").nth(1).locator(".jp-OutputArea-output")


@pytest.fixture(scope="module")
def notebook(server, window):
    """The notebook, run."""
    with Notebook(window, write(server, f"shown-{window.program}.ipynb")) as opened:
        opened.run_all()
        yield opened


def test_views_follow_the_theme_and_wrap(notebook):
    output = output_of(notebook)
    for theme, colour in zip(THEMES, ("rgba(0, 0, 0, 0.87)", "rgb(255, 255, 255)"), strict=True):
        notebook.theme(theme)
        assert set(output.evaluate(TEXT_COLOURS)) == {colour}
        assert output.locator("figcaption b").evaluate_all(ROLE_COLOURS) == [SHADES[theme]["query"]]
        formulas = notebook.page.locator("mjx-mstyle").evaluate_all(ROLE_COLOURS)
        assert formulas == [SHADES[theme][role] for role in ROLES]
    notebook.theme("light")
    assert len(set(output.evaluate(LEFT_EDGES))) > 1, "side by side"
    with notebook.window.resized(560, 900):
        assert until(notebook.page, lambda: len(set(output.evaluate(LEFT_EDGES))) == 1), "below one another"


def test_a_long_caption_leaves_the_cells_narrow(notebook):
    widths = output_of(notebook).evaluate("output => [...output.querySelectorAll('tbody td')].map(e => e.offsetWidth)")
    assert set(widths) == {42}
    assert output_of(notebook).locator("tbody th").first.evaluate("e => e.offsetWidth") < 70


def test_where_html_is_not_trusted_a_drawing_shows_its_text(server, notebook):
    """A lesson of which some cells were run, saved and opened again."""
    notebook.command("docmanager:save")
    path = server.project / notebook.path
    content = json.loads(path.read_text())
    content["cells"][0]["source"] = "changed = True  # by somebody else: the signature is no longer right"
    path.write_text(json.dumps(content))
    notebook.page.reload()
    notebook.wait_until_open()
    output = output_of(notebook)
    output.locator("table").first.wait_for()
    assert output.locator("svg, style").count() == 0
    assert not output.locator(".attn-drawn").first.is_visible()
    assert output.locator("pre.attn-text").all_inner_texts()[0].startswith("Q: bars")
    assert output.locator("pre.attn-text").last.is_visible() and output.locator("td").last.is_visible()
