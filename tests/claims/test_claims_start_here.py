"""Claims of lesson 00: what attention decides, and the flow of shapes (§0, §2, §3, §24)."""

import numpy as np
import pytest

from helpers.attention import attention, causal_mask
from helpers.example import FEATURES, HEADS, TOKENS, X, projections
from helpers.figures import flow


def run_head(X=X, name="adjectives", V=None):
    W_Q, W_K, W_V, W_O = projections(name)
    head = attention(X @ W_Q, X @ W_K, X @ W_V if V is None else V, causal_mask(len(X)))
    return head, head.O @ W_O


def test_attention_lets_a_token_depend_on_others():
    bald = X.copy()
    bald[TOKENS.index("fluffy"), FEATURES.index("fluffy")] = -1
    before, after = X + run_head()[1], bald + run_head(bald)[1]
    creature = TOKENS.index("creature")
    assert np.array_equal(X[creature], bald[creature])
    assert after[creature, FEATURES.index("fluffy")] < before[creature, FEATURES.index("fluffy")] - 1


def test_where_is_decided_without_the_values():
    other_values = np.random.default_rng(0).normal(size=(9, 3))
    (head, _), (other, _) = run_head(), run_head(V=other_values)
    assert np.array_equal(head.A, other.A)
    assert not np.allclose(head.O, other.O)


def test_creature_takes_from_its_adjectives():
    head, change = run_head()
    creature = TOKENS.index("creature")
    shares = dict(zip(TOKENS, head.A[creature], strict=True))
    assert abs(shares["fluffy"] - 0.5) < 0.01 and abs(shares["blue"] - 0.5) < 0.01
    assert change[creature, FEATURES.index("fluffy")].round(1) == 1.0
    assert change[creature, FEATURES.index("blue")].round(1) == 1.0


def test_forest_turns_green():
    change = run_head()[1]
    assert change[TOKENS.index("forest"), FEATURES.index("green")].round(2) == 1.89


def test_each_head_asks_something_else():
    rows = [run_head(name=name)[0].A[TOKENS.index("forest")].round(2) for name in HEADS]
    assert len({tuple(row) for row in rows}) == len(HEADS) == 4


def test_only_scores_and_weights_are_tokens_by_tokens():
    W_Q, W_K, W_V, _ = projections("adjectives")
    head, change = run_head()
    arrays = [X, X @ W_Q, X @ W_K, X @ W_V, head.S, head.A, head.O, change, X + change]
    square = [name for name, shape in flow(*arrays).shapes.items() if shape == (9, 9)]
    assert square == ["S", "A"]


def test_creature_and_fluffy_in_six_numbers():
    head, change = run_head()
    creature, fluffy, feature = TOKENS.index("creature"), TOKENS.index("fluffy"), FEATURES.index("fluffy")
    pair = creature, fluffy
    steps = [(X @ projections("adjectives")[0])[creature, 0], head.S[pair], head.S_scaled[pair], head.A[pair],
             head.O[creature, 0], change[creature, feature]]
    assert np.round(steps, 2).tolist() == [8.0, 12.83, 7.41, 0.5, 0.5, 1.0]
    assert head.S_masked[pair] == head.S_scaled[pair]
    assert head.A[creature, TOKENS.index("blue")] == pytest.approx(head.A[pair])
    assert (X[creature, feature], X[fluffy, feature]) == (0, 1)


def test_a_row_must_give_its_whole_share():
    head, change = run_head()
    assert np.allclose(head.A.sum(axis=1), 1)
    assert change[TOKENS.index("roamed"), [FEATURES.index("fluffy"), FEATURES.index("blue")]].round(2).tolist() == [0.31, 0.65]
    assert change[TOKENS.index("."), FEATURES.index("green")].round(2) == 0.64
