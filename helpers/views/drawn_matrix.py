"""A matrix as matplotlib artists, for the PNG."""

import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.patches import Rectangle

from .. import style
from .labels import short
from .picture import heading, label, text_width
from .view import DPI

TITLE_SIZE, AXES_SIZE, CELL_SIZE = 13, 11, 11.5  # of letters
GREY, OFF, HATCH = "#555555", 0.93, "#c4c4c4"


class DrawnMatrix:
    """Where the parts of a matrix stand, in inches from the upper left corner."""

    def __init__(self, matrix):
        self.matrix, self.shown = matrix, matrix.shown
        rows, columns = self.shown.values.shape
        self.name_size = 9 if matrix.crowded else 11 if matrix.dense else 12
        self.row_names = [short(name) for name in self.shown.rows]
        self.column_names = [short(name) for name in self.shown.columns]
        self.widths = [text_width(name, self.name_size) for name in self.column_names]
        self.left = max((text_width(name, self.name_size) for name in self.row_names), default=0) + 0.17
        self.top = self._top()
        self.cell_width, self.cell_height = self._cell()
        self.x = self.left + self.cell_width * np.arange(columns + 1)
        self.y = self.top + self.cell_height * np.arange(rows + 1)

    def _top(self):
        heads = 0.87 * max(self.widths, default=0) if self.matrix.slanted else 0
        return ((44 if self.matrix.axes else 26) + (14 if self.matrix.slanted else 20)) / DPI + heads

    def _cell(self):
        if self.matrix.dense:
            side = style.DENSE_CELL if self.matrix.crowded else style.COLOUR_CELL
            return side / DPI, side / DPI
        longest = max((len(self.matrix.cell_text(value)) for value in self.shown.values.flat), default=0)
        return max(style.CELL_WIDTH, 7.4 * longest + 8) / DPI, style.CELL_HEIGHT / DPI

    @property
    def size(self):
        """Width and height, labels included."""
        names_end = [x + (self.cell_width + width) / 2 for x, width in zip(self.x, self.widths, strict=False)]
        lines = [text_width(self.matrix.title, TITLE_SIZE), text_width(self.matrix.axes_line(), AXES_SIZE)]
        if self.matrix.crowded:
            lines.append(self.left + text_width(self.matrix.below(), AXES_SIZE))
        return max([self.x[-1], *names_end, *lines]), self.y[-1] + (0.3 if self.matrix.crowded else 0)

    def draw(self, ax):
        """All parts on axes that cover the size."""
        width, height = self.size
        ax.set(xlim=(0, width), ylim=(height, 0))
        ax.axis("off")
        self._draw_title(ax)
        self._draw_names(ax)
        if self.shown.values.size:
            self._draw_faces(ax)
            if not self.matrix.dense:
                self._draw_values(ax)
        self._draw_mark(ax)
        if self.matrix.crowded:
            label(ax, self.left, height - 0.05, self.matrix.below(), fontsize=AXES_SIZE)

    def _draw_title(self, ax):
        heading(ax, 0.18, self.matrix, TITLE_SIZE)
        if self.matrix.axes:
            label(ax, 0, 0.42, self.matrix.axes_line(), fontsize=AXES_SIZE, color=GREY)

    def _draw_names(self, ax):
        row, column = self.shown.highlight
        slant = {"ha": "left", "rotation": 60} if self.matrix.slanted else {"ha": "center"}
        for j, name in enumerate(self.column_names):
            label(ax, self.x[j] + self.cell_width / 2, self.top - 0.07, name, fontsize=self.name_size, va="bottom",
                  rotation_mode="anchor", weight=_weight(j == column), **slant)
        for i, name in enumerate(self.row_names):
            label(ax, self.left - 0.1, self.y[i] + self.cell_height / 2, name, fontsize=self.name_size, ha="right",
                  va="center_baseline", weight=_weight(i == row))

    def _draw_faces(self, ax):
        off, steps = ~np.isfinite(self.shown.values), self.matrix.steps(self.shown.values)
        faces = np.where(off[..., None], OFF, style.colours(self.matrix.kind)[steps])  # (R, C, 3)
        ends = (self.x[0], self.x[-1], self.y[-1], self.y[0])
        ax.imshow(faces, extent=ends, aspect="auto", interpolation="nearest")
        hatched = [self._rectangle(i, j) for i, j in np.argwhere(off)]
        ax.add_collection(PatchCollection(hatched, facecolor="none", linewidth=0, hatch="///", edgecolor=HATCH))

    def _rectangle(self, i, j):
        return Rectangle((self.x[j], self.y[i]), self.cell_width, self.cell_height)

    def _draw_values(self, ax):
        ax.vlines(self.x, self.y[0], self.y[-1], color="white", linewidth=2)
        ax.hlines(self.y, self.x[0], self.x[-1], color="white", linewidth=2)
        inks, steps = style.text_colours(self.matrix.kind), self.matrix.steps(self.shown.values)
        for (i, j), value in np.ndenumerate(self.shown.values):
            ink = inks[steps[i, j]] if np.isfinite(value) else GREY
            label(ax, self.x[j] + self.cell_width / 2, self.y[i] + self.cell_height / 2, self.matrix.cell_text(value),
                  fontsize=CELL_SIZE, ha="center", va="center_baseline", color=ink)

    def _draw_mark(self, ax):
        row, column = self.shown.highlight
        if (row, column) == (None, None):
            return
        left, right = (self.x[0], self.x[-1]) if column is None else self.x[column:column + 2]
        top, bottom = (self.y[0], self.y[-1]) if row is None else self.y[row:row + 2]
        for colour, width in (("white", 4.5), ("black", 2.5)):  # the white parts the black from dark cells
            ax.add_patch(Rectangle((left, top), right - left, bottom - top, fill=False, edgecolor=colour, linewidth=width,
                                   clip_on=False, zorder=3))


def _weight(bold):
    return "bold" if bold else "normal"
