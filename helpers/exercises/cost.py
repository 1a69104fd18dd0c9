"""Exercises on cost: count the multiplications of the scores, and one step of the online softmax."""

import numpy as np

from .checking import Exercise


def score_multiplications(T, d_k, H):
    """Count the multiplications in QKᵀ of all heads: T tokens, width d_k, H heads give one number."""
    return H * T**2 * d_k    # H heads, T·T scores each, d_k products for a score


check_score_multiplications = Exercise(
    score_multiplications, lambda rng, sizes: (sizes.T_q, sizes.d_k, sizes.H), "count",
    edges=lambda rng: {"one token": (1, 4, 3), "one head": (6, 4, 1), "d_k is 1": (6, 1, 3)},
    slips=[
        ("H * ", "", "This counts one head. Each of the H heads makes scores of its own."),
        ("T**2", "T", "T instead of T²: this is one row of scores a head. Each of the T queries meets T keys."),
        (" * d_k", "", "These are the scores. Each of them is a sum of d_k products, so d_k multiplications."),
        ("d_k", "H * d_k",
         "The heads count twice (H²), perhaps by d_model = H·d_k. A head's queries are d_k long and meet its own keys alone."),
        (("2 * H * T**2 * d_k", "H * T**2 * (2 * d_k - 1)", "H * T**2 * (d_k - 1)"),
         "Additions are in it: FLOPs are additions and multiplications. Only the multiplications are asked for."),
        ("T**2 * d_k", "T * d_k**2", "T and d_k are exchanged: QᵀK would be d_k × d_k. QKᵀ has T × T entries of d_k products."),
        ("T**2", ("T * (T + 1) / 2", "T * (T - 1) / 2", "T**2 / 2"),
         "This counts what a causal mask leaves. QKᵀ is made in full, and the mask is added later."),
        ("T**2", "(2 * T)", "This adds T and T. Every query meets every key, so the numbers of both multiply: T·T."),
        ("T**2 * d_k / H", "This divides by H. Each of the H heads makes scores of its own, so H multiplies."),
        ("H + T**2 * d_k", "H is added. Each of the H heads makes T² scores, so H multiplies."),
    ])


def online_step(s, v, m, total, o):
    """Take in a score s and its value v (d_v,): largest score m, sum total, mixture o (d_v,) so far give the new three."""
    new = max(m, s)
    kept, e = np.exp(m - new), np.exp(s - new)    # what was summed before shrinks when the maximum rises
    return new, total * kept + e, o * kept + e * v


def _state(rng, sizes):
    """A value and a state after some scores; in half of the cases the new score is the largest."""
    m, rise, total = (round(rng.uniform(*ends), 2) for ends in ((-2, 2), (0.5, 1.5), (1.2, 3)))
    v, o = rng.normal(size=(2, sizes.d_v))
    return round(m + rise * (-1) ** sizes.T_q, 2), v, m, total, o


def _step(rng, s, m):
    return s, rng.normal(size=2), m, 1.5, rng.normal(size=2)


check_online_step = Exercise(
    online_step, _state, ("m", "total", "o"),
    edges=lambda rng: {"s and m are equal": _step(rng, 0.5, 0.5), "s far ahead": _step(rng, 1000.0, 0.0), "s far behind":
                       _step(rng, -1000.0, 0.0), "both very low": _step(rng, -1001.0, -1000.0)},
    slips=[
        ("np.exp(m - new)", "1", "Nothing summed before is rescaled. When the maximum rises, total and o shrink by e^(m − new)."),
        ("total * kept", "total",
         "The old sum is not rescaled, though the mixture is. Its terms also count from the old maximum."),
        ("o * kept", "o", "The old mixture is not rescaled, though the sum is. Both were measured from the old maximum."),
        ("max(m, s)", "m", "The maximum is never renewed. The sums still fit, but a later score far above m will overflow."),
        ("max(m, s)", "s", "The new score always becomes the maximum, even where it is smaller. Take the larger of m and s."),
        ("max(m, s)", "min(m, s)", "This keeps the smaller, the minimum. Take the larger of m and s, or exponentials overflow."),
        ("np.exp(m - new)", "np.exp(new - m)",
         "The factor is upside down: this makes the old terms grow. A higher maximum makes them smaller: e^(m − new)."),
        ("o * kept + e * v", "e * v", "The old mixture is left out: o holds what all scores before have brought. Add to it."),
        ("total * kept + e, o * kept + e * v", "e, e * v", "What was summed before is left out. Add to total and o, rescaled."),
        ("return new,", "return m,",
         "The old maximum is handed on. The next step needs the new one, which all terms count from."),
        ("np.exp(s - new)", "np.exp(new - s)", "The new term is upside down: e^(new − s) is never below 1. Use e^(s − new)."),
        ("np.exp(s - new)", "np.exp(s)",
         "The new term is not measured from the maximum: it is e^s. Use e^(s − new), like the others."),
        ("np.exp(s - new)", "np.exp(s - m)",
         "The new term is measured from the old maximum. After the step all terms count from the new one: e^(s − new)."),
        ("e * v", "v", "The value comes in with weight 1. Its weight is the new term of the sum, e^(s − new)."),
        (" + e, ", ", ", "The new term is missing in the sum: total grows by e^(s − new)."),
        ("total * kept + e, ", "total * kept + 1, ", "The sum grows by 1, whatever the score. The new term is e^(s − new)."),
        (" + e * v", "", "The new value is missing in the mixture: o grows by e^(s − new) · v."),
        ("o * kept + e * v", "(o * kept + e * v) / (total * kept + e)",
         "The mixture is divided in every step; the next step takes it as undivided. Divide once, after the last score."),
        ("np.exp(m - new), np.exp(s - new)", "np.exp(m) / np.exp(new), np.exp(s) / np.exp(new)",
         "Right for small scores: exp of a score itself overflows above 709. Take the difference first: e^(s − new)."),
        ("max(m, s)", "max(m, s) if m != s else None",
         "Where s and m are equal nothing is returned: not s > m, not s < m. Use >=."),
        ("return new, total * kept + e,", "return total * kept + e, new,", "m and total are exchanged; the order: m, total, o."),
    ])
