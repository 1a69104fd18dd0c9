"""How an exercise is checked: the reader's function, several random inputs, one paragraph."""

import ast
import inspect
import re
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import NamedTuple

import numpy as np

EXERCISES = {}
TOLERANCE = {"rtol": 1e-4, "atol": 1e-5}  # float32 is exact enough
LONGEST_MESSAGE = 80
ENDINGS = {
    RecursionError: "RecursionError: it calls itself without end",
    SystemExit: "SystemExit: it ends the program",
}


class Sizes(NamedTuple):
    """The sizes of one random input; no two are equal, so an exchanged axis shows."""

    T_q: int
    T_k: int
    d_model: int
    d_k: int
    d_v: int
    H: int


SIZES = [
    Sizes(T_q=5, T_k=7, d_model=8, d_k=3, d_v=4, H=9),
    Sizes(T_q=4, T_k=6, d_model=10, d_k=5, d_v=2, H=7),
    Sizes(T_q=7, T_k=5, d_model=12, d_k=2, d_v=3, H=6),
    Sizes(T_q=6, T_k=3, d_model=9, d_k=4, d_v=5, H=2),
    Sizes(T_q=8, T_k=4, d_model=11, d_k=6, d_v=7, H=3),
    Sizes(T_q=9, T_k=8, d_model=13, d_k=7, d_v=6, H=4),
]


class Mistake(NamedTuple):
    """A typical wrong answer, and what is wrong with it and why."""

    function: Callable
    why: str


@dataclass(frozen=True, eq=False)
class Exercise:
    """One exercise, registered under the name of its reference.

    Parameters
    ----------
    reference : function
        The right answer; `show_solution` prints its source.
    inputs : function (rng, sizes) -> tuple
        The arguments of one call, of the given `Sizes`.
    returns : tuple of str
        What each returned array is called.
    mistakes : sequence of Mistake
    hint : str
        Ends the line about a ValueError in the reader's code.
    factor : str
        Ends the line about an answer that is right up to a factor; without it there is none.
    """

    reference: Callable
    inputs: Callable
    returns: tuple
    mistakes: tuple
    hint: str = ""
    factor: str = ""

    def __post_init__(self):
        EXERCISES[self.name] = self

    @property
    def name(self):
        """The reference's name, which is also that of the reader's function."""
        return self.reference.__name__

    @property
    def parameters(self):
        """What the arguments are called."""
        return list(inspect.signature(self.reference).parameters)

    def cases(self):
        """The random inputs: the same values in new arrays at each call."""
        rng = np.random.default_rng(0)
        return [self.inputs(rng, sizes) for sizes in SIZES]

    def check(self, function):
        """Print what the reader's function does, in one paragraph."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            print(self._wrong_call(function) or self._verdict(function))

    def answers(self, function):
        """For each input the returned arrays, or a string that says why there are none."""
        pairs = zip(self.cases(), self.cases(), strict=True)
        return [self._answer(function, args, originals) for args, originals in pairs]

    def _wrong_call(self, function):
        if not callable(function):
            return (f"check_{self.name} needs the function itself, check_{self.name}({self.name}); "
                    f"it was given something of type {type(function).__name__}.")
        try:
            takes = inspect.signature(function)
        except ValueError:  # a function in C that does not say what it takes
            return None
        try:
            takes.bind(*self.parameters)
        except TypeError:
            return (f"Your function takes ({', '.join(takes.parameters)}), but the check calls it "
                    f"with ({', '.join(self.parameters)}).")
        return None

    def _answer(self, function, args, originals):
        described = self._describe(originals)
        try:
            result = function(*args)
        except (Exception, SystemExit) as error:
            hint = f"; {self.hint}" if self.hint and isinstance(error, ValueError) else "."
            where = f"{_line(error)}: {described}{hint}"
            return f'Your function stopped with "{_message(error)}"{where}'
        for name, arg, original in zip(self.parameters, args, originals, strict=True):
            if not np.array_equal(arg, original):
                return (f"Your function changes its input {name}, which others still need. "
                        f"Make a new array instead of writing into {name}.")
        return self._read(result)

    def _read(self, result):
        if _is_nothing(result):
            return f"Not yet: {self.name} returned nothing."
        parts = [result] if len(self.returns) == 1 else result
        if isinstance(parts, np.ndarray) and parts.ndim:  # np.stack([Q, K]) unpacks like a pair
            parts = list(parts)
        if not isinstance(parts, list | tuple):
            return f"{self._expected()} one of type {type(parts).__name__}."
        if len(parts) != len(self.returns):
            return f"{self._expected()} {len(parts)}."
        arrays = [_read_numbers(part) for part in parts]
        for name, part, array in zip(self.returns, parts, arrays, strict=True):
            if array is None:
                return (f"{name} cannot be read as numbers (it is of type {type(part).__name__}); "
                        "expected an array, or lists of equal length.")
        return arrays

    def _expected(self):
        return (f"Expected {len(self.returns)} results, return {', '.join(self.returns)}; "
                f"{self.name} returned")

    def _verdict(self, function):
        answers, expected = self.answers(function), self.answers(self.reference)
        problems = list(map(self._problem, answers, expected, self.cases()))
        right = problems.count(None)
        if right == len(SIZES):
            parts = zip(self.returns, expected[0], strict=True)
            found = " and ".join(f"{_shape(array, 'one')} {name}" for name, array in parts)
            return f"Right: {found}, equal to the reference on {right} random inputs."
        for mistake in self.mistakes:
            if all(map(_same, answers, self.answers(mistake.function))):
                return mistake.why
        factor = _factor(answers, expected) if self.factor else None
        if factor:
            return f"Right up to the factor {factor}; {self.factor}"
        some = f"Right on {right} of {len(SIZES)} random inputs only. " if right else ""
        return some + next(filter(None, problems))

    def _problem(self, answer, expected, args):
        """What is wrong with one answer; None when it is right."""
        if isinstance(answer, str):
            return answer
        for name, got, want in zip(self.returns, answer, expected, strict=True):
            if got.shape != want.shape:
                return (f"Wrong shape: {name} is {_shape(got)}, expected {_shape(want)}, "
                        f"where {self._describe(args)}.")
            if np.isnan(got).any():
                return (f"NaN in {name}: {np.isnan(got).sum()} of {got.size} values are no number, "
                        f"where {self._describe(args)}.")
            different = np.argwhere(~np.isclose(got, want, **TOLERANCE))
            if len(different):
                place = tuple(different[0].tolist())
                entry = f"{name}[{', '.join(map(str, place))}]" if place else name
                return (f"Not equal to the reference: {entry} is {got[place]:.6g}, "
                        f"expected {want[place]:.6g}, where {self._describe(args)}.")
        return None

    def _describe(self, args):
        """Q is (5, 3) and K is (7, 3)"""
        words = [f"{name} is {arg.shape if isinstance(arg, np.ndarray) else arg}"
                 for name, arg in zip(self.parameters, args, strict=True)]
        return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def show_solution(name):
    """Print the reference answer of an exercise.

    Parameters
    ----------
    name : str
        The name of the function that the exercise asks for.

    Raises
    ------
    TypeError, ValueError
        When it is not a string, or no exercise has this name (the message lists the names).

    Examples
    --------
    >>> show_solution("scores")
    def scores(Q, K):
        return Q @ K.T    # (T_q, d_k) @ (d_k, T_k) -> (T_q, T_k)
    """
    if not isinstance(name, str):
        raise TypeError(f"show_solution: name must be a string, got {type(name).__name__}")
    if name not in EXERCISES:
        raise ValueError(f"show_solution: unknown exercise {name!r}; "
                         f"expected one of {', '.join(EXERCISES)}")
    source = inspect.getsource(EXERCISES[name].reference)
    docstring = ast.parse(source).body[0].body[0]
    lines = source.splitlines()
    print(*lines[:docstring.lineno - 1], *lines[docstring.end_lineno:], sep="\n")


def _message(error):
    """What the error says, on one line, without addresses and folders."""
    text = " ".join(str(error).split())
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", text)
    text = re.sub(r"(?<![\w.])(?:[A-Za-z]:[\\/]|/)[^\s'\"()]*[\\/]", "", text)
    if isinstance(error, KeyError) or not text:
        text = f"{type(error).__name__} {text}".strip()
    text = ENDINGS.get(type(error), text)
    if len(text) <= LONGEST_MESSAGE:
        return text
    head, colon, _ = text.partition(": ")
    return f"{head}: …" if colon and len(head) < LONGEST_MESSAGE else f"{text[:LONGEST_MESSAGE]}…"


def _line(error):
    """The last line that ran in the reader's cell, as numbered there."""
    _, *frames = traceback.walk_tb(error.__traceback__)  # the first frame is the check's own
    files = [frame.f_code.co_filename for frame, _ in frames]
    lines = [line for file, (_, line) in zip(files, frames, strict=True) if file == files[0]]
    return f" in line {lines[-1]}" if lines else ""


def _is_nothing(result):
    if isinstance(result, tuple) and result:
        return all(map(_is_nothing, result))
    return result is None or result is ...


def _read_numbers(value):
    """A float64 copy, or None when these are not real numbers in a full block."""
    if np.ma.is_masked(value):  # numpy would read what lies under the mask
        return None
    try:
        array = np.array(value)
    except Exception:  # whatever the reader's object does when numpy reads it
        return None
    return array.astype(float) if array.dtype.kind in "biuf" else None


def _same(answer, other):
    if isinstance(answer, str) or isinstance(other, str):
        return False
    return all(a.shape == b.shape and np.allclose(a, b, **TOLERANCE, equal_nan=True)
               for a, b in zip(answer, other, strict=True))


def _factor(answers, expected):
    """The number that turns every expected array into the answer, in words; None without one."""
    if any(isinstance(answer, str) for answer in answers):
        return None
    got, want = list(chain(*answers)), list(chain(*expected))
    if [array.shape for array in got] != [array.shape for array in want]:
        return None
    got, want = (np.concatenate(list(map(np.ravel, arrays))) for arrays in (got, want))
    factor = float(got @ want / (want @ want))
    return _in_words(factor) if got.any() and np.allclose(got, factor * want, **TOLERANCE) else None


def _in_words(factor):
    """1/3, 1/√3 or 0.123"""
    fraction, square = (Fraction(x).limit_denominator(64) for x in (factor, factor**2))
    if np.isclose(factor, float(fraction)):
        return str(fraction)
    if factor > 0 and square.numerator == 1 and np.isclose(factor**2, float(square)):
        return f"1/√{square.denominator}"
    return f"{factor:.4g}"


def _shape(array, single="one number"):
    return array.shape if array.shape else single
