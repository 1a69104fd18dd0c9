"""How the matrices of attention follow from one another."""

import math
from dataclasses import dataclass

from .. import style
from ..views.canvas import FAINT, INK, MUTED, Drawing, arrow, box

UNIT = 7  # pixels for one entry of a matrix
SHEET = 4  # pixels from one head to the next behind it
ABOVE, BELOW = -1, 1
RESIDUAL = 400  # pixels down to the line on which X goes round
# from, to, the words on the way, and on which side of the arrow they stand
STEPS = (("X", "Q", "W_Q", ABOVE), ("X", "K", "W_K", ABOVE), ("X", "V", "W_V", BELOW), ("Q", "S", "Q Kᵀ", ABOVE),
         ("K", "S", "", ABOVE), ("S", "A", "scale, mask, softmax", ABOVE), ("A", "O", "", ABOVE), ("V", "O", "A V", BELOW),
         ("O", "O W_O", "W_O", ABOVE), ("O W_O", "X′", "+ X", ABOVE))
PLACES = {  # left edge and middle of each matrix, in pixels
    "X": (10, 210), "Q": (192, 85), "K": (192, 210), "V": (192, 335), "S": (306, 147), "A": (516, 147),
    "O": (662, 241), "O W_O": (752, 241), "X′": (900, 241)}
MEANINGS = {"X": "one row per token", "Q": "what it seeks", "K": "its label", "V": "what it gives", "S": "scores",
            "A": "weights", "O": "mixed values", "O W_O": "the change", "X′": "changed rows"}


def flow(X, Q, K, V, S, A, O, update, X_new):
    """How the matrices of attention follow from one another, each drawn in its real shape.

    Parameters
    ----------
    X, Q, K, V, S, A, O, update, X_new : arrays
        The input, the three projections, scores, weights, output, O W_O, and X + O W_O. With several heads
        Q, K, V, S, A and O have the axis H in front, and the update is O_cat W_O.

    Returns
    -------
    view

    Source: document §24.
    """
    boxes = {"X": X, "Q": Q, "K": K, "V": V, "S": S, "A": A, "O": O, "O W_O": update, "X′": X_new}
    return Flow({name: M.shape for name, M in boxes.items()})


@dataclass(frozen=True)
class Flow(Drawing):
    """The matrices as rectangles in their proportions, with what leads from one to the next."""

    shapes: dict
    caption: str = "Only S and A set tokens against tokens; every other matrix has one row per token"

    @property
    def pixels(self):
        """Width and height."""
        return 1000, 415

    def text(self):
        """Each step with the shapes it joins."""
        lines = [f"{self._named(name)}: {MEANINGS[name]}" for name in self.shapes]
        return "\n".join([self.title, *lines])

    def spoken(self):
        """All matrices and their shapes in one sentence."""
        return f"{self.title}. " + ", ".join(map(self._named, self.shapes))

    def _named(self, name):
        """Q (9, 3); with heads O W_O is called O_cat W_O."""
        shown = "O_cat W_O" if name == "O W_O" and self._behind("O") else name
        return f"{shown} ({', '.join(map(str, self.shapes[name]))})"

    def _behind(self, name):
        """How many heads stand behind the first."""
        return self.shapes[name][0] - 1 if len(self.shapes[name]) == 3 else 0

    def _box(self, name):
        """Left, top, width and height of a matrix."""
        rows, columns = self.shapes[name][-2:]
        left, middle = PLACES[name]
        width, height = UNIT * columns, UNIT * rows
        return left, middle - height / 2, width, height

    def paint(self, canvas):
        """Arrows first, then the matrices with their names and shapes."""
        for start, end, words, side in STEPS:
            self._paint_step(canvas, start, end, words, side)
        self._paint_residual(canvas)
        for name in self.shapes:
            self._paint_matrix(canvas, name)

    def _paint_step(self, canvas, start, end, words, side):
        left, top, width, height = self._box(start)
        to_left, to_top, _, to_height = self._box(end)
        tail = left + width + SHEET * self._behind(start) + 3, top + height / 2
        tip = to_left - 3, to_top + to_height / 2
        arrow(canvas, tail, tip, MUTED, 1.5)
        x, y, anchor = _beside(tail, tip, side)
        canvas.text(x, y, words, anchor, INK, 12)

    def _paint_matrix(self, canvas, name):
        left, top, width, height = self._box(name)
        colour = style.role_colour(name) or style.SERIES[-1]
        for head in range(self._behind(name), 0, -1):
            _paint_sheet(canvas, left, top, width, height, SHEET * head, colour)
        box(canvas, left, top, width, height, colour)
        above = top - SHEET * self._behind(name)
        canvas.text(left, above - 22, self._named(name), "start", INK, 13, bold=True)
        canvas.text(left, above - 7, MEANINGS[name], "start", MUTED, 12)

    def _paint_residual(self, canvas):
        left, top, width, height = self._box("X")
        end_left, end_top, end_width, end_height = self._box("X′")
        start, end = left + width / 2, end_left + end_width / 2
        canvas.line([(start, top + height), (start, RESIDUAL), (end, RESIDUAL)], FAINT, 3)
        arrow(canvas, (end, RESIDUAL), (end, end_top + end_height + 3), MUTED, 1.5)
        canvas.text((start + end) / 2, RESIDUAL - 6, "X itself goes round the attention and is added at the end",
                    "middle", MUTED, 12)


def _beside(tail, tip, side):
    """Where words stand above or below the middle of an arrow that leads to the right: place and anchor."""
    across, down = tip[0] - tail[0], tip[1] - tail[1]
    length = math.hypot(across, down)
    right, below = -side * down / length, side * across / length  # away from the arrow, of length 1
    anchor = "middle" if abs(right) < 0.3 else "start" if right > 0 else "end"
    return (tail[0] + tip[0]) / 2 + 8 * right, (tail[1] + tip[1]) / 2 + 10 * below + 4 * (side == BELOW), anchor


def _paint_sheet(canvas, left, top, width, height, back, colour):
    """What is seen of a head that stands behind the first: its upper and right edge."""
    right, upper, lower = left + width + back, top - back, top + height - back
    canvas.line([(left + back, upper + SHEET), (left + back, upper), (right, upper), (right, lower), (right - SHEET, lower)],
                colour, 1.5)
