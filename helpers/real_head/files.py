"""The two data files of the real model."""

import numpy as np

from ..data_files import reading

WEIGHTS, RECORDS = "bundle_l10.npz", "bundle_records.npz"


def read(name):
    """The arrays of `WEIGHTS` or of `RECORDS`: dict of str to ndarray.

    Raises
    ------
    FileNotFoundError, ValueError
        When the file is missing or damaged.

    >>> read(WEIGHTS)["blk.10.attn_q.weight"].shape
    (576, 360)
    """
    with reading(name) as path, np.load(path, allow_pickle=False) as file:
        return dict(file)
