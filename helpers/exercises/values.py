"""Exercises on values: the weighted sum of one target, and the outputs of all."""

import numpy as np

from helpers.attention import softmax

from .checking import Exercise


def one_output(A, V, i):
    """Add up all values, each times its weight in row i: A (T_q, T_k), V (T_k, d_v) and i, from 0, give (d_v,)."""
    o = np.zeros(V.shape[1])     # (d_v,)
    for j in range(len(V)):
        o = o + A[i, j] * V[j]   # a weight times a value: (d_v,)
    return o


def _weights_and_values(rng, sizes):
    T_q = sizes.T_k + 2    # more targets than sources, so a column of A is never a row's length
    return softmax(2 * rng.normal(size=(T_q, sizes.T_k))), rng.normal(size=(sizes.T_k, sizes.d_v))


def _with_target(rng, sizes):
    return *_weights_and_values(rng, sizes), int(rng.integers(1, sizes.T_k))


check_one_output = Exercise(
    one_output, _with_target, "output",
    ways=["A[i] @ V", "(A @ V)[i]", "np.sum(A[i][:, None] * V, axis=0)"],
    edges=lambda rng: {"all weight on one source": (np.eye(3), rng.normal(size=(3, 2)), 0),
                       "all weights are equal": (np.full((2, 4), 0.25), rng.normal(size=(4, 3)), 1),
                       "the last target": (np.array([[0.5, 0.5], [0.9, 0.1], [0.2, 0.8]]), rng.normal(size=(2, 4)), 2)},
    slips=[
        ("A[i][:, None] * V", "These are the products, weight times value, one row a source. The output is their sum."),
        ("A[i] @ V.sum(axis=1)", "This sums over everything, to one number. Sum over the sources alone, along axis=0."),
        ("A[i, j]", "A[j, i]",
         "These are the weights of column i: what the others take from i. What target i takes stands in row i: A[i, j]."),
        ("A @ V", "These are the outputs of all targets. Target i needs one row of A."),
        ("A[i]", "A[i - 1]", "This counts from 1. Indices start at 0, so the weights of target i are A[i]."),
        ("A[i]", ("A[i + 1]", "A[0]", "A[-1]"),
         "This is the output of another target (one too far, the first, the last). Use A[i]."),
        ("V[i]", "This is the value of token i, what it gives to others. Its output is made of all values."),
        ("A[i, i] * V[i]", "This is the value of token i alone, times its own weight. Its output is made of all values."),
        ("A[i, :i + 1] @ V[:i + 1]", "The sum stops at i + 1, as if the future had to be left out. The mask is in the weights "
                                     "already; add up all sources."),
        ("A[i, :i] @ V[:i]", "The sum stops before i. Add up all sources; those that are hidden have the weight 0."),
    ],
    product="the weights of target i are the row A[i], one for each row of V.")


def outputs(A, V):
    """Make the outputs of all targets at once: A (T_q, T_k), V (T_k, d_v) give (T_q, d_v)."""
    return A @ V    # (T_q, T_k) @ (T_k, d_v) -> (T_q, d_v)


check_outputs = Exercise(
    outputs, _weights_and_values, "O",
    ways=["np.sum(A[:, :, None] * V, axis=1)"],
    edges=lambda rng: {"all weight on one source": (np.eye(3)[[2, 0]], rng.normal(size=(3, 2))),
                       "one source": (np.ones((3, 1)), rng.normal(size=(1, 2)))},
    slips=[
        ("V.T @ A.T", "This is the transpose: targets stand in columns. Rows are tokens, so A comes first: A @ V."),
        ("A[:, :, None] * V", "These are all the products, weight times value. The output is their sum over the sources."),
        ("np.tril(A) @ V", "A mask too much: weights right of the diagonal, the future, are set to 0. What must not be seen "
                           "has the weight 0 already."),
    ],
    product="row i of A holds the weights of target i, one for each row of V: A comes first and is not turned.")
