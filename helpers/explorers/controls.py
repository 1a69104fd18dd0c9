"""Controls that several explorers share."""

import ipywidgets as widgets


def token_slider(tokens, value, description="target"):
    """A slider over the tokens of a sentence; its values are their indices.

    Parameters
    ----------
    tokens : sequence of str
    value : int
        Index of the token that is chosen at first; the last one where the sentence is shorter.
    description : str

    Returns
    -------
    SelectionSlider
    """
    options = [(f"{i} {token}", i) for i, token in enumerate(tokens)]
    return widgets.SelectionSlider(options=options, value=min(value, len(tokens) - 1), description=description)
