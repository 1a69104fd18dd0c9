"""attention.py against ONNX's reference evaluator, plain loops and, if installed, PyTorch."""

import inspect
import math
import warnings
from functools import lru_cache

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx.reference import ReferenceEvaluator

from helpers.attention import attention, causal_mask, concat_heads, multi_head, softmax, split_heads
from helpers.attention.checks import read

PUBLIC = [softmax, causal_mask, attention, split_heads, concat_heads, multi_head]
TOLERANCE = {
    np.float64: {"rtol": 1e-11, "atol": 1e-12},
    np.float32: {"rtol": 1e-4, "atol": 1e-5},
    np.float16: {"rtol": 2**-10, "atol": 1e-6},
}  # float16: one rounding of a float32 result
sizes = st.integers(1, 5)
seeds = st.integers(0, 2**32 - 1).map(np.random.default_rng)


def examples(n):
    return settings(max_examples=n, deadline=None, derandomize=True)


# ---------------- ONNX's reference evaluator


@lru_cache
def onnx_model(nodes, inputs, outputs):
    """Nodes are (operator, inputs, outputs, attributes); inputs are (name, dtype)."""

    def tensor(name, dtype):
        return onnx.helper.make_tensor_value_info(
            name, onnx.helper.np_dtype_to_tensor_dtype(dtype), None
        )

    graph = onnx.helper.make_graph(
        [
            onnx.helper.make_node(op, list(ins), list(outs), **dict(attributes))
            for op, ins, outs, attributes in nodes
        ],
        "graph",
        [tensor(*pair) for pair in inputs],
        [tensor(name, inputs[0][1]) for name in outputs],
    )
    return ReferenceEvaluator(
        onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 23)])
    )


def onnx_attention(Q, K, V, mask=None, past_K=None, past_V=None, **attributes):
    """scaled, masked, weights, output by the operator; Q, K, V are (B, H, T, d)."""
    feeds = {"Q": Q, "K": K, "V": V, "mask": mask, "past_K": past_K, "past_V": past_V}
    names = [name if array is not None else "" for name, array in feeds.items()]
    feeds = {name: array for name, array in feeds.items() if array is not None}
    inputs = tuple((name, array.dtype) for name, array in feeds.items())
    results = []
    for mode in (0, 2, 3):
        node = (
            "Attention",
            tuple(names),
            ("output", "", "", "scores"),
            (*attributes.items(), ("qk_matmul_output_mode", mode)),
        )
        output, scores = onnx_model((node,), inputs, ("output", "scores")).run(None, feeds)
        results.append(scores)
    return *results, output


def assert_same(ours, theirs, dtype):
    assert ours.S.dtype == dtype
    for step, other in zip(("S_scaled", "S_masked", "A", "O"), theirs, strict=True):
        assert getattr(ours, step).dtype == dtype
        assert getattr(ours, step).shape == other.shape
        np.testing.assert_allclose(getattr(ours, step), other, err_msg=step, **TOLERANCE[dtype])


def random_mask(rng, kind, scores_shape, least_axes=1):
    """A mask of the kind, over a random choice of the axes of the scores; some rows see nothing."""
    left_out = rng.integers(0, len(scores_shape) - least_axes + 1)
    shape = [n if rng.random() < 0.7 else 1 for n in scores_shape[left_out:]]
    may_look = rng.random(shape) < 0.6
    may_look &= rng.random((*shape[:-1], 1)) < 0.8
    if kind == "boolean":
        return may_look
    values = rng.normal(size=shape)
    return values if kind == "finite" else np.where(may_look, values, -np.inf)


@st.composite
def problems(draw):
    B, H, T_q, T_k, d_k, d_v = (draw(sizes) for _ in range(6))
    rng, H_source = draw(seeds), draw(st.sampled_from([1, H]))
    Q = rng.normal(size=(B, H, T_q, d_k))
    K = rng.normal(size=(B, H_source, T_k, d_k))
    V = rng.normal(size=(B, H_source, T_k, d_v))
    kind = draw(st.sampled_from([None, "finite", "infinite", "boolean"]))
    mask = None if kind is None else random_mask(rng, kind, (B, H, T_q, T_k), least_axes=2)
    # ONNX takes the root of scale in float32, so choose scales whose root is exact
    return Q, K, V, mask, draw(st.sampled_from([None, 0.0625, 1.0, 2.25]))


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
@examples(150)
@given(problem=problems())
def test_attention_equals_onnx(dtype, problem):
    *arrays, mask, scale = problem
    arrays = [array.astype(dtype) for array in arrays]
    wide = np.promote_types(dtype, np.float32)  # float16: ONNX on the same numbers as float32
    their_mask = mask
    if mask is not None:  # ONNX pads a short last axis instead of broadcasting it
        their_mask = np.broadcast_to(mask, (*mask.shape[:-1], arrays[1].shape[-2]))
        their_mask = their_mask if mask.dtype == bool else their_mask.astype(wide)
    attributes = {} if scale is None else {"scale": scale}
    theirs = onnx_attention(*(array.astype(wide) for array in arrays), their_mask, **attributes)
    assert_same(attention(*arrays, mask, scale), theirs, dtype)


@examples(80)
@given(problem=problems(), n_past=st.integers(0, 3))
def test_causal_mask_equals_onnx_with_a_cache(problem, n_past):
    Q, K, V, _, _ = problem
    K, V = (np.broadcast_to(a, (*Q.shape[:2], *a.shape[2:])) for a in (K, V))
    past_K, past_V = (a[:, :, :1].repeat(n_past, axis=2) + 1 for a in (K, V))
    all_K, all_V = np.concatenate([past_K, K], axis=2), np.concatenate([past_V, V], axis=2)
    theirs = onnx_attention(Q, K, V, past_K=past_K, past_V=past_V, is_causal=1)
    mask = causal_mask(Q.shape[2], all_K.shape[2], n_past)
    assert_same(attention(Q, all_K, all_V, mask), theirs, np.float64)


@examples(60)
@given(rng=seeds, axis=st.integers(-3, 2), dtype=st.sampled_from([np.float64, np.float32]))
def test_softmax_equals_onnx(rng, axis, dtype):
    scores = rng.normal(scale=20, size=rng.integers(1, 6, size=3)).astype(dtype)
    node = ("Softmax", ("scores",), ("shares",), (("axis", axis),))
    (theirs,) = onnx_model((node,), (("scores", scores.dtype),), ("shares",)).run(
        None, {"scores": scores}
    )
    np.testing.assert_allclose(softmax(scores, axis), theirs, **TOLERANCE[dtype])


@examples(80)
@given(
    rng=seeds,
    H=st.integers(1, 4),
    dims=st.tuples(*[sizes] * 7),
    cross=st.booleans(),
    kind=st.sampled_from([None, "finite", "infinite", "boolean"]),
    scale=st.sampled_from([None, 0.25]),
)
def test_multi_head_equals_onnx(rng, H, dims, cross, kind, scale):
    B, T_q, T_k, d_model, d_source, d_k, d_v = dims
    if not cross:
        T_k, d_source = T_q, d_model
    X = rng.normal(size=(B, T_q, d_model))
    source = rng.normal(size=(B, T_k, d_source)) if cross else None
    W = {
        "W_Q": rng.normal(size=(d_model, H * d_k)),
        "W_K": rng.normal(size=(d_source, H * d_k)),
        "W_V": rng.normal(size=(d_source, H * d_v)),
        "W_O": rng.normal(size=(H * d_v, d_model)),
    }
    mask = None
    if kind is not None:
        mask = np.broadcast_to(random_mask(rng, kind, (T_q, T_k), 2), (T_q, T_k))
    given_scale = () if scale is None else (("scale", scale),)
    nodes = (
        ("MatMul", ("X", "W_Q"), ("Q",), ()),
        ("MatMul", ("source", "W_K"), ("K",), ()),
        ("MatMul", ("source", "W_V"), ("V",), ()),
        (
            "Attention",
            ("Q", "K", "V") + (("mask",) if kind else ()),
            ("concat",),
            (("q_num_heads", H), ("kv_num_heads", H), *given_scale),
        ),
        ("MatMul", ("concat", "W_O"), ("result",), ()),
    )
    feeds = {"X": X, "source": source if cross else X, **W, **({"mask": mask} if kind else {})}
    model = onnx_model(
        nodes, tuple((name, a.dtype) for name, a in feeds.items()), ("concat", "result")
    )
    concat, result = model.run(None, feeds)
    ours = multi_head(X, *W.values(), H, source, mask, scale)
    np.testing.assert_allclose(ours.concat, concat, **TOLERANCE[np.float64])
    np.testing.assert_allclose(ours.result, result, **TOLERANCE[np.float64])


# ---------------- PyTorch, where it is installed


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@examples(80)
@given(problem=problems())
def test_attention_equals_torch(dtype, problem):
    torch = pytest.importorskip("torch")
    Q, K, V, mask, scale = problem
    K, V = (np.broadcast_to(a, (*Q.shape[:2], *a.shape[2:])) for a in (K, V))
    Q, K, V = (np.ascontiguousarray(a, dtype) for a in (Q, K, V))
    their_mask = None
    if mask is not None:
        their_mask = torch.tensor(mask if mask.dtype == bool else mask.astype(dtype))
    theirs = torch.nn.functional.scaled_dot_product_attention(
        *map(torch.tensor, (Q, K, V)), attn_mask=their_mask, scale=scale
    )
    np.testing.assert_allclose(
        attention(Q, K, V, mask, scale).O, theirs.numpy(), **TOLERANCE[dtype]
    )


@examples(60)
@given(rng=seeds, H=st.integers(1, 4), dims=st.tuples(*[sizes] * 5), masked=st.booleans())
def test_multi_head_equals_torch(rng, H, dims, masked):
    torch = pytest.importorskip("torch")
    B, T_q, T_k, d_source, d = dims
    d_model = H * d
    W_Q, W_O = rng.normal(size=(2, d_model, d_model))
    W_K, W_V = rng.normal(size=(2, d_source, d_model))
    module = torch.nn.MultiheadAttention(
        d_model, H, bias=False, kdim=d_source, vdim=d_source, batch_first=True, dtype=torch.float64
    )
    with torch.no_grad():
        if module.in_proj_weight is None:
            for parameter, W in (
                (module.q_proj_weight, W_Q),
                (module.k_proj_weight, W_K),
                (module.v_proj_weight, W_V),
            ):
                parameter.copy_(torch.tensor(W.T.copy()))
        else:
            module.in_proj_weight.copy_(torch.tensor(np.concatenate([W_Q.T, W_K.T, W_V.T])))
        module.out_proj.weight.copy_(torch.tensor(W_O.T.copy()))
    X, source = rng.normal(size=(B, T_q, d_model)), rng.normal(size=(B, T_k, d_source))
    mask = rng.random((T_q, T_k)) < 0.6 if masked else np.ones((T_q, T_k), bool)
    seen = mask.any(axis=-1)  # a row that sees nothing is NaN there
    result, weights = module(
        torch.tensor(X),
        *[torch.tensor(source)] * 2,
        attn_mask=torch.tensor(~mask),
        average_attn_weights=False,
    )
    ours = multi_head(X, W_Q, W_K, W_V, W_O, H, source, mask)
    np.testing.assert_allclose(
        ours.heads.A[..., seen, :], weights.detach().numpy()[..., seen, :], atol=1e-9
    )
    np.testing.assert_allclose(ours.result[:, seen], result.detach().numpy()[:, seen], atol=1e-9)
    assert (ours.heads.A[..., ~seen, :] == 0).all()


# ---------------- the right value, or an error that names it


def value_or_error(call, faults):
    """The value, or None after an error whose message has all parts of one of the faults."""
    if not faults:
        return call()
    with pytest.raises((ValueError, TypeError)) as caught:
        call()
    assert any(all(part in str(caught.value) for part in parts) for parts in faults), (
        str(caught.value),
        faults,
    )
    return None


def fits(shape, target):
    try:
        return np.broadcast_to(np.empty(shape), target).shape == target
    except ValueError:
        return False


def leading_fault(function, **arrays):
    pairs = [(a, b) for a in arrays for b in arrays if a < b]
    faults = []
    for a, b in pairs:
        try:
            np.broadcast(*(np.empty(arrays[name].shape[:-2]) for name in (a, b)))
        except ValueError:
            faults.append(
                (
                    f"{function}: ",
                    f"{a} is {arrays[a].shape}",
                    f"{b} is {arrays[b].shape}",
                    "broadcast",
                )
            )
    return faults


def softmax_of_row(row):
    if any(math.isnan(x) or x == math.inf for x in row):
        return [math.nan] * len(row)
    exps = [math.exp(x - max(row)) if x > -math.inf else 0.0 for x in row]
    return [e / math.fsum(exps) if any(exps) else 0.0 for e in exps]


def attention_by_loops(Q, K, V, mask, scale):
    """weights and output, one number at a time."""
    leading = np.broadcast_shapes(Q.shape[:-2], K.shape[:-2])
    T_q, T_k, d_k, d_v = Q.shape[-2], K.shape[-2], Q.shape[-1], V.shape[-1]
    scale = d_k**-0.5 if scale is None else scale
    Q, K = np.broadcast_to(Q, (*leading, T_q, d_k)), np.broadcast_to(K, (*leading, T_k, d_k))
    mask = np.broadcast_to(0.0 if mask is None else mask, (*leading, T_q, T_k))
    weights = np.zeros((*leading, T_q, T_k))
    for at in np.ndindex(*leading, T_q):
        scores = [scale * math.fsum(Q[at] * K[at[:-1]][j]) for j in range(T_k)]
        if mask.dtype == bool:
            row = [s if look else -math.inf for s, look in zip(scores, mask[at], strict=True)]
        else:
            row = [s + m for s, m in zip(scores, mask[at], strict=True)]
        weights[at] = softmax_of_row(row)
    all_leading = np.broadcast_shapes(leading, V.shape[:-2])
    spread, V = (
        np.broadcast_to(weights, (*all_leading, T_q, T_k)),
        np.broadcast_to(V, (*all_leading, T_k, d_v)),
    )
    output = np.zeros((*all_leading, T_q, d_v))
    for at in np.ndindex(*output.shape):
        output[at] = math.fsum(spread[at[:-1]] * V[at[:-2]][:, at[-1]])
    return weights, output


def usually(draw, value, other=st.integers(0, 4)):  # noqa: B008
    return draw(other) if draw(st.integers(0, 9)) == 0 else value


@examples(300)
@given(data=st.data(), rng=seeds)
def test_softmax_is_right_or_says_why(data, rng):
    shape = data.draw(st.lists(st.integers(0, 4), max_size=3).map(tuple))
    axis = data.draw(st.integers(-3, 2))
    scores = rng.choice([-np.inf, -700.0, -1.5, 0.0, 0.25, 3.0, 700.0], size=shape)
    special = data.draw(st.sampled_from([None, -np.inf, np.inf, np.nan]))
    if special is not None and scores.size:
        scores.flat[rng.integers(scores.size)] = special
    faults = []
    if scores.ndim == 0:
        faults = [("softmax: scores must be", "(..., T_k)", "()")]
    elif not -scores.ndim <= axis < scores.ndim:
        faults = [("softmax: axis must lie", str(axis), f"scores is {shape}")]
    shares = value_or_error(lambda: softmax(scores, axis), faults)
    if shares is not None:
        assert shares.shape == shape
        np.testing.assert_allclose(
            shares,
            np.apply_along_axis(softmax_of_row, axis, scores) if scores.size else scores,
            rtol=1e-12,
            atol=1e-300,
        )


@examples(200)
@given(
    T_q=st.integers(-1, 5), T_k=st.one_of(st.none(), st.integers(-1, 6)), n_past=st.integers(-1, 4)
)
def test_causal_mask_is_right_or_says_why(T_q, T_k, n_past):
    arguments = {"T_q": T_q, "T_k": T_k, "n_past": n_past}
    faults = [
        (f"causal_mask: {name} must be at least 0", f"got {n}")
        for name, n in arguments.items()
        if n == -1
    ]
    mask = value_or_error(lambda: causal_mask(T_q, T_k, n_past), faults)
    if mask is not None:
        columns = T_q + n_past if T_k is None else T_k
        assert mask.shape == (T_q, columns)
        assert mask.tolist() == [
            [0 if j - n_past <= i else -math.inf for j in range(columns)] for i in range(T_q)
        ]


@examples(400)
@given(data=st.data(), rng=seeds)
def test_attention_is_right_or_says_why(data, rng):
    draw, small = data.draw, st.integers(0, 4)
    T_q, T_k, d_v, d_k = draw(small), draw(small), draw(small), draw(st.sampled_from([1, 2, 3, 0]))
    leading = draw(st.lists(st.integers(0, 3), max_size=2).map(tuple))
    lead = [
        usually(draw, leading, st.sampled_from([(), (1,), (2,), (1, 2), (3, 1)])) for _ in range(3)
    ]
    Q = rng.normal(size=(*lead[0], T_q, d_k))
    K = rng.normal(size=(*lead[1], T_k, usually(draw, d_k)))
    V = rng.normal(size=(*lead[2], usually(draw, T_k), d_v))
    scale = draw(st.sampled_from([None, 0.5, -1, 0]))
    faults = leading_fault("attention", Q=Q, K=K, V=V)
    if Q.shape[-1] != K.shape[-1]:
        faults.append(
            ("attention: K has d_k", "the same last axis", f"Q is {Q.shape}, K is {K.shape}")
        )
    if K.shape[-2] != V.shape[-2]:
        faults.append(("attention: V has T_k", "as many rows", f"K is {K.shape}, V is {V.shape}"))
    if d_k == 0 and scale is None:
        faults.append(("attention: scale must be given", "d_k = 0", f"Q is {Q.shape}"))
    mask = None
    if not faults:
        scores = (*np.broadcast_shapes(lead[0], lead[1]), T_q, T_k)
        kind = draw(st.sampled_from([None, "finite", "infinite", "boolean"]))
        if kind is not None:
            mask = random_mask(rng, kind, scores)
            mask = usually(
                draw,
                mask,
                st.sampled_from([mask[None], np.repeat(mask, 2, axis=0), np.float64(0.5)]),
            )
            if not fits(mask.shape, scores):
                faults.append(
                    (
                        f"attention: mask is {mask.shape}",
                        f"scores are {scores}",
                        "without enlarging",
                    )
                )
    found = value_or_error(lambda: attention(Q, K, V, mask, scale), faults)
    if found is not None:
        weights, output = attention_by_loops(Q, K, V, mask, scale)
        np.testing.assert_allclose(found.A, weights, rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(found.O, output, rtol=1e-12, atol=1e-14)
        assert found.S.shape == found.S_scaled.shape == found.S_masked.shape == weights.shape


@examples(150)
@given(shape=st.lists(st.integers(0, 6), max_size=4).map(tuple), H=st.integers(-1, 3), rng=seeds)
def test_split_heads_is_right_or_says_why(shape, H, rng):
    X = rng.normal(size=shape)
    faults = []
    if len(shape) < 2:
        faults.append(("split_heads: X must be (..., T, H·d)", f"got shape {shape}"))
    if H < 1:
        faults.append(("split_heads: H must be at least 1", f"got {H}"))
    elif shape and shape[-1] % H:
        faults.append((f"split_heads: X has {shape[-1]} columns", f"H = {H}", f"X is {shape}"))
    heads = value_or_error(lambda: split_heads(X, H), faults)
    if heads is not None:
        d = shape[-1] // H
        assert heads.shape == (*shape[:-2], H, shape[-2], d)
        for h in range(H):
            assert np.array_equal(heads[..., h, :, :], X[..., h * d : (h + 1) * d])
        assert np.array_equal(concat_heads(heads), X)


@examples(150)
@given(shape=st.lists(st.integers(0, 4), max_size=5).map(tuple), rng=seeds)
def test_concat_heads_is_right_or_says_why(shape, rng):
    X = rng.normal(size=shape)
    faults = (
        []
        if len(shape) >= 3
        else [("concat_heads: X must be (..., H, T, d)", f"got shape {shape}")]
    )
    rows = value_or_error(lambda: concat_heads(X), faults)
    if rows is not None:
        *leading, H, T, d = shape
        assert rows.shape == (*leading, T, H * d)
        for h in range(H):
            assert np.array_equal(rows[..., h * d : (h + 1) * d], X[..., h, :, :])


@examples(300)
@given(data=st.data(), rng=seeds)
def test_multi_head_is_right_or_says_why(data, rng):
    draw = data.draw
    H, T_q, T_k, d_model, d_source, d_k, d_v = (draw(st.integers(1, 3)) for _ in range(7))
    leading = draw(st.sampled_from([(), (2,), (2, 1)]))
    X = rng.normal(size=(*leading, T_q, d_model))
    cross = draw(st.booleans())
    if not cross:
        T_k, d_source = T_q, d_model
    name = "X_source" if cross else "X_target"
    source = (
        rng.normal(size=(*usually(draw, leading, st.just((3,))), T_k, d_source)) if cross else X
    )
    width_k, width_v = usually(draw, H * d_k), usually(draw, H * d_v)
    W_Q = rng.normal(size=(usually(draw, d_model), H * d_k))
    W_K = rng.normal(size=(usually(draw, d_source), width_k))
    W_V = rng.normal(size=(usually(draw, d_source), width_v))
    W_O = rng.normal(size=(usually(draw, width_v), usually(draw, d_model)))

    faults = leading_fault("multi_head", X_target=X, X_source=source)
    for first, a, axis, second, b, other_axis in (
        ("X_target", X, -1, "W_Q", W_Q, 0),
        (name, source, -1, "W_K", W_K, 0),
        (name, source, -1, "W_V", W_V, 0),
        ("W_Q", W_Q, 1, "W_K", W_K, 1),
        ("W_V", W_V, 1, "W_O", W_O, 0),
        ("X_target", X, -1, "W_O", W_O, 1),
    ):
        if a.shape[axis] != b.shape[other_axis]:
            faults.append(
                (f"multi_head: {second} has", f"{first} is {a.shape}, {second} is {b.shape}")
            )
    for weight, W in (("W_K", W_K), ("W_V", W_V)):
        if W.shape[1] % H:
            faults.append(
                (
                    f"multi_head: {weight} has {W.shape[1]} columns",
                    f"H = {H}",
                    f"{weight} is {W.shape}",
                )
            )
    found = value_or_error(
        lambda: multi_head(X, W_Q, W_K, W_V, W_O, H, source if cross else None), faults
    )
    if found is not None:
        result, d_v = 0, width_v // H
        for h in range(H):
            keys, values = slice(h * d_k, (h + 1) * d_k), slice(h * d_v, (h + 1) * d_v)
            weights, output = attention_by_loops(
                X @ W_Q[:, keys], source @ W_K[:, keys], source @ W_V[:, values], None, None
            )
            np.testing.assert_allclose(
                found.heads.A[..., h, :, :], weights, rtol=1e-11, atol=1e-13
            )
            np.testing.assert_allclose(
                found.heads.O[..., h, :, :], output, rtol=1e-11, atol=1e-12
            )
            result = result + output @ W_O[values]
        np.testing.assert_allclose(found.result, result, rtol=1e-11, atol=1e-12)


def zeros(*shape):
    return np.zeros(shape)


def heads(X=(4, 6), W_Q=(6, 8), W_K=(6, 8), W_V=(6, 4), W_O=(4, 6), H=2, **more):
    return multi_head(*map(np.zeros, (X, W_Q, W_K, W_V, W_O)), H, **more)


def attend(Q=(9, 3), K=(9, 3), V=(9, 2), **more):
    return attention(*map(np.zeros, (Q, K, V)), **more)


@pytest.mark.parametrize("call, kind, message", [
    (lambda: attend(K=(9, 4)), ValueError,
     "attention: K has d_k = 4 but Q has d_k = 3; both need the same last axis (Q is (9, 3), K"
     " is (9, 4))"),
    (lambda: attend(V=(8, 2)), ValueError,
     "attention: V has T_k = 8 but K has T_k = 9; V needs as many rows as K has rows (K is (9,"
     " 3), V is (8, 2))"),
    (lambda: attend(Q=(2, 9, 3), K=(3, 9, 3)), ValueError,
     "attention: K has leading axes (3,) but Q has (2,); they must broadcast (Q is (2, 9, 3), "
     "K is (3, 9, 3))"),
    (lambda: attend(Q=(3,)), ValueError, "attention: Q must be (..., T_q, d_k), got shape (3,)"),
    (lambda: attention([[1, 2], [3]], zeros(2, 2), zeros(2, 2)), ValueError,
     "attention: Q must be an array, got rows of unequal length"),
    (lambda: attention(zeros(2, 2), np.ma.masked_equal([[0.0, 1.0]], 0), zeros(1, 2)), TypeError,
     "attention: K must be a plain array, got a masked one, whose mask would be lost"),
    (lambda: attend(mask=np.ma.masked_equal([[0.0, 1.0]], 0)), TypeError,
     "attention: mask must be a plain array, got a masked one, whose mask would be lost"),
    (lambda: attend(scale=10**309), ValueError, f"attention: scale must be finite, got {10**309}"),
    (lambda: causal_mask(10**9 + 1), ValueError,
     "causal_mask: T_q must be at most 1000000000, got 1000000001"),
    (lambda: read("f", W=(zeros(4, 3), "(d_model, 4)")), ValueError,
     "f: W must be (d_model, 4), got shape (4, 3)"),
    (lambda: read("f", X=(zeros(2, 5), "(..., 4, 5)")), ValueError,
     "f: X must be (..., 4, 5), got shape (2, 5)"),
    (lambda: read("f", W=(zeros(4, 3), "(d, d)")), ValueError,
     "f: W has d = 3 but W has d = 4; W needs as many columns as W has rows (W is (4, 3), W is (4, 3))"),
    (lambda: read("f", X=(zeros(2, 3, 4), "(H, T, d)"), Y=(zeros(3, 3), "(H, d)")), ValueError,
     "f: Y has H = 3 but X has H = 2; Y needs as many rows as X has matrices (X is (2, 3, 4), Y is (3, 3))"),
    (lambda: attention(zeros(2, 2), None, zeros(2, 2)), TypeError,
     "attention: K must hold real numbers, got dtype object"),
    (lambda: attention(zeros(2, 2), zeros(2, 2), zeros(2, 2) + 1j), TypeError,
     "attention: V must hold real numbers, got dtype complex128"),
    (lambda: attend(mask=zeros(2, 9, 9)), ValueError,
     "attention: mask is (2, 9, 9) but the scores are (9, 9); mask must broadcast to the "
     "scores without enlarging them"),
    (lambda: attend(Q=(1, 3), mask=zeros(9, 9)), ValueError,
     "attention: mask is (9, 9) but the scores are (1, 9); mask must broadcast to the scores "
     "without enlarging them"),
    (lambda: attend(mask=np.ones((9, 9), int)), TypeError,
     "attention: mask must hold booleans (True = may look) or floats (added to the scores), "
     "got dtype int64"),
    (lambda: attend(mask=[[0.0], [0.0, 1.0]]), ValueError,
     "attention: mask must be an array, got rows of unequal length"),
    (lambda: attend(scale="big"), TypeError, "attention: scale must be a real number, got 'big'"),
    (lambda: attend(scale=True), TypeError, "attention: scale must be a real number, got True"),
    (lambda: attend(scale=math.inf), ValueError, "attention: scale must be finite, got inf"),
    (lambda: attend(Q=(9, 0), K=(9, 0)), ValueError,
     "attention: scale must be given when d_k = 0: 1/√0 is undefined (Q is (9, 0))"),
    (lambda: softmax(["a"]), TypeError, "softmax: scores must hold real numbers, got dtype <U1"),
    (lambda: softmax(1.0), ValueError, "softmax: scores must be (..., T_k), got shape ()"),
    (lambda: softmax([1.0], axis=1), ValueError,
     "softmax: axis must lie between -1 and 0, got 1 (scores is (1,))"),
    (lambda: softmax([1.0], axis=None), TypeError, "softmax: axis must be an integer, got None"),
    (lambda: causal_mask(2.0), TypeError, "causal_mask: T_q must be an integer, got 2.0"),
    (lambda: causal_mask(2, True), TypeError, "causal_mask: T_k must be an integer, got True"),
    (lambda: causal_mask(2, n_past=-1), ValueError,
     "causal_mask: n_past must be at least 0, got -1"),
    (lambda: split_heads(zeros(2, 5), 2), ValueError,
     "split_heads: X has 5 columns, which H = 2 does not divide (X is (2, 5))"),
    (lambda: split_heads(zeros(2, 5), 0), ValueError, "split_heads: H must be at least 1, got 0"),
    (lambda: split_heads(zeros(5), 1), ValueError,
     "split_heads: X must be (..., T, H·d), got shape (5,)"),
    (lambda: split_heads([["a"]], 1), TypeError,
     "split_heads: X must hold real numbers, got dtype <U1"),
    (lambda: concat_heads(zeros(2, 5)), ValueError,
     "concat_heads: X must be (..., H, T, d), got shape (2, 5)"),
    (lambda: concat_heads(None), TypeError,
     "concat_heads: X must hold real numbers, got dtype object"),
    (lambda: heads(H=3), ValueError,
     "multi_head: W_Q has 8 columns, which H = 3 does not divide (W_Q is (6, 8))"),
    (lambda: heads(H=2.0), TypeError, "multi_head: H must be an integer, got 2.0"),
    (lambda: heads(W_K=(1, 6, 8)), ValueError,
     "multi_head: W_K must be (d_model, H·d_k), got shape (1, 6, 8)"),
    (lambda: heads(W_Q=(5, 8)), ValueError,
     "multi_head: W_Q has d_model = 5 but X_target has d_model = 6; W_Q needs as many rows as "
     "X_target has columns (X_target is (4, 6), W_Q is (5, 8))"),
    (lambda: heads(W_K=(6, 6)), ValueError,
     "multi_head: W_K has H·d_k = 6 but W_Q has H·d_k = 8; both need the same last axis (W_Q "
     "is (6, 8), W_K is (6, 6))"),
    (lambda: heads(W_O=(5, 6)), ValueError,
     "multi_head: W_O has H·d_v = 5 but W_V has H·d_v = 4; W_O needs as many rows as W_V has "
     "columns (W_V is (6, 4), W_O is (5, 6))"),
    (lambda: heads(W_O=(4, 5)), ValueError,
     "multi_head: W_O has d_model = 5 but X_target has d_model = 6; both need the same last "
     "axis (X_target is (4, 6), W_O is (4, 5))"),
    (lambda: heads(X_source=zeros(3, 7)), ValueError,
     "multi_head: W_K has d_source = 6 but X_source has d_source = 7; W_K needs as many rows as "
     "X_source has columns (X_source is (3, 7), W_K is (6, 8))"),
    (lambda: heads(X=(2, 4, 6), X_source=zeros(3, 4, 6)), ValueError,
     "multi_head: X_source has leading axes (3,) but X_target has (2,); they must broadcast "
     "(X_target is (2, 4, 6), X_source is (3, 4, 6))"),
    (lambda: heads(mask=zeros(3, 4, 4)), ValueError,
     "attention: mask is (3, 4, 4) but the scores are (2, 4, 4); mask must broadcast to the "
     "scores without enlarging them"),
])
def test_error_message(call, kind, message):
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == message


# ---------------- dtypes, special values, memory


def random_call(function, dtype=np.float64):
    """Arguments for one call, as the named arrays and the rest."""
    rng = np.random.default_rng(7)
    shapes = {
        softmax: {"scores": (3, 4)},
        split_heads: {"X": (2, 3, 8)},
        concat_heads: {"X": (2, 2, 3, 4)},
        attention: {"Q": (2, 3, 4), "K": (2, 5, 4), "V": (2, 5, 2), "mask": (3, 5)},
        multi_head: {
            "X_target": (3, 4),
            "W_Q": (4, 6),
            "W_K": (4, 6),
            "W_V": (4, 2),
            "W_O": (2, 4),
            "mask": (3, 3),
        },
    }
    arrays = {
        name: (4 * rng.normal(size=shape)).astype(dtype) for name, shape in shapes[function].items()
    }
    return arrays, {"H": 2} if function in (split_heads, multi_head) else {}


def flat(found):
    """All arrays of a result, however nested."""
    return (
        [found]
        if isinstance(found, np.ndarray)
        else [array for part in found for array in flat(part)]
    )


ARRAY_FUNCTIONS = pytest.mark.parametrize("function", [f for f in PUBLIC if f is not causal_mask])


@ARRAY_FUNCTIONS
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_float_type_is_kept(function, dtype):
    arrays, more = random_call(function, dtype)
    if "mask" in arrays:
        arrays["mask"] = arrays["mask"].astype(
            np.float64
        )  # neither mask nor scale may widen the result
        more["scale"] = np.float64(0.5)
    assert {array.dtype for array in flat(function(**arrays, **more))} == {np.dtype(dtype)}


@pytest.mark.parametrize(
    "types, expected", [("eef", "f"), ("efe", "f"), ("fed", "d"), ("fil", "d"), ("?ee", "d")]
)
def test_mixed_types_give_their_common_type(types, expected):
    """e, f and d are numpy's letters for float16, float32 and float64; i, l and ? become d."""
    Q, K, V = (np.ones((2, 2), kind) for kind in types)
    assert {step.dtype.char for step in attention(Q, K, V)} == {expected}


def test_mask_and_scale_do_not_widen_the_computation():
    arrays, _ = random_call(attention, np.float32)
    mask = np.random.default_rng(8).normal(size=(3, 5))
    wide = attention(**arrays | {"mask": mask}, scale=np.float64(0.3))
    narrow = attention(**arrays | {"mask": mask.astype(np.float32)}, scale=0.3)
    assert all(np.array_equal(ours, expected) for ours, expected in zip(wide, narrow, strict=True))


@ARRAY_FUNCTIONS
def test_float16_is_computed_in_float32(function):
    arrays, more = random_call(function, np.float16)
    wide = {name: array.astype(np.float32) for name, array in arrays.items()}
    for ours, expected in zip(
        flat(function(**arrays, **more)), flat(function(**wide, **more)), strict=True
    ):
        assert np.array_equal(ours, expected.astype(np.float16))


@ARRAY_FUNCTIONS
@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, bool])
def test_integers_and_booleans_become_float64(function, dtype):
    arrays, more = random_call(function)
    arrays = {
        name: array if name == "mask" else abs(array).astype(dtype)
        for name, array in arrays.items()
    }
    floats = {name: array.astype(np.float64) for name, array in arrays.items()}
    for ours, expected in zip(
        flat(function(**arrays, **more)), flat(function(**floats, **more)), strict=True
    ):
        assert ours.dtype == np.float64
        assert np.array_equal(ours, expected)


@ARRAY_FUNCTIONS
def test_nothing_is_modified_and_any_memory_layout_works(function):
    arrays, more = random_call(function)
    copies = {name: array.copy() for name, array in arrays.items()}
    expected = flat(function(**arrays, **more))
    for name in arrays:
        assert np.array_equal(arrays[name], copies[name])
    strided = {name: np.repeat(array, 2, axis=-1)[..., ::2] for name, array in copies.items()}
    flipped = {name: np.flip(np.flip(array).copy()) for name, array in copies.items()}
    for layout in (strided, flipped):
        for array in layout.values():
            array.flags.writeable = False
            assert not array.flags.c_contiguous
        for ours, other in zip(flat(function(**layout, **more)), expected, strict=True):
            np.testing.assert_allclose(ours, other, rtol=1e-13, atol=1e-14)


@ARRAY_FUNCTIONS
def test_nested_lists_work(function):
    arrays, more = random_call(function)
    lists = {name: array.tolist() for name, array in arrays.items()}
    for ours, expected in zip(
        flat(function(**lists, **more)), flat(function(**arrays, **more)), strict=True
    ):
        assert np.array_equal(ours, expected)


def test_steps_share_no_memory():
    found = attention(*(random_call(attention)[0][name] for name in "QKV"))
    for i, step in enumerate(found):
        assert not any(np.shares_memory(step, other) for other in found[i + 1 :])


def test_masked_weights_are_exactly_zero_and_rows_sum_to_one():
    rng = np.random.default_rng(1)
    Q, K, V = rng.normal(scale=5, size=(3, 4, 12, 8))
    for mask in (causal_mask(12), causal_mask(12) == 0):
        weights = attention(Q, K, V, mask).A
        assert (weights[..., causal_mask(12) < 0] == 0).all()
        np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-14)


def test_boolean_and_additive_mask_are_the_same():
    rng = np.random.default_rng(2)
    Q, K, V = rng.normal(size=(3, 5, 4))
    Q[1], may_look = np.nan, rng.random((5, 5)) < 0.5
    for ours, other in zip(
        attention(Q, K, V, may_look),
        attention(Q, K, V, np.where(may_look, 0, -np.inf)),
        strict=True,
    ):
        assert np.array_equal(ours, other, equal_nan=True)


def test_the_future_does_not_leak_by_one_bit():
    rng = np.random.default_rng(3)
    Q, K, V = rng.normal(size=(3, 9, 4))
    before = attention(Q, K, V, causal_mask(9))
    K[6:], V[6:] = rng.normal(scale=100, size=(2, 3, 4))
    after = attention(Q, K, V, causal_mask(9))
    assert np.array_equal(before.O[:6], after.O[:6])
    assert not np.allclose(before.O[6:], after.O[6:])


def test_scores_far_below_zero_have_shares():
    """The largest score is taken off even where it is negative."""
    np.testing.assert_allclose(softmax([-1000.0, -1001.0]), softmax([0.0, -1.0]))
    np.testing.assert_allclose(softmax([[-1e300, -np.inf], [-np.inf, -800]]), [[1, 0], [0, 1]])


def test_a_row_that_sees_nothing_is_zero():
    mask = np.array([[True, True], [False, False]])
    found = attention(np.ones((2, 3)), np.ones((2, 3)), np.ones((2, 4)), mask)
    assert found.A.tolist() == [[0.5, 0.5], [0, 0]]
    assert found.O.tolist() == [[1] * 4, [0] * 4]


def test_nan_stays_where_it_belongs():
    arrays, _ = random_call(attention)
    clean = attention(**arrays)
    arrays["Q"][0, 1, 2] = np.nan
    found = attention(**arrays)
    assert np.isnan(found.A[0, 1]).all() and np.isnan(found.O[0, 1]).all()
    assert np.array_equal(found.O[1], clean.O[1])
    assert np.array_equal(found.O[0, [0, 2]], clean.O[0, [0, 2]])
    assert np.isnan(softmax([[np.nan, -np.inf]])).all()


def test_no_overflow_and_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert softmax([1e308, -1e308, 1e308]).tolist() == [0.5, 0, 0.5]
        assert np.isnan(softmax([np.inf, 0.0])).all()
        assert softmax(np.array([-np.inf, -np.inf])).tolist() == [0, 0]
        large = np.full((1, 4), 300, np.float16)  # raw 360,000 is beyond float16
        found = attention(
            large,
            np.concatenate([large, large]),
            np.array([[1], [3]], np.float16),
            mask=np.array([0.0, -1e300]),
        )  # beyond float32
    assert found.S.tolist() == [[np.inf, np.inf]]
    assert found.A.tolist() == [[1, 0]]
    assert found.O.tolist() == [[1]]


@pytest.mark.parametrize(
    "T_q, T_k, d_k, d_v", [(0, 2, 3, 1), (2, 0, 3, 1), (2, 2, 0, 1), (2, 2, 3, 0), (0, 0, 0, 0)]
)
def test_empty_axes(T_q, T_k, d_k, d_v):
    found = attention(np.ones((T_q, d_k)), np.ones((T_k, d_k)), np.ones((T_k, d_v)), scale=1)
    assert found.A.tolist() == [[1 / T_k] * T_k if T_k else []] * T_q
    assert found.O.tolist() == [[1.0 if T_k else 0.0] * d_v] * T_q


@pytest.mark.parametrize("function", PUBLIC)
def test_docstring(function):
    text = inspect.getdoc(function)
    for part in ("Parameters\n", "Returns\n", "Raises\n", "Source: §", ">>> "):
        assert part in text
