"""Claims of lesson 02: queries and keys (§5, §6)."""

import numpy as np
import pytest

from helpers.attention import attention
from helpers.example import FEATURES, TOKENS, X, projections

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


def test_query_and_key_of_a_token_differ():
    Q, K = X @ W_Q, X @ W_K
    assert not any(np.allclose(Q[i], K[i]) for i in range(9))
    assert Q[CREATURE, 0] == 8 and K[CREATURE, 0] == 0 and Q[FLUFFY, 0] == 0 and K[FLUFFY, 0] == 1


def test_with_one_matrix_a_token_shows_what_it_seeks():
    K_shared = X @ W_Q
    assert K_shared[CREATURE, 0] > K_shared[FLUFFY, 0]
    assert (X @ W_K)[CREATURE, 0] < (X @ W_K)[FLUFFY, 0]


def test_query_and_key_share_their_length():
    with pytest.raises(ValueError, match="d_k"):
        attention(X @ W_Q, (X @ W_K)[:, :2], X)


def test_an_untrained_matrix_gives_the_same_shape():
    assert (X @ np.random.default_rng(0).normal(size=(12, 3))).shape == (X @ W_Q).shape
