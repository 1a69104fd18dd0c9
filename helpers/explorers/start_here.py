"""A whole head at work."""

import ipywidgets as widgets

from .. import example
from ..attention import causal_mask
from ..interactive import Explorer
from ..views import Matrix, Note
from .shared import head_and_update, in_text

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
    questions = [(description.question, name) for name, description in example.HEADS.items()]

    def render(sentence, name, mask):
        tokens, X = encoded[sentence]
        head, update = head_and_update(X, name, causal_mask(len(X)) if mask == "causal" else None)
        weights = Matrix.weights(head.A, tokens, caption="where each token looks")
        reads = example.HEADS[name].reads or ["alive"]
        columns = [example.FEATURES.index(feature) for feature in reads]
        change = Matrix(update[:, columns], tokens, reads, caption="what it takes over", limit=2)
        return [weights, change, Note(_reading(tokens, head.A, name, mask))]

    controls = {
        "sentence": widgets.Dropdown(options=sentences, description="sentence"),
        "name": widgets.Dropdown(options=questions, description="head"),
        "mask": widgets.ToggleButtons(options=["causal", "none"], description="mask")}
    return Explorer(controls, render, "Where does each token look?", largest={})


def _reading(tokens, A, name, mask):
    words, first = "", 0
    if mask == "causal" or len(tokens) == 1:
        words, first = f"“{tokens[0]}” has no choice and looks at itself.", 1
    if len(tokens) > first:
        i, j = divmod(int(A[first:].round(6).argmax()), len(tokens))
        strongest = "Of the others the strongest look" if first else "The strongest look"
        words += f" {strongest}: {in_text(tokens[first + i])} gives {A[first + i, j]:.2f} to {in_text(tokens[j])}."
    if mask == "none":
        words += (" Without a mask a token also sees what comes after it, "
                  "and places are only unambiguous up to six tokens apart (lesson 01).")
    if not example.HEADS[name].reads:
        words += " This head looks but carries nothing: it adds 0."
    return words.strip()
