"""The class benchmark, with a class of a few: what it measures, and that it tells failures."""

import asyncio
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import nbformat
import psutil
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from series import ROOT

from classroom.benchmark import GIB, Progress, held, report
from classroom.learner import Learner, changes
from helpers import explorers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it measures shared memory as Linux tells it")
EXPLORE = ["import sys; sys.path.insert(0, '..')", "from helpers.explorers import explore_score\nexplore_score()"]


@pytest.fixture
def lesson(tmp_path):
    """A function that writes a lesson of these cells, in a folder beside the helpers."""
    for name in ("helpers", "data"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "notebooks").mkdir()

    def write(name, *cells):
        path = tmp_path / "notebooks" / f"{name}.ipynb"
        nbformat.write(new_notebook(cells=[new_code_cell(cell) for cell in cells]), path)
        return path
    return write


def finished(coroutine):
    """Its result. In a thread of its own, for a browser of other tests may occupy the loop of this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


@pytest.fixture
def kernels():
    """A function: how many kernels run beyond those of other tests."""
    def running():
        children = psutil.Process().children(recursive=True)
        return {child.pid for child in children if "ipykernel_launcher" in " ".join(child.cmdline())}

    before = running()
    return lambda: len(running() - before)


@pytest.mark.slow
def test_a_class_is_measured_and_its_failures_are_told(lesson, kernels):
    well = lesson("01_well", *EXPLORE)
    wrong = lesson("02_wrong", "1 / 0", *EXPLORE)
    large = lesson("03_large", *EXPLORE, "held = bytearray(b'x') * 150_000_000")
    seen, took, busy, memory = finished(held([well, wrong, large]))
    assert kernels() == 0
    assert [one.failures for one in seen] == [[], ["ZeroDivisionError: division by zero"], []]
    assert all(0 < one.first_picture < one.finished < took for one in seen)
    controls = len(explorers.explore_score().controls)
    assert all(one.new_pictures == len(one.answers) >= 2 * controls for one in seen)
    assert 140e6 < seen[2].memory - seen[0].memory < 200e6
    assert all(0.2 < one.processor < took * psutil.cpu_count() for one in seen)
    lines = list(report(seen, took, busy, memory))
    assert lines[0].startswith("3 learners, 2 finished without failure")
    assert lines[1] == "  02_wrong: ZeroDivisionError: division by zero"
    assert "03_large took the most memory" in lines[-2]
    assert f"of {memory.total / GIB:.1f} GiB" in lines[-1]


@pytest.mark.slow
def test_a_kernel_that_dies_is_a_failure(lesson, monkeypatch):
    monkeypatch.setattr("classroom.learner.PATIENCE", 8)
    path = lesson("01_dies", "import os; os._exit(1)")
    seen, *figures = finished(held([path]))
    assert seen[0].finished is None and seen[0].failures
    assert next(iter(report(seen, *figures))).startswith("1 learners, 0 finished without failure")


def test_every_kind_of_control_is_moved():
    """Of all explorers of the series: each control has changes, as the model of its widget understands them."""
    for name in explorers.__all__:
        for control in getattr(explorers, name)().controls.values():
            if type(control).__name__ != "Play":
                state = control.get_state()
                moved = list(changes(state))
                assert moved, (name, state["_model_name"])
                for change in moved:
                    before = control.value
                    control.set_state(change)
                    assert control.value != before or change.get("value") == state.get("value")


def test_progress_ends_at_the_whole(capsys):
    progress = Progress(2)
    for _ in range(40):
        progress.step()
    assert "100%" in capsys.readouterr().err


def test_a_learner_reads_the_code_of_a_lesson(lesson):
    assert [cell.source for cell in Learner(lesson("01_well", *EXPLORE), 0, print).cells] == EXPLORE


@pytest.mark.slow
def test_make_class_runs():
    command = [sys.executable, "-m", "classroom.benchmark", "3", "03"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 learners, 3 finished without failure" in done.stdout and "What binds: " in done.stdout
