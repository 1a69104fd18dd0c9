"""Claims of lesson 09: one whole head (§16) and its shapes (§23)."""

import numpy as np
import pytest

from helpers.attention import attention, causal_mask
from helpers.example import FEATURES, TOKENS, X, projections
from helpers.explorers import explore_single_head
from helpers.figures import one_page

MATRICES = projections("adjectives")
FLUFFY, CREATURE, THE, FOREST = (TOKENS.index(word) for word in ("fluffy", "creature", "the", "forest"))


def by_loop(X, W_Q, W_K, W_V, W_O, scale=True, causal=True, residual=True):
    """Token by token, with Python's own sums."""
    result = []
    for i, x in enumerate(X):
        seen = X[:i + 1] if causal else X
        scores = [(x @ W_Q) @ (other @ W_K) / (W_Q.shape[1] ** 0.5 if scale else 1) for other in seen]
        exps = [np.exp(score - max(scores)) for score in scores]
        update = sum(e / sum(exps) * (other @ W_V @ W_O) for e, other in zip(exps, seen, strict=True))
        result.append(x + update if residual else update)
    return np.array(result)


def of(result, token, feature):
    return result[token, FEATURES.index(feature)].round(2)


def test_one_formula_is_the_whole_head():
    W_Q, W_K, W_V, W_O = MATRICES
    head = attention(X @ W_Q, X @ W_K, X @ W_V, causal_mask(len(X)))
    expected = by_loop(X, *MATRICES)
    assert np.allclose(X + head.O @ W_O, expected)
    assert of(expected, CREATURE, "fluffy") == of(expected, CREATURE, "blue") == 1 and of(expected, FOREST, "green") == 1.89


def test_tokens_meet_only_in_scores_and_weighted_values():
    W_Q, W_K, W_V, _ = MATRICES
    other = X.copy()
    other[FLUFFY] += 1
    for W in (W_Q, W_K, W_V):
        assert np.allclose((X @ W)[CREATURE], (other @ W)[CREATURE])
    before, after = (attention(Z @ W_Q, Z @ W_K, Z @ W_V, causal_mask(9)) for Z in (X, other))
    for name in ("S", "S_masked", "A", "O"):
        assert not np.allclose(getattr(before, name)[CREATURE], getattr(after, name)[CREATURE])
    held = before.A @ other @ W_V  # the weights as before, only the values new
    assert not np.allclose(before.O[CREATURE], held[CREATURE])


@pytest.mark.parametrize(("T", "d_model", "d_k", "d_v"), [(9, 12, 3, 3), (5, 8, 3, 4), (90, 12, 3, 3)])
def test_shapes_of_the_steps(T, d_model, d_k, d_v):
    rng = np.random.default_rng(0)
    x, W_O = rng.normal(size=(T, d_model)), rng.normal(size=(d_v, d_model))
    Q, K, V = (x @ rng.normal(size=(d_model, d)) for d in (d_k, d_k, d_v))
    head = attention(Q, K, V, causal_mask(T))
    shapes = [array.shape for array in (Q, K, V, head.S_masked, head.A, head.O, head.O @ W_O)]
    assert shapes == [(T, d_k), (T, d_k), (T, d_v), (T, T), (T, T), (T, d_v), (T, d_model)]


def test_the_result_has_the_shape_of_the_input():
    result = by_loop(X, *MATRICES)
    assert result.shape == X.shape and by_loop(result, *projections("subject")).shape == X.shape


def test_each_omission_spoils_something_else():
    W_Q, W_K, W_V, W_O = MATRICES
    complete, no_scale, no_mask, shared, no_residual = (
        by_loop(X, W_Q, W_K, W_V, W_O), by_loop(X, W_Q, W_K, W_V, W_O, scale=False),
        by_loop(X, W_Q, W_K, W_V, W_O, causal=False), by_loop(X, W_Q, W_Q, W_V, W_O),
        by_loop(X, W_Q, W_K, W_V, W_O, residual=False))
    assert of(no_scale, FOREST, "green") == 1.99 > of(complete, FOREST, "green")
    assert of(complete, 0, "fluffy") == 0 and of(no_mask, 0, "fluffy") == 0.32
    assert of(no_mask, FOREST, "green") == of(complete, FOREST, "green")
    assert of(shared, FOREST, "green") == 0 and of(shared, FOREST, "noun") == 1
    assert of(no_residual, FOREST, "noun") == 0 and of(no_residual, FOREST, "green") == 1.89


def test_with_one_matrix_forest_takes_from_itself():
    Q = X @ MATRICES[0]
    assert attention(Q, Q, Q, causal_mask(9)).A[FOREST, FOREST] > 0.99


def test_which_matrices_a_control_changes():
    explorer = explore_single_head()
    names = ["S", "S_scaled", "S_masked", "A", "O"]

    def changed(**state):
        pairs = zip(explorer.views(**explorer.default)[:5], explorer.views(**{**explorer.default, **state})[:5], strict=True)
        return [name for name, (a, b) in zip(names, pairs, strict=True) if not np.array_equal(a.values, b.values)]
    assert changed(mask="none") == names[2:]
    assert changed(scale="none") == names[1:]
    assert changed(d_k=2) == names
    assert changed(target=FOREST) == []


def test_among_random_features_creature_keeps_its_adjectives_and_forest_does_not():
    explorer = explore_single_head()
    weights = explorer.views(**{**explorer.default, "d_k": 12})[3].values
    assert weights[CREATURE, 1:3].sum().round(2) == 0.88
    assert weights[FOREST, TOKENS.index("verdant")].round(2) == 0.33


def test_with_match_alone_forest_takes_alike_from_all_adjectives():
    explorer = explore_single_head()
    weights = explorer.views(**{**explorer.default, "d_k": 1})[3].values[FOREST]
    assert weights[[1, 2, 6]].round(2).tolist() == [0.33, 0.33, 0.33]


def test_one_page_holds_every_matrix():
    W_Q, W_K, W_V, W_O = MATRICES
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    head = attention(Q, K, V, causal_mask(len(X)))
    page = one_page(X, Q, K, V, head, X + head.O @ W_O, TOKENS, FEATURES, target=CREATURE)
    shown = {view.symbol: view.values for view in page.views}
    assert list(shown) == ["X", "Q", "K", "V", "S", "S_scaled", "S_masked", "A", "O", "X′"]
    row = {symbol: values[CREATURE].round(2).tolist() for symbol, values in shown.items()}
    assert row["Q"][0] == 8 and row["S"][FLUFFY] == 12.83 and row["S_scaled"][FLUFFY] == row["S_masked"][FLUFFY] == 7.41
    assert row["A"][FLUFFY] == 0.5 and row["O"][0] == 0.5
    assert np.round(np.subtract(row["X′"], row["X"]), 2)[FEATURES.index("fluffy")] == 1
    assert all(view.highlight == (CREATURE, None) for view in page.views)
