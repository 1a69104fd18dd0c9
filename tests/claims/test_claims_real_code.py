"""Claims of lesson 18: attention in real code (beyond §16 to §21). What is tested is the lesson's own page to take home."""

import math
from functools import cache

import numpy as np
import pytest
from series import READ, ROOT
from test_attention import onnx_attention

from helpers.attention import attention, concat_heads, multi_head, split_heads
from helpers.real_code import H, batch, from_pytorch, recorded

NOTEBOOK = READ[ROOT / "notebooks" / "18_real_code.ipynb"]
X, KEEP = batch()
P = recorded("ours")


SPLIT_AND_MERGE, PAGE = [cell.source for cell in NOTEBOOK.cells if cell.id in ("split-and-merge", "take-home-function")]


@cache
def page():
    """What the lesson's cell to take home defines by itself."""
    names = {}
    exec(PAGE, names)
    return names


def attend(*args, **options):
    return page()["attend"](*args, **options)


def test_the_page_has_less_than_thirty_lines_and_needs_numpy_alone():
    lines = [line for line in PAGE.splitlines() if line.strip()]
    assert len(lines) < 30
    assert [line for line in lines if "import" in line] == ["import numpy as np"]
    assert SPLIT_AND_MERGE in PAGE    # as step 1 has them


@pytest.mark.parametrize(("B", "T", "heads", "d_k", "d_v"), [(1, 1, 1, 1, 1), (2, 7, 3, 4, 2), (3, 5, 2, 8, 8)])
def test_the_page_is_the_helpers_and_onnx(B, T, heads, d_k, d_v):
    rng = np.random.default_rng(B + T)
    columns = {"Q": heads * d_k, "K": heads * d_k, "V": heads * d_v}
    p = {f"W_{name}": rng.normal(size=(6, n)) for name, n in columns.items()} | {"W_O": rng.normal(size=(heads * d_v, 6))}
    p |= {f"b_{name}": np.zeros(n) for name, n in (columns | {"O": 6}).items()}
    rows, keep = rng.normal(size=(B, T, 6)), np.arange(T) >= rng.integers(0, T, size=(B, 1))
    output, A, (K, V) = attend(rows, p, heads, keep)
    see = np.tri(T, dtype=bool) & keep[:, None, None]
    ours = multi_head(rows, p["W_Q"], p["W_K"], p["W_V"], p["W_O"], heads, mask=see)
    np.testing.assert_allclose(output, ours.result, atol=1e-12)
    np.testing.assert_allclose(A, ours.heads.A, atol=1e-12)
    *_, weights, O = onnx_attention(split_heads(rows @ p["W_Q"], heads), K, V, see)
    empty = ~see.any(axis=-1, keepdims=True)    # a row of padding: zeros here
    np.testing.assert_allclose(A, np.where(empty, 0, weights), atol=1e-9)
    np.testing.assert_allclose(output, concat_heads(np.where(empty, 0, O)) @ p["W_O"], atol=1e-9)


@pytest.mark.parametrize("cut", [(1,) * 9, (6, 3), (1, 8), (4, 4, 1)])
def test_the_page_agrees_with_itself_when_tokens_come_in_parts(cut):
    whole, stored, outputs, start = attend(X, P, H, KEEP)[0], None, [], 0
    for n in cut:
        row, _, stored = attend(X[:, start:start + n], P, H, KEEP[:, :start + n], stored)
        outputs.append(row)
        start += n
    np.testing.assert_allclose(np.concatenate(outputs, axis=1), whole, atol=1e-5)


def test_a_row_that_sees_nothing_gives_zeros():
    output, A, _ = attend(X, P, H, KEEP)
    assert not A[1, :, :4].any() and np.isfinite(output).all()
    np.testing.assert_allclose(output[1, :4], np.tile(P["b_O"], (4, 1)))
    np.testing.assert_allclose(A.transpose(0, 2, 1, 3)[KEEP].sum(axis=-1), 1, atol=1e-6)


def test_all_programs_agree_at_the_tokens():
    output = attend(X, from_pytorch(recorded("pytorch")), H, KEEP)[0]
    others = [recorded(part)["output"] for part in ("pytorch", "hugging_face", "flax")]
    others.append(concat_heads(recorded("sdpa")["output"]) @ P["W_O"] + P["b_O"])
    for other in others:
        assert np.abs(other - output)[KEEP].max() < 1e-5


def test_programs_differ_where_a_row_sees_nothing():
    empty = {part: recorded(part)["output"][1, 0] for part in ("pytorch", "hugging_face", "flax")}
    assert np.isnan(empty["pytorch"]).all()
    assert not recorded("sdpa")["output"][1, :, 0].any()
    for part in ("hugging_face", "flax"):
        np.testing.assert_allclose(recorded(part)["weights"][1, :, 0], 1 / 9, atol=1e-6)


def test_pytorchs_two_masks_mean_the_opposite():
    np.testing.assert_array_equal(recorded("pytorch")["attn_mask"], ~recorded("sdpa")["attn_mask"][0, 0])
    np.testing.assert_array_equal(recorded("pytorch")["key_padding_mask"], recorded("hugging_face")["attention_mask"] == 0)
    arrays = recorded("sdpa")
    opposite = attention(arrays["query"][0], arrays["key"][0], arrays["value"][0], recorded("pytorch")["attn_mask"]).A[0]
    assert opposite[3, :4].max() == 0 and opposite[3].argmax() == 6 and opposite[3].sum() == pytest.approx(1)
    assert not opposite[8].any()


def test_wrong_readings_lose_the_adjectives_and_raise_nothing():
    packed = recorded("pytorch")["in_proj_weight"]
    q, k, v = np.split(packed, 3)
    by_heads = packed.reshape(4, 3, 3, 12).swapaxes(0, 1).reshape(3, 12, 12)
    rows = [attend(X, P | {"W_Q": a.T, "W_K": b.T, "W_V": c.T}, H, KEEP)[1][0, 0, 3, :4]
            for a, b, c in ((q, k, v), (q.T, k.T, v.T), (k, q, v), by_heads)]
    np.testing.assert_allclose(rows[0], [0, 0.49, 0.50, 0], atol=0.01)
    np.testing.assert_allclose(np.sum(rows, axis=1), 1, atol=1e-5)
    assert all(row[1:3].sum() < 0.6 for row in rows[1:])


def test_neighbouring_heads_share_a_set():
    layer = recorded("grouped")
    Q, K, V = (split_heads(X @ layer[f"{n}_proj.weight"].T + layer[f"{n}_proj.bias"], sets) for n, sets in zip("qkv", (4, 2, 2),
                                                                                                         strict=True))
    see, off = np.tri(9, dtype=bool) & KEEP[:, None, None], {}
    for name, order in {"repeat": [0, 0, 1, 1], "tile": [0, 1, 0, 1]}.items():
        result = concat_heads(attention(Q, K[:, order], V[:, order], see).O) @ layer["o_proj.weight"].T + layer["o_proj.bias"]
        off[name] = np.abs(result - layer["output"])[KEEP].max()
    assert off["repeat"] < 1e-4 and off["tile"] == pytest.approx(3.2, abs=0.05)


def test_a_bias_of_the_keys_changes_nothing_and_one_of_the_values_the_same_everywhere():
    output, A, _ = attend(X, P, H, KEEP)
    without = {name: attend(X, P | {name: np.zeros(12, np.float32)}, H, KEEP) for name in ("b_Q", "b_K", "b_V")}
    np.testing.assert_allclose(without["b_K"][0], output, atol=1e-5)
    assert np.abs(without["b_Q"][1] - A).max() > 0.01
    change = (without["b_V"][0] - output)[KEEP]
    np.testing.assert_allclose(change, np.tile(-P["b_V"] @ P["W_O"], (14, 1)), atol=1e-5)


def test_is_causal_forgets_what_came_before():
    late = recorded("cached")
    given = {n_past: attention(late["query"], late["key"], late["value"], np.tri(2, 9, n_past, dtype=bool)).O
             for n_past in (0, 7)}
    np.testing.assert_allclose(given[0], late["output"], atol=1e-5)
    assert np.abs(given[7] - late["output"]).max() > 0.5


def test_a_cache_that_grows_by_copying_moves_gigabytes():
    assert 8 * 64 * 4 * math.comb(2048, 2) / 1e9 == pytest.approx(4.3, abs=0.05)
    assert pytest.approx(4.2, abs=0.01) == 8 * 64 * 4 * 2048 / 1e6


def test_causal_scores_and_mixtures_pass_the_mlp_at_eight_times_the_width():
    d_model = 512

    def scores_and_mixture(T):    # one query at a time, over the keys that it may see
        return sum(2 * seen * d_model for seen in range(1, T + 1))

    for factor, others in ((8, 8), (12, 12)):
        T = factor * d_model
        assert scores_and_mixture(T - 1) <= others * T * d_model**2 <= scores_and_mixture(T + 1)


def test_six_flops_for_each_parameter_and_token():
    assert pytest.approx(3.14e23, rel=0.005) == 6 * 174.6e9 * 300e9    # Brown et al. 2020, table D.1


def test_a_fused_kernel_moves_a_quarter_of_the_numbers():
    T, d, block = 4096, 64, 128
    plain, fused = 4 * T**2 + 4 * T * d, 2 * T * d + 2 * T * d * (T // block)
    assert plain / fused == pytest.approx(3.9, abs=0.1)
