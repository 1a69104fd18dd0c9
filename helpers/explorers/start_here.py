"""A whole head at work."""

import ipywidgets as widgets
import numpy as np

from .. import example
from ..attention import attention, causal_mask
from ..interactive import Explorer
from ..views import Matrix, Note

SENTENCES = (example.SENTENCE, "The old king saw a tiny blue bird.", "A woolly cat crossed the quiet mossy garden.")


def explore_head(sentence=None):
    """Choose a sentence, a mask and a head; see where each token looks and what that adds to it.

    Parameters
    ----------
    sentence : str, optional
        Your own sentence, at most 12 words of the vocabulary; it is offered first.

    Returns
    -------
    Explorer
    """
    if sentence is not None:
        example.tokenize(sentence)
    sentences = ([] if sentence is None else [sentence]) + [s for s in SENTENCES if s != sentence]
    encoded = {s: example.encode(s) for s in sentences}

    def render(sentence, head, mask):
        tokens, X = encoded[sentence]
        W_Q, W_K, W_V, W_O = example.projections(head)
        A = attention(X @ W_Q, X @ W_K, X @ W_V, causal_mask(len(X)) if mask == "causal" else None)
        weights = Matrix.weights(A.A, tokens, caption="where each token looks")
        reads = example.HEADS[head].reads or ["alive"]
        update = (A.O @ W_O)[:, [example.FEATURES.index(feature) for feature in reads]]
        change = Matrix(update, tokens, reads, caption="what it takes over", limit=2)
        return [weights, change, Note(_reading(tokens, A.A, head, mask))]

    controls = {
        "sentence": widgets.Dropdown(options=sentences, description="sentence"),
        "head": widgets.Dropdown(options=[(h.question, name) for name, h in example.HEADS.items()], description="head"),
        "mask": widgets.ToggleButtons(options=["causal", "none"], description="mask")}
    return Explorer(controls, render, "Where does each token look?")


def _reading(tokens, weights, head, mask):
    best = weights.argmax(axis=1)
    i = int(np.argmax(weights.max(axis=1) * (np.arange(len(tokens)) > 0)))
    words = f"The strongest look: {tokens[i]} gives {weights[i, best[i]]:.2f} to {tokens[best[i]]}."
    if mask == "none":
        words += " Without a mask a token also sees what comes after it, and places are only unambiguous up to six tokens apart."
    if not example.HEADS[head].reads:
        words += " This head looks but carries nothing: it adds 0."
    return words
