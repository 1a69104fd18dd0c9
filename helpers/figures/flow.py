"""How the matrices of attention follow from one another."""

from dataclasses import dataclass

from .. import style
from ..views.canvas import FAINT, INK, MUTED, Drawing, arrow

UNIT = 7  # pixels for one entry of a matrix
SHEET = 4  # pixels from one head to the next behind it
# from, to, words on the way and where they stand, seen from the middle of the arrow
STEPS = (("X", "Q", "W_Q", -14, -4), ("X", "K", "W_K", -4, -7), ("X", "V", "W_V", -14, 14), ("Q", "S", "Q Kᵀ", 8, -14),
         ("K", "S", "", 0, 0), ("S", "A", "scale, mask, softmax", -4, -12), ("A", "O", "", 0, 0), ("V", "O", "A V", -4, 24),
         ("O", "O W_O", "W_O", -4, -7), ("O W_O", "X′", "+ X", -4, -7))
PLACES = {  # left edge and middle of each matrix, in pixels
    "X": (10, 195), "Q": (178, 70), "K": (178, 195), "V": (178, 320), "S": (300, 132), "A": (520, 132),
    "O": (660, 226), "O W_O": (750, 226), "X′": (900, 226)}
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
        return 1000, 400

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
        rows, columns = self.shapes[name][-2:]
        left, middle = PLACES[name]
        width, height = UNIT * columns, UNIT * rows
        return left, middle - height / 2, width, height

    def paint(self, canvas):
        """Arrows first, then the boxes with their names and shapes."""
        for start, end, words, right, down in STEPS:
            left, top, width, height = self._box(start)
            to_left, to_top, _, to_height = self._box(end)
            tail = (left + width + SHEET * self._behind(start) + 3, top + height / 2)
            tip = (to_left - 3, to_top + to_height / 2)
            arrow(canvas, tail, tip, MUTED, 1.5)
            anchor = "middle" if abs(right) < 8 else "start" if right > 0 else "end"
            canvas.text((tail[0] + tip[0]) / 2 + right, (tail[1] + tip[1]) / 2 + down, words, anchor, INK, 12)
        self._paint_residual(canvas)
        for name in self.shapes:
            left, top, width, height = self._box(name)
            colour = style.role_colour(name) or style.SERIES[-1]
            for back in range(SHEET * self._behind(name), 0, -SHEET):
                right, upper, lower = left + width + back, top - back, top + height - back
                canvas.line([(left + back, upper + SHEET), (left + back, upper), (right, upper), (right, lower),
                             (right - SHEET, lower)], colour, 1.5)
            canvas.rectangle(left, top, width, height, colour, 0.3)
            corners = [(left, top), (left + width, top), (left + width, top + height), (left, top + height), (left, top)]
            canvas.line(corners, colour, 1.5)
            middle = left + width / 2
            upper = top - SHEET * self._behind(name)
            canvas.text(middle, upper - 22, self._named(name), "middle", INK, 13, bold=True)
            canvas.text(middle, upper - 7, MEANINGS[name], "middle", MUTED, 12)

    def _paint_residual(self, canvas):
        left, top, width, height = self._box("X")
        end_left, end_top, end_width, end_height = self._box("X′")
        below, x = 385, end_left + end_width / 2
        canvas.line([(left + width / 2, top + height), (left + width / 2, below), (x, below)], FAINT, 3)
        arrow(canvas, (x, below), (x, end_top + end_height + 3), MUTED, 1.5)
        canvas.text((left + x) / 2, below - 6, "X itself goes round the attention and is added at the end", "middle", MUTED, 12)
