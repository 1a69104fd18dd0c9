"""The picture of a class: who is where in which exercise, and the mistakes to discuss."""

import io
import textwrap

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from helpers.views.picture import label

KINDS = {    # of a cell: its colour (Okabe and Ito), and its mark, so that nothing is told by colour alone
    "right": ("#009E73", "✓"), "mistake": ("#E69F00", "!"), "factor": ("#E69F00", "×"), "stopped": ("#D55E00", "■"),
    "other": ("#CC79A7", "?"), "not yet": ("#E6E6E6", "·"),
}
MEANING = {"right": "right", "mistake": "a usual mistake", "factor": "right up to a factor", "stopped": "an error",
           "other": "other numbers", "not yet": "not yet tried"}
ROW, COLUMN, NAMES, LINE, HEADS = 0.26, 0.62, 2.2, 0.2, 1.15    # inches
CHARACTERS = 14    # on an inch of a line


def draw(learners, exercises, mistakes, names):
    """PNG bytes: a row for each learner, a column for each exercise, the mistakes below.

    learners : {learner: {exercise: Work}};  exercises : {exercise: …}, the columns
    mistakes : (stuck, met, exercise, text), as `summary.frequent` gives them;  names : {exercise: what it is called}
    """
    width = max(NAMES + COLUMN * len(exercises) + 0.6, 9)
    texts = [wrapped(number, row, names, width) for number, row in enumerate(mistakes, start=1)]
    top, bottom = HEADS + 0.1, HEADS + 0.3 + ROW * len(learners)
    height = bottom + 0.8 + LINE * sum(len(text) + 0.4 for text in texts)
    figure = Figure(figsize=(width, height), facecolor="white")
    ax = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    ax.axis("off")
    for column, exercise in enumerate(exercises):
        ax.text(NAMES + COLUMN * (column + 0.3), HEADS, names[exercise], rotation=35, fontsize=8, va="bottom")
    for row, (name, works) in enumerate(learners.items()):
        label(ax, NAMES - 0.1, top + ROW * (row + 0.5), textwrap.shorten(name, 34, placeholder="…"), ha="right", va="center",
              fontsize=8)
        for column, exercise in enumerate(exercises):
            if exercise in works:
                cell(ax, NAMES + COLUMN * column, top + ROW * row, works[exercise])
    legend(ax, bottom, width)
    listed(ax, texts, bottom + 0.5)
    return png(figure)


def wrapped(number, row, names, width):
    """The lines of one mistake."""
    stuck, met, exercise, text = row
    head = f"{number}. {names[exercise]}: met by {met}, {stuck} not yet beyond it."
    return textwrap.wrap(f"{head} {text}", int(CHARACTERS * (width - 0.6)))


def cell(ax, left, top, work):
    """One learner in one exercise: a mark, and the number of tries."""
    colour, mark = KINDS[work.verdict]
    ax.add_patch(Rectangle((left, top), COLUMN - 0.06, ROW - 0.04, color=colour, lw=0))
    ax.text(left + COLUMN / 2 - 0.03, top + ROW / 2 - 0.02, f"{mark} {work.tries or ''}", ha="center", va="center", fontsize=8)


def legend(ax, top, width):
    """What the marks mean."""
    step = (width - 0.3) / len(KINDS)
    for place, (kind, (colour, mark)) in enumerate(KINDS.items()):
        ax.add_patch(Rectangle((0.3 + step * place, top), 0.22, 0.2, color=colour, lw=0))
        ax.text(0.41 + step * place, top + 0.1, mark, ha="center", va="center", fontsize=8)
        ax.text(0.57 + step * place, top + 0.1, MEANING[kind], va="center", fontsize=8)


def listed(ax, texts, top):
    """The mistakes, below one another."""
    ax.text(0.3, top, "To discuss, most urgent first" if texts else "No usual mistake was named", fontsize=9, weight="bold")
    for text in texts:
        for line in text:
            top += LINE
            label(ax, 0.3, top, line, fontsize=8)
        top += 0.4 * LINE


def png(figure):
    """PNG bytes of a figure."""
    file = io.BytesIO()
    figure.set_dpi(150)
    FigureCanvasAgg(figure).print_png(file)
    return file.getvalue()
