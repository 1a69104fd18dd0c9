"""Claims of lesson 14: keys and values are kept (§21)."""

import math

import numpy as np
import pytest

from helpers.attention import KVCache
from helpers.explorers import explore_cache
from helpers.tiny_model import VOCABULARY, TinyModel, corpus, encode, train
from helpers.tiny_model.cached import forward_cached

TOLERANCE = 1e-12
IDS = encode("yesterday a fluffy blue creature roamed a misty garden .")[0, :11]
PROMPT = 5  # tokens, with the start
LAYERS, D = 4, 64


@pytest.fixture(scope="module")
def model():
    """As in the lesson: two layers."""
    model = TinyModel(layers=2, seed=2, dtype=np.float64)
    train(model, corpus(4000, seed=0).ids, label="")
    return model


def shares(scores):
    exps = np.exp(scores - scores.max())
    return exps / exps.sum()


def layer(X, W_Q, W_K, W_V, W_O, see):
    """One layer, target by target; target i sees the first see(i) tokens."""
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    rows = [shares(K[: see(i)] @ Q[i] / math.sqrt(Q.shape[1])) @ V[: see(i)] for i in range(len(X))]
    return X + np.array(rows) @ W_O, K, V


def embedded(model, ids):
    return model.parameters["E"][ids] + model.parameters["P"][: len(ids)]


def matrices(model, number=0):
    return [model.parameters[f"{name}{number}"] for name in ("W_Q", "W_K", "W_V", "W_O")]


def passed(model, ids, see=lambda i: i + 1):
    """What enters each layer, with its keys and values; and at the end the scores of the next words."""
    X, layers = embedded(model, ids), []
    for number in range(model.layers):
        X_next, K, V = layer(X, *matrices(model, number), see)
        layers.append((X, K, V))
        X = X_next
    return layers, X @ model.parameters["U"]


def recomputed(model, ids):
    """Scores of the next word after the last of these ids."""
    return passed(model, ids)[1][-1]


def last_row(X, W_Q, W_K, W_V, Q_past, K_past, V_past):
    """Output of the last token, with other queries, keys and values of the earlier ones."""
    Q, K, V = (np.vstack([past, X[-1] @ W]) for past, W in ((Q_past, W_Q), (K_past, W_K), (V_past, W_V)))
    S = Q @ K.T / math.sqrt(Q.shape[1])
    return (np.array([shares(row) for row in S]) @ V)[-1]


def cached(model, pieces, n_past=None):
    caches = [KVCache() for _ in range(model.layers)]
    return np.vstack([forward_cached(model, piece, caches, n_past)[0] for piece in pieces])


def test_greedy_generation_writes_the_sentence(model):
    ids = IDS[:PROMPT].tolist()
    while VOCABULARY[ids[-1]] != ".":
        ids.append(int(recomputed(model, ids).argmax()))
    assert ids == IDS.tolist()


def test_every_choice_is_clear(model):
    """So far ahead of the second that no rounding can change the sentence."""
    for n in range(PROMPT, len(IDS)):
        second, first = np.sort(shares(recomputed(model, IDS[:n])))[-2:]
        assert first - second > 0.001


def test_computed_anew_ten_tokens_need_45_rows():
    assert sum(range(PROMPT, len(IDS))) == 45
    assert len(IDS) - 1 == 10


def test_a_new_token_leaves_the_rows_of_earlier_ones(model):
    """In both layers: what enters, keys and values; and the scores of the next words."""
    for n in range(1, len(IDS)):
        (before, scores), (after, more_scores) = (passed(model, IDS[:m]) for m in (n, n + 1))
        for one, other in zip([scores, *sum(before, ())], [more_scores, *sum(after, ())], strict=True):
            np.testing.assert_allclose(other[:n], one, rtol=0, atol=TOLERANCE)


def test_a_sum_in_another_order_differs_in_the_last_digit():
    sums = 0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1
    assert sums[0] != sums[1] and math.isclose(*sums, rel_tol=TOLERANCE)


@pytest.mark.parametrize("causal", [True, False])
def test_only_without_the_mask_do_keys_of_the_second_layer_move(model, causal):
    for n in range(2, len(IDS)):
        see = (lambda i: i + 1), (lambda i: i + 1)
        if not causal:
            see = (lambda i, n=n: n), (lambda i, n=n: n + 1)
        before, after = (passed(model, IDS[:m], look)[0] for m, look in zip((n, n + 1), see, strict=True))
        moved = [np.abs(after[number][1][:n] - before[number][1]).max() for number in (0, 1)]
        assert moved[0] < TOLERANCE
        assert moved[1] < TOLERANCE if causal else moved[1] > 0.1


@pytest.mark.parametrize("number", [0, 1])
def test_earlier_queries_are_not_needed_again(model, number):
    X, (W_Q, W_K, W_V, _) = passed(model, IDS[:6])[0][number][0], matrices(model, number)
    past = [X[:5] @ W for W in (W_Q, W_K, W_V)]
    noise = np.random.default_rng(1).normal(size=past[0].shape)
    right = last_row(X, W_Q, W_K, W_V, *past)
    moved = [np.linalg.norm(last_row(X, W_Q, W_K, W_V, *[noise if i == lost else M for i, M in enumerate(past)]) - right)
             for lost in range(3)]
    assert moved[0] < TOLERANCE and min(moved[1:]) > 0.5


def test_cached_equals_recomputed_at_every_step(model):
    logits = cached(model, IDS[:, None])
    for n in range(1, len(IDS) + 1):
        np.testing.assert_allclose(logits[n - 1], recomputed(model, IDS[:n]), rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("prefill", range(1, len(IDS) + 1))
def test_cached_equals_recomputed_after_any_prefill(model, prefill):
    logits = cached(model, [IDS[:prefill], *IDS[prefill:, None]])
    np.testing.assert_allclose(logits[-1], recomputed(model, IDS), rtol=0, atol=TOLERANCE)


def after_creature(model, n_past):
    caches = [KVCache(), KVCache()]
    forward_cached(model, IDS[:4], caches)
    return shares(forward_cached(model, IDS[4:6], caches, n_past)[0][-1])


def test_with_a_wrong_offset_the_verb_is_lost(model):
    roamed = VOCABULARY.index("roamed")
    assert after_creature(model, 4)[roamed] > 0.95
    assert after_creature(model, 0)[roamed] < 0.05
    assert VOCABULARY[after_creature(model, 0).argmax()] in ("a", "the")


def test_a_wrong_offset_can_pass_at_a_single_step(model):
    """In the explorer the likeliest word stays at the prompt and at “roamed” alone."""
    one = explore_cache(model)
    same = []
    for step in range(6):
        right, wrong = (one.views(step=step, how=how)[-1].words for how in ("kept", "kept, mask without offset"))
        likeliest = [words.split("next word: “")[1].split("”")[0] for words in (right, wrong)]
        same.append(likeliest[0] == likeliest[1])
    assert same == [True, False, True, False, False, False]


def flops(T_new, T):
    """Two for each multiplication of the four projections, the scores and the mixture."""
    projections = 4 * 2 * T_new * D * D
    return LAYERS * (projections + 2 * T_new * D * T + 2 * T_new * T * D)


def test_computed_anew_a_step_costs_exactly_T_times_as_much():
    for T in range(1, 513):
        assert flops(T, T) == T * flops(1, T)
    assert (flops(512, 512), flops(1, 512)) == (335_544_320, 655_360)


@pytest.mark.parametrize(("tokens", "ratio"), [(64, 35), (256, 150), (512, 313)])
def test_whole_texts_cost_that_many_times_more(tokens, ratio):
    anew, kept = (sum(flops(T if all_rows else 1, T) for T in range(1, tokens + 1)) for all_rows in (True, False))
    assert round(anew / kept) == ratio


def test_room_that_doubles_copies_less_than_a_row_a_token():
    room, copied = np.empty(1), 0
    for token in range(512):
        if token == len(room):
            copied += len(room)
            room = np.concatenate([room, np.empty_like(room)])
        room[token] = token
    assert (copied, len(room)) == (511, 512)
    assert np.array_equal(room, range(512))
    assert sum(range(512)) == 130_816


def test_the_cache_of_a_real_model_is_23_kilobytes_a_token():
    caches = [KVCache() for _ in range(30)]
    for _ in range(2):
        for cache in caches:
            cache.append(np.zeros((3, 7, 64), np.float16), np.zeros((3, 7, 64), np.float16))
    assert sum(cache.bytes for cache in caches) == 14 * 23_040 == 14 * 2 * 30 * 3 * 64 * 2


def test_shared_heads_outgrow_the_parameters_at_three_times_the_length():
    parameters, lengths = 135e6 * 2, []
    for H_kv in (9, 3):
        lengths.append(next(T for T in range(1, 20000) if 2 * 30 * H_kv * 64 * 2 * T > parameters))
    assert 2048 < lengths[0] < 4096 and 8192 < lengths[1] < 16384
    assert abs(lengths[1] - 3 * lengths[0]) <= 3
