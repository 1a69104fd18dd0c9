"""interactive.py: a pure function over a finite grid becomes a live widget, a picture and a text."""

import base64
import gc
import io
import itertools
import re
import subprocess
import sys
from pathlib import Path

import ipywidgets as widgets
import nbformat
import numpy as np
import pytest
from ipywidgets.widgets import widget as registry
from jupyter_server.services.contents.filemanager import FileContentsManager
from matplotlib.image import imread
from nbformat.v4 import new_code_cell, new_notebook, new_output
from traitlets.config import PyFileConfigLoader

from helpers.frame import frame
from helpers.interactive import STILL, WIDGET, Explorer, Failed, values
from helpers.views import Bars, Matrix, Note, Row
from helpers.views.view import PICTURES

pytestmark = pytest.mark.filterwarnings("error")
ROOT = Path(__file__).parents[1]


def grid():
    return {
        "row": widgets.IntSlider(min=0, max=4, step=2, value=2, description="row"),
        "size": widgets.SelectionSlider(options=[("one", 1), ("three", 3)], value=3, description="size"),
        "kind": widgets.ToggleButtons(options=["scores", "vectors"], description="kind"),
        "mask": widgets.Dropdown(options=[("none", None), ("causal", "c")], value="c", description="mask"),
        "scaled": widgets.Checkbox(value=True, description="scaled"),
        "step": widgets.Play(min=1, max=3, value=1),
    }


def render(row, size, kind, mask, scaled, step):
    values = np.full((2, size), row + step / (10 if scaled else 100))
    return [Matrix(values, kind=kind, caption=f"{kind}, mask {mask}"), Bars([step], caption="step")]


def explorer(controls=None, function=render):
    return Explorer(grid() if controls is None else controls, function, "What if <this> & that?")


def fragile(row):
    if row == 2:
        raise ZeroDivisionError("row <2> is forbidden")
    return [Matrix([[row]], caption="a row")]


def fragile_explorer(value):
    return Explorer({"row": widgets.IntSlider(min=0, max=3, value=value, description="row")}, fragile, "Which row?")


def output(explorer):
    return explorer.widget().children[-1].value


@pytest.fixture
def png(monkeypatch):
    """Pictures as the files hold them."""
    monkeypatch.setenv(PICTURES, "png")


def picture(data):
    return imread(io.BytesIO(base64.b64decode(data["image/png"])))


def test_states_are_the_product_in_order():
    expected = itertools.product([0, 2, 4], [1, 3], ["scores", "vectors"], [None, "c"], [False, True], [1, 2, 3])
    states = list(explorer().states())
    assert [tuple(state.values()) for state in states] == list(expected)
    assert all(list(state) == list(grid()) for state in states)
    assert explorer().default == {"row": 2, "size": 3, "kind": "scores", "mask": "c", "scaled": True, "step": 1}
    assert explorer().default in states


def test_states_leave_the_controls_alone():
    one = explorer()
    list(one.states())
    for state in itertools.islice(one.states(), 5):
        one.html(**state)
    assert {name: control.value for name, control in one.controls.items()} == one.default


@pytest.mark.parametrize(
    "control",
    [
        widgets.FloatSlider(description="x"),
        widgets.Text(description="x"),
        widgets.IntText(description="x"),
        widgets.SelectMultiple(options=[1], description="x"),
        widgets.Button(description="x"),
    ],
    ids=lambda control: type(control).__name__,
)
def test_a_control_without_finite_values_is_named(control):
    with pytest.raises(TypeError, match=f"Explorer: {type(control).__name__} has no finite list of values"):
        Explorer({"x": control}, render, "")


@pytest.mark.parametrize(
    "control",
    [
        widgets.IntSlider(max=2),
        widgets.Checkbox(),
        widgets.Dropdown(options=[1]),
        widgets.ToggleButtons(options=[1]),
    ],
    ids=lambda control: type(control).__name__,
)
def test_a_control_needs_a_label(control):
    with pytest.raises(ValueError, match="Explorer: control 'x' has no description"):
        Explorer({"x": control}, render, "")


@pytest.mark.parametrize(
    "control",
    [
        widgets.IntSlider(min=0, max=10, step=3, value=5, description="x"),
        widgets.ToggleButtons(options=[1, 2], value=None, description="x"),
    ],
    ids=["between the steps", "nothing chosen"],
)
def test_a_control_stands_at_one_of_its_values(control):
    with pytest.raises(ValueError, match=f"control 'x' stands at {control.value}, expected one of "):
        Explorer({"x": control}, render, "")


@pytest.mark.parametrize(
    ("control", "expected"),
    [
        (widgets.Dropdown(options={"one": 1, "two": 2}), [1, 2]),
        (widgets.Dropdown(options=[("one", 1)]), [1]),
        (widgets.ToggleButtons(options=["a", "b"]), ["a", "b"]),
        (widgets.SelectionSlider(options=[0.5, 1.5]), [0.5, 1.5]),
        (widgets.IntSlider(min=-1, max=1), [-1, 0, 1]),
        (widgets.Play(min=0, max=4, step=2), [0, 2, 4]),
        (widgets.Checkbox(), [False, True]),
    ],
)
def test_values_of_a_control(control, expected):
    assert values(control) == expected


def test_the_live_bundle_holds_widget_html_and_text():
    one = explorer()
    data, metadata = one._repr_mimebundle_()
    assert set(data) == {WIDGET, "text/html", "text/plain"} and metadata == {}
    assert all(view.html() in data["text/html"] for view in one.views(**one.default))
    assert '<div class="attn-title">What if &lt;this&gt; &amp; that?</div>' in data["text/html"]
    assert STILL in data["text/html"] and STILL not in one.html(**one.default)


def test_the_bundle_of_the_files_holds_widget_picture_and_text(png):
    one = explorer()
    data, metadata = one._repr_mimebundle_(include=None, exclude=None)
    assert set(data) == {WIDGET, "image/png", "text/plain"}
    assert data[WIDGET]["model_id"] == one.widget().model_id
    texts = [view.text() for view in one.views(**one.default)]
    assert data["text/plain"] == "\n\n".join(["What if <this> & that?", *texts])
    assert "2.10" in data["text/plain"] and "mask c" in data["text/plain"]
    assert metadata["image/png"]["alt"] == "What if <this> & that?"
    height, width = picture(data).shape[:2]
    assert (metadata["image/png"]["width"], metadata["image/png"]["height"]) == (width // 2, height // 2)


def test_the_bundle_shows_the_default_even_after_a_move(png):
    one = explorer()
    before = one._repr_mimebundle_()[0]
    one.widget()
    one.controls["row"].value = 4
    after = one._repr_mimebundle_()[0]
    assert (after["text/plain"], after["image/png"]) == (before["text/plain"], before["image/png"])


def test_shown_twice_no_further_models_are_made():
    one = explorer()
    one._repr_mimebundle_()
    gc.collect()
    models = len(registry._instances)
    first, second = (one._repr_mimebundle_()[0][WIDGET] for _ in range(2))
    assert first == second
    assert len(registry._instances) == models


def test_the_caption_is_shown_and_escaped():
    head = explorer().widget().children[0].value
    assert '<div class="attn-title">What if &lt;this&gt; &amp; that?</div>' in head
    assert '<div class="attn-title">W<sub>Q</sub>?</div>' in frame("W_Q?").children[0].value


@pytest.mark.parametrize("name", grid())
def test_every_control_moves_the_live_view(name):
    one = explorer()
    for value in values(one.controls[name]):
        state = one.default | {name: value}
        one.widget()
        one.controls[name].value = value
        assert output(one) == one.html(**state)
    shown = {one.html(**one.default | {name: value}) for value in values(one.controls[name])}
    assert len(shown) == len(values(one.controls[name]))


def played(**options):
    controls = {"kind": widgets.Checkbox(description="kind"),
                "step": widgets.IntSlider(min=1, max=7, step=2, value=3, description="step")}
    return Explorer(controls, lambda kind, step: [Note(f"{kind} {step}")], "Which step?", **options)


def test_play_and_its_slider_move_together():
    one = played(play="step")
    checkbox, play, slider = one.widget().children[1].children
    assert [checkbox, slider] == list(one.controls.values())
    assert (play.min, play.max, play.step, play.value) == (1, 7, 2, 3)
    play.value = 5
    assert slider.value == 5 and "False 5" in output(one)
    slider.value = 1
    assert play.value == 1 and "False 1" in output(one)


def test_play_adds_no_state():
    assert list(played(play="step").states()) == list(played().states())
    assert not any(isinstance(control, widgets.Play) for control in played().widget().children[1].children)


@pytest.mark.parametrize("name", ["kind", "speed"])
def test_play_needs_a_slider(name):
    with pytest.raises(ValueError, match=f"play needs the name of an IntSlider among the controls, got '{name}'"):
        played(play=name)


def largest(**state):
    return Explorer(grid(), render, "What needs most room?", largest=state)


def test_a_place_is_kept_for_the_largest_state():
    one, state = largest(row=4, kind="vectors"), {"row": 4, "kind": "vectors"}
    _, _, place, shown = one.widget().children
    room = one.html(**{**one.default, **state}).replace("attn-views", "attn-room", 1)
    assert place.value == one.room_html() == room
    assert "attn-place" in place._dom_classes and "attn-room" not in shown.value
    one.controls["row"].value = 0
    assert place.value == room
    assert largest().largest == one.default
    assert explorer().room_html() == "" and len(explorer().widget().children) == 3


@pytest.mark.parametrize("state", [{"row": 3}, {"speed": 1}])
def test_the_largest_state_must_be_one_of_the_explorer(state):
    with pytest.raises(ValueError, match=r"largest needs values of the controls .*, got '(row' at 3|speed' at 1)"):
        largest(**state)


def test_only_a_change_renders():
    calls = []

    def counted(x):
        calls.append(x)
        return [Note(str(x))]

    one = Explorer({"x": widgets.IntSlider(max=3, description="x")}, counted, "")
    assert calls == []
    one.widget()
    one.controls["x"].value = 2
    one.controls["x"].value = 2
    assert calls == [0, 2]


def test_html_of_a_state_holds_each_view_once():
    one = explorer()
    page = one.html(**one.default)
    assert page == f'<div class="attn-views">{"".join(f"<div>{v.html()}</div>" for v in one.views(**one.default))}</div>'
    assert (page.count("<table"), page.count("<svg")) == (1, 1)


def test_a_failure_shows_in_place_and_the_next_change_recovers():
    one = fragile_explorer(1)
    healthy = output(one)
    one.controls["row"].value = 2
    alert = '<p class="attn-failed" role="alert">ZeroDivisionError: row &lt;2&gt; is forbidden</p>'
    assert alert in output(one)
    one.controls["row"].value = 3
    assert "3.00" in output(one) and "attn-failed" not in output(one)
    one.controls["row"].value = 1
    assert output(one) == healthy


def test_a_failure_of_the_default_shows_in_picture_and_text(png):
    one = fragile_explorer(2)
    data, _ = one._repr_mimebundle_()
    assert data["text/plain"] == "Which row?\n\nZeroDivisionError: row <2> is forbidden"
    assert (picture(data)[..., :3] < 0.5).any()
    one.controls["row"].value = 3
    assert "3.00" in output(one)


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (None, "TypeError"),
        ([], "TypeError: render must return a list of views, got"),
        (["text"], "TypeError: render must return"),
        (Note("alone"), "TypeError"),
        ([Note("good"), None], "TypeError: render must return"),
        (Row(Note("a row")), "TypeError: render must return a list of views, got"),
        ([Note("good"), Row(Note("a row"))], "TypeError: render must return a list of views, got"),
        ({Note("a set")}, "TypeError: render must return a list of views, got"),
    ],
    ids=["nothing", "empty", "a text", "a view alone", "None among views", "a row", "a row among views", "a set"],
)
def test_a_render_without_views_fails_in_place(result, message):
    one = Explorer({"x": widgets.Checkbox(description="x")}, lambda x: result, "")
    assert message in one._repr_mimebundle_()[0]["text/plain"]
    assert 'role="alert"' in output(one)


class Unpaintable(Note):
    """A view that is fine until it is painted."""

    def html(self):
        raise ZeroDivisionError("no <room>")

    def draw(self, ax):
        self.html()


def test_a_view_that_cannot_be_painted_fails_in_place_and_the_next_change_recovers(png):
    one = Explorer({"x": widgets.IntSlider(max=2, value=1, description="x")},
                   lambda x: [Note("beside"), (Unpaintable if x == 1 else Note)(f"x is {x}")], "Which x?")
    data, metadata = one._repr_mimebundle_()
    assert data["text/plain"] == "Which x?\n\nZeroDivisionError: no <room>"
    assert metadata["image/png"]["alt"] == "Which x?" and (picture(data)[..., :3] < 0.5).any()
    assert '<p class="attn-failed" role="alert">ZeroDivisionError: no &lt;room&gt;</p>' in output(one)
    for x in (0, 2):
        one.controls["x"].value = x
        assert f"x is {x}" in output(one) and "attn-failed" not in output(one)
        one.controls["x"].value = 1
        assert "ZeroDivisionError" in output(one) and "beside" not in output(one)


def test_a_long_failure_wraps_in_the_picture(png):
    long = Failed(ValueError("many words " * 60))
    data, metadata = long._repr_mimebundle_()
    assert metadata["image/png"]["width"] < 1100
    assert metadata["image/png"]["alt"] == "This setting failed"
    assert "many words" in data["text/plain"]


def test_an_interrupt_is_not_swallowed():
    def interrupted(x):
        raise KeyboardInterrupt

    one = Explorer({"x": widgets.Checkbox(description="x")}, interrupted, "")
    with pytest.raises(KeyboardInterrupt):
        one.views(x=True)


def test_two_explorers_share_nothing():
    one, other = fragile_explorer(0), fragile_explorer(0)
    before = output(other)
    one.widget()
    one.controls["row"].value = 3
    assert output(other) == before != output(one)


def test_pyplot_is_never_imported():
    code = (
        "import sys, ipywidgets; from helpers.interactive import Explorer; from helpers.views import Matrix;"
        "one = Explorer({'x': ipywidgets.IntSlider(max=3, description='x')}, lambda x: [Matrix([[x]])], 'x');"
        "one._repr_mimebundle_(); one.controls['x'].value = 2; assert '2.00' in one.widget().children[-1].value;"
        "sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


def test_the_live_view_needs_nothing_from_outside():
    one = explorer()
    page = one.widget().children[0].value + output(one)
    page = page.replace("http://www.w3.org/2000/svg", "")  # the name of a language, not an address
    assert not re.search(r"https?://|@import|<script|<link", page)


def test_a_saved_lesson_keeps_pictures_and_no_live_controls(tmp_path):
    """The server's hook: what is written has no widget, which no later kernel would know."""
    config = PyFileConfigLoader("jupyter_server_config.py", str(ROOT / ".jupyter")).load_config()
    server = FileContentsManager(root_dir=str(tmp_path), config=config)
    data, metadata = explorer()._repr_mimebundle_()
    cell = new_code_cell("explorer", outputs=[new_output("display_data", data, metadata=metadata),
                                              new_output("stream", text="printed")])
    server.save({"type": "notebook", "content": new_notebook(cells=[cell])}, "lesson.ipynb")
    server.save({"type": "file", "format": "text", "content": "kept"}, "note.txt")
    shown, printed = nbformat.read(tmp_path / "lesson.ipynb", 4).cells[0].outputs
    assert dict(shown.data) == {kind: part for kind, part in data.items() if kind != WIDGET}
    assert (shown.metadata, printed.text) == (metadata, "printed")
    assert (tmp_path / "note.txt").read_text() == "kept"
