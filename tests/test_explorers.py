"""Every explorer, every state of its grid: live view, text, and what must hold in all of them."""

import inspect
import itertools
import re
import unicodedata
from functools import cache

import numpy as np
import pytest

from helpers import explorers
from helpers.interactive import Explorer, Failed, values
from helpers.tiny_model import TinyModel
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
    assert totals.any() or "nothing to look at" in matrix.caption


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


ODD = {
    "None": None, "a number": 3, "minus one": -1, "NaN": np.nan, "bytes": b"a bird", "a set": {"bird"}, "a class": TinyModel,
    "no text": "", "blank": " \n", "a letter": "a", "an unknown word": "a zebra", "control characters": "a\x00 bird",
    "too long": "a bird " * 7, "decomposed": unicodedata.normalize("NFD", "La créature calme errait."),
    "a list of words": ["a", "bird"], "an empty list": [], "an empty dict": {}, "a dict": {"a": 1.0},
    "no rows": np.ones((0, 3)), "no columns": np.ones((3, 0)), "a row": np.ones(4), "three axes": np.ones((2, 2, 2)),
    "a square": np.eye(3), "one entry": [[2.0]], "ragged": [[1.0], [1.0, 2.0]], "objects": np.array([[None] * 4] * 5),
    "complex": np.eye(5, 4) * 1j, "words": [["a", "b"]], "NaN inside": np.full((5, 4), np.nan),
    "infinite": np.full((5, 4), np.inf), "minus infinite": np.full((5, 4), -np.inf), "huge": np.full((5, 4), 1e308),
    "large": np.full((5, 4), 1e40), "tiny": np.full((5, 4), 1e-310), "negative": -np.eye(5, 4), "booleans": np.eye(5, 4) > 0,
    "NaN alone": np.full(12, np.nan), "huge twelve": np.full(12, -1e308), "zeros": np.zeros(12),
    "a lookahead model": TinyModel(causal=False), "a bare model": TinyModel(H=2, d_k=2),
    "runs of nothing": {"a": {}}, "runs of numbers": {"a": {0: 1, 1: 2}}, "runs of one step": {"a": {0: TinyModel()}},
    "runs of words": {"a": {"first": TinyModel(), "last": TinyModel()}},
    "two runs": {0: {0: TinyModel(), 5: TinyModel()}, 1: {0: TinyModel(), 5: TinyModel()}},
}
ARGUMENTS = [(name, argument) for name in NAMES for argument in inspect.signature(getattr(explorers, name)).parameters]
OWNERS = ("batch", "tokenize", "encode", "forward_cached")  # what reads a sentence, and what reads a model


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize(("name", "argument"), ARGUMENTS)
def test_an_odd_value_works_or_is_named(name, argument, odd):
    """An explorer all of whose corners are sound, or an error of the project that names the argument."""
    own = {other: array for other, array in OWN_ARRAYS.get(name, {}).items() if {argument, other} == {"Q", "K"}}
    try:
        one = getattr(explorers, name)(**own, **{argument: ODD[odd]})
    except (TypeError, ValueError) as error:
        assert re.match(rf"({'|'.join([name, *OWNERS])}): .*\b({argument}|sentence|unknown word|model|caches)\b", str(error))
    else:
        assert one._repr_mimebundle_()[0]["text/plain"]
        for state in corners(one):
            assert_state(one, state)


@pytest.mark.parametrize("name", OWN_ARRAYS)
def test_an_array_changed_later_does_not_change_the_explorer(name):
    own = {argument: array.copy() for argument, array in OWN_ARRAYS[name].items()}
    one = getattr(explorers, name)(**own)
    before = [text(one.views(**state)) for state in corners(one)]
    for array in own.values():
        array[...] = 7
    assert [text(one.views(**state)) for state in corners(one)] == before


# What the notes say


def note(name, **state):
    """The last view of a state that differs from the default in these controls."""
    one = explorer(name)
    return one.views(**{**one.default, **state})[-1].words


@pytest.mark.parametrize("d_v", range(1, 13))
def test_the_head_by_hand_writes_alive_from_width_4_on(d_v):
    part = 1 if d_v >= 4 else 0
    assert f"Of the wanted change {part:.2f} can be written" in note(
        "explore_value_map", d_v=d_v, matrices="by hand", wanted_change="alive −1")


def test_the_strongest_look_is_one_of_a_token_with_a_choice():
    assert note("explore_head").startswith("“a” has no choice and looks at itself. Of the others the strongest look: forest ")
    assert note("explore_head", mask="none").startswith("The strongest look: ")
    alone = explorer("explore_head", "creature")
    assert alone.views(**alone.default)[-1].words == "“creature” has no choice and looks at itself."


def test_the_largest_share_is_one_divided_by_the_printed_sum():
    one = explorer("explore_softmax", SENTENCES[0])
    for state in one.states():
        total, share = re.search(r"is 1 / ([\d.]+) = ([\d.]+) \(", one.views(**state)[-1].words).groups()
        assert f"{1 / float(total):.3f}" == share


def test_a_sum_of_printed_products_holds_or_says_that_it_is_rounded():
    one = explorer("explore_score")
    signs = set()
    for state in one.states():
        products, sign, total = re.search(r"answers\. (.*) ([=≈]) (−?[\d.]+)$", one.views(**state)[-1].words).groups()
        added = sum(float(product) for product in products.replace("− ", "-").replace("+ ", "").replace("−", "-").split())
        assert (round(added, 2) == float(total.replace("−", "-"))) == (sign == "=")
        signs.add(sign)
    assert signs == {"=", "≈"}


@pytest.mark.parametrize("shared", [1, 8, np.inf])
def test_the_cost_note_names_the_curves_that_a_control_moves(shared):
    one = explorer("explore_cost")
    start = {**one.default, "shared": shared}

    def moved(**change):
        before, after = (one.views(**state)[0].series for state in (start, {**start, **change}))
        return {curve for curve in before if not np.array_equal(before[curve], after[curve])}

    said = note("explore_cost", shared=shared)
    scores = {"all scores", "tiles"}
    assert moved(H=128) == (scores if shared == np.inf else {*scores, "K and V"})
    assert f"with the heads: all scores, tiles{'' if shared == np.inf else ', K and V'};" in said
    assert moved(size=8) == {*scores, "K and V"} and "with the bytes: all scores, tiles, K and V;" in said
    other = 8 if shared == 1 else 1
    assert moved(shared=other) == {"K and V"} and "with what K, V serve: K and V." in said
    assert moved(T=1024) == set() and "The context moves only the mark; nothing moves the line of 24 GB." in said


def test_all_grids_together_stay_small():
    assert sum(len(list(explorer(name).states())) for name in NAMES) <= MOST_STATES_IN_ALL


def test_a_tiny_change_is_taken_apart_like_any_other():
    change = np.random.default_rng(0).normal(size=12)
    notes = [explorers.explore_value_map(size * change).views(d_v=5, matrices="random", wanted_change="your change",
                                                                   shown="the change")[-1].words
             for size in (1, 1e-200)]
    assert notes[0] == notes[1] and "nan" not in notes[0]


def test_each_of_several_heads_is_named():
    model = TinyModel(H=3)
    words = explorers.explore_training({"r": {0: model, 1: model}}).views(run="r", step=0, target=3)[-1].words
    assert ", with head 1 " in words and ", with head 2 " in words


def test_two_layers_need_room_for_a_text():
    short = TinyModel(layers=2, vocabulary=22, length=5)
    with pytest.raises(ValueError, match=r"^explore_two_layers: snapshots need models .* at least 20 places"):
        explorers.explore_two_layers({0: short})
