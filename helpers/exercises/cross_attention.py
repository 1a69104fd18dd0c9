"""Exercises on cross-attention: look into another sequence, and keep away from its padding."""

import numpy as np

from .checking import Exercise, Mistake


def cross_attention(X_target, X_source, W_Q, W_K, W_V):
    """Let the rows of one sequence look at the rows of another."""
    Q = X_target @ W_Q                              # (T_q, d_k)
    K, V = X_source @ W_K, X_source @ W_V           # (T_k, d_k), (T_k, d_v)
    S = Q @ K.T / np.sqrt(W_Q.shape[1])             # (T_q, T_k)
    A = np.exp(S - S.max(axis=1, keepdims=True))    # (T_q, T_k)
    A = A / A.sum(axis=1, keepdims=True)            # rows sum to 1
    return A @ V                                    # (T_q, T_k) @ (T_k, d_v) -> (T_q, d_v)


def _scores(X_target, X_source, W_Q, W_K):
    return (X_target @ W_Q) @ (X_source @ W_K).T / np.sqrt(W_Q.shape[1])


def _softmax(S, axis=1):
    exps = np.exp(S - S.max(axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


def _with(weights):
    """A head that makes its weights from the scaled scores in its own way."""
    def head(X_target, X_source, W_Q, W_K, W_V):
        return weights(_scores(X_target, X_source, W_Q, W_K)) @ X_source @ W_V
    return head


def _with_scale(factor):
    """A head whose scaled scores are multiplied by a further factor of (d_model, d_k)."""
    def head(X_target, X_source, W_Q, W_K, W_V):
        return _softmax(_scores(X_target, X_source, W_Q, W_K) * factor(*W_Q.shape)) @ X_source @ W_V
    return head


def _two_sequences(rng, sizes):
    W_Q, W_K = 1.5 * rng.normal(size=(2, sizes.d_model, sizes.d_k)) / np.sqrt(sizes.d_model)
    return (rng.normal(size=(sizes.T_q, sizes.d_model)), rng.normal(size=(sizes.T_k, sizes.d_model)), W_Q, W_K,
            rng.normal(size=(sizes.d_model, sizes.d_v)))


CROSS_ATTENTION = Exercise(
    cross_attention,
    inputs=_two_sequences,
    returns=("output",),
    mistakes=(
        Mistake(lambda X_target, X_source, W_Q, W_K, W_V: cross_attention(X_source, X_source, W_Q, W_K, W_V),
                "The queries come from the source, so the source looks at itself. "
                "The target asks: Q = X_target @ W_Q."),
        Mistake(lambda X_target, X_source, W_Q, W_K, W_V: cross_attention(X_target, X_target, W_Q, W_K, W_V),
                "Keys and values come from the target: this is self-attention. "
                "The source answers: K and V are made from X_source."),
        Mistake(lambda X_target, X_source, W_Q, W_K, W_V: cross_attention(X_source, X_target, W_Q, W_K, W_V),
                "The roles are exchanged: here the source asks and the target answers. "
                "Q comes from X_target, K and V from X_source."),
        Mistake(lambda X_target, X_source, W_Q, W_K, W_V: cross_attention(X_target, X_source, W_K, W_Q, W_V),
                "The sequences are right and the matrices exchanged: Q is X_target @ W_Q, K is X_source @ W_K."),
        Mistake(_with(lambda S: _softmax(np.where(np.tri(*S.shape, dtype=bool), S, -np.inf))),
                "A causal mask hides the end of the source. The whole source is known before the first target; "
                "no token of it is the future."),
        Mistake(_with(lambda S: _softmax(S, axis=0)),
                "The softmax runs over the targets, so they compete for each source. "
                "Each target's shares sum to 1: axis=1."),
        Mistake(_with(lambda S: S),
                "These are scores times V. The softmax of each row is missing."),
        Mistake(_with_scale(lambda d_model, d_k: np.sqrt(d_k)),
                "The scale is missing: divide the scores by √d_k before the softmax."),
        Mistake(_with_scale(lambda d_model, d_k: np.sqrt(d_k / d_model)),
                "This divides by √d_model. A score is a sum of d_k products, so the scale is √d_k."),
        Mistake(lambda X_target, X_source, W_Q, W_K, W_V: _softmax(_scores(X_target, X_source, W_Q, W_K)),
                "These are the weights, (T_q, T_k). One step is missing: they mix the values, A @ V."),
        Mistake(lambda X_target, X_source, W_Q, W_K, W_V: _softmax(_scores(X_target, X_source, W_Q, W_K)) @ X_source,
                "The weights mix the rows of X_source themselves. What is handed over are values: "
                "V = X_source @ W_V."),
    ),
    hint="the weights have a column for each source, so V needs a row for each: from which X is it made?",
)


def check_cross_attention(cross_attention):
    """Check a function that lets one sequence look at another.

    Parameters
    ----------
    cross_attention : function (X_target, X_source, W_Q, W_K, W_V) -> (T_q, d_v)
        X_target is (T_q, d_model), X_source is (T_k, d_model), W_Q and W_K are (d_model, d_k), W_V is
        (d_model, d_v). The result may be an array or lists, float32 is precise enough.

    Examples
    --------
    >>> from helpers.attention import attention
    >>> check_cross_attention(lambda X, Y, W_Q, W_K, W_V: attention(X @ W_Q, Y @ W_K, Y @ W_V).O)
    Right: (5, 4) output, equal to the reference on 6 random inputs.
    """
    CROSS_ATTENTION.check(cross_attention)


def padded_weights(S, n_words):
    """Say what share each target takes from the words, and none from the padding after them."""
    is_word = np.arange(S.shape[1]) < n_words                       # (T_k,)
    scores = np.where(is_word, S, -np.inf)                          # (T_q, T_k)
    exps = np.exp(scores - scores.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)                   # (T_q, T_k) / (T_q, 1)


def _scores_and_length(rng, sizes):
    n_words = int(rng.integers(2, sizes.T_k))
    return 2 * rng.normal(size=(sizes.T_q, sizes.T_k)), n_words


def _words(S, n_words):
    return np.arange(S.shape[1]) < n_words


def _masked_rows(S, n_words):
    return np.where(np.arange(len(S))[:, None] < n_words, S, -np.inf)


PADDED_WEIGHTS = Exercise(
    padded_weights,
    inputs=_scores_and_length,
    returns=("weights",),
    mistakes=(
        Mistake(lambda S, n_words: _softmax(_masked_rows(S, n_words)),
                "The mask hides rows, which are targets, and a row of nothing but −∞ is NaN. "
                "Padding stands in the source: hide columns."),
        Mistake(lambda S, n_words: np.nan_to_num(_softmax(_masked_rows(S, n_words))),
                "The mask silences targets: their rows are zeros, and the others still look at padding. "
                "Padding stands in the source: hide columns."),
        Mistake(lambda S, n_words: _softmax(np.where(_words(S, n_words), S, 0)),
                "Padding gets the score 0 before the softmax, and e^0 = 1 is a share. It has to be −∞."),
        Mistake(lambda S, n_words: _softmax(S) * _words(S, n_words),
                "The padding is removed after the softmax, so the rows no longer sum to 1. "
                "Put −∞ into the scores before."),
        Mistake(lambda S, n_words: _softmax(np.where(_words(S, n_words), -np.inf, S)),
                "The mask is inverted: it hides the words and leaves the padding. "
                "The columns j < n_words stay."),
        Mistake(lambda S, n_words: padded_weights(S, n_words + 1),
                "One padding token is still visible (off by one). The words stand in the columns 0 to n_words − 1."),
        Mistake(lambda S, n_words: padded_weights(S, n_words - 1),
                "The last word is hidden too (off by one). The words stand in the columns 0 to n_words − 1."),
        Mistake(lambda S, n_words: _softmax(S),
                "Nothing is masked, so each target takes a share of padding. "
                "Put −∞ where the column j is n_words or more."),
        Mistake(lambda S, n_words: _softmax(S[:, :n_words]),
                "The shares are right, but the padding columns are cut off. In a batch all sentences keep "
                "the same shape; there the share is 0."),
        Mistake(lambda S, n_words: _softmax(np.where(_words(S, n_words), S, -np.inf), axis=0),
                "The softmax runs down the columns, so a column of padding is NaN and targets compete. "
                "Each row must sum to 1: axis=1."),
        Mistake(lambda S, n_words: np.where(_words(S, n_words), S, -np.inf),
                "These are the masked scores. The softmax of each row is missing."),
    ),
    hint="the columns of S are the sources, so a mask needs one entry for each column.",
)


def check_padded_weights(padded_weights):
    """Check a function that keeps the padding of the source from getting weight.

    Parameters
    ----------
    padded_weights : function (S, n_words) -> (T_q, T_k)
        S is (T_q, T_k); the first n_words of its columns are words, the others padding. The result
        may be an array or lists, float32 is precise enough.

    Examples
    --------
    >>> check_padded_weights(lambda S, n_words: S[:, :n_words])
    Wrong shape: weights is (5, 6), expected (5, 7), where S is (5, 7) and n_words is 6.
    """
    PADDED_WEIGHTS.check(padded_weights)
