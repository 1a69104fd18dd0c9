"""What several explorers share: a slider over tokens, the hand-made head, and the reader's own matrices."""

import ipywidgets as widgets
import numpy as np

from .. import example
from ..attention import attention
from ..views.checks import check_numbers

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


def queries_and_keys(X):
    """Q and K of the head that seeks adjectives: two (T, 3) arrays."""
    W_Q, W_K, _, _ = example.projections("adjectives")
    return X @ W_Q, X @ W_K


def head_and_update(X, name, mask):
    """The attention of a hand-made head, and what it adds to each token: (T, d_model)."""
    W_Q, W_K, W_V, W_O = example.projections(name)
    head = attention(X @ W_Q, X @ W_K, X @ W_V, mask)
    return head, head.O @ W_O


def own_numbers(caller, name, own, *shapes):
    """The reader's own array of finite numbers.

    Parameters
    ----------
    caller, name : str
        For the error.
    own : array
    *shapes : tuple
        The shapes that will do, as (12, 3); a letter in place of a number stands for any length from 1 on.

    Returns
    -------
    array

    Raises
    ------
    TypeError, ValueError
        When `own` does not hold real, finite numbers or has none of these shapes.
    """
    own = check_numbers(caller, name, own)
    if not any(_fits(own.shape, shape) for shape in shapes):
        expected = " or ".join(f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})" for shape in shapes)
        empty = ", no axis empty" if 0 in own.shape else ""
        raise ValueError(f"{caller}: {name} needs shape {expected}{empty}, got {own.shape}")
    check_size(caller, name, own)
    return own


def check_size(caller, name, own):
    """Raise for NaN, ∞, and numbers so large that sums of their squares could overflow."""
    if np.isnan(own).any() or (np.abs(own) > LARGEST).any():
        raise ValueError(f"{caller}: {name} needs finite numbers, none beyond ±{LARGEST:g}, "
                         f"got {'NaN' if np.isnan(own).any() else own.flat[np.abs(own).argmax()]} among them")


def projections(caller, *heads, **own):
    """W_Q, W_K, W_V and W_O of hand-made heads, with the reader's own in their place where there are any."""
    made = dict(zip(("W_Q", "W_K", "W_V", "W_O"), example.projections(*heads), strict=True))
    return [W if own.get(name) is None else own_numbers(caller, name, own[name], W.shape) for name, W in made.items()]


def own_queries_and_keys(caller, Q, K, *shapes):
    """The reader's own Q (T_q, d_k), and K of one of these shapes with the same last axis.

    Raises
    ------
    TypeError, ValueError
        When only one of them is given, or they do not hold finite numbers of such shapes.
    """
    if Q is None or K is None:
        raise ValueError(f"{caller}: {'K' if K is None else 'Q'} is missing; expected both Q and K, or neither")
    Q, K = own_numbers(caller, "Q", Q, ("T_q", "d_k")), own_numbers(caller, "K", K, *shapes)
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError(f"{caller}: Q and K need the same d_k, their last axis, got Q {Q.shape} and K {K.shape}")
    return Q, K


def _fits(shape, expected):
    if len(shape) != len(expected):
        return False
    return all(n > 0 if isinstance(m, str) else n == m for n, m in zip(shape, expected, strict=True))
