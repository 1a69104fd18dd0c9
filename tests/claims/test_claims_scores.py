"""Claims of lesson 03: scores (§7)."""

import numpy as np

from helpers.example import TOKENS, X, encode, projections

W_Q, W_K, _, _ = projections("adjectives")
Q, K = X @ W_Q, X @ W_K
S = Q @ K.T
CREATURE, FLUFFY, VERDANT = (TOKENS.index(word) for word in ("creature", "fluffy", "verdant"))


def test_a_score_is_a_dot_product():
    assert np.isclose(S[CREATURE, FLUFFY], sum(q * k for q, k in zip(Q[CREATURE], K[FLUFFY], strict=True)))
    assert S[CREATURE, FLUFFY].round(2) == 12.83 and S[CREATURE, VERDANT].round(2) == 4.46
    assert np.isclose(S[CREATURE, TOKENS.index("blue")], S[CREATURE, FLUFFY])


def test_one_product_makes_all_scores():
    assert np.allclose(S, [[sum(q * k) for k in K] for q in Q])


def test_scores_are_tokens_by_tokens():
    assert S.shape == (len(TOKENS), len(TOKENS))
    assert (Q @ K[:5].T).shape == (9, 5)


def test_keys_may_come_from_another_sentence():
    tokens, other = encode("The old king saw a tiny bird.")
    scores = Q @ (other @ W_K).T
    assert scores.shape == (9, 8)
    assert [tokens[scores[TOKENS.index(noun)].argmax()] for noun in ("creature", "forest")] == ["old", "tiny"]


def test_a_token_that_seeks_no_kind_still_looks_at_a_place():
    row = S[TOKENS.index("the")]
    assert not np.isclose(row, 0).any()
    assert [TOKENS[j] for j in np.flatnonzero(np.isclose(row, row.max()))] == ["creature", "roamed"]


def test_rows_are_targets_and_columns_sources():
    other = K.copy()
    other[FLUFFY] = 0
    changed = np.argwhere(~np.isclose(Q @ other.T, S))
    assert set(changed[:, 1]) == {FLUFFY}


def test_scores_are_not_symmetric():
    assert S[CREATURE, FLUFFY].round(2) == 12.83 and S[FLUFFY, CREATURE].round(2) == -1.29


def test_without_projections_each_token_prefers_itself():
    for rows in (X, Q):
        direct = rows @ rows.T
        assert np.allclose(direct, direct.T)
        assert direct.argmax(axis=1).tolist() == list(range(9))


def test_the_queries_of_the_nouns_are_longer_by_their_match():
    lengths = np.linalg.norm(Q, axis=1).round(2)
    nouns = [TOKENS.index("creature"), TOKENS.index("forest")]
    assert (lengths[nouns] == 9.43).all() and (np.delete(lengths, nouns) == 5).all()
    assert np.allclose(np.linalg.norm(Q[:, 1:], axis=1), 5)


def test_scores_can_be_negative():
    assert (S[CREATURE] < 0).sum() == 3


def test_rows_of_scores_do_not_sum_to_one():
    assert S[CREATURE].sum().round(2) == 27.54
    assert not np.isclose(S.sum(axis=1), 1).any()
