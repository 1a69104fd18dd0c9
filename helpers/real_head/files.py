"""The data files of the real model."""

from ..data_files import read_arrays

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
    return read_arrays(name)
