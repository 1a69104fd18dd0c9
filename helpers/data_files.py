"""The files in data/, read only when they are whole. Otherwise the error names the file and says what to do."""

import json
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "data"


def read_bytes(name):
    """The content of a data file.

    Parameters
    ----------
    name : str
        Of a file in data/.

    Returns
    -------
    bytes

    Raises
    ------
    FileNotFoundError
        When it is missing; the message says what to do.

    Examples
    --------
    >>> read_bytes("example.json")[:1]
    b'{'
    """
    try:
        return (FOLDER / name).read_bytes()
    except FileNotFoundError:
        raise FileNotFoundError(f"data/{name} is missing. {_cure(name)}") from None


def read_json(name, *parts):
    """The object in a JSON file.

    Parameters
    ----------
    name : str
        Of a file in data/.
    *parts : str
        What the object must hold.

    Returns
    -------
    dict

    Raises
    ------
    FileNotFoundError, ValueError
        When the file is missing, is no JSON object in UTF-8, or lacks a part.

    Examples
    --------
    >>> read_json("example.json", "sentence")["sentence"]
    'A fluffy blue creature roamed the verdant forest.'
    """
    try:
        found = json.loads(read_bytes(name).decode("utf-8"))
    except ValueError as error:  # no UTF-8, or no JSON
        raise damaged(name, str(error)) from None
    if not isinstance(found, dict):
        raise damaged(name, f"it should hold an object, got {type(found).__name__}")
    for part in parts:
        if part not in found:
            raise damaged(name, f"it has no {part!r}")
    return found


def damaged(name, reason):
    """The ValueError for a file that is there and not as it should be.

    Examples
    --------
    >>> print(damaged("example.json", "it has no 'sentence'"))
    data/example.json is damaged: it has no 'sentence'. Take it again from the series \
(`git checkout -- data/example.json`); data/README.md says where it comes from.
    """
    return ValueError(f"data/{name} is damaged: {reason}. {_cure(name)}")


def _cure(name):
    return f"Take it again from the series (`git checkout -- data/{name}`); data/README.md says where it comes from."
