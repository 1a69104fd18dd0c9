"""What lesson 04 claims about √d_k, recomputed."""

import math

import numpy as np
import pytest

from helpers.attention import softmax
from helpers.example import TOKENS, X, projections
from helpers.explorers.scaling import effective_number, movement

WIDTHS = [2**n for n in range(10)]
T = 16
FOREST, VERDANT = TOKENS.index("forest"), TOKENS.index("verdant")
W_Q, W_K, _, _ = projections("adjectives")
Q, K = X @ W_Q, X @ W_K


def random_scores(d_k, rows=1500):
    """A query and T keys a row, all independent; another generator than the lesson's."""
    rng = np.random.default_rng(1000 + d_k)
    queries, keys = rng.standard_normal((rows, d_k)), rng.standard_normal((rows, T, d_k))
    return np.einsum("nd,ntd->nt", queries, keys)


@pytest.fixture(scope="module")
def scores():
    return {d_k: random_scores(d_k) for d_k in WIDTHS}


def medians(measure, scores, divisor):
    return [np.median(measure(softmax(s / divisor(d_k)))) for d_k, s in scores.items()]


def forest_scores(d_k, draws=400):
    rng = np.random.default_rng(2000 + d_k)
    query, keys = rng.standard_normal((draws, d_k - 3)), rng.standard_normal((draws, len(TOKENS), d_k - 3))
    return K @ Q[FOREST] + np.einsum("nd,ntd->nt", query, keys)


def test_variance_of_a_score_is_d_k(scores):
    for d_k, s in scores.items():
        assert s.var() == pytest.approx(d_k, rel=0.12)
    slope = np.polyfit(np.log(WIDTHS), np.log([s.var() for s in scores.values()]), 1)[0]
    assert slope == pytest.approx(1, abs=0.03)


def test_a_lead_becomes_a_ratio_of_positive_shares():
    scores = np.array([2, 1, -1])
    shares = softmax(scores)
    assert (shares > 0).all() and shares.sum() == pytest.approx(1)
    for a, b in ((0, 1), (1, 2), (0, 2)):
        assert shares[a] / shares[b] == pytest.approx(math.exp(scores[a] - scores[b]))


def test_creature_scores_fluffy_7_41_after_scaling():
    score = Q[TOKENS.index("creature")] @ K[TOKENS.index("fluffy")]
    assert [round(score, 2), round(score / math.sqrt(3), 2)] == [12.83, 7.41]


def test_a_product_has_variance_one_because_means_multiply():
    rng = np.random.default_rng(4)
    q, k = 2 * rng.standard_normal(500_000), 3 * rng.standard_normal(500_000)    # variances 4 and 9
    assert (q * k).mean() == pytest.approx(0, abs=0.05)
    assert (q * k).var() == pytest.approx((q**2).mean() * (k**2).mean(), rel=0.02)
    assert (q * k).var() == pytest.approx(4 * 9, rel=0.02)


def test_variances_of_independent_products_add_up():
    rng = np.random.default_rng(4)
    products = rng.standard_normal((200_000, 4)) * rng.standard_normal((200_000, 4))
    assert products.var(axis=0) == pytest.approx(np.ones(4), abs=0.05)
    assert products.sum(axis=1).var() == pytest.approx(products.var(axis=0).sum(), rel=0.02)


def test_divided_by_root_d_k_the_variance_is_one(scores):
    for d_k, s in scores.items():
        assert (s / math.sqrt(d_k)).var() == pytest.approx(1, rel=0.12)
        assert (s / d_k).var() == pytest.approx(1 / d_k, rel=0.12)


def test_large_scores_put_the_row_on_one_token(scores):
    raw, scaled = (medians(effective_number, scores, divisor) for divisor in (lambda d_k: 1, math.sqrt))
    assert raw == sorted(raw, reverse=True)
    assert raw[WIDTHS.index(16)] > 2 > raw[WIDTHS.index(32)]
    assert raw[-1] < 1.01
    assert min(scaled) > 10.5
    assert np.ptp(scaled[2:]) < 1.2


def test_large_scores_amplify_a_small_difference():
    for d_k in WIDTHS:
        low, high = sorted(softmax(math.sqrt(d_k) * np.array([1, 0.9])))
        assert high / low == pytest.approx(math.exp(0.1 * math.sqrt(d_k)))
        assert softmax(np.array([1, 0.9])).round(2).tolist() == [0.52, 0.48]
    assert round(high, 2) == 0.91


def test_effective_number_counts_equal_shares():
    for n in (1, 2, 7):
        assert effective_number(np.r_[np.full(n, 1 / n), np.zeros(3)]) == pytest.approx(n)
    assert effective_number(np.array([0.97, 0.01, 0.01, 0.01])).round(2) == 1.18


def test_movement_is_the_norm_of_the_jacobian():
    step = 1e-5
    for s in random_scores(8)[:20]:
        nudged = [(softmax(s + step * e) - softmax(s - step * e)) / (2 * step) for e in np.eye(T)]
        assert movement(softmax(s)) == pytest.approx(np.linalg.norm(nudged), rel=1e-6)


def test_rivals_answer_to_a_nudge_and_a_winner_does_not():
    equal, rivals, winner = np.zeros(T), np.r_[20, 20, np.zeros(T - 2)], np.r_[20, np.zeros(T - 1)]
    assert movement(softmax(np.array([equal, rivals, winner]))).round(2).tolist() == [0.24, 0.5, 0]


def test_a_saturated_row_does_not_answer_to_a_nudge(scores):
    """How far the share of the second best token moves when its score gains 1, in the median of all rows."""
    def gain(rows):
        second = np.argsort(rows, axis=1)[:, -2]
        every = np.arange(len(rows))
        nudged = rows.copy()
        nudged[every, second] += 1
        return np.median(softmax(nudged)[every, second] - softmax(rows)[every, second])

    assert gain(scores[512]) < 0.005
    assert gain(scores[512] / math.sqrt(512)) > 0.1


def test_large_scores_leave_no_gradient(scores):
    raw, scaled = (medians(movement, scores, divisor) for divisor in (lambda d_k: 1, math.sqrt))
    peak = int(np.argmax(raw))
    assert WIDTHS[peak] == 8
    assert raw[:peak + 1] == sorted(raw[:peak + 1])
    assert raw[peak:] == sorted(raw[peak:], reverse=True)
    assert raw[peak] > 300 * raw[-1]
    assert 0.26 < min(scaled) < max(scaled) < 0.31


def test_some_unscaled_rows_still_answer(scores):
    answers = {d_k: (movement(softmax(scores[d_k])) > 0.1).mean() for d_k in (8, 64, 512)}
    assert answers[8] > 0.9 > 0.55 > answers[64] > 0.4 > 0.3 > answers[512] > 0.15


def test_divided_by_d_k_the_shares_are_nearly_equal(scores):
    flat, scaled = (softmax(scores[512] / c) for c in (512, math.sqrt(512)))
    assert np.median(effective_number(flat)) > 15.9
    assert np.median(flat.max(axis=1)).round(2) == 0.07
    assert np.median(scaled.max(axis=1)) > 0.2


def test_one_feature_cannot_tell_adjectives_apart():
    one, two, three = (softmax(K[:, :n] @ Q[FOREST, :n]) for n in (1, 2, 3))
    adjectives = [TOKENS.index(word) for word in ("fluffy", "blue", "verdant")]
    assert one[adjectives].round(2).tolist() == [0.33] * 3
    assert 0.95 < two[VERDANT] < 0.995 < three[VERDANT]


@pytest.mark.parametrize("d_k", [4, 8, 16, 32])
def test_without_the_scale_a_fixed_lead_keeps_more(d_k):
    s = forest_scores(d_k)
    raw, scaled = (np.median(softmax(s / c)[:, VERDANT]) for c in (1, math.sqrt(d_k)))
    assert raw > scaled + 0.05


def test_scaling_never_changes_who_is_first():
    first = {}
    for d_k in (4, 32, 512):
        s = forest_scores(d_k)
        winners = s.argmax(axis=1)
        for c in (math.sqrt(d_k), d_k):
            assert np.array_equal(softmax(s / c).argmax(axis=1), winners)
        first[d_k] = (winners == VERDANT).mean()
    assert first[4] > 0.95 > first[32] > 0.5 > 0.3 > first[512]


def test_random_features_make_the_unscaled_head_certain_of_chance():
    rng = np.random.default_rng(5)
    tokens_seen = {}
    for d_k in (4, 512):
        more_Q, more_K = rng.standard_normal((2, 100, len(TOKENS), d_k - 3))
        S = Q @ K.T + more_Q @ more_K.swapaxes(1, 2)
        tokens_seen[d_k] = [np.median(effective_number(softmax(S / c))) for c in (1, math.sqrt(d_k))]
    assert tokens_seen[4][0] > 2 > 1.01 > tokens_seen[512][0]
    assert tokens_seen[512][1] > 6
