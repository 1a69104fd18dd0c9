"""How much the kernel works for one change of a control: `make bench` prints the table.

The baseline is what `interact` with `plt.show()` does for the same views: a pyplot figure, each view
drawn by its own `draw`, and the PNG that the inline backend sends. Times are those of this process.
"""

import time
from statistics import median

import matplotlib
import numpy as np

matplotlib.use("module://matplotlib_inline.backend_inline")

import matplotlib.pyplot as plt
from IPython.core.interactiveshell import InteractiveShell
from matplotlib_inline.backend_inline import configure_inline_support, show

from helpers import explorers

from . import bench_browser, bench_pictures

CHANGES, BASELINES = 300, 5
TARGET = 50


def milliseconds(action, *arguments):
    start = time.process_time()
    action(*arguments)
    return 1000 * (time.process_time() - start)


def changes(explorer, rng):
    """Each control in turn set to another of its values, so that the states spread over the grid."""
    states = list(explorer.states())
    grid = {name: list(dict.fromkeys(state[name] for state in states)) for name in explorer.controls}
    names = [name for name in grid if len(grid[name]) > 1]
    for k in range(CHANGES):
        control = explorer.controls[names[k % len(names)]]
        others = [value for value in grid[names[k % len(names)]] if value != control.value]
        yield control, others[rng.integers(len(others))]


def live(explorer, rng):
    """Median milliseconds of a change on the live widget, from the control's value to the new HTML."""
    explorer.widget()
    return median(milliseconds(setattr, control, "value", value) for control, value in changes(explorer, rng))


def draw_and_show(explorer, state):
    views = explorer.views(**state)
    figure = plt.figure(figsize=(sum(view.size[0] for view in views), max(view.size[1] for view in views)))
    left = 0.0
    for view in views:
        width, height = view.size
        area = left / figure.get_figwidth(), 0, width / figure.get_figwidth(), height / figure.get_figheight()
        view.draw(figure.add_axes(area))
        left += width
    show(close=True)


def baseline(explorer, rng):
    """Median milliseconds of drawing and showing the views of a state by pyplot."""
    states = list(explorer.states())
    drawn = [states[i] for i in rng.integers(len(states), size=BASELINES)]
    return median(milliseconds(draw_and_show, explorer, state) for state in drawn)


def start_inline_backend():
    """A shell that encodes every figure as a kernel does and drops the bytes; returns their count."""
    shell, pictures = InteractiveShell.instance(), []
    configure_inline_support(shell, matplotlib.get_backend())
    shell.display_pub.publish = lambda data, *_, **__: pictures.append(len(data["image/png"]))
    return pictures


def main():
    pictures = start_inline_backend()
    names = sorted(explorers.__all__)
    draw_and_show(getattr(explorers, names[0])(), getattr(explorers, names[0])().default)  # fonts, imports
    print(f"{'explorer':22} {'change ms':>9} {'pyplot ms':>9} {'ratio':>8}   (CPU; target: 1/{TARGET} or less)")
    for name in names:
        explorer, rng = getattr(explorers, name)(), np.random.default_rng(0)
        before = len(pictures)
        change, drawn = live(explorer, rng), baseline(explorer, rng)
        if len(pictures) - before != BASELINES:
            raise RuntimeError("the inline backend has shown no picture; the baseline means nothing")
        note = "" if drawn / change >= TARGET else "   above the target"
        print(f"{name:22} {change:9.2f} {drawn:9.1f} {'1/' + format(drawn / change, '.0f'):>8}{note}")


if __name__ == "__main__":
    main()
    bench_browser.main()
    bench_pictures.main()
