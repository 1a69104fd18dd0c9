"""Claims of lesson 05: the causal mask (§9)."""

import math
from fractions import Fraction

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

from helpers import attention
from helpers.example import HEADS, SENTENCE, encode

T, D_MODEL = 6, 4
PAST = np.tri(T, dtype=bool)


def by_hand(scores):
    """Softmax of each row as the lesson writes it, without the helper's care for masked rows."""
    with np.errstate(invalid="ignore"):
        exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return exps / exps.sum(axis=-1, keepdims=True)


def minus_infinity(scores, allowed=PAST):
    return by_hand(np.where(allowed, scores, -np.inf))


def zero_before(scores):
    return by_hand(np.where(PAST, scores, 0))


def zero_after(scores):
    return by_hand(scores) * PAST


def renormalised(scores):
    weights = zero_after(scores)
    return weights / weights.sum(axis=-1, keepdims=True)


def scores_and_tokens(seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(scale=2, size=(T, T)), rng.normal(size=(T, D_MODEL))


def change_last(scores, X):
    """The last token changed: its row and column of the scores, and its row of X."""
    scores, X = scores.copy(), X.copy()
    scores[-1] = scores[:, -1] = -scores[-1] - 1
    X[-1] = -X[-1] - 1
    return scores, X


def earlier(make_weights, seed=0):
    """Weights and outputs of all but the last token, before and after the last one changes."""
    before = scores_and_tokens(seed)
    after = change_last(*before)
    weights = [make_weights(scores)[:-1] for scores, _ in (before, after)]
    outputs = [(make_weights(scores) @ X)[:-1] for scores, X in (before, after)]
    return *weights, *outputs


def next_words_guessed(until):
    """How many next words a head that looks one place ahead copies; token i sees the tokens up to until(i)."""
    words, X = encode(SENTENCE)
    ahead = HEADS["previous"]._replace(tokens_back=-1)
    scores = X @ ahead.W_Q() @ (X @ ahead.W_K()).T / math.sqrt(3)
    right = 0
    for i in range(len(words) - 1):
        weights = by_hand(scores[i, : until(i) + 1])
        right += words[weights.argmax()] == words[i + 1]
    return right


def test_without_a_mask_the_answer_can_be_copied():
    assert next_words_guessed(until=lambda i: 8) == 8


def test_the_copying_head_fails_where_there_is_no_future():
    assert next_words_guessed(until=lambda i: i) == 0


def test_the_mask_is_zero_back_and_minus_infinity_ahead():
    for T_q in range(1, 8):
        M = attention.causal_mask(T_q)
        for i, j in np.ndindex(M.shape):
            assert M[i, j] == (0 if j <= i else -math.inf)


def test_adding_the_mask_keeps_the_past_and_removes_the_future():
    scores, _ = scores_and_tokens()
    masked = scores + attention.causal_mask(T)
    assert np.array_equal(masked[PAST], scores[PAST])
    assert (masked[~PAST] == -np.inf).all()


def test_a_zero_before_softmax_leaves_a_share():
    _, X = encode("A fluffy blue creature roamed")
    head = HEADS["adjectives"]
    row = (X @ head.W_Q())[0] @ (X @ head.W_K()).T / math.sqrt(3)    # of "a", which may look at itself alone
    future = by_hand(np.array([row[0], 0, 0, 0, 0]))[1:].sum()
    assert math.exp(0) == 1
    assert np.isclose(future, 4 / (math.exp(row[0]) + 4)) and 0.3 < future < 0.35
    assert future > by_hand(row)[1:].sum()    # more than with no mask at all


def test_minus_infinity_leaves_exactly_nothing():
    scores, _ = scores_and_tokens()
    assert np.exp(-np.inf) == 0
    assert (minus_infinity(scores)[~PAST] == 0).all()
    assert (minus_infinity(scores)[PAST] > 0).all()


def test_multiplying_scores_by_zero_is_putting_zero():
    scores, _ = scores_and_tokens()
    assert np.allclose(by_hand(scores * PAST), zero_before(scores))


def test_only_zeros_after_softmax_spoil_the_sums():
    scores, _ = scores_and_tokens()
    for make_weights in (by_hand, minus_infinity, zero_before, renormalised):
        assert np.allclose(make_weights(scores).sum(axis=1), 1)
    assert (zero_after(scores).sum(axis=1)[:-1] < 1).all()


def test_with_minus_infinity_no_bit_of_an_earlier_output_changes():
    for seed in range(50):
        weights, weights_2, outputs, outputs_2 = earlier(minus_infinity, seed)
        assert np.array_equal(weights, weights_2)
        assert np.array_equal(outputs, outputs_2)


def test_without_a_mask_every_earlier_output_moves():
    _, _, outputs, outputs_2 = earlier(by_hand)
    assert (np.abs(outputs - outputs_2).max(axis=1) > 0.001).all()


def test_with_zero_before_no_weight_moves_but_outputs_do():
    weights, weights_2, outputs, outputs_2 = earlier(zero_before)
    assert np.array_equal(weights, weights_2)
    assert (np.abs(outputs - outputs_2).max(axis=1) > 0.001).all()


def test_zeros_after_softmax_leak_through_the_sum():
    weights, weights_2, outputs, outputs_2 = earlier(zero_after)
    assert (weights[:, -1] == 0).all() and (weights_2[:, -1] == 0).all()
    assert (np.abs(weights - weights_2).max(axis=1) > 0.001).all()
    assert (np.abs(outputs - outputs_2).max(axis=1) > 0.001).all()


def test_zeros_after_softmax_leak_only_where_a_score_changes():
    scores, X = scores_and_tokens()
    other = change_last(scores, X)[1]
    assert np.array_equal((zero_after(scores) @ X)[:-1], (zero_after(scores) @ other)[:-1])


def test_renormalising_equals_minus_infinity_in_exact_arithmetic():
    exps = [Fraction(int(n), 7) for n in np.random.default_rng(0).integers(1, 100, size=T)]
    for i in range(T):
        after = [e / sum(exps) for e in exps[: i + 1]]
        assert [w / sum(after) for w in after] == [e / sum(exps[: i + 1]) for e in exps[: i + 1]]


@pytest.mark.parametrize(
    ("dtype", "holds", "breaks"), [("float16", 5, 20), ("float32", 20, 200), ("float64", 200, 800)])
def test_renormalising_fails_by_underflow(dtype, holds, breaks):
    right = by_hand(np.array([1.0, 2.0]))
    for gap in (holds, breaks):
        weights = by_hand(np.array([1, 2, 2 + gap], dtype))[:2]
        assert weights.any() == (gap == holds)
        if gap == holds:
            assert np.allclose(weights / weights.sum(), right, atol=0.01)
        masked = by_hand(np.array([1, 2, -np.inf], dtype))[:2]
        assert np.allclose(masked, right, atol=0.01)


def test_a_large_number_equals_infinity_where_something_is_allowed():
    scores, _ = scores_and_tokens()
    assert np.array_equal(by_hand(scores + np.where(PAST, 0, -1e9)), minus_infinity(scores))


def left_padded():
    """Two tokens of padding, then three of a sentence; nobody may look at padding or ahead."""
    scores, X = scores_and_tokens()
    return scores, X, PAST & (np.arange(T) >= 2)


def test_a_large_number_lets_padding_look_everywhere():
    scores, _, allowed = left_padded()
    weights = by_hand(scores + np.where(allowed, 0, -1e9))
    assert np.allclose(weights[:2], by_hand(scores)[:2], atol=1e-5)
    assert (weights[:2] > 0).all()
    assert np.array_equal(weights[2:], minus_infinity(scores, allowed)[2:])


@pytest.mark.parametrize(("dtype", "right"), [("float32", [1 / T] * T), ("float16", [math.nan] * T)])
def test_a_large_number_depends_on_the_precision(dtype, right):
    scores = scores_and_tokens()[0].astype(dtype)
    with np.errstate(over="ignore"):
        weights = by_hand(scores + np.array(-1e9).astype(dtype))
    assert np.allclose(weights, right, equal_nan=True)


def test_a_large_number_leaks_into_the_outputs_of_padding():
    scores, X, allowed = left_padded()
    scores_2, X_2 = change_last(scores, X)
    finite = np.where(allowed, 0, -1e9)
    moved = np.abs(by_hand(scores + finite) @ X - by_hand(scores_2 + finite) @ X_2).max(axis=1)
    assert (moved[:2] > 0.001).all() and (moved[2:-1] == 0).all()


def test_a_row_that_may_look_nowhere_is_nan_by_hand_and_zero_in_the_helper():
    scores, _, allowed = left_padded()
    masked = np.where(allowed, scores, -np.inf)
    assert np.isnan(by_hand(masked)[:2]).all()
    assert (attention.softmax(masked)[:2] == 0).all()
    assert np.allclose(attention.softmax(masked)[2:], by_hand(masked)[2:])


def test_onnx_gives_zeros_for_a_row_that_may_look_nowhere():
    node = onnx.helper.make_node("Attention", ["Q", "K", "V", "mask"], ["O"])
    floats = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in "QKVO"]
    mask = onnx.helper.make_tensor_value_info("mask", onnx.TensorProto.BOOL, None)
    graph = onnx.helper.make_graph([node], "masked", [*floats[:3], mask], floats[3:])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 23)])
    Q = np.ones((1, 1, 2, 4), np.float32)
    may_look = np.array([[True, True], [False, False]])
    (O,) = ReferenceEvaluator(model).run(None, {"Q": Q, "K": Q, "V": Q, "mask": may_look})
    assert np.allclose(O[0, 0], [[1] * 4, [0] * 4])


def test_pytorch_gives_nan_or_zeros_for_a_row_that_may_look_nowhere():
    torch = pytest.importorskip("torch")
    may_look = torch.tensor([[True, True], [False, False]])
    Q = torch.ones(1, 2, 4)
    multi_head = torch.nn.MultiheadAttention(4, 1, batch_first=True)
    assert torch.softmax(torch.full((2,), -torch.inf), 0).isnan().all()
    assert (torch.nn.functional.scaled_dot_product_attention(Q, Q, Q, attn_mask=may_look)[0, 1] == 0).all()
    assert multi_head(Q, Q, Q, attn_mask=~may_look)[0][0, 1].isnan().all()
    assert (multi_head(Q, Q, Q, attn_mask=~may_look, need_weights=False)[0][0, 1] == 0).all()
    torch.nn.init.constant_(multi_head.out_proj.bias, 3)
    assert (multi_head(Q, Q, Q, attn_mask=~may_look, need_weights=False)[0][0, 1] == 3).all()


def test_nan_spreads_through_a_weight_of_zero():
    scores, X, allowed = left_padded()
    with_nan = minus_infinity(scores, allowed)
    with_zeros = np.nan_to_num(with_nan)
    assert (with_zeros[2:, :2] == 0).all()
    assert np.isnan(with_zeros[2:] @ (with_nan @ X)).all()
    assert np.isfinite(with_zeros[2:] @ (with_zeros @ X)).all()


def test_one_masked_pass_equals_all_prefixes():
    scores, X = scores_and_tokens()
    one_pass = minus_infinity(scores) @ X
    for n in range(1, T + 1):
        assert np.allclose(one_pass[n - 1], by_hand(scores[n - 1, :n]) @ X[:n])
