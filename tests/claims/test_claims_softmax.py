"""What lesson 06 claims about the softmax, recomputed."""

import math

import numpy as np
import pytest

from helpers.attention import attention, causal_mask, softmax
from helpers.example import TOKENS, X, projections
from helpers.exercises import check_row_softmax, check_weights

CREATURE, VERDANT, FOREST = map(TOKENS.index, ("creature", "verdant", "forest"))
W_Q, W_K, W_V, _ = projections("adjectives")
Q, K = X @ W_Q, X @ W_K
T, D_K = Q.shape
M = causal_mask(T)
A = softmax(Q @ K.T / math.sqrt(D_K) + M)


def columns(scores):
    """Shares down each column, by loops over plain numbers."""
    exps = [[math.exp(score) for score in row] for row in scores]
    sums = [sum(row[j] for row in exps) for j in range(len(exps[0]))]
    return np.array([[e / total for e, total in zip(row, sums, strict=True)] for row in exps])


def test_each_row_is_exponentials_over_their_sum():
    for i in range(T):
        exps = [math.exp(sum(q * k for q, k in zip(Q[i], K[j], strict=True)) / math.sqrt(3)) for j in range(i + 1)]
        np.testing.assert_allclose(A[i, : i + 1], np.array(exps) / sum(exps))
        assert not A[i, i + 1:].any()


def test_weights_are_not_negative_and_rows_sum_to_one():
    assert (A >= 0).all()
    np.testing.assert_allclose(A.sum(axis=1), 1)
    assert A[0, 0] == 1


def test_weights_read_as_shares():
    fluffy, blue = TOKENS.index("fluffy"), TOKENS.index("blue")
    assert A[CREATURE, [fluffy, blue]].round(2).tolist() == [0.5, 0.5]
    assert A[FOREST, VERDANT].round(2) == 0.95


def test_dividing_scores_by_their_sum_gives_no_shares():
    seen = (Q @ K.T)[FOREST, : FOREST + 1]
    assert (seen / seen.sum()).min() < -0.1
    moved = (seen + 100) / (seen + 100).sum()
    assert np.abs(moved - seen / seen.sum()).max() > 0.1


def test_differences_become_ratios_and_a_constant_cancels():
    rng = np.random.default_rng(6)
    for scores in rng.normal(scale=3, size=(20, 7)):
        shares = softmax(scores)
        np.testing.assert_allclose(shares[:, None] / shares, np.exp(scores[:, None] - scores))
        np.testing.assert_allclose(softmax(scores + rng.normal(scale=100)), shares)
        assert np.array_equal(np.argsort(scores), np.argsort(shares))


@pytest.mark.parametrize(("dtype", "fits"), [(np.float64, 709), (np.float32, 88)])
def test_exp_overflows(dtype, fits):
    assert math.floor(math.log(np.finfo(dtype).max)) == fits
    with np.errstate(over="ignore"):
        assert np.isfinite(np.exp(dtype(fits)))
        assert np.isinf(np.exp(dtype(fits + 1)))


def test_subtracting_the_maximum_keeps_large_scores():
    large = np.array([1000.0, 1001.0, 999.0])
    with np.errstate(over="ignore", invalid="ignore"):
        assert np.isnan(np.exp(large) / np.exp(large).sum()).all()
    exact = [1 / sum(math.exp(other - score) for other in large) for score in large]
    np.testing.assert_allclose(np.exp(large - large.max()) / np.exp(large - large.max()).sum(), exact)
    np.testing.assert_allclose(softmax(large), exact)


def test_over_the_wrong_axis_rows_do_not_sum_to_one():
    wrong = columns(Q @ K.T / math.sqrt(D_K) + M)
    np.testing.assert_allclose(wrong.sum(axis=0), 1)
    assert wrong.sum(axis=1).max() > 2
    assert wrong.sum(axis=1).min() < 0.2
    assert wrong[-1, -1] == 1


@pytest.mark.parametrize("row", range(T))
def test_temperature_runs_from_argmax_to_uniform(row):
    raw = (Q @ K.T)[row, : row + 1]
    best = raw.round(6) == raw.round(6).max()
    np.testing.assert_allclose(softmax(raw / 1e-3), best / best.sum(), atol=1e-6)
    np.testing.assert_allclose(softmax(raw / 1e6), 1 / (row + 1), atol=1e-4)


def test_the_scale_is_a_temperature():
    V = X @ W_V
    np.testing.assert_allclose(softmax(Q @ K.T / math.sqrt(D_K) + M), attention(Q, K, V, M).A)
    np.testing.assert_allclose(softmax(Q @ K.T / 1.0 + M), attention(Q, K, V, M, scale=1).A)
    assert softmax(Q @ K.T + M)[FOREST, VERDANT] > 0.99 > A[FOREST, VERDANT]


def test_compact_formula_does_not_depend_on_the_values():
    for V in (X, 0 * X, np.random.default_rng(0).normal(size=(T, 2))):
        np.testing.assert_allclose(attention(Q, K, V, M).A, A)


def video(mask):
    """The pattern with tokens as columns, from column vectors alone."""
    queries, keys = W_Q.T @ X.T, W_K.T @ X.T    # (d_k, T)
    return columns(keys.T @ queries / math.sqrt(D_K) + mask)


def test_video_orientation_is_ours_transposed():
    np.testing.assert_allclose(video(M.T), A.T, atol=1e-12)


def test_untransposed_mask_looks_ahead():
    wrong = video(M)
    np.testing.assert_allclose(wrong.sum(axis=0), 1)
    assert not np.triu(wrong, 1).any()    # nothing from earlier tokens
    assert wrong[VERDANT, CREATURE] > 0.5


def test_video_formula_without_mask_sees_the_future():
    ahead = np.tril(video(np.zeros((T, T))), -1).sum(axis=0)
    assert (ahead[:-1] > 0).all()
    assert ahead.max() > 0.4
    assert ahead[CREATURE].round(2) == 0


def shares_under(largest):
    def row_softmax(scores):
        exps = np.exp(scores - largest(scores))
        return exps / exps.sum(axis=-1, keepdims=True)
    return row_softmax


@pytest.mark.parametrize(("largest", "words"), [
    (lambda scores: scores.max(axis=1, keepdims=True), "Right: "),
    (np.max, "The maximum of the whole matrix is subtracted")])
def test_the_maximum_of_the_row_is_right_and_that_of_all_is_named(largest, words, capsys):
    check_row_softmax(shares_under(largest))
    assert capsys.readouterr().out.startswith(words)


@pytest.mark.parametrize(("body", "words"), [
    ("exps = np.exp(scores)\n    return exps / exps.sum(axis=1)", "keepdims=True"),
    ("exps = np.exp(scores)\n    return exps / exps.sum(axis=1, keepdims=True)", "overflows above 709")])
def test_missing_keepdims_and_maximum_are_named(body, words, capsys):
    names = {"np": np}
    exec(f"def row_softmax(scores):\n    {body}\n", names)
    check_row_softmax(names["row_softmax"])
    assert words in capsys.readouterr().out


def test_mask_before_the_scale_is_right(capsys):
    check_weights(lambda Q, K, M: softmax((Q @ K.T + M) / np.sqrt(Q.shape[1])))
    assert capsys.readouterr().out.startswith("Right: ")
