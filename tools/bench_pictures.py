"""What pictures as HTML save against pictures as PNG: the strict re-run of all lessons, and *Run All* of one in JupyterLab.

Part of ``make bench``; ``python -m tools.bench_pictures 08`` runs that lesson alone. Both ways are measured in turn.
"""

import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from tests.browser.lab import ROOT, Notebook, Window, chromium, jupyterlab

from .refresh import PICTURES

RUNS = 3
LESSON = "08"
TARGET = 1.5
WAYS = {"PNG": PICTURES, "HTML": {}}


@contextmanager
def environment(variables):
    """The environment without the switch of the pictures, and with these variables."""
    before = dict(os.environ)
    for name in PICTURES:
        os.environ.pop(name, None)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def strict_run(lessons):
    """CPU seconds of the strict re-run of these lessons, each cell once, kernels included."""
    command = [sys.executable, "-m", "pytest", "-q", "-o", "addopts=", "-k", "not again", "--nbval", "--nbval-current-env",
               *lessons]
    before = children_time()
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return children_time() - before


def children_time():
    """CPU seconds of all processes that this one has started and that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def run_all(lesson):
    """Seconds from *Run All Cells* of a lesson to its last picture in JupyterLab, the kernel being ready."""
    with (tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, jupyterlab(Path(folder)) as server,
          chromium() as browser, Window(browser, server) as window,
          Notebook(window, f"notebooks/{lesson.name}") as notebook):
        start = time.perf_counter()
        notebook.run_all()
        return time.perf_counter() - start


def compare(what, runs, measure, *arguments):
    """Print the median seconds of both ways and their ratio."""
    seconds = {way: [] for way in WAYS}
    for _ in range(runs):
        for way, variables in WAYS.items():
            with environment(variables):
                seconds[way].append(measure(*arguments))
    png, live = (median(seconds[way]) for way in WAYS)
    note = "" if png / live >= TARGET else "   below the target"
    print(f"{what:44} {png:8.1f} {live:8.1f} {png / live:6.2f}{note}", flush=True)


def main():
    """Print the table for the lessons named (03 08), or for all and *Run All* of lesson 08."""
    wanted = tuple(sys.argv[1:])
    lessons = sorted(path for path in (ROOT / "notebooks").glob("[0-9]*.ipynb") if path.name.startswith(wanted or ""))
    print(f"{'':44} {'PNG s':>8} {'HTML s':>8} {'ratio':>6}   (target: {TARGET})")
    compare(f"strict re-run of {len(lessons)} lessons, CPU", 1, strict_run, lessons)
    for lesson in [path for path in lessons if path.name.startswith(wanted or LESSON)]:
        compare(f"Run All of {lesson.stem} in JupyterLab", RUNS, run_all, lesson)


if __name__ == "__main__":
    main()
