"""The mathematics of attention: numpy only, no input or output, no plotting.

Rows are tokens. T tokens (T_q targets, T_k sources), widths d_model, d_k, d_v, H heads; "..."
stands for any leading batch and head axes. Every function takes integers (they become float64),
float16 (computed in float32, returned as float16) and wider floats (type kept), and leaves its
input unchanged.
"""

import math
import numbers
from itertools import combinations
from typing import NamedTuple

import numpy as np


class Attention(NamedTuple):
    """Every step of `attention`, in the order of the formula."""

    raw: np.ndarray      # (..., T_q, T_k)  Q Kᵀ
    scaled: np.ndarray   # (..., T_q, T_k)  raw · scale
    masked: np.ndarray   # (..., T_q, T_k)  scaled + M
    weights: np.ndarray  # (..., T_q, T_k)  softmax of each row
    output: np.ndarray   # (..., T_q, d_v)  weights V


class MultiHead(NamedTuple):
    """What `multi_head` computes; every field of `heads` has the axis H before its last two."""

    heads: Attention     # (..., H, T_q, T_k) and (..., H, T_q, d_v)
    concat: np.ndarray   # (..., T_q, H·d_v)
    result: np.ndarray   # (..., T_q, d_model)


def softmax(scores, axis=-1):
    """Turn each row of scores into shares: never negative, summing to 1.

    Parameters
    ----------
    scores : (..., T_k) ndarray
        A row of −∞ throughout (or an empty one) gives zeros; a row with NaN or +∞ in it gives NaN.
    axis : int
        The axis along which the shares sum to 1.

    Returns
    -------
    (..., T_k) ndarray

    Raises
    ------
    TypeError, ValueError
        If `scores` does not hold real numbers or has no such axis.

    Source: §10; Vaswani et al. 2017, section 3.2.1; zeros for a masked row: ONNX Attention.

    >>> softmax([[0, 0, -np.inf], [-np.inf, -np.inf, -np.inf]])
    array([[0.5, 0.5, 0. ],
           [0. , 0. , 0. ]])
    """
    dtype, scores = _read("softmax", ("scores", scores, "(..., T_k)"))
    axis = _read_integer("softmax", "axis", axis)
    if not -scores.ndim <= axis < scores.ndim:
        raise ValueError(f"softmax: axis must lie between {-scores.ndim} and {scores.ndim - 1}, "
                         f"got {axis} (scores is {scores.shape})")
    with np.errstate(over="ignore", invalid="ignore"):
        largest = scores.max(axis=axis, keepdims=True, initial=-np.inf)
        exps = np.exp(scores - np.where(largest == -np.inf, 0, largest))  # (..., T_k), at most 1
        total = exps.sum(axis=axis, keepdims=True)                        # (..., 1)
        weights = exps / np.where(total == 0, 1, total)                   # (..., T_k)
    return weights.astype(dtype, copy=False)


def causal_mask(T_q, T_k=None, n_past=0):
    """Let each token look at itself and at what came before it, never ahead.

    Parameters
    ----------
    T_q, T_k : int
        Targets and sources; T_k defaults to T_q + n_past.
    n_past : int
        Sources that stand before the first target, as in a cache.

    Returns
    -------
    (T_q, T_k) ndarray
        0 where j ≤ i + n_past, −∞ elsewhere.

    Raises
    ------
    TypeError, ValueError
        If an argument is not an integer or is negative.

    Source: §9; Vaswani et al. 2017, section 3.2.3.

    >>> causal_mask(2, n_past=1)
    array([[  0.,   0., -inf],
           [  0.,   0.,   0.]])
    """
    T_q = _read_integer("causal_mask", "T_q", T_q, 0)
    n_past = _read_integer("causal_mask", "n_past", n_past, 0)
    T_k = T_q + n_past if T_k is None else _read_integer("causal_mask", "T_k", T_k, 0)
    i, j = np.arange(T_q)[:, None], np.arange(T_k)    # (T_q, 1), (T_k,)
    return np.where(j <= i + n_past, 0.0, -np.inf)    # (T_q, T_k)


def attention(Q, K, V, mask=None, scale=None):
    """Each target compares its query with every key and takes that mixture of the values.

    Parameters
    ----------
    Q : (..., T_q, d_k) ndarray
    K : (..., T_k, d_k) ndarray
    V : (..., T_k, d_v) ndarray
        The leading axes of Q, K and V broadcast, so (1, T_k, d_k) keys serve (H, T_q, d_k) queries.
    mask : ndarray that broadcasts to (..., T_q, T_k), optional
        Floats are added to the scores (0 or −∞, say); booleans say who may look (True).
        It never enlarges the scores.
    scale : float, optional
        Defaults to 1/√d_k.

    Returns
    -------
    Attention
        raw, scaled, masked, weights (..., T_q, T_k) and output (..., T_q, d_v). A target that may
        look nowhere gets zeros. With float16 a score above 65504 is returned as ∞, although the
        weights are computed from its true value.

    Raises
    ------
    TypeError, ValueError
        If an argument does not hold real numbers, or shapes do not fit.

    Source: §16 (steps: §7, §8, §9, §10, §13); Vaswani et al. 2017, section 3.2.1, equation 1.

    >>> Q, K, V = [[2.0]], [[1.0], [1.0], [9.0]], [[10.0], [20.0], [30.0]]
    >>> attention(Q, K, V, mask=[[True, True, False]]).output    # half of 10 and half of 20
    array([[15.]])
    """
    dtype, Q, K, V = _read("attention", ("Q", Q, "(..., T_q, d_k)"), ("K", K, "(..., T_k, d_k)"),
                           ("V", V, "(..., T_k, d_v)"))
    _agree("attention", "d_k", "Q", Q, -1, "K", K, -1)
    _agree("attention", "T_k", "K", K, -2, "V", V, -2)
    _agree_leading("attention", Q=Q, K=K, V=V)
    scale = _read_scale(scale, Q)

    raw = Q @ np.swapaxes(K, -1, -2)    # (..., T_q, d_k) @ (..., d_k, T_k) -> (..., T_q, T_k)
    M = _read_mask(mask, raw)           # broadcasts to (..., T_q, T_k)
    scaled = raw * scale                # (..., T_q, T_k)
    masked = scaled + M                 # (..., T_q, T_k)
    weights = softmax(masked)           # (..., T_q, T_k)
    output = weights @ V                # (..., T_q, T_k) @ (..., T_k, d_v) -> (..., T_q, d_v)
    return Attention(*_cast(dtype, raw, scaled, masked, weights, output))


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
    X = _read_floats("split_heads", "X", X, "(..., T, H·d)")
    d = _head_width("split_heads", "X", X, H)
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
    X = _read_floats("concat_heads", "X", X, "(..., H, T, d)")
    *leading, H, T, d = X.shape
    pieces = np.swapaxes(X, -3, -2)                # (..., T, H, d)
    return pieces.reshape(*leading, T, H * d)      # (..., T, H·d)


def multi_head(X_target, W_Q, W_K, W_V, W_O, H, X_source=None, mask=None, scale=None):
    """Let H heads look at the same tokens, each in its own way, and gather what they found.

    Parameters
    ----------
    X_target : (..., T_q, d_model) ndarray
    W_Q, W_K : (d_model, H·d_k) ndarray
    W_V : (d_model, H·d_v) ndarray
    W_O : (H·d_v, d_model) ndarray
    H : int
    X_source : (..., T_k, d_model) ndarray, optional
        Where keys and values come from: X_target unless given. Its width may be its own (W_K and
        W_V then have as many rows); its leading axes broadcast with those of X_target.
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

    >>> X = np.eye(4)
    >>> found = multi_head(X, X, X, X, W_O=2 * X, H=2, mask=causal_mask(4))
    >>> found.result[0]    # token 0 may look only at itself
    array([2., 0., 0., 0.])
    """
    source, X_source = ("X_target", X_target) if X_source is None else ("X_source", X_source)
    dtype, X_target, X_source, W_Q, W_K, W_V, W_O = _read(
        "multi_head",
        ("X_target", X_target, "(..., T_q, d_model)"), (source, X_source, "(..., T_k, d_model)"),
        ("W_Q", W_Q, "(d_model, H·d_k)"), ("W_K", W_K, "(d_model, H·d_k)"),
        ("W_V", W_V, "(d_model, H·d_v)"), ("W_O", W_O, "(H·d_v, d_model)"))
    for name, W in {"W_Q": W_Q, "W_K": W_K, "W_V": W_V}.items():
        _head_width("multi_head", name, W, H)
    _agree_leading("multi_head", **{"X_target": X_target, source: X_source})
    _agree("multi_head", "d_model", "X_target", X_target, -1, "W_Q", W_Q, -2)
    _agree("multi_head", "d_model", source, X_source, -1, "W_K", W_K, -2)
    _agree("multi_head", "d_model", source, X_source, -1, "W_V", W_V, -2)
    _agree("multi_head", "H·d_k", "W_Q", W_Q, -1, "W_K", W_K, -1)
    _agree("multi_head", "H·d_v", "W_V", W_V, -1, "W_O", W_O, -2)
    _agree("multi_head", "d_model", "X_target", X_target, -1, "W_O", W_O, -1)

    Q = split_heads(X_target @ W_Q, H)                  # (..., T_q, d_model) -> (..., H, T_q, d_k)
    K = split_heads(X_source @ W_K, H)                  # (..., T_k, d_model) -> (..., H, T_k, d_k)
    V = split_heads(X_source @ W_V, H)                  # (..., T_k, d_model) -> (..., H, T_k, d_v)
    heads = attention(Q, K, V, mask, scale)             # output: (..., H, T_q, d_v)
    concat = concat_heads(heads.output)                 # (..., T_q, H·d_v)
    result = concat @ W_O                               # (..., T_q, d_model)
    return MultiHead(Attention(*_cast(dtype, *heads)), *_cast(dtype, concat, result))


# What follows reads the arguments and checks that they fit.


def _read(caller, *arguments):
    """The type to return, then the arrays, widened for computing; each is (name, array, axes)."""
    arrays = [_read_floats(caller, *argument) for argument in arguments]
    dtype = np.result_type(*arrays)
    return dtype, *_cast(np.promote_types(dtype, np.float32), *arrays)


def _read_floats(caller, name, array, axes):
    array = _read_array(caller, name, array)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{caller}: {name} must hold real numbers, got dtype {array.dtype}")
    letters = axes.strip("()").split(", ")
    fits = array.ndim >= len(letters) - 1 if letters[0] == "..." else array.ndim == len(letters)
    if not fits:
        raise ValueError(f"{caller}: {name} must be {axes}, got shape {array.shape}")
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def _read_array(caller, name, array):
    try:
        return np.asarray(array)
    except ValueError:
        raise ValueError(f"{caller}: {name} must be an array, got rows of unequal length") from None


def _read_integer(caller, name, number, least=None):
    if not isinstance(number, numbers.Integral) or isinstance(number, bool):
        raise TypeError(f"{caller}: {name} must be an integer, got {number!r}")
    if least is not None and number < least:
        raise ValueError(f"{caller}: {name} must be at least {least}, got {number}")
    return int(number)


def _read_scale(scale, Q):
    d_k = Q.shape[-1]
    if scale is None and d_k == 0:
        raise ValueError("attention: scale must be given when d_k = 0: 1/√0 is undefined "
                         f"(Q is {Q.shape})")
    scale = 1 / math.sqrt(d_k) if scale is None else scale
    if not isinstance(scale, numbers.Real) or isinstance(scale, bool):
        raise TypeError(f"attention: scale must be a real number, got {scale!r}")
    if not math.isfinite(scale):
        raise ValueError(f"attention: scale must be finite, got {scale!r}")
    return float(scale)


def _read_mask(mask, scores):
    """The mask as numbers to add to the scores, in their type."""
    mask = _read_array("attention", "mask", 0.0 if mask is None else mask)
    if mask.dtype.kind not in "fb":
        raise TypeError("attention: mask must hold booleans (True = may look) or floats (added to "
                        f"the scores), got dtype {mask.dtype}")
    if _broadcast(mask.shape, scores.shape) != scores.shape:
        raise ValueError(f"attention: mask is {mask.shape} but the scores are {scores.shape}; "
                         "mask must broadcast to the scores without enlarging them")
    mask = np.where(mask, 0.0, -np.inf) if mask.dtype == bool else mask
    return _cast(scores.dtype, mask)[0]


def _agree(caller, symbol, name, a, axis, other, b, other_axis):
    """Raise unless a and b are equally long along the axis called symbol."""
    if a.shape[axis] != b.shape[other_axis]:
        words = {-1: "columns", -2: "rows"}
        need = ("both need the same last axis" if axis == other_axis == -1 else
                f"{other} needs as many {words[other_axis]} as {name} has {words[axis]}")
        raise ValueError(
            f"{caller}: {other} has {symbol} = {b.shape[other_axis]} but {name} has {symbol} = "
            f"{a.shape[axis]}; {need} ({name} is {a.shape}, {other} is {b.shape})")


def _agree_leading(caller, **arrays):
    for (name, a), (other, b) in combinations(arrays.items(), 2):
        if _broadcast(a.shape[:-2], b.shape[:-2]) is None:
            raise ValueError(
                f"{caller}: {other} has leading axes {b.shape[:-2]} but {name} has {a.shape[:-2]}; "
                f"they must broadcast ({name} is {a.shape}, {other} is {b.shape})")


def _head_width(caller, name, array, H):
    H, columns = _read_integer(caller, "H", H, least=1), array.shape[-1]
    if columns % H:
        raise ValueError(f"{caller}: {name} has {columns} columns, which H = {H} does not divide "
                         f"({name} is {array.shape})")
    return columns // H


def _broadcast(*shapes):
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        return None


def _cast(dtype, *arrays):
    with np.errstate(over="ignore"):
        return [array.astype(dtype, copy=False) for array in arrays]
