"""The lessons with a Python that runs in the browser, as a folder of static files.

    python site/python/build.py _site/python [--pyodide FOLDER]

FOLDER holds the files of the Pyodide release that pyodide-lock.json names; those that are needed are checked and copied.
Without it the pages load them from Pyodide's public address.
"""

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import wheels

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))

from tools.minutes import SITE_LINE  # noqa: E402

LESSONS = "[0-9]*.ipynb"
APP = "notebooks"
FOLDERS = ("jupyter/labextensions/@jupyter-widgets/jupyterlab-manager", "lite/pyodide-kernel-extension")  # of extensions
KERNEL = "extensions/@jupyterlite/pyodide-kernel-extension/static/pypi"
ICONS = ("favicon-notebook.ico", "favicon-busy-1.ico")    # which the page asks for and JupyterLite does not bring
BAR = '<link rel="icon" href="favicon.ico"><link rel="stylesheet" href="../bar.css"><script defer src="../bar.js"></script>'
PUBLIC = "https://cdn.jsdelivr.net/pyodide/v{version}/full/"


def main():
    """Build the folder that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    parser.add_argument("--pyodide", metavar="FOLDER", help="folder of a Pyodide release, or another address of one")
    arguments = parser.parse_args()
    build(arguments.output.resolve(), arguments.pyodide)


def build(output, pyodide=None):
    """JupyterLite with the lessons in ``output``, and Python from ``pyodide`` (a folder, an address, None for Pyodide's own)."""
    lock = json.loads((HERE / "pyodide-lock.json").read_text())
    source = Path(pyodide) if pyodide and "://" not in pyodide else None
    if source:
        check(source, lock)
    lock["address"] = "./" if source else pyodide or PUBLIC.format(**lock["info"])
    shutil.rmtree(output, ignore_errors=True)
    with tempfile.TemporaryDirectory() as work:
        copy_lessons(Path(work, "contents", "notebooks"))
        for name in ("jupyter-lite.json", "overrides.json"):
            shutil.copy(HERE / name, work)
        run_jupyterlite(work, output)
    add_bar(output)
    add_python(output / "pyodide", output / KERNEL, lock)
    if source:
        for name in files_of(lock):
            shutil.copyfile(source / name, output / "pyodide" / name)
    origin = "inside" if source else f"from {lock['address']}, which needs the internet"
    print(f"Python in the browser: {origin}.", flush=True)


def files_of(lock):
    """The files of Pyodide that are needed, with their SHA-256."""
    return lock["core"] | {package["file_name"]: package["sha256"] for package in lock["packages"].values()}


def check(source, lock):
    """Leave with a message if a file of Pyodide is missing or another one."""
    for name, expected in files_of(lock).items():
        if not (source / name).is_file():
            sys.exit(f"--pyodide: {name} of Pyodide {lock['info']['version']} is missing in {source}")
        if wheels.digest(source / name) != expected:
            sys.exit(f"--pyodide: {source / name} is not the file of Pyodide {lock['info']['version']}")


def copy_lessons(target):
    """The lessons alone: notebooks/helpers.py would hide the real helpers. Their line of links leads elsewhere."""
    target.mkdir(parents=True)
    for path in (ROOT / "notebooks").glob(LESSONS):
        content = path.read_bytes()
        notebook = json.loads(content)
        first = notebook["cells"][0]
        first["source"] = SITE_LINE.sub("", "".join(first["source"]))
        notebook["metadata"]["release"] = hashlib.sha256(content).hexdigest()[:16]  # a reader's copy keeps it
        (target / path.name).write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")


def run_jupyterlite(work, output):
    """Build JupyterLite from the folder ``work``; a failure shows what it said."""
    extensions = [str(Path(sys.prefix, "share", folder)) for folder in FOLDERS]
    config = {"output_dir": str(output), "contents": ["contents"], "apps": [APP], "federated_extensions": extensions,
              "ignore_sys_prefix": True, "no_sourcemaps": True, "no_unused_shared_packages": True}
    Path(work, "jupyter_lite_config.json").write_text(json.dumps({"LiteBuildConfig": config}))
    command = [sys.executable, "-m", "jupyterlite_core", "build"]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"jupyter lite build failed:\n{(done.stdout + done.stderr)[-3000:]}")


def add_bar(output):
    """Put the line above the notebook into JupyterLite's page; the folder itself leads to the first lesson."""
    page = output / APP / "index.html"
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("</head>", f"{BAR}</head>", 1), encoding="utf-8")
    for name in ("bar.js", "bar.css"):
        shutil.copy(HERE / name, output)
    icons = output / "static/favicons"
    icons.mkdir(parents=True)
    for name in ICONS:
        shutil.copy(next(output.glob("**/favicon.ico")), icons / name)
    first = min(path.name for path in (output / "files/notebooks").iterdir())
    leads = (HERE / "first.html").read_text().replace("FIRST", f"{APP}/index.html?path=notebooks/{first}")
    (output / "index.html").write_text(leads)


def add_python(target, kernel, lock):
    """What starts Pyodide, its list of packages with ours added, and our wheels."""
    target.mkdir()
    ours = {entry["name"]: entry for entry in our_packages(target, kernel)}
    (target / "pyodide-lock.json").write_text(json.dumps(lock | {"packages": lock["packages"] | ours}))
    shutil.copy(HERE / "start.mjs", target)


def our_packages(target, kernel):
    """Write what Pyodide lacks as wheels into ``target``; gives an entry for each."""
    for name in ("ipykernel", "pyodide_kernel"):
        wheel = shutil.copy(next(kernel.glob(f"{name}-*.whl")), target)
        yield wheels.entry(Path(wheel), name.replace("_", "-"), ["ipython", "comm", "piplite"])
    for name in ("comm", "ipywidgets"):
        files, version = wheels.installed(name)
        yield wheels.entry(wheels.write(target, name, version, files), name, ["ipython", "traitlets"], [name])
    piplite = wheels.folder(HERE / "piplite", HERE)
    yield wheels.entry(wheels.write(target, "piplite", "0", piplite), "piplite", [])
    lessons = wheels.folder(ROOT / "helpers", ROOT) | wheels.folder(ROOT / "data", ROOT)
    yield wheels.entry(wheels.write(target, "lessons", "0", lessons), "lessons",
                       ["numpy", "ipywidgets", "wcwidth", "threadpoolctl"], ["helpers"])


if __name__ == "__main__":
    main()
