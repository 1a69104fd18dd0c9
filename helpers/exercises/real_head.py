"""Exercises on a real head: turn a query by its position, and share keys between heads."""

import numpy as np

from .checking import Exercise


def rotate(q, position):
    """Turn each pair of neighbours, (q[0], q[1]), (q[2], q[3]) and so on, by its own angle: q (d_k,) gives (d_k,)."""
    angles = position * 100000.0 ** (-np.arange(0, len(q), 2) / len(q))    # (d_k/2,), in radians
    cos, sin = np.cos(angles), np.sin(angles)
    turned = np.empty(len(q))
    turned[0::2] = q[0::2] * cos - q[1::2] * sin
    turned[1::2] = q[0::2] * sin + q[1::2] * cos
    return turned


check_rotate = Exercise(
    rotate, lambda rng, sizes: (rng.normal(size=2 * sizes.d_k), int(rng.integers(3, 40))), "query",
    edges=lambda rng: {"position 0": (rng.normal(size=4), 0), "one pair": (rng.normal(size=2), 5),
                       "a query of zeros": (np.zeros(4), 3)},
    slips=[
        ("np.sin(angles)", "-np.sin(angles)", "Turned the wrong way: lesson 02 turned its queries back, here each pair turns "
                                              "forward. Exchange the signs of the two sin."),
        ("reference(q.reshape(2, -1).T.ravel(), position).reshape(-1, 2).T.ravel()",
         "The pairs are wrong, (c, c + d_k/2). Other files store their weights so; ours has neighbours, (0, 1), (2, 3)."),
        ("np.concatenate([turned[0::2], turned[1::2]])",
         "The halves stand behind one another. Each pair keeps its places: result[0::2] and result[1::2]."),
        ("turned[1::2] = q[0::2] * sin", "turned[1::2] = turned[0::2] * sin",
         "The second number of each pair is made from the first one, which has been changed already. Make both from the old q."),
        ("100000.0", ("10000.0", "1000.0"),
         "Here θ is 10,000 (or less), the number of the first papers. This model was trained with θ = 100,000."),
        ("= position *", ("= (position + 1) *", "= (position - 1) *"),
         "The position is one too high, or one too low. It counts from 0, so the token at 0 is not turned at all."),
        ("= position * …", "= position + 0 * …",
         "Every pair is turned by the same angle. Pair c turns by position · θ^(−2c/d_k), slower and slower."),
        ("= position *", "=", "The position is missing: every token is turned by the same angles. They grow with the position."),
        ("np.arange(0, len(q), 2)", "np.arange(len(q) // 2)",
         "The angles shrink too slowly: pair c has the exponent −2c/d_k. The 2 is missing."),
        ("-np.arange(0", "-2 * np.arange(0",
         "The angles shrink too fast: the 2 is counted twice. np.arange(0, d_k, 2) holds 2c."),
        ("(-np.arange(0", "(np.arange(0",
         "The minus in the exponent is missing, so the angles grow from pair to pair. Pair c turns by position · θ^(−2c/d_k)."),
        ("cos, sin = np.cos(angles), np.sin(angles)", "cos, sin = np.cos(np.deg2rad(angles)), np.sin(np.deg2rad(angles))",
         "The angles are taken for degrees. They are radians already."),
        ("q.copy()", "The query has not been turned; it does not know its position yet."),
    ],
    product="q[0::2] and q[1::2] hold the two numbers of each pair, d_k/2 of each.")


def repeat_heads(K, H):
    """Let each key head serve the H / H_kv query heads that stand together: K (H_kv, T, d_k) gives (H, T, d_k)."""
    return np.repeat(K, H // len(K), axis=0)    # (H_kv, T, d_k) -> (H, T, d_k)


check_repeat_heads = Exercise(
    repeat_heads, lambda rng, sizes: (rng.normal(size=(sizes.H, sizes.T_q, sizes.d_k)), sizes.H * sizes.d_v), "keys",
    edges=lambda rng: {"one key head": (rng.normal(size=(1, 2, 4)), 3), "as many as query heads": (rng.normal(size=(3, 2, 4)), 3),
                       "one token": (rng.normal(size=(2, 1, 3)), 4)},
    slips=[
        ("np.tile(K, (H // len(K), 1, 1))",
         "The order is that of tile: 0, 1, 2, 0, 1, 2. Neighbouring query heads share a key head: 0, 0, 0, 1, 1, 1."),
        ("H // len(K)", ("H", "len(K)"), "Each key head stands there H or H_kv times. H / H_kv times each makes H in all."),
        ("axis=0", "axis=1", "The tokens are repeated, along axis 1. The heads are axis 0."),
        ("axis=0", "axis=2", "The columns of each key are repeated, along axis 2. The heads are axis 0."),
        (", axis=0", "", "Without an axis, repeat flattens the array first. Add axis=0."),
        ("np.repeat(K[:1], H, axis=0)", "All query heads get key head 0, and the other key heads are never used."),
        ("np.repeat(K[:1], H // len(K), axis=0)",
         "Only key head 0 is served: a return inside the loop ends it after one turn. Move it to the left."),
        ("np.repeat(K.mean(axis=0, keepdims=True), H, axis=0)",
         "All query heads get the mean of the key heads. Each keeps one of them, unchanged."),
        ("np.repeat(K,", "np.repeat(K[::-1],", "The key heads come in the opposite order. Query head 0 uses key head 0."),
        ("K", "K is returned unchanged, with H_kv heads. Repeat each head until there are H."),
        ("np.repeat(K[:, None], H // len(K), axis=1)",
         "The copies have an axis of their own: (H_kv, H / H_kv, T, d_k). Merge the first two: reshape to (H, T, d_k)."),
        ("np.array([K[h // len(K)] for h in range(H)])", "Query head h uses key head h // len(K) here. len(K) is the number of "
                                                         "key heads; divide by the size of a group, H // len(K)."),
    ])
