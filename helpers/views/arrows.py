"""Vectors and points in the plane."""

import itertools
from dataclasses import KW_ONLY, dataclass
from functools import cached_property

import numpy as np

from .. import style
from .canvas import FAINT, INK, MUTED, Drawing, arrow, dot, text_box
from .checks import (
    check_axes,
    check_decimals,
    check_flag,
    check_index,
    check_indices,
    check_labels,
    check_number,
    check_numbers,
    check_pair,
    check_pixels,
    check_text,
)
from .labels import columns, right, short

SIDE, TOP, BOTTOM = 74, 56, 40  # pixels around the plane, for labels
NAME_SIZE, LINE = 12, 14  # pixels of a name, and from one to the next


@dataclass(frozen=True, eq=False)
class Arrows(Drawing):
    """Arrows from the origin (or from given tails) to points of the plane.

    Parameters
    ----------
    tips : (N, 2) array
        Where the arrows end.
    labels : sequence of str, optional
        One name for each arrow; indices by default. Equal arrows share a place: their names are joined.
    caption : str
        What there is to see.
    symbols : sequence of str, optional
        One symbol for each arrow; q, k, v and o bring their colour.
    tails : (N, 2) array, optional
        Where the arrows start; the origin by default.
    points : bool
        Draw dots instead of arrows.
    axes : (str, str)
        What the horizontal and the vertical coordinate mean.
    limit : float, optional
        Largest distance from the centre shown along an axis, to compare several pictures.
    centre : (float, float)
        The middle of the plane; the axes go through the origin, or stay at the edge nearest to it.
    highlight : int, optional
        Index of an arrow whose name is marked.
    hull : tuple of int
        Indices of the tips whose convex hull is shaded, if any.
    width : int
        Pixels of the square plane.

    Raises
    ------
    TypeError, ValueError
        When tips or tails are not (N, 2), not finite, or labels, symbols, highlight and hull do not fit them.
    """

    tips: np.ndarray
    labels: list | None = None
    _: KW_ONLY
    caption: str = ""
    symbols: list | None = None
    tails: np.ndarray | None = None
    points: bool = False
    axes: tuple = ("x", "y")
    limit: float | None = None
    centre: tuple = (0.0, 0.0)
    highlight: int | None = None
    hull: tuple = ()
    decimals: int = 2
    width: int = 240

    def __post_init__(self):
        tips = check_numbers("Arrows", "tips", self.tips)
        tails = np.zeros_like(tips) if self.tails is None else check_numbers("Arrows", "tails", self.tails)
        for name, points in (("tips", tips), ("tails", tails)):
            if points.ndim != 2 or points.shape != (len(tips), 2):
                raise ValueError(f"Arrows: {name} needs shape ({len(np.atleast_1d(tips))}, 2), got shape {points.shape}")
            if not np.isfinite(points).all():
                raise ValueError(f"Arrows: {name} needs finite numbers, got NaN or ∞")
        check_text("Arrows", caption=self.caption)
        check_flag("Arrows", "points", self.points)
        symbols = [""] * len(tips) if self.symbols is None else self.symbols
        self._set(tips=tips, tails=tails, labels=check_labels("Arrows", "labels", self.labels, len(tips)),
                  symbols=check_labels("Arrows", "symbols", symbols, len(tips)), axes=check_axes("Arrows", self.axes),
                  limit=check_number("Arrows", "limit", self.limit, least=0),
                  centre=check_pair("Arrows", "centre", self.centre), hull=check_indices("Arrows", "hull", self.hull, len(tips)),
                  highlight=check_index("Arrows", "highlight", self.highlight, len(tips)),
                  decimals=check_decimals("Arrows", self.decimals), width=check_pixels("Arrows", "width", self.width))

    def text(self):
        """One line for each arrow: name, coordinates (and where it starts, if not at the origin)."""
        names = [short(name) for name in self.labels]
        first = max(map(columns, names), default=0)
        lines = [f"{'▸' if i == self.highlight else ' '} {right(name, first)}  {self._pair(self.tips[i])}"
                 + (f" from {self._pair(self.tails[i])}" if self.tails.any() else "") for i, name in enumerate(names)]
        if self.hull:
            lines.append("shaded: the hull of " + ", ".join(names[i] for i in self.hull))
        return "\n".join([f"{self.title} ({self.axes[0]}, {self.axes[1]})", *lines])

    def spoken(self):
        """Caption, names and coordinates in one sentence."""
        return f"{self.title}. " + ", ".join(f"{name} {self._pair(tip)}"
                                             for name, tip in zip(self.labels, self.tips, strict=True))

    def _pair(self, point):
        return f"({style.number(point[0], self.decimals)}, {style.number(point[1], self.decimals)})"

    @property
    def pixels(self):
        """Width and height."""
        return self.width + 2 * SIDE, TOP + self.width + BOTTOM

    def paint(self, canvas):
        """Axes, arrows (or dots), and their names beyond the tips."""
        names = self._paint_axes(canvas)
        if self.hull:
            corners = [self._place(corner) for corner in outline(self.tips[list(self.hull)])]
            canvas.polygon(corners, MUTED, 0.12)
            canvas.line([*corners, *corners[:1]], MUTED, 1)
        for tail, tip, symbol in zip(self.tails, self.tips, self.symbols, strict=True):
            colour = style.role_colour(symbol) or style.SERIES[-1]
            if self.points:
                dot(canvas, *self._place(tip), colour, 5)
            else:
                arrow(canvas, self._place(tail), self._place(tip), colour)
        self._paint_names(canvas, [text_box(*name, NAME_SIZE) for name in names])

    @cached_property
    def _reach(self):
        """The largest distance from the centre that is shown."""
        return 1.1 * (self.limit or np.abs(np.array([self.tips, self.tails]) - self.centre).max(initial=0) or 1)

    @property
    def _middle(self):
        return np.array([SIDE, TOP]) + self.width / 2

    def _place(self, point):
        """The pixels of a point; one beyond the reach stands at the edge, in its direction."""
        away = np.subtract(point, self.centre)
        return self._middle + self.width / 2 * away * [1, -1] / max(self._reach, *np.abs(away))

    def _paint_axes(self, canvas):
        (start, top), (end, bottom) = self._middle - self.width / 2, self._middle + self.width / 2
        edge = np.clip(self.centre, -self._reach, self._reach) / self._reach
        x, y = self._middle + self.width / 2 * edge * [-1, 1]
        canvas.line([(start, y), (end, y)], FAINT, 1)
        canvas.line([(x, top), (x, bottom)], FAINT, 1)
        names = (end + 40, y + 4, short(self.axes[0]), "start"), (x, top - 40, short(self.axes[1]), "middle")
        for name in names:
            canvas.text(*name, MUTED, NAME_SIZE)
        return names

    def _paint_names(self, canvas, taken):
        """Each name beyond its tip, where nothing stands yet."""
        for tip, members in self._groups():
            right_of, below = self._outwards(tip)
            words = self._shared_name(members)
            anchor = "middle" if abs(right_of) < 0.35 else "start" if right_of > 0 else "end"
            x, y = self._place(tip) + np.array([12 * right_of, 12 * below + 4])
            y = _free_height(x, y, words, anchor, taken, LINE if below > 0 else -LINE)
            taken.append(text_box(x, y, words, anchor, NAME_SIZE))
            colour = style.role_colour(self.symbols[members[0]]) or INK
            canvas.text(x, y, words, anchor, colour, NAME_SIZE, bold=self.highlight in members, clear=True)

    def _outwards(self, tip):
        """The direction from the centre to a tip on the page, of length 1; a tip at the centre is named above."""
        across, up = np.subtract(tip, self.centre)
        length = np.hypot(across, up)
        return (across / length, -up / length) if length else (0.6, -0.8)

    def _shared_name(self, members):
        """The names of arrows with the same tip: at most two, and how many more."""
        more = f" +{len(members) - 2}" if members[2:] else ""
        return ", ".join(short(self.labels[i]) for i in members[:2]) + more

    def _groups(self):
        groups = {}
        for i, tip in enumerate(self.tips):
            groups.setdefault(tuple(tip.round(6) + 0.0), []).append(i)
        return groups.items()


def outline(points):
    """Corners of the convex hull in their order around it (Andrew's monotone chain)."""
    points = sorted(set(map(tuple, points.tolist())))

    def half(way):
        corners = []
        for point in way:
            while len(corners) > 1 and _turn(*corners[-2:], point) <= 0:
                corners.pop()
            corners.append(point)
        return corners[:-1]

    return half(points) + half(points[::-1]) or points


def _turn(a, b, c):
    """Positive where the way from a over b to c turns left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _free_height(x, y, words, anchor, taken, step):
    """The height nearest to y at which the words touch nothing taken, tried by steps to both sides."""
    for number in itertools.count():
        for height in (y + number * step, y - number * step):
            if not _touches(text_box(x, height, words, anchor, NAME_SIZE), taken):
                return height


def _touches(box, others):
    return any(box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3] for other in others)
