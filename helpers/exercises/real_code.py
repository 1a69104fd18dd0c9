"""Exercise on real code: a function with three planted bugs, to be mended."""

from itertools import combinations

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


def planted(Q, K, V, H, keep, *bugs, empty=None):
    """The same with bugs: "scale" (√(H·d_k)) or "length" (√T), "offset", "reshape"; `empty` is the weight in an empty row."""
    T, T_k = Q.shape[1], K.shape[1]
    heads_Q, heads_K, heads_V = (split_heads(M, H) for M in (Q, K, V))
    divisor = Q.shape[2] if "scale" in bugs else T if "length" in bugs else heads_Q.shape[3]
    may_look = np.tri(T, T_k, 0 if "offset" in bugs else T_k - T, dtype=bool) & keep[:, None, None, :]
    A = softmax(np.where(may_look, heads_Q @ heads_K.swapaxes(2, 3) / np.sqrt(divisor), -1e30))
    if empty is not None:
        A = np.where(may_look.any(axis=3, keepdims=True), A, empty)
    O = A @ heads_V
    return O.reshape(len(Q), T, -1) if "reshape" in bugs else concat_heads(O)


SYMPTOMS = {  # the most telling first
    "offset": "Where tokens came before the new ones it is wrong, even with one head. So look at what a new token may look at.",
    "reshape": "With several heads it is wrong even where all keys are 0, so the weights are not to blame. Look at what comes "
               "after them.",
    "scale": "With several heads it is wrong, but right where all keys are 0. So the scores are too small or too large.",
}
BELOW_THE_CUT = "This divides by √T. Below the cut the axes of Q are (B, H, T, d), so that Q.shape[2] is T there."
ALL_THREE = "Not yet: all three bugs are still in it. Begin with the last line of the table: one head is enough to show that bug."


def _left():
    """What is planted when some of the bugs are still there, and what is said about it: a symptom, not the cure."""
    for number, words in enumerate(("One bug is left.", "Two bugs are left."), start=1):
        for bugs in combinations(SYMPTOMS, number):
            yield _with(*bugs), f"{words} {SYMPTOMS[bugs[0]]}"
    yield _with(*SYMPTOMS), ALL_THREE
    for number in range(3):
        for bugs in combinations(("offset", "reshape"), number):
            yield _with("length", *bugs), BELOW_THE_CUT


def _with(*bugs):
    """Calls of `planted`: with the wrong offset some rows are empty, and hide by -1e30, −∞ or a softmax that knows them."""
    empties = ("None", "np.nan", "0") if "offset" in bugs else ("None",)
    return tuple(f"planted(Q, K, V, H, keep, {', '.join(map(repr, bugs))}, empty={empty})" for empty in empties)


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
        ("np.sqrt(heads_Q.shape[3])", "np.sqrt(T_k)",
         "This divides by √T_k. A score is a sum of d_k products: √d_k, the last axis after the cut."),
        ("T_k - T", "T - T_k", "The offset has the wrong sign: the new tokens see less than all. T_k − T tokens came before."),
        ("T_k - T", "T_k", "The mask lets every new token see everything, the future too: its offset is n_past = T_k − T."),
        ("keep[:, None, None, :]", "True", "The padding is looked at: keep hides columns of padding, in each text its own."),
        ("(A @ heads_V).transpose(0, 2, 1, 3)", "(A @ heads_V).transpose(0, 2, 3, 1)",
         "The columns of the heads are interleaved: (B, T, d_v, H). Those of head 0 come first: (B, T, H, d_v)."),
    ],
    product="the last axis of Q and of K is H·d_k, and K and V have T_k tokens.")
