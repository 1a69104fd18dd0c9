"""Python in the browser finds the same numbers, though its whole numbers have 32 bits and its products no BLAS."""

import subprocess
import sys

import pytest
from served_lessons import opened

from tests.browser.lab import ROOT

EXPLORERS = """
import hashlib
from helpers import explorers
BITS = {"All earlier outputs are equal to the last bit": "equal",  # the mask explorer tells the last bit, which may differ
        "The earlier outputs are equal but for rounding": "equal"}
for name in sorted(name for name in dir(explorers) if name.startswith("explore_")):
    one = getattr(explorers, name)()
    texts = "\\n".join(view.text() for state in one.states() for view in one.views(**state))
    for words, instead in BITS.items():
        texts = texts.replace(words, instead)
    print(name, hashlib.sha256(texts.encode()).hexdigest())
"""
DOCTESTS = """
import doctest, importlib, pkgutil
import helpers
for found in pkgutil.walk_packages(helpers.__path__, "helpers."):
    if found.name not in without:
        print(found.name, doctest.testmod(importlib.import_module(found.name)))
"""
NEED_MATPLOTLIB = {"helpers.views.axes_canvas", "helpers.views.drawn_matrix", "helpers.views.picture"}
RUN = """async code => { let said = '';
    const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel, future = kernel.requestExecute({code});
    future.onIOPub = message => { said += message.content.text ?? message.content.evalue ?? ''; };
    await future.done;
    return said; }"""


@pytest.mark.slow
@pytest.mark.parametrize("code", [EXPLORERS, f"without = {NEED_MATPLOTLIB}{DOCTESTS}"], ids=["explorers", "doctests"])
def test_as_outside(code, server, browser):
    outside = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "failed=0" in outside or code == EXPLORERS
    with opened(browser, server, "notebooks/03_scores.ipynb") as notebook:
        assert notebook.page.evaluate(RUN, code).splitlines() == outside.splitlines()
