"""Whatever a view is given, it either says at once which argument is wrong, or all its renderings work."""

import dataclasses
import re

import numpy as np
import pytest
from matplotlib.figure import Figure

from helpers.views import Arrows, Bars, Curves, Matrix, Note, Row

pytestmark = pytest.mark.filterwarnings("error")
HUGE = 10**400
ODD = {
    "None": None,
    "True": True,
    "zero": 0,
    "three": 3,
    "minus one": -1,
    "half": 0.5,
    "huge": HUGE,
    "1e308": 1e308,
    "-1e308": -1e308,
    "1e300": 1e300,
    "5e-324": 5e-324,
    "NaN": np.nan,
    "infinity": np.inf,
    "complex": 1j,
    "empty text": "",
    "text": "text",
    "bytes": b"bytes",
    "empty list": [],
    "[1]": [1],
    "[1, 2]": [1, 2],
    "[2, 1]": [2, 1],
    "[1, NaN]": [1, np.nan],
    "[0, 1e308]": [0, 1e308],
    "[-1e308, 1e308]": [-1e308, 1e308],
    "[huge, 1]": [HUGE, 1],
    "[None, None]": [None, None],
    "['a', 'b']": ["a", "b"],
    "ragged": [[1, 2], [3]],
    "nested": [[1, 2], [3, 4]],
    "nested 1e300": [[1e300, -1e300], [-1e300, 1e300]],
    "nested 5e-324": [[5e-324, 0], [0, 0]],
    "nested 1e16": [[1e16, 1e16], [1e16, 1e16]],
    "scalar array": np.array(1.0),
    "array": np.array([0.25, 0.75]),
    "float32": np.array([0.25, 0.75], np.float32),
    "booleans": np.array([True, False]),
    "objects": np.array([object(), None]),
    "dates": np.array(["2024-01-01", "2024-01-02"], "datetime64[D]"),
    "structured": np.zeros(2, [("a", float)]),
    "masked": np.ma.masked_array([0.25, 0.75], [True, False]),
    "masked nested": np.ma.masked_array([[0.25, 0.75], [0.5, 0.5]], [[True, False], [False, False]]),
    "three axes": np.zeros((2, 2, 2)),
    "dict": {"a": [1, 2]},
    "dict of text": {"a": "b"},
    "dict of 1e16": {"a": [1e16, 1e16]},
    "dict of 1e300": {"a": [1e300, -1e300]},
    "set": {1, 2},
    "tuple of arrays": (np.zeros(2), np.ones(2)),
    "function": len,
    "class": Matrix,
    "view": Note("a view"),
}
MADE = {
    Matrix: {"values": [[0.1, 0.9], [0.5, 0.5]]},
    Bars: {"values": [1.0, -2.0]},
    Curves: {"x": [1.0, 2.0], "series": {"y": [1.0, 2.0]}},
    Arrows: {"tips": [[1.0, 0.0], [0.0, 1.0]]},
    Note: {"words": "words"},
}
FIELDS = [(kind, field.name) for kind in MADE for field in dataclasses.fields(kind) if field.init]


def use(view):
    """All renderings, without a warning, and no number that is none."""
    page, text = view.html(), view.text()
    view.draw(Figure(figsize=view.size).add_axes((0, 0, 1, 1)))
    assert isinstance(text, str) and not re.search(r' (?!aria-label)[a-z-]+="[^"]*\b(nan|inf)\b', page)


def assert_named_or_shown(make, owner, name):
    """Each odd value for one argument."""
    for odd, value in ODD.items():
        try:
            view = make(**{name: value})
        except (TypeError, ValueError) as error:
            assert re.match(rf"{owner}: .*\b{name}\b", str(error)), f"{odd}: {error}"
            assert len(str(error)) < 300, odd
        else:
            use(view)


@pytest.mark.parametrize(("kind", "name"), FIELDS, ids=lambda part: getattr(part, "__name__", part))
def test_an_odd_value_is_named_or_shown(kind, name):
    assert_named_or_shown(lambda **odd: kind(**{**MADE[kind], **odd}), kind.__name__, name)


@pytest.mark.parametrize("scale", ["log2", "log10"])
@pytest.mark.parametrize("name", ["x", "series", "limits", "mark"])
def test_an_odd_value_on_a_logarithmic_axis_is_named_or_shown(name, scale):
    scales = {"x_scale": scale, "y_scale": scale}
    assert_named_or_shown(lambda **odd: Curves(**{**MADE[Curves], **scales, **odd}), "Curves", name)


@pytest.mark.parametrize("name", ["samples", "bins"])
def test_an_odd_histogram_is_named_or_shown(name):
    usual = {"samples": {"s": [0.5, 1.5]}, "bins": [0, 1, 2]}
    assert_named_or_shown(lambda **odd: Curves.histogram(**{**usual, **odd}), "Curves", name)


def test_a_row_takes_views_alone():
    for value in [value for name, value in ODD.items() if name != "view"]:
        with pytest.raises(TypeError, match=r"^Row: expected views one by one, as in Row\(one, other\), got "):
            Row(value)


def test_a_row_takes_no_row_and_no_list():
    note = Note("a note")
    for wrong, name in ((Row(note), "Row"), ([note, note], "list"), ((note,), "tuple")):
        with pytest.raises(TypeError, match=f"^Row: .*got {name}$"):
            Row(note, wrong)


def test_a_masked_number_is_none():
    assert "NaN" in Matrix(ODD["masked nested"]).text() and "0.25" not in Matrix(ODD["masked nested"]).text()
    assert np.isnan(Bars(ODD["masked"]).values).tolist() == [True, False]
    with pytest.raises(ValueError, match="Arrows: tips needs finite numbers"):
        Arrows(ODD["masked nested"])


def test_a_constant_far_from_zero_has_room():
    curves = Curves([1, 2, 3], {"a": [1e16] * 3})
    low, high = curves._y_range()
    assert low < 1e16 < high


@pytest.mark.parametrize(("kind", "arguments"), [
    (Bars, {"limits": np.array([-1.0, 3.0])}), (Curves, {"limits": np.array([0.0, 3.0])}),
    (Arrows, {"centre": np.array([1.0, 1.0])}), (Matrix, {"limit": np.float64(2)}),
    (Arrows, {"hull": np.array([0, 1])}), (Matrix, {"highlight": np.int64(1)}),
])
def test_arrays_and_numpy_numbers_are_as_good_as_python_ones(kind, arguments):
    plain = {name: value.tolist() for name, value in arguments.items()}
    plain = {name: tuple(value) if isinstance(value, list) else value for name, value in plain.items()}
    one, other = (kind(**{**MADE[kind], **given}) for given in (arguments, plain))
    assert (one.html(), one.text()) == (other.html(), other.text())
    use(one)
