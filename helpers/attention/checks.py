"""Reads the arguments of public functions: a shape is written once, and what does not fit it is named."""

import math
import numbers
from itertools import combinations

import numpy as np

MOST = 10**9    # tokens, heads, columns: more is a slip
AXES = {-1: "columns", -2: "rows", -3: "matrices"}


def read(caller, **arguments):
    """Arguments as arrays of floats whose shapes fit one another.

    Parameters
    ----------
    caller : str
        Begins each message.
    **arguments : (array, str)
        What came, and its shape. A letter that occurs twice must stand for the same length, a number stands for
        itself; leading axes "..." must broadcast.

    Returns
    -------
    list of ndarray
        Floats keep their type, integers and booleans become float64.

    Raises
    ------
    TypeError, ValueError
        With the name of the argument, what was expected and what came.

    >>> Q, K = read("attention", Q=([[1, 2]], "(..., T_q, d_k)"), K=(np.ones((3, 2)), "(..., T_k, d_k)"))
    >>> read("attention", Q=(Q, "(..., T_q, d_k)"), K=(K[:, :1], "(..., T_k, d_k)"))
    Traceback (most recent call last):
    ValueError: attention: K has d_k = 1 but Q has d_k = 2; both need the same last axis (Q is (1, 2), K is (3, 1))
    """
    arrays = {name: _read_floats(caller, name, *argument) for name, argument in arguments.items()}
    letters = {name: _letters(axes) for name, (_, axes) in arguments.items()}
    _check_letters(caller, arrays, letters)
    _check_leading(caller, arrays, letters)
    return list(arrays.values())


def read_array(caller, name, array):
    if np.ma.is_masked(array):
        raise TypeError(f"{caller}: {name} must be a plain array, got a masked one, whose mask would be lost")
    try:
        return np.asarray(array)
    except ValueError:
        raise ValueError(f"{caller}: {name} must be an array, got rows of unequal length") from None


def read_indices(caller, name, array, axes, count):
    """An array of integers 0 … count − 1."""
    array = read_array(caller, name, array)
    _check_axes(caller, name, array, axes)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"{caller}: {name} must hold integers, got dtype {array.dtype}")
    if array.size and not 0 <= array.min() <= array.max() < count:
        raise ValueError(f"{caller}: {name} must lie between 0 and {count - 1}, got {array.min()} to {array.max()}")
    return array.astype(int, copy=False)


def read_flag(caller, name, flag):
    if not isinstance(flag, bool | np.bool_):
        raise TypeError(f"{caller}: {name} must be True or False, got {flag!r}")
    return bool(flag)


def read_seed(caller, seed):
    return read_integer(caller, "seed", seed, least=0, most=math.inf)


def read_integer(caller, name, number, least=None, most=MOST):
    if not isinstance(number, numbers.Integral) or isinstance(number, bool):
        raise TypeError(f"{caller}: {name} must be an integer, got {number!r}")
    if least is not None and number < least:
        raise ValueError(f"{caller}: {name} must be at least {least}, got {number}")
    if number > most:
        raise ValueError(f"{caller}: {name} must be at most {most}, got {number}")
    return int(number)


def read_number(caller, name, number):
    if not isinstance(number, numbers.Real) or isinstance(number, bool):
        raise TypeError(f"{caller}: {name} must be a real number, got {number!r}")
    try:
        found = float(number)
    except OverflowError:
        found = math.inf
    if not math.isfinite(found):
        raise ValueError(f"{caller}: {name} must be finite, got {number!r}")
    return found


def head_width(caller, name, array, H):
    H, columns = read_integer(caller, "H", H, least=1), array.shape[-1]
    if columns % H:
        raise ValueError(f"{caller}: {name} has {columns} columns, which H = {H} does not divide "
                         f"({name} is {array.shape})")
    return columns // H


def widen(*arrays):
    """The common type, in which results are returned, and the arrays in float32 at least, for computing."""
    dtype = np.result_type(*arrays)
    return dtype, *cast(np.promote_types(dtype, np.float32), *arrays)


def cast(dtype, *arrays):
    with np.errstate(over="ignore"):
        return [array.astype(dtype, copy=False) for array in arrays]


def broadcast_shape(*shapes):
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        return None


def _letters(axes):
    return [letter for letter in axes.strip("(,)").split(", ") if letter]


def _read_floats(caller, name, array, axes):
    array = read_array(caller, name, array)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{caller}: {name} must hold real numbers, got dtype {array.dtype}")
    _check_axes(caller, name, array, axes)
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def _check_axes(caller, name, array, axes):
    letters = _letters(axes)
    fits = array.ndim >= len(letters) - 1 if letters[:1] == ["..."] else array.ndim == len(letters)
    if not fits or any(n != int(x) for n, x in zip(array.shape[::-1], letters[::-1], strict=False) if x.isdigit()):
        raise ValueError(f"{caller}: {name} must be {axes}, got shape {array.shape}")


def _check_letters(caller, arrays, letters):
    first = {}    # letter -> the array that has it first, and the axis, counted from the end
    for other, b in arrays.items():
        axes = [(axis, letter) for axis, letter in enumerate(letters[other], -len(letters[other])) if letter != "..."]
        for other_axis, letter in axes:
            name, axis = first.setdefault(letter, (other, other_axis))
            a = arrays[name]
            if a.shape[axis] == b.shape[other_axis]:
                continue
            need = ("both need the same last axis" if axis == other_axis == -1 else
                    f"{other} needs as many {AXES[other_axis]} as {name} has {AXES[axis]}")
            raise ValueError(f"{caller}: {other} has {letter} = {b.shape[other_axis]} but {name} has {letter} = "
                             f"{a.shape[axis]}; {need} ({name} is {a.shape}, {other} is {b.shape})")


def _check_leading(caller, arrays, letters):
    leading = {name: a.shape[:1 - len(letters[name]) or None] for name, a in arrays.items() if letters[name][:1] == ["..."]}
    for (name, axes), (other, other_axes) in combinations(leading.items(), 2):
        if broadcast_shape(axes, other_axes) is None:
            raise ValueError(f"{caller}: {other} has leading axes {other_axes} but {name} has {axes}; they must broadcast "
                             f"({name} is {arrays[name].shape}, {other} is {arrays[other].shape})")
