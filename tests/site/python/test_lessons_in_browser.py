"""Lessons run to the end by the Python in the browser, without any other host."""

import json

import pytest
from served_lessons import opened

from tests.browser.lab import ROOT, controls, picture, until

PATHS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
MEASURED = "nbval-ignore-output"  # the tag of cells that print measured times, 12 `time-slope` for instance


def said(cell):
    """What a code cell says: its streams, each as a whole where it begins, and the texts of its results, in order."""
    streams, texts = {}, []
    for output in cell["outputs"]:
        text = "".join(output.get("text", output.get("data", {}).get("text/plain", output.get("evalue", ""))))
        name = output.get("name")
        if name is None:
            texts.append([output["output_type"], text])
        elif name in streams:
            streams[name][1] += text
        else:
            streams[name] = [name, text]
            texts.append(streams[name])
    return [(kind, text.rstrip("\n")) for kind, text in texts]


def code(cells):
    """The code cells, by id."""
    return {cell["id"]: cell for cell in cells if cell["cell_type"] == "code"}


def check(path, server, browser):
    """Run a lesson: its texts are the committed ones, and its first explorer follows its controls."""
    committed = code(json.loads(path.read_text(encoding="utf-8"))["cells"])
    with opened(browser, server, f"notebooks/{path.name}") as notebook:
        outside = []
        notebook.page.on("request", lambda request: request.url.startswith((server.address, "data:", "blob:"))
                         or outside.append(request.url))
        notebook.run_all()
        ran = code(notebook.cells())
        assert [output for cell in ran.values() for output in cell["outputs"] if output["output_type"] == "error"] == []
        assert ran.keys() == committed.keys()
        measured = {name for name, cell in committed.items() if MEASURED in cell["metadata"].get("tags", [])}
        assert {name: said(cell) for name, cell in ran.items() if name not in measured} == \
            {name: said(cell) for name, cell in committed.items() if name not in measured}
        for explorer in notebook.explorers()[:1]:
            move(explorer)
        assert outside == []
        assert notebook.problems == []


def move(explorer):
    """Some value of some control changes the picture."""
    before = picture(explorer)
    assert any(until(explorer.page, lambda: picture(explorer) != before, 2)
               for control in controls(explorer) if control.kind != "play" for _ in control.walk())


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_lesson(path, server, browser):
    check(path, server, browser)


@pytest.mark.slow
def test_plain_http_in_a_classroom(server, browser):
    """Without https a browser has no service worker, and Python no folder with the lessons."""
    address = server.address.replace("127.0.0.1", "classroom")
    check(next(path for path in PATHS if path.name.startswith("03")), server._replace(address=address), browser)
