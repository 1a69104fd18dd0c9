"""What a reader's function gives back: numbers out of whatever came, and one line out of an exception."""

import inspect
import numbers
import re
import traceback

import numpy as np

LONGEST_MESSAGE = 80
LARGEST_ANSWER = 10**7    # entries
ENDINGS = {RecursionError: "RecursionError: it calls itself without end", SystemExit: "SystemExit: it ends the program"}
KINDS = {"b": "truth values", "c": "complex numbers", "U": "text", "S": "text", "M": "dates", "m": "durations"}
INDEX = "indices run from 0 to the length less 1."
OUTSIDE = r"out of bounds|out of range"
PRODUCT = r"size (\d+) is different from (\d+)|not aligned: (\d+) .*!= (\d+)"
CAUSES = {
    r"broadcast": "entry by entry, two arrays need the same shape.",
    r"'float' object cannot be interpreted|must be integers|only integers|sequence of integers":
        "a size or an index must be whole: // instead of /.",
    r"enough dimensions": "@ needs an array on both sides; a number times an array is written with *.",
}
LOST_AXIS = "a sum or maximum over an axis lost its axis: keepdims=True keeps it."
LACKS_AXIS = "the one lacks an axis of the other: [:, None] makes a column of a row."
HINTS = (LOST_AXIS, LACKS_AXIS, *CAUSES.values())


class UnreadableError(Exception):
    """Says why a result cannot be read as numbers."""


def is_nothing(result):
    """Whether this is what a stub returns: None, ..., or a tuple of these."""
    if isinstance(result, tuple) and result:
        return all(map(is_nothing, result))
    return result is None or result is ...


def read_numbers(value):
    """A float64 copy of a full block of real numbers; else UnreadableError, with the reason."""
    try:
        array = np.asarray(value)
    except Exception as error:    # whatever the reader's object does when numpy reads it
        raise UnreadableError(_refusal(value, error)) from None
    if np.ma.is_masked(value):    # numpy has read what lies under the mask
        raise UnreadableError("some of its entries are masked")
    if array.size > LARGEST_ANSWER:
        raise UnreadableError(f"it has {array.size} entries")
    kind, dtype = array.dtype.kind, array.dtype
    if kind == "O":
        others = [entry for entry in array.flat if not isinstance(entry, numbers.Real)]
        if others and array.ndim == 0:
            raise UnreadableError(_refusal(value))
        if others:
            what = str(others[0]) if is_nothing(others[0]) else f"something of type {type(others[0]).__name__}"
            raise UnreadableError(f"{what} stands in it where a number should be (dtype object)")
    elif kind not in "iuf":
        raise UnreadableError(f"it holds {KINDS.get(kind, 'records')} (dtype {dtype})")
    try:
        return array.astype(float)
    except Exception:
        raise UnreadableError(f"a number in it is too large for a float (dtype {dtype})") from None


def _refusal(value, error=None):
    """Why numpy reads no numbers out of a value."""
    name = type(value).__name__
    if isinstance(error, ValueError) and isinstance(value, list | tuple):
        return "its rows have different lengths"
    if inspect.isgenerator(value) or inspect.iscoroutine(value):
        return f"it is a {name}; write a plain function with return"
    if "requires grad" in _text(error):    # PyTorch's words
        return f"the {name} still asks for gradients; return it with .detach()"
    return f"numpy cannot read its type, {name}"


def wrong_call(function, names):
    """Why the function cannot be called with arguments of these names in their order; None when it can."""
    try:
        takes = inspect.signature(function)
    except Exception:    # a function in C that does not say what it takes, or a broken signature
        return None
    try:
        takes.bind(*names)
    except TypeError:
        bare = [parameter.replace(default=takes.empty, annotation=takes.empty) for parameter in takes.parameters.values()]
        taken = str(inspect.Signature(bare))
        by_name = ", by place. What stands after the * can only be given by name: take the * away" if "*, " in taken else ""
        return f"Your function takes {taken}, but the check calls it with ({', '.join(names)}){by_name}."
    return None


def stopped(error, described, product, index):
    """One line about an exception in the reader's function; it ends with `product` where sizes of a product clash, with `index`
    where an index lies outside."""
    hint = _cause(error, product, index)
    return f'Your function stopped with "{_message(error)}"{_line(error)}: {described}{"; " + hint if hint else "."}'


def _text(error):
    """What the error says, on one line, without addresses and folders."""
    try:
        text = " ".join(str(error).split())
    except Exception:
        return ""
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", text)
    return re.sub(r"(?<![\w.])(?:[A-Za-z]:[\\/]|/)[^\s'\"()]*[\\/]", "", text)


def _message(error):
    text = _text(error)
    sizes = re.search(PRODUCT, text)
    if sizes:
        rows, columns = filter(None, (sizes[1] or sizes[4], sizes[2] or sizes[3]))
        return f"{'matmul' if sizes[1] else 'dot'}: {columns} columns meet {rows} rows"
    if isinstance(error, KeyError) or not text:
        text = f"{type(error).__name__} {text}".strip()
    text = ENDINGS.get(type(error), text)
    if len(text) <= LONGEST_MESSAGE:
        return text
    head, colon, _ = text.partition(": ")
    return f"{head}: …" if colon and len(head) < LONGEST_MESSAGE else f"{text[:LONGEST_MESSAGE]}…"


def _cause(error, product, index):
    """A sentence on the cause, only where the message leaves no doubt about it."""
    text = _text(error)
    if re.search(PRODUCT, text):
        return product
    if re.search(OUTSIDE, text):
        return index
    shapes = [list(map(int, re.findall(r"\d+", shape))) for shape in re.findall(r"\((\d+,[\d,]*)\)", text)]
    if "broadcast" in text and len(shapes) == 2:
        short, long = sorted(shapes, key=len)
        names = {name for frame, _ in traceback.walk_tb(error.__traceback__) for name in frame.f_code.co_names}
        if short in [long[:axis] + long[axis + 1:] for axis in range(len(long))]:
            return LOST_AXIS if names & {"sum", "max", "mean"} else LACKS_AXIS
    return next((hint for pattern, hint in CAUSES.items() if re.search(pattern, text)), "")


def _line(error):
    """The last line that ran in the reader's cell, as numbered there."""
    _, *frames = traceback.walk_tb(error.__traceback__)    # the first frame is the check's own
    files = [frame.f_code.co_filename for frame, _ in frames]
    lines = [line for file, (_, line) in zip(files, frames, strict=True) if file == files[0]]
    return f" in line {lines[-1]}" if lines else ""
