"""The class copy in JupyterLab at 1280 × 720, in presentation mode, as it is projected."""

import pytest

from classroom.class_copy import write
from tests.browser.lab import ROOT, Notebook, Window

LESSONS = sorted(path.name for path in (ROOT / "notebooks").glob("[0-9]*.ipynb"))
QUICK = ("03", "08")
QUESTIONS = """() => {
    const cells = [...document.querySelectorAll('.jp-Notebook .jp-Cell')];
    const asks = cell => [...cell.querySelectorAll('p')].find(p => p.textContent.startsWith('Before you run it'));
    return cells.slice(0, -1).map((cell, place) => [asks(cell), cells[place + 1]])
        .filter(([question, next]) => question?.checkVisibility() && next.classList.contains('jp-CodeCell'))
        .map(([question, next]) => next.getBoundingClientRect().bottom - question.getBoundingClientRect().top);
}"""


@pytest.fixture(scope="module")
def copies(server):
    """The folder of the class copy, from the server's folder."""
    write(server.project / "notebooks", server.project / "_class")
    return "_class"


@pytest.mark.parametrize("name", [
    pytest.param(name, id=name[:2], marks=[] if name.startswith(QUICK) else pytest.mark.slow) for name in LESSONS])
def test_a_question_stands_on_one_screen_with_its_code(name, browser, server, copies):
    with Window(browser, server, (1280, 720)) as window, Notebook(window, f"{copies}/{name}") as notebook:
        notebook.command("application:toggle-presentation-mode")
        notebook.page.wait_for_timeout(500)
        screen = notebook.page.locator(".jp-WindowedPanel-outer:visible").first.evaluate("panel => panel.clientHeight")
        heights = notebook.page.evaluate(QUESTIONS)
        assert screen < 620 and len(heights) >= 2
        assert max(heights) <= screen
        assert notebook.problems == []


def test_a_fold_opens_after_the_run(browser, server, copies):
    with Window(browser, server, (1280, 720)) as window, Notebook(window, f"{copies}/03_scores.ipynb") as notebook:
        fold = notebook.page.locator("details").first
        assert not fold.locator("p").first.is_visible()
        notebook.run_all()
        assert "q · k = 12.83" in notebook.page.locator(".jp-OutputArea-output table caption").nth(2).text_content()
        fold.locator("summary").click()
        assert fold.locator("p").first.is_visible()
        assert "12.83" in fold.text_content()
