"""All matrices of one head at once."""

import ipywidgets as widgets
import numpy as np

from .. import example
from ..attention import attention, causal_mask
from ..interactive import Explorer
from ..views import Matrix, Note
from .controls import token_slider

SCALES = {"÷ √d_k": np.sqrt, "none": lambda d_k: 1.0}
WIDTHS = (1, 2, 3, 6, 12)


def explore_single_head(sentence=example.SENTENCE):
    """Choose a target, the mask, the scale and d_k; see raw, scaled and masked scores, weights and output.

    Parameters
    ----------
    sentence : str
        At most 12 words of the vocabulary.

    Returns
    -------
    Explorer
    """
    tokens, X = example.encode(sentence)
    W_Q, W_K, W_V, _ = example.projections("adjectives")
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    carried = example.HEADS["adjectives"].reads

    def render(target, mask, scale, d_k):
        q, k = _first_features(Q, K, d_k)
        M = causal_mask(len(X)) if mask == "causal" else None
        head = attention(q, k, V, M, scale=1 / SCALES[scale](d_k))
        squares = [Matrix(values, tokens, tokens, kind, caption, symbol, ("target i", "source j"), target, limit)
                   for values, kind, caption, symbol, limit in (
                       (head.raw, "scores", "raw scores Q Kᵀ", "S", None),
                       (head.scaled, "scores", f"scaled: {scale}", "S", np.abs(head.raw).max()),
                       (head.masked, "scores", f"masked: {mask}", "S", np.abs(head.raw).max()),
                       (head.weights, "weights", "softmax of each row", "A", None))]
        output = Matrix(head.output, tokens, carried, caption="A V", symbol="O", highlight=target, limit=1)
        return [*squares, output, Note(_reading(tokens, head, target, carried, d_k))]

    controls = {
        "target": token_slider(tokens, 3),
        "mask": widgets.ToggleButtons(options=["causal", "none"], description="mask"),
        "scale": widgets.ToggleButtons(options=list(SCALES), description="scale"),
        "d_k": widgets.SelectionSlider(options=WIDTHS, value=3, description="d_k")}
    return Explorer(controls, render, "One head, from raw scores to output")


def _first_features(Q, K, d_k):
    """The first d_k features of queries and keys; beyond the head's own three they are random, always the same."""
    rng = np.random.default_rng(0)
    more = np.zeros((2, len(Q), 0)) if d_k <= Q.shape[1] else rng.standard_normal((2, len(Q), d_k - Q.shape[1]))
    return np.hstack([Q, more[0]])[:, :d_k], np.hstack([K, more[1]])[:, :d_k]


def _reading(tokens, head, target, carried, d_k):
    weights = head.weights[target]
    best = np.argsort(-weights.round(6), kind="stable")[:2]
    looks = " and ".join(f"{tokens[j]} {weights[j]:.2f}" for j in best)
    gets = ", ".join(f"{name} {value + 0.0:.2f}" for name, value in zip(carried, head.output[target], strict=True))
    features = f"{d_k} of 3 features" if d_k < 3 else "all 3 features" if d_k == 3 else f"3 features and {d_k - 3} random ones"
    return f"{tokens[target]} with {features}: most to {looks}. Output: {gets}."
