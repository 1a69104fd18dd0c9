"""The PNG itself: which pixels a matrix paints, and how large a picture becomes."""

import io
import time

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from helpers import style
from helpers.views import Matrix
from helpers.views.drawn_matrix import DrawnMatrix
from helpers.views.picture import picture, text_width

DOTS = 144  # in an inch
WHITE, BLACK = (255, 255, 255), (0, 0, 0)
VALUES = np.array([[0.0, 0.25, 0.5], [1.0, 0.75, 0.1], [0.3, 0.6, 0.9], [0.2, 0.2, 0.2]])
ROWS, COLUMNS = list("abcd"), list("xyz")


class Painted:
    """A matrix drawn alone, its pixels, and the places of its cells."""

    def __init__(self, matrix):
        self.drawn = DrawnMatrix(matrix)
        figure = Figure(figsize=matrix.size, dpi=DOTS, facecolor="white")
        self.ax = figure.add_axes((0, 0, 1, 1))
        matrix.draw(self.ax)
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        self.pixels = np.asarray(canvas.buffer_rgba())[..., :3]

    def at(self, x, y):
        """The colour at a place in inches."""
        return tuple(self.pixels[round(y * DOTS - 0.5), round(x * DOTS - 0.5)].tolist())

    def place(self, i, j):
        """Inches to a place counted in cells: (0.5, 1.5) is the middle of row 0, column 1."""
        return self.drawn.left + j * self.drawn.cell_width, self.drawn.top + i * self.drawn.cell_height

    def cell(self, i, j):
        """All pixels well inside a cell."""
        (left, top), (right, bottom) = self.place(i + 0.1, j + 0.1), self.place(i + 0.9, j + 0.9)
        return self.pixels[round(top * DOTS) : round(bottom * DOTS), round(left * DOTS) : round(right * DOTS)]

    def face(self, i, j):
        """The colour in a cell's corner, beside its value."""
        return self.at(*self.place(i + 0.15, j + 0.1))

    def text(self, words):
        """The artist that writes these words."""
        [found] = [text for text in self.ax.texts if text.get_text() == words]
        return found


def painted(values=VALUES, rows=ROWS, columns=COLUMNS, **look):
    return Painted(Matrix(values, rows, columns, **{"kind": "weights", **look}))


def rgb(kind, step):
    return tuple(round(255 * channel) for channel in style.colours(kind)[step])


def near(colour, other):
    return max(abs(a - b) for a, b in zip(colour, other, strict=True)) <= 1


def test_each_cell_has_the_colour_of_its_value_and_the_value_in_its_middle():
    one = painted()
    for (i, j), value in np.ndenumerate(VALUES):
        assert near(one.face(i, j), rgb("weights", round(255 * value))), (i, j)
        text = one.ax.texts[1 + 3 + 4 + 3 * i + j]
        assert text.get_text() == style.number(value)
        assert text.get_position() == pytest.approx(one.place(i + 0.5, j + 0.5))
        assert text.get_color() == style.text_colours("weights")[round(255 * value)]
        assert len(np.unique(one.cell(i, j).reshape(-1, 3), axis=0)) > 2, "a value is written"


def test_white_lines_part_the_cells():
    one = painted()
    for i in range(4):
        for j in range(4):
            assert one.at(*on_page(one, i + 0.5, j)) == WHITE
    for i in range(5):
        for j in range(3):
            assert one.at(*on_page(one, i, j + 0.2)) == WHITE


def on_page(one, i, j):
    """A place, kept inside the picture."""
    x, y = one.place(i, j)
    height, width = one.pixels.shape[:2]
    return min(x, (width - 1) / DOTS), min(y, (height - 1) / DOTS)


def test_nothing_is_drawn_around_the_matrix():
    """No frame, no ticks: beside the names of the rows, above the title and below a dense matrix all is white."""
    for one in (painted(symbol="A", axes=("target i", "source j")), Painted(Matrix(np.full((20, 20), 0.5), kind="weights"))):
        names = round(one.drawn.top * DOTS)
        assert (one.pixels[names:, :2] == 255).all() and (one.pixels[:2] == 255).all()
        assert not one.ax.axison
    assert (one.pixels[-2:] == 255).all()


@pytest.mark.parametrize(
    ("highlight", "ends"),
    [(2, ((2, 3), (0, 3))), ((1, 2), ((1, 2), (2, 3))), ((None, 1), ((0, 4), (1, 2))), ((0, 0), ((0, 1), (0, 1)))],
)
def test_the_mark_goes_round_what_is_marked_and_nothing_else(highlight, ends):
    one, plain = painted(highlight=highlight), painted()
    (top, bottom), (left, right) = ends
    for i in range(5):
        for j in range(3):
            inside = i in (top, bottom) and left <= j < right
            assert (one.at(*on_page(one, i, j + 0.2)) == BLACK) == inside, (i, j)
    for i in range(4):
        for j in range(4):
            inside = j in (left, right) and top <= i < bottom
            assert (one.at(*on_page(one, i + 0.2, j)) == BLACK) == inside, (i, j)
    assert one.face(3, 0) == plain.face(3, 0), "a mark is a line, no filled area"
    bold = {text.get_text() for text in one.ax.texts[1 : 1 + 3 + 4] if text.get_weight() == "bold"}
    row, column = highlight if isinstance(highlight, tuple) else (highlight, None)
    assert bold == {names[i] for names, i in ((ROWS, row), (COLUMNS, column)) if i is not None}


def test_without_a_mark_no_line_is_black():
    one = painted()
    assert not one.ax.patches
    assert all(text.get_weight() == "normal" for text in one.ax.texts[1:])


def test_what_is_not_finite_is_hatched_on_grey():
    one = painted([[0.0, -np.inf], [np.nan, 1.0]], ["a", "b"], ["x", "y"], kind="scores")
    for i, j, hatched in [(0, 0, False), (0, 1, True), (1, 0, True), (1, 1, False)]:
        colours = {tuple(pixel) for pixel in one.cell(i, j)[:6].reshape(-1, 3).tolist()}  # above the value
        assert ((237, 237, 237) in colours) == hatched and (len(colours) > 1) == hatched, (i, j)
    assert [one.text(words).get_color() for words in ("−∞", "NaN")] == ["#555555"] * 2


def test_the_few_pixels_of_a_title_keep_their_colour_among_256():
    """A palette made of the most frequent colours turned the pink O of a large picture brown."""
    values = np.random.default_rng(0).normal(size=(9, 12))
    png, _, _ = picture([Matrix(values, symbol=symbol, caption="a row for each token") for symbol in "XQKVSAO"])
    pixels = np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).reshape(-1, 3)
    for role, colour in zip(style.ROLES, style.ON_PAPER.values(), strict=False):
        rgb = [int(colour[i:i + 2], 16) for i in (1, 3, 5)]
        assert (pixels == rgb).all(axis=1).any(), role
    pale = style.colours("vectors")[127] * 255
    assert np.abs(pixels - pale).max(axis=1).min() <= 2, "and what is frequent keeps its own as well"


def test_the_title_has_the_colour_of_the_symbol_and_the_axes_stand_below_it():
    one = painted(symbol="Q", caption="queries", axes=("token", "feature"))
    symbol, title, axes = one.text("Q"), one.text("(4, 3): queries"), one.text("token ↓, feature →")
    assert [part.get_color() for part in (symbol, title)] == [style.SHADES["light"]["query"], "black"], "as in HTML"
    assert [part.get_weight() for part in (symbol, title)] == ["bold", "bold"]
    assert symbol.get_position()[0] == 0 and symbol.get_position()[1] == title.get_position()[1]
    assert title.get_position()[0] == pytest.approx(text_width("Q ", 13), abs=0.05)
    assert axes.get_color() == "#555555" and axes.get_position()[1] > title.get_position()[1]
    assert painted(symbol="S").text("S (4, 3)").get_color() == "black"


def test_names_stand_beside_their_cells():
    one = painted()
    for j, name in enumerate(COLUMNS):
        x, y = one.text(name).get_position()
        assert x == pytest.approx(one.place(0, j + 0.5)[0]) and y == pytest.approx(one.drawn.top - 0.07)
        assert one.text(name).get_rotation() == 0
    for i, name in enumerate(ROWS):
        x, y = one.text(name).get_position()
        assert y == pytest.approx(one.place(i + 0.5, 0)[1]) and x == pytest.approx(one.drawn.left - 0.1)


def test_long_names_of_columns_are_slanted_and_all_are_shortened():
    one = painted(rows=["antidisestablishment", *"bcd"], columns=["creature", "y", "z"])
    assert {one.text(name).get_rotation() for name in ("creature", "y", "z")} == {60}
    assert one.text("antidisestabl…").get_rotation() == 0


def test_a_dense_matrix_shows_colours_without_lines_and_values():
    A = np.tile(np.linspace(0, 1, 20), (20, 1))
    dense = Painted(Matrix(A, kind="weights", highlight=(3, 4)))
    colours = [rgb("weights", round(255 * value)) for value in A[0]]
    for j, colour in enumerate(colours):
        assert near(dense.at(*dense.place(8.5, j + 0.5)), colour)
        assert near(dense.at(*dense.place(9.02, j + 0.5)), colour), "no line between two rows"
    assert len(dense.ax.texts) == 1 + 20 + 20 + 1
    assert dense.ax.texts[-1].get_text() == Matrix(A, kind="weights").summary()
    assert dense.at(*dense.place(3.5, 4)) == BLACK == dense.at(*dense.place(4, 4.5))
    assert {text.get_rotation() for text in dense.ax.texts[1:21]} == {60}


@pytest.mark.parametrize("shape", [(3, 3), (4, 9), (1, 1), (17, 3)])
def test_a_matrix_reaches_to_its_last_cell(shape):
    matrix = Matrix(np.zeros(shape))
    drawn = DrawnMatrix(matrix)
    assert matrix.size[0] >= drawn.x[-1] == pytest.approx(drawn.left + shape[1] * drawn.cell_width)
    assert matrix.size[1] >= drawn.y[-1] == pytest.approx(drawn.top + shape[0] * drawn.cell_height)


def test_wide_values_make_wide_cells():
    assert DrawnMatrix(Matrix([[-12345.678]])).cell_width > DrawnMatrix(Matrix([[1.0]])).cell_width == style.CELL_WIDTH / 72


# ---------------------------------------------------------------- large matrices


def test_a_large_matrix_becomes_a_picture_of_bearable_size():
    large = Matrix(np.random.default_rng(0).normal(size=(300, 300)), kind="scores")
    start = time.process_time()
    _, width, height = picture([large])
    assert max(width, height) < 1500 and time.process_time() - start < 15
    assert large.html().count("<td") == 100 * 100 + 1 and len(large.html()) < 1e6


def test_each_cell_of_a_large_matrix_is_the_strongest_of_its_block():
    values = np.full((250, 101), -np.inf)
    values[:3, :2] = [[1, -4], [3, 2], [np.nan, 0.5]]
    values[249, 100] = 7
    large = Matrix(values, kind="scores", highlight=(5, 100), caption="large")
    shown = large.shown
    assert shown.values.shape == (84, 51)
    assert shown.values[0, 0] == -4 and shown.values[83, 50] == 7
    assert np.isneginf(shown.values[1:83]).all()
    assert shown.rows[:3] == ["0", "3", "6"] and shown.columns[-1] == "100"
    assert shown.highlight == (1, 50)
    below = "largest 7.00 at 249 → 100; each cell shows the strongest of 3 × 2 values"
    assert large.below() == below and below in large.html()
    assert large.text().splitlines()[0] == "(250, 101): large"


def test_up_to_a_hundred_rows_and_columns_all_values_are_drawn():
    whole = Matrix(np.arange(10_000.0).reshape(100, 100))
    assert whole.shown.values is whole.values and "each cell" not in whole.below()


# ---------------------------------------------------------------- sizes


def test_letters_have_their_sizes():
    one = painted(axes=("row", "column"), caption="sizes")
    sizes = [text.get_fontsize() for text in one.ax.texts]
    assert sizes == [13, 11, *[12] * 7, *[11.5] * 12]
    assert {text.get_fontsize() for text in Painted(Matrix(np.eye(20))).ax.texts[1:-1]} == {9}


def test_lines_and_marks_have_their_widths():
    one = painted(highlight=(3, 2))
    assert [lines.get_linewidth()[0] for lines in one.ax.collections[1:]] == [2, 2]
    around, mark = one.ax.patches
    assert (around.get_linewidth(), mark.get_linewidth()) == (4.5, 2.5)
    assert not mark.get_clip_on() and not around.get_clip_on(), "whole also at the edge of the picture"


@pytest.mark.parametrize("value", [-12345.678, 1e9, 123456789012.0])
def test_a_cell_is_a_little_wider_than_its_value(value):
    drawn = DrawnMatrix(Matrix([[value, 1.0]]))
    room = 72 * (drawn.cell_width - text_width(style.number(value, minus="−"), 11.5, "normal"))
    assert 4 < room < 20


@pytest.mark.parametrize("names", [["creature"], ["antidisestab…"], ["x" * 14]])
@pytest.mark.parametrize("axes", [None, ("row", "column")])
def test_slanted_names_reach_up_to_the_title(names, axes):
    one = Painted(Matrix([[1.0]], columns=names, axes=axes))
    top = one.text(names[0]).get_window_extent().y1
    above = min(text.get_window_extent().y0 for text in one.ax.texts[: 1 + bool(axes)])
    assert 0 < (above - top) / DOTS < 0.5
