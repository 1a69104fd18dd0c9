"""Exercises on a real head: turn a query by its position, and share keys between heads."""

import numpy as np

from .checking import Exercise, Mistake


def rotate(q, position):
    """Turn each pair of neighbours, (q[0], q[1]), (q[2], q[3]) and so on, by its own angle."""
    angles = position * 100000.0 ** (-np.arange(0, len(q), 2) / len(q))  # (d_k/2,), in radians
    cos, sin = np.cos(angles), np.sin(angles)
    turned = np.empty(len(q))
    turned[0::2] = q[0::2] * cos - q[1::2] * sin
    turned[1::2] = q[0::2] * sin + q[1::2] * cos
    return turned


def _turned(q, angles):
    a, b, cos, sin = q[0::2], q[1::2], np.cos(angles), np.sin(angles)
    return np.stack([a * cos - b * sin, a * sin + b * cos], axis=-1).ravel()


def _angles(q, position, theta=100000.0):
    return position * theta ** (-np.arange(0, len(q), 2) / len(q))


def _in_halves(q, position):
    order = np.arange(len(q)).reshape(2, -1).T.ravel()  # (0, n/2), (1, n/2 + 1), …
    turned = np.empty(len(q))
    turned[order] = _turned(q[order], _angles(q, position))
    return turned


ROTATE = Exercise(
    rotate,
    inputs=lambda rng, sizes: (rng.normal(size=2 * sizes.d_k), int(rng.integers(3, 40))),
    returns=("query",),
    mistakes=(
        Mistake(lambda q, position: _turned(q, -_angles(q, position)),
                "Turned the wrong way: lesson 02 turned its queries back, here each pair turns forward. "
                "Exchange the signs of the two sin."),
        Mistake(_in_halves,
                "The pairs are wrong: entry c goes with entry c + d_k/2 here. Other files store their weights that way; "
                "ours has neighbours, (0, 1), (2, 3)."),
        Mistake(lambda q, position: _turned(q, _angles(q, position, 10000.0)),
                "Here θ is 10,000, the number of the first papers. This model was trained with θ = 100,000."),
        Mistake(lambda q, position: _turned(q, _angles(q, position + 1)),
                "The position is one too high. Positions count from 0, so the token at 0 is not turned at all."),
        Mistake(lambda q, position: _turned(q, _angles(q, position - 1)),
                "The position is one too low. The number given is already counted from 0."),
        Mistake(lambda q, position: _turned(q, np.full(len(q) // 2, float(position))),
                "Every pair is turned by the same angle. Pair c turns by position · θ^(−2c/d_k), slower and slower."),
        Mistake(lambda q, position: _turned(q, position * 100000.0 ** (-np.arange(len(q) // 2) / len(q))),
                "The angles shrink too slowly: pair c has the exponent −2c/d_k. The 2 is missing."),
        Mistake(lambda q, position: _turned(q, np.deg2rad(_angles(q, position))),
                "The angles are taken for degrees. They are radians already."),
        Mistake(lambda q, position: q.copy(),
                "The query has not been turned; it does not know its position yet."),
    ),
    hint="q[0::2] and q[1::2] hold the two numbers of each pair, d_k/2 of each.",
)


def check_rotate(rotate):
    """Check a function that turns a query by its position.

    Parameters
    ----------
    rotate : function (q, position) -> (d_k,)
        q is (d_k,) with d_k even. The result may be an array or a list, float32 is precise enough.

    Examples
    --------
    >>> from helpers.real_head import rotate
    >>> check_rotate(lambda q, position: rotate(np.tile(q, (position + 1, 1)))[-1])
    Right: (6,) query, equal to the reference on 6 random inputs.
    """
    ROTATE.check(rotate)


def repeat_heads(K, H):
    """Let each key head serve H / H_kv query heads that stand next to one another."""
    return np.repeat(K, H // len(K), axis=0)    # (H_kv, T, d_k) -> (H, T, d_k)


REPEAT_HEADS = Exercise(
    repeat_heads,
    inputs=lambda rng, sizes: (rng.normal(size=(sizes.H, sizes.T_q, sizes.d_k)), sizes.H * sizes.d_v),
    returns=("keys",),
    mistakes=(
        Mistake(lambda K, H: np.tile(K, (H // len(K), 1, 1)),
                "The order is that of tile: 0, 1, 2, 0, 1, 2. Neighbouring query heads share a key head: 0, 0, 0, 1, 1, 1."),
        Mistake(lambda K, H: np.repeat(K, H, axis=0),
                "Each key head stands there H times. H / H_kv times each makes H in all."),
        Mistake(lambda K, H: np.repeat(K, H // len(K), axis=1),
                "The tokens are repeated, along axis 1. The heads are axis 0."),
        Mistake(lambda K, H: np.repeat(K, H // len(K), axis=2),
                "The columns of each key are repeated, along axis 2. The heads are axis 0."),
        Mistake(lambda K, H: np.repeat(K, H // len(K)),
                "Without an axis, repeat flattens the array first. Add axis=0."),
        Mistake(lambda K, H: np.repeat(K[:1], H, axis=0),
                "All query heads get key head 0, and the other key heads are never used."),
        Mistake(lambda K, H: np.repeat(K.mean(axis=0, keepdims=True), H, axis=0),
                "All query heads get the mean of the key heads. Each keeps one of them, unchanged."),
        Mistake(lambda K, H: np.repeat(K[::-1], H // len(K), axis=0),
                "The key heads come in the opposite order. Query head 0 uses key head 0."),
    ),
    hint="K is (H_kv, T, d_k), and H is a multiple of H_kv.",
)


def check_repeat_heads(repeat_heads):
    """Check a function that lets key heads serve several query heads.

    Parameters
    ----------
    repeat_heads : function (K, H) -> (H, T, d_k)
        K is (H_kv, T, d_k), H a multiple of H_kv. The result may be an array or lists, float32 is precise enough.

    Examples
    --------
    >>> check_repeat_heads(lambda K, H: [K[h // (H // len(K))] for h in range(H)])
    Right: (36, 5, 3) keys, equal to the reference on 6 random inputs.
    """
    REPEAT_HEADS.check(repeat_heads)
