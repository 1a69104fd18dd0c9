"""What a reader meets after a restart of the kernel, and in a lesson that was saved and opened again."""

import json

import pytest
from every_kind import in_cell, place, write

from tests.browser.lab import WIDGET, Notebook, control_of, picture, until

LOST = "The kernel was restarted, so nothing moves here. Choose Run, Run All Cells."
ALIVE = ["all", "again", "fragile", "quiz"]
SAVE = "docmanager:save"


@pytest.fixture(scope="module")
def opened(server, window):
    """A notebook with every kind of control, open in one of the programs."""
    with Notebook(window, write(server, f"reopened-{window.program}.ipynb")) as notebook:
        yield notebook


@pytest.fixture
def notebook(opened):
    """That notebook, run again for each test."""
    opened.run_all()
    return opened


def notice(notebook, cell):
    return in_cell(notebook, cell, ".attn-lost").inner_text()


def restart(notebook):
    notebook.page.evaluate(
        "async () => { await window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart(); }")


def on_disk(server, notebook, cell):
    """The data of a cell's only output in the file."""
    written = json.loads((server.project / notebook.path).read_text())
    [output] = written["cells"][place(cell)]["outputs"]
    return output["data"]


def test_a_restart_is_told_until_the_cells_run_again(notebook):
    assert [notice(notebook, cell) for cell in ALIVE] == [""] * len(ALIVE)
    restart(notebook)
    assert until(notebook.page, lambda: [notice(notebook, cell) for cell in ALIVE] == [LOST] * len(ALIVE), 20)
    icons = "e => [e, ...e.querySelectorAll('*')].map(e => getComputedStyle(e, '::before').content)"
    assert not any("\uf127" in icon for icon in in_cell(notebook, "all", ".attn").evaluate(icons))
    notebook.run_all()
    assert until(notebook.page, lambda: [notice(notebook, cell) for cell in ALIVE] == [""] * len(ALIVE), 20)
    explorer = in_cell(notebook, "all", ".attn")
    before = picture(explorer)
    control_of(explorer, "word that asks").press(0, "End")
    assert until(notebook.page, lambda: picture(explorer) != before)


def test_a_save_leaves_the_open_page_alive_and_the_file_still(server, notebook):
    explorer = in_cell(notebook, "all", ".attn")
    for key in ["End", "Home", "End"]:  # saved more than once: the program must not take its own file for changed
        before = picture(explorer)
        control_of(explorer, "power").press(0, key)
        assert until(notebook.page, lambda: picture(explorer) != before)  # noqa: B023
        notebook.command(SAVE)
        assert notebook.page.locator(".jp-Dialog").count() == 0
    for cell, title in [("all", "What does each control do?"), ("quiz", "Nine questions")]:
        data = on_disk(server, notebook, cell)
        assert WIDGET not in data
        assert data["text/plain"][0].startswith(title)


@pytest.mark.parametrize("kernel", ["lives", "restarted", "gone"])
def test_a_lesson_opened_again_shows_its_pictures(notebook, kernel):
    notebook.command(SAVE)
    if kernel == "restarted":
        restart(notebook)
    elif kernel == "gone":
        notebook.page.evaluate("() => window.jupyterapp.serviceManager.sessions.shutdownAll()")
    notebook.page.reload()
    notebook.wait_until_open()
    output = in_cell(notebook, "all", ".jp-OutputArea-output")
    assert until(notebook.page, lambda: output.count() == 1)
    assert output.locator("table, svg").count() == 3
    assert "A still picture of the first setting. Run all cells" in output.inner_text()
    assert in_cell(notebook, "quiz", ".jp-OutputArea-output").inner_text().startswith("Nine questions")
