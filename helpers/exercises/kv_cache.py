"""Exercises on the cache: one step with it, and the memory it needs."""

import numpy as np

from .checking import Exercise, Mistake


def cached_step(X, W_Q, W_K, W_V, K_kept, V_kept):
    """Compute the new tokens alone, and let them look at all that is kept and at themselves."""
    T_past, new = len(K_kept), X[len(K_kept):]                          # (T_new, d_model)
    K = np.concatenate([K_kept, new @ W_K])                             # (T, d_k)
    V = np.concatenate([V_kept, new @ W_V])                             # (T, d_v)
    S = new @ W_Q @ K.T / np.sqrt(K.shape[1])                           # (T_new, T)
    future = np.arange(len(X)) > T_past + np.arange(len(new))[:, None]  # (T_new, T)
    exps = np.exp(np.where(future, -np.inf, S))
    return exps / exps.sum(axis=1, keepdims=True) @ V                   # (T_new, d_v)


def _softmax(S, axis=-1):
    exps = np.exp(S - S.max(axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


def _attend(Q, K, V, n_past=None, axis=-1, scaled=True):
    S = Q @ K.T / (np.sqrt(K.shape[1]) if scaled else 1)
    if n_past is not None:
        S = np.where(np.arange(len(K)) > n_past + np.arange(len(Q))[:, None], -np.inf, S)
    return _softmax(S, axis) @ V


def _parts(X, W_Q, W_K, W_V, K_kept, V_kept):
    """Queries of the new tokens, all keys, all values, and how many are kept."""
    new = X[len(K_kept):]
    return new @ W_Q, np.concatenate([K_kept, new @ W_K]), np.concatenate([V_kept, new @ W_V]), len(K_kept)


def _wrong_offset(*args):
    Q, K, V, _ = _parts(*args)
    return _attend(Q, K, V, 0)


def _no_mask(*args):
    Q, K, V, _ = _parts(*args)
    return _attend(Q, K, V)


def _not_appended(*args):
    Q, _, _, _ = _parts(*args)
    return _attend(Q, args[4], args[5])


def _kept_ignored(*args):
    Q, K, V, T_past = _parts(*args)
    return _attend(Q, K[T_past:], V[T_past:], 0)


def _overwritten(*args):
    Q, K, V, T_past = _parts(*args)
    rows = [*range(T_past - len(Q)), *range(T_past, len(K))]
    return _attend(Q, K[rows], V[rows], T_past - len(Q))


def _in_front(*args):
    Q, K, V, T_past = _parts(*args)
    return _attend(Q, np.roll(K, len(Q), axis=0), np.roll(V, len(Q), axis=0), T_past)


def _all_queries(X, W_Q, *rest):
    _, K, V, _ = _parts(X, W_Q, *rest)
    return _attend(X @ W_Q, K, V, 0)


def _computed_anew(X, W_Q, W_K, W_V, K_kept, V_kept):
    return _attend(X[len(K_kept):] @ W_Q, X @ W_K, X @ W_V, len(K_kept))


def _over_targets(*args):
    Q, K, V, T_past = _parts(*args)
    S = np.where(np.arange(len(K)) > T_past + np.arange(len(Q))[:, None], -np.inf, Q @ K.T / np.sqrt(K.shape[1]))
    return _softmax(S, axis=0) @ V


def _unscaled(*args):
    return _attend(*_parts(*args), scaled=False)


def _tokens_and_kept(rng, sizes):
    """Three new tokens after T_k kept ones; the kept rows are not X @ W_K, so it shows who computes them anew."""
    return (rng.normal(size=(sizes.T_k + 3, sizes.d_model)),
            *rng.normal(scale=sizes.d_model**-0.5, size=(2, sizes.d_model, sizes.d_k)),
            rng.normal(scale=sizes.d_model**-0.5, size=(sizes.d_model, sizes.d_v)),
            rng.normal(size=(sizes.T_k, sizes.d_k)), rng.normal(size=(sizes.T_k, sizes.d_v)))


CACHED_STEP = Exercise(
    cached_step,
    inputs=_tokens_and_kept,
    returns=("outputs",),
    mistakes=(
        Mistake(_wrong_offset,
                "The mask starts at token 0, but the first new token stands behind len(K_kept) others. "
                "It may look at j <= i + len(K_kept)."),
        Mistake(_no_mask,
                "Nothing is masked: of several new tokens the first ones see the later ones. "
                "Row i may look at j <= i + len(K_kept)."),
        Mistake(_not_appended,
                "The new tokens look at the kept ones alone. Append their own keys and values first: "
                "a token may look at itself."),
        Mistake(_kept_ignored,
                "The new tokens look at one another alone; the kept keys and values are not used. "
                "Concatenate kept and new."),
        Mistake(_overwritten,
                "The cache is overwritten: the new rows replace the last kept ones. It grows by one row "
                "for each new token: np.concatenate."),
        Mistake(_in_front,
                "The new rows stand before the kept ones, and the mask counts from the front. "
                "Kept first, then new."),
        Mistake(_all_queries,
                "This computes a row for every token. The earlier rows are done; only the new tokens, "
                "X[len(K_kept):], need queries."),
        Mistake(_computed_anew,
                "All keys and values are computed anew from X, so nothing is saved. Use K_kept and V_kept, "
                "which here are not X @ W_K and X @ W_V."),
        Mistake(_over_targets,
                "The softmax runs down the columns, so the new tokens compete for a source. "
                "Each row must sum to 1: axis=1."),
        Mistake(_unscaled, "The scale is missing: divide the scores by √d_k, as without a cache."),
    ),
    hint="the new tokens are X[len(K_kept):], and K has a row for each token, kept or new.",
)


def check_cached_step(cached_step):
    """Check a function that computes a step with a cache.

    Parameters
    ----------
    cached_step : function (X, W_Q, W_K, W_V, K_kept, V_kept) -> (T_new, d_v)
        X is (T, d_model) and holds all tokens; keys and values of the first ones are kept: K_kept is (T_past, d_k), V_kept
        is (T_past, d_v). W_Q and W_K are (d_model, d_k), W_V is (d_model, d_v). The result may be an array or lists,
        float32 is precise enough.

    Examples
    --------
    >>> check_cached_step(lambda X, W_Q, W_K, W_V, K_kept, V_kept: ...)
    Not yet: cached_step returned nothing.
    """
    CACHED_STEP.check(cached_step)


def cache_megabytes(T, layers, H, H_kv, d_model, bytes_each):
    """Say how much memory the keys and values of T tokens take, in millions of bytes."""
    d_k = d_model // H                                        # width of a head
    return 2 * layers * H_kv * d_k * T * bytes_each / 1e6     # 2: keys and values


def _sizes_of_a_model(rng, sizes):
    H_kv, groups = sizes.d_v, 2 + sizes.H % 2
    H = H_kv * groups
    return 256 * sizes.T_q, 2 * sizes.T_k, H, H_kv, H * 8 * sizes.d_k, (2, 4)[sizes.T_q % 2]


CACHE_MEGABYTES = Exercise(
    cache_megabytes,
    inputs=_sizes_of_a_model,
    returns=("megabytes",),
    mistakes=(
        Mistake(lambda *args: cache_megabytes(*args) / 2,
                "The factor 2 is missing: a token leaves a key and a value."),
        Mistake(lambda T, layers, H, H_kv, d_model, b: cache_megabytes(T, layers, H, H, d_model, b),
                "This counts the query heads. Queries are not kept; only the H_kv heads of keys and values are."),
        Mistake(lambda T, layers, H, H_kv, d_model, b: 2 * layers * H_kv * d_model * T * b / 1e6,
                "This takes d_model for the width of a head. A head is d_model / H wide."),
        Mistake(lambda T, layers, *rest: cache_megabytes(T, 1, *rest),
                "This is one layer. Every layer has keys and values of its own."),
        Mistake(lambda T, *rest: cache_megabytes(1, *rest),
                "This is what one token needs. The cache grows with every token: times T."),
        Mistake(lambda T, layers, H, H_kv, d_model, b: cache_megabytes(T, layers, H, H_kv, d_model, 1),
                "These are millions of numbers. Each takes bytes_each bytes."),
        Mistake(lambda *args: cache_megabytes(*args) * 1e6,
                "These are bytes. Divide by a million for megabytes."),
        Mistake(lambda *args: cache_megabytes(*args) * 1e6 / 2**20,
                "This divides by 2**20, which gives mebibytes. A megabyte is a million bytes."),
        Mistake(lambda T, layers, H, H_kv, d_model, b: layers * H * T * T * b / 1e6,
                "These are the T × T scores of all heads, which nobody keeps. Kept are keys and values: "
                "one row a token, not T."),
    ),
)


def check_cache_megabytes(cache_megabytes):
    """Check a function that computes the memory of a cache.

    Parameters
    ----------
    cache_megabytes : function (T, layers, H, H_kv, d_model, bytes_each) -> number
        Tokens, layers, heads of queries, heads of keys and values, width of a token's vector, bytes of one number.

    Examples
    --------
    >>> check_cache_megabytes(lambda T, layers, H, H_kv, d_model, bytes_each: layers * H_kv * d_model // H * T * bytes_each / 1e6)
    The factor 2 is missing: a token leaves a key and a value.
    """
    CACHE_MEGABYTES.check(cache_megabytes)
