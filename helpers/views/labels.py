"""Labels of rows, columns and bars: counted, shortened and aligned."""

import unicodedata
from numbers import Integral, Real

import numpy as np
from wcwidth import wcswidth

LONGEST = 14  # characters of a label that are shown; the rest becomes …


def check_numbers(owner, name, values):
    """Values as a new array of floats.

    Raises
    ------
    TypeError, ValueError
        When they are not real numbers, or in rows of unequal length.
    """
    try:
        numbers = np.array(values)
    except ValueError:
        raise ValueError(f"{owner}: {name} needs an array, got rows of unequal length") from None
    if numbers.dtype.kind not in "fiub":
        raise TypeError(f"{owner}: {name} needs real numbers, got dtype {numbers.dtype}")
    return numbers.astype(float)


def check_labels(owner, name, labels, count):
    """Labels as a list of strings, 0 … count-1 where none are given.

    Raises
    ------
    TypeError, ValueError
        When it is no sequence, or there are not exactly ``count`` labels.
    """
    if labels is None:
        return [str(i) for i in range(count)]
    try:
        labels = [str(label) for label in labels]
    except TypeError:
        raise TypeError(f"{owner}: {name} needs a sequence of names, got {type(labels).__name__}") from None
    if len(labels) != count:
        raise ValueError(f"{owner}: {name} needs {count} labels, one for each entry, got {len(labels)}: {labels}")
    return labels


def check_index(owner, name, index, count):
    """An index, or None.

    Raises
    ------
    TypeError, ValueError
        When it is no integer, or not 0 … count-1.
    """
    if index is not None and (isinstance(index, bool) or not isinstance(index, Integral)):
        raise TypeError(f"{owner}: {name} needs an integer, got {index!r}")
    if index is not None and not 0 <= index < count:
        raise ValueError(f"{owner}: {name} {index} lies outside 0 … {count - 1}")
    return index


def check_look(owner, decimals, limit=None):
    """Raise unless decimals is a whole number from 0 on, and limit None or a number from 0 on."""
    if isinstance(decimals, bool) or not isinstance(decimals, Integral) or decimals < 0:
        raise ValueError(f"{owner}: decimals needs a whole number from 0 on, got {decimals!r}")
    if limit is not None and not (isinstance(limit, Real) and 0 <= limit < np.inf):
        raise ValueError(f"{owner}: limit needs a number from 0 on, got {limit!r}")


def short(label):
    """A label that fits: at most LONGEST characters, on one line; an invisible one is ␣."""
    label = " ".join("".join(" " if unicodedata.category(c) in ("Cc", "Cs") else c for c in label).split())
    if not columns(label):
        return "␣"
    return label if len(label) <= LONGEST else label[: LONGEST - 1] + "…"


def right(text, width):
    """Text set right in a column of that many character cells (wide letters take two)."""
    return " " * max(0, width - columns(text)) + text


def columns(text):
    """Width of a text in character cells."""
    return max(0, wcswidth(text))
