"""Is what is installed new enough for the lessons? Lesson 00 asks."""

import platform
import re
from importlib import metadata

NEEDED = {"Python": "3.11", "numpy": "2.0", "ipywidgets": "8.0"}
PROGRAMS = {"jupyterlab": "4.0", "notebook": "7.0"}  # may be installed elsewhere: named only if found and too old
REMEDY = "Close Jupyter and start it by `make lab` in the folder of the project: that installs what the lessons need."


def check():
    """Print for each thing that the lessons need whether it is new enough, and what to do if one is not."""
    print("\n".join(report(installed)))


def installed(name):
    """The version of Python or of a package, None without it."""
    try:
        return platform.python_version() if name == "Python" else metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def report(version_of):
    """The lines of `check`, with versions from `version_of(name)`.

    Examples
    --------
    >>> report({"Python": "3.12.1", "numpy": "2.1", "ipywidgets": "7.7.5"}.get)[:3]
    ['Python 3.11 or newer: True', 'numpy 2.0 or newer: True', 'ipywidgets 8.0 or newer: False, it is 7.7.5']
    """
    wanted = NEEDED | {name: least for name, least in PROGRAMS.items() if version_of(name)}
    faults = {name: _fault(version_of(name), least) for name, least in wanted.items()}
    lines = [f"{name} {least} or newer: {f'False, {faults[name]}' if faults[name] else True}"
             for name, least in wanted.items() if name in NEEDED or faults[name]]
    return lines + [REMEDY] * any(faults.values())


def _fault(version, least):
    """What is wrong with a version, None if nothing is."""
    if version is None:
        return "it is not installed"
    return f"it is {version}" if _numbers(version) < _numbers(least) else None


def _numbers(version):
    return [int(number) for number in re.findall(r"\d+", version)[:2]]
