"""Claims of lesson 01: tokens, lookup, position, rows and columns (§0, §1, §3, §4)."""

from pathlib import Path

import numpy as np
import pytest

from helpers.example import (
    FEATURES,
    MOLE_FEATURES,
    MOLE_PHRASES,
    MOLE_VOCABULARY,
    TOKENS,
    E,
    P,
    X,
    embeddings,
    positions,
    tokenize,
)

RECORDS = Path(__file__).parents[2] / "data" / "bundle_records.npz"


@pytest.fixture
def phrases():
    tokens = [tokenize(phrase, MOLE_VOCABULARY) for phrase in MOLE_PHRASES]
    return [(embeddings(t, MOLE_VOCABULARY, MOLE_FEATURES), t.index("mole")) for t in tokens]


def test_a_real_tokenizer_cuts_verdant_into_three():
    with np.load(RECORDS) as records:
        tokens = records["tok_0"].tolist()
    assert len(tokens) == 11 and tokens[6:9] == [" ver", "d", "ant"]
    assert "".join(tokens) == "A fluffy blue creature roamed the verdant forest."


def test_same_id_same_vector(phrases):
    first, second, third = (E[at] for E, at in phrases)
    assert np.array_equal(first, second) and np.array_equal(second, third)


def test_a_lookup_is_a_product_with_one_hot_rows():
    words = list(MOLE_VOCABULARY)
    table = embeddings(words, MOLE_VOCABULARY, MOLE_FEATURES)
    ids = [words.index(token) for token in tokenize(MOLE_PHRASES[1], MOLE_VOCABULARY)]
    assert np.array_equal(np.eye(len(words))[ids] @ table, table[ids])


def test_position_does_not_replace_context(phrases):
    first, second, third = ((E + positions(len(E), MOLE_FEATURES))[at] for E, at in phrases)
    assert not np.array_equal(first, second)
    assert np.array_equal(second, third)


def test_a_change_made_of_neighbours_parts_them(phrases):
    changed = np.stack([E[at] + np.delete(E, at, axis=0).mean(axis=0) for E, at in phrases])
    unit = changed / np.linalg.norm(changed, axis=1, keepdims=True)
    cosines = (unit @ unit.T)[np.triu_indices(3, 1)]
    assert np.allclose(cosines, [0.68, 0.72, 0.81], atol=0.005)


def test_no_function_of_one_token_parts_them(phrases):
    rng = np.random.default_rng(1)
    (E_second, at_second), (E_third, at_third) = phrases[1:]
    for _ in range(20):
        inner, outer = rng.normal(size=(7, 30)), rng.normal(size=(30, 7))
        results = [np.tanh(row @ inner) @ outer for row in (E_second[at_second], E_third[at_third])]
        assert np.array_equal(*results)


def test_X_is_word_plus_place():
    assert X.shape == (9, 12) and np.array_equal(X, E + P)
    assert not E[:, -2:].any() and not P[:, :-2].any()
    assert [t for t, v in zip(TOKENS, X[:, FEATURES.index("adj")], strict=True) if v] == ["fluffy", "blue", "verdant"]
    assert not X[TOKENS.index("creature"), [FEATURES.index("fluffy"), FEATURES.index("blue")]].any()


def test_rows_and_columns_hold_the_same_numbers():
    W = np.random.default_rng(2).normal(size=(12, 5))
    assert np.allclose(X @ W, (W.T @ X.T).T)


def test_a_product_from_the_right_mixes_no_tokens():
    W = np.random.default_rng(3).normal(size=(12, 5))
    other = X.copy()
    other[5:] = 7.0
    assert np.array_equal((X @ W)[:5], (other @ W)[:5])
