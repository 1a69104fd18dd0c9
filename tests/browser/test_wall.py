"""Explorers on the wall: JupyterLab at 1280 × 720 in presentation mode, and at a zoom of 150 %."""

import itertools

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from helpers import explorers
from helpers.interactive import values
from tests.browser.lab import Notebook, controls

SETUP = "import sys; sys.path.insert(0, '..')\nfrom helpers.explorers import *\nfrom helpers.views import *"
STATIC = ("Row(*[Matrix.weights([[1 / 9] * 9] * 9, ['creature'] * 9, ['creature'] * 9, caption=name) for name in 'ab'],\n"
          "    Curves([1, 2], {'a long name': [1, 2]}, caption='a curve', width=460))")
WALL, ZOOMED = (1280, 720), (853, 480)    # the second is the first at 150 %
SCREEN = 599
# The height of each picture, put where the explorer shows its own.
HEIGHTS = """(root, pictures) => {
  const place = root.querySelector('.attn-views').parentElement, before = place.innerHTML;
  const heights = pictures.map(picture => { place.innerHTML = picture; return place.getBoundingClientRect().height; });
  place.innerHTML = before;
  return heights;
}"""
ROOM = "root => root.querySelector('.attn-room')?.getBoundingClientRect().height"
ABOVE = """root => root.querySelector('.attn-views').getBoundingClientRect().top
  - root.querySelector('.attn-title').parentElement.getBoundingClientRect().bottom"""
SCROLLER = ".jp-WindowedPanel-outer:visible"


def write(server, name, sources):
    """A notebook with these cells beside the lessons; gives its path."""
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    cells = [new_code_cell(source) for source in (SETUP, *sources)]
    nbformat.write(new_notebook(cells=cells, metadata=kernel), server.project / "notebooks" / name)
    return f"notebooks/{name}"


@pytest.fixture
def on_the_wall(server, lab):
    """A function that opens and runs a notebook with these cells in presentation mode."""
    opened = []

    def show(*sources, size=WALL):
        sized = lab.resized(*size)
        sized.__enter__()
        notebook = Notebook(lab, write(server, "wall.ipynb", sources))
        notebook.command("application:toggle-presentation-mode")
        opened.append((sized, notebook))
        notebook.page.set_default_timeout(120_000)
        notebook.run_all()
        notebook.page.set_default_timeout(20_000)
        return notebook

    yield show
    for sized, notebook in opened:
        notebook.command("application:toggle-presentation-mode")
        notebook.__exit__()
        sized.__exit__(None, None, None)


def corners(explorer):
    """The states in which each control stands at its first or last value, and the first state."""
    ends = [(offered[0], offered[-1]) for offered in map(values, explorer.controls.values())]
    return [explorer.default, *(dict(zip(explorer.controls, state, strict=True)) for state in itertools.product(*ends))]


def most_above(box):
    """The height of the controls, the largest while each of them walks through its values."""
    heights = [box.evaluate(ABOVE)]
    for control in controls(box):
        if control.kind != "play":
            before = control.value()
            heights += [box.evaluate(ABOVE) for _ in control.walk()]
            control.set(before)
    return max(heights)


def check(box, explorer, states, above):
    """These states fit on the screen and into the place that is kept free."""
    heights = []
    for start in range(0, len(states), 100):
        heights += box.evaluate(HEIGHTS, [explorer.html(**state) for state in states[start:start + 100]])
    room = box.evaluate(ROOM) or heights[0]
    assert above + max(heights) <= SCREEN, explorer.caption
    assert max(heights) <= room + 0.5, f"{explorer.caption}: {states[heights.index(max(heights))]} needs more room"


def screen_of(notebook):
    """The height of what is seen of a notebook."""
    return notebook.page.locator(SCROLLER).first.evaluate("panel => panel.clientHeight")


def test_an_explorer_of_many_views_fits_on_the_wall_and_nothing_jumps(on_the_wall):
    notebook, explorer = on_the_wall("explore_single_head()"), explorers.explore_single_head()
    box, = notebook.explorers()
    assert screen_of(notebook) == SCREEN
    check(box, explorer, corners(explorer), box.evaluate(ABOVE))


@pytest.mark.slow
def test_every_explorer_fits_on_the_wall_in_every_state_and_nothing_jumps(on_the_wall):
    notebook = on_the_wall(*(f"{name}()" for name in explorers.__all__))
    for name, box in zip(explorers.__all__, notebook.explorers(), strict=True):
        explorer = getattr(explorers, name)()
        check(box, explorer, list(explorer.states()), most_above(box))
    assert notebook.problems == []


def test_words_have_the_size_of_the_page_and_controls_stay_in_view(on_the_wall):
    notebook = on_the_wall("explore_heads()", STATIC, size=ZOOMED)
    box, = notebook.explorers()
    size = "(box, part) => parseFloat(getComputedStyle(box.querySelector(part)).fontSize)"
    assert box.evaluate(size, ".attn-note") == 17
    assert 13 <= box.evaluate(size, ".attn-matrix tbody td") <= box.evaluate(size, ".widget-label") <= 17
    check_sticky(box, notebook.page.locator(SCROLLER).first)
    check_stacked(notebook)
    notebook.command("application:toggle-presentation-mode")
    assert box.evaluate(size, ".attn-note") == 14
    notebook.command("application:toggle-presentation-mode")


def check_sticky(box, scroller):
    """With the end of the views on the screen the controls still stand at its top."""
    box.locator(".attn-views > div").last.evaluate("last => last.scrollIntoView({block: 'end'})")
    top = scroller.bounding_box()["y"]
    for control in box.locator(".attn-controls > *").all():
        place = control.bounding_box()
        assert top <= place["y"] < top + 150
        assert control.evaluate("""(control, {x, y, width, height}) =>
            control.contains(document.elementFromPoint(x + width / 2, y + height / 2))""", place)


def check_stacked(notebook):
    """What does not fit side by side stands below, in its own size."""
    views = notebook.page.locator(".jp-OutputArea-output .attn-views:not(.attn *) > div")
    places = [view.bounding_box() for view in views.all()]
    assert len(places) == 3
    assert all(below["y"] >= above["y"] + above["height"] for above, below in itertools.pairwise(places))
    assert views.last.locator("svg").evaluate("svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width") > 0.999
