"""One layer as four programs store it: the recorded arrays by their own names, and how each is read."""

import numpy as np

from . import example
from .data_files import read_arrays

FILE = "dialects.npz"
H = 4
SENTENCES = (example.SENTENCE, "The soft cat slept.")


def batch(sentences=SENTENCES):
    """Sentences of any length in one array: shorter ones get rows of zeros in front.

    Parameters
    ----------
    sentences : sequence of str
        Each of at most 12 words of the vocabulary.

    Returns
    -------
    X : (B, T, d_model) ndarray
    keep : (B, T) ndarray of bool
        True for tokens, False for padding.

    Raises
    ------
    TypeError, ValueError
        When there is no sentence, or as `helpers.example.encode`.

    >>> X, keep = batch()
    >>> X.shape, keep.sum(axis=1)
    ((2, 9, 12), array([9, 5]))
    """
    if not isinstance(sentences, list | tuple) or not sentences:
        raise TypeError(f"batch: sentences must be a list of at least one sentence, got {sentences!r}")
    rows = [example.encode(sentence)[1] for sentence in sentences]    # each (T_n, d_model)
    T = max(map(len, rows))
    X = np.stack([np.pad(X, [(T - len(X), 0), (0, 0)]) for X in rows])
    keep = np.stack([np.arange(T) >= T - len(X) for X in rows])
    return X, keep


def recorded(part):
    """What was recorded of one program, under the names that it uses.

    Parameters
    ----------
    part : str
        "pytorch", "sdpa", "hugging_face" or "flax"; "ours" (the same layer in the letters of this series), "cached"
        (PyTorch's function with two new queries), "grouped" (a layer whose heads share keys and values) or "times".

    Returns
    -------
    dict of str to ndarray

    Raises
    ------
    FileNotFoundError, ValueError
        When it is another name; when the file is missing or damaged.

    >>> recorded("pytorch")["in_proj_weight"].shape
    (36, 12)
    """
    arrays = read_arrays(FILE)
    parts = sorted({name.partition("/")[0] for name in arrays})
    if part not in parts:
        raise ValueError(f"recorded: part must be one of {', '.join(parts)}, got {part!r}")
    return {name.partition("/")[2]: array for name, array in arrays.items() if name.startswith(f"{part}/")}


def from_pytorch(layer):
    """W_Q … b_O out of the arrays of nn.MultiheadAttention: packed, and stored transposed."""
    p = {"W_O": layer["out_proj.weight"].T, "b_O": layer["out_proj.bias"]}
    for name, W, b in zip("QKV", np.split(layer["in_proj_weight"], 3), np.split(layer["in_proj_bias"], 3), strict=True):
        p[f"W_{name}"] = W.T    # (H·d_k, d_model) -> (d_model, H·d_k)
        p[f"b_{name}"] = b
    return p


def from_hugging_face(layer):
    """W_Q … b_O out of the arrays of a Llama's attention: stored transposed."""
    weights = {f"W_{name}": layer[f"{name.lower()}_proj.weight"].T for name in "QKVO"}
    return weights | {f"b_{name}": layer[f"{name.lower()}_proj.bias"] for name in "QKVO"}


def from_flax(layer):
    """W_Q … b_O out of the arrays of MultiHeadDotProductAttention: as they are, with an axis for the heads."""
    p = {"W_O": layer["out.kernel"].reshape(-1, layer["out.kernel"].shape[-1]), "b_O": layer["out.bias"]}
    for name, long in zip("QKV", ("query", "key", "value"), strict=True):
        kernel = layer[f"{long}.kernel"]                       # (d_model, H, d_k)
        p[f"W_{name}"] = kernel.reshape(len(kernel), -1)       # (d_model, H·d_k)
        p[f"b_{name}"] = layer[f"{long}.bias"].ravel()         # (H, d_k) -> (H·d_k,)
    return p
