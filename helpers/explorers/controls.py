"""What several explorers share: a control, and the reader's own matrices."""

import ipywidgets as widgets
import numpy as np

from ..views.labels import check_numbers


def token_slider(tokens, value, description="target"):
    """A slider over the tokens of a sentence; its values are their indices.

    Parameters
    ----------
    tokens : sequence of str
        A token that is its own number (of the reader's arrays) is shown once.
    value : int
        Index of the token that is chosen at first; the last one where the sentence is shorter.
    description : str

    Returns
    -------
    SelectionSlider
    """
    options = [(token if token == str(i) else f"{i} {token}", i) for i, token in enumerate(tokens)]
    return widgets.SelectionSlider(options=options, value=min(value, len(tokens) - 1), description=description)


def projection(caller, name, own, made):
    """The reader's own matrix where there is one, else the hand-made one.

    Parameters
    ----------
    caller, name : str
        For the error.
    own : array or None
    made : array
        Its shape is what `own` must have.

    Returns
    -------
    array

    Raises
    ------
    TypeError, ValueError
        When `own` does not hold real, finite numbers or is of another shape.
    """
    if own is None:
        return made
    own = check_numbers(caller, name, own)
    if own.shape != made.shape:
        raise ValueError(f"{caller}: {name} needs shape {made.shape}, got {own.shape}")
    if not np.isfinite(own).all():
        raise ValueError(f"{caller}: {name} needs finite numbers, got NaN or ∞ among them")
    return own
