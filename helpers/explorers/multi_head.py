"""Several heads on the same matrices."""

import ipywidgets as widgets

from .. import example
from ..attention import causal_mask, multi_head
from ..interactive import Explorer
from ..views import Matrix, Note
from .shared import in_text, projections

COUNTS = (1, 2, 3, 4, 6, 12)


def explore_heads(sentence=example.SENTENCE, W_Q=None, W_K=None):
    """Cut the same queries and keys into H heads; see the scores and weights of one of them.

    Parameters
    ----------
    sentence : str
        At most 12 words of the vocabulary.
    W_Q, W_K : (12, 12) arrays, optional
        Your own instead of the hand-made ones; one that is left out stays as it is.

    Returns
    -------
    Explorer

    Raises
    ------
    ValueError
        When a matrix is not finite or of another shape.
    """
    tokens, X = example.encode(sentence)
    matrices = projections("explore_heads", W_Q=W_Q, W_K=W_K)
    masks = {"causal": causal_mask(len(X)), "none": None}
    scales = {"÷ √d_k": None, "none": 1.0}
    runs = {(H, mask, scale): multi_head(X, *matrices, H, mask=masks[mask], scale=scales[scale]).heads
            for H in COUNTS for mask in masks for scale in scales}

    def render(H, head, mask, scale):
        heads, shown = runs[H, mask, scale], min(head, H - 1)
        which = f"of head {shown}, d_k = {X.shape[1] // H}"
        return [Matrix.scores(heads.S_masked[shown], tokens, caption=f"scores {which}", symbol="S_masked", decimals=1),
                Matrix.weights(heads.A[shown], tokens, caption=f"weights {which}"),
                Note(_reading(tokens, heads.A[shown], H, head, shown, mask))]

    controls = {
        "H": widgets.SelectionSlider(options=COUNTS, value=4, description="heads H"),
        "head": widgets.IntSlider(min=0, max=COUNTS[-1] - 1, value=0, description="head shown"),
        "mask": widgets.ToggleButtons(options=list(masks), description="mask"),
        "scale": widgets.ToggleButtons(options=list(scales), description="scale")}
    return Explorer(controls, render, "What do the same matrices do when they are cut into H heads?")


def _reading(tokens, A, H, head, shown, mask):
    first = 1 if mask == "causal" and len(tokens) > 1 else 0  # under a mask token 0 has no choice
    i, j = divmod(int(A[first:].round(6).argmax()), len(tokens))
    missing = f"There is no head {head}: head {shown} is the last one. " if head > shown else ""
    largest = "Token 0 has no choice; the largest weight of the others" if first else "The largest weight"
    words = (f"{missing}{H} × {12 // H} = 12 columns. {largest} in head {shown}: "
             f"{in_text(tokens[first + i])} takes {A[first + i, j]:.2f} from {in_text(tokens[j])}.")
    if mask == "none" and len(tokens) > 6:
        words += " Without a mask, tokens more than six places apart look like near ones on the circle of places."
    return words
