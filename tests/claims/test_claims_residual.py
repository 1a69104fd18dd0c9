"""Claims of lesson 08: the residual connection and the value map (§1, §14, §15)."""

import numpy as np
import pytest

from helpers.attention import attention, causal_mask, softmax
from helpers.example import (
    FEATURES,
    MOLE_FEATURES,
    MOLE_PHRASES,
    MOLE_VOCABULARY,
    TOKENS,
    X,
    embeddings,
    projections,
    tokenize,
)
from helpers.explorers import explore_value_map

W_Q, W_K, W_V, W_O = projections("adjectives")
HEAD = attention(X @ W_Q, X @ W_K, X @ W_V, causal_mask(len(X)))
UPDATE = HEAD.O @ W_O
CONTENT = [FEATURES.index(feature) for feature in ("fluffy", "blue", "green")]
OTHERS = [i for i in range(len(FEATURES)) if i not in CONTENT]
A_TOKEN, BLUE, CREATURE, ROAMED, FOREST = (
    TOKENS.index(word) for word in ("a", "blue", "creature", "roamed", "forest"))


def norm(rows):
    return (rows - rows.mean(axis=1, keepdims=True)) / rows.std(axis=1, keepdims=True)


def test_W_O_gives_the_update_the_shape_of_X():
    assert HEAD.O.shape != X.shape == UPDATE.shape
    with pytest.raises(ValueError, match="broadcast"):
        X + HEAD.O


def test_creature_becomes_fluffy_and_blue_and_nothing_else():
    new = X[CREATURE] + UPDATE[CREATURE]
    assert (new - X[CREATURE])[CONTENT].round(2).tolist() == [1, 1, 0]
    assert np.array_equal(new[OTHERS], X[CREATURE, OTHERS])


def test_forest_becomes_greener_than_verdant():
    green = FEATURES.index("green")
    assert (X + UPDATE)[FOREST, green].round(2) == 1.89
    assert (X + UPDATE)[FOREST, green] > X[TOKENS.index("verdant"), green] == 1


def test_every_token_but_the_first_is_written_to():
    assert UPDATE.any(axis=1).tolist() == [False] + 8 * [True]
    assert UPDATE[ROAMED, CONTENT].round(2).tolist() == [0.31, 0.65, 0]
    assert UPDATE[BLUE, CONTENT].round(2).tolist() == [0.81, 0.38, 0]


@pytest.mark.parametrize("score", [0, -50, -1000])
def test_there_is_no_way_to_attend_nowhere(score):
    shares = softmax(score + causal_mask(9)[ROAMED])
    assert np.allclose(shares[:5], 1 / 5)
    assert (shares @ X @ W_V @ W_O)[CONTENT].round(2).tolist() == [0.4, 0.4, 0]


def test_a_token_with_a_value_of_zero_takes_the_share_and_nothing_is_written():
    assert not (X[A_TOKEN] @ W_V).any()
    shares = softmax(HEAD.S_masked[ROAMED] + 20 * np.eye(9)[A_TOKEN])
    assert shares[A_TOKEN] > 0.999
    assert np.abs(shares @ X @ W_V @ W_O).max() < 1e-3


def test_replaced_every_token_loses_its_kind_and_its_place():
    kinds = [FEATURES.index(kind) for kind in ("det", "adj", "noun", "verb", "end")]
    assert X[:, kinds].any(axis=1).all()
    assert not UPDATE[:, OTHERS].any()
    lost = [FEATURES[i] for i in range(12) if X[CREATURE, i] and not UPDATE[CREATURE, i]]
    assert lost == ["noun", "alive", "cos", "sin"]


def test_added_the_columns_not_written_stay_to_the_last_bit():
    assert np.array_equal((X + UPDATE)[:, OTHERS], X[:, OTHERS])


def test_the_next_head_works_on_the_sum_and_not_on_the_update():
    U_Q, U_K, U_V, _ = projections("subject")

    def shares(rows):
        return attention(rows @ U_Q, rows @ U_K, rows @ U_V, causal_mask(9)).A[ROAMED]

    assert np.allclose(shares(X + UPDATE), shares(X)) and shares(X)[CREATURE].round(2) == 0.98
    assert np.allclose(shares(UPDATE)[:5], 1 / 5)


def moles(causal):
    """x + Δx of each mole, and its shares, with softmax and sum written out."""
    vectors, shares = [], []
    for phrase in MOLE_PHRASES:
        words = tokenize(phrase, MOLE_VOCABULARY)
        x = embeddings(words, MOLE_VOCABULARY, MOLE_FEATURES[:5])
        i, meaning = words.index("mole"), x[:, 2:]
        e = np.exp(2 * meaning[i] @ meaning.T / np.sqrt(3))
        e[i + 1:] *= not causal
        shares.append(dict(zip(words, e / e.sum(), strict=True)))
        vectors.append(x[i] + np.r_[0, 0, e @ meaning / e.sum()])
    return np.array(vectors), shares


def cosines(vectors):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return (unit @ unit.T)[[0, 0, 1], [1, 2, 2]]


def test_the_three_moles_part():
    vectors, shares = moles(causal=False)
    assert cosines(vectors).round(2).tolist() == [0.73, 0.8, 0.77]
    assert [list(MOLE_FEATURES[2:5])[v[2:].argmax()] for v in vectors] == ["animal", "chemistry", "skin"]
    assert not vectors[:, MOLE_FEATURES.index("function")].any()
    assert shares[1]["of"] < 1 / 4 < shares[1]["carbon"]


def test_looking_back_only_two_phrases_cannot_help_their_mole():
    causal, shares = moles(causal=True)
    both, _ = moles(causal=False)
    assert np.array_equal(causal[0], both[0])
    assert shares[1]["carbon"] == shares[1]["dioxide"] == shares[2]["skin"] == 0
    assert cosines(causal).round(2).tolist() == [0.86, 0.91, 0.98]
    assert (cosines(causal) > cosines(both)).all()
    assert np.ptp(causal[2, 2:]) < 1e-12  # the spot: no sense stands out


def test_two_steps_are_one_map_of_half_as_many_numbers():
    B = W_V @ W_O
    assert np.allclose(HEAD.A @ (X @ B), UPDATE)
    assert W_V.size + W_O.size == 72 and B.size == 144


def test_the_hand_made_map_stretches_three_directions_by_two():
    assert np.linalg.svd(W_V @ W_O, compute_uv=False).round(12).tolist() == [2, 2, 2] + 9 * [0]


@pytest.mark.parametrize("d_v", [1, 2, 3, 6, 11, 12, 20])
def test_the_rank_of_the_value_map_is_at_most_d_v(d_v):
    rng = np.random.default_rng(d_v)
    W_random, back = rng.normal(size=(12, d_v)), rng.normal(size=(d_v, 12))
    assert np.linalg.matrix_rank(W_random @ back) == min(d_v, 12)
    W_random[:, -1] = W_random[:, 0]  # a head may stay below its bound
    assert np.linalg.matrix_rank(W_random[:, :2] @ back[:2]) <= min(d_v, 2)


def test_an_update_is_a_mixture_of_the_rows_of_W_O():
    rng = np.random.default_rng(0)
    back = rng.normal(size=(3, 12))
    updates = rng.dirichlet(np.ones(9), size=9) @ rng.normal(size=(9, 3)) @ back
    assert np.linalg.matrix_rank(np.vstack([back, updates])) == 3


@pytest.mark.parametrize(("features", "share"), [({"fluffy": 1}, 1), ({"alive": -1}, 0), ({"fluffy": 1, "alive": -1}, 0.5)])
def test_the_head_can_write_fluffy_and_not_alive(features, share):
    wanted = np.array([features.get(feature, 0) for feature in FEATURES], float)
    directions = W_O[:3] / np.linalg.norm(W_O[:3], axis=1, keepdims=True)  # at right angles already
    written = wanted @ directions.T @ directions
    assert np.isclose(written @ written / (wanted @ wanted), share)


def test_how_much_a_wider_head_can_write():
    explorer = explore_value_map()
    part = {"random": [], "by hand": []}
    for matrices, parts in part.items():
        for d_v in range(1, 13):
            bars, changes, _ = explorer.views(d_v=d_v, matrices=matrices, wanted_change="alive −1", shown="the change")
            wanted, written, _ = changes.values
            parts.append((written @ written / (wanted @ wanted)).round(2))
            assert (np.array(bars.values) > 1e-9).sum() == d_v
    assert [part["random"][d_v - 1] for d_v in (3, 6, 8, 12)] == [0.1, 0.44, 0.91, 1]
    assert max(part["random"][:11]) < 1 and part["random"] == sorted(part["random"])
    assert part["by hand"] == 3 * [0] + 9 * [1]
    wanted, written, _ = explorer.views(**explorer.default)[1].values[:, FEATURES.index("det")].round(2)
    assert (wanted, written) == (-0.62, 0.64)


def delta(rows):
    return attention(rows @ W_Q, rows @ W_K, rows @ W_V, causal_mask(len(rows))).O @ W_O


def test_normalisation_removes_size_and_keeps_the_pattern():
    assert np.allclose(norm(X), norm(10 * X))
    assert np.allclose(norm(X).mean(axis=1), 0) and np.allclose(norm(X).std(axis=1), 1)
    assert np.allclose([np.corrcoef(a, b)[0, 1] for a, b in zip(X, norm(X), strict=True)], 1)


def test_sums_grow_and_normalisation_limits_it():
    none = pre = post = X
    lengths = []
    for _ in range(12):
        none, pre, post = none + delta(none), pre + delta(norm(pre)), norm(post + delta(post))
        lengths.append([np.linalg.norm(rows[CREATURE]) for rows in (none, pre, post)])
    none, pre, post = np.transpose(lengths)
    factors, steps = none[1:] / none[:-1], np.diff(pre)
    assert none[-1] > 2000 and factors.max().round(2) == 2.15
    assert factors.min() == factors[-1] and factors[-1].round(2) == 1.7
    assert np.allclose(steps[-3:], 6, atol=0.1) and np.allclose(post, np.sqrt(12))


def test_dropout_keeps_the_mean_of_the_update():
    kept = np.random.default_rng(1).random((20000, 12)) >= 0.25
    draws = UPDATE[CREATURE] * kept / 0.75
    assert set(draws[:, CONTENT[0]].round(2)) == {0, 1.33}
    assert np.allclose(draws.mean(axis=0), UPDATE[CREATURE], atol=0.03)
