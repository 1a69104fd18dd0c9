"""Exercises on the causal mask: hide the future of a table of scores, and make weights from it."""

import numpy as np

from helpers.attention import causal_mask, softmax

from .checking import Exercise
from .inputs import hidden_ahead
from .slips import SOFTMAX_TOO_MUCH

LARGE = ("-1e3", "-9999", "-1e4", "-1e5", "-1e6", "-1e9", "-1e10", "-1e30", "np.finfo(np.float32).min")


def masked(S):
    """Hide the future, the columns after i in row i, by −∞: S (T_q, T_k) gives (T_q, T_k)."""
    i, j = np.arange(S.shape[0])[:, None], np.arange(S.shape[1])    # (T_q, 1), (T_k,)
    M = np.where(j <= i, 0, -np.inf)                                # (T_q, T_k)
    return S + M


def _scores(rng, sizes):
    return (2 * rng.normal(size=(sizes.T_q, sizes.T_k)),)


check_masked = Exercise(
    masked, _scores, "masked scores",
    edges=lambda rng: {"scores of exactly 0": (np.array([[0, 2.0, 0], [1, 0, -1], [-2, 0, 0]]),),
                       "all scores are equal": (np.ones((3, 4)),), "one token": (np.array([[1.5]]),)},
    slips=[
        (("np.where(np.tril(S) == 0, -np.inf, S)", "np.where(np.triu(S, 1) != 0, -np.inf, S)"),
         "The mask is read from the scores, so one of exactly 0 is taken for hidden or seen. Row and column decide: j <= i."),
        ("M", "This is the mask alone. Add it to the scores, so that the past keeps them."),
        (tuple(f"np.where(M == 0, S, {number})" for number in LARGE),
         "A large number like −1e9 is not −∞: in a row that may look nowhere it gives weights. Use −∞: -np.inf."),
        ("np.where(M == 0, S, np.nan)", "What is hidden became NaN, and a softmax turns a row with NaN into NaN. Use -np.inf."),
        ("j <= i", ("j <= i + S.shape[1] - S.shape[0]", "j - i <= max(0, S.shape[1] - S.shape[0])"),
         "The mask is counted from the last column, from the end. Row i and column i are the same token here: j <= i."),
        ("softmax(S + M)", SOFTMAX_TOO_MUCH),
        ("S * 0 + (j <= i)", "This is a table of 1 and 0, of what may be seen. The scores are to stay, and −∞ beside them."),
    ])


def masked_weights(S, M):
    """Say what share each target takes from what the mask leaves: S and M, of 0 and −∞, (T_q, T_k) give (T_q, T_k)."""
    return softmax(S + M)    # (T_q, T_k), each row sums to 1


def _scores_and_mask(rng, sizes):
    """Half of the masks let one more token be seen, so that a mask of one's own is noticed."""
    return *_scores(rng, sizes), causal_mask(sizes.T_q, sizes.T_k, n_past=sizes.T_q % 2)


def _edges(rng):
    ahead = {edge: (X @ W_Q @ (X @ W_K).T / np.sqrt(3), causal_mask(5)) for edge, (X, W_Q, W_K) in hidden_ahead(rng).items()}
    return ahead | {"all scores are equal": (np.zeros((3, 4)), causal_mask(3, 4)),
                    "nothing is hidden": (rng.normal(size=(2, 3)), np.zeros((2, 3))),
                    "one token": (np.array([[1.5]]), np.zeros((1, 1)))}


check_masked_weights = Exercise(masked_weights, _scores_and_mask, "weights", edges=_edges)
