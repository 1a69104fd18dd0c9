"""All matrices of one head at once."""

import ipywidgets as widgets
import numpy as np

from .. import example
from ..attention import attention, causal_mask
from ..interactive import Explorer
from ..style import number
from ..views import Matrix, Note
from .shared import in_text, projections, token_slider

WIDTHS = (1, 2, 3, 6, 12)
STEPS = {"all five": range(5), "scale": (0, 1), "mask": (1, 2), "softmax": (2, 3), "A V": (3, 4)}    # before and after


def explore_single_head(sentence=example.SENTENCE, W_Q=None, W_K=None, W_V=None):
    """Choose a target, the mask, the scale and d_k; see raw, scaled and masked scores, weights and output.

    All five matrices in colours, or with their numbers the two before and after one step.

    Parameters
    ----------
    sentence : str
        At most 12 words of the vocabulary.
    W_Q, W_K, W_V : (12, 3) arrays, optional
        Your own instead of the hand-made ones; each one that is left out stays as it is.

    Returns
    -------
    Explorer

    Raises
    ------
    ValueError
        When a matrix is not finite or of another shape.
    """
    tokens, X = example.encode(sentence)
    matrices = projections("explore_single_head", "adjectives", W_Q=W_Q, W_K=W_K, W_V=W_V)
    Q, K, V = (X @ W for W in matrices[:3])
    carried = ["first", "second", "third"] if W_V is not None else example.HEADS["adjectives"].reads
    masks = {"causal": causal_mask(len(X)), "none": None}
    scales = {"÷ √d_k": None, "none": 1.0}
    heads = {(mask, scale, d_k): attention(*_features(Q, K, d_k), V, masks[mask], scales[scale])
             for mask in masks for scale in scales for d_k in WIDTHS}

    def render(target, mask, scale, d_k, step):
        head, small = heads[mask, scale, d_k], step == "all five"
        say = lambda caption: "" if small else caption  # noqa: E731
        look = {"highlight": target, "colours_only": small}
        scores = {**look, "limit": np.abs(head.S).max()}
        matrices = [Matrix.scores(head.S, tokens, caption=say("raw scores Q Kᵀ"), **scores),
                    Matrix.scores(head.S_scaled, tokens, caption=say(f"after the scale: {scale}"), symbol="S_scaled", **scores),
                    Matrix.scores(head.S_masked, tokens, caption=say(f"after the mask: {mask}"), symbol="S_masked", **scores),
                    Matrix.weights(head.A, tokens, caption=say("softmax of each row"), **look),
                    Matrix(head.O, tokens, carried, caption=say("A V"), symbol="O", limit=np.abs(V).max(), **look)]
        return [*(matrices[place] for place in STEPS[step]), Note(_reading(tokens, head, target, carried, d_k))]

    controls = {
        "target": token_slider(tokens, 3),
        "mask": widgets.ToggleButtons(options=list(masks), description="mask"),
        "scale": widgets.ToggleButtons(options=list(scales), description="scale"),
        "d_k": widgets.SelectionSlider(options=WIDTHS, value=3, description="d_k"),
        "step": widgets.ToggleButtons(options=list(STEPS), description="step shown")}
    return Explorer(controls, render, "What does each step of a head do to its matrices?", largest={"step": "scale"})


def _features(Q, K, d_k):
    """The first d_k features of queries and keys; beyond the head's own three they are random, always the same."""
    more = np.random.default_rng(0).standard_normal((2, len(Q), WIDTHS[-1] - Q.shape[1]))
    return np.hstack([Q, more[0]])[:, :d_k], np.hstack([K, more[1]])[:, :d_k]


def _reading(tokens, head, target, carried, d_k):
    weights = head.A[target]
    best = np.argsort(-weights.round(6), kind="stable")[:2]
    looks = " and ".join(f"{weights[j]:.2f} from {in_text(tokens[j])}" for j in best)
    gets = ", ".join(f"{name} {number(value, 2, '−')}" for name, value in zip(carried, head.O[target], strict=True))
    features = f"{min(d_k, 3)} of the head's 3 features" + (f" and {d_k - 3} random ones" if d_k > 3 else "")
    return f"d_k = {d_k}, {features}. {in_text(tokens[target])} takes {looks}. Its output: {gets}."
