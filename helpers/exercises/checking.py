"""How an exercise is checked: the reader's function, random inputs and edges, one paragraph."""

import ast
import inspect
import re
import textwrap
import warnings
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

from .handing_in import TRIES, Try
from .reading import HINTS, INDEX, UnreadableError, is_nothing, read_numbers, stopped, wrong_call
from .slips import NAMES, RESULTS, SLIPS, Slip

EXERCISES = {}
WIDTH = 100    # characters in a line: JupyterLab breaks longer ones inside a word
TOLERANCE = {"rtol": 1e-4, "atol": 1e-5}    # float32 is exact enough
BEGINNINGS = {"not yet": "Not yet: ", "stopped": "Your function stopped"}    # of a problem, by the verdict
PRODUCT = "in a product the left one has as many columns as the right one has rows."
NO_FACTOR = "the result has no such factor."
NAN = "0/0, ∞ − ∞, 0 · ∞, or the logarithm or root of a negative number"
INFINITE = "a division by 0, from exp of a large number, or from log 0"


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


class Case(NamedTuple):
    """The arguments of one call, and what is special about them."""

    args: tuple
    edge: str = ""


class Mistake(NamedTuple):
    """A function that makes a slip, what it answers, and what is said about it."""

    function: Callable
    answers: list
    why: str


class Verdict(NamedTuple):
    """What a check says: one of `handing_in.VERDICTS`, the paragraph, and what of it is ours, not made from the answer."""

    kind: str
    text: str
    advice: str = ""


class Exercise:
    """One exercise, registered under the name of its reference; called with the reader's function, it checks that.

    reference : the right answer; `show_solution` prints its source, the check carries its docstring
    inputs : function (rng, sizes) that makes the arguments of one call, of the given `Sizes`
    returns : what the returned array is called, or a tuple of names
    slips : (right, wrong, why) of a step, or (wrong, why) of the whole result; those of `SLIPS` come by themselves
    ways : further expressions for the result, in which slips are looked for as well
    edges : function (rng) that makes further arguments, by the name of what is special about them
    product, index, factor : end the line about a product whose sizes clash, about an index outside, and about an answer
        that is right up to a factor
    """

    def __init__(self, reference, inputs, returns, slips=(), ways=(), edges=lambda rng: {}, product=PRODUCT, index=INDEX,
                 factor=NO_FACTOR):
        self.reference, self.inputs, self.edges, self.ways = reference, inputs, edges, ways
        self.returns = (returns,) if isinstance(returns, str) else returns
        self.slips = [Slip(*slip) if len(slip) == 3 else Slip.of_all(*slip) for slip in slips]
        self.product, self.index, self.factor = product, index, factor
        self.name = reference.__name__    # that of the reader's function, too
        self.__name__, self.__doc__ = f"check_{self.name}", inspect.getdoc(reference)
        EXERCISES[self.name] = self

    def __repr__(self):
        return self.__name__

    def __call__(self, *functions):
        """Print what the reader's function does, in one paragraph."""
        function = functions[0] if len(functions) == 1 else functions
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            if callable(function):
                kind, text, advice = self._verdict(function)
                TRIES.append(Try(self.name, kind, advice, function))
            else:
                text = (f"{self} needs the function itself, {self}({self.name}); "
                        f"it was given something of type {type(function).__name__}.")
        print(textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False))

    @cached_property
    def parameters(self):
        """What the arguments are called."""
        return list(inspect.signature(self.reference).parameters)

    @cached_property
    def cases(self):
        """The random inputs, then the edges."""
        rng = np.random.default_rng(0)
        random = [Case(self.inputs(rng, sizes)) for sizes in SIZES]
        return random + [Case(args, edge) for edge, args in self.edges(rng).items()]

    @cached_property
    def expected(self):
        """The reference's answers."""
        return self.answers(self.reference)

    @cached_property
    def mistakes(self):
        """Each slip of a step, and each of the result that makes a difference."""
        head = f"def {self.name}({', '.join(self.parameters)}):\n"
        bodies = [re.sub(" *#.*", "", solution(self.reference)).partition(":\n")[2], *(f"    return {way}" for way in self.ways)]
        sources = {}
        for slip in (*self.slips, *SLIPS):
            for wrong in chain.from_iterable(map(slip.changes, bodies)):
                sources.setdefault(head + wrong, slip.why)
        steps = [(self._function(source), why) for source, why in sources.items()]
        results = [(self._then(change), why) for changes, why in RESULTS for change in changes]
        made = [Mistake(function, self.answers(function), why) for function, why in steps + results]
        return [mistake for mistake in made if _tells(mistake.answers[:len(SIZES)])
                and (mistake.function in dict(steps) or not _alike(mistake.answers, self.expected))]

    def _function(self, source):
        names = NAMES | self.reference.__globals__ | {"reference": self.reference}
        exec(source, names)
        return names[self.name]

    def answers(self, function):
        """For each case the returned arrays, or a string that says why there are none."""
        return [self._answer(function, case) for case in self.cases]

    def _then(self, change):
        """The reference with a last step, an expression of R."""
        def function(*args):
            parts = self._parts(self.reference(*args))
            arrays = [eval(change, NAMES | {"R": np.asarray(part)}) for part in parts]
            return arrays if len(arrays) > 1 else arrays[0]
        return function

    def _parts(self, result):
        return [result] if len(self.returns) == 1 else result

    def _answer(self, function, case):
        args = [np.copy(arg) if isinstance(arg, np.ndarray) else arg for arg in case.args]
        try:
            with np.errstate(all="ignore"):
                result = function(*args)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return stopped(error, self._describe(case), self.product, self.index)
        changed = [name for name, *both in zip(self.parameters, args, case.args, strict=True) if not np.array_equal(*both)]
        if changed:
            return (f"Your function changes its input {changed[0]}, which others still need. "
                    f"Make a new array instead of writing into {changed[0]}.")
        return self._read(result)

    def _read(self, result):
        if is_nothing(result):
            return f"Not yet: {self.name} returned nothing."
        parts = self._parts(result)
        stacked = isinstance(parts, np.ndarray) and parts.ndim    # np.stack([Q, K]) unpacks like a pair
        if not (isinstance(parts, list | tuple) or stacked) or len(parts) != len(self.returns):
            return (f"Expected {len(self.returns)} results, return {', '.join(self.returns)}; "
                    f"{self.name} returned {_kind(result)}.")
        arrays = []
        for name, part in zip(self.returns, parts, strict=True):
            if is_nothing(part):
                return f"Not yet: {self.name} returned nothing for {name}."
            try:
                arrays.append(read_numbers(part))
            except UnreadableError as reason:
                wanted = "an array of numbers, or lists" if self.expected[0][len(arrays)].ndim else "one number"
                return f"{name} cannot be read as numbers: {reason}; expected {wanted}."
        return arrays

    def _verdict(self, function):
        if problem := wrong_call(function, self.parameters):
            return Verdict("other", problem)
        answers = self.answers(function)
        problems = list(map(self._problem, answers, self.expected, self.cases))
        if not any(problems):
            edges = len(self.cases) - len(SIZES)
            also = f" and {edges} edge case{'s' * (edges > 1)}" if edges else ""
            return Verdict("right", f"Right: {self._found()}, equal to the reference on {len(SIZES)} random inputs{also}.")
        known = self._known(answers[:len(SIZES)] if any(problems[:len(SIZES)]) else answers)
        if known:
            return Verdict("mistake", known, known)
        if factor := _factor(answers, self.expected):
            return Verdict("factor", f"Right up to the factor {factor}; {self.factor}", f"Right up to a factor; {self.factor}")
        each = [_factor([answer], [want]) for answer, want in zip(answers, self.expected, strict=True) if np.size(want[0]) > 1]
        if each and all(each):
            text = f"Right up to a factor, another one in each input ({', '.join(each[:3])}, …); {self.factor}"
            return Verdict("factor", text, f"Right up to a factor; {self.factor}")
        return self._unknown(problems)

    def _unknown(self, problems):
        """The verdict on answers that no mistake explains: the first problem."""
        right, first = problems.count(None), next(filter(None, problems))
        some = f"Right on {right} of {len(problems)} inputs only. " if right else ""
        kind = next((kind for kind, start in BEGINNINGS.items() if first.startswith(start)), "other")
        hint = next((hint for hint in (self.product, self.index, *HINTS) if first.endswith(hint)), None)
        return Verdict(kind, some + first, f"Stopped with an error; {hint}" if hint else "")

    def _found(self):
        return " and ".join(f"{_shape(array, 'one')} {name}" for name, array in zip(self.returns, self.expected[0], strict=True))

    def _known(self, answers):
        """What is said about the first slip that gives these answers."""
        return next((mistake.why for mistake in self.mistakes if _alike(mistake.answers[:len(answers)], answers)), None)

    def _problem(self, answer, expected, case):
        """What is wrong with one answer; None when it is right."""
        where = f"where {self._describe(case)}."
        if isinstance(answer, str):
            return answer if case.edge in answer else f"{answer[:-1]}, {where}"
        for name, got, want in zip(self.returns, answer, expected, strict=True):
            if got.shape != want.shape:
                return f"Wrong shape: {name} is {_shape(got)}, expected {_shape(want)}, {where}"
            for word, bad, cause in (("NaN", np.isnan(got), NAN), ("Infinite", np.isinf(got) & np.isfinite(want), INFINITE)):
                if bad.any():
                    return f"{word} in {name}: {bad.sum()} of {bad.size} values, {where} It comes from {cause}."
            different = np.argwhere(~np.isclose(got, want, **TOLERANCE))
            if len(different):
                place = tuple(different[0].tolist())
                entry = f"{name}[{', '.join(map(str, place))}]" if place else name
                return f"Not equal to the reference: {entry} is {got[place]:.6g}, expected {want[place]:.6g}, {where}"
        return None

    def _describe(self, case):
        """Q is (5, 3) and K is (7, 3)"""
        words = [f"{name} is {arg.shape if isinstance(arg, np.ndarray) else arg}"
                 for name, arg in zip(self.parameters, case.args, strict=True)]
        return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]])) + (f" ({case.edge})" if case.edge else "")


def show_solution(name):
    """Print the reference answer of an exercise, by the name of the function that it asks for.

    Another name raises a ValueError that lists them all, what is no string a TypeError.

    >>> show_solution("scores")
    def scores(Q, K):
        return Q @ K.T    # (T_q, d_k) @ (d_k, T_k) -> (T_q, T_k)
    """
    if not isinstance(name, str):
        raise TypeError(f"show_solution: name must be a string, got {type(name).__name__}")
    if name not in EXERCISES:
        raise ValueError(f"show_solution: unknown exercise {name!r}; expected one of {', '.join(EXERCISES)}")
    source = solution(EXERCISES[name].reference)
    used = [helper for helper in ("softmax", "split_heads") if f"{helper}(" in source.partition(":\n")[2]]
    imports = f"from helpers.attention import {', '.join(used)}\n\n" if used else ""
    print(imports + source)


def solution(reference):
    """The source of a reference without its docstring."""
    source = inspect.getsource(reference)
    docstring = ast.parse(source).body[0].body[0]
    lines = source.splitlines()
    return "\n".join([*lines[:docstring.lineno - 1], *lines[docstring.end_lineno:]])


def _same(answer, other):
    if isinstance(answer, str) or isinstance(other, str):
        return isinstance(answer, str) and isinstance(other, str)
    return all(a.shape == b.shape and np.allclose(a, b, **TOLERANCE, equal_nan=True)
               for a, b in zip(answer, other, strict=True))


def _alike(made, answers):
    """Whether a mistake makes these answers, and they tell it from others."""
    return _tells(made) and all(map(_same, made, answers))


def _tells(made):
    """Whether these answers say something: NaN or zeros throughout, or always the same number, could be anybody's."""
    parts = [part for answer in made if not isinstance(answer, str) for part in answer]
    one_number = all(part.ndim == 0 for part in parts) and len({float(part) for part in parts}) == 1
    return any((part[~np.isnan(part)] != 0).any() for part in parts) and not one_number


def _factor(answers, expected):
    """The number that turns every expected array into the answer, in words; None without one."""
    if any(isinstance(answer, str) for answer in answers):
        return None
    got, want = list(chain(*answers)), list(chain(*expected))
    if [array.shape for array in got] != [array.shape for array in want]:
        return None
    got, want = (np.concatenate(list(map(np.ravel, arrays))) for arrays in (got, want))
    if not (np.isfinite(got).all() and np.isfinite(want).all() and got.any()):
        return None
    with np.errstate(all="ignore"):
        factor = got / np.abs(want).max() @ want / (want / np.abs(want).max() @ want)
        fits = np.isfinite(factor) and factor != 0 and np.allclose(got / factor, want, **TOLERANCE)
    return _in_words(factor) if fits else None


def _in_words(factor):
    """1/3, 1/√3 or 0.123"""
    for power, text in ((1, "{}"), (2, "1/√{0.denominator}")):
        fraction = Fraction(min(factor**power, 1e9)).limit_denominator(64)
        if np.isclose(factor**power, float(fraction)) and (power == 1 or (factor > 0 and fraction.numerator == 1)):
            return text.format(fraction)
    return f"{factor:.4g}"


def _shape(array, single="one number"):
    return array.shape or single


def _kind(result):
    """one array of shape (5, 3)"""
    if isinstance(result, list | tuple):
        return f"{'a list of ' if isinstance(result, list) else ''}{len(result)}"
    return f"one array of shape {result.shape}" if isinstance(result, np.ndarray) else f"one of type {type(result).__name__}"
