"""Exercises on cost: count the multiplications of the scores, and one step of the online softmax."""

import numpy as np

from .checking import Exercise, Mistake


def score_multiplications(T, d_k, H):
    """Count the multiplications in QKᵀ of all heads."""
    return H * T**2 * d_k    # H heads, T·T scores each, d_k products for a score


SCORE_MULTIPLICATIONS = Exercise(
    score_multiplications,
    inputs=lambda rng, sizes: (sizes.T_q, sizes.d_k, sizes.H),
    returns=("count",),
    mistakes=(
        Mistake(lambda T, d_k, H: T**2 * d_k,
                "This counts one head. Each of the H heads makes scores of its own."),
        Mistake(lambda T, d_k, H: H * T * d_k,
                "T instead of T²: this is one row of scores a head. Each of the T queries meets T keys."),
        Mistake(lambda T, d_k, H: H * T**2,
                "These are the scores. Each of them is a sum of d_k products, so d_k multiplications."),
        Mistake(lambda T, d_k, H: H * T**2 * H * d_k,
                "This takes d_model = H·d_k for the length of a query. A head's queries have d_k entries."),
        Mistake(lambda T, d_k, H: 2 * H * T**2 * d_k,
                "These are the FLOPs, additions and multiplications. Only the multiplications are asked for."),
        Mistake(lambda T, d_k, H: H * T * d_k**2,
                "T and d_k are exchanged: QᵀK would be d_k × d_k. QKᵀ has T × T entries of d_k products each."),
        Mistake(lambda T, d_k, H: H * T * (T + 1) / 2 * d_k,
                "This counts what a causal mask leaves. QKᵀ is made in full, and the mask is added later."),
        Mistake(lambda T, d_k, H: H * (2 * T) * d_k,
                "This adds T and T. Every query meets every key, so the numbers of both multiply: T·T."),
    ),
)


def check_score_multiplications(score_multiplications):
    """Check a function that counts the multiplications of the scores.

    Parameters
    ----------
    score_multiplications : function (T, d_k, H) -> number
        Tokens, width of a head's queries and keys, and heads.

    Examples
    --------
    >>> check_score_multiplications(lambda T, d_k, H: T**2 * d_k)
    This counts one head. Each of the H heads makes scores of its own.
    """
    SCORE_MULTIPLICATIONS.check(score_multiplications)


def online_step(s, v, m, total, o):
    """Take in one more score and its value."""
    new = max(m, s)
    kept, e = np.exp(m - new), np.exp(s - new)    # what was summed before shrinks when the maximum rises
    return new, total * kept + e, o * kept + e * v


def _state(rng, sizes):
    """A value and a state after some scores; in half of the cases the new score is the largest."""
    m, rise, total = (round(rng.uniform(*ends), 2) for ends in ((-2, 2), (0.5, 1.5), (1.2, 3)))
    v, o = rng.normal(size=(2, sizes.d_v))
    return round(m + rise * (-1) ** sizes.T_q, 2), v, m, total, o


def _step(kept, e):
    """A step with other factors: functions of the old maximum, the score and the new maximum."""
    def step(s, v, m, total, o):
        new = max(m, s)
        return new, total * kept(m, s, new) + e(m, s, new), o * kept(m, s, new) + e(m, s, new) * v
    return step


def _old_sum_kept(s, v, m, total, o):
    new, _, mixture = online_step(s, v, m, total, o)
    return new, total + np.exp(s - new), mixture


def _mixture_kept(s, v, m, total, o):
    new, summed, _ = online_step(s, v, m, total, o)
    return new, summed, o + np.exp(s - new) * v


def _value_unweighted(s, v, m, total, o):
    new, summed, _ = online_step(s, v, m, total, o)
    return new, summed, o * np.exp(m - new) + v


def _divided(s, v, m, total, o):
    new, summed, mixture = online_step(s, v, m, total, o)
    return new, summed, mixture / summed


ONLINE_STEP = Exercise(
    online_step,
    inputs=_state,
    returns=("m", "total", "o"),
    mistakes=(
        Mistake(_step(lambda m, s, new: 1, lambda m, s, new: np.exp(s - new)),
                "Nothing that was summed before is rescaled. When the maximum rises, total and o must "
                "shrink by e^(m − new)."),
        Mistake(_old_sum_kept,
                "The old sum is not rescaled, though the mixture is. Its terms were measured from the old "
                "maximum too."),
        Mistake(_mixture_kept,
                "The old mixture is not rescaled, though the sum is. Both were measured from the old "
                "maximum."),
        Mistake(lambda s, v, m, total, o: (m, total + np.exp(s - m), o + np.exp(s - m) * v),
                "The maximum is never renewed. The sums still fit each other, but a later score far above m "
                "will overflow."),
        Mistake(lambda s, v, m, total, o: (s, total * np.exp(m - s) + np.exp(0), o * np.exp(m - s) + v),
                "The new score always becomes the maximum, even where it is smaller. Take the larger of m and s."),
        Mistake(_step(lambda m, s, new: np.exp(new - m), lambda m, s, new: np.exp(s - new)),
                "The factor is upside down: this makes the old terms grow. A higher maximum makes them smaller: "
                "e^(m − new)."),
        Mistake(_step(lambda m, s, new: np.exp(m - new), lambda m, s, new: np.exp(s)),
                "The new term is not measured from the maximum: it is e^s. Use e^(s − new), like all the others."),
        Mistake(_step(lambda m, s, new: np.exp(m - new), lambda m, s, new: np.exp(s - m)),
                "The new term is measured from the old maximum. After the step all terms count from the new one: "
                "e^(s − new)."),
        Mistake(_value_unweighted,
                "The value comes in with weight 1. Its weight is the new term of the sum, e^(s − new)."),
        Mistake(_divided,
                "The mixture is divided in every step, and the next step would take it as undivided. "
                "Divide once, after the last score."),
    ),
    hint="v and o have the same length; s, m and total are single numbers.",
)


def check_online_step(online_step):
    """Check a function that takes one more score into an online softmax.

    Parameters
    ----------
    online_step : function (s, v, m, total, o) -> (m, total, o)
        The new score and its value (d_v,); the largest score, the sum and the mixture (d_v,) so far.

    Examples
    --------
    >>> check_online_step(lambda s, v, m, total, o: (max(m, s), total, o + v))
    Not equal to the reference: total is 1.27, expected 1.73301, where s is -0.22, v is (4,), m is 0.55, \
total is 1.27 and o is (4,).
    """
    ONLINE_STEP.check(online_step)
