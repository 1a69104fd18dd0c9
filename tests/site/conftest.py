"""The site, built once for each run of the tests, and a browser that reaches nothing but files."""

import os
import shutil
import subprocess
import sys

import pytest

from tests.browser.lab import NO_BROWSER, ROOT, chromium, find_chromium

SITE, NODE = ROOT / "_site", ROOT / "site/node_modules"
NOT_INSTALLED = "what makes the site is not installed; `make sites` installs it (it needs node)"
COMMANDS = [["site/lessons.py"],
            ["-m", "sphinx", "-q", "-W", "--keep-going", "-d", "site/build/doctrees", "site", "_site"]]
READY = "() => document.readyState === 'complete' && !document.querySelector('.attn-frozen fieldset[disabled]')"


def unavailable(reason):
    """Skip; where everything must be there, fail."""
    (pytest.fail if os.environ.get("CI") or os.environ.get("REQUIRE_BROWSER") else pytest.skip)(reason)


@pytest.fixture(scope="session")
def site():
    """The folder of the site as `make site` builds it; lessons that have not changed are not run again."""
    if not shutil.which("node") or not (NODE / "katex").exists():
        unavailable(NOT_INSTALLED)
    for command in COMMANDS:
        built = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, encoding="utf-8")
        assert built.returncode == 0, f"{' '.join(command)}:\n{built.stdout}{built.stderr}"
    shutil.rmtree(ROOT / "jupyter_execute", ignore_errors=True)
    return SITE


@pytest.fixture(scope="session")
def browser():
    """A browser with a fresh profile."""
    if find_chromium() is None:
        unavailable(NO_BROWSER)
    with chromium() as running:
        yield running


@pytest.fixture
def opened(site, browser):
    """A function that opens a page from its file with the network cut; afterwards the page must have been content."""
    contexts, problems = [], []

    def open_page(name, width=1280, height=900, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("request", lambda request: request.url.startswith(("file:", "data:", "blob:")) or problems.append(request.url))
        page.on("requestfailed", lambda request: problems.append(f"failed: {request.url}"))
        page.on("console", lambda message: message.type in ("error", "warning") and problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto((site / name).as_uri())
        if options.get("java_script_enabled", True):
            page.wait_for_function(READY)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []
