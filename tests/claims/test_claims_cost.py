"""Claims of lesson 12: what attention costs, and two remedies (§20)."""

import math
import tracemalloc

import numpy as np
import pytest

from helpers.attention import attention, causal_mask, softmax, tiled_attention
from helpers.example import TOKENS, X, projections

CREATURE, FLUFFY, BLUE, VERDANT, FOREST = map(TOKENS.index, ("creature", "fluffy", "blue", "verdant", "forest"))


class Counted(float):
    """A number that counts in how many multiplications it was the left factor."""

    made = 0

    def __mul__(self, other):
        Counted.made += 1
        return float(self) * other


def multiplications(H, T, d_k):
    """Made by QKᵀ of H heads, one number at a time."""
    Counted.made = 0
    for _ in range(H):
        Q, K = [[Counted(1)] * d_k] * T, [[2.0] * d_k] * T
        scores = [sum(a * b for a, b in zip(q, k, strict=True)) for q in Q for k in K]
        assert scores == [2 * d_k] * T**2
    return Counted.made


def window(T, w):
    return np.array([[0.0 if i - w < j <= i else -math.inf for j in range(T)] for i in range(T)])


def peak_bytes(function, *arrays):
    tracemalloc.start()
    function(*arrays)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def slope(x, y):
    return np.polyfit(np.log(x), np.log(y), 1)[0]


@pytest.fixture(scope="module")
def sentence():
    return [X @ W for W in projections("adjectives")[:3]]


def test_twice_the_tokens_four_times_the_scores():
    for T in (3, 50, 400):
        one, two = (np.ones((n, 5)) @ np.ones((5, n)) for n in (T, 2 * T))
        assert one.shape == (T, T) and two.size == 4 * one.size


def test_scores_take_T_squared_d_k_multiplications_a_head():
    for H, T, d_k in ((1, 9, 3), (1, 6, 5), (4, 3, 2)):
        assert multiplications(H, T, d_k) == H * T**2 * d_k


def test_the_square_overtakes_the_projections_at_twice_d_model():
    for d_model in (64, 1024):
        below, at, above = (2 * T**2 * d_model - 4 * T * d_model**2 for T in (2 * d_model - 1, 2 * d_model, 2 * d_model + 1))
        assert below < at == 0 < above


@pytest.mark.parametrize(("dtype", "size"), [(np.float64, 8), (np.float32, 4), (np.float16, 2)])
def test_bytes_of_the_scores(dtype, size):
    Q, K = np.random.default_rng(0).normal(size=(2, 3, 20, 4)).astype(dtype)
    assert attention(Q, K, K).S.nbytes == 3 * 20**2 * size


def test_the_scores_of_a_long_context_do_not_fit_a_card():
    size = {T: 32 * T**2 * 2 for T in (16_384, 131_072)}
    assert size[16_384] < 24e9 < size[131_072] / 45


def test_peak_memory_is_three_matrices_of_scores():
    def attend(Q, K, V):
        S = Q @ K.T / np.sqrt(Q.shape[1])
        A = np.exp(S - S.max(axis=1, keepdims=True))
        return A / A.sum(axis=1, keepdims=True) @ V
    peaks = [peak_bytes(attend, *np.ones((3, T, 64))) / (8 * T**2) for T in (512, 1024)]
    assert peaks == pytest.approx([3 + 64 / 512, 3 + 64 / 1024], abs=0.02)


def test_online_sum_equals_the_sum_in_one_go(sentence):
    rows = [(sentence[0] @ sentence[1].T)[FOREST] / math.sqrt(3), np.random.default_rng(1).normal(scale=300, size=500)]
    for s in rows:
        m, total = -math.inf, 0.0
        for score in s:
            m, total = max(m, score), total * math.exp(m - max(m, score)) + math.exp(score - max(m, score))
        assert m == s.max()
        assert total == pytest.approx(math.fsum(math.exp(score - m) for score in s), rel=1e-12)


def test_without_the_factor_the_sum_is_wrong(sentence):
    s = (sentence[0] @ sentence[1].T)[FOREST] / math.sqrt(3)
    so_far = np.maximum.accumulate(s)
    assert np.exp(s - so_far).sum() > 4 * np.exp(s - s.max()).sum()
    assert np.flatnonzero(np.diff(so_far)).tolist() == [0, 1, VERDANT - 1]    # the maximum rises after the first, too


def test_each_prefix_has_its_exact_output(sentence):
    """What the online softmax holds after j sources is attention over those j."""
    Q, K, V = sentence
    greatest = []
    for j in range(1, len(K) + 1):
        s = K[:j] @ Q[FOREST] / math.sqrt(3)
        expected = softmax(s) @ V[:j]
        np.testing.assert_allclose(tiled_attention(Q[FOREST:FOREST + 1], K[:j], V[:j], block=1)[0], expected, atol=1e-12)
        greatest.append(int(expected.argmax()))
    assert [greatest[FLUFFY], greatest[BLUE], greatest[VERDANT]] == [0, 1, 2]


def test_tiled_equals_naive_to_twelve_decimals():
    Q, K, V = np.random.default_rng(2).normal(size=(3, 700, 32))
    for mask, causal in ((None, False), (causal_mask(700), True)):
        expected = attention(Q, K, V, mask).O
        for block in (64, 100, 128, 700):
            assert np.abs(tiled_attention(Q, K, V, block, causal) - expected).max() < 1e-12


def test_tiled_memory_does_not_grow_with_the_square():
    lengths = (256, 512, 1024)
    arrays = [np.random.default_rng(3).normal(size=(3, T, 16)) for T in lengths]
    tiled, whole = ([peak_bytes(f, *QKV) for QKV in arrays] for f in (tiled_attention, attention))
    assert slope(lengths, tiled) < 1
    assert slope(lengths, whole) > 1.9


def test_causal_tiles():
    for blocks in (1, 3, 8):
        needed = sum(j <= i for i in range(blocks) for j in range(blocks))
        tiles = (causal_mask(4 * blocks) == 0).reshape(blocks, 4, blocks, 4).any(axis=(1, 3))
        assert tiles.sum() == needed == blocks * (blocks + 1) // 2


def test_a_window_loses_what_lies_beyond_it(sentence):
    three, two = (attention(*sentence, window(9, w)).A[CREATURE] for w in (3, 2))
    assert three[[FLUFFY, BLUE]].round(2).tolist() == [0.5, 0.5]
    assert two[FLUFFY] == 0 and two[BLUE] > 0.99
    assert two.sum() == pytest.approx(1)


def test_a_window_makes_T_times_w_scores():
    for T, w in ((9, 3), (40, 7), (5, 8)):
        seen = np.isfinite(window(T, w)).sum()
        assert seen == sum(min(i + 1, w) for i in range(T))
        assert w > T or seen == T * w - w * (w - 1) // 2
    lengths = [2**n for n in range(10, 15)]
    assert slope(lengths, [sum(min(i + 1, 256) for i in range(T)) for T in lengths]) == pytest.approx(1, abs=0.06)


def test_a_mask_alone_makes_every_score(sentence):
    assert np.isfinite(attention(*sentence, window(9, 2)).S).all()


def test_a_window_of_slices_equals_the_mask(sentence):
    Q, K, V = sentence
    for w in (1, 2, 3, 20):
        rows = [softmax(K[max(0, i - w + 1):i + 1] @ Q[i] / math.sqrt(3)) @ V[max(0, i - w + 1):i + 1] for i in range(9)]
        np.testing.assert_allclose(attention(*sentence, window(9, w)).O, rows, atol=1e-12)


def test_layers_carry_further_than_one_window():
    """A change of a token reaches the last one if each layer need bridge no more than w - 1 places."""
    T, w = 12, 3
    Q, K, V = np.random.default_rng(4).normal(size=(3, T, T))
    for layers in (1, 2, 3, 5):
        reached = []
        for source in range(T):
            changed = V.copy()
            changed[source] += 1
            states = [V, changed]
            for _ in range(layers):
                states = [attention(Q, K, state, window(T, w)).O for state in states]
            reached.append(not np.allclose(states[0][-1], states[1][-1], atol=1e-12))
        assert sum(reached) == layers * (w - 1) + 1


@pytest.mark.parametrize("G", [8, 2, 1])
def test_grouped_heads_shrink_keys_and_values_and_not_the_scores(G):
    H, T, d_k = 8, 12, 4
    rng = np.random.default_rng(5)
    Q, (K, V) = rng.normal(size=(H, T, d_k)), rng.normal(size=(2, G, T, d_k))
    grouped = attention(Q.reshape(G, H // G, T, d_k), K[:, None], V[:, None])
    for h in range(H):
        np.testing.assert_allclose(grouped.O.reshape(H, T, d_k)[h], attention(Q[h], K[h * G // H], V[h * G // H]).O)
    assert K.nbytes + V.nbytes == 2 * G * T * d_k * 8
    assert grouped.S.nbytes == H * T**2 * 8
    assert not np.allclose(grouped.A[0, 0], grouped.A[-1, -1])


@pytest.mark.parametrize(("G", "full"), [(32, 45_776), (8, 183_105)])
def test_keys_and_values_of_all_layers_fill_a_card(G, full):
    layers, one_layer = ([np.zeros((n, 2, G, T, 128), np.float16).nbytes for T in (1, 2)] for n in (32, 1))
    a_token = layers[1] - layers[0]
    assert a_token * full <= 24e9 < a_token * (full + 1)
    assert (one_layer[1] - one_layer[0]) * 2**20 < 24e9 < 32 * 2**20**2 * 2    # of one layer K and V fit, the scores do not


def test_half_the_bytes_reach_root_two_as_far():
    reach = [math.sqrt(24e9 / (32 * size)) for size in (4, 2)]
    assert reach[1] / reach[0] == pytest.approx(math.sqrt(2))
