"""tiled_attention against attention, which holds all scores at once."""

import itertools
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.attention import attention, causal_mask, tiled_attention

TOLERANCE = {
    np.float64: {"rtol": 1e-12, "atol": 1e-12},
    np.float32: {"rtol": 1e-4, "atol": 1e-5},
    np.float16: {"rtol": 2**-10, "atol": 1e-6}}    # one rounding of a float32 result


def naive(Q, K, V, causal=False, n_past=0):
    mask = causal_mask(Q.shape[-2], K.shape[-2], n_past) if causal else None
    return attention(Q, K, V, mask).O


@st.composite
def problems(draw):
    """Q, K, V of random sizes; the leading axes broadcast, as a head shared by several queries does."""
    size = st.integers(1, 3)
    T_q, T_k, d_k, d_v, leading = (draw(s) for s in (st.integers(1, 12), st.integers(1, 12), size, size,
                                                     st.lists(size, max_size=2).map(tuple)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    Q, K, V = (rng.normal(scale=3, size=(*(n if rng.random() < 0.7 else 1 for n in leading), *shape))
               for shape in ((T_q, d_k), (T_k, d_k), (T_k, d_v)))
    return Q, K, V


@pytest.mark.parametrize("dtype", TOLERANCE, ids=lambda dtype: dtype.__name__)
@settings(max_examples=120, derandomize=True)
@given(problem=problems(), block=st.integers(1, 14), causal=st.booleans(), n_past=st.integers(0, 4))
def test_equals_attention(dtype, problem, block, causal, n_past):
    Q, K, V = (array.astype(dtype) for array in problem)
    ours, theirs = tiled_attention(Q, K, V, block, causal, n_past), naive(Q, K, V, causal, n_past)
    assert ours.dtype == dtype and ours.shape == theirs.shape
    np.testing.assert_allclose(ours, theirs, **TOLERANCE[dtype])


@pytest.mark.parametrize("causal", [False, True])
def test_equals_attention_over_many_blocks(causal):
    Q, K, V = np.random.default_rng(0).normal(size=(3, 2, 300, 16))
    for block in (7, 128, 300, 1000):
        np.testing.assert_allclose(tiled_attention(Q, K, V, block, causal), naive(Q, K, V, causal), rtol=0, atol=1e-12)


def test_scores_of_any_size():
    """A score of 2000 in a later block: without a new maximum exp would overflow."""
    Q, V = np.ones((2, 1)), np.random.default_rng(1).normal(size=(5, 3))
    K = np.array([[-2000.0], [0.0], [1999.0], [2000.0], [-1.0]])
    for block in range(1, 6):
        np.testing.assert_allclose(tiled_attention(Q, K, V, block), naive(Q, K, V), atol=1e-12)


def test_integers_become_float64():
    result = tiled_attention([[1, 2]], [[3, 4], [0, 1]], [[1], [2]])
    assert result.dtype == np.float64
    np.testing.assert_allclose(result, attention([[1, 2]], [[3, 4], [0, 1]], [[1], [2]]).O)


@pytest.mark.parametrize("block", [1, 2, 4])
def test_a_row_that_sees_nothing_is_zero(block):
    K, V = np.array([[-np.inf], [-np.inf], [1.0]]), np.array([[5.0], [6.0], [7.0]])
    assert tiled_attention(np.ones((1, 1)), K[:2], V[:2], block).tolist() == [[0.0]]    # every score is −∞
    assert tiled_attention(np.ones((1, 1)), K, V, block).tolist() == [[7.0]]    # only in the first blocks
    assert tiled_attention(np.ones((2, 1)), K[:0], V[:0], block).tolist() == [[0.0], [0.0]]    # no source at all


def test_no_target_gives_no_row():
    assert tiled_attention(np.ones((2, 0, 3)), np.ones((4, 3)), np.ones((4, 5))).shape == (2, 0, 5)


def test_nan_comes_out_where_it_is_seen():
    Q, K, V = np.random.default_rng(2).normal(size=(3, 6, 2))
    K[4, 0] = np.nan
    assert np.isnan(tiled_attention(Q, K, V, block=2)).all()


@pytest.mark.parametrize("n_past", [0, 3])
@pytest.mark.parametrize("block", [1, 2, 3, 8])
def test_blocks_in_the_future_are_skipped(block, n_past):
    """NaN in a source spoils every target whose block computes a score with it; attention spoils them all."""
    Q, K, V = np.random.default_rng(2).normal(size=(3, 8, 2))
    clean = tiled_attention(Q, K, V, block, causal=True, n_past=n_past)
    for source, array in itertools.product(range(8), (K, V)):
        kept = array[source].copy()
        array[source] = np.nan
        spoilt = np.isnan(tiled_attention(Q, K, V, block, causal=True, n_past=n_past))
        assert np.isnan(naive(Q, K, V, causal=True, n_past=n_past)).all()
        array[source] = kept
        last_of_block = np.minimum(np.arange(8) // block * block + block - 1, 7) + n_past
        assert np.array_equal(spoilt, np.repeat((source <= last_of_block)[:, None], 2, axis=1))
    assert np.array_equal(tiled_attention(Q, K, V, block, causal=True, n_past=n_past), clean)


def test_36_of_64_blocks_are_computed():
    """NaN in the values of a block comes out of every product with it, so it shows which were computed."""
    Q, K, V = np.random.default_rng(6).normal(size=(3, 32, 2))
    computed = {True: 0, False: 0}
    for causal, start in itertools.product(computed, range(0, 32, 4)):
        spoilt = V.copy()
        spoilt[start:start + 4] = np.nan
        computed[causal] += np.isnan(tiled_attention(Q, K, spoilt, 4, causal)[::4, 0]).sum()
    assert computed == {True: 36, False: 64}


def test_a_later_token_changes_no_bit_of_an_earlier_output():
    Q, K, V = np.random.default_rng(3).normal(size=(3, 9, 4))
    before = tiled_attention(Q, K, V, block=4, causal=True)
    K[-1], V[-1] = 100, -100
    assert np.array_equal(tiled_attention(Q, K, V, block=4, causal=True)[:-1], before[:-1])


def test_nothing_is_modified():
    arrays = np.random.default_rng(4).normal(size=(3, 7, 2))
    before = arrays.copy()
    arrays.flags.writeable = False
    tiled_attention(*arrays, block=3, causal=True, n_past=1)
    assert np.array_equal(arrays, before)


def peak_bytes(function, *arguments):
    tracemalloc.start()
    function(*arguments)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_memory_grows_with_T_and_not_with_its_square():
    arrays = {T: np.random.default_rng(5).normal(size=(3, T, 16)) for T in (1024, 2048)}
    tiled, whole = ({T: peak_bytes(function, *QKV) for T, QKV in arrays.items()} for function in (tiled_attention, attention))
    scores = 1024**2 * 8
    assert tiled[1024] < scores / 4 < scores < whole[1024]
    assert whole[2048] > 3.8 * whole[1024]
    assert tiled[2048] < 2.2 * tiled[1024]


Z = np.zeros
FAULTS = {
    "d_k": (Z((2, 3)), Z((4, 5)), Z((4, 1)), {}, ValueError, "K has d_k = 5 but Q has d_k = 3"),
    "T_k": (Z((2, 3)), Z((4, 3)), Z((5, 1)), {}, ValueError, "V has T_k = 5 but K has T_k = 4"),
    "leading": (Z((2, 1, 3)), Z((3, 1, 3)), Z((1, 3)), {}, ValueError, r"K has leading axes \(3,\) but Q has \(2,\)"),
    "axes": (Z(3), Z((4, 3)), Z((4, 1)), {}, ValueError, r"Q must be \(..., T_q, d_k\), got shape \(3,\)"),
    "no d_k": (Z((2, 0)), Z((4, 0)), Z((4, 1)), {}, ValueError, r"d_k of at least 1, got Q \(2, 0\)"),
    "letters": ([["a"]], Z((4, 3)), Z((4, 1)), {}, TypeError, "Q must hold real numbers"),
    "block 0": (Z((2, 3)), Z((4, 3)), Z((4, 1)), {"block": 0}, ValueError, "block must be at least 1, got 0"),
    "block 1.5": (Z((2, 3)), Z((4, 3)), Z((4, 1)), {"block": 1.5}, TypeError, "block must be an integer, got 1.5"),
    "n_past": (Z((2, 3)), Z((4, 3)), Z((4, 1)), {"n_past": -1}, ValueError, "n_past must be at least 0, got -1")}


@pytest.mark.parametrize(("Q", "K", "V", "options", "error", "message"), FAULTS.values(), ids=FAULTS)
def test_wrong_input_is_named(Q, K, V, options, error, message):
    with pytest.raises(error, match="^tiled_attention: .*" + message):
        tiled_attention(Q, K, V, **options)
