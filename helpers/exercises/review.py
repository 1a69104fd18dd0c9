"""Exercise on the whole computation: the table of shapes, with several heads."""

from .shapes import ShapeTable


def shape_table(T, d_model, d_k, d_v, H):
    """Name the shape of every step of multi-head attention, without running anything: ten tuples."""
    return [(T, d_model),    # X
            (T, d_k),        # Q of one head
            (T, d_k),        # K of one head
            (T, d_v),        # V of one head
            (T, T),          # S of one head
            (T, T),          # A of one head
            (T, d_v),        # O of one head
            (T, H * d_v),    # O_cat
            (T, d_model),    # O_cat W_O
            (T, d_model)]    # X + O_cat W_O


check_shape_table = ShapeTable(
    shape_table, lambda rng, sizes: (sizes.T_q, sizes.d_model, sizes.d_k, sizes.d_v, sizes.H),
    ("X", "Q", "K", "V", "S", "A", "O", "O_cat", "O_cat·W_O", "X+O_cat·W_O"))
