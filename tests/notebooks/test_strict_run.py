"""The strict re-run finds a damaged number and a cell that changes when it runs again; it holds on another processor.

Refresh is idempotent.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from series import PATHS, ROOT, outputs
from test_files import NUMBER

from tools.refresh import refresh


def copy_of_series(folder):
    for name in ("helpers", "data", "notebooks"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    return folder / "notebooks"


def strict_run(*paths, **environment):
    """nbval over the paths, of this project's settings with conftest.py alone; the finished process."""
    command = [sys.executable, "-m", "pytest", "-p", "conftest", "-p", "no:cacheprovider", "-q", "--nbval",
               "--nbval-current-env", "-c", os.devnull, "--rootdir", paths[0].parent, *paths]
    return subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True)


def change_a_number(data):
    """Add 1 to the first number of a text."""
    data["text/plain"] = NUMBER.sub(
        lambda number: f"{float(number[0]) + 1:.2f}", data["text/plain"], count=1)


def leave_out_the_text(data):
    """Keep the picture alone."""
    del data["text/plain"]


def failed(paths):
    """The tests that fail in a strict run, as *file.ipynb::Cell 3*."""
    return re.findall(r"^FAILED (?:\S*/)?(.*?)(?: - .*)?$", strict_run(*paths).stdout, re.MULTILINE)


@pytest.mark.skipif(not PATHS, reason="no notebook yet")
def test_a_damaged_text_beside_a_picture_fails_the_strict_run(tmp_path):
    intact = copy_of_series(tmp_path) / PATHS[0].name
    paths = [intact]
    for damage in (change_a_number, leave_out_the_text):
        notebook = nbformat.read(intact, as_version=4)
        damage([output.data for _, output in outputs(notebook) if "image/png" in output.get("data", {})][-1])
        paths.append(intact.with_name(f"{damage.__name__}.ipynb"))
        nbformat.write(notebook, paths[-1])
    found = failed(paths)
    assert [name.partition("::")[0] for name in found] == [path.name for path in paths[1:] for _ in range(2)]
    assert [name.endswith(" again") for name in found] == [False, True] * 2


CHANGING = [  # sources with what each shows at first, and the numbers of the cells that show something else again
    ([("x = 1", None), ("x", "1"), ("y = 2", None)], []),
    ([("x = [1]", None), ("x.append(2); x", "[1, 2]")], [1]),
    ([("x = 1", None), ("x", "1"), ("x = 2", None)], [1]),
    ([("x = 1", None), ("x + 1", "2"), ("x = 'a'", None)], [1]),
    ([("n = globals().get('n', 0) + 1; n", "1")], [0]),
    ([("rng = [3, 2, 1]", None), ("rng.pop()", "1"), ("rng.pop()", "2")], [2, 1]),
]


def made(cells):
    """A notebook that has been run."""
    return new_notebook(cells=[
        new_code_cell(source, execution_count=count, outputs=[
            new_output("execute_result", {"text/plain": shown}, execution_count=count)] if shown else [])
        for count, (source, shown) in enumerate(cells, start=1)])


def test_a_cell_that_changes_when_it_runs_again_fails_the_strict_run(tmp_path):
    paths = [tmp_path / f"{number}.ipynb" for number in range(len(CHANGING))]
    for path, (cells, _) in zip(paths, CHANGING, strict=True):
        nbformat.write(made(cells), path)
    assert failed(paths) == [f"{path.name}::Cell {number} again"
                             for path, (_, again) in zip(paths, CHANGING, strict=True) for number in again]


CORES = {"Haswell": "avx2", "Sandybridge": "avx", "Nehalem": "sse4_2"}  # and what each needs


def blas_core(**environment):
    """The kind of core that OpenBLAS computes for in a new process."""
    code = "import numpy, threadpoolctl as t; print(t.threadpool_info()[0].get('architecture'))"
    command = [sys.executable, "-c", code]
    return subprocess.check_output(command, env=os.environ | environment, text=True).strip()


@pytest.mark.slow
@pytest.mark.skipif(not PATHS, reason="no notebook yet")
@pytest.mark.skipif(platform.system() != "Linux" or platform.machine() != "x86_64",
                    reason="needs the processor flags of Linux on x86-64")
def test_strict_run_on_another_core():
    flags = Path("/proc/cpuinfo").read_text().split()
    cores = [core for core, flag in CORES.items() if flag in flags and core != blas_core()]
    assert blas_core(OPENBLAS_CORETYPE=cores[0]) == cores[0]
    result = strict_run(*PATHS, OPENBLAS_CORETYPE=cores[0])
    assert result.returncode == 0, result.stdout


@pytest.mark.slow
@pytest.mark.skipif(not PATHS, reason="no notebook yet")
def test_refresh_twice_changes_nothing(tmp_path):
    folder = copy_of_series(tmp_path)
    refresh(folder)
    once = {path.name: path.read_bytes() for path in folder.iterdir()}
    refresh(folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == once
