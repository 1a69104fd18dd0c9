"""Claims of lesson 15: a head of a real model (§0, §1, §17, §22), computed here without the helpers' layer."""

import numpy as np
import pytest

from helpers.real_head import layer_10, maps, moles, sentences
from helpers.real_head.switched_off import switched_off

GAIN, W_Q, W_K, W_V, W_O = layer_10()
SENTENCES, MAPS = sentences(), maps()
TOKENS = SENTENCES[0].tokens
CREATURE = TOKENS.index("creature")
H, H_KV, D_K, HEAD = 9, 3, 64, 6


def projected(X, W, heads):
    """(T, heads, d_k)"""
    normed = X * GAIN / np.sqrt(np.mean(X**2, axis=1, keepdims=True) + 1e-5)
    return (normed @ W).reshape(len(X), heads, D_K)


def turned(Q):
    pairs = (Q[..., 0::2] + 1j * Q[..., 1::2]) * np.exp(
        1j * np.arange(len(Q))[:, None, None] * 1e5 ** (-np.arange(D_K // 2) / (D_K // 2)))
    return np.stack([pairs.real, pairs.imag], axis=-1).reshape(Q.shape)


def weights_of(X, h, turn=turned, key_head=lambda h: h // 3):
    q, k = turn(projected(X, W_Q, H))[:, h], turn(projected(X, W_K, H_KV))[:, key_head(h)]
    scores = np.where(np.tri(len(X)) == 1, q @ k.T / 8, -np.inf)
    exps = np.exp(scores - scores.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)


def written_by(X, h):
    """v_j W_O of head h: (T, d_model)"""
    return projected(X, W_V, H_KV)[:, h // 3] @ W_O[h * D_K:(h + 1) * D_K]


def parts_of_update(n, token):
    """Row of head 6's update in sentence n: parts of the sources, and the weights."""
    _, words, X = SENTENCES[n]
    a, written = weights_of(X, HEAD)[words.index(token)], written_by(X, HEAD)
    update = a @ written
    return dict(zip(words, (a[:, None] * written) @ update / (update @ update), strict=True)), dict(zip(words, a, strict=True))


def own_adjectives(n, noun, adjectives):
    _, words, X = SENTENCES[n]
    return sum(weights_of(X, HEAD)[words.index(noun), words.index(word)] for word in adjectives.split())


def cosine(a, b):
    return np.sum(a * b, axis=-1) / np.linalg.norm(a, axis=-1) / np.linalg.norm(b, axis=-1)


def pairs(same):
    """Mean cosine by depth over pairs of phrases with the context first."""
    rows = [(sense, row) for sense in ("animal", "chemistry", "skin") for row in moles()[sense]]
    return np.mean([cosine(a, b) for i, (s, a) in enumerate(rows) for t, b in rows[:i] if (s == t) == same], axis=0)


def test_a_real_tokenizer_cuts_verdant_in_three():
    assert len(TOKENS) == 11 and "".join(TOKENS[6:9]) == "verdant"


def test_the_weights_are_those_the_model_recorded():
    for h in range(H):
        np.testing.assert_allclose(weights_of(SENTENCES[0].X, h), MAPS[10, h], atol=3e-4)


def test_neither_turning_nor_the_right_key_head_can_be_spared():
    X = SENTENCES[0].X
    for change in ({"turn": lambda Q: Q}, {"key_head": lambda h: h % 3}):
        assert max(np.abs(weights_of(X, h, **change) - MAPS[10, h]).max() for h in range(H)) > 0.5


def test_three_query_heads_share_a_key_head():
    assert W_Q.shape[1] == H * D_K and W_K.shape[1] == W_V.shape[1] == H_KV * D_K
    assert [h // (H // H_KV) for h in range(H)] == [0, 0, 0, 1, 1, 1, 2, 2, 2]


def test_only_the_distance_counts():
    q, k = projected(SENTENCES[0].X, W_Q, H)[CREATURE, HEAD], projected(SENTENCES[0].X, W_K, H_KV)[1, 2]
    at = [turned(np.tile(vector, (9, 1, 1)))[:, 0] for vector in (q, k)]
    assert at[0][3] @ at[1][1] == pytest.approx(at[0][8] @ at[1][6])
    assert abs(at[0][3] @ at[1][1] - at[0][3] @ at[1][0]) > 1


def test_creature_looks_at_fluffy_and_blue():
    row = weights_of(SENTENCES[0].X, HEAD)[CREATURE]
    assert row[1:3].round(3).tolist() == [0.427, 0.439]


def test_forest_hardly_looks_at_verdant():
    row = weights_of(SENTENCES[0].X, HEAD)[TOKENS.index("forest")]
    assert row[6:9].sum().round(2) == 0.22 and row[1] > row[6:9].max()


def test_nouns_to_adjectives_fails_on_other_nouns():
    early = [own_adjectives(0, "creature", "fluffy blue"), own_adjectives(3, "creature", "scaly red"),
             own_adjectives(5, "house", "fluffy blue")]
    late = [own_adjectives(0, "forest", "ver d ant"), own_adjectives(5, "forest", "quiet green"),
            own_adjectives(7, "stone", "cold")]
    assert np.round(early, 2).tolist() == [0.87, 0.83, 0.80] and np.round(late, 2).tolist() == [0.22, 0.28, 0.17]
    assert max(late) < own_adjectives(7, "dog", "small quiet") < min(early)


def test_the_looks_at_roamed_or_at_a_preposition():
    found = [weights_of(X, HEAD)[i, i - 1] for _, words, X in SENTENCES for i in range(1, len(words))
             if words[i - 1:i + 1] == ["roamed", "the"]]
    assert len(found) == 6 and 0.845 < min(found) <= max(found) < 0.905
    prepositions = [(row[i - 1], row.max()) for _, words, X in SENTENCES for i, row in enumerate(weights_of(X, HEAD))
                    if i and words[i] == "the" and words[i - 1] in ("in", "on")]
    assert np.round(prepositions, 2).tolist() == [[0.67, 0.67], [0.69, 0.69]]


def test_the_largest_weight_writes_almost_nothing():
    parts, a = parts_of_update(5, "green")
    assert max(a, key=a.get) == "the" and a["the"] > 1.4 * a["quiet"]
    assert parts["the"] < 0 and parts["quiet"] + parts["green"] > 0.95
    lengths = dict(zip(SENTENCES[5].tokens, np.linalg.norm(written_by(SENTENCES[5].X, HEAD), axis=1), strict=True))
    assert lengths["quiet"] > 4.9 * lengths["the"] and lengths["green"] > 4.9 * lengths["the"]


def test_creatures_update_from_head_6_comes_from_its_adjectives():
    parts, _ = parts_of_update(0, "creature")
    assert round(parts["fluffy"], 2) == 0.42 and round(parts["blue"], 2) == 0.53
    assert round(parts["fluffy"] + parts["blue"], 2) == 0.95


def test_head_6_is_a_small_part_of_the_layer():
    X = SENTENCES[0].X
    parts = [weights_of(X, h)[CREATURE] @ written_by(X, h) for h in range(H)]
    total = np.sum(parts, axis=0)
    assert round(parts[HEAD] @ total / (total @ total), 2) == 0.07
    assert round(np.linalg.norm(total) / np.linalg.norm(X[CREATURE]), 2) == 0.21


def test_the_same_word_has_other_queries_keys_and_values():
    def alike(W, heads, *others):
        def vector(n, h, word="creature"):
            return projected(SENTENCES[n].X, W, heads)[SENTENCES[n].tokens.index(word), h * heads // H]
        return [round(cosine(vector(0, 6), vector(*other)), 2) for other in others]
    others = (0, 0), (0, 7), (3, 6), (4, 6), (0, 6, "fluffy")
    assert alike(W_Q, H, *others) == [-0.06, 0.75, 0.99, 0.95, 0.88]
    assert alike(W_K, H_KV, *others) == [-0.18, 1, 0.99, 0.97, 0.91]
    assert alike(W_V, H_KV, *others) == [-0.15, 1, 0.92, 0.91, 0.50]


def test_the_same_word_has_other_rows_in_other_layers():
    rows = MAPS[[2, 10, 18, 26], HEAD, CREATURE, :4]
    assert min(np.abs(a - b).max() for i, a in enumerate(rows) for b in rows[:i]) > 0.15


def test_most_layers_park_on_token_0():
    on_first = MAPS[:, :, 1:, 0].mean(axis=2)
    by_layer = on_first.mean(axis=1)
    assert (on_first > 0.5).sum() == 193
    assert np.round(by_layer[:2], 2).tolist() == [0.21, 0.24] and by_layer[10] < 0.25 and by_layer[11] < 0.12
    assert np.delete(by_layer, [0, 1, 2, 10, 11]).min() > 0.5 and by_layer.argmax() == 24
    assert round(np.diagonal(MAPS[1, 2], -1).mean(), 2) == 0.64
    assert round(on_first[10, HEAD], 2) == 0.06 and round(on_first[10].max(), 2) == 0.42


def test_token_0_knows_nothing_of_the_sentence():
    assert all(np.array_equal(SENTENCES[n].X[0], SENTENCES[0].X[0]) for n in (3, 4, 5, 7))


def test_a_head_that_looks_one_back_passes_for_an_adjective_head():
    assert np.diagonal(MAPS[16, 0], -1).mean() > 0.8
    assert MAPS[16, 0, CREATURE, 1:3].sum() > MAPS[10, HEAD, CREATURE, 1:3].sum()


def test_moles_start_equal():
    rows = np.concatenate([rows[:, 0] for rows in moles().values()])
    assert len(rows) == 15 and np.array_equal(rows, np.tile(rows[:1], (15, 1)))


def test_senses_part_when_the_context_comes_first():
    gap = pairs(same=True) - pairs(same=False)
    assert gap[4] < 0.02 and gap[8:].min() > 0.09
    assert round(pairs(same=True)[8], 2) == 0.93 and round(pairs(same=False)[8], 2) == 0.76


def test_the_documents_phrases_hardly_part():
    shrew, amount, skin = moles()["document"]
    assert cosine(amount, skin).min() > 0.97
    for other in (amount, skin):
        assert (cosine(shrew, other) > pairs(same=True) - 0.05).all()
        assert (cosine(shrew, other) > pairs(same=False) + 0.09)[6:].all()
    assert round(cosine(skin[10], skin[0]), 2) == 0.05


def test_the_shrew_has_its_sense_and_the_undecided_lie_nearest_to_the_animals():
    near = [[cosine(moles()[sense][:, 10], mole).mean() for sense in ("animal", "chemistry", "skin")]
            for mole in moles()["document"][:, 10]]
    assert np.round(near, 2).tolist() == [[0.91, 0.76, 0.82], [0.88, 0.83, 0.83], [0.87, 0.82, 0.82]]


def test_only_head_3_does_the_same_in_all_sentences():
    """Of the noun: its largest weight goes to itself."""
    places = [next(i for i, word in enumerate(words) if word in ("creature", "house", "dog")) for _, words, _ in SENTENCES]
    rows = [[weights_of(X, h)[i] for (_, _, X), i in zip(SENTENCES, places, strict=True)] for h in range(H)]
    same = [[row.argmax() == i for row, i in zip(of_head, places, strict=True)] for of_head in rows]
    assert [h for h in range(H) if all(same[h])] == [3]
    on_itself = [row[i] for row, i in zip(rows[3], places, strict=True)]
    assert round(min(on_itself), 2) == 0.47 and round(max(on_itself), 2) == 0.86


def test_head_6_is_not_missed():
    off = switched_off()
    missed = off.one_off - off.none_off
    assert missed[10, 6] == pytest.approx(-0.024, abs=0.005)
    assert (missed > missed[10, 6]).sum() == 237 and (missed < 0).sum() == 114
    strongest = np.argsort(-missed, axis=None)[:3]
    assert [divmod(int(n), 9) for n in strongest] == [(11, 4), (11, 5), (1, 3)]
