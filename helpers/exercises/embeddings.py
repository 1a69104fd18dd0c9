"""Exercises on embeddings: look the rows up, add the positions."""

import numpy as np

from .checking import Exercise, Mistake


def lookup(table, ids):
    """Take for each id its row of the table."""
    return table[ids]    # (vocabulary, d_model), (T,) -> (T, d_model)


def _table_and_ids(rng, sizes):
    words = sizes.T_k
    ids = rng.integers(words, size=sizes.T_q)
    ids[-1] = ids[0]    # a word comes twice
    return rng.normal(size=(words, sizes.d_model)), ids


LOOKUP = Exercise(
    lookup,
    inputs=_table_and_ids,
    returns=("rows",),
    mistakes=(
        Mistake(lambda table, ids: table[np.sort(ids)],
                "The rows come in the order of the table. Row i of the result belongs to ids[i], "
                "so the ids must stay in the order of the text."),
        Mistake(lambda table, ids: table[np.unique(ids)],
                "Each id is looked up only once. A word that comes twice needs two rows, "
                "because each place in the text has its own."),
        Mistake(lambda table, ids: table[:, ids],
                "These are columns. An id names a row of the table; "
                "a column is one feature of all the words."),
        Mistake(lambda table, ids: table[ids - 1],
                "This counts from 1, so each token gets the row before its own. "
                "Indices start at 0: id 0 is the first row."),
        Mistake(lambda table, ids: table[ids].T,
                "This is the transpose: the tokens stand in columns. Rows are tokens, so one-hot "
                "rows go on the left of the table: one_hot @ table."),
        Mistake(lambda table, ids: table[:len(ids)],
                "These are the first rows of the table, whatever the ids say. "
                "Row i of the result is row ids[i] of the table."),
    ),
    hint="each id names one row of table.",
)


def check_lookup(lookup):
    """Check a function that looks each id up in a table of embeddings.

    Parameters
    ----------
    lookup : function (table, ids) -> (T, d_model)
        table is (vocabulary, d_model), ids is (T,), and an id may come more than once. The result
        may be an array or lists, float32 is precise enough.

    Examples
    --------
    >>> check_lookup(lambda table, ids: [table[id] for id in ids])
    Right: (5, 8) rows, equal to the reference on 6 random inputs.
    """
    LOOKUP.check(lookup)


def with_position(E, P):
    """Add to each token where it stands."""
    return E + P    # (T, d_model) + (T, d_model) -> (T, d_model)


WITH_POSITION = Exercise(
    with_position,
    inputs=lambda rng, sizes: tuple(rng.normal(size=(2, sizes.T_q, sizes.d_model))),
    returns=("X",),
    mistakes=(
        Mistake(lambda E, P: np.hstack([E, P]),
                "This puts P beside E, so every row is twice as wide. "
                "X keeps the width d_model, because P is added entry by entry."),
        Mistake(lambda E, P: np.vstack([E, P]),
                "This puts P below E, so there are twice as many rows. "
                "A token is one row, and its position is added into that row."),
        Mistake(lambda E, P: E * P,
                "This multiplies E and P. Where P is 0 a product wipes out what E says; "
                "a sum keeps both."),
        Mistake(lambda E, P: E + np.roll(P, 1, axis=0),
                "Each token gets the position of the one before it. "
                "Token i stands at place i, so E[i] and P[i] belong together."),
        Mistake(lambda E, P: E + P[0],
                "Every token gets the position of the first. "
                "That leaves equal words equal; row i needs its own P[i]."),
        Mistake(lambda E, P: E,
                "This is E alone. Without P, equal words have equal rows wherever they stand."),
    ),
    hint="they have the same shape, so add them as they are.",
    factor="X is the plain sum, without a factor.",
)


def check_with_position(with_position):
    """Check a function that adds the positions to the embeddings.

    Parameters
    ----------
    with_position : function (E, P) -> (T, d_model)
        E and P are both (T, d_model). The result may be an array or lists, float32 is precise
        enough.

    Examples
    --------
    >>> check_with_position(lambda E, P: E)
    This is E alone. Without P, equal words have equal rows wherever they stand.
    """
    WITH_POSITION.check(with_position)
