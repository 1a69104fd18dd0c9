"""Attention as a real layer computes it: 4-bit weights, RMS norm, rotary positions, shared keys and values."""

from typing import NamedTuple

import numpy as np

from ..attention import attention, causal_mask, concat_heads, split_heads
from ..attention.checks import cast, read, read_array, read_integer, read_number, widen
from . import files

H, H_KV, D_K = 9, 3, 64  # query heads, key/value heads, width of a head
EPS, THETA = 1e-5, 100_000.0  # of the norm and of the rotary positions
BLOCK_BYTES = 20  # for 32 weights


class Layer(NamedTuple):
    """The attention matrices of one layer."""

    gain: np.ndarray  # (d_model,)
    W_Q: np.ndarray  # (d_model, H·d_k)
    W_K: np.ndarray  # (d_model, H_kv·d_k)
    W_V: np.ndarray  # (d_model, H_kv·d_k)
    W_O: np.ndarray  # (H·d_k, d_model)


class Run(NamedTuple):
    """What a layer makes of a sentence, ready for `attention`: positions turned in, keys and values repeated."""

    Q: np.ndarray  # (H, T, d_k)
    K: np.ndarray  # (H, T, d_k)
    V: np.ndarray  # (H, T, d_k)
    A: np.ndarray  # (H, T, T)
    written: np.ndarray  # (H, T, d_model)  v_j W_O of each head: what a source writes at weight 1
    update: np.ndarray  # (T, d_model)  of all heads together


def dequantise(packed):
    """Weights from the 4-bit form Q4_1: blocks of 32 share a step and a minimum.

    Parameters
    ----------
    packed : (N, 20·B) uint8 ndarray
        Each block of 20 bytes holds float16 step, float16 minimum, and 16 bytes with two numbers 0 to 15 each;
        the low halves are the first 16.

    Returns
    -------
    (N, 32·B) ndarray

    Raises
    ------
    TypeError, ValueError
        When these are not bytes in rows of whole blocks.

    Source: GGUF format, type Q4_1.

    >>> block = np.r_[np.array([0.5, -1.0], np.float16).view(np.uint8), np.full(16, 0x20, np.uint8)]
    >>> dequantise(block[None])[0, [0, 16]]
    array([-1.,  0.])
    """
    packed = read_array("dequantise", "packed", packed)
    if packed.dtype != np.uint8:
        raise TypeError(f"dequantise: packed needs dtype uint8, got {packed.dtype}")
    if packed.ndim != 2 or packed.shape[1] % BLOCK_BYTES:
        raise ValueError(f"dequantise: packed needs shape (N, {BLOCK_BYTES}·B), got {packed.shape}")
    blocks = packed.reshape(-1, BLOCK_BYTES)                                       # (N·B, 20)
    step, minimum = blocks[:, :4].copy().view(np.float16).astype(float).T          # (N·B,) each
    numbers = np.hstack([blocks[:, 4:] & 15, blocks[:, 4:] >> 4])                  # (N·B, 32), 0 to 15
    return (numbers * step[:, None] + minimum[:, None]).reshape(len(packed), -1)   # (N, 32·B)


def layer_10():
    """The attention matrices of layer 10, which stand to the right of X.

    Returns
    -------
    Layer

    Raises
    ------
    FileNotFoundError, ValueError
        As `files.read`.

    >>> [W.shape for W in layer_10()]
    [(576,), (576, 576), (576, 192), (576, 192), (576, 576)]
    """
    stored = files.read(files.WEIGHTS)
    names = (f"blk.10.attn_{name}.weight" for name in ("q", "k", "v", "output"))
    return Layer(stored["blk.10.attn_norm.weight"].astype(float), *(dequantise(stored[name]).T for name in names))


@np.errstate(over="ignore", invalid="ignore")
def rms_norm(X, gain):
    """Bring each row to root mean square 1, then multiply each column by its learned factor.

    Parameters
    ----------
    X : (..., d_model) ndarray
    gain : (d_model,) ndarray

    Returns
    -------
    (..., d_model) ndarray

    Raises
    ------
    TypeError, ValueError
        When an argument does not hold real numbers, or shapes do not fit.

    Source: Zhang and Sennrich 2019, equation 4.

    >>> rms_norm(np.array([3.0, 4.0]), np.ones(2)).round(2)
    array([0.85, 1.13])
    """
    X, gain = read("rms_norm", X=(X, "(..., d_model)"), gain=(gain, "(d_model,)"))
    dtype, X, gain = widen(X, gain)
    mean_square = (X**2).sum(axis=-1, keepdims=True) / max(X.shape[-1], 1)    # (..., 1)
    return cast(dtype, X / np.sqrt(mean_square + EPS) * gain)[0]              # (..., d_model)


@np.errstate(over="ignore", invalid="ignore")
def rotate(Q, theta=THETA):
    """Turn each pair of neighbouring columns by an angle that grows with the row's position.

    Parameters
    ----------
    Q : (..., T, d_k) ndarray
        Queries or keys; row i stands at position i, d_k is even.
    theta : float
        Pair c turns by i · theta^(−2c/d_k) radians.

    Returns
    -------
    (..., T, d_k) ndarray

    Raises
    ------
    TypeError, ValueError
        When Q does not hold real numbers, d_k is odd, or theta is not positive.

    Source: Su et al. 2021, section 3.2.2.

    >>> rotate(np.array([[1.0, 0.0], [1.0, 0.0]])).round(2)  # position 1: one radian
    array([[1.  , 0.  ],
           [0.54, 0.84]])
    """
    [Q], theta = read("rotate", Q=(Q, "(..., T, d_k)")), read_number("rotate", "theta", theta)
    T, d_k = Q.shape[-2:]
    if d_k % 2:
        raise ValueError(f"rotate: Q needs an even number of columns, got {Q.shape}")
    if theta <= 0:
        raise ValueError(f"rotate: theta must be positive, got {theta}")
    dtype, Q = widen(Q)
    angles = np.arange(T)[:, None] * theta ** (-np.arange(0, d_k, 2) / d_k)  # (T, d_k/2)
    cos, sin = np.cos(angles).astype(Q.dtype), np.sin(angles).astype(Q.dtype)
    even, odd = Q[..., 0::2], Q[..., 1::2]
    pairs = np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1)  # (..., T, d_k/2, 2)
    return cast(dtype, pairs.reshape(Q.shape))[0]


def repeat_heads(K, H):
    """Let each key/value head serve several query heads in a row.

    Parameters
    ----------
    K : (H_kv, T, d_k) ndarray
    H : int
        Query heads, a multiple of H_kv.

    Returns
    -------
    (H, T, d_k) ndarray
        Head h is K[h // (H / H_kv)].

    Raises
    ------
    TypeError, ValueError
        When K does not hold real numbers, or H is no multiple of H_kv.

    Source: Ainslie et al. 2023, section 2.2.

    >>> repeat_heads(np.array([[[1.0]], [[2.0]]]), 4).ravel()
    array([1., 1., 2., 2.])
    """
    [K], H = read("repeat_heads", K=(K, "(H_kv, T, d_k)")), read_integer("repeat_heads", "H", H, least=1)
    if not len(K) or H % len(K):
        raise ValueError(f"repeat_heads: H must be a multiple of the {len(K)} heads of K, got {H}")
    return np.repeat(K, H // len(K), axis=0)


@np.errstate(over="ignore", invalid="ignore")
def run(X, layer):
    """All heads of a layer on the tokens that reach it.

    Parameters
    ----------
    X : (T, d_model) ndarray
    layer : Layer

    Returns
    -------
    Run

    Raises
    ------
    TypeError, ValueError
        When layer is no Layer, X does not hold real numbers, or shapes are not those of the model.

    Source: §16, §17, with the three additions of this module.

    >>> from helpers.real_head import sentences
    >>> run(sentences()[0].X, layer_10()).A[6, 3, 1:3].round(2)  # creature → fluffy, blue
    array([0.43, 0.44])
    """
    if not isinstance(layer, Layer):
        raise TypeError(f"run: layer must be a Layer, got {type(layer).__name__}")
    all_heads, shared = H * D_K, H_KV * D_K
    X, gain, W_Q, W_K, W_V, W_O = read(
        "run", X=(X, "(T, d_model)"), gain=(layer.gain, "(d_model,)"), W_Q=(layer.W_Q, f"(d_model, {all_heads})"),
        W_K=(layer.W_K, f"(d_model, {shared})"), W_V=(layer.W_V, f"(d_model, {shared})"),
        W_O=(layer.W_O, f"({all_heads}, d_model)"))
    normed = rms_norm(X, gain)                                     # (T, d_model)
    Q = rotate(split_heads(normed @ W_Q, H))                       # (H, T, d_k)
    K = repeat_heads(rotate(split_heads(normed @ W_K, H_KV)), H)   # (H_kv, T, d_k) -> (H, T, d_k)
    V = repeat_heads(split_heads(normed @ W_V, H_KV), H)           # (H, T, d_k)
    heads = attention(Q, K, V, causal_mask(len(X)))
    written = V @ W_O.reshape(H, D_K, -1)                          # (H, T, d_model)
    return Run(Q, K, V, heads.A, written, concat_heads(heads.O) @ W_O)


@np.errstate(over="ignore", invalid="ignore")
def update_parts(weights, written):
    """How much of each target's update comes from each source, measured along the whole update.

    Parameters
    ----------
    weights : (T_q, T_k) ndarray
        Of one head.
    written : (T_k, d_model) ndarray
        What each source writes at weight 1, v_j W_O.

    Returns
    -------
    (T_q, T_k) ndarray
        Rows sum to 1; a negative part works against the rest. A row without an update is all zeros.

    Raises
    ------
    TypeError, ValueError
        When an argument does not hold real numbers, or shapes do not fit.

    >>> update_parts(np.array([[0.5, 0.5]]), np.array([[1.0, 0.0], [3.0, 0.0]]))
    array([[0.25, 0.75]])
    """
    weights, written = read("update_parts", weights=(weights, "(T_q, T_k)"), written=(written, "(T_k, d_model)"))
    dtype, weights, written = widen(weights, written)
    update = weights @ written                                                 # (T_q, d_model)
    length = (update**2).sum(axis=1, keepdims=True)                            # (T_q, 1), squared
    parts = weights * (update @ written.T) / np.where(length == 0, 1, length)  # (T_q, T_k)
    return cast(dtype, parts)[0]
