"""One attention: scores, mask, softmax, and the mixture of the values."""

import math
from typing import NamedTuple

import numpy as np

from .checks import broadcast_shape, cast, read, read_array, read_integer, read_number, widen


class Attention(NamedTuple):
    """Every step of `attention`, in the order of the formula."""

    S: np.ndarray           # (..., T_q, T_k)  Q Kᵀ, the raw scores
    S_scaled: np.ndarray    # (..., T_q, T_k)  S · scale
    S_masked: np.ndarray    # (..., T_q, T_k)  S_scaled + M
    A: np.ndarray           # (..., T_q, T_k)  softmax of each row of S_masked, the weights
    O: np.ndarray           # (..., T_q, d_v)  A V, the output


@np.errstate(over="ignore", invalid="ignore")
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
    [scores] = read("softmax", scores=(scores, "(..., T_k)"))
    axis = read_integer("softmax", "axis", axis)
    if not -scores.ndim <= axis < scores.ndim:
        raise ValueError(f"softmax: axis must lie between {-scores.ndim} and {scores.ndim - 1}, "
                         f"got {axis} (scores is {scores.shape})")
    dtype, scores = widen(scores)
    largest = scores.max(axis=axis, keepdims=True, initial=-np.inf)     # (..., 1)
    exps = np.exp(scores - np.where(largest == -np.inf, 0, largest))    # (..., T_k), at most 1
    total = exps.sum(axis=axis, keepdims=True)                          # (..., 1)
    weights = exps / np.where(total == 0, 1, total)                     # (..., T_k)
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
    T_q = read_integer("causal_mask", "T_q", T_q, 0)
    n_past = read_integer("causal_mask", "n_past", n_past, 0)
    T_k = T_q + n_past if T_k is None else read_integer("causal_mask", "T_k", T_k, 0)
    i, j = np.arange(T_q)[:, None], np.arange(T_k)    # (T_q, 1), (T_k,)
    return np.where(j - n_past <= i, 0.0, -np.inf)    # (T_q, T_k)


@np.errstate(over="ignore", invalid="ignore")
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
        S, S_scaled, S_masked, A (..., T_q, T_k) and O (..., T_q, d_v). A target that may
        look nowhere gets zeros. With float16 a score above 65504 is returned as ∞, although the
        weights are computed from its true value.

    Raises
    ------
    TypeError, ValueError
        If an argument does not hold real numbers, or shapes do not fit.

    Source: §16 (steps: §7, §8, §9, §10, §13); Vaswani et al. 2017, section 3.2.1, equation 1.

    >>> Q, K, V = [[2.0]], [[1.0], [1.0], [9.0]], [[10.0], [20.0], [30.0]]
    >>> attention(Q, K, V, mask=[[True, True, False]]).O    # half of 10 and half of 20
    array([[15.]])
    """
    Q, K, V = read("attention", Q=(Q, "(..., T_q, d_k)"), K=(K, "(..., T_k, d_k)"), V=(V, "(..., T_k, d_v)"))
    scale = _read_scale(scale, Q)
    dtype, Q, K, V = widen(Q, K, V)

    S = Q @ np.swapaxes(K, -1, -2)    # (..., T_q, d_k) @ (..., d_k, T_k) -> (..., T_q, T_k)
    M = _read_mask(mask, S)           # broadcasts to (..., T_q, T_k)
    S_scaled = S * scale              # (..., T_q, T_k)
    S_masked = S_scaled + M           # (..., T_q, T_k)
    A = softmax(S_masked)             # (..., T_q, T_k)
    O = A @ V                         # (..., T_q, T_k) @ (..., T_k, d_v) -> (..., T_q, d_v)
    return Attention(*cast(dtype, S, S_scaled, S_masked, A, O))


def _read_scale(scale, Q):
    d_k = Q.shape[-1]
    if scale is None and d_k == 0:
        raise ValueError(f"attention: scale must be given when d_k = 0: 1/√0 is undefined (Q is {Q.shape})")
    return 1 / math.sqrt(d_k) if scale is None else read_number("attention", "scale", scale)


def _read_mask(mask, scores):
    """The mask as numbers to add to the scores, in their type."""
    mask = read_array("attention", "mask", 0.0 if mask is None else mask)
    if mask.dtype.kind not in "fb":
        raise TypeError("attention: mask must hold booleans (True = may look) or floats (added to "
                        f"the scores), got dtype {mask.dtype}")
    if broadcast_shape(mask.shape, scores.shape) != scores.shape:
        raise ValueError(f"attention: mask is {mask.shape} but the scores are {scores.shape}; "
                         "mask must broadcast to the scores without enlarging them")
    mask = np.where(mask, 0.0, -np.inf) if mask.dtype == bool else mask
    return cast(scores.dtype, mask)[0]
