"""Five ways to hide the future, and what each of them lets through."""

import math

import ipywidgets as widgets
import numpy as np

from .. import example
from ..attention import causal_mask, softmax
from ..interactive import Explorer
from ..views import Bars, Matrix, Note
from .shared import in_text, queries_and_keys, token_slider

KINDS = ("no mask", "−∞ before", "0 before", "0 after", "renormalised")
FACTORS = [("0.1", 0.1), ("0.25", 0.25), ("1/√d_k = 0.58", 1 / math.sqrt(3)), ("1", 1.0), ("2", 2.0)]
REPLACEMENTS = {"a noun": "stone", "an adjective": "tiny"}
ROUNDING = 1e-12  # the outputs are of the size of 1


def explore_mask(sentence=example.SENTENCE):
    """Change one token and see how far each earlier output moves, for five kinds of mask.

    Parameters
    ----------
    sentence : str
        At most 12 words of the vocabulary.

    Returns
    -------
    Explorer
    """
    tokens, X = example.encode(sentence)
    S = _scores(X)

    def render(kind, factor, changed, becomes):
        word = REPLACEMENTS[becomes]
        X_changed = X.copy()
        X_changed[changed] += (example.embeddings([word]) - example.embeddings([tokens[changed]]))[0]
        A = _weights(kind, factor * S)
        A_changed = _weights(kind, factor * _scores(X_changed))
        before = slice(changed)
        moved = np.linalg.norm((A @ X - A_changed @ X_changed)[before], axis=1)
        names = [*tokens[:changed], word, *tokens[changed + 1:]]
        caption = f"{kind}: {in_text(tokens[changed])} is now {word}{_sums(A_changed)}"
        weights = Matrix.weights(A_changed, names, caption=caption, highlight=(None, changed))
        meter = Bars(moved, tokens[before], caption="how far each earlier output moved", limits=(0, 0.35), decimals=4,
                     width=150)
        return [weights, meter, Note(_reading(tokens, moved, np.abs(A - A_changed)[before]))]

    controls = {
        "kind": widgets.ToggleButtons(options=KINDS, value="0 before", description="mask"),
        "factor": widgets.SelectionSlider(options=FACTORS, value=FACTORS[2][1], description="scores ×"),
        "changed": token_slider(tokens, 6, "changed token"),
        "becomes": widgets.ToggleButtons(options=list(REPLACEMENTS), description="becomes")}
    return Explorer(controls, render, "What does a change in the future do to the past?", largest={})


def _scores(X):
    Q, K = queries_and_keys(X)
    return Q @ K.T


def _weights(kind, scores):
    M = causal_mask(len(scores))
    if kind == "no mask":
        return softmax(scores)
    if kind == "−∞ before":
        return softmax(scores + M)
    if kind == "0 before":
        return softmax(np.where(M == 0, scores, 0))
    weights = softmax(scores) * (M == 0)
    return weights if kind == "0 after" else weights / weights.sum(axis=1, keepdims=True)


def _sums(A):
    return "; rows fall short of 1" if A.sum(axis=1).min() < 1 - ROUNDING else ""


def _reading(tokens, moved, weights_moved):
    if len(moved) == 0:
        return f"Nothing stands before “{tokens[0]}”, so nothing can leak. Change a later token."
    furthest = moved.argmax()
    if moved.max() == 0:
        outputs = "All earlier outputs are equal to the last bit"
    elif moved.max() < ROUNDING:
        outputs = "The earlier outputs are equal but for rounding"
    else:
        outputs = (f"A leak: the output of “{tokens[furthest]}” (token {furthest}) moved furthest, "
                   f"by {_amount(moved.max())}")
    if weights_moved.max() < ROUNDING:
        return f"{outputs}; no earlier weight moved."
    return f"{outputs}; earlier weights moved by up to {_amount(weights_moved.max())}."


def _amount(number):
    return f"{number:.4f}" if number >= 0.0001 else f"{number:.0e}"
