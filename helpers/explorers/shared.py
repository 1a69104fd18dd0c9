"""What several explorers share: a slider over tokens, the hand-made head, and the reader's own matrices."""

import ipywidgets as widgets
import numpy as np

from .. import example
from ..attention import attention
from ..attention.checks import read

LARGEST = 1e50


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


def in_text(token):
    """A token as it stands in a sentence of ours: punctuation in quotation marks."""
    return token if any(map(str.isalnum, token)) else f"“{token}”"


def queries_and_keys(X):
    """Q and K of the head that seeks adjectives: two (T, 3) arrays."""
    W_Q, W_K, _, _ = example.projections("adjectives")
    return X @ W_Q, X @ W_K


def head_and_update(X, name, mask):
    """The attention of a hand-made head, and what it adds to each token: (T, d_model)."""
    W_Q, W_K, W_V, W_O = example.projections(name)
    head = attention(X @ W_Q, X @ W_K, X @ W_V, mask)
    return head, head.O @ W_O


def read_own(caller, **own):
    """The reader's own arrays as new arrays of floats with these shapes (see `read`), no axis empty.

    Raises
    ------
    TypeError, ValueError
        With the name of the argument, what was expected and what came.
    """
    arrays = read(caller, **own)
    for (name, (_, axes)), array in zip(own.items(), arrays, strict=True):
        if not array.size:
            raise ValueError(f"{caller}: {name} must be {axes}, no axis empty, got shape {array.shape}")
    return [array.astype(float) for array in arrays]


def own_numbers(caller, **own):
    """The same, of finite numbers only."""
    arrays = read_own(caller, **own)
    for name, array in zip(own, arrays, strict=True):
        check_size(caller, name, array)
    return arrays


def check_size(caller, name, own):
    """Raise for NaN, ∞, and numbers so large that sums of their squares could overflow."""
    if np.isnan(own).any() or (np.abs(own) > LARGEST).any():
        raise ValueError(f"{caller}: {name} needs finite numbers, none beyond ±{LARGEST:g}, "
                         f"got {'NaN' if np.isnan(own).any() else own.flat[np.abs(own).argmax()]} among them")


def projections(caller, *heads, **own):
    """W_Q, W_K, W_V and W_O of hand-made heads, with the reader's own in their place where there are any."""
    made = dict(zip(("W_Q", "W_K", "W_V", "W_O"), example.projections(*heads), strict=True))
    own = {name: (W, str(made[name].shape)) for name, W in own.items() if W is not None}
    return list({**made, **dict(zip(own, own_numbers(caller, **own), strict=True))}.values())


def own_queries_and_keys(caller, Q, K, axes="(T_k, d_k)"):
    """The reader's own Q (T_q, d_k), and K of this shape.

    Raises
    ------
    TypeError, ValueError
        When only one of them is given, or they do not hold finite numbers of such shapes.
    """
    if Q is None or K is None:
        raise ValueError(f"{caller}: {'K' if K is None else 'Q'} is missing; expected both Q and K, or neither")
    return own_numbers(caller, Q=(Q, "(T_q, d_k)"), K=(K, axes))
