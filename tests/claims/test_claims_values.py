"""Claims of lesson 07: values and weighted sums (§12, §13)."""

import numpy as np
import pytest

from helpers.attention import attention, causal_mask
from helpers.example import FEATURES, TOKENS, X, encode, projections

W_Q, W_K, W_V, _ = projections("adjectives")
M = causal_mask(len(X))
V = X @ W_V
A = attention(X @ W_Q, X @ W_K, V, M).A
O = A @ V
A_TOKEN, FLUFFY, BLUE, CREATURE, VERDANT, FOREST = (
    TOKENS.index(word) for word in ("a", "fluffy", "blue", "creature", "verdant", "forest"))


def run(X):
    return attention(X @ W_Q, X @ W_K, X @ W_V, M)


def test_rows_of_X_would_bring_kind_and_place():
    mixed = dict(zip(FEATURES, (A[CREATURE] @ X).round(2), strict=True))
    assert mixed["adj"] == 1 and mixed["fluffy"] == mixed["blue"] == 0.5
    assert mixed["cos"] == 0.25 and mixed["sin"] == 0.93


def test_a_value_is_the_row_times_W_V():
    by_loop = [[sum(X[j, f] * W_V[f, c] for f in range(12)) for c in range(3)] for j in range(9)]
    assert np.allclose(V, by_loop) and V.shape == (9, 3)


def test_only_adjectives_have_something_to_hand_over():
    assert [TOKENS[j] for j in np.flatnonzero(V.any(axis=1))] == ["fluffy", "blue", "verdant"]
    assert V[FLUFFY].tolist() == [1, 0, 0] and V[BLUE].tolist() == [0, 1, 0] and V[VERDANT].tolist() == [0, 0, 1]


def test_adjectives_have_like_keys_and_unlike_values():
    K = X @ W_K
    assert K[FLUFFY, 0] == K[BLUE, 0] == K[VERDANT, 0] == 1
    assert np.array_equal(V[[FLUFFY, BLUE, VERDANT]], np.eye(3))


def test_query_and_key_decide_how_much():
    unmarked = X.copy()
    unmarked[FLUFFY, FEATURES.index("adj")] = 0
    assert np.array_equal(unmarked @ W_V, V)
    shares = run(unmarked).A[CREATURE]
    assert shares[FLUFFY].round(2) == 0.01 and shares[BLUE].round(2) == 0.98


def test_the_value_decides_what():
    _, bald = encode("A bald blue creature roamed the verdant forest.")
    assert np.array_equal(run(bald).A, A)
    assert run(bald).O[CREATURE].round(2).tolist() == [-0.5, 0.5, 0]


def test_the_output_of_creature():
    parts = {TOKENS[j]: A[CREATURE, j] * V[j] for j in range(9)}
    assert parts["fluffy"].round(2).tolist() == [0.5, 0, 0] and parts["blue"].round(2).tolist() == [0, 0.5, 0]
    assert not sum(part for token, part in parts.items() if token not in ("fluffy", "blue")).any()
    assert np.allclose(sum(parts.values()), run(X).O[CREATURE])


def test_a_small_rest_reaches_forest():
    rest = sum(A[FOREST, j] * V[j] for j in range(9) if j != VERDANT)
    assert rest.round(2).tolist() == [0.01, 0.03, 0]
    assert (A[FOREST, VERDANT] * V[VERDANT]).round(2).tolist() == [0, 0, 0.95]


def test_one_product_makes_all_outputs():
    by_loop = [[sum(A[i, j] * V[j, c] for j in range(9)) for c in range(3)] for i in range(9)]
    assert np.allclose(O, by_loop) and np.allclose(O, run(X).O)


@pytest.mark.parametrize("d_v", [1, 3, 7])
def test_outputs_have_one_row_a_target_and_d_v_columns(d_v):
    values = np.random.default_rng(d_v).normal(size=(9, d_v))
    assert attention(X @ W_Q, X @ W_K, values, M).O.shape == (9, d_v)


def test_an_output_needs_its_own_row_and_all_values():
    rng = np.random.default_rng(0)
    other = rng.dirichlet(np.ones(9), size=9)
    other[CREATURE] = A[CREATURE]
    assert np.allclose((other @ V)[CREATURE], O[CREATURE])
    changed = V.copy()
    changed[BLUE] = [0, 0, 5]
    moved = ~np.isclose(A @ changed, O).all(axis=1)
    assert moved.tolist() == (A[:, BLUE] > 0).tolist() == [i >= BLUE for i in range(9)]


def test_same_weights_other_values():
    kinds = A @ X[:, [FEATURES.index("adj")]]
    assert kinds[[CREATURE, FOREST], 0].round(2).tolist() == [1, 0.98]


def test_same_values_other_weights():
    W_Q2, W_K2, _, _ = projections("previous")
    other = attention(X @ W_Q2, X @ W_K2, V, M).O
    assert other[CREATURE].round(2).tolist() == [0.04, 0.92, 0]
    assert not other[TOKENS.index("the")].round(2).any()


def farther(outputs, values):
    """In how many of many directions an output reaches beyond every value."""
    directions = np.random.default_rng(1).normal(size=(values.shape[1], 2000))
    return (((outputs @ directions) > (values @ directions).max(axis=0) + 1e-9).any(axis=0)).sum()


@pytest.mark.parametrize("seed", range(5))
def test_outputs_lie_in_the_hull_of_the_values(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(9, 4))
    assert farther(O, V) == 0
    for i in range(9):
        assert farther((A @ values)[[i]], values[:i + 1]) == 0


def test_raw_scores_leave_the_hull():
    by_scores = (X @ W_Q) @ (X @ W_K).T @ V
    assert by_scores[CREATURE].round(2).tolist() == [12.83, 12.83, 4.46]
    assert by_scores[CREATURE, 0] > V[:, 0].max() and farther(by_scores, V) > 0


def test_the_first_output_is_its_value_and_the_second_lies_between():
    values = X @ np.random.default_rng(81).normal(size=(12, 2))
    outputs = A @ values
    assert np.allclose(outputs[A_TOKEN], values[A_TOKEN])
    along = (outputs[FLUFFY] - values[A_TOKEN]) / (values[FLUFFY] - values[A_TOKEN])
    assert np.allclose(along, A[FLUFFY, FLUFFY]) and along[0].round(2) == 0.32
