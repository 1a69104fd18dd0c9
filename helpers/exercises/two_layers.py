"""Exercise on two heads in a row: how much a map looks like that of an induction head."""

import numpy as np

from .checking import Exercise


def induction_score(A, ids):
    """Average the weight on the token after the last earlier time of the same token: A (T, T), ids (T,) give one number."""
    weights = []
    for i in range(len(ids)):
        earlier = np.flatnonzero(ids[:i] == ids[i])    # the places where this token stood before
        if len(earlier):
            weights.append(A[i, earlier[-1] + 1])      # what came after the last of them
    return np.mean(weights) if weights else 0.0


def _map_and_ids(rng, sizes):
    return _map(rng, sizes.T_q + 4), rng.integers(0, 3, size=sizes.T_q + 4)


def _map(rng, T):
    """Numbers of no map of weights, so that rounding and cutting show, and who looks at the future."""
    return rng.uniform(0.5, 4, size=(T, T))


ITSELF = "The row itself counts as an earlier time, and nothing stands after it yet. Earlier means before i: ids[:i]."

check_induction_score = Exercise(
    induction_score, _map_and_ids, "score",
    edges=lambda rng: {"no token comes twice": (_map(rng, 5), np.arange(5)), "one token": (_map(rng, 1), np.array([2])),
                       "all tokens are equal": (_map(rng, 6), np.zeros(6, int)),
                       "a token twice, far apart": (_map(rng, 6), np.array([4, 0, 1, 2, 3, 4])),
                       "the weight lies elsewhere": (np.eye(6)[[0, 0, 0, 0, 0, 1]], np.array([5, 6, 7, 5, 6, 7]))},
    slips=[
        ("earlier[-1] + 1", "earlier[-1]",
         "This is the weight on the earlier time itself, on the same token. The answer stands one place after it."),
        ("earlier[-1] + 1", "earlier[-1] - 1",
         "This is the weight on the token before the earlier time. Take the one after it: + 1."),
        ("earlier[-1] + 1", "earlier[0] + 1",
         "This takes the first earlier time. Asked for is the last one before the row: earlier[-1]."),
        ("A[i, earlier[-1] + 1]", "A[i, earlier + 1].sum()",
         "The weights after all earlier times are added. Only the one after the last earlier time counts."),
        ("A[i, earlier[-1] + 1]", "A[i, i - 1]",
         "This is the weight on the token before the row: a score for a previous-token head."),
        ("A[i, earlier[-1] + 1]", "A[earlier[-1] + 1, i]",
         "Row and column are exchanged: targets are rows, so the row is i and the column is the place that is looked at."),
        ("A[i, earlier[-1] + 1]", "float(A[i].argmax() == earlier[-1] + 1)",
         "This counts how often the largest weight lies there. Asked for is the weight itself, averaged."),
        ("ids[:i]", "ids[:min(i + 1, len(ids) - 1)]", ITSELF),
        ("range(len(ids)):\n        earlier = np.flatnonzero(ids[:i]",
         "range(len(ids) - 1):\n        earlier = np.flatnonzero(ids[:i + 1]", ITSELF),
        ("ids[:i]", "ids[:-1]",
         "Later times are counted too, and what follows them is in the future. Earlier means before i: ids[:i]."),
        ("np.mean(weights) if weights else 0.0", ("np.mean(weights)", "sum(weights) / len(weights)"),
         "Where no token has come before, no row counts, and there is nothing to average. Return 0 there."),
        ("np.mean(weights)", "np.sum(weights)", "This is the sum of the weights. Divide by how many rows count."),
        ("np.mean(weights)", "np.sum(weights) / len(ids)",
         "Divided by all rows. Rows whose token has not come before do not count: divide by len(weights)."),
        ("np.mean(weights) if weights else 0.0", "weights[0] if weights else 0.0",
         "Only the first row that counts is taken: a return inside the loop ends it. Move it to the left."),
        ("np.mean(weights) if weights else 0.0", "weights[-1] if weights else 0.0",
         "Only the last row that counts is left: the loop overwrites it. Collect the weights, then average."),
    ],
    index="if it is the row itself or a later time after which you look: only those before i count, ids[:i].")
