"""The line above the notebook: what it says of Python, and what becomes of a reader's changes."""

import json
import shutil

import pytest
from served_lessons import ONLY_HERE, build, opened, serve

from tests.browser.lab import chromium, until

LESSON = "notebooks/03_scores.ipynb"
PAGE = f"notebooks/index.html?path={LESSON}"
CHANGED = "# my own line"
EDIT = f"""() => {{ const cell = window.jupyterapp.shell.currentWidget.content.model.cells.get(1);
    cell.sharedModel.setSource({CHANGED!r}); }}"""

DIRTY = "window.jupyterapp.shell.currentWidget.context.model.dirty"


@pytest.fixture
def notebook(server, browser):
    """Lesson 03, open."""
    with opened(browser, server, LESSON) as lesson:
        yield lesson


def reads(page, name, words, seconds=60):
    """Whether a part of the line comes to hold these words."""
    return until(page, lambda: words in (page.locator(f"#lesson-{name}").text_content(timeout=60_000) or ""), seconds)


def reload(notebook):
    """Open the page anew, as a reader who comes back."""
    notebook.page.reload()
    notebook.wait_until_open()


def second_cell(notebook):
    """The source of the second cell."""
    return notebook.cells()[1]["source"]


@pytest.mark.slow
def test_changes_survive_a_reload_and_start_over_brings_the_lesson_back(notebook):
    original = second_cell(notebook)
    notebook.page.evaluate(EDIT)
    assert until(notebook.page, lambda: not notebook.page.evaluate(DIRTY), 20)    # saved by itself
    reload(notebook)
    assert second_cell(notebook) == CHANGED != original
    with notebook.page.expect_download() as waiting:
        notebook.page.click("#lesson-download")
    kept = json.loads(waiting.value.path().read_text(encoding="utf-8"))
    assert waiting.value.suggested_filename == "03_scores.ipynb" and CHANGED in "".join(kept["cells"][1]["source"])
    notebook.page.click("#lesson-again")
    with notebook.page.expect_navigation():
        notebook.page.click("#lesson-yes")
    notebook.wait_until_open()
    assert second_cell(notebook) == original
    assert reads(notebook.page, "copy", "Your changes stay")


@pytest.mark.slow
def test_a_copy_of_an_older_release_says_so(site, browser, tmp_path):
    folder = shutil.copytree(site, tmp_path / "python", ignore=shutil.ignore_patterns("*.whl", "*.wasm"))
    file = folder / "files" / LESSON
    with serve(folder) as server, opened(browser, server, LESSON) as notebook:
        notebook.page.evaluate(EDIT)
        notebook.command("docmanager:save")
        newer = json.loads(file.read_text(encoding="utf-8"))
        newer["metadata"]["release"] = "newer"
        newer["cells"][1]["source"] = "# a newer line"
        file.write_text(json.dumps(newer), encoding="utf-8")
        reload(notebook)
        assert second_cell(notebook) == CHANGED
        assert reads(notebook.page, "copy", "This lesson has changed since")
        notebook.page.click("#lesson-again")
        with notebook.page.expect_navigation():
            notebook.page.click("#lesson-yes")
        notebook.wait_until_open()
        assert second_cell(notebook) == "# a newer line"


def test_opened_as_a_file(site, browser):
    page = browser.new_page()
    page.goto((site / "notebooks/index.html").as_uri() + f"?path={LESSON}")
    assert reads(page, "python", "it needs a web server")
    page.close()


def test_without_webassembly(server, browser):
    page = browser.new_page()
    page.add_init_script("delete window.WebAssembly")
    page.goto(f"{server.address}/{PAGE}")
    assert reads(page, "python", "lacks WebAssembly")
    page.close()


@pytest.mark.slow
def test_public_address_out_of_reach(pyodide, tmp_path, browser):
    """Without --pyodide the files come from Pyodide's public address, which is blocked here."""
    folder = tmp_path / "python"
    assert build(folder).returncode == 0
    assert not [*folder.rglob("*.wasm"), *folder.rglob("numpy*")]
    with serve(folder) as server, opened(browser, server, LESSON) as notebook:
        assert reads(notebook.page, "python", "Python cannot start: ")
        assert "https://cdn.jsdelivr.net/pyodide/v0.27.7/full/" in notebook.page.locator("#lesson-python").text_content()
        assert second_cell(notebook)    # the lesson can be read


@pytest.mark.slow
def test_a_kernel_that_fails_says_why(site, browser, tmp_path):
    folder = shutil.copytree(site, tmp_path / "python")
    lock = json.loads((folder / "pyodide/pyodide-lock.json").read_text())
    lock["packages"]["ipython"]["depends"].remove("sqlite3")
    (folder / "pyodide/pyodide-lock.json").write_text(json.dumps(lock))
    with serve(folder) as server, opened(browser, server, LESSON) as notebook:
        assert reads(notebook.page, "python", "Python cannot start: ModuleNotFoundError: No module named 'sqlite3'")


@pytest.mark.slow
def test_a_link_to_another_lesson_opens_it_here(notebook):
    with notebook.page.expect_navigation():
        notebook.page.locator(".jp-RenderedMarkdown a", has_text="04 ").last.click()
    notebook.path = "notebooks/04_scaling.ipynb"
    notebook.wait_until_open()


def test_damaged_or_missing_files_of_pyodide_are_named(pyodide, tmp_path):
    folder = shutil.copytree(pyodide, tmp_path / "pyodide", symlinks=True)
    folder.chmod(0o755)
    wheel = next(folder.glob("numpy-*.whl"))
    wheel.unlink()
    assert f"{wheel.name} of Pyodide 0.27.7 is missing" in build(tmp_path / "out", "--pyodide", folder).stderr
    wheel.write_bytes(b"damaged")
    assert "is not the file of Pyodide 0.27.7" in build(tmp_path / "out", "--pyodide", folder).stderr


@pytest.mark.slow
def test_another_address_of_pyodide(pyodide, tmp_path):
    """What the published site does, with a second server in the place of the public address."""
    with serve(pyodide) as public:
        assert build(tmp_path / "python", "--pyodide", f"{public.address}/").returncode == 0
        with serve(tmp_path / "python") as server, chromium(ONLY_HERE) as browser, \
                opened(browser, server, LESSON) as notebook:
            assert reads(notebook.page, "python", "Python is ready.", 180)
            notebook.run_all()
            assert notebook.problems == []
