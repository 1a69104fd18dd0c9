"""The model's forward pass for new tokens alone: one cache in each layer holds the rest."""

from ..attention import KVCache, attention, causal_mask, concat_heads, split_heads
from ..attention.checks import read_indices
from .model import TinyModel


def forward_cached(model, ids, caches, n_past=None):
    """Scores of the next word after each new token; their keys and values join the caches.

    Parameters
    ----------
    model : TinyModel
    ids : sequence of int
        The new tokens of one sentence.
    caches : list of KVCache
        One a layer, of all tokens before; changed in place.
    n_past : int, optional
        Offset of the mask, to try a wrong one; the length of the caches by default.

    Returns
    -------
    logits : (T_new, V) ndarray
    heads : list of Attention
        Of each layer, (H, T_new, ...).

    Raises
    ------
    TypeError, ValueError
        When the model is no causal TinyModel, caches do not fit it, or the sentence grows beyond its positions.

    Source: §21.
    """
    if not isinstance(model, TinyModel):
        raise TypeError(f"forward_cached: model must be a TinyModel, got {type(model).__name__}")
    if not model.causal:
        raise ValueError("forward_cached: model must be causal; without a mask a new token changes what is kept of the others")
    ids, before = read_indices("forward_cached", "ids", ids, "(T_new,)", model.vocabulary), _tokens(model, caches)
    T = before + len(ids)
    if model.length < T:
        raise ValueError(f"forward_cached: ids make the sentence {T} tokens long, expected at most {model.length}")
    M = causal_mask(len(ids), T, before if n_past is None else n_past)    # (T_new, T)
    p, all_heads = model.parameters, []
    X = p["E"][ids] + p["P"][before:T]                                    # (T_new, d_model)
    for layer, cache in enumerate(caches):
        Q, K, V = (split_heads(X @ p[f"{name}{layer}"], model.H) for name in ("W_Q", "W_K", "W_V"))  # (H, T_new, d_k)
        heads = attention(Q, *cache.append(K, V), M, model.scale)
        X = X + concat_heads(heads.O) @ p[f"W_O{layer}"]
        all_heads.append(heads)
    return X @ p["U"], all_heads


def _tokens(model, caches):
    """How many tokens each cache holds."""
    if not isinstance(caches, list | tuple) or not all(isinstance(cache, KVCache) for cache in caches):
        raise TypeError(f"forward_cached: caches must be a list of KVCache, got {caches!r}")
    lengths = [cache.length for cache in caches]
    if len(lengths) != model.layers or len(set(lengths)) != 1:
        raise ValueError(f"forward_cached: caches must be {model.layers}, one a layer and equally long, got lengths {lengths}")
    return lengths[0]
