"""KVCache, and the tiny model's forward pass with it: equal to recomputation."""

import copy
import itertools

import numpy as np
import pytest

from helpers.attention import KVCache, attention, causal_mask
from helpers.explorers import explore_cache
from helpers.tiny_model import TinyModel, encode
from helpers.tiny_model.cached import forward_cached

TYPES = [np.float16, np.float32, np.float64]
LEADING = [(), (3,), (2, 3)]


def random_problem(seed, leading=()):
    """Q, K and V of random widths, and how they are cut into prefill and steps."""
    rng = np.random.default_rng(seed)
    T, d_k, d_v = rng.integers(2, 12, size=3)
    prefill = int(rng.integers(1, T + 1))
    Q, K = rng.normal(size=(2, *leading, T, d_k))
    return Q, K, rng.normal(size=(*leading, T, d_v)), [slice(0, prefill), *(slice(t, t + 1) for t in range(prefill, T))]


def outputs_with(cache, Q, K, V, pieces):
    """Outputs of the pieces one after the other, each with the keys and values kept so far."""
    outputs = []
    for rows in pieces:
        n_past, T_new = cache.length, rows.stop - rows.start
        kept = cache.append(K[..., rows, :], V[..., rows, :])
        outputs.append(attention(Q[..., rows, :], *kept, causal_mask(T_new, n_past=n_past)).O)
    return np.concatenate(outputs, axis=-2)


@pytest.mark.parametrize("leading", LEADING, ids=str)
@pytest.mark.parametrize("seed", range(20))
def test_prefill_and_single_tokens_equal_recomputation(seed, leading):
    Q, K, V, pieces = random_problem(seed, leading)
    expected = attention(Q, K, V, causal_mask(Q.shape[-2])).O
    np.testing.assert_allclose(outputs_with(KVCache(), Q, K, V, pieces), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_any_cut_into_pieces_equals_recomputation(seed):
    Q, K, V, _ = random_problem(seed)
    T = len(Q)
    inner = np.flatnonzero(np.random.default_rng(seed).random(T - 1) < 0.5) + 1
    ends = [0, *inner.tolist(), T]
    pieces = [slice(a, b) for a, b in itertools.pairwise(ends)]
    expected = attention(Q, K, V, causal_mask(T)).O
    np.testing.assert_allclose(outputs_with(KVCache(), Q, K, V, pieces), expected, rtol=0, atol=1e-12)


def test_a_wrong_offset_is_not_equal():
    rng = np.random.default_rng(0)
    Q, K, V = rng.normal(size=(3, 5, 4))
    right = attention(Q, K, V, causal_mask(5)).O[3:]
    wrong = attention(Q[3:], K, V, causal_mask(2, 5)).O
    assert (np.abs(right - wrong).max(axis=-1) > 0.1).all()


def test_what_is_appended_comes_back_to_the_last_bit():
    for seed, leading in enumerate(LEADING):
        _, K, V, pieces = random_problem(seed, leading)
        cache = KVCache()
        for rows in pieces:
            all_K, all_V = cache.append(K[..., rows, :], V[..., rows, :])
            assert np.array_equal(all_K, K[..., : rows.stop, :]) and np.array_equal(all_V, V[..., : rows.stop, :])
            assert cache.length == rows.stop


@pytest.mark.parametrize("dtype", TYPES)
def test_types_are_kept(dtype):
    cache = KVCache()
    for _ in range(2):
        K, V = cache.append(np.ones((2, 3), dtype), np.ones((2, 4), dtype))
        assert K.dtype == V.dtype == dtype


def test_integers_become_float64():
    K, V = KVCache().append([[1, 2]], [[3]])
    assert K.dtype == V.dtype == np.float64


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("leading", LEADING, ids=str)
def test_bytes_are_those_of_all_numbers(leading, dtype):
    cache = KVCache()
    assert (cache.length, cache.bytes) == (0, 0)
    for T_new in (5, 1, 2):
        cache.append(np.ones((*leading, T_new, 3), dtype), np.ones((*leading, T_new, 4), dtype))
    assert cache.length == 8
    assert cache.bytes == np.prod(leading, dtype=int) * 8 * (3 + 4) * np.dtype(dtype).itemsize


def test_the_cache_does_not_follow_what_was_given():
    K, V = np.ones((2, 3)), np.ones((2, 4))
    cache = KVCache()
    cache.append(K, V)
    K[:], V[:] = 0, 0
    all_K, all_V = cache.append(np.ones((1, 3)), np.ones((1, 4)))
    assert (all_K == 1).all() and (all_V == 1).all()


def test_what_is_handed_out_cannot_damage_the_cache():
    cache = KVCache()
    handed_out = [*cache.append(np.ones((2, 3)), np.ones((2, 4))), cache.K, cache.V]
    for array in handed_out:
        for reached in (array, array.base):
            with pytest.raises(ValueError, match="read-only"):
                reached[0, 0] = 9
    cache.append(np.zeros((3, 3)), np.zeros((3, 4)))
    assert all((array == 1).all() and len(array) == 2 for array in handed_out)    # nor does it change behind the reader
    assert cache.K[:, 0].tolist() == cache.V[:, 0].tolist() == [1, 1, 0, 0, 0]


def test_a_cache_can_be_appended_to_itself():
    cache = KVCache()
    cache.append([[1, 2], [3, 4]], [[5], [6]])
    K, V = cache.append(cache.K, cache.V)
    assert K.tolist() == [[1, 2], [3, 4]] * 2 and V.tolist() == [[5], [6]] * 2


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_goes_its_own_way(copied):
    cache = KVCache()
    for n in range(3):    # there is room for a fourth
        cache.append(np.full((1, 2), n), np.full((1, 2), n))
    fork = copied(cache)
    cache.append(np.full((1, 2), 7), np.full((1, 2), 7))
    fork.append(np.full((1, 2), 8), np.full((1, 2), 8))
    assert cache.K[:, 0].tolist() == [0, 1, 2, 7] and fork.V[:, 0].tolist() == [0, 1, 2, 8]
    assert copied(KVCache()).length == 0


def test_what_is_kept_is_seldom_copied():
    """The arrays move only when the room is full: 10 times in 1000 appends, and never to twice what is needed."""
    cache, places = KVCache(), []
    for _ in range(1000):
        K, _ = cache.append(np.ones((2, 1, 3)), np.ones((2, 1, 4)))
        places.append(K.__array_interface__["data"][0])
        assert K.base.shape[-2] < 2 * max(cache.length, 2)
    moves = sum(a != b for a, b in itertools.pairwise(places))
    assert moves <= 10


def test_two_caches_share_nothing():
    one, other = KVCache(), KVCache()
    one.append(np.ones((2, 3)), np.ones((2, 4)))
    assert (one.length, other.length) == (2, 0)


ONES = np.ones

@pytest.mark.parametrize(
    ("K", "V", "error", "message"),
    [
        (ONES((1, 5)), ONES((1, 4)), ValueError, r"K is \(1, 5\) but the cache holds \(2, 3\)"),
        (ONES((1, 3)), ONES((1, 5)), ValueError, r"V is \(1, 5\) but the cache holds \(2, 4\)"),
        (ONES((2, 1, 3)), ONES((2, 1, 4)), ValueError, r"K is \(2, 1, 3\) but the cache holds \(2, 3\)"),
        (ONES((1, 3)), ONES((2, 4)), ValueError, "V has T = 2 but K has T = 1"),
        (ONES(3), ONES(4), ValueError, r"K must be \(..., T, d_k\), got shape \(3,\)"),
        ([[1], [2, 3]], ONES((2, 4)), ValueError, "K must be an array, got rows of unequal length"),
        (ONES((1, 3)), ONES((1, 4), np.float32), TypeError, "V is float32 but the cache holds float64"),
        (ONES((1, 3), np.float16), ONES((1, 4)), TypeError, "K is float16 but the cache holds float64"),
        (ONES((1, 3), complex), ONES((1, 4)), TypeError, "K must hold real numbers, got dtype complex128"),
        (ONES((1, 3)), np.full((1, 4), "a"), TypeError, "V must hold real numbers, got dtype <U1"),
    ],
)
def test_an_error_leaves_the_cache_unchanged(K, V, error, message):
    cache = KVCache()
    cache.append(ONES((2, 3)), ONES((2, 4)))
    kept = cache.K, cache.V
    before = [array.copy() for array in kept]
    with pytest.raises(error, match=f"KVCache.append: {message}"):
        cache.append(K, V)
    for now, then, copied in zip((cache.K, cache.V), kept, before, strict=True):
        assert np.shares_memory(now, then) and np.array_equal(now, copied) and now.dtype == copied.dtype
    assert (cache.length, cache.bytes) == (2, 2 * 7 * 8)


def test_an_error_leaves_an_empty_cache_empty():
    cache = KVCache()
    with pytest.raises(ValueError, match="V has leading axes"):
        cache.append(ONES((2, 1, 3)), ONES((3, 1, 4)))
    assert cache.length == 0


# The tiny model with caches

IDS = encode("today a very fluffy blue creature roamed the verdant forest slowly .")[0][:13]


@pytest.mark.parametrize("options", [{}, {"H": 2}, {"layers": 2}, {"H": 4, "layers": 3, "scaled": False}], ids=str)
@pytest.mark.parametrize("prefill", [1, 5, 13])
def test_the_model_with_caches_equals_recomputation(options, prefill):
    model = TinyModel(dtype=np.float64, **options)
    logits, trace = model.forward(IDS[None])
    caches = [KVCache() for _ in range(model.layers)]
    pieces = [IDS[:prefill], *np.split(IDS[prefill:], len(IDS) - prefill)] if prefill < len(IDS) else [IDS]
    done = 0
    for new in pieces:
        some, heads = forward_cached(model, new, caches)
        rows = slice(done, done + len(new))
        np.testing.assert_allclose(some, logits[0, rows], rtol=0, atol=1e-12)
        for layer in range(model.layers):
            expected = trace[layer][4].A[0, :, rows, : rows.stop]
            np.testing.assert_allclose(heads[layer].A, expected, rtol=0, atol=1e-12)
        done = rows.stop
    assert all(cache.length == len(IDS) for cache in caches)


def test_the_model_keeps_its_type():
    assert forward_cached(TinyModel(), IDS, [KVCache()])[0].dtype == np.float32


def test_the_offset_can_be_made_wrong():
    model = TinyModel(dtype=np.float64)
    results = []
    for n_past in (None, 4, 0):
        caches = [KVCache()]
        forward_cached(model, IDS[:4], caches)
        results.append(forward_cached(model, IDS[4:6], caches, n_past)[0])
    assert np.array_equal(results[0], results[1])
    assert not np.allclose(results[0], results[2], atol=0.01)


def test_caches_that_do_not_fit_are_named():
    model, uneven = TinyModel(layers=2), [KVCache(), KVCache()]
    uneven[0].append(ONES((1, 2, 16)), ONES((1, 2, 16)))
    for caches in ([KVCache()], uneven, []):
        with pytest.raises(ValueError, match="forward_cached: caches must be 2, one a layer and equally long, got lengths"):
            forward_cached(model, IDS, caches)
    with pytest.raises(ValueError, match="ids make the sentence 15 tokens long, expected at most 14"):
        forward_cached(TinyModel(), [1] * 15, [KVCache()])
    with pytest.raises(ValueError, match="forward_cached: model must be causal"):
        forward_cached(TinyModel(causal=False), IDS, [KVCache()])


# The explorer with the reader's own


@pytest.mark.parametrize("prompt", ["", "a", "today a very fluffy blue creature roamed the verdant forest slowly slowly slowly"])
def test_the_explorer_takes_any_prompt(prompt):
    one = explore_cache(TinyModel(H=2, layers=2), prompt)
    for state in one.states():
        views = one.views(**state)
        assert len(views) == 6
        assert len(views[0].values) == len(prompt.split()) + 1 + state["step"]


def test_the_explorer_names_what_does_not_fit():
    with pytest.raises(ValueError, match="explore_cache: prompt must hold no full stop"):
        explore_cache(TinyModel(), "a fluffy blue creature .")
    with pytest.raises(ValueError, match="unknown word 'zebra'"):
        explore_cache(TinyModel(), "a zebra")
