"""The environment: lock files, Binder, and what the Makefile says when Python will not do."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import repo2docker
from series import ROOT, committed_texts

LOCKS = ["requirements.txt", "tests/requirements.txt", "site/requirements.txt"]


# Lock files


@pytest.mark.parametrize("name", LOCKS)
def test_every_pin_is_exact_and_hashed(name):
    lines = re.sub(r"\\\n\s*", "", (ROOT / name).read_text()).splitlines()
    pins = [line for line in lines if line and not line.lstrip().startswith("#")]
    assert pins
    pin = re.compile(r"[\w.-]+(\[[\w,-]+\])?==\S+ ( *; [^\\]+? +)?(--hash=sha256:[0-9a-f]{64} *)+")
    assert [line for line in pins if not pin.fullmatch(line)] == []


@pytest.mark.parametrize("name", LOCKS[1:])
def test_the_lock_files_agree(name):
    """One .venv holds what all of them name."""
    main, other = (dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / lock).read_text(), re.MULTILINE)) for lock in (LOCKS[0], name))
    shared = main.keys() & other.keys()
    assert shared and {package: other[package] for package in shared} == {package: main[package] for package in shared}


def test_the_lock_of_npm_names_no_address():
    lock = json.loads((ROOT / "site/package-lock.json").read_text())
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert packages and all(entry["integrity"].startswith("sha512-") for entry in packages.values())
    assert not any("resolved" in entry for entry in packages.values())


def test_the_release_of_pyodide_is_the_one_that_the_readme_names():
    lock = json.loads((ROOT / "site/python/pyodide-lock.json").read_text())
    assert set(re.findall(r"\b0\.\d+\.\d+\b", (ROOT / "README.md").read_text())) == {lock["info"]["version"]}


def test_no_file_names_a_registry():
    registry = re.compile(r"index[-_]url|find[-_]links[ =\"']*(?:\w+:/{2}|/)|trusted[-_]host|:/{2}\S+/simple\b"
                          r"|files\.pythonhosted\.org")
    assert [path.name for path, text in committed_texts() if registry.search(text)] == []


def test_no_notebook_names_a_home_folder():
    home = re.compile(r"/home/\w|/Users/\w|/root/|[A-Z]:\\\\+Users")
    wrong = [path.name for path, text in committed_texts()
             if path.suffix == ".ipynb" and home.search(text)]
    assert wrong == []


MACS = [f"10_{minor}" for minor in range(9, 16)] + [f"{major}_0" for major in range(11, 15)]  # versions of macOS
SYSTEMS = {
    "Windows": ["win_amd64"],
    "Intel Mac": [f"macosx_{version}_{kind}" for version in MACS for kind in ("x86_64", "universal2")],
    "Apple silicon": [f"macosx_{version}_{kind}" for version in MACS for kind in ("arm64", "universal2")],
}


@pytest.mark.slow
@pytest.mark.parametrize("tags", SYSTEMS.values(), ids=SYSTEMS)
def test_nothing_needs_a_compiler(tags, tmp_path):
    options = [f"--platform={tag}" for tag in tags]
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-deps", "--only-binary=:all:", *options,
               "--python-version=3.12", f"--target={tmp_path}", "-r", ROOT / "requirements.txt"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


# Binder


def test_binder_takes_the_right_python_and_file(tmp_path):
    for name in ("runtime.txt", "requirements.txt"):
        shutil.copy(ROOT / name, tmp_path)
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", "."]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    dockerfile = result.stdout + result.stderr
    assert "Building conda environment for python=3.12" in dockerfile
    assert '/bin/pip install --no-cache-dir -r "requirements.txt"' in dockerfile
    assert (ROOT / "runtime.txt").read_text() == "python-3.12\n"


CONDA = {"brotli-python": "brotli", "jupyterhub-base": "jupyterhub", "nbconvert-core": "nbconvert",
         "python-fastjsonschema": "fastjsonschema"}
NOT_ON_PYPI = {"_python_abi3_support", "bleach-with-css", "ca-certificates", "cached_property",
               "cpython", "jsonschema-with-format-nongpl", "jupyterhub-singleuser", "pip",
               "python-gil", "typing-extensions", "tzdata"}  # or there under another name


def base_pins():
    """The Python packages of repo2docker's own environment, under pip's names."""
    lock = Path(repo2docker.__file__).parent / "buildpacks/conda/environment.py-3.12-linux-64.lock"
    package = re.compile(r"/([\w.-]+)-([^-/]+)-(?:pyh?|py312h?|h)[0-9a-z]*_\d+\.(?:conda|tar)")
    python = [line for line in lock.read_text().splitlines()
              if "/noarch/" in line or re.search(r"-py312h?\w+_", line)]
    for name, version in package.findall("\n".join(python)):
        if name not in NOT_ON_PYPI:
            yield f"{CONDA.get(name, name)}=={version}"


def python_3_12():
    for python in (sys.executable, shutil.which("python3.12")):
        version = [python, "-c", "import sys; print(sys.version_info[:2])"]
        if python and subprocess.run(version, capture_output=True).stdout.strip() == b"(3, 12)":
            return python
    pytest.skip("needs Python 3.12")


@pytest.mark.slow
def test_lock_fits_into_binders_environment(tmp_path):
    # By hand: python3.12 -m venv v; v/bin/pip install --no-deps PINS;
    # v/bin/pip install -r requirements.txt; v/bin/pip check
    subprocess.run([python_3_12(), "-m", "venv", tmp_path / "venv"], check=True)
    pip = [tmp_path / "venv/bin/python", "-m", "pip"]
    subprocess.run([*pip, "install", "-q", "--no-deps", *base_pins()], check=True)
    subprocess.run([*pip, "install", "-q", "-r", ROOT / "requirements.txt"], check=True)
    check = subprocess.run([*pip, "check"], capture_output=True, text=True)
    assert check.returncode == 0, check.stdout


# Makefile

FAKE = """case "$*" in
  *print*) echo {version};;
  *ensurepip*) exit {lacks_ensurepip};;
  *version_info*) exit {too_old};;
esac"""


def make_lab(folder, **answers):
    """`make lab` where the only Python gives these answers; without answers there is none."""
    (folder / "tools").mkdir()
    for name in ("Makefile", "tools/new_venv.sh"):
        shutil.copy(ROOT / name, folder / name)
    programs = folder / "bin"
    programs.mkdir()
    for name in ("sh", "make", "cmp", "id"):
        program(programs / name, f'exec {shutil.which(name)} "$@"')
    if answers:
        program(programs / "python3", FAKE.format(**answers))
    command = ["make", "--no-print-directory", "lab"]
    return subprocess.run(command, cwd=folder, env={"PATH": str(programs)}, capture_output=True, text=True)


def program(path, script):
    """Write a shell script that can be called by its name."""
    path.write_text(f"#!{shutil.which('sh')}\n{script}\n")
    path.chmod(0o755)


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({}, ["Python 3.11 or newer", "none was found"]),
        ({"version": "3.9", "too_old": 1, "lacks_ensurepip": 0}, ["python3 is 3.9", "python.org"]),
        ({"version": "3.11", "too_old": 0, "lacks_ensurepip": 1},
         ["python3 (3.11) lacks venv or ensurepip", "apt install python3-venv"]),
    ],
    ids=["no python", "old python", "no ensurepip"],
)
@pytest.mark.skipif(not shutil.which("make"), reason="needs make")
def test_unfit_python_gets_one_line(tmp_path, answers, words):
    result = make_lab(tmp_path, **answers)
    assert result.returncode != 0
    message = [line for line in result.stderr.splitlines() if not line.startswith("make: ***")]
    assert len(message) == 1
    assert [word for word in words if word not in message[0]] == []
    assert not (tmp_path / ".venv").exists()


# A lesson whose first code cell has not been run


def in_notebooks(code):
    """The last line of what Python says to this code in the folder of the lessons."""
    command = [sys.executable, "-B", "-c", code]
    result = subprocess.run(command, cwd=ROOT / "notebooks", capture_output=True, text=True)
    return (result.stdout + result.stderr).splitlines()[-1]


def test_without_the_first_cell_the_import_says_so():
    assert in_notebooks("from helpers.views import Matrix").startswith("ImportError: run the first code cell of this lesson")


def test_with_the_first_cell_the_helpers_are_found():
    first = 'import sys; sys.path.insert(0, "..")'
    assert in_notebooks(f"{first}; from helpers.views import Matrix; print(Matrix.__name__)") == "Matrix"
    late = f"try: import helpers\nexcept ImportError: {first}\nfrom helpers.views import Matrix; print(Matrix.__name__)"
    assert in_notebooks(late) == "Matrix"
