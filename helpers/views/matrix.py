"""A matrix as a table of coloured cells with the values in them."""

import html
import re
from dataclasses import KW_ONLY, dataclass, replace
from functools import lru_cache

import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.patches import Rectangle

from .. import style
from .labels import check_index, check_labels, check_look, check_numbers, columns, right, short
from .picture import DPI, View, label, text_width

KINDS = ("vectors", "scores", "weights", "mask")
SUMMARY_ABOVE = 1000  # values; a larger matrix is summed up in words
TARGET_AND_SOURCE = ("target i", "source j")
_MARKED = ' data-marked=""'


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
        return "\n".join([self.title, *filter(None, [self._axes_line(), self._highlight_line()]), *body])

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

    def _axes_line(self):
        return self.axes and f"{self.axes[0]} ↓, {self.axes[1]} →"

    def _highlight_line(self):
        names = [labels[i] for i, labels in zip(self.highlight, (self.rows, self.columns), strict=True) if i is not None]
        return names and "marked: " + " → ".join(map(short, names))

    def _number(self, value, minus="-"):
        return style.number(value, self.decimals, minus)

    # ---- html ----

    def html(self):
        """A semantic table; the colours of 256 steps are looked up, not computed."""
        looks = _cell_looks(self.kind)
        steps = np.where(np.isfinite(self.values), self._steps(), -1).tolist()  # -1 finds the look of −∞ and NaN
        rows = "".join(
            f'<tr{_MARKED if self.highlight == (i, None) else ""}>'
            f'<th scope="row"{_MARKED if i == self.highlight[0] else ""}>{_escaped(name)}</th>'
            + "".join([f"<td{looks[step]}{_MARKED if self._is_marked(i, j) else ''}>{self._cell_text(value)}</td>"
                       for j, (step, value) in enumerate(zip(steps[i], self.values[i].tolist(), strict=True))])
            + "</tr>"
            for i, name in enumerate(self.rows))
        below = f'<p class="attn-note">{html.escape(self.summary())}</p>' if self.dense else ""
        return (f'<table class="attn-matrix{" attn-dense" if self.dense else ""}">'
                f"<caption>{self._caption_html()}</caption>{self._head()}<tbody>{rows}</tbody></table>{below}")

    def _is_marked(self, i, j):
        return j == self.highlight[1] and self.highlight[0] in (None, i)

    def _cell_text(self, value):
        return "" if self.dense else self._number(value, "−")

    def _caption_html(self):
        colour = style.role_colour(self.symbol)
        look = f' style="color:{colour}"' if colour else ""
        symbol = f"<b{look}>{html.escape(self.symbol)}</b> " if self.symbol else ""
        return symbol + html.escape(self.title.removeprefix(self.symbol).lstrip())

    def _head(self):
        names = [short(name) for name in self.columns]
        longest = max(map(columns, names), default=0)
        look = f' style="height:{longest * 7 + 14}px"' if self.slanted else ""
        corner = f"<td{look}>{html.escape(self._axes_line() or '')}</td>"
        heads = "".join(f'<th scope="col"{_MARKED if j == self.highlight[1] else ""}><span>{_escaped(name)}</span></th>'
                        for j, name in enumerate(self.columns))
        return f"<thead{' class=attn-slanted' if self.slanted else ''}><tr>{corner}{heads}</tr></thead>"

    @property
    def slanted(self):
        """Whether the names of the columns are too long to stand side by side."""
        return self.dense or any(columns(short(name)) > 6 for name in self.columns)

    @property
    def dense(self):
        """Whether the cells are too many to hold their values."""
        return max(self.values.shape) > style.VALUES_UP_TO

    def _steps(self):
        finite = np.where(np.isfinite(self.values), self.values, 0)
        if self.kind == "weights":
            position = finite
        else:
            limit = self.limit or np.abs(finite).max(initial=0) or 1
            position = finite / limit / 2 + 0.5
        return (position.clip(0, 1) * 255).round().astype(int)

    # ---- matplotlib ----

    @property
    def size(self):
        """Width and height in inches, labels included."""
        left, top, cell_width, cell_height = self._measures()
        names_end = [left + cell_width * (j + 0.5) + 0.5 * width for j, width in enumerate(self._name_widths())]
        lines = [text_width(self.title, 13), text_width(self._axes_line() or "", 11)]
        if self.dense:
            lines.append(left + text_width(self.summary(), 11))
        width = max([left + cell_width * self.values.shape[1], *names_end, *lines])
        return width, top + cell_height * self.values.shape[0] + (0.3 if self.dense else 0)

    def _measures(self):
        longest_value = max((len(self._number(v)) for v in self.values.flat), default=0)
        cell_width = style.DENSE_CELL if self.dense else max(style.CELL_WIDTH, 7.4 * longest_value + 8)
        cell_height = style.DENSE_CELL if self.dense else style.CELL_HEIGHT
        left = max((text_width(short(name), self._name_size) for name in self.rows), default=0) + 0.17
        heads = max(self._name_widths(), default=0) if self.slanted else 0
        top = (44 if self.axes else 26) + (14 if self.slanted else 20)
        return left, top / DPI + 0.87 * heads, cell_width / DPI, cell_height / DPI

    @property
    def _name_size(self):
        return 9 if self.dense else 12

    def _name_widths(self):
        return [text_width(short(name), self._name_size) for name in self.columns]

    def draw(self, ax):
        """The table on matplotlib axes that cover ``size``."""
        left, top, cell_width, cell_height = self._measures()
        width, height = self.size
        ax.set(xlim=(0, width), ylim=(height, 0))
        ax.axis("off")
        label(ax, 0, 0.18, self.title, fontsize=13, weight="bold", color=style.role_colour(self.symbol) or "black")
        if self.axes:
            label(ax, 0, 0.42, self._axes_line(), fontsize=11, color="#555555")
        self._draw_names(ax, left, top, cell_width, cell_height)
        self._draw_cells(ax, left, top, cell_width, cell_height)
        self._draw_mark(ax, left, top, cell_width, cell_height)
        if self.dense:
            label(ax, left, height - 0.05, self.summary(), fontsize=11)

    def _draw_names(self, ax, left, top, cell_width, cell_height):
        size = self._name_size
        for j, name in enumerate(self.columns):
            label(ax, left + cell_width * (j + 0.5), top - 0.07, short(name), fontsize=size, va="bottom",
                  ha="left" if self.slanted else "center", rotation=60 if self.slanted else 0,
                  rotation_mode="anchor", weight=_weight(self.highlight[1] == j))
        for i, name in enumerate(self.rows):
            label(ax, left - 0.1, top + cell_height * (i + 0.5), short(name), fontsize=size, ha="right",
                  va="center_baseline", weight=_weight(self.highlight[0] == i))

    def _draw_cells(self, ax, left, top, cell_width, cell_height):
        if not self.values.size:
            return
        rows, columns = self.values.shape
        off, steps = ~np.isfinite(self.values), self._steps()
        x, y = left + cell_width * np.arange(columns + 1), top + cell_height * np.arange(rows + 1)
        faces = np.where(off[..., None], 0.93, style.colours(self.kind)[steps])  # (R, C, 3)
        ax.imshow(faces, extent=(x[0], x[-1], y[-1], y[0]), aspect="auto", interpolation="nearest")
        hatched = [Rectangle((x[j], y[i]), cell_width, cell_height) for i, j in np.argwhere(off)]
        ax.add_collection(PatchCollection(hatched, facecolor="none", linewidth=0, hatch="///", edgecolor="#c4c4c4"))
        if self.dense:
            return
        ax.vlines(x, y[0], y[-1], color="white", linewidth=2)
        ax.hlines(y, x[0], x[-1], color="white", linewidth=2)
        inks = style.text_colours(self.kind)
        for (i, j), value in np.ndenumerate(self.values):
            label(ax, x[j] + cell_width / 2, y[i] + cell_height / 2, self._number(value, "−"), fontsize=11.5, ha="center",
                  va="center_baseline", color="#555555" if off[i, j] else inks[steps[i, j]])

    def _draw_mark(self, ax, left, top, cell_width, cell_height):
        row, column = self.highlight
        if (row, column) == (None, None):
            return
        corner = left + cell_width * (column or 0), top + cell_height * (row or 0)
        width = cell_width * (self.values.shape[1] if column is None else 1)
        height = cell_height * (self.values.shape[0] if row is None else 1)
        ax.add_patch(Rectangle(corner, width, height, fill=False, edgecolor="black", linewidth=2.5, clip_on=False, zorder=3))


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


def _escaped(name):
    shown = html.escape(short(name))
    return shown if short(name) == name else f'<span title="{html.escape(name)}">{shown}</span>'


@lru_cache
def _cell_looks(kind):
    colours = zip(style.colours(kind), style.text_colours(kind), strict=True)
    return [f' style="background:{style.to_hex(face)};color:{ink}"' for face, ink in colours] + [' class="attn-off"']


def _weight(bold):
    return "bold" if bold else "normal"
