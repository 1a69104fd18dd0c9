"""The model's forward pass for new tokens alone: one cache in each layer holds the rest."""

import numpy as np

from ..attention import attention, causal_mask, concat_heads, split_heads
from .grammar import LENGTH


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
    ValueError
        When the model is not causal, caches do not fit it, or the sentence grows beyond LENGTH tokens.

    Source: §21.
    """
    if not model.causal:
        raise ValueError("forward_cached: model must be causal; without a mask a new token changes what is kept of the others")
    if len({cache.length for cache in caches}) != 1 or len(caches) != model.layers:
        raise ValueError(f"forward_cached: caches must be {model.layers}, one a layer and equally long, "
                         f"got lengths {[cache.length for cache in caches]}")
    p, past = model.parameters, caches[0].length
    if past + len(ids) > LENGTH:
        raise ValueError(f"forward_cached: ids make the sentence {past + len(ids)} tokens long, expected at most {LENGTH}")
    M = causal_mask(len(ids), past + len(ids), past if n_past is None else n_past)  # (T_new, T)
    X, all_heads = p["E"][np.asarray(ids)] + p["P"][past: past + len(ids)], []      # (T_new, d_model)
    for layer, cache in enumerate(caches):
        Q, K, V = (split_heads(X @ p[f"{name}{layer}"], model.H) for name in ("W_Q", "W_K", "W_V"))  # (H, T_new, d_k)
        heads = attention(Q, *cache.append(K, V), M, model.scale)
        X = X + concat_heads(heads.O) @ p[f"W_O{layer}"]
        all_heads.append(heads)
    return X @ p["U"], all_heads
