"""Exercises on the cache: one step with it, and the memory it needs."""

import numpy as np

from helpers.attention import softmax

from .checking import Exercise
from .inputs import hidden_ahead, tokens_and_matrices

NEW = {7: 5, 6: 1, 5: 4, 3: 2, 4: 2, 8: 3}    # new tokens after so many kept ones
ANEW = [("X[:n_past] @ W_K", "X[:n_past] @ W_V"), ("X[:n_past] @ W_K", "V_kept"), ("K_kept", "X[:n_past] @ W_V")]


def cached_step(X, W_Q, W_K, W_V, K_kept, V_kept):
    """Compute the new tokens alone, looking at all kept ones and themselves: X (T, d_model), all tokens, gives (T_new, d_v).

    Of the first tokens K_kept (n_past, d_k) and V_kept (n_past, d_v) are there; W_Q, W_K (d_model, d_k), W_V (d_model, d_v).
    """
    n_past = len(K_kept)
    new = X[n_past:]                                            # (T_new, d_model)
    Q = new @ W_Q                                               # (T_new, d_k)
    K = np.concatenate([K_kept, new @ W_K])                     # (T, d_k)
    V = np.concatenate([V_kept, new @ W_V])                     # (T, d_v)
    S = Q @ K.T                                                 # (T_new, T)
    S_scaled = S / np.sqrt(K.shape[1])
    i, j = np.arange(len(new))[:, None], np.arange(len(X))      # (T_new, 1) and (T,)
    M = np.where(j <= i + n_past, 0, -np.inf)                   # (T_new, T)
    A = softmax(S_scaled + M)                                   # (T_new, T), rows sum to 1
    return A @ V                                                # (T_new, d_v)


def _tokens_and_kept(rng, sizes):
    """The kept rows are not X @ W_K, so it shows who computes them anew."""
    _, W_Q, W_K = tokens_and_matrices(rng, sizes)
    return (rng.normal(size=(sizes.T_k + NEW[sizes.T_k], sizes.d_model)), W_Q, W_K, rng.normal(size=(sizes.d_model, sizes.d_v)),
            rng.normal(size=(sizes.T_k, sizes.d_k)), rng.normal(size=(sizes.T_k, sizes.d_v)))


def _kept(rng, X, W_Q, W_K, n_past):
    return X, W_Q, W_K, rng.normal(size=(X.shape[1], 2)), X[:n_past] @ W_K, rng.normal(size=(n_past, 2))


def _edges(rng):
    few = rng.normal(size=(3, 4)), *rng.normal(size=(2, 4, 3))
    return {edge: _kept(rng, *args, 2) for edge, args in hidden_ahead(rng).items()} | {
        "nothing is kept": _kept(rng, *few, 0), "one token is kept": _kept(rng, *few, 1), "one new token": _kept(rng, *few, 2)}


check_cached_step = Exercise(
    cached_step, _tokens_and_kept, "outputs", edges=_edges,
    slips=[
        ("j <= i + n_past", ("j <= i", "j <= i + len(new)"),
         "The mask starts at token 0 (or elsewhere), but n_past = len(K_kept) tokens stand before the first new one: j <= i + "
         "n_past."),
        ("softmax(Q @ K_kept.T / np.sqrt(K.shape[1])) @ V_kept",
         "The new tokens look at the kept ones alone. Append their own keys and values first: a token may look at itself."),
        ("reference(new, W_Q, W_K, W_V, K_kept[:0], V_kept[:0])",
         "The new tokens look at one another alone; the kept keys and values are not used. Concatenate kept and new."),
        ("reference(X[len(new):], W_Q, W_K, W_V, K_kept[:n_past - len(new)], V_kept[:n_past - len(new)])",
         "The cache is overwritten: new rows replace the last kept ones. It grows by a row for each new token: concatenate."),
        ("new @ W_K", "new @ W_Q", "W_Q makes the new keys too. Asking and answering are different roles: new @ W_K."),
        ("np.concatenate([…])", "np.concatenate([…][::-1])",
         "The new rows stand before the kept ones, and the mask counts from the front. Kept first, then new."),
        (("softmax(X @ W_Q @ K.T / np.sqrt(K.shape[1]) + np.where(j <= j[:, None], 0, -np.inf)) @ V",
                          "softmax(X @ W_Q @ K.T / np.sqrt(K.shape[1])) @ V"),
         "This computes a row for every token. The earlier rows are done; only the new tokens, X[n_past:], need queries."),
        (tuple(f"reference(X, W_Q, W_K, W_V, {K}, {V})" for K, V in ANEW),
         "Kept keys or values are computed anew from X, so nothing is saved. Use K_kept and V_kept, which differ from these."),
        ("(A @ V)[-1:]", "This is the last new token alone. There may be several new ones: X[n_past:]."),
        ("reference(np.delete(X, n_past, axis=0), W_Q, W_K, W_V, K_kept, V_kept)",
         "The first new token is skipped (one too far). The new tokens begin at X[n_past], with n_past = len(K_kept)."),
        ("reference(np.insert(X, n_past, X[n_past - 1], axis=0), W_Q, W_K, W_V, K_kept, V_kept)",
         "The last kept token is taken for new as well (one too early). The new tokens begin at X[n_past], len(K_kept)."),
    ],
    product="the new tokens are X[len(K_kept):], and K has a row for each token, kept or new.")


def cache_megabytes(T, layers, H, H_kv, d_model, bytes_each):
    """Say how many millions of bytes the keys and values of T tokens take: six numbers give one."""
    d_k = d_model // H                                        # width of a head
    return 2 * layers * H_kv * d_k * T * bytes_each / 1e6     # 2: keys and values


def _sizes_of_a_model(rng, sizes):
    H_kv, groups = sizes.d_v, 2 + sizes.H % 2
    H = H_kv * groups
    return 256 * sizes.T_q, 2 * sizes.T_k, H, H_kv, H * 8 * sizes.d_k, (2, 4)[sizes.T_q % 2]


check_cache_megabytes = Exercise(
    cache_megabytes, _sizes_of_a_model, "megabytes",
    edges=lambda rng: {"one head of keys and values": (512, 8, 6, 1, 384, 2),
                       "as many heads of keys as of queries": (512, 8, 6, 6, 384, 4), "one byte": (1000, 10, 4, 2, 256, 1)},
    slips=[
        ("2 * layers", "layers", "The factor 2 is missing: a token leaves a key and a value."),
        ("2 * layers", "3 * layers", "The factor is 3, as if queries were kept as well. Kept are keys and values: 2."),
        ("* H_kv", "* H", "This counts the query heads. Queries are not kept; only the H_kv heads of keys and values are."),
        (" * H_kv", "", "This is one head. Each of the H_kv heads has keys and values of its own."),
        ("d_model // H", "d_model", "This takes d_model for the width of a head. A head is d_model / H wide."),
        ("* layers ", "", "This is one layer. Every layer has keys and values of its own."),
        (" * T", "", "This is what one token needs. The cache grows with every token: times T."),
        (" * T", " * T * T", "T counts twice: T × T are scores, which nobody keeps. Kept is one row a token."),
        (" * bytes_each", "", "These are millions of numbers. Each takes bytes_each bytes."),
        (" * bytes_each", " * bytes_each * 8", "These are bits, 8 to a byte. bytes_each counts bytes already."),
        (" / 1e6", "", "These are bytes. Divide by a million for megabytes."),
        (" / 1e6", " / 2**20", "This divides by 2**20, which gives mebibytes. A megabyte is a million bytes."),
        (" / 1e6", (" / 1e9", " / 2**30", " / 1e3", " / 1024"), "These are giga- or kilobytes. A megabyte is a million bytes."),
        ("2 * layers * H_kv * d_k * T", "layers * H * T * T",
         "These are the T × T scores of all heads, which nobody keeps. Kept are keys and values: one row a token, not T."),
    ])
