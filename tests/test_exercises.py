"""Every registered exercise: stub, reference, each slip, readers' answers, and garbage; one paragraph each."""

import fractions
import functools
import inspect
import itertools
import re
import string
import textwrap
import types

import numpy as np
import pytest
from answers import RIGHT_ANSWERS, WRONG_ANSWERS
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import helpers.exercises
from helpers.attention import softmax
from helpers.example import FEATURES, HEADS
from helpers.exercises import check_one_score, check_scores, reading, show_solution, slips
from helpers.exercises.checking import EXERCISES, SIZES, TOLERANCE
from helpers.exercises.queries_and_keys import query_matrix
from helpers.exercises.shapes import SHAPES, ShapeTable

TABLES = {name: exercise for name, exercise in EXERCISES.items() if isinstance(exercise, ShapeTable)}
every = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
every_computed = pytest.mark.parametrize(
    "exercise", [exercise for name, exercise in EXERCISES.items() if name not in TABLES], ids=lambda exercise: exercise.name)
with_arrays = pytest.mark.parametrize(
    "exercise",
    [exercise for exercise in EXERCISES.values() if isinstance(exercise.cases[0].args[0], np.ndarray)],
    ids=lambda exercise: exercise.name)
GENERIC = re.compile(r"(Right on \d+ of \d+ inputs only\. )?(Not equal|Wrong shape|NaN|Infinite|Your function stopped|\S+ is \()")


@pytest.fixture
def said(capsys):
    """What a check prints about a function, which is always one readable paragraph."""
    def ask(exercise, function):
        check = getattr(helpers.exercises, f"check_{exercise.name}")
        assert check(function) is None
        out, err = capsys.readouterr()
        assert err == ""
        assert out.endswith("\n") and "\n\n" not in out
        assert max(len(line) for line in out.splitlines() if " " in line) <= 100
        assert 15 < len(out) < 400
        assert out[0] in string.ascii_letters
        assert not re.search(r"Traceback|0x[0-9a-f]+|\.py\b|/\w+/|\\", out)
        return " ".join(out.splitlines())
    return ask


def returning(exercise, change):
    """The reference with `change` applied to each returned array."""
    def function(*args):
        arrays = as_arrays(exercise.reference(*args))
        changed = tuple(map(change, arrays))
        return changed if len(exercise.returns) > 1 else changed[0]
    return function


def as_arrays(result):
    return [np.asarray(part) for part in (result if isinstance(result, list | tuple) else (result,))]


def function_of(exercise, body):
    """The function with this body, as if a cell had defined it."""
    names = {"np": np, "FEATURES": FEATURES, "softmax": softmax}
    exec(f"def {exercise.name}({', '.join(exercise.parameters)}):\n{textwrap.indent(body, '    ')}\n", names)
    return names[exercise.name]


def close(answer, other):
    """Equal to the eye of the check; two that give no numbers are alike."""
    if isinstance(answer, str) or isinstance(other, str):
        return isinstance(answer, str) and isinstance(other, str)
    return all(a.shape == b.shape and np.allclose(a, b, **TOLERANCE, equal_nan=True) for a, b in zip(answer, other, strict=True))


@functools.cache
def mistakes_of(exercise):
    """Of each mistake the answers by which it is recognised, and what is said: on random inputs, or on all if these are right."""
    found = []
    for function, answers, why in exercise.mistakes:
        random = answers[:len(SIZES)]
        right = all(map(close, random, exercise.expected))
        found.append((function, why, answers if right else random))
    return found


def alike(answers, others):
    return len(answers) == len(others) and all(map(close, answers, others))


def computes(answers):
    """Whether there is anything to recognise: some number, or NaN in some places."""
    return not all(isinstance(answer, str) or all(np.isnan(array).all() for array in answer) for answer in answers)


# ---------------------------------------------------------------- what an exercise must have

@every
@pytest.mark.filterwarnings("ignore::RuntimeWarning")    # some mistakes average nothing
def test_the_check_is_the_exercise_and_has_a_docstring_and_mistakes(exercise):
    check = getattr(helpers.exercises, f"check_{exercise.name}")
    assert check is exercise
    assert check.__name__ == repr(check) == f"check_{exercise.name}"
    assert check.__doc__ == inspect.getdoc(exercise.reference)
    assert len(exercise.mistakes) >= 3


def test_all_checks_belong_to_an_exercise():
    assert {*helpers.exercises.__all__} == {"report", "show_solution", *(f"check_{name}" for name in EXERCISES)}


def test_sizes_are_all_different():
    assert len(SIZES) >= 6
    assert all(len(set(sizes)) == len(sizes) for sizes in SIZES)
    assert all(len(set(values)) == len(SIZES) for values in zip(*SIZES, strict=True))


@every
def test_inputs_differ_and_each_call_gets_its_own(exercise):
    assert len({exercise._describe(case) for case in exercise.cases}) == len(exercise.cases) >= 6
    for case in exercise.cases:
        given = []
        exercise._answer(lambda *args: given.append(args), case)    # noqa: B023
        for arg, kept in zip(*given, case.args, strict=True):
            np.testing.assert_array_equal(arg, kept)
            assert not isinstance(arg, np.ndarray) or not np.shares_memory(arg, kept)


@every_computed
def test_edges_are_named(exercise):
    assert [case.edge for case in exercise.cases[:len(SIZES)]] == [""] * len(SIZES)
    assert exercise.cases[len(SIZES):]
    assert all(case.edge for case in exercise.cases[len(SIZES):])


@with_arrays
def test_inputs_really_have_different_sizes(exercise):
    batches = exercise.name == "attend_heads"    # the first axis counts the texts of a batch, always 3
    cases = [case.args for case in exercise.cases[:len(SIZES)]]
    for args in zip(*cases, strict=True):
        if isinstance(args[0], np.ndarray):
            for lengths in zip(*(arg.shape[batches:] for arg in args), strict=True):
                assert len(set(lengths)) == len(cases)
    for args in cases:
        for shape in (np.shape(arg)[batches:] for arg in args):
            square = exercise.name == "induction_score" and len(shape) == 2    # a map has a row and a column for each token
            assert len(shape) <= (3 if exercise.name in ("project_heads", "repeat_heads") else 2)
            assert square or len(set(shape)) == len(shape)


def test_new_tokens_of_a_cached_step_vary():
    cases = EXERCISES["cached_step"].cases
    assert len({len(case.args[0]) - len(case.args[4]) for case in cases}) >= 5
    assert {0, 1} <= {len(case.args[4]) for case in cases}


@every_computed
def test_other_ways_are_right(exercise, said):
    for way in exercise.ways:
        assert said(exercise, function_of(exercise, f"return {way}")).startswith("Right: ")


@every_computed
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_slips_differ_from_the_reference(exercise):
    for function, why, _ in mistakes_of(exercise):
        assert not all(map(close, exercise.answers(function), exercise.expected)), why


@every_computed
def test_slips_differ_from_one_another_or_say_the_same(exercise):
    """A slip of the exercise itself may say more exactly what a shared one says, a step more than the result as a whole."""
    own, results = {slip.why for slip in exercise.slips}, {why for _, why in slips.RESULTS}
    rank = [0 if why in own else 2 if why in results else 1 for _, why, _ in mistakes_of(exercise)]
    assert rank == sorted(rank) or results & {slip.why for slip in slips.SLIPS}
    for (one, (_, why, answers)), (other, (_, words, others)) in itertools.combinations(enumerate(mistakes_of(exercise)), 2):
        if rank[one] == rank[other] and computes(answers) and alike(answers, others):
            assert why == words


def test_each_slip_belongs_to_an_exercise():
    used = {why for exercise in EXERCISES.values() if exercise.name not in TABLES
            for _, why, answers in mistakes_of(exercise) if computes(answers)}
    assert {slip.why for slip in slips.SLIPS} <= used
    assert {why for _, why in slips.RESULTS} <= used
    for exercise in EXERCISES.values():
        assert {slip.why for slip in exercise.slips} <= used


def test_most_slips_are_shared():
    shared = {slip.why for slip in slips.SLIPS}
    uses = [why for exercise in EXERCISES.values() if exercise.name not in TABLES
            for why in {why for _, why, answers in mistakes_of(exercise) if computes(answers)} & shared]
    assert len(uses) > 3 * len(shared)


@pytest.mark.parametrize("why", sorted({slip.why for exercise in EXERCISES.values() for slip in exercise.slips}
                                       | {slip.why for slip in slips.SLIPS} | {why for *_, why in (*slips.RESULTS, *SHAPES)}))
def test_explanations_are_short(why):
    assert 30 < len(why) < 200
    assert why.endswith(".")
    assert why.count(". ") <= 3


# ---------------------------------------------------------------- right, nearly right, wrong

@every
@pytest.mark.parametrize("nothing", [None, ..., (None, None)], ids=str)
def test_stub_is_not_yet(exercise, nothing, said):
    assert said(exercise, lambda *args: nothing) == f"Not yet: {exercise.name} returned nothing."


@every
def test_reference_is_right(exercise, said):
    text = said(exercise, exercise.reference)
    assert text.startswith("Right: ")
    edges = len(exercise.cases) - len(SIZES)
    also = f" and {edges} edge case{'s' * (edges != 1)}" if edges else ""
    assert text.endswith(f", equal to the reference on {len(SIZES)} random inputs{also}.")
    for array, name in zip(exercise.expected[0], exercise.returns, strict=True):
        assert f"{array.shape or 'one'} {name}" in text or f"all {len(exercise.returns)} shapes" in text


@every
@pytest.mark.parametrize("change", [np.ndarray.tolist, np.float32], ids=["lists", "float32"])
def test_lists_and_float32_are_right(exercise, change, said):
    assert said(exercise, returning(exercise, change)).startswith("Right: ")


@every_computed
@pytest.mark.parametrize("kind", [float, np.float32])
def test_each_slip_is_named(exercise, kind, said):
    """By what is said of the first slip with its answers."""
    known = mistakes_of(exercise)
    for function, _, answers in known:
        if computes(answers):
            named = next(why for _, why, others in known if computes(others) and alike(answers, others))

            def in_kind(*args, function=function):
                result = function(*args)
                return tuple(np.asarray(part, kind) for part in result) if len(exercise.returns) > 1 else np.asarray(result, kind)
            with np.errstate(all="ignore"):
                assert said(exercise, in_kind) == named


@pytest.mark.parametrize(("exercise", "names", "shape", "why"), [
    pytest.param(exercise, *slip, id=f"{name}-{slip[0]}-{slip[1]}") for name, exercise in TABLES.items() for slip in SHAPES
    if "H" in exercise.parameters or "H" not in slip[1]])
def test_each_wrong_row_of_a_table_is_named(exercise, names, shape, why, said):
    for row, name in enumerate(exercise.returns):
        if name in names.split():
            def table(*sizes, row=row):
                shapes = list(exercise.reference(*sizes))
                shapes[row] = eval(shape, dict(zip(exercise.parameters, sizes, strict=True)))
                return shapes
            assert said(exercise, table) == f"{name}: {why}"


@pytest.mark.parametrize("exercise", TABLES.values(), ids=TABLES)
def test_a_row_of_a_table_is_named_without_its_slip(exercise, said):
    text = said(exercise, lambda *sizes: [*exercise.reference(*sizes)[:-1], (1, 2, 3)])
    assert text.startswith(f"{exercise.returns[-1]} is (1, 2, 3), expected (5, 8), where T is 5, ")


# ---------------------------------------------------------------- what readers write

READ = [pytest.param(EXERCISES[name], body, words, id=f"{name}-{number}")
        for name, answers in WRONG_ANSWERS.items() for number, (body, words) in enumerate(answers)]


@pytest.mark.parametrize(("exercise", "body", "words"), READ)
def test_a_wrong_answer_is_not_accepted_nor_called_by_a_wrong_name(exercise, body, words, said):
    text = said(exercise, function_of(exercise, body))
    assert not text.startswith("Right: ")
    assert (words and re.search(words, text)) or GENERIC.match(text)


def test_most_wrong_answers_are_named(capsys):
    assert set(WRONG_ANSWERS) == set(EXERCISES)
    assert len(READ) >= 150
    named = 0
    for exercise, body, words in (param.values for param in READ):
        exercise(function_of(exercise, body))
        text = " ".join(capsys.readouterr().out.splitlines())
        plain = re.match(r"(Right on .*)?(Not equal|Wrong shape|NaN|Infinite)", text)
        named += bool(words and re.search(words, text) and not plain)
    assert named >= 0.9 * len(READ)


@pytest.mark.parametrize(("exercise", "body"), [
    pytest.param(EXERCISES[name], body, id=f"{name}-{number}")
    for name, bodies in RIGHT_ANSWERS.items() for number, body in enumerate(bodies)])
def test_a_right_answer_is_right(exercise, body, said):
    assert said(exercise, function_of(exercise, body)).startswith("Right: ")


def test_all_exercises_have_right_answers():
    assert set(RIGHT_ANSWERS) == set(EXERCISES)


@every_computed
def test_other_numbers_are_not_equal(exercise, said):
    text = said(exercise, returning(exercise, lambda array: array + 1.7))
    assert text.startswith(f"Not equal to the reference: {exercise.returns[0]}")
    assert exercise._describe(exercise.cases[0]) in text


@every_computed
@pytest.mark.parametrize("right", [1, 5])
@pytest.mark.parametrize(("later", "problem"), [
    (lambda: 1.7, "Not equal to the reference: "), (lambda: np.nan, "NaN in "), (lambda: np.inf, "Infinite in "),
    (lambda: 1 / 0, "Your function stopped with "),
], ids=["other", "NaN", "infinite", "stops"])
def test_right_on_some_inputs_says_so(exercise, right, later, problem, said):
    calls = itertools.count()

    def change(array):
        return array + (0 if next(calls) < right * len(exercise.returns) else later())
    text = said(exercise, returning(exercise, change))
    if problem != "Infinite in " or exercise.name != "masked":    # its −∞ and the ∞ make NaN
        assert text.startswith(f"Right on {right} of {len(exercise.cases)} inputs only. {problem}")
    assert exercise._describe(exercise.cases[right]) in text


@every_computed
def test_a_failing_edge_is_described(exercise, said):
    calls = itertools.count()

    def change(array):
        return array + (0 if next(calls) < len(SIZES) * len(exercise.returns) else 1.7)
    text = said(exercise, returning(exercise, change))
    assert text.startswith(f"Right on {len(SIZES)} of {len(exercise.cases)} inputs only. Not equal to the reference: ")
    assert text.endswith(f", where {exercise._describe(exercise.cases[len(SIZES)])}.")
    assert f"({exercise.cases[len(SIZES)].edge})" in text


@pytest.mark.parametrize("value", [None, "text", [[1.0], [1.0, 2.0]]], ids=str)
def test_nothing_and_garbage_on_an_edge_say_where(value, said):
    text = said(EXERCISES["padded_weights"], lambda S, n_words: value if n_words == S.shape[1] == 4 else
                EXERCISES["padded_weights"].reference(S, n_words))
    assert text.startswith("Right on 10 of 11 inputs only. ")
    assert text.endswith(" (no padding).")


@every_computed
@pytest.mark.parametrize(("factor", "words"), [
    (1 / 3, "1/3"), (7, "7"), (-1, "-1"), (3 ** -0.5, "1/√3"), (0.1234, "0.1234"), (1e200, "1e+200")])
def test_a_factor_is_named(exercise, factor, words, said):
    text = said(exercise, returning(exercise, lambda array: array * factor))
    named = text in [mistake.why for mistake in exercise.mistakes]
    assert text == f"Right up to the factor {words}; {exercise.factor}" or named or exercise.name == "masked"


@every_computed
def test_zeros_are_no_factor(exercise, said):
    assert "factor" not in said(exercise, returning(exercise, lambda array: array * 0))


# ---------------------------------------------------------------- garbage

@every_computed
def test_wrong_shape_names_both_shapes(exercise, said):
    shape = exercise.expected[0][0].shape
    text = said(exercise, returning(exercise, lambda array: array[None, None]))
    assert text.startswith(f"Wrong shape: {exercise.returns[0]} is {(1, 1, *shape)}, expected ")
    assert f"expected {shape or 'one number'}, where {exercise._describe(exercise.cases[0])}." in text


@every_computed
@pytest.mark.parametrize(("value", "start"), [(np.nan, "NaN in "), (np.inf, "Infinite in ")])
def test_nan_and_infinity_are_named_and_explained(exercise, value, start, said):
    text = said(exercise, returning(exercise, lambda array: np.full(array.shape, value)))
    assert text.startswith(start)
    assert f" in {exercise.returns[0]}" in text
    assert "It comes from " in text


def test_a_division_by_zero_gets_its_paragraph(said):
    text = said(EXERCISES["scores"], lambda Q, K: (Q @ K.T) / 0)
    assert text.startswith("Infinite in scores: 35 of 35 values, where Q is (5, 3) and K is (7, 3). It comes from a")


class Unreadable:
    def __array__(self, *args, **kwargs):
        raise RuntimeError("no array here")


class AsksForGradients:
    def __array__(self, *args, **kwargs):
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")


def generator():
    yield 1.0


async def coroutine():
    return 1.0


GARBAGE = {
    "string": ("scores", "it holds text (dtype <U6)"), "strings": (["a", "b"], "it holds text (dtype <U1)"),
    "bytes": (b"ab", "it holds text (dtype |S2)"), "ragged": ([[1.0], [1.0, 2.0]], "its rows have different lengths"),
    "dictionary": ({"a": 1.0}, "numpy cannot read its type, dict"), "set": ({1.0}, "numpy cannot read its type, set"),
    "generator": (generator(), "it is a generator; write a plain function with return"),
    "function": (print, "numpy cannot read its type, builtin_function_or_method"),
    "object": (object(), "numpy cannot read its type, object"), "module": (np, "numpy cannot read its type, module"),
    "complex": (np.array([1j]), "it holds complex numbers (dtype complex128)"), "one complex": (1j, "it holds complex numbers"),
    "bool": (True, "it holds truth values (dtype bool)"), "bools": (np.zeros((5, 7), bool), "it holds truth values (dtype bool)"),
    "date": (np.datetime64("2020"), "it holds dates (dtype datetime64[Y])"),
    "records": (np.zeros(2, "i4,f8"), "it holds records"),
    "unreadable": (Unreadable(), "numpy cannot read its type, Unreadable"),
    "gradients": (AsksForGradients(), "the AsksForGradients still asks for gradients; return it with .detach()"),
    "list of gradients": ([AsksForGradients()], "still asks for gradients"),
    "nothing inside": ([1.0, None], "None stands in it where a number should be (dtype object)"),
    "dots inside": ([[..., 1.0]], "Ellipsis stands in it"),
    "objects": (np.array([object()]), "something of type object stands in it"),
    "too large": (10**400, "a number in it is too large for a float (dtype object)"),
    "too many": (np.broadcast_to(0.0, (10**6, 10**6)), "it has 1000000000000 entries"),
    "masked": (np.ma.masked_array([1.0], mask=True), "some of its entries are masked"),
}


@every
def test_what_is_not_numbers_gets_one_line_that_says_why(exercise, said):
    wanted = "an array of numbers, or lists" if exercise.expected[0][0].ndim else "one number"
    for value, reason in GARBAGE.values():
        text = said(exercise, returning(exercise, lambda array, value=value: value))
        assert text.startswith(f"{exercise.returns[0]} cannot be read as numbers: ")
        assert reason in text
        assert text.endswith(f"; expected {wanted}.")


def test_a_coroutine_is_no_number(said, recwarn):
    async def scores(Q, K):
        return Q @ K.T
    assert said(EXERCISES["scores"], scores).startswith("scores cannot be read as numbers: it is a coroutine; ")


ODD = {"infinite": np.inf, "minus infinite": -np.inf, "huge": 1e308, "largest": np.finfo(float).max, "tiny": 5e-324,
       "nan": np.nan, "empty": np.zeros((0, 3)), "empty list": [], "empty tuple": (),
       "deep": np.zeros((1,) * 30), "int": 3, "big int": 2**70,
       "fraction": fractions.Fraction(1, 3), "fractions": [fractions.Fraction(1, 3)] * 2, "longdouble": np.longdouble(1) / 3,
       "float16": np.float16(60000), "uint8": np.uint8(200), "range": range(3), "inf list": [np.inf, -np.inf],
       "array of inf": np.full((5, 7), np.inf), "array of nan": np.full((5, 7), np.nan), "memoryview": memoryview(b"ab")}


@every
def test_odd_answers_get_one_readable_paragraph(exercise, said):
    for value in ODD.values():
        for function in (returning(exercise, lambda array, value=value: value), lambda *args, value=value: value):
            assert not said(exercise, function).startswith("Right: ")


@every
def test_a_masked_entry_is_no_number(exercise, said):
    text = said(exercise, returning(exercise, lambda array: np.ma.masked_array(array, mask=True)))
    assert text.startswith(f"{exercise.returns[0]} cannot be read as numbers: some of its entries are masked; ")
    assert said(exercise, returning(exercise, np.ma.masked_array)).startswith("Right: ")


@pytest.mark.parametrize("name", ["masked_weights", "weights"])
def test_a_mask_of_ones_own_is_not_right(name, said):
    """The mask that is handed over counts, not one that the function makes itself."""
    S = "S" if name == "masked_weights" else "Q @ K.T / np.sqrt(Q.shape[1])"
    text = said(EXERCISES[name], function_of(EXERCISES[name], f"return softmax(np.where(np.tri(*M.shape), {S}, -np.inf))"))
    assert text.startswith("The mask is made anew, j <= i, and M is not used. ")


def test_two_results_may_be_stacked(said):
    assert said(EXERCISES["project"], lambda X, W_Q, W_K: np.stack([X @ W_Q, X @ W_K])).startswith("Right: ")


@pytest.mark.parametrize(("value", "words"), [
    (np.zeros((5, 3)), "one array of shape (5, 3)"), ("Q, K", "one of type str"), (1.0, "one of type float"),
    ((np.zeros((5, 3)),), "1"), ([1, 2, 3], "a list of 3")], ids=["array", "string", "number", "one", "three"])
def test_wrong_number_of_results(value, words, said):
    text = said(EXERCISES["project"], lambda X, W_Q, W_K: value)
    assert text == f"Expected 2 results, return Q, K; project returned {words}."


def test_one_missing_result_is_named(said):
    assert said(EXERCISES["project"], lambda X, W_Q, W_K: (X @ W_Q, None)) == "Not yet: project returned nothing for K."
    text = said(EXERCISES["head_shapes"], lambda T, d_model, d_k, d_v: [(T, d_k), (T, T), ..., (T, d_v), ...])
    assert text == "Not yet: head_shapes returned nothing for A."


@every
@pytest.mark.parametrize("value", [None, "scores", 3, np.zeros((5, 7))], ids=lambda v: type(v).__name__)
def test_what_is_not_a_function_gets_one_line(exercise, value, said):
    name = exercise.name
    assert said(exercise, value) == (
        f"check_{name} needs the function itself, check_{name}({name}); "
        f"it was given something of type {type(value).__name__}.")


@every
@pytest.mark.parametrize("more", [-1, 1])
def test_wrong_number_of_parameters_gets_one_line(exercise, more, said):
    names = exercise.parameters
    takes = ", ".join("abcdefg"[:len(names) + more])
    assert said(exercise, eval(f"lambda {takes}: None")) == (
        f"Your function takes ({takes}), but the check calls it with ({', '.join(names)}).")


def test_further_parameters_with_defaults_are_allowed(said):
    assert said(EXERCISES["scores"], lambda Q, K, factor=1: Q @ K.T * factor).startswith("Right: ")
    assert said(EXERCISES["scores"], lambda *args, **options: args[0] @ args[1].T).startswith("Right: ")


@pytest.mark.parametrize(("function", "takes"), [
    (lambda *, Q, K: Q @ K.T, "(*, Q, K)"), (lambda Q, K, *, factor: Q @ K.T * factor, "(Q, K, *, factor)")], ids=["both", "one"])
def test_keyword_only_parameters_are_explained(function, takes, said):
    assert said(EXERCISES["scores"], function) == (
        f"Your function takes {takes}, but the check calls it with (Q, K), by place. "
        "What stands after the * can only be given by name: take the * away.")


def test_annotations_and_defaults_are_not_shown(said):
    def scores(Q: np.ndarray, K: np.ndarray, mask: object) -> np.ndarray: ...
    assert said(EXERCISES["scores"], scores) == "Your function takes (Q, K, mask), but the check calls it with (Q, K)."


class BrokenSignature:
    __signature__ = "none"

    def __call__(self, Q, K):
        return Q @ K.T


class RaisesOnAttributes:
    def __call__(self, Q, K):
        return Q @ K.T

    def __getattr__(self, name):
        raise RuntimeError(name)


@pytest.mark.parametrize("function", [BrokenSignature(), RaisesOnAttributes(), functools.partial(lambda f, Q, K: f * Q @ K.T, 1)],
                         ids=["broken", "raises", "partial"])
def test_odd_functions_are_checked(function, said):
    assert said(EXERCISES["scores"], function).startswith("Right: ")


@with_arrays
@pytest.mark.parametrize("returns", [True, False], ids=["right", "nothing"])
def test_a_changed_input_is_named(exercise, returns, said):
    name = exercise.parameters[0]

    def function(*args):
        result = exercise.reference(*args)
        args[0][...] = 9
        return result if returns else None
    assert said(exercise, function).startswith(f"Your function changes its input {name}, ")


def stops(error):
    def function(*args):
        raise error
    return function


def calls_itself(*args):
    return calls_itself(*args)


class SpeechlessError(ValueError):
    def __str__(self):
        raise RuntimeError("no words")


class Own(BaseException):
    pass


STOPS = {
    "value": (stops(ValueError("a  word\nand another")), "a word and another"),
    "empty": (stops(AssertionError()), "AssertionError"),
    "key": (stops(KeyError("match")), "KeyError 'match'"),
    "exit": (stops(SystemExit(3)), "SystemExit: it ends the program"),
    "endless": (calls_itself, "RecursionError: it calls itself without end"),
    "address": (stops(TypeError(f"{print} and {calls_itself}")),
                "<built-in function print> and <function calls_itself>"),
    "path": (stops(ImportError("no X in 'm' (/home/me/m.py_)")), "no X in 'm' (m.py_)"),
    "windows": (stops(OSError(r"C:\Users\me\data is missing")), "data is missing"),
    "division": (stops(ValueError("1/3 and d_k / 2")), "1/3 and d_k / 2"),
    "clause": (stops(ValueError("matmul: " + "long " * 30)), "matmul: …"),
    "long": (stops(ValueError("x" * 200)), "x" * reading.LONGEST_MESSAGE + "…"),
    "speechless": (stops(SpeechlessError()), "SpeechlessError"), "own": (stops(Own("mine")), "mine"),
    "leaves": (stops(GeneratorExit()), "GeneratorExit"),
    "floating": (stops(FloatingPointError("overflow encountered in exp")), "overflow encountered in exp"),
}


@every
@pytest.mark.parametrize(("function", "words"), STOPS.values(), ids=STOPS)
def test_an_exception_becomes_one_line(exercise, function, words, said):
    text = said(exercise, function)
    assert text.startswith(f'Your function stopped with "{words}" in line ')
    assert exercise._describe(exercise.cases[0]) in text


@every
def test_the_interrupt_key_still_works(exercise):
    with pytest.raises(KeyboardInterrupt):
        exercise(stops(KeyboardInterrupt()))


@every
def test_warnings_are_not_shown(exercise, said, recwarn):
    def function(*args):
        np.log(np.array([-1.0, 0.0]))
        return exercise.reference(*args)
    assert said(exercise, function).startswith("Right: ")
    assert not recwarn.list


def test_functions_without_a_signature_or_source_are_checked(said):
    assert said(EXERCISES["scores"], np.inner).startswith("Right: ")
    text = said(EXERCISES["scores"], np.matmul)
    assert text.startswith('Your function stopped with "matmul: 3 columns meet 7 rows": Q is ')


@every
def test_raising_numpy_does_no_harm(exercise, said):
    def function(*args):
        np.seterr(all="raise")
        np.log(np.zeros(2))
        return exercise.reference(*args)
    with np.errstate(all="raise"):
        text = said(exercise, function)
        assert text.startswith('Your function stopped with "divide by zero encountered in log" in line ')
        assert said(exercise, exercise.reference).startswith("Right: ")
        for mistake in exercise.mistakes[:5]:
            assert said(exercise, mistake.function)


HINTS = {
    "return Q @ K": '"matmul: 3 columns meet 7 rows" in line 2: Q is (5, 3) and K is (7, 3); which axis must they share?',
    "return np.dot(Q, K)": '"dot: 3 columns meet 7 rows" in line 2: Q is (5, 3) and K is (7, 3); which axis must they share?',
    "E = np.exp(Q @ K.T)\nreturn E / E.sum(axis=1)":
        '"operands could not be broadcast together with shapes (5,7) (5,)" in line 3: Q is (5, 3) and K is (7, 3); '
        "a sum or maximum over an axis lost its axis: keepdims=True keeps it.",
    "return Q[:, 0] + Q":
        '"operands could not be broadcast together with shapes (5,) (5,3)" in line 2: Q is (5, 3) and K is (7, 3); '
        "the one lacks an axis of the other: [:, None] makes a column of a row.",
    "return Q * K": '"operands could not be broadcast together with shapes (5,3) (7,3)" in line 2: Q is (5, 3) and K is (7, 3); '
                    "entry by entry, two arrays need the same shape.",
    "return range(7 / 2)": '"\'float\' object cannot be interpreted as an integer" in line 2: Q is (5, 3) and K is (7, 3); '
                              "a size or an index must be whole: // instead of /.",
    "return Q[10]": '"index 10 is out of bounds for axis 0 with size 5" in line 2: Q is (5, 3) and K is (7, 3); '
                    "indices run from 0 to the length less 1.",
    "raise ValueError('my own words')": '"my own words" in line 2: Q is (5, 3) and K is (7, 3).',
    "return int('a')": '"invalid literal for int() with base 10: \'a\'" in line 2: Q is (5, 3) and K is (7, 3).',
}


@pytest.mark.parametrize(("body", "words"), HINTS.items())
def test_a_hint_comes_only_where_its_cause_is_certain(body, words, said):
    assert said(EXERCISES["scores"], function_of(EXERCISES["scores"], body)) == f"Your function stopped with {words}"


# ---------------------------------------------------------------- to the word, and where it stopped

SAYINGS = {
    "...": "Not yet: scores returned nothing.",
    "return K @ Q.T": "K @ Q.T is the transpose, with queries and keys exchanged: row i now belongs to key i. "
                      "Queries go in rows, so Q comes first.",
    "return Q @ K": 'Your function stopped with "matmul: 3 columns meet 7 rows" in line 2: '
                    "Q is (5, 3) and K is (7, 3); which axis must they share?",
    "return Q @ K.T / 3": "Right up to the factor 1/3; the raw score has no factor. "
                          "Lesson 04 brings one.",
    "return Q @ K.T": "Right: (5, 7) scores, equal to the reference on 6 random inputs and 2 edge cases.",
}


@pytest.mark.parametrize(("body", "words"), SAYINGS.items())
def test_scores_says_it_to_the_word(body, words, said):
    namespace = {}
    exec(f"def scores(Q, K):\n    {body}\n", namespace)
    assert said(EXERCISES["scores"], namespace["scores"]) == words


def test_line_is_that_of_the_cell():
    cell = "import numpy as np\n\ndef dot(q, k):\n    return q @ k\n\ndef scores(Q, K):\n    return dot(Q, K)\n"
    namespace = {}
    exec(cell, namespace)
    assert ' in line 4: Q is (5, 3)' in EXERCISES["scores"]._verdict(namespace["scores"]).text


def test_line_of_a_library_is_not_shown():
    namespace = {"np": np}
    exec("def scores(Q, K):\n\n    return np.linalg.inv(Q)\n", namespace)
    assert " in line 3: Q is (5, 3)" in EXERCISES["scores"]._verdict(namespace["scores"]).text


def test_line_in_a_notebook_cell(capsys):
    config = Config({"HistoryManager": {"enabled": False}})
    shell = InteractiveShell(config=config, user_ns={"check_one_score": check_one_score})
    shell.run_cell("def one_score(Q, K, i, j):\n    q = Q[i]\n    return q @ key[j]\n")
    shell.run_cell("check_one_score(one_score)").raise_error()
    out, _ = capsys.readouterr()
    first = EXERCISES["one_score"]._describe(EXERCISES["one_score"].cases[0])
    assert " ".join(out.split()) == f'Your function stopped with "name \'key\' is not defined" in line 3: {first}.'


def test_check_prints_the_same_twice(capsys):
    said = []
    for _ in range(2):
        check_scores(lambda Q, K: Q @ K.T + 1)
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] != ""


# ---------------------------------------------------------------- solutions

@every
def test_the_printed_solution_passes(exercise, capsys, said):
    show_solution(exercise.name)
    code = capsys.readouterr().out
    assert re.match(rf"(from helpers\.attention import (softmax|split_heads)\n\n)?def {exercise.name}\(", code)
    assert '"""' not in code
    namespace = {"np": np, "FEATURES": FEATURES}
    exec(code, namespace)
    assert said(exercise, namespace[exercise.name]).startswith("Right: ")


def test_an_unknown_solution_lists_the_names():
    with pytest.raises(ValueError, match=f"'score'.*expected one of {', '.join(EXERCISES)}"):
        show_solution("score")
    with pytest.raises(TypeError, match="name must be a string, got Exercise"):
        show_solution(check_scores)


@pytest.mark.parametrize("numbers", [case.args for case in EXERCISES["query_matrix"].cases], ids=str)
def test_query_matrix_is_that_of_a_head(numbers):
    strength, tokens_back, place = numbers
    head = HEADS["adjectives"]._replace(seeks={"noun": strength}, tokens_back=tokens_back, place=place)
    np.testing.assert_allclose(query_matrix(*numbers), head.W_Q(), atol=1e-12)


def test_every_topic_is_a_module_of_the_package():
    modules = {exercise.reference.__module__ for exercise in EXERCISES.values()}
    others = {"checking", "handing_in", "inputs", "reading", "shapes", "slips"}
    found = {f"helpers.exercises.{name}" for name, value in vars(helpers.exercises).items()
             if isinstance(value, types.ModuleType) and name not in others}
    assert modules == found


@pytest.mark.parametrize(("name", "function", "words"), [
    ("row_softmax", lambda scores: np.zeros(scores.shape), "Not equal to the reference"),
    ("query_matrix", lambda *_: np.zeros((12, 3)), "Not equal to the reference"),
    ("one_score", lambda Q, K, i, j: 1, "Not equal to the reference"),
    ("tokens_looked_at", sum, "Not equal to the reference"),
    ("one_output", lambda A, V, i: sum(A[i, j] @ V[j] for j in range(len(V))), "@ needs an array on both sides"),
    ("head_shapes", lambda T, d_model, d_k, d_v: [[(T, d_k)]] * 5, "Q is no tuple of numbers"),
], ids=["zeros", "zeros of one row", "one", "one from shares", "number @ array", "nested rows"])
def test_what_could_be_anybodys_is_called_by_no_name(name, function, words, said):
    assert words in said(EXERCISES[name], function)


def test_a_check_without_the_function_says_what_it_needs(capsys):
    check = EXERCISES["scores"]
    check()
    check([[1.0]], [[1.0]])
    assert capsys.readouterr().out.count("check_scores needs the function itself, check_scores(scores)") == 2
