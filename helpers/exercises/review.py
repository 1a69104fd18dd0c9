"""Exercise on the whole computation: the table of shapes, with several heads."""

from .checking import Exercise, Mistake


def shape_table(T, d_model, d_k, d_v, H):
    """Name the shape of every step of multi-head attention, without running anything."""
    return [(T, d_model),    # X
            (T, d_k),        # Q of one head
            (T, d_k),        # K of one head
            (T, d_v),        # V of one head
            (T, T),          # S
            (T, T),          # A
            (T, d_v),        # O of one head
            (T, H * d_v),    # O_cat
            (T, d_model),    # O_cat W_O
            (T, d_model)]    # X + O_cat W_O


def _with(changes):
    """The table with other shapes at some of its places; `changes` gives them from the sizes."""
    def table(T, d_model, d_k, d_v, H):
        rows = dict(enumerate(shape_table(T, d_model, d_k, d_v, H)))
        return list((rows | changes(T, d_model, d_k, d_v, H)).values())
    return table


SHAPE_TABLE = Exercise(
    shape_table,
    inputs=lambda rng, sizes: (sizes.T_q, sizes.d_model, sizes.d_k, sizes.d_v, sizes.H),
    returns=("shapes",),
    mistakes=(
        Mistake(_with(lambda T, d_model, d_k, d_v, H: {7: (T, d_v)}),
                "O_cat is as wide as one head here. The H outputs stand side by side, so it has H·d_v columns."),
        Mistake(_with(lambda T, d_model, d_k, d_v, H: {7: (H * T, d_v)}),
                "O_cat has the heads below one another here. They stand side by side, along the features: "
                "each token keeps one row, H·d_v long."),
        Mistake(_with(lambda T, d_model, d_k, d_v, H: {7: (T, H * d_k)}),
                "O_cat is made of outputs, and an output is as long as a value: H·d_v, not H·d_k."),
        Mistake(_with(lambda T, d_model, d_k, d_v, H: {7: (T, d_model)}),
                "O_cat is H·d_v wide. That this is d_model is a usual choice, not a rule, and not so in the check."),
        Mistake(_with(lambda T, d_model, d_k, d_v, H: {8: (T, H * d_v)}),
                "O_cat W_O is d_model wide: W_O has H·d_v rows and d_model columns, or the sum with X would not exist."),
        Mistake(_with(lambda T, d_model, d_k, d_v, H: {8: (T, H * d_v), 9: (T, H * d_v)}),
                "The last two rows are d_model wide: W_O leads from H·d_v back to d_model, so that X can be added."),
        Mistake(_with(lambda T, d_model, d_k, d_v, H: {9: (T, 2 * d_model)}),
                "The residual is a sum, not a concatenation: X + O_cat W_O is as wide as X."),
        Mistake(_with(lambda T, d_model, d_k, d_v, H: {4: (T, d_k), 5: (T, d_k)}),
                "S and A have an entry for each pair of tokens, so both are (T, T). Q Kᵀ sums over d_k."),
        Mistake(_with(lambda T, d_model, d_k, d_v, H: {4: (d_k, d_k), 5: (d_k, d_k)}),
                "That would be Kᵀ Q, which with tokens as rows sums over the tokens. S = Q Kᵀ and A are (T, T)."),
        Mistake(_with(lambda T, d_model, d_k, d_v, H: {6: (T, d_k)}),
                "O mixes values, so it is as wide as they are: d_v. The width of a query, d_k, ends in S."),
        Mistake(_with(lambda T, d_model, d_k, d_v, H: {1: (T, H * d_k), 2: (T, H * d_k), 3: (T, H * d_v)}),
                "Those are the queries, keys and values of all heads side by side. One head has d_k, d_k and d_v columns."),
        Mistake(lambda T, d_model, d_k, d_v, H: [shape[::-1] for shape in shape_table(T, d_model, d_k, d_v, H)],
                "Here tokens are columns. In this series tokens are rows, so T comes first."),
    ),
)


def check_shape_table(shape_table):
    """Check a table of the shapes of all steps.

    Parameters
    ----------
    shape_table : function (T, d_model, d_k, d_v, H) -> ten tuples
        For X; Q, K, V, S, A and O of one head; O_cat; O_cat W_O; X + O_cat W_O.

    Examples
    --------
    >>> check_shape_table(lambda T, d_model, d_k, d_v, H: ...)
    Not yet: shape_table returned nothing.
    """
    SHAPE_TABLE.check(shape_table)
