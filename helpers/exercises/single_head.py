"""Exercises on one whole head: the formula, and the shapes of its steps."""

import numpy as np

from helpers.attention import softmax

from .checking import Exercise
from .inputs import hidden_ahead, tokens_and_matrices
from .shapes import ShapeTable


def single_head(X, W_Q, W_K, W_V, W_O):
    """Run one causal head and add its update: X (T, d_model) gives (T, d_model).

    W_Q and W_K are (d_model, d_k), W_V is (d_model, d_v), W_O is (d_v, d_model).
    """
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V                       # (T, d_k), (T, d_k), (T, d_v)
    S = Q @ K.T                                               # (T, T)
    S_scaled = S / np.sqrt(W_Q.shape[1])
    i, j = np.arange(len(X))[:, None], np.arange(len(X))      # (T, 1) and (T,)
    M = np.where(j <= i, 0, -np.inf)                          # (T, T), the future is out
    A = softmax(S_scaled + M)                                 # (T, T), rows sum to 1
    O = A @ V                                                 # (T, d_v)
    return X + O @ W_O                                        # (T, d_model)


def _with_outputs(rng, X, W_Q, W_K, d_v=2):
    d_model = X.shape[1]
    return X, W_Q, W_K, rng.normal(size=(d_model, d_v)), rng.normal(size=(d_v, d_model))


def _edges(rng):
    edges = hidden_ahead(rng) | {"all scores are equal": (rng.normal(size=(3, 5)), *np.zeros((2, 5, 4))),
                                 "one token": (rng.normal(size=(1, 4)), *rng.normal(size=(2, 4, 3)))}
    return {edge: _with_outputs(rng, *args) for edge, args in edges.items()}


check_single_head = Exercise(
    single_head, lambda rng, sizes: _with_outputs(rng, *tokens_and_matrices(rng, sizes), sizes.d_v), "result", edges=_edges,
    product="follow the shapes of lesson 09's table: which two inner axes do not meet?")


def head_shapes(T, d_model, d_k, d_v):
    """Name the shapes of Q, S, A, O and X′ without running anything: a list of five tuples."""
    return [(T, d_k), (T, T), (T, T), (T, d_v), (T, d_model)]


check_head_shapes = ShapeTable(
    head_shapes, lambda rng, sizes: (sizes.T_q, sizes.d_model, sizes.d_k, sizes.d_v), ("Q", "S", "A", "O", "X′"))
