"""Exercises on shares: the softmax of each row, and the whole pattern from Q, K and M."""

import numpy as np

from helpers.attention import causal_mask

from .checking import Exercise, Mistake


def row_softmax(scores):
    """Turn each row of scores into shares, however large the scores are."""
    largest = scores.max(axis=1, keepdims=True)      # (T_q, 1)
    exps = np.exp(scores - largest)                  # (T_q, T_k)
    return exps / exps.sum(axis=1, keepdims=True)    # (T_q, T_k) / (T_q, 1) -> (T_q, T_k)


def _masked_scores(rng, sizes):
    scores = 2 * rng.normal(size=(sizes.T_q, sizes.T_k))
    if sizes.T_q > 6:    # half of them have rows around 1000 and around -1000
        scores += 1000 * (-1) ** np.arange(sizes.T_q)[:, None]
    scores[np.arange(sizes.T_q), rng.integers(sizes.T_k, size=sizes.T_q)] = -np.inf
    return (scores,)


def _safe_exp(scores):
    return np.exp(scores - scores.max(axis=1, keepdims=True))


def _over_rows(exps):
    return exps / exps.sum(axis=1, keepdims=True)


def _in_both_ways(divide, why):
    """The same slip with the row's maximum subtracted and without."""
    return [Mistake(lambda scores: divide(_safe_exp(scores)), why),
            Mistake(lambda scores: divide(np.exp(scores)), f"{why[:-1]}; and large scores overflow.")]


ROW_SOFTMAX = Exercise(
    row_softmax,
    inputs=_masked_scores,
    returns=("shares",),
    mistakes=(
        Mistake(lambda scores: _over_rows(np.exp(scores)),
                "Right for small scores, NaN for large ones: exp overflows above 709. "
                "Subtract the row's maximum first; that changes no share."),
        Mistake(lambda scores: _over_rows(np.exp(scores - scores.max())),
                "The maximum of the whole matrix is subtracted: where a row lies far below it, all its exponentials "
                "are 0, and 0/0 is NaN. Subtract each row's own: max(axis=1, keepdims=True)."),
        *_in_both_ways(lambda exps: exps / exps.sum(axis=0, keepdims=True),
                       "The wrong axis: each column sums to 1, so targets compete for a source. "
                       "Each row must sum to 1: axis=1, or -1."),
        Mistake(lambda scores: row_softmax(scores.T).T,
                "The wrong axis, for the maximum and for the sum: each column sums to 1, so targets compete "
                "for a source. Each row must sum to 1: axis=1, or -1."),
        Mistake(lambda scores: _over_rows(np.exp(scores - scores.max(axis=0))),
                "The maximum of each column is subtracted, so the scores of one row lose different amounts. "
                "Within a row it must be the same: max(axis=1, keepdims=True)."),
        *_in_both_ways(lambda exps: exps / exps.sum(),
                       "All entries together sum to 1. Each row must have a sum of its own: "
                       "sum(axis=1, keepdims=True)."),
        *_in_both_ways(lambda exps: exps / exps.max(axis=1, keepdims=True),
                       "The largest entry of each row is 1: the exponentials are divided by the largest, "
                       "or not at all. Divide them by the row's sum."),
        Mistake(np.exp,
                "These are the exponentials; the division by the row's sum is missing, "
                "and large scores overflow."),
        Mistake(lambda scores: scores / scores.sum(axis=1, keepdims=True),
                "This divides the scores themselves, and −∞ or a negative score gives no share. "
                "Take the exponential first."),
    ),
    hint="sums and maxima of rows need keepdims=True to stay a column.",
)


def check_row_softmax(row_softmax):
    """Check a function that turns each row of scores into shares.

    Parameters
    ----------
    row_softmax : function (scores) -> (T_q, T_k)
        scores is (T_q, T_k), with −∞ here and there; in some inputs its rows lie around 1000 or −1000. The result may
        be an array or lists, float32 is precise enough.

    Examples
    --------
    >>> check_row_softmax(lambda scores: scores / scores.sum(axis=1, keepdims=True))
    This divides the scores themselves, and −∞ or a negative score gives no share. Take the exponential first.
    """
    ROW_SOFTMAX.check(row_softmax)


def weights(Q, K, M):
    """Say what share each target takes from each source."""
    scores = Q @ K.T / np.sqrt(Q.shape[1]) + M               # (T_q, d_k) @ (d_k, T_k) -> (T_q, T_k)
    exps = np.exp(scores - scores.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)            # (T_q, T_k) / (T_q, 1) -> (T_q, T_k)


def _queries_keys_mask(rng, sizes):
    return (2 * rng.normal(size=(sizes.T_q, sizes.d_k)), rng.normal(size=(sizes.T_k, sizes.d_k)),
            causal_mask(sizes.T_q, sizes.T_k, n_past=sizes.T_q % 2))    # half of them let one more token be seen


def _scaled(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[1])


def _over_columns(Q, K, M):
    exps = np.exp(_scaled(Q, K) + M)
    return exps / exps.sum(axis=0, keepdims=True)


WEIGHTS = Exercise(
    weights,
    inputs=_queries_keys_mask,
    returns=("weights",),
    mistakes=(
        Mistake(lambda Q, K, M: row_softmax(Q @ K.T + M),
                "The scale is missing, so the shares are too sharp. Divide the scores by √d_k, "
                "the square root of the number of columns of Q."),
        Mistake(lambda Q, K, M: row_softmax(Q @ K.T / Q.shape[1] + M),
                "This divides by d_k, so the shares are too flat. Divide by its square root."),
        Mistake(lambda Q, K, M: row_softmax(Q @ K.T / np.sqrt(len(K)) + M),
                "This divides by the square root of the number of tokens. d_k is the number of columns of Q."),
        Mistake(lambda Q, K, M: row_softmax(Q @ K.T + M) / np.sqrt(Q.shape[1]),
                "The scale comes too late: after the softmax it only makes the rows sum to 1/√d_k. "
                "Divide the scores."),
        Mistake(lambda Q, K, M: row_softmax(_scaled(Q, K)),
                "The mask is missing, so tokens look ahead. Add M to the scores."),
        Mistake(lambda Q, K, M: row_softmax(_scaled(Q, K) * M),
                "The mask multiplies the scores: a score times 0 is 0, and a negative one times −∞ is +∞. "
                "A mask of 0 and −∞ is added."),
        Mistake(lambda Q, K, M: _over_rows(np.exp(_scaled(Q, K) * M)),
                "The mask multiplies the scores: a score times 0 is 0, and a negative one times −∞ overflows. "
                "A mask of 0 and −∞ is added."),
        Mistake(lambda Q, K, M: row_softmax(_scaled(Q, K)) + M,
                "The mask comes too late: added to the shares it leaves −∞ among them. "
                "Add M to the scores, before the softmax."),
        Mistake(lambda Q, K, M: row_softmax(_scaled(Q, K)) * (M == 0),
                "The mask comes too late: set to 0 after the softmax, the shares no longer sum to 1. "
                "Add M to the scores, before the softmax."),
        Mistake(_over_columns,
                "The softmax runs down the columns, so targets compete for a source. "
                "With tokens as rows it runs along each row: axis=1."),
        Mistake(lambda Q, K, M: _scaled(Q, K) + M,
                "These are the scores, scaled and masked. The softmax of each row is missing."),
        Mistake(lambda Q, K, M: row_softmax(_scaled(Q, K) + M).T,
                "This is the transpose, the video's orientation: tokens as columns. "
                "Here a target is a row."),
    ),
    hint="the scores must be (T_q, T_k), as M is: Q comes first, K is turned.",
)


def check_weights(weights):
    """Check a function that computes the attention pattern.

    Parameters
    ----------
    weights : function (Q, K, M) -> (T_q, T_k)
        Q is (T_q, d_k), K is (T_k, d_k), M is (T_q, T_k) and holds 0 or −∞. The result may be an
        array or lists, float32 is precise enough.

    Examples
    --------
    >>> check_weights(lambda Q, K, M: Q @ K.T / np.sqrt(Q.shape[1]) + M)
    These are the scores, scaled and masked. The softmax of each row is missing.
    """
    WEIGHTS.check(weights)
