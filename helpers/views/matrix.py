"""A matrix as a table of coloured cells with the values in them."""

import html
import math
import re
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from .. import style
from .checks import (
    check_axes,
    check_choice,
    check_decimals,
    check_flag,
    check_index,
    check_labels,
    check_number,
    check_numbers,
    check_text,
)
from .labels import columns, formula_html, right, short, symbol_html
from .view import View

KINDS = ("vectors", "scores", "weights", "mask")
MOST = 100  # rows or columns that are drawn; of a larger matrix each cell stands for a block
SUMMARY_ABOVE = 1000  # values; a larger matrix is summed up in words
TARGET_AND_SOURCE = ("target i", "source j")


class Shown(NamedTuple):
    """What is drawn of a matrix."""

    values: np.ndarray
    rows: list
    columns: list
    highlight: tuple


@dataclass(frozen=True, eq=False)
class Matrix(View):
    """A matrix with named rows and columns.

    Parameters
    ----------
    values : (R, C) array
        Finite numbers, −∞ or NaN.
    rows, columns : sequence of str, optional
        One name for each row and column; indices by default.
    kind : {"vectors", "scores", "weights", "mask"}
        Decides the colours: weights are fixed to 0–1, the others are centred on 0.
    caption : str
        What there is to see. The symbol and the shape are written before it.
    symbol : str, optional
        The matrix's name in the formulas; Q, K, V and O bring their colour.
    axes : (str, str), optional
        What a row and what a column is, as ("target i", "source j").
    highlight : int or (int or None, int or None), optional
        A row, or a row and a column; (None, j) marks a column.
    limit : float, optional
        Value of the strongest colour, to compare several matrices; their largest by default.
    decimals : int
        Digits after the point.
    colours_only : bool
        Whether the cells are small and hold no values, as those of a matrix with more than 16 rows or columns do.

    Raises
    ------
    TypeError, ValueError
        When the values are not numbers in two axes, or labels, kind or highlight do not fit them.
    """

    values: np.ndarray
    rows: list | None = None
    columns: list | None = None
    _: KW_ONLY
    kind: str = "vectors"
    caption: str = ""
    symbol: str = ""
    axes: tuple | None = None
    highlight: int | tuple | None = None
    limit: float | None = None
    decimals: int = 2
    colours_only: bool = False

    def __post_init__(self):
        values = check_numbers("Matrix", "values", self.values)
        if values.ndim != 2:
            raise ValueError(f"Matrix: values needs two axes (rows, columns), got shape {values.shape}")
        check_choice("Matrix", "kind", self.kind, KINDS)
        if self.kind == "weights" and ((values < -1e-9) | (values > 1 + 1e-9)).any():
            raise ValueError(f"Matrix: weights lie between 0 and 1, got {np.nanmin(values)} to {np.nanmax(values)}")
        check_text("Matrix", caption=self.caption, symbol=self.symbol)
        check_flag("Matrix", "colours_only", self.colours_only)
        self._set(values=values, highlight=self._checked_highlight(values.shape),
                  rows=check_labels("Matrix", "rows", self.rows, values.shape[0]),
                  columns=check_labels("Matrix", "columns", self.columns, values.shape[1]),
                  axes=None if self.axes is None else check_axes("Matrix", self.axes),
                  limit=check_number("Matrix", "limit", self.limit, least=0),
                  decimals=check_decimals("Matrix", self.decimals))

    def _checked_highlight(self, shape):
        mark = tuple(self.highlight) if isinstance(self.highlight, (tuple, list)) else (self.highlight, None)
        if len(mark) != 2:
            raise ValueError(f"Matrix: highlight needs a row, or a row and a column, got {self.highlight}")
        return tuple(check_index("Matrix", "highlight", i, count) for i, count in zip(mark, shape, strict=True))

    @classmethod
    def scores(cls, values, rows, columns=None, *, symbol="S", axes=TARGET_AND_SOURCE, **look):
        """Scores of targets (rows) for sources (columns, the same tokens by default)."""
        return cls(values, rows, rows if columns is None else columns, kind="scores", symbol=symbol, axes=axes, **look)

    @classmethod
    def mask(cls, values, rows, columns=None, *, symbol="M", axes=TARGET_AND_SOURCE, **look):
        """A mask over targets (rows) and sources (columns, the same tokens by default)."""
        return cls(values, rows, rows if columns is None else columns, kind="mask", symbol=symbol, axes=axes, **look)

    @classmethod
    def weights(cls, values, rows, columns=None, *, symbol="A", axes=TARGET_AND_SOURCE, **look):
        """Weights of targets (rows) on sources (columns, the same tokens by default)."""
        return cls(values, rows, rows if columns is None else columns, kind="weights", symbol=symbol, axes=axes, **look)

    @property
    def title(self):
        """Symbol, shape and caption in one line."""
        shape = f"({self.values.shape[0]}, {self.values.shape[1]})"
        return " ".join(filter(None, [self.symbol, shape + (":" if self.caption else ""), self.caption]))

    def transposed(self):
        """The same matrix with rows and columns exchanged; caption, symbol and axis names follow."""
        return replace(self, values=self.values.T, rows=self.columns, columns=self.rows, symbol=_transposed(self.symbol),
                       caption=_swap_rows_and_columns(self.caption), axes=self.axes and self.axes[::-1],
                       highlight=self.highlight[::-1])

    # ---- text ----

    def text(self):
        """The numbers, labelled and rounded; above 1,000 values a summary in words."""
        body = [self.summary()] if self.values.size > SUMMARY_ABOVE else self._lines()
        return "\n".join([self.title, *filter(None, [self.axes_line(), self._highlight_line()]), *body])

    def summary(self):
        """The largest value and where it stands; of weights also the share on the first column."""
        if not np.isfinite(self.values).any():
            return "no finite value"
        i, j = np.unravel_index(np.argmax(np.where(np.isfinite(self.values), self.values, -np.inf)), self.values.shape)
        largest = f"largest {self._number(self.values[i, j])} at {short(self.rows[i])} → {short(self.columns[j])}"
        if self.kind != "weights":
            return largest
        return f"{largest}; mean share on {short(self.columns[0])} {self._number(self.values[:, 0].mean())}"

    def _lines(self):
        cells = [[self._number(value) for value in row] for row in self.values]
        heads = [short(name) for name in self.columns]
        widths = [max(map(columns, column)) for column in zip(heads, *cells, strict=True)]
        first = max(map(columns, map(short, self.rows)), default=0)
        rows = zip([" "] + [short(name) for name in self.rows], [heads, *cells], strict=True)
        return ["  ".join([right(name, first), *map(right, row, widths)]).rstrip() for name, row in rows]

    def axes_line(self):
        """What a row and what a column is."""
        return " ".join(self._axes_parts())

    def _axes_parts(self):
        return [f"{self.axes[0]} ↓,", f"{self.axes[1]} →"] if self.axes else []

    def _highlight_line(self):
        names = [labels[i] for i, labels in zip(self.highlight, (self.rows, self.columns), strict=True) if i is not None]
        return names and "marked: " + " → ".join(map(short, names))

    def _number(self, value, minus="-"):
        return style.number(value, self.decimals, minus)

    # ---- HTML ----

    def html(self):
        """A semantic table."""
        shown = self.shown
        steps = np.where(np.isfinite(shown.values), self.steps(shown.values), -1).tolist()  # -1: the look of −∞ and NaN
        rows = map(self._row_html, range(len(shown.rows)), shown.rows, steps, shown.values.tolist())
        below = f'<p class="attn-note">{formula_html(self.below())}</p>' if self.crowded else ""
        return (f'<table class="attn-matrix{self._look()}">'
                f"<caption><span>{self._caption_html()}</span></caption>{self._head_html()}<tbody>{''.join(rows)}</tbody></table>{below}")

    def _look(self):
        return " attn-dense" if self.crowded else " attn-colours" if self.dense else ""

    def _row_html(self, i, name, steps, values):
        row, column = self.shown.highlight
        whole, marked = _mark(i == row and column is None), _mark(i == row)
        in_column = _mark(row in (None, i), "column" if row is None else "cell")
        cells = [f"<td{_cell_looks(self.kind)[step]}{in_column if j == column else ''}>{self.cell_text(value)}</td>"
                 for j, (step, value) in enumerate(zip(steps, values, strict=True))]
        return f'<tr{whole}><th scope="row"{marked}>{_name_html(name)}</th>{"".join(cells)}</tr>'

    def _head_html(self):
        shown = self.shown
        longest = max((columns(short(name)) for name in shown.columns), default=0)
        look = f' style="height:{longest * 0.56 + 1.15:.2f}em"' if self.slanted else ""
        corner = f"<td{look}>{' '.join(f'<span>{formula_html(part)}</span>' for part in self._axes_parts())}</td>"
        heads = [f'<th scope="col"{_mark(j == shown.highlight[1])}><span>{_name_html(name)}</span></th>'
                 for j, name in enumerate(shown.columns)]
        return f"<thead{' class=attn-slanted' if self.slanted else ''}><tr>{corner}{''.join(heads)}</tr></thead>"

    def _caption_html(self):
        words = formula_html(self.title.removeprefix(self.symbol).lstrip())
        return " ".join(filter(None, [symbol_html(self.symbol), words]))

    def cell_text(self, value):
        """What stands in a cell."""
        return "" if self.dense else self._number(value, "−")

    @property
    def slanted(self):
        """Whether the names of the columns are too long to stand side by side."""
        return self.dense or any(columns(short(name)) > 6 for name in self.columns)

    @property
    def dense(self):
        """Whether the cells hold no values."""
        return self.colours_only or self.crowded

    @property
    def crowded(self):
        """Whether the cells are too many to hold their values."""
        return max(self.values.shape) > style.VALUES_UP_TO

    @cached_property
    def shown(self):
        """What is drawn: all, or of a matrix with more than 100 rows or columns the strongest value of each block."""
        if max(self.values.shape) <= MOST:
            return Shown(self.values, self.rows, self.columns, self.highlight)
        height, width = self._block()
        row, column = (i if i is None else i // size for i, size in zip(self.highlight, (height, width), strict=True))
        return Shown(_strongest(self.values, height, width), self.rows[::height], self.columns[::width], (row, column))

    def _block(self):
        return tuple(max(1, math.ceil(count / MOST)) for count in self.values.shape)

    def below(self):
        """What is written below a matrix whose cells hold no values."""
        height, width = self._block()
        blocks = f"; each cell shows the strongest of {height} × {width} values" if height * width > 1 else ""
        return self.summary() + blocks

    def steps(self, values):
        """For each of these values its place among the 256 colours of the kind."""
        finite = np.where(np.isfinite(values), values, 0)
        if self.kind == "weights":
            position = finite.clip(0, 1)
        else:
            limit = self.limit or np.abs(self.values[np.isfinite(self.values)]).max(initial=0) or 1
            position = finite.clip(-limit, limit) / limit / 2 + 0.5
        return (position * 255).round().astype(int)

    # ---- PNG ----

    @property
    def size(self):
        """Width and height of the picture in inches, labels included."""
        from .drawn_matrix import DrawnMatrix

        return DrawnMatrix(self).size

    def draw(self, ax):
        """The table on matplotlib axes that cover ``size``."""
        from .drawn_matrix import DrawnMatrix

        DrawnMatrix(self).draw(ax)


def _strongest(values, height, width):
    """The value farthest from 0 of each block: (R, C) → (⌈R/height⌉, ⌈C/width⌉); what is not finite only where all is."""
    rows, columns = (math.ceil(count / size) for count, size in zip(values.shape, (height, width), strict=True))
    full = np.full((rows * height, columns * width), np.nan)
    full[: values.shape[0], : values.shape[1]] = values
    blocks = full.reshape(rows, height, columns, width).swapaxes(1, 2).reshape(rows, columns, height * width)
    strength = np.where(np.isfinite(blocks), np.abs(blocks), -1)
    return np.take_along_axis(blocks, strength.argmax(axis=-1, keepdims=True), axis=-1)[..., 0]


def _swap_rows_and_columns(caption):
    other = {"row": "column", "column": "row", "Row": "Column", "Column": "Row"}
    return re.sub(r"\b(row|column|Row|Column)(?=s?\b)", lambda found: other[found[0]], caption)


def _transposed(symbol):
    """K and Kᵀ, QKᵀ and (QKᵀ)ᵀ, and back; nothing stays nothing."""
    inner = symbol.removesuffix("ᵀ")
    if re.fullmatch(r"\w(_\w+)?′?", inner):
        return inner if inner != symbol else symbol + "ᵀ"
    if symbol.startswith("(") and symbol.endswith(")ᵀ"):
        return symbol[1:-2]
    return symbol and f"({symbol})ᵀ"


def _mark(marked, what=""):
    return f' data-marked="{what}"' if marked else ""


def _name_html(name):
    shown = formula_html(short(name))
    return shown if short(name) == name else f'<span title="{html.escape(name)}">{shown}</span>'


@lru_cache
def _cell_looks(kind):
    """The style of a cell for each of the 256 colours, and last that of −∞ and NaN.

    The variables are for dark themes; the rules for a page say when.
    """
    faces = [map(style.to_hex, style.colours(kind, theme)) for theme in style.SHADES]
    inks = [style.text_colours(kind, theme) for theme in style.SHADES]
    return [*(f' style="background:{face};color:{ink};--dark:{dark};--dark-ink:{dark_ink}"'
              for face, dark, ink, dark_ink in zip(*faces, *inks, strict=True)), ' class="attn-off"']
