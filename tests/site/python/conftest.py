"""The built folder with Python in it, a server for it, and a browser that reaches no other host."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest
from served_lessons import ONLY_HERE, build, serve

from tests.browser.lab import NO_BROWSER, ROOT, chromium, find_chromium

PYODIDE = Path(os.environ.get("PYODIDE") or ROOT / "../shared/pyodide")


@pytest.fixture(scope="session")
def pyodide():
    """The folder with Pyodide's files."""
    if not (PYODIDE / "pyodide.mjs").exists():
        pytest.skip(f"no Pyodide in {PYODIDE}; set PYODIDE to a folder with its files")
    if not find_spec("jupyterlite_pyodide_kernel"):
        pytest.skip("jupyterlite-pyodide-kernel is not installed")
    return PYODIDE


@pytest.fixture(scope="session")
def site(tmp_path_factory, pyodide):
    """The folder built with its own Python."""
    folder = tmp_path_factory.mktemp("site") / "python"
    done = build(folder, "--pyodide", pyodide)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def server(site):
    """A server for it."""
    with serve(site) as running:
        yield running


@pytest.fixture(scope="module")
def browser():
    """A browser with a fresh profile."""
    if find_chromium() is None:
        if os.environ.get("CI") or os.environ.get("REQUIRE_BROWSER"):
            pytest.fail(NO_BROWSER, pytrace=False)
        pytest.skip(NO_BROWSER)
    with chromium(ONLY_HERE) as running:
        yield running
