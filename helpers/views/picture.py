"""From views to one PNG. Needs matplotlib, so views import it when they are drawn."""

import io
import itertools
from functools import lru_cache

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from PIL import Image, ImageColor

from .. import style
from .labels import columns
from .view import DPI

PAGE_WIDTH = 14.5  # inches; views that do not fit side by side go below
GAP = 0.35  # inches between two views
PAD = 0.1  # inches around all


def picture(views):
    """Views side by side, wrapped to the width of a page: PNG bytes, width and height in CSS pixels."""
    lines = _lines(views)
    width = max(sum(view.size[0] for view in line) + GAP * (len(line) - 1) for line in lines)
    height = sum(max(view.size[1] for view in line) for line in lines) + GAP * (len(lines) - 1)
    figure = Figure(figsize=(width + 2 * PAD, height + 2 * PAD), facecolor="white")
    full = width + 2 * PAD, height + 2 * PAD
    top = height + PAD
    for line in lines:
        left = PAD
        for view in line:
            w, h = view.size
            view.draw(figure.add_axes((left / full[0], (top - h) / full[1], w / full[0], h / full[1])))
            left += w + GAP
        top -= max(view.size[1] for view in line) + GAP
    return _png(figure)


def _png(figure):
    """PNG bytes in 256 colours, a third of the size, and twice the pixels of the page; width and height in CSS pixels."""
    figure.set_dpi(2 * DPI)
    canvas, small = FigureCanvasAgg(figure), io.BytesIO()
    canvas.draw()
    image = Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3])
    _few_colours(image).save(small, "PNG")
    return small.getvalue(), image.width // 2, image.height // 2


def _few_colours(image):
    """The image in 256 colours: the most frequent, and those of the roles, of which a title has only few pixels."""
    roles = list(map(ImageColor.getrgb, style.ON_PAPER.values()))
    frequent = 256 - len(roles)
    few = image.quantize(frequent, dither=Image.Dither.NONE)
    pixels, places = np.asarray(image), np.array(few)
    for place, colour in enumerate(roles, start=frequent):
        places[(pixels == colour).all(axis=-1)] = place
    palette = few.getpalette()[: 3 * frequent]
    palette += [0] * (3 * frequent - len(palette))
    found = Image.fromarray(places)
    found.putpalette([*palette, *itertools.chain(*roles)])
    return found


def _lines(views):
    lines, used = [[]], 0.0
    for view in views:
        if lines[-1] and used + view.size[0] > PAGE_WIDTH:
            lines.append([])
            used = 0.0
        lines[-1].append(view)
        used += view.size[0] + GAP
    return lines


def label(ax, x, y, text, **options):
    """Write text on axes; a character that the font lacks becomes □, and $ is a plain character."""
    return ax.text(x, y, drawable(str(text)), parse_math=False, **options)


def heading(ax, y, view, size, inch=1):
    """Write a view's title, its symbol in the colour of its role; an inch is so many units of the axes."""
    colour = style.ON_PAPER.get(style.role_colour(view.symbol))
    symbol, words = (view.symbol, view.title.removeprefix(view.symbol).lstrip(" ")) if colour else ("", view.title)
    if symbol:
        label(ax, 0, y, symbol, fontsize=size, weight="bold", color=colour)
    if words:
        start = text_width(view.title, size) - text_width(words, size)
        label(ax, start * inch, y, words, fontsize=size, weight="bold")


def drawable(text):
    """The text with □ for each visible character that matplotlib's font lacks."""
    return "".join(c if ord(c) in _characters() else "□" * bool(columns(c)) for c in text)


def text_width(text, size, weight="bold"):
    """Width in inches of a text that `label` writes."""
    font = get_font(findfont(FontProperties(weight=weight)))
    font.set_size(size, DPI)
    font.set_text(drawable(text), 0)
    return font.get_width_height()[0] / 64 / DPI


@lru_cache
def _characters():
    return set(get_font(findfont(FontProperties())).get_charmap())
