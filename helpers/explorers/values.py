"""The output of one token as a point among the values it takes from."""

import ipywidgets as widgets
import numpy as np

from .. import example, style
from ..attention import causal_mask
from ..interactive import Explorer
from ..views import Arrows, Bars, Matrix, Note
from ..views.arrows import outline
from .shared import head_and_update, in_text, own_numbers

WEIGHTS = [(f"{tenths / 10:.1f}", tenths / 10) for tenths in range(11)]
NEAR = 1e-9  # of the largest value: what rounding may add to a way


def explore_values(sentence=example.SENTENCE, W_V=None):
    """Set the weights of two tokens and watch the output move among the values.

    Parameters
    ----------
    sentence : str
        3 to 12 words of the vocabulary. The target is its first noun with two tokens before it (else the last
        token); the weights set are those of the two tokens from which it takes most.
    W_V : (d_model, 2) array, optional
        Your own, offered first.

    Returns
    -------
    Explorer

    Raises
    ------
    ValueError
        When the sentence has fewer than 3 tokens, or W_V is not finite or of another shape.
    """
    tokens, X = example.encode(sentence)
    if len(tokens) < 3:
        raise ValueError(f"explore_values: sentence needs at least 3 tokens, two to set and one for the rest, "
                         f"got {len(tokens)}")
    target = _target(X)
    tokens, X = tokens[:target + 1], X[:target + 1]          # the others come later; it may not look at them
    pair = _most_looked_at(X)
    others = [j for j in range(len(tokens)) if j not in pair]
    places = {name: (X @ W, axes) for name, (W, axes) in _projections(W_V).items()}
    rests = {"all others": others, tokens[others[-1]]: others[-1:]}

    def render(first, second, rest, values):
        V, axes = places[values]                             # (T, 2)
        weights, left = np.zeros(len(tokens)), round(1 - first - second, 1) + 0.0
        weights[pair] = first, second
        weights[rests[rest]] = left / len(rests[rest])
        o = weights @ V                                      # (T,) @ (T, 2) -> (2,)
        taken = Bars(weights, tokens, caption=f"weights of {in_text(tokens[target])}", limits=(-1, 1), width=140)
        parts = Matrix([*(weights[:, None] * V), o], [*tokens, "sum"], axes, caption="weight × value",
                       highlight=len(tokens), limit=np.abs(V).max())
        centre = (V.min(axis=0) + V.max(axis=0)) / 2
        plane = Arrows([*V, o], [*tokens, "o"], caption=f"o of {in_text(tokens[target])} among the values",
                       symbols=["v"] * len(V) + ["o"], points=True, axes=axes, limit=1.3 * np.abs(V - centre).max(),
                       centre=centre, highlight=len(V), hull=range(len(V)))
        return [taken, parts, plane, Note(_reading([tokens[j] for j in pair], first, second, left, o, V))]

    controls = {
        "first": widgets.SelectionSlider(options=WEIGHTS, value=0.5, description=f"weight of {tokens[pair[0]]}"),
        "second": widgets.SelectionSlider(options=WEIGHTS, value=0.3, description=f"weight of {tokens[pair[1]]}"),
        "rest": widgets.ToggleButtons(options=list(rests), description="the rest goes to"),
        "values": widgets.ToggleButtons(options=list(places), description="values")}
    return Explorer(controls, render, "Where among the values does the output stand?")


def _target(X):
    nouns = np.flatnonzero(X[2:, example.FEATURES.index("noun")]) + 2
    return nouns[0] if len(nouns) else len(X) - 1


def _most_looked_at(X):
    """The two tokens that the last one gives the largest weights, in their order."""
    head, _ = head_and_update(X, "adjectives", causal_mask(len(X)))
    weights = head.A[-1]
    return sorted(np.argsort(-weights.round(6), kind="stable")[:2].tolist())


def _projections(W_V):
    """Two columns each, and what they mean."""
    _, _, W_head, _ = example.projections("adjectives")
    W_random = np.random.default_rng(81).normal(size=(len(example.FEATURES), 2))
    known = {"fluffy, blue": (W_head[:, :2], ("fluffy", "blue")), "random W_V": (W_random, ("first", "second"))}
    if W_V is None:
        return known
    [W_V] = own_numbers("explore_values", W_V=(W_V, "(12, 2)"))
    return {"your W_V": (W_V, ("first", "second")), **known}


def _inside(point, corners):
    """Whether the point lies in the corners' hull: it makes the way around them no longer."""
    return bool(_around(np.vstack([corners, point])) <= _around(corners) + NEAR * np.abs(corners).max())


def _around(points):
    corners = np.array(outline(points))
    return np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).sum()


def _reading(pair, first, second, left, o, V):
    place = "inside the hull of the values" if _inside(o, V) else "outside the hull of the values"
    where = f"The output stands at ({style.number(o[0], minus='−')}, {style.number(o[1], minus='−')}), {place}."
    if left < 0:
        return (f"{pair[0]} and {pair[1]} take {first + second:.1f}, more than there is: the rest would be "
                f"−{-left:.1f}, and no softmax gives that. {where}")
    return f"{pair[0]} {first:.1f}, {pair[1]} {second:.1f}, and {left:.1f} is left for the rest. {where}"
