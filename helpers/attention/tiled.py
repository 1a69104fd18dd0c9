"""Attention without the whole matrix of scores."""

import math

import numpy as np

from .checks import cast, read, read_flag, read_integer, widen


@np.errstate(over="ignore", invalid="ignore")
def tiled_attention(Q, K, V, block=128, causal=False, n_past=0):
    """Go through the keys block by block and keep, for each target, only a running sum.

    Parameters
    ----------
    Q : (..., T_q, d_k) ndarray
    K : (..., T_k, d_k) ndarray
    V : (..., T_k, d_v) ndarray
    block : int
        Targets and sources that are looked at together: at most block × block scores exist at a time, so memory grows
        with T and not with T².
    causal : bool
        Whether a target may look no further than itself. A block of scores that lies wholly in the future is skipped.
    n_past : int
        Sources that stand before the first target; for a causal mask.

    Returns
    -------
    (..., T_q, d_v) ndarray
        The output of `attention`, equal to rounding. With a causal mask NaN in a source reaches even targets that may
        not look at it (0 · NaN is NaN): in `attention` all of them, here only those in whose block some target may.

    Raises
    ------
    TypeError, ValueError
        If an argument does not hold real numbers, shapes do not fit, or block is not positive.

    Source: §20; Milakov and Gimelshein 2018, algorithm 3 (online softmax); Dao et al. 2022, algorithm 1.

    >>> from helpers.attention import attention
    >>> Q, K, V = np.random.default_rng(0).normal(size=(3, 7, 4))
    >>> np.allclose(tiled_attention(Q, K, V, block=2), attention(Q, K, V).O)
    True
    """
    Q, K, V = read("tiled_attention", Q=(Q, "(..., T_q, d_k)"), K=(K, "(..., T_k, d_k)"), V=(V, "(..., T_k, d_v)"))
    block = read_integer("tiled_attention", "block", block, 1)
    n_past = read_integer("tiled_attention", "n_past", n_past, 0)
    causal = read_flag("tiled_attention", "causal", causal)
    if not Q.shape[-1]:
        raise ValueError(f"tiled_attention: Q and K need d_k of at least 1, got Q {Q.shape}")
    dtype, Q, K, V = widen(Q, K, V)
    leading = np.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2])
    T_q, T_k = Q.shape[-2], K.shape[-2]
    output = np.empty((*leading, T_q, V.shape[-1]), Q.dtype)
    for start in range(0, T_q, block):
        rows = slice(start, min(start + block, T_q))
        seen = min(T_k, rows.stop + n_past) if causal else T_k    # no target of this block looks further
        last = np.arange(rows.start, rows.stop)[:, None] + n_past if causal else None    # (rows, 1)
        output[..., rows, :] = _some_targets(Q[..., rows, :], K[..., :seen, :], V[..., :seen, :], block, last)
    return cast(dtype, output)[0]


def _some_targets(Q, K, V, block, last):
    """The output of a few targets, (..., rows, d_v); each looks no further than its `last` source."""
    scale = 1 / math.sqrt(Q.shape[-1])
    largest, total, mixture = -np.inf, 0.0, 0.0    # scores so far, their exponentials, and the values in these shares
    for start in range(0, K.shape[-2], block):
        columns = slice(start, start + block)
        S = Q @ np.swapaxes(K[..., columns, :], -1, -2) * scale    # (..., rows, columns)
        if last is not None:
            S = np.where(start + np.arange(S.shape[-1]) <= last, S, S - np.inf)    # NaN stays NaN
        new = np.maximum(largest, S.max(axis=-1, keepdims=True))    # (..., rows, 1)
        anchor = np.where(new == -np.inf, 0, new)    # 0 for a row that has seen nothing yet
        shrink, exps = np.exp(largest - anchor), np.exp(S - anchor)
        total = total * shrink + exps.sum(axis=-1, keepdims=True)
        mixture = mixture * shrink + exps @ V[..., columns, :]
        largest = new
    return mixture / np.where(total == 0, 1, total)
