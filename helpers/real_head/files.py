"""The data files of the real model."""

import zipfile

import numpy as np

from ..data_files import damaged, reading

FILES = WEIGHTS, RECORDS, SWITCHED_OFF = "bundle_l10.npz", "bundle_records.npz", "bundle_switched_off.npz"


def read(name):
    """The arrays of `WEIGHTS`, `RECORDS` or `SWITCHED_OFF`: dict of str to ndarray.

    Raises
    ------
    FileNotFoundError, ValueError
        When it is another file; when it is missing or damaged.

    >>> read(WEIGHTS)["blk.10.attn_q.weight"].shape
    (576, 360)
    """
    if not isinstance(name, str) or name not in FILES:
        raise ValueError(f"read: name must be one of {', '.join(FILES)}, got {name!r}")
    with reading(name) as path, path.open("rb") as file:
        if not zipfile.is_zipfile(file):
            raise ValueError("it is no archive of arrays")
        file.seek(0)
        return _Arrays(name, np.load(file, allow_pickle=False))


class _Arrays(dict):
    """Arrays by name; one that is missing is told with the file."""

    def __init__(self, name, arrays):
        super().__init__(arrays)
        self.name = name

    def __missing__(self, key):
        raise damaged(self.name, f"it has no {key!r}")
