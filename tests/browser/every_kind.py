"""A notebook that has every kind of control."""

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

SETUP = """
import sys; sys.path.insert(0, "..")
import ipywidgets as widgets
import numpy as np
from helpers.interactive import Explorer
from helpers.views import Arrows, Bars, Curves, Matrix
"""
ALL_KINDS = """
WORDS = ["creature", "fluffy", "blue", "forest"]
def render(word, power, mask, view, signs):
    row = WORDS.index(word)
    values = np.linspace(0.1, 0.9, 16).reshape(4, 4) ** power * (np.tri(4) if mask == "causal" else 1)
    picture = {"bars": Bars(values[row], WORDS, caption="one row", symbol="Q"),
               "curves": Curves(np.arange(4), {"row": values[row], "next": values[row - 1]}, caption="two rows", x_label="j"),
               "arrows": Arrows(values[:, :2], WORDS, caption="points")}[view]
    wide = Matrix(np.tile(values, 4) * (1 - 2 * signs), WORDS, WORDS * 4, kind="scores", caption="wide", symbol="K",
                  axes=("target", "source"))
    return [Matrix.weights(values, WORDS, caption="weights", highlight=row), picture, wide]

explorer = Explorer({
    "word": widgets.SelectionSlider(options=WORDS, description="word that asks"),
    "power": widgets.IntSlider(min=1, max=5, description="power"),
    "mask": widgets.ToggleButtons(options=["none", "causal"], description="mask"),
    "view": widgets.Dropdown(options=["bars", "curves", "arrows"], description="view"),
    "signs": widgets.Checkbox(description="negative"),
}, render, "What does each control do?")
explorer
"""
COUNT = "len(get_ipython().kernel.comm_manager.comms)"
FRAGILE = """
def fragile(n):
    if n == 30:
        raise ValueError("thirty is not possible")
    return [Matrix(np.full((3, 3), n / 100), kind="weights", caption=f"n = {n}")]

Explorer({"n": widgets.IntSlider(max=100, description="n")}, fragile, "What survives?")
"""
PLAYED = """
Explorer({"step": widgets.Play(max=50, interval=60, description="step")},
         lambda step: [Bars([step], caption=f"step {step}")], "What passes?")
"""
NOTED = """
from helpers.views import Note
Explorer({"n": widgets.IntSlider(max=9, description="n")},
         lambda n: [Bars([n], caption=f"{n}"), Note(f"n is {n}")], "What is heard?")
"""
BARE = "widgets.IntSlider(description='bare')"
QUIZ = "from helpers.quiz import quiz; quiz('review')"
CELLS = {"setup": SETUP, "all": ALL_KINDS, "count": COUNT, "again": "explorer", "count-again": COUNT,
         "fragile": FRAGILE, "played": PLAYED, "noted": NOTED, "bare": BARE, "quiz": QUIZ, "last": "None"}
KINDS = ["word that asks", "power", "mask", "view", "negative"]


def write(server, name):
    """The notebook as a file in the server's folder of lessons; gives its path."""
    cells = [new_markdown_cell("# Every kind of control", id="title")]
    cells += [new_code_cell(source.strip(), id=name) for name, source in CELLS.items()]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(new_notebook(cells=cells, metadata=kernel), server.project / "notebooks" / name)
    return f"notebooks/{name}"


def in_cell(notebook, name, selector):
    """Elements in the output of a cell."""
    return notebook.page.locator(".jp-Cell").nth(place(name)).locator(selector)


def place(name):
    """The index of a cell."""
    return 1 + list(CELLS).index(name)
