"""A matrix as a table of coloured cells with the values in them."""

import html
import re
from dataclasses import KW_ONLY, dataclass, replace
from functools import lru_cache

import numpy as np

from .. import style
from .labels import check_index, check_labels, check_look, check_numbers, columns, right, short
from .view import View

KINDS = ("vectors", "scores", "weights", "mask")
SUMMARY_ABOVE = 1000  # values; a larger matrix is summed up in words
TARGET_AND_SOURCE = ("target i", "source j")


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

    def __post_init__(self):
        values = check_numbers("Matrix", "values", self.values)
        if values.ndim != 2:
            raise ValueError(f"Matrix: values needs two axes (rows, columns), got shape {values.shape}")
        if self.kind not in KINDS:
            raise ValueError(f"Matrix: kind is one of {', '.join(KINDS)}, got {self.kind!r}")
        if self.kind == "weights" and ((values < -1e-9) | (values > 1 + 1e-9)).any():
            raise ValueError(f"Matrix: weights lie between 0 and 1, got {np.nanmin(values)} to {np.nanmax(values)}")
        if self.axes is not None and len(self.axes) != 2:
            raise ValueError(f"Matrix: axes needs two names, of a row and of a column, got {self.axes}")
        check_look("Matrix", self.decimals, self.limit)
        object.__setattr__(self, "values", values)
        for name, count in zip(("rows", "columns"), values.shape, strict=True):
            object.__setattr__(self, name, check_labels("Matrix", name, getattr(self, name), count))
        object.__setattr__(self, "highlight", self._checked_highlight())

    def _checked_highlight(self):
        mark = tuple(self.highlight) if isinstance(self.highlight, (tuple, list)) else (self.highlight, None)
        if len(mark) != 2:
            raise ValueError(f"Matrix: highlight needs a row, or a row and a column, got {self.highlight}")
        return tuple(check_index("Matrix", "highlight", i, count) for i, count in zip(mark, self.values.shape, strict=True))

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
        return ", ".join(self._axes_parts())

    def _axes_parts(self):
        return [f"{self.axes[0]} ↓", f"{self.axes[1]} →"] if self.axes else []

    def _highlight_line(self):
        names = [labels[i] for i, labels in zip(self.highlight, (self.rows, self.columns), strict=True) if i is not None]
        return names and "marked: " + " → ".join(map(short, names))

    def _number(self, value, minus="-"):
        return style.number(value, self.decimals, minus)

    # ---- HTML ----

    def html(self):
        """A semantic table."""
        steps = np.where(np.isfinite(self.values), self.steps(), -1).tolist()  # -1 finds the look of −∞ and NaN
        rows = map(self._row_html, range(len(self.rows)), self.rows, steps, self.values.tolist())
        below = f'<p class="attn-note">{html.escape(self.summary())}</p>' if self.dense else ""
        return (f'<table class="attn-matrix{" attn-dense" if self.dense else ""}">'
                f"<caption>{self._caption_html()}</caption>{self._head_html()}<tbody>{''.join(rows)}</tbody></table>{below}")

    def _row_html(self, i, name, steps, values):
        row, column = self.highlight
        whole, marked = (_mark(i == row and column is None), _mark(i == row))
        cells = [_cell_html(_cell_looks(self.kind)[step], self.is_marked(i, j), self.cell_text(value))
                 for j, (step, value) in enumerate(zip(steps, values, strict=True))]
        return f'<tr{whole}><th scope="row"{marked}>{_name_html(name)}</th>{"".join(cells)}</tr>'

    def _head_html(self):
        names = [short(name) for name in self.columns]
        longest = max(map(columns, names), default=0)
        look = f' style="height:{longest * 7 + 14}px"' if self.slanted else ""
        corner = f"<td{look}>{', '.join(f'<span>{html.escape(part)}</span>' for part in self._axes_parts())}</td>"
        heads = [f'<th scope="col"{_mark(j == self.highlight[1])}><span>{_name_html(name)}</span></th>'
                 for j, name in enumerate(self.columns)]
        return f"<thead{' class=attn-slanted' if self.slanted else ''}><tr>{corner}{''.join(heads)}</tr></thead>"

    def _caption_html(self):
        colour = style.role_colour(self.symbol)
        look = f' style="color:{colour}"' if colour else ""
        symbol = f"<b{look}>{html.escape(self.symbol)}</b> " if self.symbol else ""
        return symbol + html.escape(self.title.removeprefix(self.symbol).lstrip())

    def is_marked(self, i, j):
        """Whether this single cell is marked, alone or with its column."""
        return j == self.highlight[1] and self.highlight[0] in (None, i)

    def cell_text(self, value):
        """What stands in a cell."""
        return "" if self.dense else self._number(value, "−")

    @property
    def slanted(self):
        """Whether the names of the columns are too long to stand side by side."""
        return self.dense or any(columns(short(name)) > 6 for name in self.columns)

    @property
    def dense(self):
        """Whether the cells are too many to hold their values."""
        return max(self.values.shape) > style.VALUES_UP_TO

    def steps(self):
        """For each value its place among the 256 colours of the kind."""
        finite = np.where(np.isfinite(self.values), self.values, 0)
        if self.kind == "weights":
            position = finite
        else:
            limit = self.limit or np.abs(finite).max(initial=0) or 1
            position = finite / limit / 2 + 0.5
        return (position.clip(0, 1) * 255).round().astype(int)

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


def _mark(marked):
    return ' data-marked=""' if marked else ""


def _cell_html(look, marked, text):
    return f"<td{look}{_mark(marked)}>{text}</td>"


def _name_html(name):
    shown = html.escape(short(name))
    return shown if short(name) == name else f'<span title="{html.escape(name)}">{shown}</span>'


@lru_cache
def _cell_looks(kind):
    """The style of a cell for each of the 256 colours, and last that of −∞ and NaN."""
    colours = zip(style.colours(kind), style.text_colours(kind), strict=True)
    return [f' style="background:{style.to_hex(face)};color:{ink}"' for face, ink in colours] + [' class="attn-off"']
