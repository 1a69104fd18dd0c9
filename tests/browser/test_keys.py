"""Keys in JupyterLab and in Notebook 7: a control keeps its own, and the notebook gets what it needs."""

import pytest
from every_kind import KINDS, in_cell, place, write

from tests.browser.lab import Control, Notebook, control_of, until

SLIDERS = ["word that asks", "power"]
NOTEBOOKS_OWN = ["reading 'schema'", "403 (Forbidden)", "'filebrowser:open-path'"]  # what Notebook 7 says of itself
QUIZ = "a question of the quiz"
STRAY = ["b", "a", "d", "d", "x", "m", "y", "c", "v", "z", "j", "k", "Shift+D", "Shift+M", "Enter", "Space", "Delete",
         "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]


@pytest.fixture(scope="module")
def notebook(server, window):
    """The notebook of this module, run in one of the programs."""
    with Notebook(window, write(server, f"keys-{window.program}.ipynb")) as opened:
        opened.run_all()
        yield opened
        assert [problem for problem in opened.problems if not any(own in problem for own in NOTEBOOKS_OWN)] == []


def focused(notebook, label, target=0):
    """The control with this label, with the focus on it and its cell active in command mode."""
    cell = "quiz" if label == QUIZ else "all"
    make_active(notebook, cell)
    if label == QUIZ:
        control = Control(in_cell(notebook, cell, ".widget-toggle-buttons").first)
    else:
        control = control_of(in_cell(notebook, cell, ".attn"), label)
    control.targets[target].focus()
    return control


def make_active(notebook, cell):
    """Select a cell in command mode, as a reader does by clicking beside it."""
    notebook.page.evaluate("""index => { const notebook = window.jupyterapp.shell.currentWidget.content;
        notebook.activeCellIndex = index; notebook.deselectAll(); notebook.mode = 'command'; }""", place(cell))


def edited(notebook):
    """Everything that a stray key could change in the notebook."""
    state = notebook.page.evaluate("""() => { const notebook = window.jupyterapp.shell.currentWidget.content;
        return [notebook.activeCellIndex, notebook.mode, notebook.selectedCells.map(cell => cell.model.id)]; }""")
    return notebook.contents(), state


def active(notebook):
    """Index of the active cell."""
    return edited(notebook)[1][0]


def count(notebook, cell):
    """The number in front of a cell, of its last run."""
    return notebook.cells()[place(cell)]["execution_count"]


def test_a_key_on_a_bare_slider_edits_the_notebook(notebook):
    """Without the cure `b` inserts a cell: this is what the next tests guard against."""
    make_active(notebook, "bare")
    before = notebook.contents()
    in_cell(notebook, "bare", ".noUi-handle").focus()
    notebook.page.keyboard.press("b")
    assert until(notebook.page, lambda: len(notebook.contents()) == len(before) + 1)
    notebook.command("notebook:undo-cell-action")
    assert notebook.contents() == before


@pytest.mark.parametrize("label", [*KINDS, QUIZ])
def test_a_stray_key_never_edits_the_notebook(notebook, label):
    control = focused(notebook, label)
    before, value = edited(notebook), control.value()
    for target in control.targets:
        for key in STRAY:
            target.focus()
            notebook.page.keyboard.press(key)
    assert not until(notebook.page, lambda: edited(notebook) != before, 0.3)
    if label != QUIZ:
        control.set(value)


@pytest.mark.parametrize("label", SLIDERS)
def test_arrows_move_the_slider_and_nothing_else(notebook, label):
    control = focused(notebook, label)
    before, seen = edited(notebook), []
    for key in ["Home", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"]:
        notebook.page.keyboard.press(key)
        seen.append(float(control.targets[0].get_attribute("aria-valuenow")))
    first = seen[0]
    assert seen == [first, first + 1, first + 2, first + 1, first + 2, first + 1]
    assert edited(notebook) == before


def test_down_in_a_dropdown_moves_its_choice_and_nothing_else(notebook):
    control = focused(notebook, "view")
    before = edited(notebook)
    notebook.page.keyboard.press("Home")
    first = control.value()
    notebook.page.keyboard.press("ArrowDown")
    assert until(notebook.page, lambda: control.value() != first)
    notebook.page.keyboard.press("ArrowUp")
    assert until(notebook.page, lambda: control.value() == first)
    assert edited(notebook) == before


@pytest.mark.parametrize("label", [*KINDS, QUIZ])
def test_shift_enter_runs_the_cell_and_goes_on(notebook, label):
    cell = "quiz" if label == QUIZ else "all"
    focused(notebook, label)
    before, ran = notebook.contents(), count(notebook, cell)
    notebook.page.keyboard.press("Shift+Enter")
    assert until(notebook.page, lambda: (count(notebook, cell) or 0) > ran)
    assert until(notebook.page, lambda: active(notebook) == place(cell) + 1)
    assert notebook.contents() == before
    assert until(notebook.page, lambda: in_cell(notebook, cell, ".attn").count() == 1)


@pytest.mark.parametrize("label", [*KINDS, QUIZ])
def test_escape_gives_the_focus_back_to_the_notebook(notebook, label):
    cell = place("quiz" if label == QUIZ else "all")
    focused(notebook, label)
    notebook.page.keyboard.press("Escape")
    assert notebook.page.evaluate("() => document.activeElement.matches('.jp-Cell')")
    assert active(notebook) == cell
    notebook.page.keyboard.press("ArrowDown")
    assert until(notebook.page, lambda: active(notebook) == cell + 1)


@pytest.mark.parametrize("label", [*KINDS, QUIZ])
def test_ctrl_s_saves(notebook, label):
    dirty = "value => { window.jupyterapp.shell.currentWidget.content.model.dirty = value; }"
    is_dirty = "() => window.jupyterapp.shell.currentWidget.content.model.dirty"
    focused(notebook, label)
    notebook.page.evaluate(dirty, True)

    def saved():
        notebook.page.keyboard.press("Control+s")    # again, since it does nothing while another save still runs
        return until(notebook.page, lambda: not notebook.page.evaluate(is_dirty), 2)

    assert until(notebook.page, saved, 10)


def test_a_stray_key_after_ctrl_s_is_still_kept_from_the_notebook(notebook):
    focused(notebook, "power")
    before = notebook.contents()
    for key in ["Control+s", "d", "d", "b"]:
        notebook.page.keyboard.press(key)
    assert not until(notebook.page, lambda: notebook.contents() != before, 0.3)
