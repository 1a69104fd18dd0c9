"""Claims of lesson 11: from one sequence into another (§19)."""

import numpy as np
import pytest

from helpers import translation
from helpers.attention import attention, causal_mask, multi_head
from helpers.example import TOKENS, X, encode, projections

W_Q, W_K, W_V = translation.projections()
SOURCE, X_source = translation.encode()
PARTNERS = {"a": "une", "fluffy": "duveteuse", "blue": "bleue", "creature": "créature", "roamed": "parcourait", "the": "la",
            "verdant": "verdoyante", "forest": "forêt", ".": "."}
PARTNER = [SOURCE.index(PARTNERS[token]) for token in TOKENS]


def look(X_target, X_source, mask=None):
    return attention(X_target @ W_Q, X_source @ W_K, X_source @ W_V, mask)


def by_loop(X_target, X_source, W_Q, W_K, W_V):
    """Cross-attention for one pair of rows at a time."""
    outputs = []
    for x in X_target:
        exps = [np.exp((x @ W_Q) @ (y @ W_K) / np.sqrt(W_Q.shape[1])) for y in X_source]
        outputs.append(sum(e * (y @ W_V) for e, y in zip(exps, X_source, strict=True)) / sum(exps))
    return np.array(outputs)


@pytest.mark.parametrize(("T_q", "T_k", "d_model", "d_source", "d_k", "d_v"), [(9, 10, 12, 13, 7, 2), (3, 8, 5, 2, 4, 6)])
def test_q_comes_from_the_target_and_k_and_v_from_the_source(T_q, T_k, d_model, d_source, d_k, d_v):
    rng = np.random.default_rng(0)
    target, source = rng.normal(size=(T_q, d_model)), rng.normal(size=(T_k, d_source))
    Q, K, V = (rng.normal(size=size) for size in ((d_model, d_k), (d_source, d_k), (d_source, d_v)))
    found = attention(target @ Q, source @ K, source @ V)
    assert np.allclose(found.O, by_loop(target, source, Q, K, V))
    assert found.A.shape == (T_q, T_k) and found.O.shape == (T_q, d_v)
    W_O = rng.normal(size=(d_v, d_model))
    assert np.allclose(multi_head(target, Q, K, V, W_O, H=1, X_source=source).result, found.O @ W_O)


def test_each_target_finds_its_partner_and_lines_cross():
    A = look(X, X_source).A
    assert (A[range(9), PARTNER] > 0.9).all()
    crossing = [(i, j) for i in range(9) for j in range(i + 1, 9) if PARTNER[i] > PARTNER[j]]
    assert (TOKENS.index("fluffy"), TOKENS.index("creature")) in crossing
    assert (TOKENS.index("verdant"), TOKENS.index("forest")) in crossing


def test_rows_sum_to_one_and_columns_need_not():
    A = look(X, X_source).A
    assert np.allclose(A.sum(axis=1), 1)
    assert A.sum(axis=0)[SOURCE.index("et")] < 0.1 and A.max(axis=0).argmin() == SOURCE.index("et")


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_source_does_not_matter(seed):
    order = np.random.default_rng(seed).permutation(10)
    straight, mixed = look(X, X_source), look(X, X_source[order])
    assert np.allclose(mixed.A, straight.A[:, order]) and np.allclose(mixed.O, straight.O)


def test_without_places_two_equal_words_share():
    tokens, two_la = translation.encode("La créature parcourait la forêt.")
    row = look(X, two_la).A[TOKENS.index("the")]
    first, second = np.flatnonzero(np.array(tokens) == "la")
    assert row[first] == row[second] and row[first].round(2) == 0.49


def test_a_causal_mask_would_hide_five_partners():
    share = look(X, X_source, causal_mask(9, 10, n_past=0)).A[range(9), PARTNER]
    assert [token for token, s in zip(TOKENS, share, strict=True) if s == 0] == ["fluffy", "roamed", "the", "verdant", "."]
    assert all((s == 0) == (j > i) for i, (j, s) in enumerate(zip(PARTNER, share, strict=True)))


def test_what_is_carried_is_in_the_values():
    _, ended = translation.encode("Une créature bleue et duveteuse parcourut la forêt verdoyante.")
    went_on, over = look(X, X_source), look(X, ended)
    assert np.array_equal(went_on.A, over.A)
    change = (went_on.O - over.O)[:, translation.READS.index("ongoing")]
    assert change[TOKENS.index("roamed")].round(2) == 1.82 and (np.delete(change, TOKENS.index("roamed")) < 0.03).all()


@pytest.mark.parametrize("mask", [None, causal_mask(9)], ids=["free", "causal"])
def test_self_attention_is_the_special_case(mask):
    four = projections()
    once, twice = (multi_head(X, *four, H=4, mask=mask, **source) for source in ({}, {"X_source": X}))
    assert np.array_equal(once.result, twice.result)
    Q, K, V, W_O = projections("adjectives")
    result = X + attention(X @ Q, X @ K, X @ V, mask).O @ W_O
    if mask is not None:
        assert result[3, 5:7].round(2).tolist() == [1, 1] and result[7, 7].round(2) == 1.89


QUIET, X_quiet = encode("The quiet creature roamed.")


def short(padding):
    return translation.encode("La créature calme errait.", padding)[1]


@pytest.mark.parametrize("padding", [1, 5, 20, 100])
def test_padding_takes_weight_that_grows_with_its_length(padding):
    lost = look(X_quiet, short(padding)).A[:, 5:].sum(axis=1)
    more = look(X_quiet, short(padding + 1)).A[:, 5:].sum(axis=1)
    assert (lost > 0).all() and (lost < more).all()
    assert lost[QUIET.index("quiet")] == pytest.approx(padding / (5 + padding))


def test_a_padding_mask_makes_the_sentence_as_if_alone():
    targets, sources = np.stack([X[:5], X_quiet]), np.stack([X_source, short(5)])
    is_word = np.arange(10) < np.array([[10], [5]])
    found = look(targets, sources, is_word[:, None, :])
    assert np.allclose(found.O[0], look(X[:5], X_source).O)
    assert np.allclose(found.O[1], look(X_quiet, short(0)).O)
    assert not found.A[1, :, 5:].any()
    assert not np.allclose(look(targets, sources).O[1], found.O[1])


def test_one_target_may_look_at_two_sources():
    tokens, german = translation.encode(translation.SENTENCES["German"])
    row = look(X, german).A[TOKENS.index("roamed")]
    assert row[[tokens.index("hat"), tokens.index("durchstreift")]].round(2).tolist() == [0.48, 0.48]


def test_without_a_partner_a_row_spreads_evenly():
    _, korean = translation.encode(translation.SENTENCES["Korean"])
    assert np.allclose(look(X, korean).A[[TOKENS.index("a"), TOKENS.index("the")]], 1 / 7)


def test_patches_look_at_the_words_that_name_them():
    caption = ["a", "creature", "in", "the", "grass", "under", "the", "sky"]
    names = ["sky", "grass", "creature"]
    words = np.array([[word == name for name in names] for word in caption], dtype=float)
    patches = np.vstack([np.eye(3), [0, 0.5, 0.5]])
    A = attention(6 * patches, words, words).A
    assert A.shape == (4, 8)
    assert [caption[j] for j in A[:3].argmax(axis=1)] == names and (A[:3].max(axis=1) > 0.8).all()
    assert A[3, [caption.index("creature"), caption.index("grass")]].round(2).tolist() == [0.33, 0.33]
