"""From the outputs of several heads to one matrix."""

from dataclasses import dataclass

from .. import style
from ..views.canvas import INK, MUTED, Drawing, box


def concatenation(outputs, W_O):
    """How the outputs of several heads are set side by side and led back to the features by one matrix.

    Parameters
    ----------
    outputs : (H, T, d_v) array
        The output of each head.
    W_O : (H·d_v, d_model) array

    Returns
    -------
    view

    Raises
    ------
    ValueError
        When W_O has not H·d_v rows.

    Source: document §18.
    """
    (H, T, d_v), (rows, d_model) = outputs.shape, W_O.shape
    if rows != H * d_v:
        raise ValueError(f"concatenation: W_O needs H·d_v = {H * d_v} rows, got {rows} (outputs {outputs.shape})")
    return Concatenation(H, T, d_v, d_model)


@dataclass(frozen=True)
class Concatenation(Drawing):
    """H outputs become one wide matrix; each meets its own block of rows of W_O."""

    H: int
    T: int
    d_v: int
    d_model: int
    caption: str = "Side by side along the features: each head meets its own rows of W_O"

    UNIT = 11  # pixels of an entry
    GAP = 10  # between one head and the next
    LEFT, TO_WIDE, BESIDE, RIGHT, HEADROOM = 90, 40, 70, 4, 70  # before, between and after the matrices, and above

    @property
    def pixels(self):
        """Width and height."""
        _, _, _, result = self._lefts()
        return result + self.UNIT * self.d_model + self.RIGHT, max(self._stack(), self._wide()) + self.HEADROOM

    def _stack(self):
        """Height of the heads below one another."""
        return self.H * (self.UNIT * self.T + self.GAP) - self.GAP

    def _wide(self):
        """Width of the heads side by side."""
        return self.UNIT * self.H * self.d_v

    def _lefts(self):
        """Where the heads, the wide matrix, W_O and the result begin."""
        wide = self.LEFT + self.UNIT * self.d_v + self.TO_WIDE
        W_O = wide + self._wide() + self.BESIDE
        return self.LEFT, wide, W_O, W_O + self.UNIT * self.d_model + self.BESIDE

    def text(self):
        """The shapes on the way."""
        wide = self.H * self.d_v
        return "\n".join([self.title,
                          f"{self.H} heads, each O_h ({self.T}, {self.d_v})",
                          f"O_cat ({self.T}, {wide}): columns {self.d_v}h to {self.d_v}h + {self.d_v - 1} are head h",
                          f"W_O ({wide}, {self.d_model}): rows {self.d_v}h to {self.d_v}h + {self.d_v - 1} belong to head h",
                          f"result ({self.T}, {self.d_model})"])

    def paint(self, canvas):
        """The heads below one another, the wide matrix, W_O and the result."""
        middle = self.pixels[1] / 2
        heads, wide, W_O, result = self._lefts()
        across, tall, out = self.UNIT * self.d_v, self.UNIT * self.T, self.UNIT * self.d_model
        for h in range(self.H):
            colour = style.SERIES[h % 4]
            top, left = middle - self._stack() / 2 + h * (tall + self.GAP), wide + h * across
            row = middle - self._wide() / 2 + h * across
            box(canvas, heads, top, across, tall, colour)
            canvas.text(heads - 8, top + tall / 2 + 4, f"head {h}", "end", INK, 12)
            box(canvas, left, middle - tall / 2, across, tall, colour)
            canvas.text(left + across / 2, middle + 4, str(h), "middle", INK, 12)
            box(canvas, W_O, row, out, across, colour)
            canvas.text(W_O + out / 2, row + across / 2 + 4, f"rows of head {h}", "middle", INK, 12)
        box(canvas, result, middle - tall / 2, out, tall, style.SERIES[-1])
        self._paint_words(canvas, middle)

    def _paint_words(self, canvas, middle):
        """Names and shapes above the matrices, and what stands between them."""
        heads, wide, W_O, result = self._lefts()
        tall, out, rows = self.UNIT * self.T, self.UNIT * self.d_model, self.H * self.d_v
        shape = f"({self.T}, {self.d_v})"
        canvas.text(heads + self.UNIT * self.d_v / 2, middle - self._stack() / 2 - 8, shape, "middle", MUTED, 12)
        names = [(wide + self._wide() / 2, tall, f"O_cat ({self.T}, {rows})"),
                 (W_O + out / 2, self._wide(), f"W_O ({rows}, {self.d_model})"),
                 (result + out / 2, tall, f"result ({self.T}, {self.d_model})")]
        for x, height, words in names:
            canvas.text(x, middle - height / 2 - 8, words, "middle", INK, 13, bold=True)
        for left, sign in ((W_O, "@"), (result, "=")):
            canvas.text(left - self.BESIDE / 2, middle + 5, sign, "middle", INK, 16)
