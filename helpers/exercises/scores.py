"""Exercises on scores: one query with one key, and every query with every key."""

import numpy as np

from .checking import Exercise
from .inputs import queries_and_keys

NO_FACTOR = "the raw score has no factor. Lesson 04 brings one."


def one_score(Q, K, i, j):
    """Let one query meet one key: Q (T_q, d_k), K (T_k, d_k) and two indices, from 0, give one number."""
    return Q[i] @ K[j]    # (d_k,) @ (d_k,) -> one number


def _with_indices(rng, sizes):
    i, j = rng.choice(min(sizes.T_q, sizes.T_k), size=2, replace=False).tolist()
    return *queries_and_keys(rng, sizes), i, j


check_one_score = Exercise(
    one_score, _with_indices, "score",
    ways=["(Q @ K.T)[i, j]", "np.sum(Q[i] * K[j], axis=0)"],
    edges=lambda rng: {"one query, one key": (rng.normal(size=(1, 4)), rng.normal(size=(1, 4)), 0, 0),
                       "a query of zeros": (np.zeros((3, 2)), rng.normal(size=(4, 2)), 1, 3)},
    slips=[
        ("[i, j]", "", "These are all the scores. The one that is asked for needs only Q[i] and K[j]."),
        ("Q[j] @ K[i]", "i and j are exchanged: here j asks and i answers. S[i, j] has its query in Q[i], its key in K[j]."),
        ("Q[i] * K[j]", "These are the products, entry by entry. The score is their sum."),
        ("Q[i] @ K.T", "This is the whole row i: query i with every key. One score needs one key, K[j]."),
        ("Q @ K[j]", "This is the whole column j: every query with key j. One score needs one query, Q[i]."),
        ("Q[i] @ K[j] / np.sqrt(Q.shape[-1])",
         "Right up to the factor 1/√d_k; the raw score has no factor. Lesson 04 brings this one."),
        ("Q[i - 1] @ K[j - 1]", "This counts from 1. Indices start at 0, so query i is Q[i] and key j is K[j]."),
        (("Q[i] @ K[i]", "Q[j] @ K[j]"), "One index is taken twice, for both. Row i asks, row j answers: Q[i], K[j]."),
        ("Q[i].sum() * K[j].sum()", "This multiplies two sums. Multiply entry by entry first, then add the products."),
        (("Q[i, :-1] @ K[j, :-1]", "Q[i, 1:] @ K[j, 1:]"),
         "The last entry is left out, or the first. All d_k products count, from 0 to the end."),
        (("softmax(Q @ K.T)[i, j]", "softmax(Q @ K.T / np.sqrt(Q.shape[1]))[i, j]"),
         "This is a share, after the softmax of lesson 06. The score is the number before it."),
    ],
    product="which axis must a query and a key share?", factor=NO_FACTOR)


def scores(Q, K):
    """Let every query meet every key: Q (T_q, d_k), K (T_k, d_k) give (T_q, T_k)."""
    return Q @ K.T    # (T_q, d_k) @ (d_k, T_k) -> (T_q, T_k)


check_scores = Exercise(
    scores, queries_and_keys, "scores",
    ways=["np.sum(Q[:, None] * K, axis=2)"],
    edges=lambda rng: {"one query, one key": (rng.normal(size=(1, 4)), rng.normal(size=(1, 4))),
                       "a query of zeros": (np.zeros((1, 3)), rng.normal(size=(2, 3)))},
    slips=[
        ("Q @ K.T / Q.shape[-1]", "Right up to the factor 1/d_k, a mean instead of a sum; the raw score has no factor. Lesson "
                                  "04 brings one, and it is not this one."),
        ("Q @ K.T / np.sqrt(Q.shape[-1])",
         "Right up to the factor 1/√d_k; the raw score has no factor. Lesson 04 brings this one."),
        ("Q[:, None] * K",
         "These are the products, entry by entry. A score is the sum of the d_k products of a query and a key."),
        (("Q @ K.T / np.sqrt(len(K))", "Q @ K.T / np.sqrt(len(Q))"),
         "This divides by √T, the root of the number of tokens. The raw score has no factor, and lesson 04 brings another one."),
    ],
    product="which axis must they share?", factor=NO_FACTOR)
