"""Exercises on scores: one query with one key, and every query with every key."""

import numpy as np

from .checking import Exercise, Mistake

NO_FACTOR = "the raw score has no factor. Lesson 04 brings one."


def one_score(Q, K, i, j):
    """Let one query meet one key."""
    return Q[i] @ K[j]    # (d_k,) @ (d_k,) -> one number


def _queries_and_keys(rng, sizes):
    return rng.normal(size=(sizes.T_q, sizes.d_k)), rng.normal(size=(sizes.T_k, sizes.d_k))


def _with_indices(rng, sizes):
    i, j = rng.choice(min(sizes.T_q, sizes.T_k), size=2, replace=False).tolist()
    return *_queries_and_keys(rng, sizes), i, j


def _lengths(rows):
    return np.linalg.norm(rows, axis=-1)


ONE_SCORE = Exercise(
    one_score,
    inputs=_with_indices,
    returns=("score",),
    mistakes=(
        Mistake(lambda Q, K, i, j: Q[j] @ K[i],
                "i and j are exchanged: here token j asks and token i answers. "
                "S[i, j] takes its query from row i of Q and its key from row j of K."),
        Mistake(lambda Q, K, i, j: Q[i] @ K.T,
                "This is the whole row i: query i with every key. One score needs one key, K[j]."),
        Mistake(lambda Q, K, i, j: Q @ K[j],
                "This is the whole column j: every query with key j. "
                "One score needs one query, Q[i]."),
        Mistake(lambda Q, K, i, j: Q @ K.T,
                "These are all the scores. The one that is asked for needs only Q[i] and K[j]."),
        Mistake(lambda Q, K, i, j: Q[i] * K[j],
                "These are the products, entry by entry. The score is their sum."),
        Mistake(lambda Q, K, i, j: Q[i] @ K[j] / (_lengths(Q[i]) * _lengths(K[j])),
                "This is the cosine: it divides by both lengths. A dot product keeps them, "
                "so a long query asks more strongly."),
        Mistake(lambda Q, K, i, j: Q[i] @ K[j] / np.sqrt(Q.shape[-1]),
                "Right up to the factor 1/√d_k; the raw score has no factor. "
                "Lesson 04 brings this one."),
        Mistake(lambda Q, K, i, j: Q[i - 1] @ K[j - 1],
                "This counts from 1. Indices start at 0, so query i is Q[i] and key j is K[j]."),
        Mistake(lambda Q, K, i, j: Q[i] @ Q[j],
                "Both vectors come from Q, so one query meets another. "
                "What token j answers stands in K[j]."),
    ),
    hint="which axis must a query and a key share?",
    factor=NO_FACTOR,
)


def check_one_score(one_score):
    """Check a function that lets one query meet one key.

    Parameters
    ----------
    one_score : function (Q, K, i, j) -> number
        Q is (T_q, d_k), K is (T_k, d_k); i and j count from 0. float32 is precise enough.

    Examples
    --------
    >>> check_one_score(lambda Q, K, i, j: sum(Q[i] * K[j]))
    Right: one score, equal to the reference on 6 random inputs.
    """
    ONE_SCORE.check(one_score)


def scores(Q, K):
    """Let every query meet every key."""
    return Q @ K.T    # (T_q, d_k) @ (d_k, T_k) -> (T_q, T_k)


SCORES = Exercise(
    scores,
    inputs=_queries_and_keys,
    returns=("scores",),
    mistakes=(
        Mistake(lambda Q, K: K @ Q.T,
                "This is the transpose: row i now belongs to key i. "
                "Queries go in rows, so Q comes first."),
        Mistake(lambda Q, K: Q @ K.T / Q.shape[-1],
                "Right up to the factor 1/d_k; the raw score has no factor. "
                "Lesson 04 brings one, and it is not this one."),
        Mistake(lambda Q, K: Q @ K.T / np.sqrt(Q.shape[-1]),
                "Right up to the factor 1/√d_k; the raw score has no factor. "
                "Lesson 04 brings this one."),
        Mistake(lambda Q, K: Q[:, None] * K,
                "These are the products, entry by entry. "
                "A score is the sum of the d_k products of one query and one key."),
        Mistake(lambda Q, K: (Q[:, None] + K).sum(-1),
                "This adds the entries of query and key. A score multiplies them first, "
                "so that only entries which both have count."),
        Mistake(lambda Q, K: Q @ Q.T,
                "Here queries meet queries. What a token answers stands in its key: Q meets K."),
        Mistake(lambda Q, K: K @ K.T,
                "Here keys meet keys. What a token asks stands in its query: Q meets K."),
        Mistake(lambda Q, K: Q @ K.T / np.outer(_lengths(Q), _lengths(K)),
                "These are cosines: each is divided by the lengths of query and key. "
                "A dot product keeps the lengths, so a long query asks more strongly."),
    ),
    hint="which axis must they share?",
    factor=NO_FACTOR,
)


def check_scores(scores):
    """Check a function that lets every query meet every key.

    Parameters
    ----------
    scores : function (Q, K) -> (T_q, T_k)
        Q is (T_q, d_k), K is (T_k, d_k). The result may be an array or lists, float32 is precise
        enough.

    Examples
    --------
    >>> check_scores(lambda Q, K: Q @ K.T)
    Right: (5, 7) scores, equal to the reference on 6 random inputs.
    """
    SCORES.check(scores)
