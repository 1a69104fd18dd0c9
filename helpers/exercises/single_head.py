"""Exercises on one whole head: the formula, and the shapes of its steps."""

import numpy as np

from .checking import Exercise, Mistake


def single_head(X, W_Q, W_K, W_V, W_O):
    """Run one causal head and add its update."""
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V                       # (T, d_k), (T, d_k), (T, d_v)
    S = Q @ K.T / np.sqrt(W_Q.shape[1])                       # (T, T)
    i, j = np.arange(len(X))[:, None], np.arange(len(X))      # (T, 1) and (T,)
    S = S + np.where(j <= i, 0, -np.inf)                      # (T, T), the future is out
    A = np.exp(S - S.max(axis=1, keepdims=True))              # (T, T)
    A = A / A.sum(axis=1, keepdims=True)                      # (T, T), rows sum to 1
    return X + A @ V @ W_O                                    # (T, d_model)


def _scores(X, W_Q, W_K):
    return (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_Q.shape[1])


def _shares(S, axis=1):
    exps = np.exp(S - S.max(axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


def _causal(S):
    return np.where(np.tri(len(S), dtype=bool), S, -np.inf)


def _with(weights, residual=True):
    """A head that makes its weights from the scaled scores in its own way."""
    def head(X, W_Q, W_K, W_V, W_O):
        return residual * X + weights(_scores(X, W_Q, W_K)) @ X @ W_V @ W_O
    return head


def _with_scale(factor):
    """A head whose scaled scores are multiplied by a further factor of (d_model, d_k)."""
    def head(X, W_Q, W_K, W_V, W_O):
        return X + _shares(_causal(_scores(X, W_Q, W_K) * factor(*W_Q.shape))) @ X @ W_V @ W_O
    return head


def _tokens_and_matrices(rng, sizes):
    W_Q, W_K = 1.5 * rng.normal(size=(2, sizes.d_model, sizes.d_k)) / np.sqrt(sizes.d_model)
    return (rng.normal(size=(sizes.T_q, sizes.d_model)), W_Q, W_K,
            rng.normal(size=(sizes.d_model, sizes.d_v)), rng.normal(size=(sizes.d_v, sizes.d_model)))


SINGLE_HEAD = Exercise(
    single_head,
    inputs=_tokens_and_matrices,
    returns=("result",),
    mistakes=(
        Mistake(_with_scale(lambda d_model, d_k: np.sqrt(d_k)),
                "The scale is missing: divide the scores by √d_k before the softmax, "
                "or they grow with the length of a query."),
        Mistake(_with_scale(lambda d_model, d_k: np.sqrt(d_k / d_model)),
                "This divides by √d_model. A score is a sum of d_k products, so the scale is √d_k, "
                "with d_k = W_Q.shape[1]."),
        Mistake(_with_scale(lambda d_model, d_k: 1 / np.sqrt(d_k)),
                "This divides by d_k. The scale is its root, √d_k; with d_k itself the weights become "
                "almost equal."),
        Mistake(_with(_shares),
                "The mask is missing: each token here also takes from those that come after it."),
        Mistake(_with(lambda S: _shares(S * np.tri(len(S)))),
                "The mask puts 0 in place of a future score, and e⁰ = 1 still gets a weight. "
                "It has to be −∞."),
        Mistake(_with(lambda S: _shares(S) * np.tri(len(S))),
                "The mask comes after the softmax, so the rows no longer sum to 1. "
                "Add it to the scores before."),
        Mistake(_with(lambda S: _shares(_causal(S.T).T)),
                "The mask is turned round: each token sees itself and the future, not the past."),
        Mistake(_with(lambda S: _shares(_causal(S), axis=0)),
                "The softmax runs down the columns. Each row is one target's weights, so divide by "
                "the sum along axis 1."),
        Mistake(lambda X, W_Q, W_K, W_V, W_O: single_head(X, W_K, W_Q, W_V, W_O),
                "Queries and keys are exchanged: this is K @ Q.T, in which row i belongs to key i."),
        Mistake(_with(lambda S: _shares(_causal(S)), residual=False),
                "This is the update, O @ W_O, in place of the token. Add it to X."),
        Mistake(lambda X, W_Q, W_K, W_V, W_O: _shares(_causal(_scores(X, W_Q, W_K))) @ X @ W_V,
                "This stops at O = A @ V, d_v wide. W_O leads back to d_model, and then X is added."),
    ),
    hint="follow the shapes of lesson 09's table: which two inner axes do not meet?",
)


def check_single_head(single_head):
    """Check a function that runs one causal head.

    Parameters
    ----------
    single_head : function (X, W_Q, W_K, W_V, W_O) -> (T, d_model)
        X is (T, d_model), W_Q and W_K are (d_model, d_k), W_V is (d_model, d_v), W_O is
        (d_v, d_model). The result may be an array or lists, float32 is precise enough.

    Examples
    --------
    >>> check_single_head(lambda X, W_Q, W_K, W_V, W_O: ...)
    Not yet: single_head returned nothing.
    """
    SINGLE_HEAD.check(single_head)


def head_shapes(T, d_model, d_k, d_v):
    """Name the shapes of Q, S, A, O and X′ without running anything."""
    return [(T, d_k), (T, T), (T, T), (T, d_v), (T, d_model)]


HEAD_SHAPES = Exercise(
    head_shapes,
    inputs=lambda rng, sizes: (sizes.T_q, sizes.d_model, sizes.d_k, sizes.d_v),
    returns=("shapes",),
    mistakes=(
        Mistake(lambda T, d_model, d_k, d_v: [(T, d_k), (T, d_k), (T, d_k), (T, d_v), (T, d_model)],
                "S and A have one entry for each pair of tokens, so both are (T, T). "
                "d_k is the axis that Q @ K.T sums over."),
        Mistake(lambda T, d_model, d_k, d_v: [(T, d_k), (d_k, d_k), (d_k, d_k), (T, d_v), (T, d_model)],
                "That would be Q.T @ K, which sums over the tokens. S = Q @ K.T sums over d_k and is (T, T)."),
        Mistake(lambda T, d_model, d_k, d_v: [(T, d_k), (T, T), (T, T), (T, d_k), (T, d_model)],
                "O mixes values, so it is as wide as they are: d_v. The width of a query, d_k, ends in S."),
        Mistake(lambda T, d_model, d_k, d_v: [(T, d_k), (T, T), (T, T), (T, d_model), (T, d_model)],
                "O = A @ V is still d_v wide. Only W_O leads back to d_model."),
        Mistake(lambda T, d_model, d_k, d_v: [(T, d_k), (T, T), (T, T), (T, d_v), (T, d_v)],
                "X′ = X + O @ W_O, and only what is as wide as X can be added to X: its last axis is d_model."),
        Mistake(lambda T, d_model, d_k, d_v: [(T, d_model), (T, T), (T, T), (T, d_v), (T, d_model)],
                "W_Q is (d_model, d_k): it makes a query of d_k entries out of the d_model of a token."),
        Mistake(lambda T, d_model, d_k, d_v: [(d_k, T), (T, T), (T, T), (d_v, T), (d_model, T)],
                "Here tokens are columns. In this series tokens are rows, so T comes first."),
    ),
)


def check_head_shapes(head_shapes):
    """Check a function that names the shapes of Q, S, A, O and X′.

    Parameters
    ----------
    head_shapes : function (T, d_model, d_k, d_v) -> list of five tuples

    Examples
    --------
    >>> check_head_shapes(lambda T, d_model, d_k, d_v: [(T, d_k), (T, T), (T, T), (T, d_v), (T, d_v)])
    X′ = X + O @ W_O, and only what is as wide as X can be added to X: its last axis is d_model.
    """
    HEAD_SHAPES.check(head_shapes)
