"""Claims of lesson 02: queries and keys (§5, §6)."""

import numpy as np
import pytest

from helpers.attention import attention
from helpers.example import FEATURES, HEADS, TOKENS, X, projections, rotation

W_Q, W_K, _, _ = projections("adjectives")
CREATURE, FLUFFY = TOKENS.index("creature"), TOKENS.index("fluffy")


def test_one_product_makes_all_queries():
    by_loop = [[sum(X[i, f] * W_Q[f, c] for f in range(12)) for c in range(3)] for i in range(9)]
    assert np.allclose(X @ W_Q, by_loop) and (X @ W_Q).shape == (9, 3)


def test_one_product_makes_all_keys():
    by_loop = [[sum(X[j, f] * W_K[f, c] for f in range(12)) for c in range(3)] for j in range(9)]
    assert np.allclose(X @ W_K, by_loop)


def test_the_query_of_creature():
    assert (X[CREATURE] @ W_Q).round(2).tolist() == [8.0, 1.29, 4.83]


def test_the_place_is_turned_back():
    cos_sin = [FEATURES.index("cos"), FEATURES.index("sin")]
    q = (X[CREATURE] @ W_Q)[1:] / 5
    assert np.allclose(np.rad2deg(np.arctan2(q[1], q[0])), 120 - 45)
    assert np.allclose(X[CREATURE, cos_sin], [np.cos(np.deg2rad(120)), np.sin(np.deg2rad(120))])


def test_the_rows_of_a_turn_are_the_turned_axes():
    a, points = np.deg2rad(45), np.deg2rad(np.arange(0, 360, 7))
    turn = np.array([[np.cos(-a), np.sin(-a)], [np.cos(np.pi / 2 - a), np.sin(np.pi / 2 - a)]])
    turned = np.stack([np.cos(points), np.sin(points)], axis=1) @ turn
    assert np.allclose(turned, np.stack([np.cos(points - a), np.sin(points - a)], axis=1))
    assert np.allclose(turn, rotation(45))


def test_the_kind_is_worth_8_and_the_place_at_most_5():
    q, K = X[CREATURE] @ W_Q, X @ W_K
    angles = 30 * (np.arange(len(X)) + 1) - 75  # how far each token stands from where creature looks
    assert np.allclose(q[0] * K[:, 0], 8 * X[:, FEATURES.index("adj")])
    assert np.allclose(K[:, 1:] @ q[1:], 5 * np.cos(np.deg2rad(angles)))
    assert (K @ q)[[TOKENS.index("blue"), TOKENS.index("roamed")]].round(2).tolist() == [12.83, 1.29]


def test_what_is_sought_is_decided_by_the_label():
    other = HEADS["adjectives"]._replace(offers={"det": 1})
    assert np.array_equal(other.W_Q(), W_Q)
    earned = (X[CREATURE] @ W_Q)[0] * (X @ other.W_K())[:, 0]
    assert [TOKENS[j] for j in np.flatnonzero(earned)] == ["a", "the"]


def test_query_and_key_of_a_token_differ():
    Q, K = X @ W_Q, X @ W_K
    assert not any(np.allclose(Q[i], K[i]) for i in range(9))
    assert Q[CREATURE, 0] == 8 and K[CREATURE, 0] == 0 and Q[FLUFFY, 0] == 0 and K[FLUFFY, 0] == 1


def test_with_one_matrix_a_token_shows_what_it_seeks():
    K_shared = X @ W_Q
    assert K_shared[CREATURE, 0] > K_shared[FLUFFY, 0]
    assert (X @ W_K)[CREATURE, 0] < (X @ W_K)[FLUFFY, 0]
    best = (K_shared @ K_shared[CREATURE]).argsort()[::-1]
    assert [TOKENS[j] for j in best[:2]] == ["creature", "forest"]


def test_query_and_key_share_their_length():
    with pytest.raises(ValueError, match="d_k"):
        attention(X @ W_Q, (X @ W_K)[:, :2], X)


def test_an_untrained_matrix_gives_the_same_shape():
    assert (X @ np.random.default_rng(0).normal(size=(12, 3))).shape == (X @ W_Q).shape
