"""What makes explorers usable in JupyterLab, each cure on a notebook that has every kind of control."""

import time

import pytest
from every_kind import KINDS, in_cell, write

from tests.browser.lab import Notebook, control_of, controls, picture, until

READABLE = 4.5
ROLE = 4.3  # a colour of a role: the most that one colour reaches on both white and #111 is 4.35
CONTRASTS = """explorer => {
  const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
  const linear = c => c <= 10.31475 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4;
  const shade = colour => {
    const [r, g, b] = numbers(colour).map(linear);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05; };
  const behind = element => {
    const colour = getComputedStyle(element).backgroundColor, [,,, alpha = 1] = numbers(colour);
    return alpha > 0.99 || !element.parentElement ? colour : behind(element.parentElement); };
  const written = [...explorer.querySelectorAll('*')].filter(element =>
    element.checkVisibility() && element.localName !== 'style'
    && [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim()));
  return written.map(element => {
    const look = getComputedStyle(element), svg = element.closest('svg');
    const [low, high] = [shade(svg ? look.fill : look.color), shade(behind(element))].sort((a, b) => a - b);
    const coloured = (svg && element.getAttribute('fill').startsWith('#')) || element.matches('caption b, figcaption b');
    return [element.textContent, high / low, coloured]; });
}"""


@pytest.fixture(scope="module")
def notebook(server, lab):
    """The notebook of this module, open and run."""
    with Notebook(lab, write(server, "controls.ipynb")) as opened:
        opened.run_all()
        yield opened
        assert opened.problems == []


@pytest.fixture
def explorer(notebook):
    """The explorer with every kind of control, in its first state."""
    root = in_cell(notebook, "all", ".attn")
    before = [(control, control.value()) for control in controls(root)]
    yield root
    for control, value in before:
        control.set(value)


def test_all_kinds_are_here(explorer):
    assert [control.label for control in controls(explorer)] == KINDS
    assert {control.kind for control in controls(explorer)} == {"slider", "toggle-buttons", "dropdown", "checkbox"}


@pytest.mark.parametrize("label", KINDS)
def test_focus_is_visible(notebook, explorer, label):
    for target in control_of(explorer, label).targets:
        notebook.page.keyboard.press("Shift")  # focus that comes by keyboard, not by mouse
        target.focus()
        style, width = target.evaluate("""e => { const style = getComputedStyle(e);
            return [style.outlineStyle, parseFloat(style.outlineWidth)]; }""")
        assert style == "solid" and width >= 2


@pytest.mark.parametrize("label", KINDS[:4])
def test_the_spoken_name_is_the_visible_label(explorer, label):
    control = control_of(explorer, label)
    named = control.box.locator("[role=group]") if control.kind == "toggle-buttons" else control.targets[0]
    assert named.get_attribute("aria-label") == label


@pytest.mark.parametrize(("label", "words"), [
    ("word that asks", ["creature", "fluffy", "blue", "forest"]), ("power", ["1", "2", "3", "4", "5"])])
def test_the_spoken_value_is_the_word_that_is_shown(explorer, label, words):
    control, spoken, shown = control_of(explorer, label), [], []
    for word, _ in zip(words, control.walk(), strict=True):
        handle = control.targets[0]
        assert until(explorer.page, lambda: handle.get_attribute("aria-valuetext") == word)  # noqa: B023
        spoken.append(handle.get_attribute("aria-valuetext"))
        shown.append(control.box.locator(".widget-readout").text_content())
    assert spoken == shown == words


def test_a_changed_note_is_heard_and_the_first_is_not(notebook):
    noted = in_cell(notebook, "noted", ".attn")
    heard = noted.locator(".attn-heard")
    assert heard.get_attribute("role") == "status" and heard.text_content() == ""
    control_of(noted, "n").press(0, "ArrowRight")
    assert until(notebook.page, lambda: heard.text_content() == "n is 1")


def test_no_label_has_a_tooltip_that_says_nothing(explorer):
    labels = explorer.locator(".widget-label")
    assert labels.count() >= len(KINDS) - 1
    assert explorer.locator("[title=null]").count() == 0


@pytest.mark.parametrize("label", ["word that asks", "power"])
def test_a_readout_is_no_field_and_no_stop_of_tab(notebook, explorer, label):
    control = control_of(explorer, label)
    readout = control.box.locator(".widget-readout")
    control.press(0, "ArrowRight")
    assert not readout.evaluate("e => e.isContentEditable")
    control.press(0, "Tab")
    assert not readout.evaluate("e => e === document.activeElement")


def test_feedback_stands_below_the_pressed_choice_and_the_score_above_all(notebook):
    quiz = in_cell(notebook, "quiz", ".attn-quiz")
    question, score = quiz.locator(".attn-question").first, quiz.locator(".attn-score")
    top = lambda element: (element.bounding_box() or {"y": 0})["y"]  # noqa: E731
    assert top(score) < top(question)
    for region in (quiz.locator(".attn-feedback").first, score):
        assert region.locator("> .widget-html-content").get_attribute("aria-live") == "polite"
    buttons = question.locator("button").all()
    for place, button in enumerate(buttons):
        button.press("Space")
        verdict = question.locator(".attn-verdict")
        assert until(notebook.page, lambda: verdict.is_visible() and top(verdict) > top(button))  # noqa: B023
        assert all(top(verdict) < top(later) for later in buttons[place + 1:])


def test_toggle_buttons_say_which_is_pressed(explorer):
    control = control_of(explorer, "mask")
    pressed = lambda: [target.get_attribute("aria-pressed") for target in control.targets]  # noqa: E731
    assert pressed() == ["true", "false"]
    control.press(1, "Space")
    assert until(explorer.page, lambda: pressed() == ["false", "true"])


def test_the_label_of_toggle_buttons_stands_beside_them(explorer):
    box = control_of(explorer, "mask").box
    label, buttons = (box.locator(part).bounding_box() for part in (".widget-label", "[role=group]"))
    assert abs((label["y"] + label["height"] / 2) - (buttons["y"] + buttons["height"] / 2)) < 4
    assert label["x"] + label["width"] <= buttons["x"]


def test_views_stand_side_by_side_then_wrap_then_scroll(notebook, explorer):
    def tops():
        return [view.bounding_box()["y"] for view in explorer.locator(".attn-views > div").all()]

    wide = tops()
    assert wide[0] == wide[1]
    with notebook.window.resized(480, 1100):
        assert until(notebook.page, lambda: (narrow := tops())[0] < narrow[1] < narrow[2])
        hidden = "e => e.scrollWidth - e.clientWidth"
        assert explorer.locator(".attn-views > div").last.evaluate(hidden) > 50
        for page in ("html", ".jp-WindowedPanel-outer"):
            assert notebook.page.locator(page).first.evaluate(hidden) <= 1
        assert in_cell(notebook, "all", ".jp-OutputArea-output").first.evaluate(hidden) <= 1


def test_shown_twice_both_stay_in_step(notebook, explorer):
    other = in_cell(notebook, "again", ".attn")
    before = picture(other)
    control_of(explorer, "word that asks").press(0, "End")
    assert until(notebook.page, lambda: picture(other) != before and picture(other) == picture(explorer))
    control_of(other, "power").press(0, "End")
    assert until(notebook.page, lambda: control_of(explorer, "power").value() == control_of(other, "power").value())
    assert until(notebook.page, lambda: picture(other) == picture(explorer))


def test_showing_it_again_makes_no_new_widgets(notebook):
    before, after = (int(in_cell(notebook, name, "pre").last.text_content()) for name in ("count", "count-again"))
    assert before == after > len(KINDS)


def test_a_render_that_fails_says_so_and_recovers(notebook):
    explorer = in_cell(notebook, "fragile", ".attn")
    control, alert = control_of(explorer, "n"), explorer.get_by_role("alert")
    control.press(0, "Home")
    for _ in range(30):
        control.press(0, "ArrowRight")
    assert until(notebook.page, lambda: alert.count() == 1)
    assert alert.text_content() == "ValueError: thirty is not possible"
    control.press(0, "ArrowRight")
    assert until(notebook.page, lambda: "n = 31" in picture(explorer))
    assert alert.count() == 0


def test_a_drag_ends_on_its_last_value_without_a_jump_in_height(notebook):
    explorer = in_cell(notebook, "fragile", ".attn")
    control, mouse = control_of(explorer, "n"), notebook.page.mouse
    control.press(0, "Home")
    for _ in range(40):
        control.press(0, "ArrowRight")  # beyond the value that fails, whose picture is lower
    assert until(notebook.page, lambda: "n = 40" in picture(explorer))
    explorer.scroll_into_view_if_needed()
    explorer.evaluate("""explorer => { const seen = window.heights = new Set();
        const watch = () => { seen.add(explorer.offsetHeight); requestAnimationFrame(watch); }; watch(); }""")
    box, track = (control.box.locator(part).bounding_box() for part in (".noUi-handle", ".noUi-target"))
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    end = track["x"] + 0.93 * track["width"]
    mouse.move(x, y)
    mouse.down()
    began = time.monotonic()
    for move in range(1, 61):
        mouse.move(x + (end - x) * move / 60, y)
        time.sleep(max(0, began + move / 60 - time.monotonic()))
    mouse.up()
    last = control.targets[0].get_attribute("aria-valuetext")
    assert 85 < int(last) < 100
    assert until(notebook.page, lambda: f"n = {last}<" in picture(explorer))
    assert not until(notebook.page, lambda: f"n = {last}<" not in picture(explorer), 0.5)
    assert len(notebook.page.evaluate("() => [...window.heights]")) == 1


def test_play_has_names_and_moves_the_picture(notebook):
    explorer = in_cell(notebook, "played", ".attn")
    buttons = explorer.locator(".attn-controls button")
    names = [button.get_attribute("aria-label") for button in buttons.all()]
    assert names == ["play", "stop", "repeat"]
    before = picture(explorer)
    buttons.first.focus()
    notebook.page.keyboard.press("Space")
    assert until(notebook.page, lambda: picture(explorer) != before)
    assert buttons.first.get_attribute("aria-label") == "pause"
    notebook.page.keyboard.press("Space")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("view", ["bars", "curves", "arrows"])
def test_text_reads_well_in_both_themes(notebook, explorer, theme, view):
    notebook.theme(theme)
    control_of(explorer, "view").targets[0].select_option(view)
    assert until(notebook.page, lambda: explorer.locator("svg").count() == 1)
    texts = explorer.evaluate(CONTRASTS)
    assert len(texts) > 40
    faint = {text: ratio for text, ratio, coloured in texts if ratio < (ROLE if coloured else READABLE)}
    notebook.theme("light")
    assert faint == {}
