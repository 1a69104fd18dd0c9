"""Exercises on shares: the softmax of each row, and the whole pattern from Q, K and M."""

import numpy as np

from helpers.attention import causal_mask, softmax

from .checking import Exercise
from .inputs import hidden_ahead, queries_and_keys


def row_softmax(scores):
    """Turn each row into shares, however large the scores are: scores (T_q, T_k), some −∞, give (T_q, T_k)."""
    largest = scores.max(axis=1, keepdims=True)      # (T_q, 1)
    exps = np.exp(scores - largest)                  # (T_q, T_k)
    return exps / exps.sum(axis=1, keepdims=True)    # (T_q, T_k) / (T_q, 1) -> (T_q, T_k)


def _masked_scores(rng, sizes):
    scores = 2 * rng.normal(size=(sizes.T_q, sizes.T_k))
    scores[::2, rng.integers(sizes.T_k)] = -np.inf    # in every second row
    return (scores,)


check_row_softmax = Exercise(
    row_softmax, _masked_scores, "shares",
    ways=["softmax(scores)"],
    edges=lambda rng: {"rows around 1000": (1000 + rng.normal(size=(3, 4)),),
                       "rows around 1000 and around -1000": (np.array([[1000, 1001.0], [-1001, -1000]]),),
                       "a row from -1000 to 1000": (np.array([[-1000, -999, 0, 1000.0]]),),
                       "one score in each row": (np.array([[2.0], [-3]]),),
                       "all scores are equal": (np.ones((2, 3)),)},
    slips=[
        ("scores - largest", "scores", "Right for small scores, NaN for large ones: exp overflows above 709. Subtract the "
                                       "row's maximum first; that changes no share."),
        ("scores.max(axis=1, keepdims=True)", "scores.max()", "The maximum of the whole matrix is subtracted; a row far below "
                                                              "it is all 0, and 0/0 is NaN. Subtract each row's own."),
        ("scores.max(axis=1, keepdims=True)", ("np.where(np.isinf(scores), 0, scores).mean(axis=1, keepdims=True)",
                                               "np.where(np.isinf(scores), np.inf, scores).min(axis=1, keepdims=True)",
                                               "np.median(scores, axis=1, keepdims=True)", "scores[:, :1]"),
         "What is subtracted is not the largest score of the row, so one above it can overflow in exp. Subtract the maximum."),
        ("scores - largest", ("np.clip(scores, -700, 700)", "np.minimum(scores, 700)"),
         "Cut off at a limit, scores beyond it get equal shares. Subtract the row's maximum instead; that changes no share."),
        ("scores.max(axis=1, keepdims=True)", "scores.max(axis=0)",
         "The maximum of each column is subtracted, other amounts within one row. Take the row's: max(axis=1, keepdims=True)."),
    ])


def weights(Q, K, M):
    """Say who takes what share from whom: Q (T_q, d_k), K (T_k, d_k), M (T_q, T_k), of 0 and −∞, give A (T_q, T_k)."""
    S = Q @ K.T                             # (T_q, d_k) @ (d_k, T_k) -> (T_q, T_k)
    S_scaled = S / np.sqrt(Q.shape[1])      # (T_q, T_k)
    return softmax(S_scaled + M)            # (T_q, T_k), each row sums to 1


def _queries_keys_mask(rng, sizes):
    """Half of the masks let one more token be seen, so that a mask of one's own is noticed."""
    Q, K = queries_and_keys(rng, sizes)
    return 2 * Q, K, causal_mask(sizes.T_q, sizes.T_k, n_past=sizes.T_q % 2)


def _edges(rng):
    ahead = {edge: (X @ W_Q, X @ W_K, causal_mask(5)) for edge, (X, W_Q, W_K) in hidden_ahead(rng).items()}
    return ahead | {"all scores are equal": (np.zeros((3, 2)), rng.normal(size=(4, 2)), causal_mask(3, 4)),
                    "nothing is hidden": (rng.normal(size=(2, 3)), rng.normal(size=(4, 3)), np.zeros((2, 4))),
                    "one token": (rng.normal(size=(1, 2)), rng.normal(size=(1, 2)), np.zeros((1, 1)))}


check_weights = Exercise(weights, _queries_keys_mask, "weights", edges=_edges,
                         product="the scores must be (T_q, T_k), as M is: Q comes first, K is turned.")
