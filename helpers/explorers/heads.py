"""Several heads on the same matrices."""

import ipywidgets as widgets

from .. import example
from ..attention import causal_mask, multi_head
from ..interactive import Explorer
from ..views import Matrix, Note

COUNTS = (1, 2, 3, 4, 6, 12)
SCALES = {"÷ √d_k": None, "none": 1.0}


def explore_heads(sentence=example.SENTENCE, W_Q=None, W_K=None, W_V=None, W_O=None):
    """Cut the same four matrices into H heads; see the scores and weights of one of them.

    Parameters
    ----------
    sentence : str
        At most 12 words of the vocabulary.
    W_Q, W_K, W_V, W_O : (12, 12) arrays, optional
        Your own instead of the hand-made ones; each one that is left out stays as it is.

    Returns
    -------
    Explorer

    Raises
    ------
    ValueError
        When a matrix is not (12, 12).
    """
    tokens, X = example.encode(sentence)
    matrices = [made if own is None else own
                for own, made in zip((W_Q, W_K, W_V, W_O), example.projections(), strict=True)]
    runs = {(H, mask, scale): multi_head(X, *matrices, H, mask=causal_mask(len(X)) if mask == "causal" else None,
                                         scale=SCALES[scale])
            for H in COUNTS for mask in ("causal", "none") for scale in SCALES}

    def render(H, head, mask, scale):
        heads, shown, d_k = runs[H, mask, scale].heads, min(head, H - 1), X.shape[1] // H
        scores = Matrix(heads.masked[shown], tokens, tokens, "scores", f"scores of head {shown}", "S",
                        ("target i", "source j"))
        weights = Matrix(heads.weights[shown], tokens, tokens, "weights", f"weights of head {shown}", "A",
                         ("target i", "source j"))
        return [scores, weights, Note(_reading(tokens, heads.weights[shown], H, head, shown, d_k, mask))]

    controls = {
        "H": widgets.SelectionSlider(options=COUNTS, value=4, description="heads H"),
        "head": widgets.IntSlider(min=0, max=COUNTS[-1] - 1, value=0, description="head shown"),
        "mask": widgets.ToggleButtons(options=["causal", "none"], description="mask"),
        "scale": widgets.ToggleButtons(options=list(SCALES), description="scale")}
    return Explorer(controls, render, "What do the same matrices do when they are cut into H heads?")


def _reading(tokens, weights, H, head, shown, d_k, mask):
    i, j = divmod(int(weights[1:].round(6).argmax()), len(tokens)) if len(tokens) > 1 else (-1, 0)
    words = f"{H} heads × d_k {d_k} = 12 columns. Head {shown}: {tokens[i + 1]} gives {weights[i + 1, j]:.2f} to {tokens[j]}."
    if head > shown:
        words += f" There is no head {head}; this is the last one."
    if mask == "none":
        words += " Without a mask places are only unambiguous up to six tokens apart."
    return words
