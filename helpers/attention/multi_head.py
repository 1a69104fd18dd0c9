"""Several heads: cut, attend, put together."""

from typing import NamedTuple

import numpy as np

from .checks import cast, head_width, read, widen
from .core import Attention, attention


class MultiHead(NamedTuple):
    """What `multi_head` computes; every field of `heads` has the axis H before its last two."""

    heads: Attention     # (..., H, T_q, T_k) and (..., H, T_q, d_v)
    concat: np.ndarray   # (..., T_q, H·d_v)
    result: np.ndarray   # (..., T_q, d_model)


def split_heads(X, H):
    """Cut every row into H equal pieces, one for each head.

    Parameters
    ----------
    X : (..., T, H·d) ndarray
    H : int

    Returns
    -------
    (..., H, T, d) ndarray
        A view of X where numpy can make one.

    Raises
    ------
    TypeError, ValueError
        If X does not hold real numbers, or H does not divide its last axis.

    Source: §17; Vaswani et al. 2017, section 3.2.2.

    >>> split_heads([[1.0, 2.0, 3.0, 4.0]], H=2)
    array([[[1., 2.]],
    <BLANKLINE>
           [[3., 4.]]])
    """
    [X] = read("split_heads", X=(X, "(..., T, H·d)"))
    d = head_width("split_heads", "X", X, H)
    pieces = X.reshape(*X.shape[:-1], H, d)    # (..., T, H, d)
    return np.swapaxes(pieces, -3, -2)         # (..., H, T, d)


def concat_heads(X):
    """Put what the heads found side by side again: the inverse of `split_heads`.

    Parameters
    ----------
    X : (..., H, T, d) ndarray

    Returns
    -------
    (..., T, H·d) ndarray

    Raises
    ------
    TypeError, ValueError
        If X does not hold real numbers or has fewer than three axes.

    Source: §18; Vaswani et al. 2017, section 3.2.2.

    >>> concat_heads([[[1.0, 2.0]], [[3.0, 4.0]]])
    array([[1., 2., 3., 4.]])
    """
    [X] = read("concat_heads", X=(X, "(..., H, T, d)"))
    *leading, H, T, d = X.shape
    pieces = np.swapaxes(X, -3, -2)                # (..., T, H, d)
    return pieces.reshape(*leading, T, H * d)      # (..., T, H·d)


@np.errstate(over="ignore", invalid="ignore")
def multi_head(X_target, W_Q, W_K, W_V, W_O, H, X_source=None, mask=None, scale=None):
    """Let H heads look at the same tokens, each in its own way, and gather what they found.

    Parameters
    ----------
    X_target : (..., T_q, d_model) ndarray
    W_Q : (d_model, H·d_k) ndarray
    W_K : (d_source, H·d_k) ndarray
    W_V : (d_source, H·d_v) ndarray
    W_O : (H·d_v, d_model) ndarray
    H : int
    X_source : (..., T_k, d_source) ndarray, optional
        Where keys and values come from: X_target unless given. Its leading axes broadcast with those of X_target.
    mask : ndarray that broadcasts to (..., H, T_q, T_k), optional
    scale : float, optional
        As in `attention`.

    Returns
    -------
    MultiHead
        heads (the Attention of all heads), concat (..., T_q, H·d_v), result (..., T_q, d_model).

    Raises
    ------
    TypeError, ValueError
        If an argument does not hold real numbers, or shapes do not fit.

    Source: §17, §18, §19; Vaswani et al. 2017, section 3.2.2.

    >>> from helpers.attention import causal_mask
    >>> X = np.eye(4)
    >>> found = multi_head(X, X, X, X, W_O=2 * X, H=2, mask=causal_mask(4))
    >>> found.result[0]    # token 0 may look only at itself
    array([2., 0., 0., 0.])
    """
    X_source, d_source = (X_target, "d_model") if X_source is None else (X_source, "d_source")
    arrays = read(
        "multi_head", X_target=(X_target, "(..., T_q, d_model)"), X_source=(X_source, f"(..., T_k, {d_source})"),
        W_Q=(W_Q, "(d_model, H·d_k)"), W_K=(W_K, f"({d_source}, H·d_k)"), W_V=(W_V, f"({d_source}, H·d_v)"),
        W_O=(W_O, "(H·d_v, d_model)"))
    dtype, X_target, X_source, W_Q, W_K, W_V, W_O = widen(*arrays)
    head_width("multi_head", "W_Q", W_Q, H)
    head_width("multi_head", "W_V", W_V, H)

    Q = split_heads(X_target @ W_Q, H)                  # (..., T_q, d_model) -> (..., H, T_q, d_k)
    K = split_heads(X_source @ W_K, H)                  # (..., T_k, d_model) -> (..., H, T_k, d_k)
    V = split_heads(X_source @ W_V, H)                  # (..., T_k, d_model) -> (..., H, T_k, d_v)
    heads = attention(Q, K, V, mask, scale)             # heads.O: (..., H, T_q, d_v)
    concat = concat_heads(heads.O)                      # (..., T_q, H·d_v)
    result = concat @ W_O                               # (..., T_q, d_model)
    return MultiHead(Attention(*cast(dtype, *heads)), *cast(dtype, concat, result))
