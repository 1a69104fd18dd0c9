"""Attention without the whole matrix of scores."""

import math

import numpy as np

from .checks import agree, agree_leading, cast, read, read_integer


def tiled_attention(Q, K, V, block=128, causal=False, n_past=0):
    """Go through the keys block by block and keep, for each target, only a running sum.

    Parameters
    ----------
    Q : (..., T_q, d_k) ndarray
    K : (..., T_k, d_k) ndarray
    V : (..., T_k, d_v) ndarray
    block : int
        Targets and sources that are looked at together; memory grows with T · block, not with T².
    causal : bool
        Whether a target may look no further than itself.
    n_past : int
        Sources that stand before the first target; for a causal mask.

    Returns
    -------
    (..., T_q, d_v) ndarray
        The output of `attention`, equal to rounding.

    Raises
    ------
    TypeError, ValueError
        If an argument does not hold real numbers, shapes do not fit, or block is not positive.

    Source: §20; Milakov and Gimelshein 2018 (online softmax); Dao et al. 2022, algorithm 1.

    >>> from helpers.attention import attention
    >>> Q, K, V = np.random.default_rng(0).normal(size=(3, 7, 4))
    >>> np.allclose(tiled_attention(Q, K, V, block=2), attention(Q, K, V).output)
    True
    """
    dtype, Q, K, V = read("tiled_attention", ("Q", Q, "(..., T_q, d_k)"), ("K", K, "(..., T_k, d_k)"),
                          ("V", V, "(..., T_k, d_v)"))
    agree("tiled_attention", "d_k", "Q", Q, -1, "K", K, -1)
    agree("tiled_attention", "T_k", "K", K, -2, "V", V, -2)
    agree_leading("tiled_attention", Q=Q, K=K, V=V)
    block, n_past = read_integer("tiled_attention", "block", block, 1), read_integer("tiled_attention", "n_past", n_past, 0)
    if not Q.shape[-1]:
        raise ValueError(f"tiled_attention: Q and K need d_k of at least 1, got Q {Q.shape}")
    leading = np.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2])
    T_q, T_k = Q.shape[-2], K.shape[-2]
    output = np.zeros((*leading, T_q, V.shape[-1]), Q.dtype)
    for start in range(0, T_q, block):
        rows = slice(start, min(start + block, T_q))
        seen = min(T_k, rows.stop + n_past) if causal else T_k  # no target of this block looks further
        output[..., rows, :] = _one_block(Q[..., rows, :], K, V, block, seen, start + n_past if causal else None)
    return cast(dtype, output)[0]


def _one_block(Q, K, V, block, seen, first_place):
    """The output of a few targets: (..., rows, d_v)."""
    scale, leading = Q.dtype.type(1 / math.sqrt(Q.shape[-1])), np.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2])
    largest = np.full((*leading, Q.shape[-2], 1), -np.inf, Q.dtype)  # of the scores so far
    total = np.zeros_like(largest)  # of their exponentials
    mixture = np.zeros((*leading, Q.shape[-2], V.shape[-1]), Q.dtype)  # of the values, in these shares
    for start in range(0, seen, block):
        columns = slice(start, min(start + block, seen))
        S = Q @ np.swapaxes(K[..., columns, :], -1, -2) * scale  # (..., rows, columns)
        if first_place is not None:
            i = first_place + np.arange(Q.shape[-2])[:, None]
            S = np.where(np.arange(columns.start, columns.stop) <= i, S, -np.inf)
        new = np.maximum(largest, S.max(axis=-1, keepdims=True, initial=-np.inf))
        anchor = np.where(new == -np.inf, 0, new)  # a row that has seen nothing yet
        exps, kept = np.exp(S - anchor), np.exp(largest - anchor)  # what was summed before shrinks by `kept`
        total = total * kept + exps.sum(axis=-1, keepdims=True)
        mixture = mixture * kept + exps @ V[..., columns, :]
        largest = new
    return mixture / np.where(total == 0, 1, total)
