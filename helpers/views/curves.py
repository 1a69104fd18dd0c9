"""Lines over a common axis, and histograms."""

from dataclasses import KW_ONLY, dataclass

import numpy as np

from .. import style
from .axis import SCALES, Axis
from .canvas import FAINT, INK, MUTED, Drawing, dot, spread
from .checks import (
    check_choice,
    check_decimals,
    check_flag,
    check_limits,
    check_named,
    check_number,
    check_numbers,
    check_pixels,
    check_text,
)
from .labels import columns, formula_html, right, short

LEFT, RIGHT, TOP, BOTTOM = 58, 100, 10, 46  # pixels around the plot
NAME = 16  # pixels more above it, where the y axis has a name
DASHES = ((), (7, 4), (2, 3), (9, 3, 2, 3), (4, 4))
SAMPLES = ("━━━", "╍╍╍", "┅┅┅", "╍·╍", "┉┉┉")  # about how the lines look, as letters


@dataclass(frozen=True, eq=False)
class Curves(Drawing):
    """One or several lines over the same x.

    Parameters
    ----------
    x : (N,) array
        Increasing; positive on a logarithmic scale.
    series : dict of str to (N,) array
        At most five lines by name. The name is written at the end of its line.
    caption, x_label, y_label : str
        What there is to see, and what the axes mean.
    x_scale, y_scale : {"linear", "log2", "log10"}
        On a logarithmic y axis a value that is not positive leaves a gap.
    limits : (float, float), optional
        Values at the lower and upper end of the y axis.
    mark : float, optional
        A value of x that is marked by an upright line and dots.
    filled : bool
        Draw columns under the lines, for a histogram.
    width, height : int
        Pixels of the plot.

    Raises
    ------
    TypeError, ValueError
        When x does not increase, a series has another length, or scale or limits do not fit.
    """

    x: np.ndarray
    series: dict
    _: KW_ONLY
    caption: str = ""
    x_label: str = "x"
    y_label: str = ""
    x_scale: str = "linear"
    y_scale: str = "linear"
    limits: tuple | None = None
    mark: float | None = None
    filled: bool = False
    decimals: int = 2
    width: int = 340
    height: int = 220

    def __post_init__(self):
        x = check_numbers("Curves", "x", self.x)
        if x.ndim != 1 or len(x) < 2 or not np.isfinite(x).all() or (np.diff(x) <= 0).any():
            raise ValueError(f"Curves: x needs at least two increasing finite values, got shape {x.shape}")
        for name in ("x_scale", "y_scale"):
            check_choice("Curves", name, getattr(self, name), SCALES)
        if self.x_scale != "linear" and x[0] <= 0:
            raise ValueError(f"Curves: x needs positive values on a {self.x_scale} scale, got {x[0]:g}")
        check_text("Curves", caption=self.caption, x_label=self.x_label, y_label=self.y_label)
        check_flag("Curves", "filled", self.filled)
        self._set(x=x, series=self._checked_series(x.shape), limits=self._checked_limits(), mark=self._checked_mark(),
                  decimals=check_decimals("Curves", self.decimals),
                  **{name: check_pixels("Curves", name, getattr(self, name)) for name in ("width", "height")})

    def _checked_series(self, shape):
        series = check_named("Curves", "series", self.series)
        if len(series) > len(DASHES):
            raise ValueError(f"Curves: series holds {len(series)} lines, expected at most {len(DASHES)}")
        for name, y in series.items():
            if y.shape != shape:
                raise ValueError(f"Curves: series {name!r} has shape {y.shape}, expected {shape}, the shape of x")
        return series

    def _checked_limits(self):
        limits = check_limits("Curves", self.limits)
        if limits and not self._shows(limits[0]):
            raise ValueError(f"Curves: limits needs positive numbers on a {self.y_scale} scale, got {limits}")
        return limits

    def _checked_mark(self):
        mark = check_number("Curves", "mark", self.mark)
        if mark is not None and self.x_scale != "linear" and mark <= 0:
            raise ValueError(f"Curves: mark needs a positive number on a {self.x_scale} scale, got {mark:g}")
        return mark

    @classmethod
    def histogram(cls, samples, bins, **options):
        """Shares of samples in bins.

        Parameters
        ----------
        samples : dict of str to (N,) array
            The samples by name; those outside the bins count in the share but are not shown.
        bins : (B + 1,) array
            Edges of the bins, equally wide.
        **options
            As for `Curves`.
        """
        edges = check_numbers("Curves", "bins", bins)
        if edges.ndim != 1 or len(edges) < 3 or not np.isfinite(edges).all() or (np.diff(edges) <= 0).any():
            raise ValueError(f"Curves: bins needs at least three increasing finite edges, got shape {edges.shape}")
        shares = {name: np.histogram(values, edges)[0] / max(values.size, 1)
                  for name, values in check_named("Curves", "samples", samples).items()}
        return cls((edges[1:] + edges[:-1]) / 2, shares, filled=True, **{"y_label": "share", **options})

    def text(self):
        """A table: x and one column for each line."""
        heads = [self.x_label, *map(short, self.series)]
        cells = [[f"{v:.6g}" for v in self.x]]
        cells += [[style.number(v, self.decimals) for v in y] for y in self.series.values()]
        widths = [max(map(columns, [head, *column])) for head, column in zip(heads, cells, strict=True)]
        lines = ["  ".join(map(right, line, widths)) for line in [heads, *zip(*cells, strict=True)]]
        marked = [] if self.mark is None else [f"marked: {self.x_label} = {self.mark:.6g}"]
        return "\n".join([self.title, *marked, *lines])

    def key_html(self):
        """Which of several lines is which."""
        names = "".join(f'<span style="color:{style.themed(colour)}">{sample} {formula_html(short(name))}</span>'
                        for name, colour, sample in zip(self.series, style.SERIES, SAMPLES, strict=False))
        return f'<p class="attn-key" aria-hidden="true">{names}</p>' if len(self.series) > 1 else ""

    def spoken(self):
        """Caption, and where each line starts and ends."""
        ends = (f"{name} from {style.number(y[0])} to {style.number(y[-1])}" for name, y in self.series.items())
        return f"{self.title}. {self.y_label} over {self.x_label}: {', '.join(ends)}"

    @property
    def pixels(self):
        """Width and height."""
        return LEFT + self.width + RIGHT, self._top + self.height + BOTTOM

    @property
    def _top(self):
        return TOP + (NAME if self.y_label else 0)

    def paint(self, canvas):
        """Axes, lines, names at their ends, and the mark."""
        top, right_end = self._top, LEFT + self.width
        bottom = top + self.height
        x_axis = Axis(*self._x_range(), LEFT, right_end, self.x_scale, whole=self._counts())
        y_axis = Axis(*(self.limits or self._y_range()), bottom, top, self.y_scale)
        for value, words in y_axis.ticks():
            y = y_axis.place(value)
            canvas.line([(LEFT, y), (right_end, y)], FAINT, 1)
            canvas.text(LEFT - 8, y + 4, words, "end", MUTED, 12)
        for value, words in x_axis.ticks():
            x = x_axis.place(value)
            canvas.line([(x, bottom), (x, bottom + 5)], MUTED, 1)
            canvas.text(x, bottom + 19, words, "middle", MUTED, 12)
        canvas.line([(LEFT, bottom), (right_end, bottom)], MUTED, 1)
        canvas.text(LEFT + self.width / 2, bottom + 38, self.x_label, "middle", INK)
        canvas.text(LEFT, top - 12, self.y_label, "start", MUTED, 12)
        if self.mark is not None:
            canvas.line([(x_axis.place(self.mark), top), (x_axis.place(self.mark), bottom)], INK, 1.5, (4, 3))
        self._paint_lines(canvas, x_axis.place, lambda v: min(max(y_axis.place(v), top), bottom), bottom)

    def _counts(self):
        """Whether x counts something: layers, steps, tokens."""
        return not self.filled and bool((self.x % 1 == 0).all())

    def _paint_lines(self, canvas, x_place, y_place, bottom):
        ends, mark = [], None if self.mark is None else x_place(self.mark)
        for (name, y), colour, dash in zip(self.series.items(), style.SERIES, DASHES, strict=False):
            runs = self._runs(y, x_place, y_place)
            for run in runs:
                if self.filled:
                    self._paint_columns(canvas, run, colour, bottom)
                else:
                    self._paint_run(canvas, run, colour, dash, mark)
            if runs:
                ends.append((name, runs[-1][-1][1], colour))
        places = spread([y for _, y, _ in ends], 15, bottom)
        if self.filled:
            places = [self._top + 16 * k + 20 for k in range(len(ends))]
        for (name, _, colour), y in zip(ends, places, strict=True):
            canvas.text(LEFT + self.width + 8, y + 4, short(name), "start", colour, bold=True)

    def _runs(self, y, x_place, y_place):
        """The points of a line, cut where a value cannot be shown."""
        runs = [[]]
        for a, b in zip(self.x, y, strict=True):
            if self._shows(b):
                runs[-1].append((x_place(a), y_place(b)))
            else:
                runs.append([])
        return [run for run in runs if run]

    @staticmethod
    def _paint_run(canvas, run, colour, dash, mark):
        canvas.line(run, colour, 2.5, dash)
        if len(run) == 1:
            dot(canvas, *run[0], colour, 2)
        if mark is not None and run[0][0] <= mark <= run[-1][0]:
            dot(canvas, mark, float(np.interp(mark, *zip(*run, strict=True))), colour)

    def _paint_columns(self, canvas, points, colour, bottom):
        half = self.width / len(self.x) / 2
        outline = [(x + side, y) for x, y in points for side in (-half, half)]
        canvas.polygon([(outline[0][0], bottom), *outline, (outline[-1][0], bottom)], colour, 0.3)
        canvas.line(outline, colour, 1.5)

    def _shows(self, value):
        return np.isfinite(value) and (self.y_scale == "linear" or value > 0)

    def _x_range(self):
        beyond = (self.x[1] - self.x[0]) / 2 if self.filled else 0  # half a column
        return self.x[0] - beyond, self.x[-1] + beyond

    def _y_range(self):
        shown = [v for y in self.series.values() for v in y if self._shows(v)] or [1.0]
        low, high = min(shown), max(shown)
        if self.filled and self.y_scale == "linear":
            low = 0.0
        if low == high:
            room = max(0.5, abs(low) / 1000)
            return (low / 2, high * 2) if self.y_scale != "linear" else (low - room, high + room)
        return low, high
