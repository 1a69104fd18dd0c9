"""Exercise on real code: a function with three planted bugs, to be mended."""

import numpy as np

from helpers.attention import concat_heads, softmax, split_heads

from .checking import Exercise


def attend_heads(Q, K, V, H, keep):
    """Causal attention of H heads: Q (B, T, H·d_k), K, V (B, T_k, …), keep (B, T_k) give outputs (B, T, H·d_v)."""
    T, T_k = Q.shape[1], K.shape[1]
    heads_Q, heads_K, heads_V = split_heads(Q, H), split_heads(K, H), split_heads(V, H)    # (B, H, T, d)
    may_look = np.tri(T, T_k, T_k - T, dtype=bool) & keep[:, None, None, :]
    S = heads_Q @ heads_K.swapaxes(2, 3) / np.sqrt(heads_Q.shape[3])       # √d_k, not √(H·d_k)
    S = np.where(may_look, S, -1e30)
    A = np.exp(S - S.max(axis=3, keepdims=True))
    A = A / A.sum(axis=3, keepdims=True)                       # (B, H, T, T_k)
    O = (A @ heads_V).transpose(0, 2, 1, 3)                        # (B, T, H, d_v): tokens before heads
    return O.reshape(len(Q), T, -1)                            # (B, T, H·d_v)


def planted(Q, K, V, H, keep, *bugs):
    """The same with one or several bugs: "scale", "offset", "reshape"."""
    T, T_k, (heads_Q, heads_K, heads_V) = Q.shape[1], K.shape[1], (split_heads(M, H) for M in (Q, K, V))
    may_look = np.tri(T, T_k, 0 if "offset" in bugs else T_k - T, dtype=bool) & keep[:, None, None, :]
    S = heads_Q @ heads_K.swapaxes(2, 3) / np.sqrt((Q if "scale" in bugs else heads_Q).shape[-1])
    O = softmax(np.where(may_look, S, -1e30)) @ heads_V
    return O.reshape(len(Q), T, -1) if "reshape" in bugs else concat_heads(O)


ONE_LEFT = {
    "scale": "With more than one head the weights are too even, unless all keys are 0. The scale must be √d_k, taken after "
             "the cut; before it, Q.shape[2] is H·d_k.",
    "offset": "With kept tokens it is wrong, even with one head. Row i of the new tokens may look at j ≤ i + n_past, where "
              "n_past = T_k − T.",
    "reshape": "With more than one head it is wrong, even where all keys are 0, so the weights are not to blame. Before the "
               "reshape T must stand before H.",
}


def _left():
    """What is planted when some of the bugs are still there, and what is said about it: the most telling symptom."""
    for first in ("offset", "reshape", "scale"):
        yield f"planted(Q, K, V, H, keep, {first!r})", f"One bug is left. {ONE_LEFT[first]}"
    for pair in (("offset", "reshape"), ("offset", "scale"), ("reshape", "scale")):
        yield f"planted(Q, K, V, H, keep, {pair[0]!r}, {pair[1]!r})", f"Two bugs are left. {ONE_LEFT[pair[0]]}"
    yield "planted(Q, K, V, H, keep, *ONE_LEFT)", ("Not yet: all three bugs are still in it. Begin with the last line of the "
                                                  "table: one head is enough to show that bug.")


def _projected(rng, sizes):
    """Three texts; the last T of T_k tokens are new, and text 1 begins with padding."""
    T, T_k, H = sizes.T_q, 2 * sizes.T_q + 1, 2 + sizes.T_q % 3
    Q, K = (rng.normal(size=(3, rows, H * sizes.d_k)) for rows in (T, T_k))
    return 2 * Q, K, rng.normal(size=(3, T_k, H * sizes.d_v)), H, np.arange(T_k) >= [[0], [2], [0]]


def _edges(rng):
    Q, K, V = rng.normal(size=(3, 3, 5, 6))
    see_all = np.ones((3, 5), bool)
    return {"one head": (Q, K, V, 1, see_all), "nothing is kept": (Q, K, V, 3, see_all),
            "one new token": (Q[:, -1:], K, V, 2, see_all),
            "more padding": (Q[:, 3:], K, V, 2, np.arange(5) >= [[0], [1], [3]])}


check_attend_heads = Exercise(
    attend_heads, _projected, "outputs", edges=_edges,
    slips=[
        *_left(),
        ("np.sqrt(heads_Q.shape[3])", "np.sqrt(3)",
         "This divides by √3, which is √d_k only where d_k is 3. Take it from the shape."),
        ("np.sqrt(heads_Q.shape[3])", ("np.sqrt(T)", "np.sqrt(T_k)"),
         "This divides by √T or √T_k. A score is a sum of d_k products: √d_k, the last axis after the cut."),
        ("T_k - T", "T - T_k", "The offset has the wrong sign: the new tokens see less than all. T_k − T tokens came before."),
        ("T_k - T", "T_k", "The mask lets every new token see everything, the future too: its offset is n_past = T_k − T."),
        ("keep[:, None, None, :]", "True", "The padding is looked at: keep hides columns of padding, in each text its own."),
        ("(A @ heads_V).transpose(0, 2, 1, 3)", "(A @ heads_V).transpose(0, 2, 3, 1)",
         "The columns of the heads are interleaved: (B, T, d_v, H). Those of head 0 come first: (B, T, H, d_v)."),
    ],
    product="the last axis of Q and of K is H·d_k, and K and V have T_k tokens.")
