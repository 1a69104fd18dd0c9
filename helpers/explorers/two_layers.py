"""Two heads in a row, at each moment of their training and with parts of them switched off."""

from copy import deepcopy
from functools import cache
from numbers import Integral

import ipywidgets as widgets
import numpy as np

from ..attention import attention, causal_mask, softmax
from ..interactive import Explorer
from ..tiny_model import TinyModel, train
from ..tiny_model.repeats import SYMBOLS, repeats
from ..views import Bars, Matrix, Note
from .shared import token_slider

LIKELIEST = 5  # next letters shown
SWITCHES = {"nothing": None, "head 0": 0, "head 1": 1, "token before": "before", "keys of head 1": "keys"}


def explore_two_layers(snapshots=None, text=None):
    """Go through training, switch parts off, and see both maps, the next letter and the loss on repeats.

    Parameters
    ----------
    snapshots : dict of int to TinyModel, optional
        The number of steps and the model of two layers with one head each after them; by default a training of its own.
    text : str, optional
        2 to 20 of the letters a to t; by default one that repeats a stretch of seven.

    Returns
    -------
    Explorer

    Raises
    ------
    TypeError, ValueError
        When the snapshots are no models of two layers with one head each, or the text holds something else.
    """
    snapshots = _own_snapshots() if snapshots is None else _checked(snapshots)
    ids = _read("qfjnbtaqfjnbtaqfjnb" if text is None else text)
    tokens, many = [SYMBOLS[i] for i in ids[0]], repeats(200, seed=1)
    seen = {(step, off): (_run(model, ids, off), _loss(model, many, off))
            for step, model in snapshots.items() for off in SWITCHES.values()}

    def render(step, off, target):
        (A_0, A_1, logits), (loss, right) = seen[step, SWITCHES[off]]
        chances = softmax(logits[0])
        best = np.argsort(-chances[target].round(6), kind="stable")[:LIKELIEST]
        return [Matrix.weights(A_0, tokens, caption="head 0, layer 0", highlight=target),
                Matrix.weights(A_1, tokens, caption="head 1, layer 1", highlight=target),
                Bars(chances[target, best], [SYMBOLS[i] for i in best], caption=f"after “{tokens[target]}”", limits=(0, 1)),
                Note(_reading(tokens, ids[0], A_0, A_1, chances, target, loss, right))]

    steps = sorted(snapshots)
    controls = {
        "step": widgets.SelectionSlider(options=steps, value=steps[-1], description="step"),
        "off": widgets.ToggleButtons(options=list(SWITCHES), description="switched off"),
        "target": token_slider(tokens, 15)}
    return Explorer(controls, render, "What does each of two heads in a row do for the next letter?", largest={})


def _checked(snapshots):
    if not isinstance(snapshots, dict) or not snapshots or not all(isinstance(step, Integral) for step in snapshots):
        raise TypeError(f"explore_two_layers: snapshots needs a model for each number of steps, got {snapshots!r}")
    for step, model in snapshots.items():
        if not isinstance(model, TinyModel) or (model.layers, model.H) != (2, 1) or (
                len(model.parameters["E"]) != len(SYMBOLS) or model.length < 20):
            raise ValueError(f"explore_two_layers: snapshots need models of two layers with one head each over "
                             f"{len(SYMBOLS)} symbols and at least 20 places, got {model!r} at step {step}")
    return snapshots


def _read(text):
    letters = SYMBOLS[2:]
    if not isinstance(text, str):
        raise TypeError(f"explore_two_layers: text needs a string of letters, got {type(text).__name__}")
    if not 2 <= len(text) <= 20 or any(letter not in letters for letter in text):
        raise ValueError(f"explore_two_layers: text needs 2 to 20 of the letters {letters[0]} to {letters[-1]}, got {text!r}")
    return np.array([[1, *(SYMBOLS.index(letter) for letter in text)]])[:, :20]


@cache
def _own_snapshots():
    snapshots, model = {}, TinyModel(layers=2, vocabulary=len(SYMBOLS), length=21)

    def keep(step, model):
        if step in (0, 50, 100, 150, 200, 300):
            snapshots[step] = deepcopy(model)

    train(model, repeats(20_000).ids, steps=400, batch=32, on_step=keep, label="")
    return snapshots | {400: model}


def _run(model, ids, off):
    """Maps of both heads for the first text, and the scores of the next letter for all, with something switched off."""
    p, M = model.parameters, causal_mask(ids.shape[1])
    X_0 = p["E"][ids] + p["P"][: ids.shape[1]]
    M_0 = M + np.where(np.eye(*M.shape, k=-1), -np.inf, 0.0) if off == "before" else M
    head_0 = _head(p, 0, X_0, X_0, M_0)
    X_1 = X_0 + (0 if off == 0 else head_0.O @ p["W_O0"])
    head_1 = _head(p, 1, X_1, X_0 if off == "keys" else X_1, M)
    X_2 = X_1 + (0 if off == 1 else head_1.O @ p["W_O1"])
    return head_0.A[0], head_1.A[0], X_2 @ p["U"]


def _head(p, layer, X, X_keys, M):
    return attention(X @ p[f"W_Q{layer}"], X_keys @ p[f"W_K{layer}"], X @ p[f"W_V{layer}"], M)


def _loss(model, texts, off):
    """Mean loss, and the share of right guesses, where the next letter is certain."""
    chances = softmax(_run(model, texts.ids[:, :-1], off)[2])
    answers = texts.ids[:, 1:]
    right = np.take_along_axis(chances, answers[..., None], axis=-1)[..., 0]
    return -np.log(right[texts.certain]).mean(), (chances.argmax(axis=-1) == answers)[texts.certain].mean()


def _reading(tokens, ids, A_0, A_1, chances, target, loss, right):
    best = [A[target].round(6).argmax() for A in (A_0, A_1)]
    looks = [f"{A[target, j]:.2f} to {j} {tokens[j]}" for A, j in zip((A_0, A_1), best, strict=True)]
    words = f"{target} {tokens[target]} gives {looks[0]} with head 0 and {looks[1]} with head 1."
    if target + 1 < len(tokens):
        words += f" The letter that follows, {tokens[target + 1]}, is expected with {chances[target, ids[target + 1]]:.2f}."
    return f"{words} On the repeats of 200 other texts: loss {loss:.2f}, {right:.0%} right."
