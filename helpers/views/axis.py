"""An axis of a plot: where a value stands, and which values are named."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

SCALES = {"linear": lambda v: v, "log2": np.log2, "log10": np.log10}
BASES = {"log2": 2, "log10": 10}
MOST, TINY = 6, 1e-300  # steps between two named values at the most; the smallest step
STEPS = (1, 2, 2.5, 5, 10)
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Axis:
    """Values from ``low`` to ``high`` on pixels from ``start`` to ``end``; ``whole`` names whole numbers only."""

    low: float
    high: float
    start: float
    end: float
    scale: str = "linear"
    whole: bool = False

    def place(self, value):
        """The pixel of a value."""
        low, high = self._ends
        return self.start + (self.end - self.start) * (float(SCALES[self.scale](value)) - low) / (high - low)

    @cached_property
    def _ends(self):
        return tuple(float(SCALES[self.scale](value)) for value in (self.low, self.high))

    def ticks(self):
        """The named values: pairs of a value and its words, none twice."""
        values = self._linear() if self.scale == "linear" else self._powers()
        words = {}
        for value in values:
            words.setdefault(self._words(value), value)
        return [(value, text) for text, value in words.items()]

    def _linear(self):
        """Multiples of a round step."""
        span = self.high - self.low
        size = 10.0 ** math.floor(math.log10(max(span / MOST, TINY)))
        steps = [size * step for step in STEPS if not self.whole or (size * step) % 1 == 0] or [1.0]
        step = next((step for step in steps if span / step <= MOST), steps[-1])
        slack = 1e-9 * span
        first, last = math.ceil((self.low - slack) / step), math.floor((self.high + slack) / step)
        return [step * k for k in range(first, last + 1)]

    def _powers(self):
        base = BASES[self.scale]
        low, high = self._ends
        powers = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
        return [float(base) ** power for power in powers[:: max(1, math.ceil(len(powers) / MOST))]]

    def _words(self, value):
        if 1e-4 <= abs(value) < 1e5 or value == 0:
            return f"{value:,.6g}".replace("-", "−")
        if self.scale == "log2":
            return "2" + str(round(math.log2(value))).translate(RAISED)
        mantissa, power = f"{value:.2e}".split("e")
        factor = mantissa.rstrip("0").rstrip(".").replace("-", "−")
        power = "10" + str(int(power)).translate(RAISED)
        return {"1": "", "−1": "−"}.get(factor, factor + "·") + power
