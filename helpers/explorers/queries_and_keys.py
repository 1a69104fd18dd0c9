"""What a head asks and what it looks at."""

import ipywidgets as widgets
import numpy as np

from .. import example
from ..interactive import Explorer
from ..views import Arrows, Matrix, Note
from .shared import in_text, token_slider

KINDS = {"adjective": "adj", "determiner": "det", "verb": "verb", "noun": "noun"}


def explore_question(sentence=example.SENTENCE):
    """Turn what a noun looks for: the kind of word, and how far back.

    Parameters
    ----------
    sentence : str
        At most 12 words of the vocabulary.

    Returns
    -------
    Explorer
    """
    tokens, X = example.encode(sentence)

    def render(token, kind, tokens_back):
        head = example.HEADS["adjectives"]._replace(offers={KINDS[kind]: 1}, tokens_back=tokens_back)
        Q, K = X @ head.W_Q(), X @ head.W_K()
        q = Q[token]
        places = Arrows(np.vstack([K[:, 1:], q[1:] / head.place]), [*tokens, f"q {tokens[token]}"],
                        caption="Where the query points among the places", symbols=["k"] * len(tokens) + ["q"],
                        axes=("cos", "sin"), limit=1, highlight=len(tokens))
        asks = Matrix([q], [tokens[token]], example.QK_COLUMNS, symbol="q", caption="what it asks", limit=8)
        labels = Matrix(K, tokens, example.QK_COLUMNS, symbol="K", caption="the label of each token")
        return [asks, labels, places, Note(_reading(tokens, token, kind, tokens_back, q))]

    nouns = [i for i, x in enumerate(X) if x[example.FEATURES.index("noun")]]
    controls = {
        "token": token_slider(tokens, (nouns or [len(tokens) - 1])[0], "token that asks"),
        "kind": widgets.Dropdown(options=list(KINDS), description="a noun seeks"),
        "tokens_back": widgets.SelectionSlider(options=[k / 2 for k in range(9)], value=1.5, description="tokens back")}
    return Explorer(controls, render, "What does a token look for, and where?")


def _reading(tokens, token, kind, tokens_back, q):
    what = f"seeks a word of the kind {kind}" if q[0] else "is no noun and seeks no kind of word; only the place is left"
    place = token - tokens_back
    if place < 0:
        where = "before the sentence began"
    elif place == int(place):
        where = f"at {in_text(tokens[int(place)])} (token {int(place)})"
    else:
        where = f"between {in_text(tokens[int(place)])} and {in_text(tokens[int(place) + 1])}"
    return f"{in_text(tokens[token])} {what}. {tokens_back:g} tokens back from it is {where}."
