"""The command that builds the lessons with Python in them, and a server of static files that counts what it sends."""

import functools
import http.server
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

from tests.browser.lab import ROOT, Notebook, Server

ONLY_HERE = "--host-resolver-rules=MAP classroom 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"  # classroom: a name in a LAN


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
        """Let pages of other addresses load from here, as a public host of packages does."""
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()


@contextmanager
def serve(folder):
    """A server for a folder."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Server(f"http://127.0.0.1:{server.server_port}", Path(folder))
        server.shutdown()


def build(folder, *options):
    """Run the command."""
    return subprocess.run([sys.executable, ROOT / "site/python/build.py", folder, *options], capture_output=True, text=True)


@contextmanager
def opened(browser, server, path):
    """A lesson open in a window of its own."""
    with Notebook(browser, server, path, program="lite") as notebook:
        yield notebook
