"""The strict re-run finds a damaged number, holds on another processor; refresh is idempotent."""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
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


@pytest.mark.parametrize("damage", [change_a_number, leave_out_the_text])
@pytest.mark.parametrize("path", PATHS[:1], ids=lambda path: path.stem)
def test_a_damaged_text_beside_a_picture_fails_the_strict_run(path, damage, tmp_path):
    copy = copy_of_series(tmp_path) / path.name
    intact = strict_run(copy)
    assert intact.returncode == 0, intact.stdout
    notebook = nbformat.read(copy, as_version=4)
    damage([output.data for _, output in outputs(notebook) if "image/png" in output.get("data", {})][-1])
    nbformat.write(notebook, copy)
    damaged = strict_run(copy)
    assert damaged.returncode == 1
    assert " 1 failed" in "\n " + damaged.stdout.splitlines()[-1]


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
