"""One JupyterLab for each test process, one browser for each module."""

import os

import pytest
from lab import NO_BROWSER, chromium, find_chromium, jupyterlab


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """A running JupyterLab on a copy of the project."""
    if find_chromium() is None:
        if os.environ.get("CI") or os.environ.get("REQUIRE_BROWSER"):
            pytest.fail(NO_BROWSER, pytrace=False)
        pytest.skip(NO_BROWSER)
    with jupyterlab(tmp_path_factory.mktemp("lab")) as running:
        yield running


@pytest.fixture(scope="module")
def browser(server):
    """A browser with a fresh profile."""
    with chromium() as running:
        yield running
