"""Lesson 00 names what is too old, and the lock files ask for the same."""

import re

import pytest
from series import ROOT

from helpers import environment
from helpers.environment import NEEDED, PROGRAMS, REMEDY, report

GOOD = {"Python": "3.11.0", "numpy": "2.0.0", "ipywidgets": "8.0.0"}
TRUE = ["Python 3.11 or newer: True", "numpy 2.0 or newer: True", "ipywidgets 8.0 or newer: True"]


@pytest.mark.parametrize(
    "more", [{}, {"numpy": "10.0rc1"}, {"Python": "3.14.0a1"}, {"jupyterlab": "4.0.0"}, {"notebook": "7.4", "jupyterlab": "5.0"}])
def test_new_enough(more):
    assert report((GOOD | more).get) == TRUE


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({"numpy": "1.26.4"}, "numpy 2.0 or newer: False, it is 1.26.4"),
        ({"ipywidgets": "7.8.5"}, "ipywidgets 8.0 or newer: False, it is 7.8.5"),
        ({"ipywidgets": None}, "ipywidgets 8.0 or newer: False, it is not installed"),
        ({"Python": "3.9.18"}, "Python 3.11 or newer: False, it is 3.9.18"),
        ({"jupyterlab": "3.6.8"}, "jupyterlab 4.0 or newer: False, it is 3.6.8"),
        ({"notebook": "6.5.7"}, "notebook 7.0 or newer: False, it is 6.5.7"),
    ],
)
def test_too_old(more, line):
    found = report((GOOD | more).get)
    assert line in found
    assert len([words for words in found if "False" in words]) == 1
    assert found[-1] == REMEDY


def test_here_all_is_well(capsys):
    environment.check()
    assert capsys.readouterr().out.splitlines() == TRUE


def test_packages_are_not_imported_to_be_checked():
    imported = re.findall(r"^(?:import|from) (\w+)", (ROOT / "helpers/environment.py").read_text(), re.MULTILINE)
    assert imported == ["platform", "re", "importlib"]


def test_the_lock_files_ask_for_the_same():
    text = (ROOT / "requirements.in").read_text(encoding="utf-8")
    bounds = dict(re.findall(r"^([\w-]+)>=([\d.]+)", text, re.MULTILINE))
    assert bounds == {name: least for name, least in (NEEDED | PROGRAMS).items() if name != "Python"}
