"""Exercises on the causal mask: hide the future of a table of scores, and make weights from it."""

import numpy as np

from helpers.attention import causal_mask

from .checking import Exercise, Mistake


def masked(S):
    """Hide the future: row i keeps the scores of the columns up to i."""
    i, j = np.arange(S.shape[0])[:, None], np.arange(S.shape[1])    # (T_q, 1), (T_k,)
    return np.where(j <= i, S, -np.inf)                             # (T_q, T_k)


def _scores(rng, sizes):
    return (2 * rng.normal(size=(sizes.T_q, sizes.T_k)),)


def _mask(S, offset=0):
    return np.where(np.tri(*S.shape, offset, dtype=bool), 0.0, -np.inf)


MASKED = Exercise(
    masked,
    inputs=_scores,
    returns=("masked scores",),
    mistakes=(
        Mistake(lambda S: S + _mask(S, -1),
                "The token itself is masked out too (off by one), so row 0 may look nowhere. "
                "Row i may look at itself: j <= i."),
        Mistake(lambda S: S + _mask(S, 1),
                "Each row still sees one token ahead (off by one), and that token is the answer. "
                "Row i may look as far as itself: j <= i."),
        Mistake(lambda S: np.where(np.tri(*S.shape[::-1]).T == 1, S, -np.inf),
                "The mask is transposed: this hides the past. "
                "i is the row, j the column, and j > i is the future."),
        Mistake(lambda S: np.where(_mask(S) == 0, S, 0),
                "The future gets the score 0, and to softmax 0 is a score like any other: e^0 = 1. "
                "Only −∞ gives the share 0."),
        Mistake(lambda S: S + np.tri(*S.shape),
                "A mask of 1 and 0 is added: the past gets 1 more and the future stays. "
                "What is added must be 0 for the past and −∞ for the future."),
        Mistake(lambda S: S * _mask(S),
                "The mask multiplies the scores: times 0 they are wiped out where they should stay. "
                "A mask of 0 and −∞ is added."),
        Mistake(_mask,
                "This is the mask alone. Add it to the scores, so that the past keeps them."),
        Mistake(lambda S: np.where(_mask(S) == 0, S, -1e9),
                "The number −1e9 is not −∞: in a row that may look nowhere it gives weights. "
                "Use −∞: -np.inf."),
        Mistake(lambda S: S + 0.0,
                "Nothing is masked: every row still sees its future. "
                "Put −∞ where the column j is larger than the row i."),
    ),
    hint="row i and column j of S decide; the result has the shape of S.",
)


def check_masked(masked):
    """Check a function that hides the future of a table of scores.

    Parameters
    ----------
    masked : function (S) -> (T_q, T_k)
        S is (T_q, T_k); row i may look at the columns j <= i. The result may be an array or lists,
        float32 is precise enough.

    Examples
    --------
    >>> check_masked(lambda S: S + np.tri(*S.shape))
    A mask of 1 and 0 is added: the past gets 1 more and the future stays. What is added must be 0 for \
the past and −∞ for the future.
    """
    MASKED.check(masked)


def masked_weights(S, M):
    """Say what share each target takes from the sources that the mask leaves."""
    scores = S + M                                                  # (T_q, T_k)
    exps = np.exp(scores - scores.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)                   # (T_q, T_k) / (T_q, 1)


def _scores_and_mask(rng, sizes):
    """Half of the masks let one more token be seen; in the longer half of the cases one hidden score lies far ahead."""
    (S,) = _scores(rng, sizes)
    S[0, -1] += 800 * (sizes.T_q > 6)
    return S, causal_mask(sizes.T_q, sizes.T_k, n_past=sizes.T_q % 2)


def _softmax(S):
    return masked_weights(S, 0)


def _set_to_zero_after(S, M):
    return _softmax(S) * (M == 0)


def _renormalised(S, M):
    weights = _set_to_zero_after(S, M)
    return weights / weights.sum(axis=1, keepdims=True)


def _over_columns(S, M):
    exps = np.exp(S + M)
    return exps / exps.sum(axis=0, keepdims=True)


MASKED_WEIGHTS = Exercise(
    masked_weights,
    inputs=_scores_and_mask,
    returns=("weights",),
    mistakes=(
        Mistake(lambda S, M: _softmax(S * (M == 0)),
                "The future gets the score 0 before the softmax, and e^0 = 1 is a share. "
                "Add M instead: e^−∞ = 0."),
        Mistake(_set_to_zero_after,
                "The mask comes after the softmax: the rows no longer sum to 1, and the sum they "
                "were divided by knows the future. Add M before."),
        Mistake(_renormalised,
                "Right on paper: dividing again repairs the sums. But where a future score is far "
                "ahead, the past underflows to 0 and 0/0 is NaN. Add M before the softmax."),
        Mistake(lambda S, M: _softmax(S) + M,
                "The mask is added after the softmax and leaves −∞ among the shares. "
                "Add M to the scores."),
        Mistake(lambda S, M: _softmax(S * M),
                "The mask multiplies the scores: times 0 they vanish, and a negative one times −∞ "
                "is +∞. A mask of 0 and −∞ is added."),
        Mistake(lambda S, M: _softmax(S),
                "The mask is not used, so tokens look ahead. Add M to the scores, before the softmax."),
        Mistake(lambda S, M: _softmax(np.where(np.isinf(M), -1, S)),
                "The future gets the score −1, and e^−1 = 0.37 is still a share. Add M: e^−∞ = 0."),
        Mistake(_over_columns,
                "The softmax runs down the columns, so targets compete for a source. "
                "Each row must sum to 1: axis=1."),
        Mistake(lambda S, M: S + M,
                "These are the masked scores. The softmax of each row is missing."),
    ),
    hint="S and M have the same shape, so they can be added as they are.",
)


def check_masked_weights(masked_weights):
    """Check a function that applies a mask and makes weights of the scores.

    Parameters
    ----------
    masked_weights : function (S, M) -> (T_q, T_k)
        S is (T_q, T_k), M as large and holds 0 or −∞. The result may be an array or lists, float32
        is precise enough.

    Examples
    --------
    >>> check_masked_weights(lambda S, M: S + M)
    These are the masked scores. The softmax of each row is missing.
    """
    MASKED_WEIGHTS.check(masked_weights)
