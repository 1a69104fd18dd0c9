"""The two data files of the real model, read only when they are whole."""

import hashlib
import io
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parents[2] / "data"
WEIGHTS, RECORDS, SUMS = "bundle_l10.npz", "bundle_records.npz", "SHA256SUMS"
_CURE = "Take it again from the series (`git checkout -- data/{}`), or rebuild it as data/README.md says."


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
    content, expected = _bytes(name), _checksums().get(name)
    if expected is None:
        raise ValueError(f"data/{SUMS} has no line for {name}. {_CURE.format(SUMS)}")
    if hashlib.sha256(content).hexdigest() != expected:
        raise ValueError(f"data/{name} is damaged: its checksum is not the one in data/{SUMS}. {_CURE.format(name)}")
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        return dict(file)


def _bytes(name):
    try:
        return (FOLDER / name).read_bytes()
    except FileNotFoundError:
        raise FileNotFoundError(f"data/{name} is missing. {_CURE.format(name)}") from None


def _checksums():
    pairs = (line.split(maxsplit=1) for line in _bytes(SUMS).decode("utf-8", errors="replace").splitlines())
    return {pair[1].strip(): pair[0] for pair in pairs if len(pair) == 2}
