"""From tokens to vectors."""

import ipywidgets as widgets

from .. import example
from ..interactive import Explorer
from ..views import Bars, Matrix, Note
from .shared import in_text, token_slider


def explore_tokens(sentence=example.SENTENCE):
    """One token and its vector, in E, in P, or in X = E + P; tokens as rows or as columns.

    Parameters
    ----------
    sentence : str
        At most 12 words of the vocabulary.

    Returns
    -------
    Explorer
    """
    tokens = example.tokenize(sentence)
    E, P = example.embeddings(tokens), example.positions(len(tokens))
    parts = {"X = E + P": ("X", E + P), "E": ("E", E), "P": ("P", P)}

    def render(token, part, direction):
        symbol, values = parts[part]
        matrix = Matrix(values, tokens, example.FEATURES, symbol=symbol, caption="one token in each row",
                        axes=("token", "feature"), highlight=token)
        vector = Bars(values[token], example.FEATURES, caption=f"the vector of {in_text(tokens[token])} (token {token})",
                      limits=(-1, 1))
        if direction == "columns":
            return [matrix.transposed(), vector, Note("As in the video: a token is a column. The numbers are the same.")]
        return [matrix, vector, Note("As in this series and in most code: a token is a row.")]

    controls = {
        "token": token_slider(tokens, 3, "token"),
        "part": widgets.ToggleButtons(options=list(parts), description="show"),
        "direction": widgets.ToggleButtons(options=["rows", "columns"], description="tokens are")}
    return Explorer(controls, render, "Where in the matrix is a token?", largest={"direction": "columns"})
