"""From the outputs of several heads to one matrix."""

from dataclasses import dataclass

from .. import style
from ..views.canvas import INK, MUTED, Drawing


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

    UNIT, GAP = 11, 10  # pixels: an entry, and what lies between two heads

    @property
    def pixels(self):
        """Width and height."""
        wide, out = self.UNIT * self.H * self.d_v, self.UNIT * self.d_model
        return 274 + self.UNIT * self.d_v + wide + 2 * out, max(self._tall(), wide) + 70

    def _tall(self):
        return self.H * (self.UNIT * self.T + self.GAP) - self.GAP

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
        colours = style.SERIES[:4]
        u, height = self.UNIT, self.pixels[1]
        head_width, head_height = u * self.d_v, u * self.T
        x, middle = 90, height / 2
        top = middle - self._tall() / 2
        wide_left = x + head_width + 40
        for h in range(self.H):
            y, colour = top + h * (head_height + self.GAP), colours[h % 4]
            self._block(canvas, x, y, head_width, head_height, colour)
            canvas.text(x - 8, y + head_height / 2 + 4, f"head {h}", "end", INK, 12)
            left = wide_left + h * head_width
            self._block(canvas, left, middle - head_height / 2, head_width, head_height, colour)
            canvas.text(left + head_width / 2, middle + 4, str(h), "middle", INK, 12)
        canvas.text(x + head_width / 2, top - 8, f"({self.T}, {self.d_v})", "middle", MUTED, 12)
        wide = u * self.H * self.d_v
        self._name(canvas, wide_left + wide / 2, middle - head_height / 2, f"O_cat ({self.T}, {self.H * self.d_v})")
        w_left = wide_left + wide + 70
        canvas.text(w_left - 35, middle + 5, "@", "middle", INK, 16)
        out = u * self.d_model
        for h in range(self.H):
            y = middle - wide / 2 + h * head_width
            self._block(canvas, w_left, y, out, head_width, colours[h % 4])
            canvas.text(w_left + out / 2, y + head_width / 2 + 4, f"rows of head {h}", "middle", INK, 12)
        self._name(canvas, w_left + out / 2, middle - wide / 2, f"W_O ({self.H * self.d_v}, {self.d_model})")
        r_left = w_left + out + 70
        canvas.text(r_left - 35, middle + 5, "=", "middle", INK, 16)
        self._block(canvas, r_left, middle - head_height / 2, out, head_height, style.SERIES[-1])
        self._name(canvas, r_left + out / 2, middle - head_height / 2, f"result ({self.T}, {self.d_model})")

    def _block(self, canvas, x, y, width, height, colour):
        canvas.rectangle(x, y, width, height, colour, 0.3)
        canvas.line([(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)], colour, 1.5)

    def _name(self, canvas, x, top, words):
        canvas.text(x, top - 8, words, "middle", INK, 13, bold=True)
