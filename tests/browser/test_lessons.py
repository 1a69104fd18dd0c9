"""Every lesson in a real JupyterLab: saved pictures, all cells run, every control moved by keyboard."""

import json
import re

import pytest

from tests.browser.lab import ROOT, Control, Notebook, controls, picture, until

LESSONS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
QUICK = ("00", "03", "05", "09", "14", "16", "18")  # the others are slow tests
EXPLORER = re.compile(r"\b(explore_\w+|Explorer)\(")
QUIZ = re.compile(r"\bquiz\(")
BROKEN = re.compile("model not found|Error displaying widget|Loading widget", re.IGNORECASE)
CLIPPED = """explorer => [...explorer.querySelectorAll('.widget-label, .widget-readout, .widget-toggle-button')]
    .filter(e => e.scrollWidth > e.clientWidth + 1 && e.offsetParent).map(e => e.textContent)"""


@pytest.mark.parametrize("lesson", [
    lesson if lesson.stem.startswith(QUICK) else pytest.param(lesson, marks=pytest.mark.slow) for lesson in LESSONS],
    ids=lambda path: path.stem)
def test_lesson(lesson, server, lab):
    copy = server.project / "notebooks" / lesson.name
    saved = json.loads(copy.read_text(encoding="utf-8"))["cells"]
    with Notebook(lab, f"notebooks/{lesson.name}") as notebook:
        check_saved_pictures(notebook, saved)
        notebook.run_all()
        check_outputs(notebook)
        written = notebook.contents()
        for explorer in notebook.explorers():
            check_explorer(explorer)
        for quiz in notebook.quizzes():
            check_quiz(quiz)
        assert notebook.contents() == written
        assert notebook.problems == []


def check_saved_pictures(notebook, saved):
    """Each saved PNG is on the page before anything has run."""
    expected = sum("image/png" in output.get("data", {}) for cell in saved for output in cell.get("outputs", []))
    images = notebook.page.locator(".jp-OutputArea-output img")
    shown = lambda: sum(image.evaluate("e => e.naturalWidth > 0") for image in images.all())  # noqa: E731
    assert until(notebook.page, lambda: shown() >= expected, 20), f"{shown()} of {expected} saved pictures are shown"


def check_outputs(notebook):
    """No cell failed, and every explorer and quiz is alive."""
    cells = notebook.cells()
    failed = [output["evalue"] for cell in cells for output in cell.get("outputs", [])
              if output["output_type"] == "error"]
    assert failed == []
    assert not BROKEN.search(notebook.page.locator(".jp-Notebook").inner_text())
    for pattern, found in [(EXPLORER, notebook.explorers()), (QUIZ, notebook.quizzes())]:
        expected = sum(bool(pattern.search(cell["source"])) for cell in cells if cell["cell_type"] == "code")
        assert len(found) == expected


def check_explorer(explorer):
    """Every control changes the picture at some value, and setting it back brings the first picture back."""
    title = explorer.locator(".attn-title").text_content()
    first = picture(explorer)
    moved = [control for control in controls(explorer) if control.kind != "play"]
    for control in moved:
        value = control.value()
        changed = lambda: picture(explorer) != first  # noqa: E731
        assert any(control.value() != value and until(explorer.page, changed, 1.5) for _ in control.walk()), \
            f"{title!r}: {control.label!r} never changes the picture"
        assert explorer.evaluate(CLIPPED) == [], f"{title!r}: clipped when {control.label!r} moves"
        control.set(value)
        assert until(explorer.page, lambda: picture(explorer) == first), \
            f"{title!r}: the old value of {control.label!r} brings another picture"
    for play in [control for control in controls(explorer) if control.kind == "play"]:
        check_play(play, explorer, moved)


def check_play(play, explorer, moved):
    """Space starts the steps, and pauses them."""
    first, before = picture(explorer), [(control, control.value()) for control in moved]
    play.press(0, "Space")
    assert until(explorer.page, lambda: picture(explorer) != first), "Play changes nothing"
    play.press(0, "Space")
    for control, value in before:
        control.set(value)
    assert until(explorer.page, lambda: picture(explorer) == first), "Play goes on after its pause"


def check_quiz(quiz):
    """Each choice, pressed by keyboard, says something else; one of a question is right. No key reaches the notebook."""
    questions, places = quiz.locator(".widget-toggle-buttons").all(), quiz.locator(".attn-feedback").all()
    for question, place in zip(questions, places, strict=True):
        control, said = Control(question), [""]
        for move in control.moves():
            control.press(*move)
            assert until(quiz.page, lambda: place.text_content().strip() not in said), control.label  # noqa: B023
            said.append(place.text_content().strip())
        assert sum(text.startswith("✓ Right.") for text in said) == 1, control.label
        for key in "ddb":
            quiz.page.keyboard.press(key)
    assert quiz.evaluate(CLIPPED) == []
