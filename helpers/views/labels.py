"""Labels of rows, columns and bars: counted, shortened and aligned."""

import unicodedata

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
    ValueError
        When there are not exactly ``count`` labels.
    """
    if labels is None:
        return [str(i) for i in range(count)]
    labels = [str(label) for label in labels]
    if len(labels) != count:
        raise ValueError(f"{owner}: {name} needs {count} labels, one for each entry, got {len(labels)}: {labels}")
    return labels


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
