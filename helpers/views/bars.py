"""Numbers as horizontal bars, each with its label and value."""

from dataclasses import KW_ONLY, dataclass

import numpy as np

from .. import style
from .canvas import MUTED, Drawing
from .checks import check_decimals, check_index, check_labels, check_limits, check_numbers, check_pixels, check_text
from .labels import columns, formula_html, right, short, symbol_html

ROW, BAR = 24, 16  # pixels


@dataclass(frozen=True, eq=False)
class Bars(Drawing):
    """Horizontal bars from a common zero.

    Parameters
    ----------
    values : (N,) array
        One number for each bar; −∞ and NaN get no bar but are written.
    labels : sequence of str, optional
        Names of the bars; indices by default.
    caption : str
        What there is to see.
    symbol : str, optional
        Name in the formulas; q, k, v and o bring their colour.
    limits : (float, float), optional
        Values at the left and right end, to compare several pictures.
    highlight : int, optional
        Index of a bar that is marked.
    decimals : int
        Digits after the point.
    width : int
        Pixels for the bars.

    Raises
    ------
    TypeError, ValueError
        When the values are not numbers in one axis, or labels or highlight do not fit them.
    """

    values: np.ndarray
    labels: list | None = None
    _: KW_ONLY
    caption: str = ""
    symbol: str = ""
    limits: tuple | None = None
    highlight: int | None = None
    decimals: int = 2
    width: int = 170

    def __post_init__(self):
        values = check_numbers("Bars", "values", self.values)
        if values.ndim != 1:
            raise ValueError(f"Bars: values needs one axis, got shape {values.shape}")
        check_text("Bars", caption=self.caption, symbol=self.symbol)
        self._set(values=values, labels=check_labels("Bars", "labels", self.labels, len(values)),
                  limits=check_limits("Bars", self.limits),
                  highlight=check_index("Bars", "highlight", self.highlight, len(values)),
                  decimals=check_decimals("Bars", self.decimals), width=check_pixels("Bars", "width", self.width))

    @property
    def title(self):
        """Symbol and caption in one line."""
        return ": ".join(filter(None, [self.symbol, self.caption]))

    def title_html(self):
        """Symbol in its colour, and caption."""
        return ": ".join(filter(None, [symbol_html(self.symbol), formula_html(self.caption)]))

    def text(self):
        """One line for each bar; the marked one has a ▸."""
        names = [short(name) for name in self.labels]
        numbers = [style.number(value, self.decimals) for value in self.values]
        first, second = (max(map(columns, column), default=0) for column in (names, numbers))
        marks = ["▸" if i == self.highlight else " " for i in range(len(names))]
        lines = [f"{mark} {right(name, first)}  {right(n, second)}"
                 for mark, name, n in zip(marks, names, numbers, strict=True)]
        return "\n".join([self.title, *lines])

    def spoken(self):
        """Caption and numbers in one sentence, for screen readers."""
        pairs = (f"{name} {style.number(v, self.decimals, '−')}" for name, v in zip(self.labels, self.values, strict=True))
        return f"{self.title}. {', '.join(pairs)}"

    @property
    def pixels(self):
        """Width and height."""
        return self._left() + self.width + 2 * self._value_width(), ROW * len(self.values) + 6

    def _left(self):
        return round(8 * max((columns(short(name)) for name in self.labels), default=0)) + 14

    def _value_width(self):
        return 8 * max([5, *(len(style.number(value, self.decimals)) for value in self.values)]) + 12

    def _limits(self):
        finite = self.values[np.isfinite(self.values)]
        low, high = self.limits or (min(finite.min(initial=0), 0), max(finite.max(initial=0), 0))
        return low, high if high > low else low + 1

    def paint(self, canvas):
        """Label, bar and value, one row below the other."""
        low, high = self._limits()
        names_end = self._left()
        left = names_end + (self._value_width() if low < 0 else 0)
        place = lambda value: left + self.width * (min(max(value, low), high) - low) / (high - low)  # noqa: E731
        colour = style.role_colour(self.symbol) or style.SERIES[0]
        for i, (name, value) in enumerate(zip(self.labels, self.values.tolist(), strict=True)):
            y, marked = ROW * i + 3, i == self.highlight
            faded = 1.0 if marked or self.highlight is None else 0.6
            canvas.text(names_end - 10, y + BAR - 3, short(name), "end", bold=marked)
            end = place(value) if np.isfinite(value) else place(0)
            canvas.rectangle(min(end, place(0)), y, abs(end - place(0)), BAR, colour, faded)
            side, anchor = (-6, "end") if value < 0 and low < 0 else (6, "start")
            canvas.text(end + side, y + BAR - 3, style.number(value, self.decimals, "−"), anchor, bold=marked)
        canvas.line([(place(0), 0), (place(0), ROW * len(self.values))], MUTED, 1)
