"""Exercises on several heads: cut a matrix into heads, and bring their outputs together again."""

from .checking import Exercise


def split_heads(Q, H):
    """Cut the columns into H equal pieces, one for each head: Q (T, H·d_k) gives (H, T, d_k)."""
    pieces = Q.reshape(len(Q), H, -1)     # (T, H·d_k) -> (T, H, d_k)
    return pieces.transpose(1, 0, 2)      # (T, H, d_k) -> (H, T, d_k)


check_split_heads = Exercise(
    split_heads, lambda rng, sizes: (rng.normal(size=(sizes.T_q, sizes.H * sizes.d_k)), sizes.H), "heads",
    edges=lambda rng: {"one head": (rng.normal(size=(3, 4)), 1), "d_k is 1": (rng.normal(size=(2, 3)), 3),
                       "one token": (rng.normal(size=(1, 6)), 2)},
    slips=[
        ("Q.reshape(H, len(Q), -1)", "The shape is right and the numbers are not: reshape alone cuts along the rows. Cut into "
                                     "(T, H, d_k), then transpose."),
        ("pieces", "This is (T, H, d_k), cut at the right places. The heads have to stand in front: transpose to (H, T, d_k)."),
        ("pieces.transpose(0, 2, 1)", "Here the heads are the last axis. They have to be the first, so that head h is heads[h]."),
        ("pieces.transpose(1, 2, 0)", "Each head is turned: d_k rows and T columns. Tokens stay rows, so each head is (T, d_k)."),
        (("pieces.T", "pieces.transpose(2, 0, 1)"),
         "The order of the three axes is wrong, d_k comes first. Only the first two change places: transpose(1, 0, 2)."),
        ("Q.reshape(len(Q), -1, H).transpose(2, 0, 1)",
         "This gives head h every H-th column. Its d_k columns stand side by side, so H comes before d_k in the reshape."),
        ("Q.T.reshape(H, len(Q), -1)",
         "This reshapes Q.T, whose rows run over the tokens and fall apart. Reshape Q to (T, H, d_k), then transpose."),
        ("pieces[:, 0]", "This is the first head alone. All H are asked for, one after the other."),
        ("[Q[:, h:h + Q.shape[1] // H] for h in range(H)]",
         "The pieces overlap: head h begins at column h. It begins at h · d_k, after the columns of the heads before it."),
        ("np.tile(Q, (H, 1, 1))", "Every head gets all columns. They are cut: each head gets its own d_k of the H·d_k."),
        ("Q.reshape(H, -1, Q.shape[1])", "The rows are cut, so each head gets some tokens. It needs all tokens and d_k columns."),
    ],
    product="Q has H·d_k columns and as many rows as there are tokens.")


def project_heads(outputs, W_O):
    """Set the heads side by side and lead them back: outputs (H, T, d_v), W_O (H·d_v, d_model) give (T, d_model)."""
    H, T, d_v = outputs.shape
    O_cat = outputs.transpose(1, 0, 2).reshape(T, H * d_v)    # (H, T, d_v) -> (T, H·d_v)
    return O_cat @ W_O                                        # (T, H·d_v) @ (H·d_v, d_model) -> (T, d_model)


check_project_heads = Exercise(
    project_heads, lambda rng, sizes: (rng.normal(size=(sizes.H, sizes.T_q, sizes.d_v)),
                                       rng.normal(size=(sizes.H * sizes.d_v, sizes.d_model))), "result",
    ways=["(outputs @ W_O.reshape(len(outputs), outputs.shape[2], -1)).sum(axis=0)"],
    edges=lambda rng: {"one head": (rng.normal(size=(1, 3, 2)), rng.normal(size=(2, 4))),
                       "one token, d_v is 1": (rng.normal(size=(3, 1, 1)), rng.normal(size=(3, 4)))},
    slips=[
        ("outputs.reshape(T, H * d_v) @ W_O",
         "The shape is right and the numbers are not: reshape alone mixes tokens. Transpose to (T, H, d_v) first."),
        ("np.concatenate(outputs) @ W_O[:d_v]",
         "The heads are concatenated along the tokens, H·T rows. Each token needs one row: concatenate along the features."),
        (("outputs.sum(axis=0) @ W_O[:d_v]", "outputs.mean(axis=0) @ W_O[:d_v]"),
         "Every head goes through the same rows of W_O, or one averages the heads before it. Head h has its own d_v rows."),
        ("outputs.transpose(1, 2, 0).reshape(T, H * d_v) @ W_O",
         "The columns of the heads are interleaved. Those of head 0 come first, then those of head 1: transpose(1, 0, 2)."),
        ("W_O.T @ O_cat.T", "W_O stands on the left, so the result is turned: (d_model, T). Tokens are rows: O_cat @ W_O."),
        (".sum(axis=0)", "", "This is what each head writes by itself, (H, T, d_model). Add over the heads, along axis 0."),
        (".sum(axis=0)", ".mean(axis=0)", "This is the mean of what the heads write. Their updates are added, not averaged."),
        (".sum(axis=0)", "[0]", "This is what the first head writes, head 0 alone. Add over the heads."),
        (".sum(axis=0)", "[-1]", "This is what the last head writes: the loop writes over what it had. Add over the heads: +=."),
        ("O_cat", "This is O_cat, H·d_v wide. One step is missing: O_cat @ W_O leads back to d_model."),
        ("outputs.transpose", "outputs[::-1].transpose",
         "The heads come in the opposite order. Head 0 comes first, since the first d_v rows of W_O are its own."),
        ("sum(o @ W_O[h:h + d_v] for h, o in enumerate(outputs))",
         "The blocks of W_O overlap: that of head h begins at row h. It begins at h · d_v, after those of the heads before it."),
    ],
    product="O_cat needs as many columns as W_O has rows, H·d_v.")
