"""Where normalisation and dropout sit in a block."""

from dataclasses import dataclass

from .. import style
from ..views.canvas import INK, MUTED, Drawing, arrow


def normalisation():
    """Where normalisation and dropout sit around attention: after the sum (2017) or before attention (since GPT-2).

    Returns
    -------
    view

    Source: document §14; Vaswani et al. 2017, section 5.4 (post); Xiong et al. 2020 (pre against post).
    """
    return Lanes({"post-norm": ("x", "attention", "dropout", "+ x", "norm"),
                  "pre-norm": ("x", "norm", "attention", "dropout", "+ x")})


@dataclass(frozen=True)
class Lanes(Drawing):
    """Steps in a row for each way of building a block; a line carries x past them to the sum."""

    lanes: dict
    caption: str = "Pre-norm leaves a way on which x is only ever added to"

    BOX, STEP, LANE = 92, 132, 110

    @property
    def pixels(self):
        """Width and height."""
        return 100 + self.STEP * max(map(len, self.lanes.values())), self.LANE * len(self.lanes)

    def text(self):
        """The steps of each lane, numbered."""
        lines = [f"{name}: " + ", ".join(f"{n} {step}" for n, step in enumerate(steps)) for name, steps in self.lanes.items()]
        return "\n".join([self.title, *lines])

    def paint(self, canvas):
        """One lane below the other."""
        for number, (name, steps) in enumerate(self.lanes.items()):
            y = self.LANE * number + 40
            canvas.text(0, y + 5, name, "start", INK, 13, bold=True)
            lefts = [100 + self.STEP * k for k in range(len(steps))]
            for k, (left, step) in enumerate(zip(lefts, steps, strict=True)):
                colour = style.ROLES["output"] if step == "attention" else style.SERIES[-1]
                canvas.rectangle(left, y - 18, self.BOX, 36, colour, 0.3)
                canvas.text(left + self.BOX / 2, y + 5, step, "middle", INK, 13)
                if k:
                    arrow(canvas, (lefts[k - 1] + self.BOX + 3, y), (left - 3, y), MUTED, 1.5)
            start, end = lefts[0] + self.BOX / 2, lefts[steps.index("+ x")] + self.BOX / 2
            canvas.line([(start, y + 18), (start, y + 42), (end, y + 42)], MUTED, 1.5)
            arrow(canvas, (end, y + 42), (end, y + 21), MUTED, 1.5)
