"""Exercises on several heads: cut a matrix into heads, and bring their outputs together again."""

import numpy as np

from .checking import Exercise, Mistake


def split_heads(Q, H):
    """Cut the columns into H equal pieces, one for each head."""
    pieces = Q.reshape(len(Q), H, -1)     # (T, H·d_k) -> (T, H, d_k)
    return pieces.transpose(1, 0, 2)      # (T, H, d_k) -> (H, T, d_k)


SPLIT_HEADS = Exercise(
    split_heads,
    inputs=lambda rng, sizes: (rng.normal(size=(sizes.T_q, sizes.H * sizes.d_k)), sizes.H),
    returns=("heads",),
    mistakes=(
        Mistake(lambda Q, H: Q.reshape(H, len(Q), -1),
                "The shape is right and the numbers are not: reshape alone fills head 0 with the other "
                "heads' columns of the first tokens. Cut into (T, H, d_k), then transpose."),
        Mistake(lambda Q, H: Q.reshape(len(Q), H, -1),
                "This is (T, H, d_k), cut at the right places. The heads have to stand in front: "
                "transpose to (H, T, d_k)."),
        Mistake(lambda Q, H: Q.reshape(len(Q), H, -1).transpose(0, 2, 1),
                "Here the heads are the last axis. They have to be the first, so that head h is result[h]."),
        Mistake(lambda Q, H: Q.reshape(len(Q), H, -1).transpose(1, 2, 0),
                "Each head is turned: d_k rows and T columns. Tokens stay rows, so each head is (T, d_k)."),
        Mistake(lambda Q, H: Q.reshape(len(Q), -1, H).transpose(2, 0, 1),
                "This gives head h every H-th column. A head's d_k columns stand side by side, so H comes "
                "before d_k in the reshape."),
        Mistake(lambda Q, H: Q.T.reshape(H, len(Q), -1),
                "This reshapes Q.T, whose rows run over the tokens; cut at d_k they fall apart. "
                "Reshape Q to (T, H, d_k), then transpose."),
    ),
    hint="Q has H·d_k columns and as many rows as there are tokens.",
)


def check_split_heads(split_heads):
    """Check a function that cuts a matrix into heads.

    Parameters
    ----------
    split_heads : function (Q, H) -> (H, T, d_k)
        Q is (T, H·d_k). The result may be an array or lists, float32 is precise enough.

    Examples
    --------
    >>> check_split_heads(lambda Q, H: [Q[:, h * Q.shape[1] // H:(h + 1) * Q.shape[1] // H] for h in range(H)])
    Right: (9, 5, 3) heads, equal to the reference on 6 random inputs.
    """
    SPLIT_HEADS.check(split_heads)


def project_heads(outputs, W_O):
    """Set the outputs of all heads side by side and lead them back to d_model."""
    H, T, d_v = outputs.shape
    O_cat = outputs.transpose(1, 0, 2).reshape(T, H * d_v)    # (H, T, d_v) -> (T, H·d_v)
    return O_cat @ W_O                                        # (T, H·d_v) @ (H·d_v, d_model) -> (T, d_model)


def _blocks(outputs, W_O):
    """The rows of W_O that belong to each head: (H, d_v, d_model)."""
    return W_O.reshape(len(outputs), outputs.shape[2], -1)


PROJECT_HEADS = Exercise(
    project_heads,
    inputs=lambda rng, sizes: (rng.normal(size=(sizes.H, sizes.T_q, sizes.d_v)),
                               rng.normal(size=(sizes.H * sizes.d_v, sizes.d_model))),
    returns=("result",),
    mistakes=(
        Mistake(lambda outputs, W_O: outputs.reshape(outputs.shape[1], -1) @ W_O,
                "The shape is right and the numbers are not: reshape alone mixes tokens. "
                "Transpose to (T, H, d_v) first, so that a token's outputs stand side by side."),
        Mistake(lambda outputs, W_O: np.concatenate(outputs) @ W_O[:outputs.shape[2]],
                "The heads are concatenated along the tokens, H·T rows. Each token needs one row: "
                "concatenate along the features."),
        Mistake(lambda outputs, W_O: outputs.sum(axis=0) @ W_O[:outputs.shape[2]],
                "Every head goes through the same rows of W_O, or the heads are summed before it. "
                "Head h has its own d_v rows; the sum comes after them."),
        Mistake(lambda outputs, W_O: outputs.mean(axis=0) @ W_O[:outputs.shape[2]],
                "This averages the heads before W_O. Then nobody knows which head found what; "
                "side by side, each keeps its own d_v columns."),
        Mistake(lambda outputs, W_O: outputs.transpose(1, 2, 0).reshape(outputs.shape[1], -1) @ W_O,
                "The columns of the heads are interleaved. All d_v columns of head 0 come first, "
                "then those of head 1: transpose(1, 0, 2)."),
        Mistake(lambda outputs, W_O: W_O.T @ np.hstack(list(outputs)).T,
                "W_O stands on the left, so the result is turned: (d_model, T). Tokens are rows: O_cat @ W_O."),
        Mistake(lambda outputs, W_O: outputs @ _blocks(outputs, W_O),
                "This is what each head writes by itself, (H, T, d_model). Add over the heads, along axis 0."),
        Mistake(lambda outputs, W_O: (outputs @ _blocks(outputs, W_O)).mean(axis=0),
                "This is the mean of what the heads write. Their updates are added, not averaged."),
        Mistake(lambda outputs, W_O: np.hstack(list(outputs)),
                "This is O_cat, H·d_v wide. One step is missing: O_cat @ W_O leads back to d_model."),
    ),
    hint="O_cat needs as many columns as W_O has rows, H·d_v.",
)


def check_project_heads(project_heads):
    """Check a function that brings the outputs of the heads together.

    Parameters
    ----------
    project_heads : function (outputs, W_O) -> (T, d_model)
        outputs is (H, T, d_v), W_O is (H·d_v, d_model). The result may be an array or lists, float32
        is precise enough.

    Examples
    --------
    >>> check_project_heads(lambda outputs, W_O: np.hstack(list(outputs)) @ W_O)
    Right: (5, 8) result, equal to the reference on 6 random inputs.
    """
    PROJECT_HEADS.check(project_heads)
