"""Exercises on scaling: divide by √d_k, and count the tokens that a row looks at."""

import numpy as np

from .checking import Exercise, Mistake


def scaled_scores(X, W_Q, W_K):
    """Make queries and keys, let every query meet every key, and keep the variance near 1."""
    Q, K = X @ W_Q, X @ W_K                    # (T, d_model) @ (d_model, d_k) -> (T, d_k)
    return Q @ K.T / np.sqrt(Q.shape[-1])      # (T, d_k) @ (d_k, T) -> (T, T)


def _raw(X, W_Q, W_K):
    return (X @ W_Q) @ (X @ W_K).T


def _tokens_and_matrices(rng, sizes):
    return (rng.normal(size=(sizes.T_q, sizes.d_model)),
            *rng.normal(size=(2, sizes.d_model, sizes.d_k)))


SCALED_SCORES = Exercise(
    scaled_scores,
    inputs=_tokens_and_matrices,
    returns=("scores",),
    mistakes=(
        Mistake(_raw,
                "These are the raw scores. Their variance grows with d_k; divide by √d_k."),
        Mistake(lambda X, W_Q, W_K: _raw(X, W_Q, W_K) / np.sqrt(X.shape[1]),
                "This divides by √d_model. A score is a sum of d_k products, one for each entry "
                "of a query; d_model is the length of a token's vector."),
        Mistake(lambda X, W_Q, W_K: _raw(X, W_Q, W_K) / W_Q.shape[1],
                "This divides by d_k. Then the variance falls to 1/d_k and the shares become almost "
                "equal; the standard deviation is √d_k."),
        Mistake(lambda X, W_Q, W_K: _raw(X, W_Q, W_K) / np.sqrt(len(X)),
                "This divides by √T. The number of tokens decides how many scores there are, "
                "not how large one is; a score is a sum of d_k products."),
        Mistake(lambda X, W_Q, W_K: _raw(X, W_Q, W_K) * np.sqrt(W_Q.shape[1]),
                "This multiplies by √d_k, so the scores spread further still. Divide."),
        Mistake(lambda X, W_Q, W_K: scaled_scores(X, W_K, W_Q),
                "This is the transpose: row i belongs to key i. Queries come first: Q @ K.T."),
    ),
    hint="Q and K are both (T, d_k), so one of them must be transposed.",
    factor="expected the factor 1/√d_k, with d_k = W_Q.shape[1].",
)


def check_scaled_scores(scaled_scores):
    """Check a function that computes scaled scores.

    Parameters
    ----------
    scaled_scores : function (X, W_Q, W_K) -> (T, T)
        X is (T, d_model), W_Q and W_K are (d_model, d_k). The result may be an array or lists,
        float32 is precise enough.

    Examples
    --------
    >>> check_scaled_scores(lambda X, W_Q, W_K: (X @ W_Q) @ (X @ W_K).T)
    These are the raw scores. Their variance grows with d_k; divide by √d_k.
    """
    SCALED_SCORES.check(scaled_scores)


def tokens_looked_at(a):
    """Say how many tokens a row of shares looks at: e to the entropy."""
    seen = a[a > 0]                                # a share of 0 adds nothing, and has no logarithm
    return np.exp(-(seen * np.log(seen)).sum())    # (T,) -> one number


def _shares(rng, sizes):
    a = rng.uniform(0.1, 1, size=sizes.T_k)
    a[rng.integers(sizes.T_k)] = 0
    return (a / a.sum(),)


TOKENS_LOOKED_AT = Exercise(
    tokens_looked_at,
    inputs=_shares,
    returns=("number",),
    mistakes=(
        Mistake(lambda a: np.log(tokens_looked_at(a)),
                "This is the entropy, a logarithm. e to this power is the number of tokens."),
        Mistake(lambda a: 1 / tokens_looked_at(a),
                "The sign is missing: logarithms of shares are negative, so the entropy is "
                "minus their sum."),
        Mistake(lambda a: (a > 0).sum(),
                "This counts every token with a share above 0, the small ones as much as the large. "
                "Each has to count by its share."),
        Mistake(lambda a: 1 / a.max(),
                "This looks at the largest share alone. The entropy takes all of them."),
        Mistake(lambda a: 2 ** np.log(tokens_looked_at(a)),
                "The bases do not fit: np.log goes with np.exp, np.log2 with 2 to the power."),
        Mistake(lambda a: np.exp(-np.log(a[a > 0]).mean()),
                "This takes the plain mean of the logarithms. Each logarithm counts by its share: "
                "multiply by a before you add."),
    ),
    hint="a holds one share for each token.",
)


def check_tokens_looked_at(tokens_looked_at):
    """Check a function that counts the tokens looked at.

    Parameters
    ----------
    tokens_looked_at : function (a) -> number
        a is (T,), its shares add up to 1, and one of them is 0. float32 is precise enough.

    Examples
    --------
    >>> check_tokens_looked_at(lambda a: 1 / a.max())
    This looks at the largest share alone. The entropy takes all of them.
    """
    TOKENS_LOOKED_AT.check(tokens_looked_at)
