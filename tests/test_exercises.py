"""Every registered exercise: stub, reference, each typical mistake, and garbage; one paragraph each."""

import inspect
import itertools
import re
import string
import types

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import helpers.exercises
from helpers.attention import causal_mask
from helpers.example import FEATURES, HEADS
from helpers.exercises import check_one_score, check_scores, checking, show_solution
from helpers.exercises.checking import EXERCISES, SIZES
from helpers.exercises.queries_and_keys import query_matrix

every = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
every_mistake = pytest.mark.parametrize(
    ("exercise", "mistake"),
    [pytest.param(exercise, mistake, id=f"{name}-{number}")
     for name, exercise in EXERCISES.items() for number, mistake in enumerate(exercise.mistakes)])
with_arrays = pytest.mark.parametrize(
    "exercise",
    [exercise for exercise in EXERCISES.values() if isinstance(exercise.cases()[0][0], np.ndarray)],
    ids=lambda exercise: exercise.name)


@pytest.fixture
def said(capsys):
    """What a check prints about a function, which is always one readable paragraph."""
    def ask(exercise, function):
        check = getattr(helpers.exercises, f"check_{exercise.name}")
        assert check(function) is None
        out, err = capsys.readouterr()
        assert err == ""
        assert out.endswith("\n")
        assert out.count("\n") == 1
        assert 15 < len(out) < 330
        assert out[0] in string.ascii_letters
        assert not re.search(r"Traceback|0x[0-9a-f]+|\.py\b|/\w+/|\\", out)
        return out.rstrip("\n")
    return ask


def returning(exercise, change):
    """The reference with `change` applied to each returned array."""
    def function(*args):
        arrays = as_arrays(exercise.reference(*args))
        changed = tuple(map(change, arrays))
        return changed if len(exercise.returns) > 1 else changed[0]
    return function


def as_arrays(result):
    return [np.asarray(part) for part in (result if isinstance(result, tuple) else (result,))]


def differ(answers, others):
    """Visibly: another shape, or an entry further away than 0.01, for some input."""
    pairs = zip(itertools.chain(*answers), itertools.chain(*others), strict=True)
    return any(a.shape != b.shape or not np.allclose(a, b, rtol=0, atol=0.01, equal_nan=True)
               for a, b in pairs)


# ---------------------------------------------------------------- what an exercise must have

@every
def test_has_a_check_a_docstring_and_three_mistakes(exercise):
    check = getattr(helpers.exercises, f"check_{exercise.name}")
    assert check.__name__ in helpers.exercises.__all__
    assert list(inspect.signature(check).parameters) == [exercise.name]
    assert inspect.getdoc(check)
    assert exercise.reference.__doc__
    assert len(exercise.mistakes) >= 3


def test_all_checks_belong_to_an_exercise():
    assert {*helpers.exercises.__all__} == {"show_solution", *(f"check_{name}" for name in EXERCISES)}


def test_sizes_are_all_different():
    assert len(SIZES) >= 6
    assert all(len(set(sizes)) == len(sizes) for sizes in SIZES)
    assert all(len(set(values)) == len(SIZES) for values in zip(*SIZES, strict=True))


@every
def test_inputs_differ_and_come_again(exercise):
    cases, again = exercise.cases(), exercise.cases()
    assert len(cases) >= 6
    assert len({exercise._describe(args) for args in cases}) == len(cases)
    for args, others in zip(cases, again, strict=True):
        for arg, other in zip(args, others, strict=True):
            np.testing.assert_array_equal(arg, other)
            assert not isinstance(arg, np.ndarray) or not np.shares_memory(arg, other)


@with_arrays
def test_inputs_really_have_different_sizes(exercise):
    cases = exercise.cases()
    for args in zip(*cases, strict=True):
        if isinstance(args[0], np.ndarray):
            for lengths in zip(*(arg.shape for arg in args), strict=True):
                assert len(set(lengths)) == len(cases)
    for args in cases:
        for shape in (np.shape(arg) for arg in args):
            assert len(set(shape)) == len(shape) <= (3 if exercise.name in ("project_heads", "repeat_heads") else 2)


@every
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # some mistakes overflow
def test_mistakes_differ_from_the_reference_and_from_one_another(exercise):
    functions = [exercise.reference, *(mistake.function for mistake in exercise.mistakes)]
    answers = [[as_arrays(function(*args)) for args in exercise.cases()] for function in functions]
    for one, other in itertools.combinations(answers, 2):
        assert differ(one, other)


@every
def test_explanations_are_their_own_and_short(exercise):
    texts = [mistake.why for mistake in exercise.mistakes]
    assert len(set(texts)) == len(texts)
    for text in texts:
        assert 40 < len(text) < 200
        assert text.endswith(".")
        assert text.count(". ") <= 2


# ---------------------------------------------------------------- right, nearly right, wrong

@every
@pytest.mark.parametrize("nothing", [None, ..., (None, None)], ids=str)
def test_stub_is_not_yet(exercise, nothing, said):
    assert said(exercise, lambda *args: nothing) == f"Not yet: {exercise.name} returned nothing."


@every
def test_reference_is_right(exercise, said):
    shapes = [array.shape for array in as_arrays(exercise.reference(*exercise.cases()[0]))]
    text = said(exercise, exercise.reference)
    assert text.startswith("Right: ")
    assert text.endswith(f", equal to the reference on {len(SIZES)} random inputs.")
    for shape, name in zip(shapes, exercise.returns, strict=True):
        assert f"{shape or 'one'} {name}" in text


@every
@pytest.mark.parametrize("change", [np.ndarray.tolist, np.float32], ids=["lists", "float32"])
def test_lists_and_float32_are_right(exercise, change, said):
    assert said(exercise, returning(exercise, change)).startswith("Right: ")


@every_mistake
def test_each_mistake_is_named(exercise, mistake, said):
    assert said(exercise, mistake.function) == mistake.why


@every_mistake
def test_a_mistake_in_float32_is_named_too(exercise, mistake, said):
    def function(*args):
        arrays = tuple(map(np.float32, as_arrays(mistake.function(*args))))
        return arrays if len(arrays) > 1 else arrays[0]
    assert said(exercise, function) == mistake.why


@every
def test_other_numbers_are_not_equal(exercise, said):
    text = said(exercise, returning(exercise, lambda array: array + 1))
    assert text.startswith(f"Not equal to the reference: {exercise.returns[0]}")
    assert exercise._describe(exercise.cases()[0]) in text


@every
@pytest.mark.parametrize("right", [1, 5])
@pytest.mark.parametrize(("later", "problem"), [
    (lambda: 1.0, "Not equal to the reference: "), (lambda: np.nan, "NaN in "),
    (lambda: 1 / 0, "Your function stopped with "),
], ids=["other", "NaN", "stops"])
def test_right_on_some_inputs_says_so(exercise, right, later, problem, said):
    calls = itertools.count()

    def change(array):
        return array + (0 if next(calls) < right * len(exercise.returns) else later())
    text = said(exercise, returning(exercise, change))
    assert text.startswith(f"Right on {right} of {len(SIZES)} random inputs only. {problem}")
    assert exercise._describe(exercise.cases()[right]) in text


@every
@pytest.mark.parametrize(("factor", "words"), [
    (1 / 3, "1/3"), (2, "2"), (-1, "-1"), (3 ** -0.5, "1/√3"), (0.1234, "0.1234")])
def test_a_factor_is_named_where_the_exercise_wants_it(exercise, factor, words, said):
    text = said(exercise, returning(exercise, lambda array: array * factor))
    expected = f"Right up to the factor {words}; {exercise.factor}"
    if exercise.factor:
        assert text == expected
    else:
        assert text.startswith("Not equal to the reference: ") or text in [mistake.why for mistake in exercise.mistakes]


@every
def test_zeros_are_no_factor(exercise, said):
    assert "factor" not in said(exercise, returning(exercise, lambda array: array * 0))


# ---------------------------------------------------------------- garbage

@every
def test_wrong_shape_names_both_shapes(exercise, said):
    shape = as_arrays(exercise.reference(*exercise.cases()[0]))[0].shape
    text = said(exercise, returning(exercise, lambda array: array[None]))
    assert text.startswith(f"Wrong shape: {exercise.returns[0]} is {(1, *shape)}, expected ")
    assert f"expected {shape or 'one number'}, where {exercise._describe(exercise.cases()[0])}." in text


@every
def test_nan_is_named(exercise, said):
    text = said(exercise, returning(exercise, lambda array: array * np.nan))
    assert text.startswith(f"NaN in {exercise.returns[0]}: ")


class Unreadable:
    def __array__(self, *args, **kwargs):
        raise RuntimeError("no array here")


GARBAGE = {
    "string": "scores", "strings": ["a", "b"], "ragged": [[1.0], [1.0, 2.0]], "dictionary": {"a": 1.0},
    "set": {1.0}, "generator": (x for x in "ab"), "function": print, "object": object(),
    "complex": np.array([1j]), "unreadable": Unreadable(), "module": np,
}


@every
@pytest.mark.parametrize("value", GARBAGE.values(), ids=GARBAGE)
def test_what_is_not_numbers_gets_one_line(exercise, value, said):
    text = said(exercise, returning(exercise, lambda array: value))
    assert text.startswith(f"{exercise.returns[0]} cannot be read as numbers "
                           f"(it is of type {type(value).__name__}); ")


@every
def test_a_masked_entry_is_no_number(exercise, said):
    text = said(exercise, returning(exercise, lambda array: np.ma.masked_array(array, mask=True)))
    assert text.startswith(f"{exercise.returns[0]} cannot be read as numbers ")
    assert said(exercise, returning(exercise, np.ma.masked_array)).startswith("Right: ")


@pytest.mark.parametrize("name", ["masked_weights", "weights"])
def test_a_mask_of_ones_own_is_not_right(name, said):
    """The mask that is handed over counts, not one that the function makes itself."""
    def function(*args):
        return EXERCISES[name].reference(*args[:-1], causal_mask(*args[-1].shape))
    assert said(EXERCISES[name], function).startswith("Right on 3 of 6 random inputs only. ")


def test_two_results_may_be_stacked(said):
    assert said(EXERCISES["project"], lambda X, W_Q, W_K: np.stack([X @ W_Q, X @ W_K])).startswith("Right: ")


@pytest.mark.parametrize("value", [np.zeros((5, 3)), "Q, K", 1.0, (np.zeros((5, 3)),), [1, 2, 3]],
                         ids=["array", "string", "number", "one", "three"])
def test_wrong_number_of_results(value, said):
    text = said(EXERCISES["project"], lambda X, W_Q, W_K: value)
    assert text.startswith("Expected 2 results, return Q, K; project returned ")


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
    text = said(EXERCISES["scores"], lambda Q, K, *, factor: Q @ K.T * factor)
    assert text.startswith("Your function takes (Q, K, factor), ")


@with_arrays
@pytest.mark.parametrize("returns", [True, False], ids=["right", "nothing"])
def test_a_changed_input_is_named(exercise, returns, said):
    name = exercise.parameters[0]

    def function(*args):
        result = exercise.reference(*args)
        args[0][...] = 0
        return result if returns else None
    assert said(exercise, function).startswith(f"Your function changes its input {name}, ")


def stops(error):
    def function(*args):
        raise error
    return function


def calls_itself(*args):
    return calls_itself(*args)


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
    "long": (stops(ValueError("x" * 200)), "x" * checking.LONGEST_MESSAGE + "…"),
}


@every
@pytest.mark.parametrize(("function", "words"), STOPS.values(), ids=STOPS)
def test_an_exception_becomes_one_line(exercise, function, words, said):
    text = said(exercise, function)
    assert text.startswith(f'Your function stopped with "{words}" in line ')
    assert exercise._describe(exercise.cases()[0]) in text


@every
def test_the_interrupt_key_still_works(exercise):
    with pytest.raises(KeyboardInterrupt):
        exercise.check(stops(KeyboardInterrupt()))


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
    assert text.startswith('Your function stopped with "matmul: …": Q is ')


# ---------------------------------------------------------------- to the word, and where it stopped

SAYINGS = {
    "...": "Not yet: scores returned nothing.",
    "return K @ Q.T": "This is the transpose: row i now belongs to key i. "
                      "Queries go in rows, so Q comes first.",
    "return Q @ K": 'Your function stopped with "matmul: …" in line 2: '
                    "Q is (5, 3) and K is (7, 3); which axis must they share?",
    "return Q @ K.T / 3": "Right up to the factor 1/3; the raw score has no factor. "
                          "Lesson 04 brings one.",
    "return Q @ K.T": "Right: (5, 7) scores, equal to the reference on 6 random inputs.",
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
    assert ' in line 4: Q is (5, 3)' in EXERCISES["scores"]._verdict(namespace["scores"])


def test_line_of_a_library_is_not_shown():
    namespace = {"np": np}
    exec("def scores(Q, K):\n\n    return np.linalg.inv(Q)\n", namespace)
    assert " in line 3: Q is (5, 3)" in EXERCISES["scores"]._verdict(namespace["scores"])


def test_line_in_a_notebook_cell(capsys):
    config = Config({"HistoryManager": {"enabled": False}})
    shell = InteractiveShell(config=config, user_ns={"check_one_score": check_one_score})
    shell.run_cell("def one_score(Q, K, i, j):\n    q = Q[i]\n    return q @ key[j]\n")
    shell.run_cell("check_one_score(one_score)").raise_error()
    out, _ = capsys.readouterr()
    first = EXERCISES["one_score"]._describe(EXERCISES["one_score"].cases()[0])
    assert out == f'Your function stopped with "name \'key\' is not defined" in line 3: {first}.\n'


def test_check_prints_the_same_twice(capsys):
    for _ in range(2):
        check_scores(lambda Q, K: Q @ K.T + 1)
    first, second = capsys.readouterr().out.splitlines()
    assert first == second


# ---------------------------------------------------------------- solutions

@every
def test_the_printed_solution_passes(exercise, capsys, said):
    show_solution(exercise.name)
    code = capsys.readouterr().out
    assert code.startswith(f"def {exercise.name}(")
    assert '"""' not in code
    namespace = {"np": np, "FEATURES": FEATURES}
    exec(code, namespace)
    assert said(exercise, namespace[exercise.name]).startswith("Right: ")


def test_an_unknown_solution_lists_the_names():
    with pytest.raises(ValueError, match=f"'score'.*expected one of {', '.join(EXERCISES)}"):
        show_solution("score")
    with pytest.raises(TypeError, match="name must be a string, got function"):
        show_solution(check_scores)


@pytest.mark.parametrize("numbers", EXERCISES["query_matrix"].cases(), ids=str)
def test_query_matrix_is_that_of_a_head(numbers):
    strength, tokens_back, place = numbers
    head = HEADS["adjectives"]._replace(seeks={"noun": strength}, tokens_back=tokens_back, place=place)
    np.testing.assert_allclose(query_matrix(*numbers), head.W_Q(), atol=1e-12)


def test_every_topic_is_a_module_of_the_package():
    modules = {exercise.reference.__module__ for exercise in EXERCISES.values()}
    found = {f"helpers.exercises.{name}" for name, value in vars(helpers.exercises).items()
             if isinstance(value, types.ModuleType) and name != "checking"}
    assert modules == found
