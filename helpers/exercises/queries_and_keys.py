"""Exercises on projections: queries and keys from X, and a matrix of queries made by hand."""

import numpy as np

from ..example import FEATURES
from .checking import Exercise, Mistake


def project(X, W_Q, W_K):
    """Make from each token its query and its key."""
    Q = X @ W_Q    # (T, d_model) @ (d_model, d_k) -> (T, d_k)
    K = X @ W_K    # (T, d_model) @ (d_model, d_k) -> (T, d_k)
    return Q, K


def _tokens_and_matrices(rng, sizes):
    return (rng.normal(size=(sizes.T_q, sizes.d_model)),
            *rng.normal(size=(2, sizes.d_model, sizes.d_k)))


PROJECT = Exercise(
    project,
    inputs=_tokens_and_matrices,
    returns=("Q", "K"),
    mistakes=(
        Mistake(lambda X, W_Q, W_K: (X @ W_K, X @ W_Q),
                "Q and K are exchanged: the first result is made with W_K. "
                "Queries come first, and W_Q makes them."),
        Mistake(lambda X, W_Q, W_K: (W_Q.T @ X.T, W_K.T @ X.T),
                "Both are transposed: the tokens stand in columns. "
                "Rows are tokens, so X comes first: X @ W_Q."),
        Mistake(lambda X, W_Q, W_K: (X @ W_Q, (X @ W_K).T),
                "K comes transposed. Its rows are tokens, as in Q; "
                "turning it belongs to the scores, in lesson 03."),
        Mistake(lambda X, W_Q, W_K: (X @ W_Q, X @ W_Q),
                "W_Q makes both, so each token's key equals its query. "
                "Asking and answering are different roles: K = X @ W_K."),
        Mistake(lambda X, W_Q, W_K: (X @ W_K, X @ W_K),
                "W_K makes both, so each token's query equals its key. "
                "Asking and answering are different roles: Q = X @ W_Q."),
    ),
    hint="which axis do X and the matrices share?",
)


def check_project(project):
    """Check a function that makes the queries and the keys.

    Parameters
    ----------
    project : function (X, W_Q, W_K) -> (Q, K)
        X is (T, d_model), W_Q and W_K are (d_model, d_k), Q and K are (T, d_k). The results may be
        arrays or lists, float32 is precise enough.

    Examples
    --------
    >>> check_project(lambda X, W_Q, W_K: (X @ W_Q, X @ W_K))
    Right: (5, 3) Q and (5, 3) K, equal to the reference on 6 random inputs.
    """
    PROJECT.check(project)


def query_matrix(strength, tokens_back, place):
    """Let nouns seek, a given number of tokens back."""
    angle = np.deg2rad(30 * tokens_back)    # 30° for each token
    cos, sin = np.cos(angle), np.sin(angle)
    W_Q = np.zeros((12, 3))                                        # columns: match, cos, sin
    W_Q[FEATURES.index("noun"), 0] = strength                      # a noun asks
    W_Q[FEATURES.index("cos"), 1:] = place * np.array([cos, -sin])
    W_Q[FEATURES.index("sin"), 1:] = place * np.array([sin, cos])
    return W_Q


def _adjective_asks(strength, tokens_back, place):
    W_Q = query_matrix(strength, tokens_back, place)
    noun, adj = FEATURES.index("noun"), FEATURES.index("adj")
    W_Q[[noun, adj]] = W_Q[[adj, noun]]
    return W_Q


def _numbers(rng, sizes):
    lowest, highest = (5, 0.5, 2), (9, 2.5, 5)
    return tuple(rng.uniform(lowest, highest).round(1).tolist())


QUERY_MATRIX = Exercise(
    query_matrix,
    inputs=_numbers,
    returns=("W_Q",),
    mistakes=(
        Mistake(lambda strength, tokens_back, place:
                query_matrix(strength, -tokens_back, place),
                "The rotation goes the other way, so this head looks ahead. "
                "Looking back subtracts the angle; the signs of the two sines decide."),
        Mistake(lambda strength, tokens_back, place:
                query_matrix(strength, np.rad2deg(tokens_back), place),
                "The angle is in degrees, but np.cos and np.sin read radians. "
                "Convert it first: np.deg2rad(30 * tokens_back)."),
        Mistake(lambda strength, tokens_back, place:
                query_matrix(strength, tokens_back / 30, place),
                "This turns by tokens_back degrees. One token is 30°, "
                "so the angle is 30 * tokens_back degrees."),
        Mistake(_adjective_asks,
                "The strength stands in the row adj, so adjectives would ask. "
                "The noun asks: its row is noun, and W_K says that adjectives answer."),
        Mistake(lambda strength, tokens_back, place:
                query_matrix(strength, tokens_back, 1),
                "The factor place is missing before the rotation, "
                "so position counts the same whatever place says."),
        Mistake(lambda strength, tokens_back, place:
                query_matrix(place * strength, tokens_back, place),
                "place multiplies the match too. It belongs to the columns cos and sin; "
                "the match has its own factor, strength."),
        Mistake(lambda strength, tokens_back, place:
                query_matrix(strength, tokens_back, place).T,
                "This is the transpose. X @ W_Q needs a row for each of the 12 features "
                "and a column for each of the 3 entries of a query."),
    ),
    hint="W_Q has 12 rows (features) and 3 columns (match, cos, sin).",
)


def check_query_matrix(query_matrix):
    """Check a function that builds W_Q for a head in which nouns seek adjectives.

    Parameters
    ----------
    query_matrix : function (strength, tokens_back, place) -> (12, 3)
        Three numbers: the strength of the noun's question, how many tokens back it looks, how much
        the place counts. The result may be an array or lists, float32 is precise enough.

    Examples
    --------
    >>> check_query_matrix(lambda strength, tokens_back, place: None)
    Not yet: query_matrix returned nothing.
    """
    QUERY_MATRIX.check(query_matrix)
