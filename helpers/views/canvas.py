"""One drawing, two surfaces: the same calls give an SVG string or matplotlib artists.

Coordinates are CSS pixels, y downwards. Colours are "#rrggbb" or one of INK, MUTED, FAINT,
which follow the theme where there is one.
"""

import html
import math
from itertools import pairwise

from .. import style
from .labels import columns, formula_html, subscripts
from .view import View

INK, MUTED, FAINT = "ink", "muted", "faint"
SIZE = 13  # pixels of most words; a page with larger words shows a larger drawing
SMALLEST = 0.85  # a drawing becomes no smaller than this where there is little room
_CLEAR = ' stroke="var(--jp-layout-color1,#fff)" stroke-width="4" stroke-linejoin="round" paint-order="stroke"'
_SVG_COLOURS = {INK: "currentColor", MUTED: "var(--jp-content-font-color2,#666)", FAINT: "#88888855",
                **{colour: style.themed(colour) for colour in style.SERIES}}
# A subscript, and an empty piece that leads back to the line: every browser knows dy.
_LOWERED = '<tspan dy=".28em" font-size="75%">{}</tspan><tspan dy="-.21em">\u200b</tspan>'


class Drawing(View):
    """A view that paints itself on a canvas of ``pixels`` (width, height)."""

    symbol = ""  # in front of the title, if it has one

    @property
    def title(self):
        """The line above the drawing."""
        return self.caption

    def title_html(self):
        """The title as HTML."""
        return formula_html(self.title)

    def key_html(self):
        """What is named beside the drawing, for screens on which that is out of sight; most drawings have no need of it."""
        return ""

    def spoken(self):
        """What the drawing says to those who do not see it, in one line."""
        return self.text().replace("\n", ". ")

    def html(self):
        """One inline SVG under its title."""
        canvas = SvgCanvas()
        self.paint(canvas)
        width, height = self.pixels
        return (f'<figure class="attn-figure" style="min-width:{SMALLEST * width / SIZE:.2f}em">'
                f'<figcaption>{self.title_html()}</figcaption>{self.key_html()}'
                f'<svg role="img" aria-label="{html.escape(self.spoken(), quote=True)}" width="{width / SIZE:.3f}em" '
                f'height="{height / SIZE:.3f}em" '
                f'viewBox="0 0 {width} {height}">{"".join(canvas.parts)}</svg></figure>')

    def page_html(self):
        """The drawing, and its text for pages that take drawings out, as JupyterLab does in notebooks it does not trust."""
        return (f'<div class="attn-drawn" hidden="hidden">{self.html()}</div>'
                f'<pre class="attn-text">{html.escape(self.text())}</pre>')

    @property
    def size(self):
        """Width and height of the picture in inches, title included."""
        from .axes_canvas import size

        return size(self)

    def draw(self, ax):
        """The same drawing on matplotlib axes that cover ``size``."""
        from .axes_canvas import draw

        draw(self, ax)


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

    def text(self, x, y, words, anchor="start", colour=INK, size=13, bold=False, clear=False):
        """Words with their baseline at y, W_Q and d_k with subscripts; clear ones part the lines behind them."""
        parts = [html.escape(letters) + (_LOWERED.format(index) if index else "") for letters, index in subscripts(words)]
        look = (' font-weight="600"' if bold else "") + (_CLEAR if clear else "")
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{look} '
                          f'fill="{_SVG_COLOURS.get(colour, colour)}">{"".join(parts)}</text>')


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


def box(canvas, left, top, width, height, colour):
    """A filled rectangle with an outline."""
    right, bottom = left + width, top + height
    canvas.rectangle(left, top, width, height, colour, 0.3)
    canvas.line([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], colour, 1.5)


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
