"""Exercises on values: the weighted sum of one target, and the outputs of all."""

import numpy as np

from helpers.attention import softmax

from .checking import Exercise, Mistake


def one_output(A, V, i):
    """Add up all values, each times its weight in row i."""
    o = np.zeros(V.shape[1])     # (d_v,)
    for j in range(len(V)):
        o = o + A[i, j] * V[j]   # a weight times a value: (d_v,)
    return o


def _weights_and_values(rng, sizes):
    T_q = sizes.T_k + 2    # more targets than sources, so a column of A is never a row's length
    return softmax(2 * rng.normal(size=(T_q, sizes.T_k))), rng.normal(size=(sizes.T_k, sizes.d_v))


def _with_target(rng, sizes):
    return *_weights_and_values(rng, sizes), int(rng.integers(1, sizes.T_k))


ONE_OUTPUT = Exercise(
    one_output,
    inputs=_with_target,
    returns=("output",),
    mistakes=(
        Mistake(lambda A, V, i: V.mean(axis=0),
                "This is the plain mean: every source gets the same weight. "
                "Each value counts by its own, A[i, j]."),
        Mistake(lambda A, V, i: V.sum(axis=0),
                "This adds the values without weights. Multiply each v_j by its weight A[i, j] first."),
        Mistake(lambda A, V, i: sum(A[j, i] * V[j] for j in range(len(V))),
                "These are the weights of column i: what the others take from i. "
                "What target i takes stands in row i: A[i, j]."),
        Mistake(lambda A, V, i: A[i][:, None] * V,
                "These are the products, weight times value, one row a source. The output is their sum."),
        Mistake(lambda A, V, i: A[i] @ V / len(V),
                "This divides by the number of sources as well. "
                "The weights sum to 1, so the sum is already an average."),
        Mistake(lambda A, V, i: V[A[i].argmax()],
                "This is the value with the largest weight alone. Attention takes from all, in proportion."),
        Mistake(lambda A, V, i: A @ V,
                "These are the outputs of all targets. Target i needs one row of A."),
        Mistake(lambda A, V, i: A[i - 1] @ V,
                "This counts from 1. Indices start at 0, so the weights of target i are A[i]."),
        Mistake(lambda A, V, i: softmax(A[i]) @ V,
                "The weights went through a softmax once more, which flattens them. They are used as they are."),
        Mistake(lambda A, V, i: V[i],
                "This is the value of token i, what it gives to others. Its output is made of all values."),
    ),
    hint="the weights of target i are the row A[i], one for each row of V.",
)


def check_one_output(one_output):
    """Check a function that makes the output of one target.

    Parameters
    ----------
    one_output : function (A, V, i) -> (d_v,)
        A is (T_q, T_k), its rows sum to 1, V is (T_k, d_v), i counts from 0. The result may be an
        array or a list, float32 is precise enough.

    Examples
    --------
    >>> check_one_output(lambda A, V, i: V.mean(axis=0))
    This is the plain mean: every source gets the same weight. Each value counts by its own, A[i, j].
    """
    ONE_OUTPUT.check(one_output)


def outputs(A, V):
    """Make the outputs of all targets at once."""
    return A @ V    # (T_q, T_k) @ (T_k, d_v) -> (T_q, d_v)


OUTPUTS = Exercise(
    outputs,
    inputs=_weights_and_values,
    returns=("O",),
    mistakes=(
        Mistake(lambda A, V: V.T @ A.T,
                "This is the transpose: targets stand in columns. Rows are tokens, so A comes first: A @ V."),
        Mistake(lambda A, V: softmax(A) @ V,
                "The weights went through a softmax once more, which flattens them. They are shares already."),
        Mistake(lambda A, V: A / A.sum(axis=0) @ V,
                "The columns of A were made to sum to 1. Its rows do already, and that is what a target needs."),
        Mistake(lambda A, V: A[:, :, None] * V,
                "These are all the products, weight times value. The output is their sum over the sources."),
        Mistake(lambda A, V: V[A.argmax(axis=1)],
                "Each target gets the value of its largest weight alone. "
                "Attention takes from all, in proportion."),
        Mistake(lambda A, V: np.tile(V.mean(axis=0), (len(A), 1)),
                "Every target gets the same mean of the values. The weights in A say how much of each."),
        Mistake(lambda A, V: np.tile(V.sum(axis=0), (len(A), 1)),
                "Every target gets the plain sum of the values. Multiply each value by its weight first."),
        Mistake(lambda A, V: A @ V / len(V),
                "This divides by the number of sources as well. "
                "The rows of A sum to 1, so A @ V is already an average."),
    ),
    hint="row i of A holds the weights of target i, one for each row of V: A comes first and is not turned.",
)


def check_outputs(outputs):
    """Check a function that makes the outputs of all targets.

    Parameters
    ----------
    outputs : function (A, V) -> (T_q, d_v)
        A is (T_q, T_k), its rows sum to 1, V is (T_k, d_v). The result may be an array or lists,
        float32 is precise enough.

    Examples
    --------
    >>> check_outputs(lambda A, V: A @ V)
    Right: (9, 4) O, equal to the reference on 6 random inputs.
    """
    OUTPUTS.check(outputs)
