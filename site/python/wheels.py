"""Wheels for the Python in the browser, and their entries in the list of packages that Pyodide loads from."""

import hashlib
import zipfile
from importlib import metadata

SKIPPED = {"__pycache__", ".ipynb_checkpoints"}
WHEEL = b"Wheel-Version: 1.0\nGenerator: build.py\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def installed(name):
    """The files of an installed package of pure Python, as in its wheel, and its version.

    Returns
    -------
    files : dict, path in the wheel to bytes
    version : str
    """
    package = metadata.distribution(name)
    paths = {str(path): path.locate() for path in package.files if ".." not in path.parts and not SKIPPED & {*path.parts}}
    return {name: path.read_bytes() for name, path in paths.items() if ".dist-info/" not in name}, package.version


def folder(path, root):
    """The files in a folder: path from ``root`` to bytes."""
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in sorted(path.rglob("*"))
            if file.is_file() and not SKIPPED & {*file.parts}}


def write(target, name, version, files):
    """Write a wheel of these files into the folder ``target``, the same bytes each time; gives its path."""
    path, info = target / f"{name.replace('-', '_')}-{version}-py3-none-any.whl", f"{name.replace('-', '_')}-{version}.dist-info"
    files = files | {f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode(),
                     f"{info}/WHEEL": WHEEL}
    files[f"{info}/RECORD"] = "".join(f"{file},,\n" for file in (*files, f"{info}/RECORD")).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for file, content in files.items():
            archive.writestr(zipfile.ZipInfo(file), content, zipfile.ZIP_DEFLATED)
    return path


def entry(path, name, depends, imports=()):
    """What the list of packages says of a wheel that lies beside it."""
    return {"name": name, "version": path.name.split("-")[1], "file_name": f"./{path.name}", "install_dir": "site",
            "sha256": digest(path), "package_type": "package", "imports": list(imports), "depends": depends,
            "unvendored_tests": False}


def digest(path):
    """The SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
