"""The site, built once for each run of the tests, and a browser that reaches nothing but files."""

import os
import shutil
import subprocess
import sys
from contextlib import ExitStack

import pytest
from visits import NODE, visit

from tests.browser.lab import NO_BROWSER, ROOT, chromium, find_chromium

SITE = ROOT / "_site"
NOT_INSTALLED = "what makes the site is not installed; `make sites` installs it (it needs node)"
COMMANDS = [["site/lessons.py"],
            ["-m", "sphinx", "-q", "-W", "--keep-going", "-d", "site/build/doctrees", "site", "_site"]]


def unavailable(reason):
    """Skip; where everything must be there, fail."""
    (pytest.fail if os.environ.get("CI") or os.environ.get("REQUIRE_BROWSER") else pytest.skip)(reason)


def run(commands, root):
    """Run Python with each of the commands in a folder of the project."""
    for command in commands:
        built = subprocess.run([sys.executable, *command], cwd=root, capture_output=True, encoding="utf-8")
        assert built.returncode == 0, f"{' '.join(command)}:\n{built.stdout}{built.stderr}"


@pytest.fixture(scope="session")
def build():
    """A function that builds the site in a folder of the project, as `make site` does but for Python in the browser."""
    if not shutil.which("node") or not (NODE / "katex").exists():
        unavailable(NOT_INSTALLED)
    def built_in(root):
        try:
            run(COMMANDS, root)
        finally:
            shutil.rmtree(root / "jupyter_execute", ignore_errors=True)
    return built_in


@pytest.fixture(scope="session")
def site(build):
    """The folder of the site; lessons that have not changed are not run again."""
    build(ROOT)
    return SITE


@pytest.fixture(scope="session")
def decks(site):
    """The folder of the slides as `make slides` writes it."""
    run([["site/slides.py"]], ROOT)
    return site / "slides"


@pytest.fixture(scope="session")
def browser():
    """A browser with a fresh profile."""
    if find_chromium() is None:
        unavailable(NO_BROWSER)
    with chromium() as running:
        yield running


@pytest.fixture
def opened(site, browser):
    """A function that opens a page for one test."""
    with ExitStack() as pages:
        yield lambda name, **options: pages.enter_context(visit(browser, site, name, **options))
