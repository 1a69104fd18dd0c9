"""A whole head on one page: every matrix of the computation, from the tokens to the changed tokens."""

import numpy as np

from ..views import Matrix, Row


def one_page(X, Q, K, V, head, X_new, tokens, features, target):
    """Set all matrices of a head side by side, in the order of the formula, one token's row marked.

    Parameters
    ----------
    X : (T, d_model) ndarray
    Q, K : (T, d_k) ndarray
    V : (T, d_v) ndarray
    head : Attention
        What `attention(Q, K, V, …)` returned.
    X_new : (T, d_model) ndarray
        X + O W_O.
    tokens, features : sequence of str
        Names of the T rows and of the d_model columns of X.
    target : int
        The token whose row is marked.

    Returns
    -------
    Row

    Source: document §16, §23.
    """
    strongest = np.abs(head.S).max()

    def rows(values, symbol, caption, names=None):
        return Matrix(values, tokens, names, symbol=symbol, caption=caption, highlight=target)

    def scores(values, symbol, caption):
        return Matrix.scores(values, tokens, symbol=symbol, caption=caption, highlight=target, limit=strongest)

    return Row(
        rows(X, "X", "01, a row for each token", features),
        rows(Q, "Q", "02, X W_Q"),
        rows(K, "K", "02, X W_K"),
        rows(V, "V", "07, X W_V"),
        scores(head.S, "S", "03, Q Kᵀ"),
        scores(head.S_scaled, "S_scaled", "04, S / √d_k"),
        scores(head.S_masked, "S_masked", "05, S_scaled + M"),
        Matrix.weights(head.A, tokens, caption="06, softmax of each row", highlight=target),
        rows(head.O, "O", "07, A V"),
        rows(X_new, "X′", "08, X + O W_O", features))
