"""Exercises on projections: queries and keys from X, and a matrix of queries made by hand."""

import numpy as np

from ..example import FEATURES
from .checking import Exercise
from .inputs import tokens_and_matrices


def project(X, W_Q, W_K):
    """Make from each token its query and its key: X (T, d_model), W_Q and W_K (d_model, d_k) give Q and K (T, d_k)."""
    Q = X @ W_Q    # (T, d_model) @ (d_model, d_k) -> (T, d_k)
    K = X @ W_K    # (T, d_model) @ (d_model, d_k) -> (T, d_k)
    return Q, K


check_project = Exercise(
    project, tokens_and_matrices, ("Q", "K"),
    edges=lambda rng: {"one token": (rng.normal(size=(1, 4)), *rng.normal(size=(2, 4, 3)))},
    slips=[
        ("K, Q", "Q and K are exchanged: the first result is made with W_K. Queries come first, and W_Q makes them."),
        ("Q.T, K.T", "Both are the transpose: the tokens stand in columns. Rows are tokens, so X comes first: X @ W_Q."),
        ("Q, K.T", "K comes as its transpose. Its rows are tokens, as in Q; turning it belongs to the scores, in lesson 03."),
        ("Q, Q", "W_Q makes both, so each token's key equals its query. Asking and answering are different roles: K = X @ W_K."),
        ("K, K", "W_K makes both, so each token's query equals its key. Asking and answering are different roles: Q = X @ W_Q."),
        ("W_Q, W_K", "These are the matrices that were handed over. X goes through each of them: X @ W_Q."),
        ("Q / np.sqrt(Q.shape[1]), K / np.sqrt(Q.shape[1])",
         "Both are divided by √d_k. The projections have no factor; the scores get one in lesson 04."),
    ],
    product="X has d_model columns and the matrices d_model rows: X @ W_Q.")


def query_matrix(strength, tokens_back, place):
    """Let nouns seek with a strength, some tokens back, where the place counts so much: three numbers give W_Q (12, 3)."""
    angle = np.deg2rad(30 * tokens_back)    # 30° for each token
    cos, sin = np.cos(angle), np.sin(angle)
    W_Q = np.zeros((12, 3))                                        # columns: match, cos, sin
    W_Q[FEATURES.index("noun"), 0] = strength                      # a noun asks
    W_Q[FEATURES.index("cos"), 1:] = place * np.array([cos, -sin])
    W_Q[FEATURES.index("sin"), 1:] = place * np.array([sin, cos])
    return W_Q


def _numbers(rng, sizes):
    lowest, highest = (5, 0.5, 2), (9, 2.5, 5)
    return tuple(rng.uniform(lowest, highest).round(1).tolist())


check_query_matrix = Exercise(
    query_matrix, _numbers, "W_Q",
    edges=lambda rng: {"it seeks at its own place": (6.0, 0.0, 3.0), "the place does not count": (6.0, 1.5, 0.0)},
    slips=[
        ("30 * tokens_back", "-30 * tokens_back", "The rotation goes the other way, so this head looks ahead. Looking back "
                                                  "subtracts the angle; the signs of the two sines decide."),
        ("np.deg2rad(30 * tokens_back)", "30 * tokens_back",
         "The angle is in degrees, but np.cos and np.sin read radians. Convert it first: np.deg2rad(30 * tokens_back)."),
        ("30 * tokens_back", "tokens_back", "This turns by tokens_back degrees. One token is 30°, so turn by 30 * tokens_back."),
        ("30 * tokens_back", ("30 * (tokens_back + 1)", "30 * (tokens_back - 1)"),
         "The head looks one token too far back, or one too little (off by one). The angle is 30° for each token."),
        ("30 * tokens_back", "0", "The place is not turned: this head looks at its own place. Turn by 30 * tokens_back degrees."),
        ('"noun"), 0', '"adj"), 0',
         "The strength stands in the row adj, so adjectives would ask. Nouns do: the row is noun. W_K lets adjectives answer."),
        ('"noun"), 0', '"noun")',
         "The strength fills the whole row noun. It belongs to the column match alone; place has the others."),
        ("= strength", "= 0", "The strength is missing, so nouns ask for nothing. It stands in the row noun, column match."),
        ("= strength", "= 1", "The match is 1 whatever strength says. The row noun holds strength."),
        ("= place * ", "= ", "The factor place is missing before the rotation, so position counts the same whatever place says."),
        ("= strength", "= place * strength",
         "place multiplies the match too. It belongs to the columns cos and sin; the match has its own factor, strength."),
        ("reference(8, 1.5, 5)", "These are the fixed numbers (8, 1.5, 5) of the lesson's head. Use the three parameters."),
        ("W_Q.T",
         "This is the transpose. X @ W_Q needs a row for each of 12 features, a column for each of 3 entries of a query."),
    ])
