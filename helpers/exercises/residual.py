"""Exercises on the residual connection, and on the value map in one matrix."""

import numpy as np

from .checking import Exercise


def residual(X, O, W_O):
    """Lead the outputs back to the features and add them: X (T, d_model), O (T, d_v), W_O (d_v, d_model) give (T, d_model)."""
    return X + O @ W_O    # (T, d_v) @ (d_v, d_model) -> (T, d_model), the shape of X


check_residual = Exercise(
    residual,
    lambda rng, sizes: (rng.normal(size=(sizes.T_q, sizes.d_model)), rng.normal(size=(sizes.T_q, sizes.d_v)),
                        rng.normal(size=(sizes.d_v, sizes.d_model))),
    "X_new",
    edges=lambda rng: {"one token": (rng.normal(size=(1, 4)), rng.normal(size=(1, 3)), rng.normal(size=(3, 4))),
                       "an update of 0": (rng.normal(size=(2, 4)), np.zeros((2, 3)), rng.normal(size=(3, 4)))},
    slips=[
        ("O @ W_O", "X @ W_O.T @ W_O",
         "This sends X itself through W_O; the output of attention is not used. The update is O @ W_O."),
    ],
    product="rows are tokens, so O comes first: which of O @ W_O, W_O @ O and O @ W_O.T has the shape of X?")


def value_map(W_V, W_O):
    """Make one matrix of both, from token to change: W_V (d_model, d_v), W_O (d_v, d_model) give (d_model, d_model)."""
    return W_V @ W_O    # (d_model, d_v) @ (d_v, d_model) -> (d_model, d_model)


check_value_map = Exercise(
    value_map,
    lambda rng, sizes: (rng.normal(size=(sizes.d_model, sizes.d_v)), rng.normal(size=(sizes.d_v, sizes.d_model))), "B",
    edges=lambda rng: {"d_v is 1": (rng.normal(size=(3, 1)), rng.normal(size=(1, 3)))},
    slips=[
        ("W_O @ W_V", "This is W_O W_V, (d_v, d_v): from a value to a value. A row x meets W_V first, so W_V comes first."),
        ("W_O.T @ W_V.T", "This is the transpose: it leads from the change back to the token. Rows are tokens: x @ W_V @ W_O."),
        ("W_V @ W_V.T", "This leads back with W_V turned over, which is the same only where W_O = W_V.T. W_O is its own matrix."),
        ("W_O.T @ W_O", "This is W_O twice, once turned over, and W_V is not used. A row x meets W_V first: W_V @ W_O."),
        ("W_V * W_O.T", "This multiplies entry by entry, and the shape is that of W_V. Two steps in a row are a matrix product."),
        ("np.eye(len(W_V)) + W_V @ W_O",
         "This adds the token itself. The value map is the change alone; X is added after attention."),
        ("W_V + W_O.T", "This adds the two matrices. To go through one and then the other is to multiply them."),
        ("W_V @ W_O / np.sqrt(W_V.shape[1])", "This divides by √d_v. Only scores have a scale; the value map has none."),
    ],
    product="a row x of length d_model meets W_V first and then W_O.")
