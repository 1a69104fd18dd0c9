"""One drawing, two surfaces: the same calls give an SVG string or matplotlib artists.

Coordinates are CSS pixels, y downwards. Colours are "#rrggbb" or one of INK, MUTED, FAINT,
which follow the theme where there is one.
"""

import html
import math
from itertools import pairwise

from matplotlib.lines import Line2D
from matplotlib.patches import Polygon, Rectangle

from .labels import columns
from .picture import DPI, View, drawable, label, text_width

INK, MUTED, FAINT = "ink", "muted", "faint"
_SVG_COLOURS = {INK: "currentColor", MUTED: "var(--jp-content-font-color2,#666)", FAINT: "#88888855"}
_PNG_COLOURS = {INK: "black", MUTED: "#555555", FAINT: "#dddddd"}
_ALIGN = {"start": "left", "middle": "center", "end": "right"}
TITLE_HEIGHT = 28


class Drawing(View):
    """A view that paints itself on a canvas of ``pixels`` (width, height)."""

    @property
    def size(self):
        """Width and height in inches, title included."""
        width, height = self.pixels
        return max(width / DPI, text_width(self.title, 13)), (height + TITLE_HEIGHT) / DPI

    def html(self):
        """One inline SVG under its caption."""
        canvas = SvgCanvas()
        self.paint(canvas)
        width, height = self.pixels
        return (f'<figure class="attn-figure"><figcaption>{html.escape(self.title)}</figcaption>'
                f'<svg role="img" aria-label="{html.escape(self.spoken(), quote=True)}" width="{width}" '
                f'height="{height}" viewBox="0 0 {width} {height}">{"".join(canvas.parts)}</svg></figure>')

    def draw(self, ax):
        """The same drawing on matplotlib axes that cover ``size``."""
        width, height = self.size
        ax.set(xlim=(0, width * DPI), ylim=(height * DPI - TITLE_HEIGHT, -TITLE_HEIGHT))
        ax.axis("off")
        label(ax, 0, 13 - TITLE_HEIGHT, self.title, fontsize=13, weight="bold")
        self.paint(AxesCanvas(ax))


class SvgCanvas:
    """Collects SVG elements in ``parts``."""

    def __init__(self):
        self.parts = []

    def rectangle(self, x, y, width, height, colour, opacity=1.0):
        """A filled rectangle."""
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height:.1f}" '
                          f'fill="{_SVG_COLOURS.get(colour, colour)}" fill-opacity="{opacity}"/>')

    def line(self, points, colour=INK, width=2, dash=()):
        """A line through points."""
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashes = f' stroke-dasharray="{" ".join(map(str, dash))}"' if dash else ""
        self.parts.append(f'<polyline points="{way}" fill="none" stroke="{_SVG_COLOURS.get(colour, colour)}" '
                          f'stroke-width="{width}"{dashes}/>')

    def polygon(self, points, colour, opacity=1.0):
        """A filled polygon."""
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polygon points="{way}" fill="{_SVG_COLOURS.get(colour, colour)}" '
                          f'fill-opacity="{opacity}"/>')

    def text(self, x, y, words, anchor="start", colour=INK, size=13, bold=False):
        """Words with their baseline at y."""
        weight = ' font-weight="600"' if bold else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{weight} '
                          f'fill="{_SVG_COLOURS.get(colour, colour)}">{html.escape(str(words))}</text>')


class AxesCanvas:
    """Adds matplotlib artists to axes in pixel coordinates; what comes later lies on top."""

    def __init__(self, ax):
        self.ax = ax

    def _look(self, colour):
        return {"color": _PNG_COLOURS.get(colour, colour), "zorder": 2 + len(self.ax.get_children())}

    def rectangle(self, x, y, width, height, colour, opacity=1.0):
        """A filled rectangle."""
        self.ax.add_patch(Rectangle((x, y), width, height, alpha=opacity, linewidth=0, **self._look(colour)))

    def line(self, points, colour=INK, width=2, dash=()):
        """A line through points."""
        x, y = zip(*points, strict=True)
        style = (0, tuple(step / width for step in dash)) if dash else "-"
        self.ax.add_line(Line2D(x, y, linewidth=width, linestyle=style, **self._look(colour)))

    def polygon(self, points, colour, opacity=1.0):
        """A filled polygon."""
        self.ax.add_patch(Polygon(list(points), alpha=opacity, linewidth=0, **self._look(colour)))

    def text(self, x, y, words, anchor="start", colour=INK, size=13, bold=False):
        """Words with their baseline at y."""
        self.ax.text(x, y, drawable(str(words)), ha=_ALIGN[anchor], va="baseline", parse_math=False, fontsize=size - 1,
                     weight="bold" if bold else "normal", **self._look(colour))


def text_box(x, y, words, anchor, size):
    """About where a text stands: left, top, right, bottom."""
    width = 0.58 * size * columns(words)
    left = x - width * {"start": 0, "middle": 0.5, "end": 1}[anchor]
    return left, y - size, left + width, y + 0.2 * size


def dot(canvas, x, y, colour, radius=4):
    """A round dot: a polygon of 16 corners, the same on both surfaces."""
    canvas.polygon([(x + radius * math.cos(a), y + radius * math.sin(a))
                    for a in (k * math.pi / 8 for k in range(16))], colour)


def arrow(canvas, tail, tip, colour, width=2.5):
    """An arrow; one that is too short for a head is a dot."""
    (x0, y0), (x1, y1) = tail, tip
    length = math.hypot(x1 - x0, y1 - y0)
    if length < 4:
        return dot(canvas, x1, y1, colour)
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    head = min(10.0, length)
    x, y = x1 - head * ux, y1 - head * uy
    canvas.line([(x0, y0), (x, y)], colour, width)
    canvas.polygon([(x1, y1), (x - 0.45 * head * uy, y + 0.45 * head * ux), (x + 0.45 * head * uy, y - 0.45 * head * ux)],
                   colour)


def spread(places, gap, last):
    """Places moved apart, in their order, until each is at least a gap from the next and none is beyond the last."""
    order = sorted(range(len(places)), key=places.__getitem__)
    moved = list(places)
    for before, after in pairwise(order):
        moved[after] = max(moved[after], moved[before] + gap)
    for i in reversed(order):
        moved[i] = min(moved[i], last)
        last = moved[i] - gap
    return moved
