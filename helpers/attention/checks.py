"""Reads the arguments of the functions beside this module and checks that they fit."""

import math
import numbers
from itertools import combinations

import numpy as np


def read(caller, *arguments):
    """The type to return, then the arrays, widened for computing; each is (name, array, axes)."""
    arrays = [read_floats(caller, *argument) for argument in arguments]
    dtype = np.result_type(*arrays)
    return dtype, *cast(np.promote_types(dtype, np.float32), *arrays)


def read_floats(caller, name, array, axes):
    array = read_array(caller, name, array)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{caller}: {name} must hold real numbers, got dtype {array.dtype}")
    letters = axes.strip("()").split(", ")
    fits = array.ndim >= len(letters) - 1 if letters[0] == "..." else array.ndim == len(letters)
    if not fits:
        raise ValueError(f"{caller}: {name} must be {axes}, got shape {array.shape}")
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def read_array(caller, name, array):
    try:
        return np.asarray(array)
    except ValueError:
        raise ValueError(f"{caller}: {name} must be an array, got rows of unequal length") from None


def read_integer(caller, name, number, least=None):
    if not isinstance(number, numbers.Integral) or isinstance(number, bool):
        raise TypeError(f"{caller}: {name} must be an integer, got {number!r}")
    if least is not None and number < least:
        raise ValueError(f"{caller}: {name} must be at least {least}, got {number}")
    return int(number)


def read_scale(scale, Q):
    d_k = Q.shape[-1]
    if scale is None and d_k == 0:
        raise ValueError("attention: scale must be given when d_k = 0: 1/√0 is undefined "
                         f"(Q is {Q.shape})")
    scale = 1 / math.sqrt(d_k) if scale is None else scale
    if not isinstance(scale, numbers.Real) or isinstance(scale, bool):
        raise TypeError(f"attention: scale must be a real number, got {scale!r}")
    if not math.isfinite(scale):
        raise ValueError(f"attention: scale must be finite, got {scale!r}")
    return float(scale)


def read_mask(mask, scores):
    """The mask as numbers to add to the scores, in their type."""
    mask = read_array("attention", "mask", 0.0 if mask is None else mask)
    if mask.dtype.kind not in "fb":
        raise TypeError("attention: mask must hold booleans (True = may look) or floats (added to "
                        f"the scores), got dtype {mask.dtype}")
    if broadcast_shape(mask.shape, scores.shape) != scores.shape:
        raise ValueError(f"attention: mask is {mask.shape} but the scores are {scores.shape}; "
                         "mask must broadcast to the scores without enlarging them")
    mask = np.where(mask, 0.0, -np.inf) if mask.dtype == bool else mask
    return cast(scores.dtype, mask)[0]


def agree(caller, symbol, name, a, axis, other, b, other_axis):
    """Raise unless a and b are equally long along the axis called symbol."""
    if a.shape[axis] != b.shape[other_axis]:
        words = {-1: "columns", -2: "rows"}
        need = ("both need the same last axis" if axis == other_axis == -1 else
                f"{other} needs as many {words[other_axis]} as {name} has {words[axis]}")
        raise ValueError(
            f"{caller}: {other} has {symbol} = {b.shape[other_axis]} but {name} has {symbol} = "
            f"{a.shape[axis]}; {need} ({name} is {a.shape}, {other} is {b.shape})")


def agree_leading(caller, **arrays):
    for (name, a), (other, b) in combinations(arrays.items(), 2):
        if broadcast_shape(a.shape[:-2], b.shape[:-2]) is None:
            raise ValueError(
                f"{caller}: {other} has leading axes {b.shape[:-2]} but {name} has {a.shape[:-2]}; "
                f"they must broadcast ({name} is {a.shape}, {other} is {b.shape})")


def head_width(caller, name, array, H):
    H, columns = read_integer(caller, "H", H, least=1), array.shape[-1]
    if columns % H:
        raise ValueError(f"{caller}: {name} has {columns} columns, which H = {H} does not divide "
                         f"({name} is {array.shape})")
    return columns // H


def broadcast_shape(*shapes):
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        return None


def cast(dtype, *arrays):
    with np.errstate(over="ignore"):
        return [array.astype(dtype, copy=False) for array in arrays]
