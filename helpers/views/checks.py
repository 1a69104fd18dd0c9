"""What a view accepts: checked when it is made, so that nothing fails when it is drawn. Errors name the view and the argument."""

from collections.abc import Mapping
from numbers import Integral, Real

import numpy as np

LARGEST = 1e300  # beyond it sums and differences would leave the range of a float
MOST_PIXELS, MOST_DECIMALS = 10_000, 15


def check_numbers(owner, name, values):
    """Values as a new array of floats; masked ones become NaN.

    Raises
    ------
    TypeError, ValueError
        When they are not real numbers, in rows of unequal length, or finite but beyond 1e300.
    """
    try:
        numbers = np.array(values, subok=True)
    except ValueError:
        raise ValueError(f"{owner}: {name} needs an array, got rows of unequal length") from None
    if numbers.dtype.kind not in "fiub":
        raise TypeError(f"{owner}: {name} needs real numbers, got dtype {numbers.dtype}")
    numbers = np.ma.filled(numbers.astype(float), np.nan)
    beyond = np.isfinite(numbers) & (np.abs(numbers) > LARGEST)
    if beyond.any():
        raise ValueError(f"{owner}: {name} needs numbers up to {LARGEST:g}, got {numbers[beyond][0]:g}")
    return np.asarray(numbers)


def check_number(owner, name, value, least=-LARGEST):
    """A finite number as a float, or None."""
    if value is None:
        return None
    wanted = "a number" if least < 0 else f"a number from {least:g} on"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise TypeError(f"{owner}: {name} needs {wanted}, got {_said(value)}")
    if not least <= value <= LARGEST:
        raise ValueError(f"{owner}: {name} needs {wanted}{' up to 1e300' * (value > LARGEST)}, got {_said(value)}")
    return float(value)


def check_pair(owner, name, pair):
    """Two finite numbers as a tuple of floats."""
    numbers = check_numbers(owner, name, pair)
    if numbers.shape != (2,) or not np.isfinite(numbers).all():
        raise ValueError(f"{owner}: {name} needs two finite numbers, got {_said(pair)}")
    return tuple(numbers.tolist())


def check_limits(owner, limits):
    """Two increasing finite numbers as a tuple of floats, or None."""
    if limits is None:
        return None
    ends = check_numbers(owner, "limits", limits)
    if ends.shape != (2,) or not np.isfinite(ends).all() or not ends[0] < ends[1]:
        raise ValueError(f"{owner}: limits needs two increasing numbers, got {_said(limits)}")
    return tuple(ends.tolist())


def check_whole(owner, name, value, least, most):
    """A whole number between two others."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{owner}: {name} needs a whole number, got {_said(value)}")
    if not least <= value <= most:
        raise ValueError(f"{owner}: {name} needs a whole number from {least} to {most}, got {_said(value)}")
    return int(value)


def check_decimals(owner, decimals):
    """The digits after the point."""
    return check_whole(owner, "decimals", decimals, 0, MOST_DECIMALS)


def check_pixels(owner, name, pixels):
    """A width or a height."""
    return check_whole(owner, name, pixels, 1, MOST_PIXELS)


def check_index(owner, name, index, count):
    """An index from 0 on, or None."""
    if index is None:
        return None
    if isinstance(index, bool) or not isinstance(index, Integral):
        raise TypeError(f"{owner}: {name} needs an integer, got {_said(index)}")
    if not 0 <= index < count:
        raise ValueError(f"{owner}: {name} {_said(index)} lies outside 0 … {count - 1}")
    return int(index)


def check_indices(owner, name, indices, count):
    """Indices as a tuple."""
    try:
        indices = tuple(indices)
    except TypeError:
        raise TypeError(f"{owner}: {name} needs indices, got {_said(indices)}") from None
    if any(index is None for index in indices):
        raise TypeError(f"{owner}: {name} needs indices, got None among them")
    return tuple(check_index(owner, name, index, count) for index in indices)


def check_labels(owner, name, labels, count):
    """Labels as a list of strings, 0 … count-1 where none are given."""
    if labels is None:
        return [str(i) for i in range(count)]
    try:
        labels = [str(label) for label in labels]
    except TypeError:
        raise TypeError(f"{owner}: {name} needs a sequence of names, got {type(labels).__name__}") from None
    if len(labels) != count:
        raise ValueError(f"{owner}: {name} needs {count} labels, one for each entry, got {len(labels)}: {labels}")
    return labels


def check_text(owner, **texts):
    """Raise unless each of these arguments is a text."""
    for name, text in texts.items():
        if not isinstance(text, str):
            raise TypeError(f"{owner}: {name} needs text, got {_said(text)}")


def check_flag(owner, name, flag):
    """Raise unless it is True or False."""
    if not isinstance(flag, (bool, np.bool_)):
        raise TypeError(f"{owner}: {name} needs True or False, got {_said(flag)}")


def check_axes(owner, axes):
    """Two names as a tuple of str."""
    if not isinstance(axes, (tuple, list)) or not all(isinstance(name, str) for name in axes):
        raise TypeError(f"{owner}: axes needs two names, got {_said(axes)}")
    if len(axes) != 2:
        raise ValueError(f"{owner}: axes needs two names, got {_said(axes)}")
    return tuple(axes)


def check_choice(owner, name, value, choices):
    """Raise unless the value is one of these words."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{owner}: {name} is one of {', '.join(choices)}, got {_said(value)}")


def check_named(owner, name, arrays):
    """A dict of arrays with names as str, each array checked."""
    if not isinstance(arrays, Mapping):
        raise TypeError(f"{owner}: {name} needs a dict of arrays by name, got {_said(arrays)}")
    return {str(key): check_numbers(owner, f"{name} {str(key)!r}", values) for key, values in arrays.items()}


def _said(value):
    """A value as a message shows it: short, on one line."""
    said = " ".join(repr(value).split())
    return said if len(said) <= 60 else said[:59] + "…"
