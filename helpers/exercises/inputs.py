"""Inputs that several exercises share."""

import numpy as np


def queries_and_keys(rng, sizes):
    """Random queries (T_q, d_k) and keys (T_k, d_k)."""
    return rng.normal(size=(sizes.T_q, sizes.d_k)), rng.normal(size=(sizes.T_k, sizes.d_k))


def tokens_and_matrices(rng, sizes):
    """Random tokens X (T, d_model), and W_Q and W_K (d_model, d_k) that give scores of about 2."""
    W_Q, W_K = 1.5 * rng.normal(size=(2, sizes.d_model, sizes.d_k)) / np.sqrt(sizes.d_model)
    return rng.normal(size=(sizes.T_q, sizes.d_model)), W_Q, W_K


def hidden_ahead(rng):
    """X (5, 6), W_Q and W_K (6, 3), by edge: the last token has the largest score, and a causal mask hides it."""
    X = np.zeros((5, 6))
    X[:4, :3], X[4, 3] = rng.normal([18, 0, 0], size=(4, 3)), 1
    W_Q, W_K = np.zeros((2, 6, 3))
    W_Q[:3], W_K[:3], W_K[3] = np.eye(3), -np.eye(3), [54, 3, 1]    # scores of about -190, and 550 for the last token
    above = np.where(np.arange(6)[:, None] == 3, 5 / 3, 1) * W_K
    return {"hidden scores far ahead": (X, W_Q, W_K), "hidden scores above 709": (X, W_Q, above)}
