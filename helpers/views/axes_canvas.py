"""The canvas of a PNG: the calls of `SvgCanvas` as matplotlib artists."""

from matplotlib.lines import Line2D
from matplotlib.patches import Polygon, Rectangle
from matplotlib.patheffects import withStroke

from .. import style
from .canvas import FAINT, INK, MUTED
from .picture import drawable, heading, text_width
from .view import DPI

COLOURS = {**style.ON_PAPER, INK: "black", MUTED: "#555555", FAINT: "#dddddd"}
ALIGN = {"start": "left", "middle": "center", "end": "right"}
TITLE_HEIGHT, TITLE_SIZE = 28, 13
CLEAR = withStroke(linewidth=4, foreground="white")


def size(drawing):
    """Width and height of a drawing in inches, title included."""
    width, height = drawing.pixels
    return max(width / DPI, text_width(drawing.title, TITLE_SIZE)), (height + TITLE_HEIGHT) / DPI


def draw(drawing, ax):
    """A drawing and its title on axes that cover its size."""
    width, height = size(drawing)
    ax.set(xlim=(0, width * DPI), ylim=(height * DPI - TITLE_HEIGHT, -TITLE_HEIGHT))
    ax.axis("off")
    heading(ax, TITLE_SIZE - TITLE_HEIGHT, drawing, TITLE_SIZE, inch=DPI)
    drawing.paint(AxesCanvas(ax))


class AxesCanvas:
    """Adds matplotlib artists to axes in pixel coordinates; what comes later lies on top."""

    def __init__(self, ax):
        self.ax = ax

    def _look(self, colour):
        return {"color": COLOURS.get(colour, colour), "zorder": 2 + len(self.ax.get_children())}

    def rectangle(self, x, y, width, height, colour, opacity=1.0):
        """A filled rectangle."""
        self.ax.add_artist(Rectangle((x, y), width, height, alpha=opacity, linewidth=0, **self._look(colour)))

    def line(self, points, colour=INK, width=2, dash=()):
        """A line through points."""
        x, y = zip(*points, strict=True)
        dashes = (0, tuple(step / width for step in dash)) if dash else "-"
        self.ax.add_artist(Line2D(x, y, linewidth=width, linestyle=dashes, **self._look(colour)))

    def polygon(self, points, colour, opacity=1.0):
        """A filled polygon."""
        self.ax.add_artist(Polygon(list(points), alpha=opacity, linewidth=0, **self._look(colour)))

    def text(self, x, y, words, anchor="start", colour=INK, size=13, bold=False, clear=False):
        """Words with their baseline at y; clear ones part the lines behind them."""
        self.ax.text(x, y, drawable(words), ha=ALIGN[anchor], va="baseline", parse_math=False, fontsize=size - 1,
                     weight="bold" if bold else "normal", path_effects=[CLEAR] if clear else [], **self._look(colour))
