"""Every explorer, every state of its grid: live view, text, and what must hold in all of them."""

import inspect
import itertools
import re
from functools import cache

import numpy as np
import pytest

from helpers import explorers
from helpers.interactive import Explorer, Failed, values
from helpers.views import Arrows, Bars, Curves, Matrix
from helpers.views.canvas import Drawing
from helpers.views.view import PICTURES

NAMES = sorted(name for name in dir(explorers) if name.startswith("explore_"))
MOST_STATES, MOST_STATES_IN_ALL = 4096, 15000
SENTENCES = ["The old king saw a tiny bird.", "creature", "The quiet cat saw a tiny bird . the old dog slept"]
every = pytest.mark.parametrize("name", NAMES)


@cache
def explorer(name, sentence=None):
    make = getattr(explorers, name)
    return make() if sentence is None else make(sentence=sentence)


def takes_a_sentence(name):
    return "sentence" in inspect.signature(getattr(explorers, name)).parameters


def text(views):
    return "\n\n".join(view.text() for view in views)


def written(text):
    """The numbers in a text; an index or a word's number counts only when it stands alone."""
    return re.findall(r"(?<![\w.])[-−]?(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|∞|NaN)(?![\w.]*\w)", text)


def numbers_of(view):
    """How many numbers a view has."""
    if isinstance(view, Matrix):
        return view.values.size
    if isinstance(view, Bars):
        return len(view.values)
    if isinstance(view, Arrows):
        return view.tips.size
    if isinstance(view, Curves):
        return len(view.x) * (1 + len(view.series))
    return 0


def assert_state(one, state):
    """What holds in every state; returns its text."""
    views = one.views(**state)
    assert not any(isinstance(view, Failed) for view in views), f"{state}: {text(views)}"
    page = one.html(**state)
    shown = text(views)
    for what in (shown, page):
        assert not re.search(r"\b([Nn]a[Nn]|inf|None)\b", what), f"{state}: {what}"
    assert not re.search(r"(?<!\d)-0\.0+(?!\d)", shown), f"{state} writes a negative zero"
    assert page.count("<table") == sum(isinstance(view, Matrix) for view in views)
    assert page.count("<svg") == sum(isinstance(view, Drawing) for view in views)
    for view in views:
        count = numbers_of(view)
        if count <= 1000:
            assert len(written(view.text().removeprefix(view.caption))) >= count, f"{state}: {view.text()}"
        if isinstance(view, Matrix) and view.kind == "weights":
            assert_shares(view, state)
    return shown


def assert_shares(matrix, state):
    """Rows sum to 1, or columns where the caption speaks of columns; what may look nowhere has zeros."""
    axis = 0 if re.search(r"\bcolumns?\b", matrix.caption) else 1
    totals = matrix.values.sum(axis=axis)
    if "fall short of 1" in matrix.caption:
        assert (totals < 1 + 1e-6).all() and not np.allclose(totals, 1), f"{state}: {matrix.text()}"
        return
    assert np.allclose(totals[totals != 0], 1, atol=1e-6), f"{state}: {matrix.text()}"
    assert totals.any()


def neighbours(one):
    """For each control the pairs of states that differ in it alone, by one place in its list."""
    grid = {name: values(control) for name, control in one.controls.items()}
    for name, row in grid.items():
        others = [[(other, v) for v in grid[other]] for other in grid if other != name]
        yield (
            name,
            [
                ({**dict(rest), name: a}, {**dict(rest), name: b})
                for rest in itertools.product(*others)
                for a, b in itertools.pairwise(row)
            ],
        )


def corners(one):
    """The states at the first and last value of each control."""
    ends = [[(name, v) for v in dict.fromkeys([values(c)[0], values(c)[-1]])] for name, c in one.controls.items()]
    return [dict(state) for state in itertools.product(*ends)]


def key(state):
    return tuple(sorted(state.items(), key=lambda pair: pair[0]))


def test_there_are_explorers_and_all_are_exported():
    assert NAMES and sorted(explorers.__all__) == NAMES


@every
def test_an_explorer_is_documented(name):
    assert isinstance(explorer(name), Explorer)
    assert explorer(name).caption
    assert "Returns" in inspect.getdoc(getattr(explorers, name))


@every
def test_every_state(name):
    """The sweep: each state renders, and each control changes what some pair of neighbours shows."""
    one = explorer(name)
    shown = {key(state): assert_state(one, state) for state in one.states()}
    assert 1 < len(shown) <= MOST_STATES
    assert key(one.default) in shown
    for control, pairs in neighbours(one):
        assert pairs, f"{control} has a single value"
        assert any(shown[key(a)] != shown[key(b)] for a, b in pairs), f"{control} changes nothing"


@every
def test_the_same_state_gives_the_same(name):
    one, again = explorer(name), getattr(explorers, name)()
    for state in corners(one):
        assert text(one.views(**state)) == text(one.views(**state)) == text(again.views(**state))
        assert one.html(**state) == again.html(**state)


@every
def test_moving_a_control_shows_the_state(name):
    one = explorer(name)
    output = one.widget().children[-1]
    for state in corners(one):
        for control, value in state.items():
            one.controls[control].value = value
        assert output.value == one.html(**state)
    for control, value in one.default.items():
        one.controls[control].value = value


@every
def test_the_picture_of_the_default_state_has_its_text(name, monkeypatch):
    monkeypatch.setenv(PICTURES, "png")
    one = explorer(name)
    data, _ = one._repr_mimebundle_()
    assert data["text/plain"] == f"{one.caption}\n\n{text(one.views(**one.default))}"
    assert len(data["image/png"]) > 1000


@pytest.mark.parametrize("sentence", SENTENCES, ids=["8 tokens", "1 token", "12 tokens"])
@pytest.mark.parametrize("name", list(filter(takes_a_sentence, NAMES)))
def test_corner_states_with_another_sentence(name, sentence):
    try:
        one = explorer(name, sentence)
    except ValueError as error:  # an explorer may need more than one token, and says so
        assert sentence == "creature"
        assert re.match(rf"{name}: sentence needs at least \d tokens.* got 1", str(error))
    else:
        for state in corners(one):
            assert_state(one, state)


@pytest.mark.parametrize("name", list(filter(takes_a_sentence, NAMES)))
def test_an_unknown_word_is_named_at_once(name):
    with pytest.raises(ValueError, match="unknown word 'zebra'"):
        getattr(explorers, name)(sentence="a zebra")


OWN_ARRAYS = {
    "explore_heads": {"W_Q": np.eye(12), "W_K": np.eye(12)},
    "explore_scale": {"Q": np.eye(5, 4), "K": np.eye(6, 4)},
    "explore_score": {"Q": np.eye(5, 4), "K": np.eye(6, 4)},
    "explore_single_head": {"W_Q": np.eye(12, 3), "W_K": np.eye(12, 3), "W_V": np.eye(12, 3)},
    "explore_softmax": {"scores": np.eye(4, 5)},
    "explore_value_map": {"change": np.eye(12)[0]},
    "explore_values": {"W_V": np.eye(12, 2)},
}


@pytest.mark.parametrize("wrong", ["abc", [[1.0], [1.0, 2.0]], np.eye(3) * 1j, {"a": 1.0}],
                         ids=["str", "ragged", "complex", "dict"])
@pytest.mark.parametrize(("name", "argument"), [(name, argument) for name, own in OWN_ARRAYS.items() for argument in own])
def test_what_is_no_array_of_numbers_is_named(name, argument, wrong):
    with pytest.raises((TypeError, ValueError), match=rf"^{name}: {argument} needs .*, got "):
        getattr(explorers, name)(**{**OWN_ARRAYS[name], argument: wrong})


@pytest.mark.parametrize("name", OWN_ARRAYS)
def test_an_array_changed_later_does_not_change_the_explorer(name):
    own = {argument: array.copy() for argument, array in OWN_ARRAYS[name].items()}
    one = getattr(explorers, name)(**own)
    before = [text(one.views(**state)) for state in corners(one)]
    for array in own.values():
        array[...] = 7
    assert [text(one.views(**state)) for state in corners(one)] == before


def test_all_grids_together_stay_small():
    assert sum(len(list(explorer(name).states())) for name in NAMES) <= MOST_STATES_IN_ALL
