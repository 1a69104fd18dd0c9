"""The files in data/: what is wrong with one is told in one error that names it and says what to do."""

import json
import unicodedata
import zipfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parents[1] / "data"


@contextmanager
def reading(name):
    """The path of a data file. Whatever fails while it and its content are read becomes an error that names it.

    Raises
    ------
    FileNotFoundError, ValueError
        When the file is missing; when anything else fails in the block.

    >>> with reading("example.json"):
    ...     {"sentence": "A cat."}["heads"]
    Traceback (most recent call last):
    ValueError: data/example.json is damaged: it has no 'heads'. Take it again from the series \
(`git checkout -- data/example.json`); data/README.md says where it comes from.
    """
    try:
        yield FOLDER / name
    except FileNotFoundError:
        raise FileNotFoundError(f"data/{name} is missing. Take it again {_source(name)}") from None
    except KeyError as error:
        raise damaged(name, f"it has no {error}") from None
    except Exception as error:
        raise damaged(name, str(error) or type(error).__name__) from None


def read_json(name):
    """The object in a JSON file, its letters composed (é is one character, as the tokenizer makes it).

    >>> read_json("example.json")["sentence"]
    'A fluffy blue creature roamed the verdant forest.'
    """
    with reading(name) as path:
        found = json.loads(unicodedata.normalize("NFC", path.read_text(encoding="utf-8")))
        if not isinstance(found, dict):
            raise TypeError(f"it should hold an object, got {type(found).__name__}")
        return found


def read_arrays(name):
    """The arrays in an .npz file, by name: plain numbers and texts only.

    >>> read_arrays("bundle_l10.npz")["blk.10.attn_q.weight"].shape
    (576, 360)
    """
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


def damaged(name, reason):
    """The ValueError for a file that is there and not as it should be."""
    return ValueError(f"data/{name} is damaged: {reason}. Take it again {_source(name)}")


def _source(name):
    return f"from the series (`git checkout -- data/{name}`); data/README.md says where it comes from."
