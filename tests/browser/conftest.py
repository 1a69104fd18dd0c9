"""One JupyterLab server, one browser and one window with JupyterLab for each test process."""

import os

import pytest

from tests.browser.lab import NO_BROWSER, PROGRAMS, Window, chromium, find_chromium, jupyterlab


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """A running JupyterLab on a copy of the project."""
    if find_chromium() is None:
        if os.environ.get("CI") or os.environ.get("REQUIRE_BROWSER"):
            pytest.fail(NO_BROWSER, pytrace=False)
        pytest.skip(NO_BROWSER)
    with jupyterlab(tmp_path_factory.mktemp("lab")) as running:
        yield running


@pytest.fixture(scope="session")
def browser(server):
    """A browser with a fresh profile."""
    with chromium() as running:
        yield running


@pytest.fixture(scope="session")
def lab(server, browser):
    """JupyterLab, which shows one notebook after another."""
    with Window(browser, server) as window:
        yield window


@pytest.fixture(scope="module", params=PROGRAMS)
def window(request, server, browser):
    """Each of the programs in turn."""
    if request.param == "lab":
        yield request.getfixturevalue("lab")
    else:
        with Window(browser, server, program=request.param) as opened:
            yield opened
