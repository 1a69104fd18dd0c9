"""Exercises on embeddings: look the rows up, add the positions."""

import numpy as np

from .checking import Exercise


def lookup(table, ids):
    """Take for each id its row: table (vocabulary, d_model), ids (T,), some twice, give (T, d_model)."""
    return table[ids]    # (vocabulary, d_model), (T,) -> (T, d_model)


def _table_and_ids(rng, sizes):
    words = sizes.T_k
    ids = rng.integers(words, size=sizes.T_q)
    ids[-2] = ids[0]    # a word comes twice
    return rng.normal(size=(words, sizes.d_model)), ids


check_lookup = Exercise(
    lookup, _table_and_ids, "rows",
    edges=lambda rng: {"one id": (rng.normal(size=(3, 4)), np.array([2])),
                       "one word three times": (rng.normal(size=(4, 5)), np.array([1, 1, 1]))},
    slips=[
        ("table[np.sort(ids)]",
         "The rows come in the order of the table. Row i of the result belongs to ids[i]: keep the order of the text."),
        ("table[np.unique(ids)]",
         "Each id is looked up only once. A word that comes twice needs two rows, because each place in the text has its own."),
        ("table[:, ids]", "These are columns. An id names a row of the table; a column is one feature of all the words."),
        ("table[ids - 1]", "This counts from 1: each token gets the row before its own. Indices start at 0: id 0 is row 0."),
        (("table[ids + 1]", "table[(ids + 1) % len(table)]"),
         "Each token gets the row after its own (one too far). Indices start at 0: id 0 is the first row."),
        ("table[ids].T", "This is the transpose: the tokens stand in columns. Rows are tokens, so one-hot rows go on the left "
                         "of the table: one_hot @ table."),
        (("table[:len(ids)]", "table[np.arange(len(ids))]"),
         "These are the first rows of the table, whatever the ids say. Row i of the result is row ids[i] of the table."),
        ("np.eye(len(table))[ids]", "These are the one-hot rows. Each picks a row of the table: one_hot @ table."),
    ],
    product="the one-hot rows, (T, vocabulary), go on the left: one_hot @ table.")


def with_position(E, P):
    """Add to each token where it stands: E and P (T, d_model) give (T, d_model)."""
    return E + P    # (T, d_model) + (T, d_model) -> (T, d_model)


check_with_position = Exercise(
    with_position, lambda rng, sizes: tuple(rng.normal(size=(2, sizes.T_q, sizes.d_model))), "X",
    edges=lambda rng: {"one token": tuple(rng.normal(size=(2, 1, 3))),
                       "a token of zeros": (np.zeros((2, 3)), rng.normal(size=(2, 3)))},
    slips=[
        ("np.hstack([E, P])",
         "This puts P beside E, so every row is twice as wide. X keeps the width d_model, because P is added entry by entry."),
        ("np.vstack([E, P])",
         "This puts P below E, so there are twice as many rows. A token is one row, and its position is added into that row."),
        ("E * P", "This multiplies E and P. Where P is 0 a product wipes out what E says; a sum keeps both."),
        (("E - P", "P - E"), "This subtracts the one from the other. X is their sum: word and place together."),
        ("E @ P.T", "This is a product of all tokens with all places, (T, T). The place is added, entry by entry."),
        (("E + np.roll(P, 1, axis=0)", "E + np.roll(P, -1, axis=0)"),
         "Each token gets the position of its neighbour. Token i stands at place i, so E[i] and P[i] belong together."),
        ("E + P[::-1]", "The positions come in the opposite order. Token i stands at place i: E[i] + P[i]."),
        ("E + P[0]", "Every token gets the position of the first. That leaves equal words equal; row i needs its own P[i]."),
        (("E + P.mean(axis=0)", "E + P.sum(axis=0)"),
         "Every token gets the mean or sum of all positions. Row i needs its own P[i]."),
        ("E", "This is E alone. Without P, equal words have equal rows wherever they stand."),
        ("P", "This is P alone: the places are known and the words are not. Add E."),
    ],
    factor="X is the plain sum, without a factor.")
