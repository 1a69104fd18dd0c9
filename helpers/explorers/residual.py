"""What a head adds to a token, and which changes it can write at all."""

import ipywidgets as widgets
import numpy as np

from .. import example
from ..attention import causal_mask
from ..interactive import Explorer
from ..style import number
from ..views import Bars, Matrix, Note
from .shared import head_and_update, in_text, own_numbers, token_slider

NEAR = 1e-9  # rounding leaves this much of an entry that is zero
SEED = 47    # keeps all twelve singular values well above zero
WANTED = {"fluffy +1": ("fluffy", 1), "alive −1": ("alive", -1)}


def explore_residual(sentence=example.SENTENCE):
    """One token before and after a head: its update added, or put in its place.

    Parameters
    ----------
    sentence : str
        1 to 12 words of the vocabulary.

    Returns
    -------
    Explorer

    Raises
    ------
    TypeError, ValueError
        As `example.encode`.
    """
    tokens, X = example.encode(sentence)
    results = {name: head_and_update(X, name, causal_mask(len(X))) for name in example.HEADS}

    def render(target, name, update):
        head, change = results[name]
        new = X + change if update == "added" else change
        parts = [X[target], change[target], new[target]]
        return [Matrix.weights(head.A[[target]], ["takes from"], tokens, caption=f"row of {in_text(tokens[target])}", axes=None),
                Matrix(parts, ["x", "Δx", "x′"], example.FEATURES, caption=f"{in_text(tokens[target])}, Δx {update}",
                       highlight=2, limit=2),
                Matrix(new, tokens, example.FEATURES, caption="all tokens", symbol="X′", highlight=target, limit=2,
                       colours_only=True),
                Note(_reading(tokens[target], name, update, *parts))]

    controls = {
        "target": token_slider(tokens, 3),
        "name": widgets.ToggleButtons(options=list(example.HEADS), description="head"),
        "update": widgets.ToggleButtons(options=["added", "in place of x"], description="Δx is")}
    return Explorer(controls, render, "What does a head change in a token, and what is lost?")


def explore_value_map(change=None):
    """Widen a head from d_v 1 to 12 and watch its singular values, and how much of a wanted change it can write.

    Parameters
    ----------
    change : (d_model,) array, optional
        The change you want to write, offered first.

    Returns
    -------
    Explorer

    Raises
    ------
    ValueError
        When change is not finite, zero throughout, or of another shape.
    """
    d_model = len(example.FEATURES)
    rng = np.random.default_rng(SEED)
    made = {"random": rng.normal(size=(2, d_model, d_model)) / np.sqrt(d_model), "by hand": _by_hand(d_model)}
    wanted = _wanted(change, rng.normal(size=d_model))
    maps = {(name, d_v): _value_map(W_V[:, :d_v], W_O[:d_v])
            for name, (W_V, W_O) in made.items() for d_v in range(1, d_model + 1)}

    def render(d_v, matrices, wanted_change, shown):
        product, stretches, writes = maps[matrices, d_v]
        w = wanted[wanted_change]
        nearest = w @ writes                                 # (d_model,) @ (d_model, d_model)
        part = (np.linalg.norm(nearest / np.abs(w).max()) / np.linalg.norm(w / np.abs(w).max())) ** 2
        rank = int((stretches > NEAR).sum())
        if shown == "W_V W_O":
            matrix = Matrix(product, example.FEATURES, example.FEATURES, caption="W_V W_O, from feature to feature", limit=2)
        else:
            matrix = Matrix([w, nearest, w - nearest], ["wanted", "written", "missing"], example.FEATURES,
                            caption="the nearest change that this head can write", highlight=1, limit=2)
        return [Bars(stretches, [str(i + 1) for i in range(d_model)],
                     caption=f"{rank} of {d_model} singular values are above 0", limits=(0, 2.5), width=140),
                matrix,
                Note(f"d_v = {d_v}: the rank of W_V W_O is {rank}. Of the wanted change {part:.2f} can be written, "
                     f"{max(1 - part, 0):.2f} is missing (parts of its squared length).")]

    controls = {
        "d_v": widgets.IntSlider(value=3, min=1, max=d_model, description="d_v"),
        "matrices": widgets.ToggleButtons(options=list(made), description="W_V, W_O"),
        "wanted_change": widgets.ToggleButtons(options=list(wanted), description="wanted"),
        "shown": widgets.ToggleButtons(options=["the change", "W_V W_O"], description="shown")}
    return Explorer(controls, render, "Which changes can a head of width d_v write?", largest={"shown": "W_V W_O"})


def _reading(token, name, update, x, change, new):
    written = [f"{feature} {number(value, 2, '−')}" for feature, value in zip(example.FEATURES, change, strict=True)
               if abs(value) >= 0.005]
    lost = [feature for feature, old, now in zip(example.FEATURES, x, new, strict=True)
            if abs(old) > NEAR and abs(now) <= NEAR]
    what = f"The head “{name}” writes {', '.join(written) or 'nothing'} into {in_text(token)}."
    return f"{what} Δx {update}: {', '.join(lost) + ' lost' if lost else 'no feature is lost'}."


def _by_hand(d_model):
    """One feature a column, those that the heads of the lessons read first, and back with the factor 2."""
    first = [feature for head in example.HEADS.values() for feature in head.reads]
    order = [example.FEATURES.index(feature) for feature in first]
    order += [i for i in range(d_model) if i not in order]
    W_V = np.eye(d_model)[:, order]
    return W_V, 2 * W_V.T


def _value_map(W_V, W_O):
    """The map in one matrix, its singular values, and the projection on the changes that W_O can write."""
    product = W_V @ W_O                                      # (d_model, d_v) @ (d_v, d_model)
    return product, np.linalg.svd(product, compute_uv=False), np.linalg.pinv(W_O) @ W_O


def _wanted(change, random):
    known = {"a random change": random}
    for name, (feature, value) in WANTED.items():
        known[name] = value * np.eye(len(example.FEATURES))[example.FEATURES.index(feature)]
    if change is None:
        return known
    [change] = own_numbers("explore_value_map", change=(change, "(12,)"))
    if not change.any():
        raise ValueError("explore_value_map: change needs a number other than zero")
    return {"your change": change, **known}
