"""The built folder with Python in it, a server for it, and a browser that reaches no other host."""

import functools
import http.server
import os
import subprocess
import sys
import threading
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.browser.lab import NO_BROWSER, ROOT, Server, chromium, find_chromium

PYODIDE = Path(os.environ.get("PYODIDE") or ROOT / "../shared/pyodide")
ONLY_HERE = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"
NEEDED = {"a browser": find_chromium() is not None, "jupyterlite-pyodide-kernel": find_spec("jupyterlite_pyodide_kernel")}


class Handler(http.server.SimpleHTTPRequestHandler):
    """What `python -m http.server` does; counts what it sends."""

    requests, sent = 0, 0

    def log_message(self, *_):
        """Say nothing."""

    def copyfile(self, source, outputfile):
        """Send a file."""
        content = source.read()
        Handler.requests += 1
        Handler.sent += len(content)
        outputfile.write(content)

    def end_headers(self):
        """As a public host of packages does."""
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()


@contextmanager
def serve(folder):
    """The address of a folder."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Server(f"http://127.0.0.1:{server.server_port}", Path(folder))
        server.shutdown()


def build(folder, *options):
    """Run the command as a reader of the documentation does."""
    return subprocess.run([sys.executable, ROOT / "site/python/build.py", folder, *options], capture_output=True, text=True)


@pytest.fixture(scope="session")
def pyodide():
    """The folder with Pyodide's files."""
    if not (PYODIDE / "pyodide.mjs").exists():
        pytest.skip(f"no Pyodide in {PYODIDE}; set PYODIDE to a folder with its files")
    return PYODIDE


@pytest.fixture(scope="session")
def site(tmp_path_factory, pyodide):
    """The folder built with its own Python."""
    for name, found in NEEDED.items():
        if not found:
            pytest.skip(NO_BROWSER if name == "a browser" else f"{name} is not installed")
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
    with chromium(ONLY_HERE) as running:
        yield running
