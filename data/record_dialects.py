"""Record how four programs store and compute one and the same layer: ``python data/record_dialects.py [folder]``.

It downloads nothing: install ``torch==2.13.0 transformers==5.24.0 flax==0.12.8`` first. It also times numpy against
PyTorch, which takes a minute on one thread.
"""

import sys
import time
from pathlib import Path

import numpy as np
import torch
from checksums import write_sums
from torch.nn.functional import scaled_dot_product_attention

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from helpers import example  # noqa: E402
from helpers.attention import split_heads  # noqa: E402
from helpers.real_code import FILE, H, batch  # noqa: E402

LENGTHS = 2 ** np.arange(7, 13)    # 128 … 4096 tokens


def layer():
    """The four heads made by hand, with random biases: W_Q … W_O (12, 12), b_Q … b_O (12,)."""
    rng = np.random.default_rng(0)
    matrices = zip("QKVO", example.projections(), strict=True)
    return {f"W_{name}": W.astype(np.float32) for name, W in matrices} | {
        f"b_{name}": rng.normal(scale=0.3, size=12).astype(np.float32) for name in "QKVO"}


def pytorch_layer(p, X, keep):
    """nn.MultiheadAttention: its state, both masks (True hides), output and weights."""
    module = torch.nn.MultiheadAttention(12, H, batch_first=True)
    state = {"in_proj_weight": np.concatenate([p[f"W_{name}"].T for name in "QKV"]),
             "in_proj_bias": np.concatenate([p[f"b_{name}"] for name in "QKV"]),
             "out_proj.weight": p["W_O"].T, "out_proj.bias": p["b_O"]}
    module.load_state_dict({name: tensor(array) for name, array in state.items()})
    masks = {"attn_mask": ~np.tri(X.shape[1], dtype=bool), "key_padding_mask": ~keep}
    output, weights = module(*[tensor(X)] * 3, **{name: tensor(mask) for name, mask in masks.items()},
                             average_attn_weights=False)
    return state | masks | {"output": array(output), "weights": array(weights)}


def pytorch_function(p, X, keep):
    """scaled_dot_product_attention: query, key and value as it gets them, its mask (True may look) and its output."""
    given = {long: split_heads(X @ p[f"W_{name}"] + p[f"b_{name}"], H)
             for name, long in zip("QKV", ("query", "key", "value"), strict=True)}
    given["attn_mask"] = np.tri(X.shape[1], dtype=bool) & keep[:, None, None]    # (B, 1, T, T)
    return given | {"output": array(scaled_dot_product_attention(*map(tensor, given.values())))}


def pytorch_function_cached(sdpa):
    """The same for the last two queries of the first text, with `is_causal` for a mask."""
    query, key, value = sdpa["query"][:1, :, -2:], sdpa["key"][:1], sdpa["value"][:1]    # (1, H, 2, d_k), (1, H, 9, d_k)
    output = scaled_dot_product_attention(*map(tensor, (query, key, value)), is_causal=True)
    return {"query": query, "key": key, "value": value, "output": array(output)}


def hugging_face(p, X, keep, groups=H):
    """Attention of a Llama without its rotation: state, mask (1 keeps), output and weights."""
    from transformers.masking_utils import create_causal_mask
    from transformers.models.llama.modeling_llama import LlamaAttention, LlamaConfig

    config = LlamaConfig(hidden_size=12, num_attention_heads=H, num_key_value_heads=groups, attention_bias=True,
                         attn_implementation="eager")
    module, T = LlamaAttention(config, layer_idx=0), X.shape[1]
    state = {f"{name.lower()}_proj.weight": p[f"W_{name}"].T for name in "QKVO"} | {
        f"{name.lower()}_proj.bias": p[f"b_{name}"] for name in "QKVO"}
    module.load_state_dict({name: tensor(array) for name, array in state.items()})
    attention_mask = keep.astype(int)
    mask = create_causal_mask(config, tensor(X), tensor(attention_mask), None, position_ids=torch.arange(T)[None])
    no_turn = torch.ones(1, T, 12 // H), torch.zeros(1, T, 12 // H)    # cos 0 and sin 0
    output, weights = module(tensor(X), no_turn, mask)
    return state | {"attention_mask": attention_mask, "output": array(output), "weights": array(weights)}


def flax_layer(p, X, keep):
    """MultiHeadDotProductAttention of Flax: parameters, mask (True may look), output and weights."""
    from flax import linen

    module = linen.MultiHeadDotProductAttention(num_heads=H)
    params = {long: {"kernel": p[f"W_{name}"].reshape(12, H, -1), "bias": p[f"b_{name}"].reshape(H, -1)}
              for name, long in zip("QKV", ("query", "key", "value"), strict=True)}
    params["out"] = {"kernel": p["W_O"].reshape(H, -1, 12), "bias": p["b_O"]}
    mask = np.tri(X.shape[1], dtype=bool) & keep[:, None, None]           # (B, 1, T, T)
    output, seen = module.apply({"params": params}, X, mask=mask, sow_weights=True, mutable="intermediates")
    [weights] = seen["intermediates"]["attention_weights"]
    flat = {f"{part}.{name}": array for part, arrays in params.items() for name, array in arrays.items()}
    return flat | {"mask": mask, "output": np.asarray(output), "weights": np.asarray(weights)}


def grouped():
    """A layer at random with two sets of keys and values for its four heads."""
    rng, columns = np.random.default_rng(1), {"Q": 12, "K": 6, "V": 6, "O": 12}
    return {f"W_{name}": rng.normal(scale=0.5, size=(12, n)).astype(np.float32) for name, n in columns.items()} | {
        f"b_{name}": rng.normal(scale=0.3, size=n).astype(np.float32) for name, n in columns.items()}


def times():
    """Seconds of the processor for one causal head, d_k = 64, float32, one thread, best of nine: numpy and PyTorch."""
    rng, found = np.random.default_rng(0), {"numpy": [], "PyTorch": []}
    for T in LENGTHS:
        arrays = rng.normal(size=(3, T, 64)).astype(np.float32)
        tensors = [tensor(M)[None, None] for M in arrays]
        assert np.allclose(plain(*arrays), array(fused(*tensors))[0, 0], atol=1e-5)
        found["numpy"].append(min(seconds(plain, arrays) for _ in range(9)))
        found["PyTorch"].append(min(seconds(fused, tensors) for _ in range(9)))
    return {f"seconds.{name}": np.array(each) for name, each in found.items()} | {"lengths": LENGTHS}


def plain(Q, K, V):
    S = Q @ K.T / np.float32(8)
    S[~np.tri(len(Q), dtype=bool)] = -np.inf
    A = np.exp(S - S.max(axis=1, keepdims=True))
    return A / A.sum(axis=1, keepdims=True) @ V


def fused(Q, K, V):
    return scaled_dot_product_attention(Q, K, V, is_causal=True)


def seconds(function, args):
    start = time.process_time()
    function(*args)
    return time.process_time() - start


def tensor(array):
    return torch.from_numpy(np.ascontiguousarray(array))


def array(tensor):
    return tensor.detach().numpy()


def parts():
    """What is recorded of each program, but for the times: name -> function that makes it."""
    X, keep = batch()
    p, X = layer(), X.astype(np.float32)
    return {"ours": lambda: p, "pytorch": lambda: pytorch_layer(p, X, keep), "sdpa": lambda: pytorch_function(p, X, keep),
            "cached": lambda: pytorch_function_cached(pytorch_function(p, X, keep)),
            "hugging_face": lambda: hugging_face(p, X, keep), "grouped": lambda: hugging_face(grouped(), X, keep, groups=2),
            "flax": lambda: flax_layer(p, X, keep)}


def record(folder=HERE):
    """Write the file and the checksums into a folder."""
    torch.set_num_threads(1)
    made = {part: make() for part, make in parts().items()} | {"times": times()}
    arrays = {f"{part}/{name}": array for part, arrays in made.items() for name, array in arrays.items()}
    np.savez_compressed(Path(folder, FILE), **arrays)
    write_sums(folder)


if __name__ == "__main__":
    record(*sys.argv[1:2])
