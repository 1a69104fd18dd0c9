"""Chromium as a printer: a page in HTML becomes a PDF."""

import shutil
import subprocess
import tempfile

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--no-pdf-header-footer", "--virtual-time-budget=5000"]


def browser():
    """The path of a Chromium.

    Raises
    ------
    SystemExit
        When none is found.
    """
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise SystemExit(f"No browser found to print with; install Chromium or put one of {', '.join(BROWSERS)} on the PATH")
    return found


def printed(path, folder):
    """Print a page into a folder, as PDF."""
    target = folder / f"{path.stem}.pdf"
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run([browser(), *FLAGS, f"--user-data-dir={profile}", f"--print-to-pdf={target}", path.as_uri()],
                       check=True, capture_output=True, timeout=120)
    return target
