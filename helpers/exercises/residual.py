"""Exercises on the residual connection, and on the value map in one matrix."""

import numpy as np

from .checking import Exercise, Mistake


def residual(X, O, W_O):
    """Lead the outputs back to the features and add them to X."""
    return X + O @ W_O    # (T, d_v) @ (d_v, d_model) -> (T, d_model), the shape of X


def _padded(O, d_model):
    return np.pad(O, ((0, 0), (0, d_model - O.shape[1])))


RESIDUAL = Exercise(
    residual,
    inputs=lambda rng, sizes: (rng.normal(size=(sizes.T_q, sizes.d_model)), rng.normal(size=(sizes.T_q, sizes.d_v)),
                               rng.normal(size=(sizes.d_v, sizes.d_model))),
    returns=("X_new",),
    mistakes=(
        Mistake(lambda X, O, W_O: O @ W_O,
                "This is the update alone, in place of the token. It is to be added to X, so that the word stays."),
        Mistake(lambda X, O, W_O: X - O @ W_O,
                "This subtracts the update. A residual connection adds it: X + O @ W_O."),
        Mistake(lambda X, O, W_O: X + _padded(O, X.shape[1]),
                "This fills O up with zeros until it fits X. W_O decides which features are written: O @ W_O."),
        Mistake(lambda X, O, W_O: X + X @ W_O.T @ W_O,
                "This sends X itself through W_O, so the output of attention is not used. The update is O @ W_O."),
        Mistake(lambda X, O, W_O: X + (O @ W_O).sum(axis=0),
                "Every token gets the updates of all tokens. Row i of O @ W_O belongs to token i alone."),
        Mistake(lambda X, O, W_O: (X + O @ W_O) / 2,
                "This is the mean of token and update. The residual connection is a plain sum."),
        Mistake(lambda X, O, W_O: np.hstack([X, O @ W_O]),
                "This sets the update beside X, so the matrix grows with each head. It is added: the shape of X stays."),
        Mistake(lambda X, O, W_O: (X + O @ W_O).T,
                "This is the transpose: tokens stand in columns. Rows are tokens."),
    ),
    hint="rows are tokens, so O comes first: which of O @ W_O, W_O @ O and O @ W_O.T has the shape of X?",
)


def check_residual(residual):
    """Check a function that adds the update of a head to X.

    Parameters
    ----------
    residual : function (X, O, W_O) -> (T, d_model)
        X is (T, d_model), O is (T, d_v), W_O is (d_v, d_model). The result may be an array or
        lists, float32 is precise enough.

    Examples
    --------
    >>> check_residual(lambda X, O, W_O: X - O @ W_O)
    This subtracts the update. A residual connection adds it: X + O @ W_O.
    """
    RESIDUAL.check(residual)


def value_map(W_V, W_O):
    """Make one matrix of both steps, from a token's row to the change it causes where it is attended to."""
    return W_V @ W_O    # (d_model, d_v) @ (d_v, d_model) -> (d_model, d_model)


VALUE_MAP = Exercise(
    value_map,
    inputs=lambda rng, sizes: (rng.normal(size=(sizes.d_model, sizes.d_v)), rng.normal(size=(sizes.d_v, sizes.d_model))),
    returns=("B",),
    mistakes=(
        Mistake(lambda W_V, W_O: W_O @ W_V,
                "This is W_O W_V, (d_v, d_v): from a value to a value. A row x meets W_V first, so W_V comes first."),
        Mistake(lambda W_V, W_O: W_O.T @ W_V.T,
                "This is the transpose: it leads from the change back to the token. Rows are tokens: x @ W_V @ W_O."),
        Mistake(lambda W_V, W_O: W_V @ W_V.T,
                "This leads back with W_V turned over. It is the same only where W_O = W_V.T; here W_O is its own matrix."),
        Mistake(lambda W_V, W_O: W_V * W_O.T,
                "This multiplies entry by entry, and the shape is that of W_V. Two steps in a row are a matrix product."),
        Mistake(lambda W_V, W_O: np.eye(len(W_V)) + W_V @ W_O,
                "This adds the token itself as well. The value map is the change alone; X is added after attention."),
        Mistake(lambda W_V, W_O: W_V + W_O.T,
                "This adds the two matrices. To go through one and then the other is to multiply them."),
    ),
    hint="a row x of length d_model meets W_V first and then W_O.",
)


def check_value_map(value_map):
    """Check a function that makes one matrix of W_V and W_O.

    Parameters
    ----------
    value_map : function (W_V, W_O) -> (d_model, d_model)
        W_V is (d_model, d_v), W_O is (d_v, d_model). The result may be an array or lists,
        float32 is precise enough.

    Examples
    --------
    >>> check_value_map(lambda W_V, W_O: W_V @ W_O)
    Right: (8, 8) B, equal to the reference on 6 random inputs.
    """
    VALUE_MAP.check(value_map)
