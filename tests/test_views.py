"""views: three renderings with the same numbers, well formed, aligned, and nothing outside its place."""

import base64
import inspect
import io
import re
import subprocess
import sys
import warnings
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.image import imread
from wcwidth import wcswidth

from helpers import figures, style
from helpers.views import Arrows, Bars, Curves, Matrix, Note, Row
from helpers.views.axis import Axis
from helpers.views.labels import short, subscripts
from helpers.views.picture import picture
from helpers.views.view import DPI, PICTURES

pytestmark = pytest.mark.filterwarnings("error")
ROOT = Path(__file__).parents[1]
ODD = [
    "x" * 100,
    "antidisestablishmentarianism " * 4,
    "초록빛이 도는",
    "숲",
    "🦔🌲",
    "👩‍👩‍👧",
    "e\u0301",
    "",
    "two\nlines",
    "tab\there",
    "bell\x07",
    "<script>alert(1)</script>",
    "$x^2$",
    "a & b",
    '"quoted"',
    "'",
    "ﷺ",
    "WWWWWWWWWWWWWW",
]
WORDS = ["a", "fluffy", "blue", "creature", "roamed", "the", "verdant", "forest", ".", "the", "old", "king"]
SETTINGS = settings(max_examples=25, deadline=None, derandomize=True)


def words(T):
    return [WORDS[i % len(WORDS)] for i in range(T)]


def weights(T_q, T_k=None, seed=0):
    A = np.random.default_rng(seed).exponential(size=(T_q, T_k or T_q))
    return A / A.sum(1, keepdims=True)


def scores(T_q, T_k=None, seed=0):
    return 5 * np.random.default_rng(seed).normal(size=(T_q, T_k or T_q))


class Reader(HTMLParser):
    """Checks that tags nest, and collects what a reader sees, as (tag, attributes, text)."""

    def __init__(self, source):
        super().__init__()
        self.open, self.elements = [], []
        self.feed(source)
        self.close()
        assert not self.open, f"left open: {self.open}"

    def handle_starttag(self, tag, attributes):
        element = [tag, dict(attributes), ""]
        self.elements.append(element)
        self.open.append(element)

    def handle_startendtag(self, tag, attributes):
        self.elements.append([tag, dict(attributes), ""])

    def handle_endtag(self, tag):
        assert self.open and self.open[-1][0] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()

    def handle_data(self, data):
        for element in self.open:
            element[2] += data

    def all(self, tag, **attributes):
        return [e for e in self.elements if e[0] == tag and attributes.items() <= e[1].items()]

    def texts(self, tag, **attributes):
        return [text for _, _, text in self.all(tag, **attributes)]


def read(view):
    return Reader(view.html())


def numbers_in(text):
    return re.findall(r"-?\d+\.\d+(?:e\+\d+)?|[-−]?∞|NaN", text)


def svg(view):
    return ElementTree.fromstring(re.search("<svg.*</svg>", view.html(), re.S)[0])


def drawn(view):
    """Every text of the drawing with its box in pixels from the upper left corner, and the size in pixels."""
    width, height = view.size
    figure = Figure(figsize=(width, height), dpi=DPI)
    renderer = FigureCanvasAgg(figure).get_renderer()
    ax = figure.add_axes((0, 0, 1, 1))
    view.draw(ax)
    figure.draw_without_rendering()
    boxes = [(t.get_text(), t.get_window_extent(renderer)) for t in ax.texts if t.get_text().strip()]
    height *= DPI
    return [(t, (b.x0, height - b.y1, b.x1, height - b.y0)) for t, b in boxes], width * DPI, height


def overlap(one, other, play=0.5):
    return min(one[2], other[2]) - max(one[0], other[0]) > play and min(one[3], other[3]) - max(one[1], other[1]) > play


def overlaps(boxes):
    return [(a, b) for i, (a, one) in enumerate(boxes) for b, other in boxes[i + 1 :] if overlap(one, other)]


def outside(boxes, width, height, play):
    return [
        (t, tuple(round(v) for v in box))
        for t, box in boxes
        if box[0] < -play or box[1] < -play or box[2] > width + play or box[3] > height + play
    ]


def assert_matrix_is_tidy(matrix):
    """Nothing leaves the canvas; cells keep to their cells; names of columns keep below the title."""
    boxes, width, height = drawn(matrix)
    assert not outside(boxes, width, height, 2)
    heading, names = 1 + bool(matrix.axes), sum(matrix.values.shape)
    cells = boxes[heading + names :]
    cells = cells[: matrix.values.size] if not matrix.dense else []
    assert not overlaps(cells)
    for title in boxes[:heading]:
        assert not [name for name in boxes[heading:] if overlap(title[1], name[1])], title
    columns = boxes[heading : heading + matrix.values.shape[1]]
    for cell in cells:
        assert not [name for name in columns if overlap(cell[1], name[1], 2)], cell
    if not matrix.slanted:
        assert not overlaps(columns)


# ---------------------------------------------------------------- every view

VIEWS = {
    "weights": Matrix.weights(weights(4), words(4), caption="Rows", highlight=2),
    "scores": Matrix(scores(3, 5), kind="scores", highlight=(1, 2)),
    "vectors": Matrix(scores(2, 3), ["q", "k"], ["match", "cos", "sin"], symbol="Q", caption="Queries"),
    "mask": Matrix(np.where(np.tri(4), 0, -np.inf), kind="mask", caption="Causal"),
    "dense": Matrix(weights(20), kind="weights"),
    "bars": Bars([1.5, -2.25, 0], ["a", "b", "c"], caption="Values", symbol="v", highlight=1),
    "curves": Curves([1, 2, 4], {"raw": [1, 2, 3], "scaled": [1, 1, 1]}, caption="Lines", mark=2),
    "histogram": Curves.histogram({"raw": [0.5, 1.5, 1.6]}, [0, 1, 2, 3], caption="Shares"),
    "note": Note("Seventeen words & <signs>: " + "creature finds fluffy and blue, and looks at no other word. " * 3),
    "arrows": Arrows([[1, 2], [-1, 0.5], [0, 0]], ["q", "k", "zero"], caption="Plane", symbols=["q", "k", ""], highlight=0),
}
X, Q, S = np.ones((9, 12)), np.ones((9, 3)), np.ones((9, 9))
Q_OF_HEADS, S_OF_HEADS = np.ones((4, 9, 3)), np.ones((4, 9, 9))
VIEWS |= {
    "flow": figures.flow(X, Q, Q, Q, S, S, Q, X, X),
    "flow of heads": figures.flow(X, Q_OF_HEADS, Q_OF_HEADS, Q_OF_HEADS, S_OF_HEADS, S_OF_HEADS, Q_OF_HEADS, X, X),
    "concatenation": figures.concatenation(Q_OF_HEADS, np.ones((12, 12))),
    "normalisation": figures.normalisation(),
}
views = pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)


@views
def test_a_kernel_shows_html_and_its_text(view):
    data, metadata = view._repr_mimebundle_(include=None, exclude=None)
    assert set(data) == {"text/html", "text/plain"} and metadata == {}
    assert data["text/plain"] == view.text()
    assert view.html() in data["text/html"]
    assert data["text/html"].startswith(f"<style>{style.CSS}</style>")
    Reader(data["text/html"])


@views
def test_the_files_hold_a_picture_and_its_text(view, monkeypatch):
    monkeypatch.setenv(PICTURES, "png")
    data, metadata = view._repr_mimebundle_()
    assert set(data) == {"image/png", "text/plain"}
    assert data["text/plain"] == view.text()
    pixels = imread(io.BytesIO(base64.b64decode(data["image/png"]))).shape
    shown = metadata["image/png"]
    assert shown["alt"] == view.caption
    assert [shown["height"], shown["width"]] == [n // 2 for n in pixels[:2]]


@views
def test_a_view_is_a_value(view):
    first = view.html(), view.text(), picture([view])
    assert (view.html(), view.text(), picture([view])) == first


@views
def test_html_is_well_formed(view):
    read(view)


@views
def test_text_never_writes_a_negative_zero(view):
    assert "-0.00" not in view.text().split()


def test_matplotlib_is_imported_with_the_first_png():
    code = (
        "import os, sys; from helpers import explorers, figures; from helpers.views import *;"
        "one = explorers.explore_single_head(); shown = one.widget().children[-1];"
        "before = shown.value; one.controls['target'].value = 5; assert shown.value != before;"
        "views = [Matrix([[1, 2]]), Bars([1]), Curves([0, 1], {'a': [0, 1]}), Arrows([[1, 2]]), Note('x'), Row(Bars([1]))];"
        "bundles = [view._repr_mimebundle_()[0] for view in [*views, one, figures.normalisation()]];"
        "assert all('text/html' in bundle for bundle in bundles);"
        "print('matplotlib' in sys.modules, 'PIL' in sys.modules);"
        "os.environ['ATTENTION_PICTURES'] = 'png'; assert 'image/png' in views[0]._repr_mimebundle_()[0];"
        "print('matplotlib' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.stdout == "False False\nTrue\n", run.stderr


def test_pictures_are_the_same_in_another_process_and_need_no_pyplot():
    code = (
        "import hashlib, sys, numpy as np; from helpers.views import *; from helpers.views.picture import picture;"
        "A = np.arange(9.).reshape(3, 3);"
        "views = [Matrix(A, caption='a'), Bars(A[0]), Curves(A[0], {'a': A[1]}), Arrows(A[:, :2])];"
        "print(hashlib.sha256(picture(views)[0]).hexdigest(), 'matplotlib.pyplot' in sys.modules)"
    )
    run = [subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE) for _ in range(2)]
    one, other = [process.communicate()[0] for process in run]
    assert one == other and one.endswith(b" False\n")


@pytest.mark.parametrize(
    "make",
    [
        lambda a: Matrix(a, highlight=0),
        lambda a: Bars(a[0]),
        lambda a: Arrows(a[:, :2], tails=a[:, 1:]),
        lambda a: Curves(np.arange(3), {"y": a[0]}),
        lambda a: Curves(a[0], {"y": np.arange(3)}),
        lambda a: Curves.histogram({"s": a[0]}, a[1]),
    ],
)
def test_input_is_neither_modified_nor_shared(make):
    a = np.arange(9.0).reshape(3, 3)
    view = make(a)
    before = view.html(), view.text()
    assert np.array_equal(a, np.arange(9.0).reshape(3, 3))
    a[:] = -7
    assert (view.html(), view.text()) == before
    frozen = np.arange(9.0).reshape(3, 3)
    frozen.flags.writeable = False
    assert make(frozen).text() == before[1]


def test_labels_are_not_shared():
    names, series = ["a", "b"], {"y": [1, 2]}
    made = [Matrix(np.eye(2), names, names), Bars([1, 2], names), Arrows(np.eye(2), names), Curves([0, 1], series)]
    before = [view.text() for view in made]
    names[0], series["z"] = "changed", [3, 4]
    assert [view.text() for view in made] == before


def test_a_view_cannot_be_changed():
    for view in VIEWS.values():
        with pytest.raises(AttributeError):
            view.caption = "other"


@pytest.mark.parametrize("values", [[["a", "b"]], [[1, 2], [3]], [[1j]], None], ids=repr)
@pytest.mark.parametrize(
    "make",
    [
        lambda v: Matrix(v),
        lambda v: Bars(v),
        lambda v: Arrows(v),
        lambda v: Curves([0, 1], {"values": v}),
        lambda v: Curves(v, {"y": [0, 1]}),
    ],
    ids=["Matrix.values", "Bars.values", "Arrows.tips", "Curves.values", "Curves.x"],
)
def test_what_is_not_an_array_of_numbers_is_named(make, values, request):
    owner, name = request.node.callspec.id.split("-")[0].split(".")
    with pytest.raises((TypeError, ValueError), match=f"{owner}: .*{name}"):
        make(values)


@views
def test_texts_of_a_view_align(view):
    """The columns of a text end at the same place, counted in character cells."""
    table = [line for line in view.text().splitlines() if len(numbers_in(line)) > 1]
    ends = {tuple(wcswidth(line[: m.end()]) for m in re.finditer(r"-?\d+\.\d+|−∞|NaN", line)) for line in table}
    if isinstance(view, Matrix):
        assert len(ends) <= 1


def test_row_needs_a_view():
    with pytest.raises(ValueError, match=r"Row: .*at least one view"):
        Row()


def test_row_shows_the_texts_of_its_views_one_below_the_other(monkeypatch):
    parts = VIEWS["vectors"], VIEWS["bars"]
    data, _ = Row(*parts)._repr_mimebundle_()
    assert data["text/plain"] == "\n\n".join(view.text() for view in parts) == Row(*parts).text()
    assert data["text/html"].count("<style>") == 1
    assert all(f"<div>{view.page_html()}</div>" in data["text/html"] for view in parts)
    monkeypatch.setenv(PICTURES, "png")
    data, metadata = Row(*parts)._repr_mimebundle_()
    assert data["text/plain"] == Row(*parts).text()
    assert metadata["image/png"]["alt"] == "Queries; Values"


def test_a_page_without_our_style_shows_the_text_of_a_drawing():
    """What JupyterLab leaves of HTML that it does not trust, and GitHub of any: no style, no drawing."""
    page = Reader(VIEWS["bars"]._repr_mimebundle_()[0]["text/html"])
    [drawn] = page.all("div", **{"class": "attn-drawn"})
    [text] = page.all("pre", **{"class": "attn-text"})
    assert "hidden" in drawn[1] and "hidden" not in text[1]
    assert text[2] == VIEWS["bars"].text()
    assert ".attn-drawn { display: block !important; }" in style.CSS and ".attn-text { display: none; }" in style.CSS


def test_a_row_wider_than_the_page_goes_on_below():
    one = Matrix(scores(2, 16), ["first", "second"])
    _, width, height = picture([one])
    _, wide, high = picture([one, one])
    assert wide < 1.5 * width and high > 1.8 * height
    _, wide, high = picture([VIEWS["vectors"], VIEWS["vectors"]])
    assert wide > 1.5 * picture([VIEWS["vectors"]])[1]


# ---------------------------------------------------------------- Matrix


@pytest.mark.parametrize("kind", ["vectors", "scores", "weights", "mask"])
@pytest.mark.parametrize("T", range(1, 13))
def test_every_number_of_a_matrix_is_shown(T, kind):
    values = weights(T) if kind == "weights" else scores(T)
    if kind == "mask":
        values = np.where(np.tri(T), 0, -np.inf)
    matrix = Matrix(values, words(T), words(T), kind=kind, caption="Numbers")
    expected = [style.number(v) for v in values.flat]
    cells = read(matrix).texts("td")[1:]
    assert cells == [text.replace("-", "−") for text in expected]
    assert numbers_in(matrix.text()) == expected
    boxes, *_ = drawn(matrix)
    assert [t for t, _ in boxes][1 + 2 * T :] == cells
    assert not matrix.dense


def test_a_matrix_of_colours_keeps_its_numbers_in_the_text():
    full, small = (Matrix.weights(weights(9), words(9), highlight=3, caption="A", colours_only=only) for only in (False, True))
    assert small.text() == full.text()
    cells = read(small).texts("td")[1:]
    assert len(cells) == 81 and not any(cells)
    assert 'class="attn-matrix attn-colours"' in small.html() and "largest" not in small.html()
    assert max(small.size) < 0.6 * max(full.size)
    with pytest.raises(TypeError, match="Matrix: colours_only"):
        Matrix(weights(2), colours_only="yes")


def test_a_large_matrix_shows_colours_and_a_summary():
    A = weights(64)
    A[5, 40], A[:, 0] = 0.875, 0.25
    matrix = Matrix(A, kind="weights", caption="Sixty-four tokens")
    summary = "largest 0.88 at 5 → 40; mean share on 0 0.25"
    page = read(matrix)
    assert set(page.texts("td")) == {""} and len(page.all("td")) == 64 * 64 + 1
    assert page.texts("p") == [summary]
    assert matrix.text() == f"(64, 64): Sixty-four tokens\n{summary}"
    assert summary in [t for t, _ in drawn(matrix)[0]]
    assert all("background" in e[1]["style"] for e in page.all("td")[1:])
    assert_matrix_is_tidy(matrix)


def test_the_summary_looks_past_what_is_not_finite():
    S = np.full((40, 40), -np.inf)
    assert Matrix(S, kind="scores").summary() == "no finite value"
    S[3, 7], S[4, 4], S[0, 0] = -2, -5, np.nan
    assert Matrix(S, kind="scores").summary() == "largest -2.00 at 3 → 7"


def test_up_to_1000_values_the_text_holds_all():
    values = np.arange(1000.0).reshape(25, 40)
    assert [float(n) for n in numbers_in(Matrix(values).text())] == values.ravel().tolist()
    assert len(numbers_in(Matrix(np.arange(1001.0).reshape(7, 143)).text())) == 1


@pytest.mark.parametrize("shape", [(1, 1), (1, 12), (12, 1), (2, 9), (9, 2)])
def test_odd_shapes(shape):
    matrix = Matrix.scores(scores(*shape), words(shape[0]), words(shape[1]), caption="Odd", highlight=0)
    page = read(matrix)
    assert len(page.all("th", scope="row")) == shape[0] and len(page.all("th", scope="col")) == shape[1]
    assert len(numbers_in(matrix.text())) == np.prod(shape)
    assert_matrix_is_tidy(matrix)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0), (0, 20)])
def test_a_matrix_without_values_shows_its_names(shape):
    matrix = Matrix(np.zeros(shape), words(shape[0]), words(shape[1]), kind="weights", caption="Nothing")
    assert read(matrix).texts("th") == words(shape[1]) + words(shape[0])
    assert matrix.text().splitlines()[0] == f"({shape[0]}, {shape[1]}): Nothing"
    assert picture([matrix])[1] > 0
    assert_matrix_is_tidy(matrix)


def test_a_matrix_is_a_table_with_a_caption():
    page = read(Matrix.weights(weights(2, 3), ["r0", "r1"], ["a", "b", "c"], caption="Shares"))
    assert page.texts("caption") == ["A (2, 3): Shares"]
    assert page.texts("th", scope="row") == ["r0", "r1"]
    assert page.texts("th", scope="col") == ["a", "b", "c"]
    assert page.texts("td")[0] == "target i ↓, source j →"
    assert len(page.all("th")) == 5 and len(page.all("tr")) == 3


@pytest.mark.parametrize("symbol", ["Q", "K", "V", "O"])
def test_the_symbol_brings_its_colour(symbol):
    bold = read(Matrix(np.eye(2), symbol=symbol)).all("b")
    assert [(e[1]["style"], e[2]) for e in bold] == [(f"color:{style.themed(style.role_colour(symbol))}", symbol)]


@pytest.mark.parametrize(
    ("symbol", "shown"),
    [("S_scaled", "S<sub>scaled</sub>"), ("W_Qᵀ", "W<sub>Q</sub>ᵀ"), ("O W_O", "O W<sub>O</sub>"), ("n_past", "n<sub>past</sub>"),
     ("A", "A"), ("two_words", "two_words"), ("_", "_"), ("a_", "a_"), ("x_1_2", "x_1_2"), ("<b>_1", "&lt;b&gt;_1")],
)
def test_words_get_subscripts_and_the_text_keeps_them_plain(symbol, shown):
    view = Matrix(np.eye(2), ["W_Q", "b"], symbol=symbol, caption=f"{symbol} / √d_k")
    assert f">{shown}</b> (2, 2): {shown} / √d<sub>k</sub></span></caption>" in view.html()
    assert view.text().startswith(f"{symbol} (2, 2): {symbol} / √d_k\n")
    assert '<th scope="row">W<sub>Q</sub></th>' in view.html()
    bars = Bars([1], ["W_Q"], symbol=symbol, caption="of d_k")
    assert f">{shown}</b>: of d<sub>k</sub></figcaption>" in bars.html()
    assert words_of(next(svg(bars).iter("text"))) == "W_Q"
    assert Note("W_Q < d_k").html() == '<p class="attn-note">W<sub>Q</sub> &lt; d<sub>k</sub></p>'
    curves = Curves([1, 2], {symbol: [1, 2]}, x_label=symbol)
    assert [words_of(e) for e in svg(curves).iter("text")].count(symbol) == 2
    assert curves.html().count("<tspan") == 4 * shown.count("<sub>")


@pytest.mark.parametrize(
    ("highlight", "cells", "mark", "heads", "line"),
    [
        (None, [], None, [], None),
        (1, [], None, ["r1"], "marked: r1"),
        ((1, 2), [5], "cell", ["c2", "r1"], "marked: r1 → c2"),
        ((None, 0), [0, 3], "column", ["c0"], "marked: c0"),
        (np.int64(0), [], None, ["r0"], "marked: r0"),
    ],
)
def test_highlight(highlight, cells, mark, heads, line):
    values = np.arange(6.0).reshape(2, 3)
    matrix = Matrix(values, ["r0", "r1"], ["c0", "c1", "c2"], highlight=highlight)
    page = read(matrix)
    marked = [e for e in page.all("td")[1:] if "data-marked" in e[1]]
    assert [float(e[2]) for e in marked] == cells
    assert {e[1]["data-marked"] for e in marked} == ({mark} if mark else set())
    assert [e[2] for e in page.all("th") if "data-marked" in e[1]] == heads
    whole = [e for e in page.all("tr") if "data-marked" in e[1]]
    assert len(whole) == (1 if heads and heads[0].startswith("r") else 0)
    assert [s for s in matrix.text().splitlines() if s.startswith("marked")] == [line] * (line is not None)


def test_minus_infinity_is_hatched_and_written():
    matrix = Matrix([[0, -np.inf], [1, 2]], kind="scores")
    off = read(matrix).all("td")[1:]
    assert [(e[1].get("class"), e[2]) for e in off] == [
        (None, "0.00"),
        ("attn-off", "−∞"),
        (None, "1.00"),
        (None, "2.00"),
    ]
    assert re.search(r"\.attn-off\b[^}]*repeating-linear-gradient", style.CSS)
    ax = Figure().add_subplot()
    matrix.draw(ax)
    hatched = [collection for collection in ax.collections if collection.get_hatch() == "///"]
    assert [len(collection.get_paths()) for collection in hatched] == [1]


def test_nan_is_written():
    matrix = Matrix([[np.nan, 1.0]], kind="weights")
    assert read(matrix).texts("td")[1:] == ["NaN", "1.00"]
    assert numbers_in(matrix.text()) == ["NaN", "1.00"]
    assert_matrix_is_tidy(matrix)


@pytest.mark.parametrize("values", [[[1e12, -1e12]], [[-1e30, 1]], [[1e-12, -1e-300]], [[np.inf, -np.inf]], [[0, -0.0]]])
def test_extreme_values(values):
    matrix = Matrix(values, kind="scores")
    assert numbers_in(matrix.text()) == [style.number(v) for v in values[0]]
    assert_matrix_is_tidy(matrix)


def test_colours_follow_the_values():
    def faces(matrix):
        return [re.search("background:(#.{6})", e[1]["style"])[1] for e in read(matrix).all("td")[1:]]

    ramp = [style.to_hex(c) for c in style.colours("weights")]
    assert faces(Matrix([[0, 0.5, 1]], kind="weights")) == [ramp[0], ramp[128], ramp[255]]
    ramp = [style.to_hex(c) for c in style.colours("scores")]
    assert faces(Matrix([[-4, 4]], kind="scores")) == [ramp[0], ramp[255]]
    assert faces(Matrix([[2, 4]], kind="scores", limit=8)) == [ramp[159], ramp[191]]
    assert faces(Matrix([[99, -99]], kind="scores", limit=8)) == [ramp[255], ramp[0]]


def test_the_dark_theme_has_its_own_colours():
    looks = [e[1]["style"] for e in read(Matrix([[0, 1]], kind="weights")).all("td")[1:]]
    light, dark = ([style.to_hex(c) for c in style.colours("weights", theme)] for theme in ("light", "dark"))
    assert looks == [f"background:{light[0]};color:#000;--dark:{dark[0]};--dark-ink:#fff",
                     f"background:{light[255]};color:#fff;--dark:{dark[255]};--dark-ink:#000"]


names = st.lists(st.text(max_size=30) | st.sampled_from([*ODD, "A_0"]), min_size=4, max_size=4)


def written(name):
    """A name as it stands in the table; a subscript has no underscore."""
    return "".join(map("".join, subscripts(short(name))))


@SETTINGS
@given(names, names, st.text(max_size=40), st.sampled_from(["", "S", "Q", "QKᵀ", "A"]))
def test_any_names_are_escaped_and_aligned(rows, columns, caption, symbol):
    matrix = Matrix.scores(scores(4), rows, columns, caption=caption, symbol=symbol, highlight=(1, None))
    page = read(matrix)
    assert page.texts("th", scope="row") == [written(name) for name in rows]
    assert page.texts("th", scope="col") == [written(name) for name in columns]
    assert {e[0] for e in page.elements} <= {*["table", "caption", "thead", "tbody", "tr", "td", "th", "span", "b", "sub"]}
    assert all(wcswidth(short(name)) > 0 and len(short(name)) <= 14 for name in rows + columns)
    lines = matrix.text()[len(matrix.title) :].splitlines()[-5:]
    assert len({wcswidth(line.rstrip()) for line in lines}) == 1
    assert matrix.transposed().transposed().html() == matrix.html()


@pytest.mark.parametrize("name", ODD, ids=ascii)
def test_no_token_breaks_the_picture(name):
    for T in (1, 6):
        labels = [name, *words(T - 1)]
        caption = "A caption of a usual length"
        assert_matrix_is_tidy(Matrix.scores(scores(T), labels, caption=caption, highlight=0))
    drawn(Matrix(scores(3), [name] * 3, [name] * 3, caption=name, axes=(name, name)))


@pytest.mark.parametrize("caption", ["", "short", "Every word finds the words that it needs, and no other", "MAMMAL WORM " * 4])
@pytest.mark.parametrize("T", [1, 12, 18])
def test_pictures_are_tidy(T, caption):
    assert_matrix_is_tidy(Matrix.weights(weights(T), words(T), caption=caption, highlight=0))
    assert_matrix_is_tidy(Matrix(scores(T, 3), words(T), ["match", "cos", "sin"], kind="vectors", caption=caption,
                                 symbol="Q"))


@pytest.mark.parametrize(
    ("symbol", "expected"),
    [("K", "Kᵀ"), ("Kᵀ", "K"), ("", ""), ("S_scaled", "S_scaledᵀ"), ("W_Q", "W_Qᵀ"), ("QKᵀ", "(QKᵀ)ᵀ"), ("X′", "X′ᵀ")]
)
@pytest.mark.parametrize(
    ("caption", "turned"),
    [
        ("one row a token", "one column a token"),
        ("Rows sum to 1, columns do not", "Columns sum to 1, rows do not"),
        ("a brown arrow grows narrow", "a brown arrow grows narrow"),
        ("", ""),
    ],
)
def test_transposed(symbol, expected, caption, turned):
    matrix = Matrix.scores(scores(2, 3), ["a", "b"], ["x", "y", "z"], caption=caption, symbol=symbol, highlight=(1, 2),
                           limit=9.0, decimals=1)
    other = matrix.transposed()
    assert np.array_equal(other.values, matrix.values.T)
    assert (other.symbol, other.caption, other.axes) == (expected, turned, ("source j", "target i"))
    assert (other.rows, other.columns, other.highlight) == (["x", "y", "z"], ["a", "b"], (2, 1))
    assert (other.kind, other.limit, other.decimals) == ("scores", 9.0, 1)
    back = other.transposed()
    assert (back.html(), back.text()) == (matrix.html(), matrix.text())


def test_a_shortened_name_can_be_read_whole_and_no_other_has_a_title():
    page = read(Matrix(np.eye(2), ["antidisestablishmentarianism", "b"], ["a", "two\nlines"]))
    assert page.texts("th") == ["a", "two lines", "antidisestabl…", "b"]
    titles = {shown: attributes["title"] for _, attributes, shown in page.elements if "title" in attributes}
    assert titles == {"antidisestabl…": "antidisestablishmentarianism", "two lines": "two\nlines"}


@pytest.mark.parametrize(
    ("make", "kind", "symbol"),
    [(Matrix.weights, "weights", "A"), (Matrix.scores, "scores", "S"), (Matrix.mask, "mask", "M")],
)
def test_columns_are_the_same_tokens_unless_they_are_given(make, kind, symbol):
    one, other = make(np.eye(2), ["a", "b"]), make(np.eye(2), ["a", "b"], ["x", "y"], symbol="Z", axes=None)
    assert (one.kind, one.symbol, one.axes) == (kind, symbol, ("target i", "source j"))
    assert (one.rows, one.columns) == (["a", "b"], ["a", "b"])
    assert (other.rows, other.columns, other.symbol, other.axes) == (["a", "b"], ["x", "y"], "Z", None)


@pytest.mark.parametrize("make", [Matrix.weights, Matrix.scores, Matrix.mask])
def test_transposed_of_a_matrix_of_targets_and_sources_swaps_their_names(make):
    matrix = make(np.eye(3), words(3), highlight=1)
    other = matrix.transposed()
    assert (matrix.axes_line(), other.axes_line()) == ("target i ↓, source j →", "source j ↓, target i →")
    assert (other.symbol, other.highlight) == (f"{matrix.symbol}ᵀ", (None, 1))
    assert other.axes_line() in other.text() and "source j ↓, target i →" in read(other).texts("td")[0]


def test_transposed_without_axes_and_marks():
    matrix = Matrix(scores(2, 3))
    assert matrix.transposed().axes is None
    assert matrix.transposed().transposed().html() == matrix.html()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"values": [1, 2]}, r"values needs two axes .*got shape \(2,\)"),
        ({"values": np.zeros((2, 2, 2))}, r"values needs two axes .*got shape \(2, 2, 2\)"),
        ({"values": 3.0}, r"values needs two axes .*got shape \(\)"),
        ({"rows": ["a"]}, r"rows needs 2 labels.*got 1: \['a'\]"),
        ({"columns": list("abcd")}, r"columns needs 3 labels.*got 4: "),
        ({"kind": "heat"}, "kind is one of vectors, scores, weights, mask, got 'heat'"),
        ({"kind": "weights"}, r"weights lie between 0 and 1, got 0.0 to 5.0"),
        ({"kind": "weights", "values": [[-0.1, np.nan]]}, r"weights lie between 0 and 1, got -0.1"),
        ({"kind": "weights", "values": [[0, -np.inf]]}, r"weights lie between 0 and 1, got -inf"),
        ({"highlight": 2}, "highlight 2 lies outside 0 … 1"),
        ({"highlight": -1}, r"highlight -1 lies outside"),
        ({"highlight": (0, 3)}, "highlight 3 lies outside 0 … 2"),
        ({"highlight": (0, 1, 2)}, "highlight needs a row, or a row and a column"),
        ({"axes": ("a",)}, "axes needs two names"),
        ({"limit": np.nan}, "limit needs a number from 0 on, got nan"),
        ({"limit": -1}, "limit needs a number from 0 on, got -1"),
        ({"decimals": -1}, "decimals needs a whole number from 0 to 15, got -1"),
    ],
)
def test_errors_of_a_matrix(arguments, message):
    with pytest.raises(ValueError, match="^Matrix: " + message):
        Matrix(**{"values": np.arange(6.0).reshape(2, 3), **arguments})


@pytest.mark.parametrize("arguments", [{"rows": 3}, {"highlight": 1.5}, {"highlight": "a"}, {"highlight": True},
                                       {"decimals": 1.5}, {"caption": 3}, {"symbol": None}, {"axes": 3}, {"limit": "1"}])
def test_wrong_types_of_a_matrix(arguments):
    with pytest.raises(TypeError, match=f"^Matrix: {next(iter(arguments))} needs"):
        Matrix(np.arange(6.0).reshape(2, 3), **arguments)


def test_a_note_needs_words():
    with pytest.raises(TypeError, match=r"^Note: words needs text, got None"):
        Note(None)


def test_an_arrow_that_is_no_number_is_named():
    with pytest.raises(ValueError, match=r"^Arrows: tips needs finite numbers, got NaN or ∞"):
        Arrows([[np.nan, 1]])


def test_weights_may_miss_the_ends_by_rounding():
    assert numbers_in(Matrix([[-1e-17, 1 + 1e-12]], kind="weights").text()) == ["0.00", "1.00"]


# ---------------------------------------------------------------- Bars, Curves, Arrows


def words_of(element):
    """What an SVG's text says, subscripts as in the code."""
    parts = [element.text or ""]
    for piece in element:
        parts += ["_" if piece.text != "\u200b" else "", piece.text.replace("\u200b", ""), piece.tail or ""]
    return "".join(parts)


def labels_of(view, size=6.6):
    """Estimated boxes of an SVG's texts, in its own pixels: (words, box)."""
    boxes = []
    for element in svg(view).iter("text"):
        words = words_of(element)
        if not words.strip():
            continue
        x, y = float(element.get("x")), float(element.get("y"))
        height = float(element.get("font-size"))
        width = wcswidth(words) * size * height / 13
        left = x - width * {"start": 0, "middle": 0.5, "end": 1}[element.get("text-anchor")]
        boxes.append((words, (left, y - 0.75 * height, left + width, y + 0.2 * height)))
    return boxes


def assert_drawing_is_tidy(view, play=8):
    """Labels keep to the box and apart, in the SVG (estimated) and in matplotlib (measured)."""
    width, height = view.pixels
    boxes = labels_of(view)
    assert not outside(boxes, width, height, play)
    assert not overlaps(boxes)
    boxes, width, height = drawn(view)
    assert not outside(boxes, width, height, play)
    assert not overlaps(boxes)


DRAWINGS = {name: view for name, view in VIEWS.items() if not isinstance(view, (Matrix, Note))}
drawings = pytest.mark.parametrize("view", DRAWINGS.values(), ids=DRAWINGS)


@drawings
def test_a_drawing_is_an_image_with_a_name(view):
    image = svg(view)
    assert image.get("role") == "img"
    assert image.get("aria-label").startswith(view.title)
    width, height = view.pixels
    assert image.get("viewBox") == f"0 0 {width} {height}"
    assert read(view).texts("figcaption") == [view.title.replace("W_O", "WO")]  # its O is a subscript
    assert_drawing_is_tidy(view)


@pytest.mark.parametrize("name", ["flow", "flow of heads"])
def test_no_arrow_of_the_flow_touches_words(name):
    view = VIEWS[name]
    ways = [[tuple(map(float, point.split(","))) for point in line.get("points").split()] for line in svg(view).iter("polyline")]
    arrows = [way for way in ways if len(way) == 2]
    assert len(arrows) == 11
    for words, box in labels_of(view):
        around = box[0] - 5, box[1] - 2, box[2] + 5, box[3] + 2
        assert [way for way in arrows if any(contains(around, place) for place in along(*way))] == [], words


def contains(box, place):
    return box[0] < place[0] < box[2] and box[1] < place[1] < box[3]


def along(start, end):
    """Places on the way from one point to another."""
    return [tuple(np.add(start, np.subtract(end, start) * step)) for step in np.linspace(0, 1, 200)]


def test_names_of_arrows_part_the_lines_behind_them():
    points = Arrows([[0, 0], [1, 0], [0, 1], [0.2, 0.3]], list("abcd"), points=True, hull=(0, 1, 2), axes=("x", "y"))
    clear = [words_of(text) for text in svg(points).iter("text") if text.get("paint-order") == "stroke"]
    figure = Figure(figsize=points.size)
    ax = figure.add_axes((0, 0, 1, 1))
    points.draw(ax)
    assert clear == [text.get_text() for text in ax.texts if text.get_path_effects()] == list("abcd")


@drawings
def test_svg_and_picture_hold_the_same_words(view):
    words_in_svg = [words for element in svg(view).iter("text") if (words := words_of(element)).strip()]
    title = [view.symbol, view.title.removeprefix(view.symbol)] if view.symbol else [view.title]
    assert sorted([*title, *words_in_svg]) == sorted(t for t, _ in drawn(view)[0])


@pytest.mark.parametrize("name", [name for name in ODD if name.isprintable()], ids=ascii)
def test_no_name_breaks_a_drawing(name):
    for view in (
        Bars([1, -2], [name, "b"], caption=name, symbol="q"),
        Curves([0, 1], {name: [0, 1], "b": [1, 0]}, caption=name, x_label=name, y_label=name),
        Arrows([[1, 2], [2, 1]], [name, "b"], caption=name, axes=(name, name)),
    ):
        page = read(view)
        assert {e[0] for e in page.elements} <= {
            "figure",
            "figcaption",
            "p",
            "span",
            "b",
            "svg",
            "text",
            "rect",
            "line",
            "polyline",
            "polygon",
        }
        assert short(name) in [e.text for e in svg(view).iter("text")]
        drawn(view)
        if "W" not in name:  # fourteen of the widest letter reach beyond any estimate
            assert_drawing_is_tidy(Bars([1, -2], [name, "b"]), 16)


finite = st.floats(-1e6, 1e6)


@SETTINGS
@given(st.lists(finite | st.sampled_from([np.nan, -np.inf, np.inf]), max_size=30))
def test_bars_hold_every_number(values):
    bars = Bars(values)
    expected = [style.number(v) for v in values]
    lines = bars.text().splitlines()[1:]
    assert [line.split()[-1] for line in lines] == expected
    shown = [e.text for e in svg(bars).iter("text")]
    assert shown[1::2] == [text.replace("-", "−") for text in expected]
    assert "nan" not in bars.html() and "inf" not in bars.html()
    assert all(float(e.get("width")) >= 0 for e in svg(bars).iter("rect"))


def test_the_length_of_a_bar_is_its_value():
    def lengths(bars):
        return [float(e.get("width")) for e in svg(bars).iter("rect")]

    assert lengths(Bars([1, 2, -4], width=300)) == [50, 100, 200]
    assert lengths(Bars([1, 2], width=300, limits=(0, 3))) == [100, 200]
    assert lengths(Bars([9, -9], width=300, limits=(0, 3))) == [300, 0]
    assert lengths(Bars([0, 0, np.nan])) == [0, 0, 0]


@pytest.mark.parametrize("values", [[1e9, -1e9], [0.0], [], [-1, -2, -3], [1e-9], np.arange(20) - 10])
def test_bars_are_tidy(values):
    assert_drawing_is_tidy(Bars(values, caption="Some bars and their caption"))
    assert_drawing_is_tidy(Bars(values, words(len(values)) if len(values) <= 12 else None, symbol="V"))


def test_a_value_never_stands_on_its_label():
    label, value = list(svg(Bars([1, -np.inf])).iter("text"))[-2:]
    assert float(label.get("x")) < float(value.get("x"))
    assert [label.get("text-anchor"), value.get("text-anchor")] == ["end", "start"]


def test_many_bars_are_measured_once(monkeypatch):
    bars, measured = Bars(np.arange(300), words(300)), []
    monkeypatch.setattr("helpers.views.bars.short", lambda name: measured.append(name) or name)
    bars.html()
    assert len(measured) < 3 * 300 + 1, "what each bar needs is not computed anew for each"


def test_bars_mark_one():
    bars = Bars([1, 2, 3], list("abc"), highlight=1)
    assert [line[0] for line in bars.text().splitlines()[1:]] == [" ", "▸", " "]
    bold = [e.text for e in svg(bars).iter("text") if e.get("font-weight")]
    assert bold == ["b", "2.00"]


x_values = st.lists(st.floats(0.001, 1e6), min_size=2, max_size=40, unique=True).map(sorted)


@SETTINGS
@given(x_values.filter(lambda x: (np.diff(x) > 1e-6 * np.abs(x[1:])).all()), st.data())
def test_curves_hold_every_number(x, data):
    ys = {
        name: data.draw(st.lists(finite | st.sampled_from([np.nan, 0.0]), min_size=len(x), max_size=len(x)))
        for name in ("one", "two")
    }
    scales = st.sampled_from(["linear", "log2", "log10"])
    curves = Curves(x, ys, x_scale=data.draw(scales), y_scale=data.draw(scales), mark=x[0])
    rows = [line.split() for line in curves.text().splitlines()[3:]]
    assert [float(row[0]) for row in rows] == pytest.approx(x, rel=1e-5)
    for at, y in enumerate(ys.values(), 1):
        assert [row[at] for row in rows] == [style.number(v) for v in y]
    assert not re.search("nan|inf", curves.html().split('viewBox="')[1])
    places = [p for line in svg(curves).iter("polyline") for p in re.findall(r"[-\d.]+", line.get("points"))]
    assert all(-1 <= float(p) <= max(curves.pixels) + 1 for p in places)


@pytest.mark.parametrize("scale", ["log2", "log10"])
def test_a_logarithmic_axis_leaves_out_zeros(scale):
    """A zero interrupts the line; it is written all the same."""
    curves = Curves([1, 2, 3, 4, 5], {"y": [1, 2, 0, 4, 8]}, y_scale=scale)
    lines = [e for e in svg(curves).iter("polyline") if e.get("stroke") == style.themed(style.SERIES[0])]
    assert [len(e.get("points").split()) for e in lines] == [2, 2]
    assert numbers_in(curves.text()) == ["1.00", "2.00", "0.00", "4.00", "8.00"]
    assert_drawing_is_tidy(curves)
    nothing = Curves([1, 2], {"y": [0, -1]}, y_scale=scale)
    assert not [e for e in svg(nothing).iter("polyline") if e.get("stroke") == style.themed(style.SERIES[0])]


def test_a_logarithmic_axis_is_even_in_ratios():
    points = svg(Curves([1, 2, 4, 8], {"y": [1, 10, 100, 1000]}, x_scale="log2", y_scale="log10")).iter("polyline")
    line = next(e for e in points if e.get("stroke") == style.themed(style.SERIES[0])).get("points").split()
    steps = np.diff([[float(v) for v in p.split(",")] for p in line], axis=0)
    assert np.allclose(steps, steps[0], atol=0.11)


def ticks(*ends, **options):
    return [words for _, words in Axis(*ends, 0, 100, **options).ticks()]


@pytest.mark.parametrize(
    ("ends", "options", "words"),
    [
        ((0, 10), {}, ["0", "2", "4", "6", "8", "10"]),
        ((0, 12), {"whole": True}, ["0", "2", "4", "6", "8", "10", "12"]),
        ((1, 4), {"whole": True}, ["1", "2", "3", "4"]),
        ((0, 1), {"whole": True}, ["0", "1"]),
        ((0, 29), {"whole": True}, ["0", "5", "10", "15", "20", "25"]),
        ((0, 14), {}, ["0", "2.5", "5", "7.5", "10", "12.5"]),
        ((0, 14), {"whole": True}, ["0", "5", "10"]),
        ((-0.3, 0.3), {}, ["−0.3", "−0.2", "−0.1", "0", "0.1", "0.2", "0.3"]),
        ((0, 3e6), {}, ["0", "5·10⁵", "10⁶", "1.5·10⁶", "2·10⁶", "2.5·10⁶", "3·10⁶"]),
        ((-2e-5, 0), {}, ["−2·10⁻⁵", "−1.5·10⁻⁵", "−10⁻⁵", "−5·10⁻⁶", "0"]),
        ((1e9, 1e9 + 1), {}, ["10⁹"]),
        ((1, 1000), {"scale": "log10"}, ["1", "10", "100", "1,000"]),
        ((1e3, 1e13), {"scale": "log10"}, ["1,000", "10⁵", "10⁷", "10⁹", "10¹¹", "10¹³"]),
        ((1e-6, 1), {"scale": "log10"}, ["10⁻⁶", "0.0001", "0.01", "1"]),
        ((1e-4, 1e6), {"scale": "log10"}, ["0.0001", "0.01", "1", "100", "10,000", "10⁶"]),
        ((64, 2**16), {"scale": "log2"}, ["64", "256", "1,024", "4,096", "16,384", "65,536"]),
        ((1, 512), {"scale": "log2"}, ["1", "4", "16", "64", "256"]),
        ((2**18, 2**22), {"scale": "log2"}, ["2¹⁸", "2¹⁹", "2²⁰", "2²¹", "2²²"]),
    ],
)
def test_an_axis_names_round_values(ends, options, words):
    assert ticks(*ends, **options) == words


@SETTINGS
@given(st.floats(-1e300, 1e300), st.floats(1e-290, 1e300), st.booleans())
def test_an_axis_names_few_values_inside_it_none_twice(low, span, whole):
    high = low + span
    if not low < high <= 1e300:
        return
    axis = Axis(low, high, 10, 110, whole=whole)
    found = axis.ticks()
    assert len(found) <= 8 and len({words for _, words in found}) == len(found)
    assert all(9.9 <= axis.place(value) <= 110.1 for value, _ in found)
    assert not whole or all(value % 1 == 0 for value, _ in found)


def test_the_name_of_the_y_axis_stands_above_its_grid():
    curves = Curves([1, 10], {"up": [1, 100], "down": [100, 1]}, y_label="GB", limits=(1, 100), y_scale="log10", mark=1)
    name = next(box for words, box in labels_of(curves) if words == "GB")
    assert [(t, box) for t, box in labels_of(curves) if t != "GB" and overlap(box, name)] == []
    assert name[3] < min(float(point.split(",")[1]) for line in svg(curves).iter("polyline")
                         for point in line.get("points").split())


def test_layers_and_steps_are_counted_in_whole_numbers():
    def x_ticks(x):
        words = [e.text for e in svg(Curves(x, {"y": np.ones(len(x))}, limits=(0, 1))).iter("text")]
        return words[6:-3]

    assert x_ticks(range(13)) == ["0", "2", "4", "6", "8", "10", "12"]
    assert x_ticks(range(1, 3)) == ["1", "2"]
    assert x_ticks([0, 0.5, 1]) == ["0", "0.2", "0.4", "0.6", "0.8", "1"]


@pytest.mark.parametrize("constant", [0.0, 3.0, -2.5, 1e9, 1e-9])
@pytest.mark.parametrize("scale", ["linear", "log10"])
def test_a_constant_series(constant, scale):
    curves = Curves([0, 1, 2], {"flat": [constant] * 3}, y_scale=scale)
    assert numbers_in(curves.text()) == [style.number(constant)] * 3
    assert_drawing_is_tidy(curves)


@SETTINGS
@given(st.lists(st.lists(st.floats(-10, 10), min_size=4, max_size=4), min_size=1, max_size=5))
def test_names_at_the_ends_of_lines_keep_apart(ys):
    curves = Curves([1, 2, 3, 4], {f"name {i}": y for i, y in enumerate(ys)}, x_label="number of tokens T")
    ends = [box for box in labels_of(curves) if box[0].startswith("name")]
    assert len(ends) == len(ys)
    assert not overlaps(ends)
    assert not outside(ends, *curves.pixels, 2)
    assert not overlaps(labels_of(curves))


def test_ticks_stand_where_the_values_are():
    curves = Curves([0, 10], {"y": [0, 100]}, width=100, height=200)
    ticks = {float(t): box for t, box in labels_of(curves) if t.isdigit()}
    line = next(e for e in svg(curves).iter("polyline") if e.get("stroke") == style.themed(style.SERIES[0]))
    assert len(ticks) >= 4
    (x0, y0), (x1, y1) = [[float(v) for v in p.split(",")] for p in line.get("points").split()]
    assert (x1 - x0, y0 - y1) == (100, 200)


def test_histogram_shares_sum_to_what_falls_inside():
    rng = np.random.default_rng(0)
    samples = {"narrow": rng.normal(size=1000), "wide": 3 * rng.normal(size=500)}
    edges = np.linspace(-4, 4, 33)
    curves = Curves.histogram(samples, edges, caption="Two widths")
    for name, values in samples.items():
        inside = np.mean((values >= -4) & (values <= 4))
        assert curves.series[name].sum() == pytest.approx(inside)
        assert curves.series[name][16] == pytest.approx(np.mean((values >= 0) & (values < 0.25)))
    assert curves.series["wide"].sum() < 1
    assert np.allclose(curves.x, (edges[1:] + edges[:-1]) / 2)
    assert_drawing_is_tidy(curves)


def test_histogram_columns_stay_inside_the_axes():
    curves = Curves.histogram({"s": [0.1, 1.5, 2.9]}, [0, 1, 2, 3], width=300)
    x, _tops = zip(*[map(float, p.split(",")) for e in svg(curves).iter("polygon") for p in e.get("points").split()], strict=True)
    axis = [e for e in svg(curves).iter("polyline") if "color2" in e.get("stroke")][-1]
    left, right = (float(p.split(",")[0]) for p in axis.get("points").split())
    assert left - 0.1 <= min(x) and max(x) <= right + 0.1
    assert max(x) - min(x) == pytest.approx(300, abs=0.2)


def test_histogram_of_nothing():
    assert Curves.histogram({"none": []}, [0, 1, 2]).series["none"].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"x": [0]}, r"x needs at least two increasing"),
        ({"x": [0, 0, 1]}, "x needs at least two increasing"),
        ({"x": [2, 1, 0]}, "x needs at least two increasing"),
        ({"x": np.zeros((3, 3))}, r"x needs .*got shape \(3, 3\)"),
        ({"x": [0, np.nan, 2]}, "x needs "),
        ({"x": [0, 1, np.inf]}, "x needs "),
        ({"series": {"short": [1, 2]}}, r"series 'short' has shape \(2,\), expected \(3,\)"),
        ({"x_scale": "log"}, "x_scale is one of linear, log2, log10, got 'log'"),
        ({"y_scale": ""}, "y_scale is one of "),
        ({"x_scale": "log2"}, "x needs positive values .*log2.*got 0"),
        ({"series": {f"line {i}": [1, 2, 3] for i in range(6)}}, "series holds 6 lines, expected at most 5"),
    ],
)
def test_errors_of_curves(arguments, message):
    with pytest.raises(ValueError, match="^Curves: " + message):
        Curves(**{"x": [0, 1, 2], "series": {"y": [1, 2, 3]}, **arguments})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"values": [[1, 2]]}, r"values needs one axis, got shape \(1, 2\)"),
        ({"values": 3}, r"values needs one axis, got shape \(\)"),
        ({"labels": ["a"]}, r"labels needs 2 labels.*got 1"),
        ({"highlight": 2}, "highlight 2 lies outside 0 … 1"),
        ({"highlight": -1}, "highlight -1 lies outside"),
        ({"limits": 3}, "limits needs two increasing numbers, got 3"),
        ({"limits": (1, 0)}, r"limits needs two increasing numbers, got \(1, 0\)"),
    ],
)
def test_errors_of_bars(arguments, message):
    with pytest.raises(ValueError, match="^Bars: " + message):
        Bars(**{"values": [1, 2], **arguments})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tips": [1, 2]}, r"tips needs .*\(2, 2\), got shape \(2,\)"),
        ({"tips": np.zeros((2, 3))}, r"tips needs .*got shape \(2, 3\)"),
        ({"tips": [[0, np.nan], [1, 1]]}, "tips needs finite"),
        ({"tails": [[0, 0]]}, r"tails needs .*\(2, 2\), got shape \(1, 2\)"),
        ({"labels": ["a"]}, "labels needs 2 labels.*got 1"),
        ({"symbols": ["q"]}, "symbols needs 2 labels.*got 1"),
        ({"highlight": 2}, "highlight 2 lies outside 0 … 1"),
        ({"hull": [0, 2]}, "hull 2 lies outside 0 … 1"),
    ],
)
def test_errors_of_arrows(arguments, message):
    with pytest.raises(ValueError, match="^Arrows: " + message):
        Arrows(**{"tips": [[0, 1], [1, 0]], **arguments})


points = st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), min_size=1, max_size=9)


@SETTINGS
@given(points)
def test_arrows_hold_every_number_and_keep_their_names_apart(tips):
    arrows = Arrows(tips, [f"word{i}" for i in range(len(tips))])
    assert numbers_in(arrows.text()) == [style.number(v) for tip in tips for v in tip]
    boxes = [box for box in labels_of(arrows) if box[0].startswith("word")]
    named = sum(1 + t.count(", ") + int((re.findall(r"\+(\d)$", t) or [0])[0]) for t, _ in boxes)
    assert named == len(tips)
    assert not overlaps(labels_of(arrows))
    assert not outside(boxes, *arrows.pixels, 20)


def test_equal_arrows_share_a_name():
    arrows = Arrows([[1, 1], [1, 1], [-1, 0]], ["mole", "mole'", "shrew"])
    assert [t for t, _ in labels_of(arrows)] == ["x", "y", "mole, mole'", "shrew"]


def test_twelve_places_on_the_circle_are_tidy():
    angles = np.deg2rad(30) * np.arange(1, 13)
    for points in (False, True):
        assert_drawing_is_tidy(
            Arrows(np.c_[np.cos(angles), np.sin(angles)], words(12), caption="Places", axes=("cos", "sin"), points=points)
        )


def test_arrows_beyond_the_limit_stop_at_the_edge_in_their_direction():
    arrows = Arrows([[4, 2], [1, 1]], limit=1, width=220)
    line = [e.get("points").split() for e in svg(arrows).iter("polyline")][2]
    (x0, y0), (x1, y1) = [[float(v) for v in p.split(",")] for p in line]
    assert (y0 - y1) / (x1 - x0) == pytest.approx(0.5, abs=0.02)
    assert numbers_in(arrows.text())[:2] == ["4.00", "2.00"]


def test_arrows_from_other_tails_say_so():
    arrows = Arrows([[2, 1]], ["step"], tails=[[1, 0]])
    assert arrows.text().splitlines()[1].endswith("(2.00, 1.00) from (1.00, 0.00)")


def test_an_arrow_points_where_it_says():
    arrows = Arrows([[0, 2], [2, 0]], width=220)
    tips = [np.array([[float(v) for v in p.split(",")] for p in e.get("points").split()])[0] for e in svg(arrows).iter("polygon")]
    (left, right), (top, bottom) = [
        [[float(v) for v in p.split(",")] for p in e.get("points").split()] for e in list(svg(arrows).iter("polyline"))[:2]
    ]
    middle = np.mean([left, right], axis=0)
    assert np.allclose(middle, np.mean([top, bottom], axis=0))
    assert np.allclose(tips - middle, [[0, -100], [100, 0]], atol=0.1)


def corners(arrows):
    """Corners of the shaded polygon, in the plane's own coordinates (the plane is 220 pixels wide, 1 lies at 100)."""
    image = svg(arrows)
    lines = [[[float(v) for v in p.split(",")] for p in e.get("points").split()] for e in image.iter("polyline")]
    middle = np.mean(lines[0], axis=0)
    points = next(image.iter("polygon")).get("points").split()
    return [tuple(((np.array(p.split(","), float) - middle) * [0.01, -0.01]).round(2) + 0.0) for p in points]


@SETTINGS
@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=3, max_size=9))
def test_a_hull_has_all_points_on_its_left(tips):
    tips = np.array(tips) / 10
    found = np.array(corners(Arrows(tips, points=True, limit=1, width=220, hull=range(len(tips)))))
    assert {tuple(p) for p in found} <= {tuple(p) for p in tips.round(2)}
    way = np.roll(found, -1, axis=0) - found
    to = tips[:, None] - found
    assert (way[:, 0] * to[..., 1] - way[:, 1] * to[..., 0] >= -1e-9).all()
    assert np.array_equal(found.min(axis=0), tips.min(axis=0)) and np.array_equal(found.max(axis=0), tips.max(axis=0))


def test_a_hull_leaves_out_what_lies_inside_and_names_its_points():
    square = [[0, 0], [1, 0], [0.5, 0.5], [1, 1], [0, 1], [-1, -1]]
    arrows = Arrows(square, list("abcdef"), points=True, limit=1, width=220, hull=(0, 1, 2, 3, 4))
    assert corners(arrows) == [(0, 0), (1, 0), (1, 1), (0, 1)]
    assert arrows.text().splitlines()[-1] == "shaded: the hull of a, b, c, d, e"


def test_the_centre_moves_the_plane_and_not_the_numbers():
    tips = [[0, 0], [1, 0], [0, 1]]
    moved, plain = (Arrows(tips, points=True, limit=0.5, centre=centre, width=220) for centre in ((0.5, 0.5), (0, 0)))
    dots = [
        np.mean([[float(v) for v in p.split(",")] for p in e.get("points").split()], axis=0) for e in svg(moved).iter("polygon")
    ]
    assert np.allclose(dots[1] - dots[0], [200, 0], atol=0.1) and np.allclose(dots[2] - dots[0], [0, -200], atol=0.1)
    horizontal, vertical = [
        [[float(v) for v in p.split(",")] for p in e.get("points").split()] for e in list(svg(moved).iter("polyline"))[:2]
    ]
    assert np.allclose([vertical[0][0], horizontal[0][1]], dots[0], atol=0.1)
    assert moved.text() == plain.text()


def test_every_public_view_is_tested_here():
    from helpers import views

    assert set(views.__all__) == {"Arrows", "Bars", "Curves", "Matrix", "Note", "Row"}
    assert all(inspect.getdoc(getattr(views, name)) for name in views.__all__)


def test_warnings_are_errors_here():
    with pytest.raises(UserWarning):
        warnings.warn("seen", UserWarning, stacklevel=1)
