"""Exercises on cross-attention: look into another sequence, and keep away from its padding."""

import numpy as np

from helpers.attention import softmax

from .checking import SIZES, Exercise
from .inputs import tokens_and_matrices

ROWS = "np.where(np.arange(len(S))[:, None] < n_words, S, -np.inf)"


def cross_attention(X_target, X_source, W_Q, W_K, W_V):
    """Let a sequence look at another one: X_target (T_q, d_model), X_source (T_k, d_model) give (T_q, d_v).

    W_Q and W_K are (d_model, d_k), W_V is (d_model, d_v).
    """
    Q = X_target @ W_Q                      # (T_q, d_k)
    K = X_source @ W_K                      # (T_k, d_k)
    V = X_source @ W_V                      # (T_k, d_v)
    S = Q @ K.T                             # (T_q, T_k)
    S_scaled = S / np.sqrt(W_Q.shape[1])
    A = softmax(S_scaled)                   # (T_q, T_k), rows sum to 1
    return A @ V                            # (T_q, T_k) @ (T_k, d_v) -> (T_q, d_v)


def _two_sequences(rng, sizes):
    X_target, W_Q, W_K = tokens_and_matrices(rng, sizes)
    return (X_target, rng.normal(size=(sizes.T_k, sizes.d_model)), W_Q, W_K,
            rng.normal(size=(sizes.d_model, sizes.d_v)))


def _sequences(rng, T_q, T_k, strength=1.0):
    X_target, X_source = rng.normal(size=(T_q, 4)), rng.normal(size=(T_k, 4))
    return X_target, X_source, *strength * rng.normal(size=(2, 4, 3)), rng.normal(size=(4, 2))


check_cross_attention = Exercise(
    cross_attention, _two_sequences, "output",
    edges=lambda rng: {"one source": _sequences(rng, 3, 1), "one target": _sequences(rng, 1, 3),
                       "all scores are equal": _sequences(rng, 2, 3, strength=0)},
    slips=[
        ("Q = X_target", "Q = X_source",
         "The queries come from the source, so the source looks at itself. The target asks: Q = X_target @ W_Q."),
        ("X_source @", "X_target @",
         "Keys and values come from the target: this is self-attention. The source answers: K and V are made from X_source."),
        ("reference(X_source, X_target, W_Q, W_K, W_V)",
         "The roles are exchanged: here the source asks and the target answers. Q comes from X_target, K and V from X_source."),
        ("reference(X_target, X_source, W_K, W_Q, W_V)",
         "The sequences are right and the matrices exchanged: Q is X_target @ W_Q, K is X_source @ W_K."),
        ("@ W_K", "@ W_Q", "W_Q makes both, queries and keys. Asking and answering are different roles: K = X_source @ W_K."),
        ("@ W_Q", "@ W_K", "W_K makes both, queries and keys. Asking and answering are different roles: Q = X_target @ W_Q."),
        ("softmax(S_scaled)", "softmax(np.where(np.tri(*S.shape, dtype=bool), S_scaled, -np.inf))",
         "A causal mask hides the end of the source. All of it is known before the first target: nothing in it is the future."),
    ],
    product="the weights have a column for each source, so V needs a row for each; Q and K share d_k.")


def padded_weights(S, n_words):
    """Give shares to the first n_words columns, none to the padding after them: S (T_q, T_k) gives (T_q, T_k)."""
    j = np.arange(S.shape[1])                  # (T_k,)
    M = np.where(j < n_words, 0, -np.inf)      # (T_k,), for every row
    return softmax(S + M)                      # (T_q, T_k), each row sums to 1


def _scores_and_length(rng, sizes):
    """In the last of the cases there is no padding."""
    n_words = sizes.T_k if sizes == SIZES[-1] else int(rng.integers(2, sizes.T_k))
    return 2 * rng.normal(size=(sizes.T_q, sizes.T_k)), n_words


check_padded_weights = Exercise(
    padded_weights, _scores_and_length, "weights",
    edges=lambda rng: {"no padding": (rng.normal(size=(3, 4)), 4), "one word": (rng.normal(size=(2, 4)), 1),
                       "padding far ahead": (np.array([[-191, -190, 550, 0.0], [-190, -190.5, 0, 600]]), 2),
                       "padding at 800": (np.array([[0, 1, 800.0]]), 2), "all scores are equal": (np.zeros((2, 5)), 3)},
    slips=[
        ((f"softmax({ROWS})", f"np.exp({ROWS}) / np.exp({ROWS}).sum(axis=1, keepdims=True)"),
         "The mask hides rows, targets, which get zeros or NaN. Padding stands in the source: hide columns."),
        ("j < n_words", "j >= n_words", "The mask is inverted: it hides the words and leaves the padding. Keep j < n_words."),
        ("j < n_words", "j <= n_words", "One padding token is still visible (off by one). Words stand in 0 to n_words − 1."),
        ("j < n_words", "j < n_words - 1", "The last word is hidden too (off by one). Words stand in 0 to n_words − 1."),
        ("j < n_words", "(j > 0) & (j < n_words)", "The first word is hidden too. Indices start at 0."),
        ("softmax(S[:, :n_words])", "The shares are right, but the padding columns are cut off. In a batch all sentences keep "
                                    "the same shape; there the share is 0."),
        ("j < n_words", "(j < n_words) & (n_words < len(j))",
         "With no padding, −(T_k − n_words) is −0, and S[:, -0:] is all columns. Count from the front: S[:, n_words:]."),
        ("(j < n_words) / n_words + 0 * S", "All words get equal shares, whatever the scores say. Take their softmax."),
    ])
