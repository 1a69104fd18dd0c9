"""The two data files of the real model, read only when they are whole."""

import hashlib
import io

import numpy as np

from ..data_files import damaged, read_bytes

WEIGHTS, RECORDS, SUMS = "bundle_l10.npz", "bundle_records.npz", "SHA256SUMS"


def read(name):
    """The arrays of a data file, after its checksum has been compared.

    Parameters
    ----------
    name : str
        "bundle_l10.npz" or "bundle_records.npz".

    Returns
    -------
    dict of str to ndarray

    Raises
    ------
    FileNotFoundError, ValueError
        When the file (or the list of checksums) is missing or damaged; the message says which, and what to do.

    Examples
    --------
    >>> read("bundle_l10.npz")["blk.10.attn_q.weight"].shape
    (576, 360)
    """
    content, expected = read_bytes(name), _checksums().get(name)
    if expected is None:
        raise damaged(SUMS, f"it has no line for {name}")
    if hashlib.sha256(content).hexdigest() != expected:
        raise damaged(name, f"its checksum is not the one in data/{SUMS}")
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        return dict(file)


def _checksums():
    pairs = (line.split(maxsplit=1) for line in read_bytes(SUMS).decode("utf-8", errors="replace").splitlines())
    return {pair[1].strip(): pair[0] for pair in pairs if len(pair) == 2}
