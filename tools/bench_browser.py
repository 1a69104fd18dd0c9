"""How fast explorers answer in the browser: from key press to changed picture, against a bare slider.

Part of ``make bench``; ``python -m tools.bench_browser 03 08`` measures two lessons. The floor is an IntSlider that
echoes into a Label by ``observe``, measured first in the same page.
"""

import itertools
import json
import statistics
import sys
import tempfile
from pathlib import Path

from tests.browser.lab import ROOT, Control, Notebook, Window, chromium, controls, jupyterlab, picture, until

PRESSES = 16
FLOOR = """
import ipywidgets
slider, echo = ipywidgets.IntSlider(max=1000), ipywidgets.Label("0")
slider.observe(lambda change: setattr(echo, "value", str(change.new)), "value")
ipywidgets.VBox([ipywidgets.HBox([slider]), echo])
"""
# The time of the key comes from the event itself, the time of the change from the page: no round trip counts.
WATCH = """views => {
  window.times = [];
  let pressed = null;
  const key = event => { pressed = event.timeStamp; };
  const observer = new MutationObserver(() => {
    if (pressed !== null) window.times.push(performance.now() - pressed);
    pressed = null;
  });
  window.removeEventListener('keydown', window.onpress, true);
  window.onpress = key;
  window.addEventListener('keydown', key, true);
  window.watching?.disconnect();
  window.watching = observer;
  observer.observe(views, {childList: true, subtree: true, characterData: true});
}"""


def milliseconds(control, views):
    """Median time from key to changed picture; presses that change nothing do not count."""
    page, changes = control.page, lambda: control.page.evaluate("() => window.times.length")
    control.press(*control.moves()[0])
    page.wait_for_timeout(500)
    views.evaluate(WATCH)
    for move in itertools.islice(itertools.cycle(back_and_forth(control)), 4 * PRESSES):
        before = changes()
        control.press(*move)
        until(page, lambda: changes() > before, 0.6)  # noqa: B023
        page.wait_for_timeout(50)
        if changes() == PRESSES:
            break
    return statistics.median(page.evaluate("() => window.times") or [float("nan")])


def back_and_forth(control):
    """Moves through the values and back to the first."""
    moves = control.moves()[1 if control.kind in ("slider", "dropdown") else 0:][:PRESSES]
    back = {"ArrowRight": "ArrowLeft", "ArrowDown": "ArrowUp"}
    return [*moves, *[(place, back.get(key, key)) for place, key in reversed(moves)]]


def add_floor(path):
    """Append the bare slider to a copy of a lesson."""
    content = json.loads(path.read_text(encoding="utf-8"))
    content["cells"].append({"cell_type": "code", "id": "floor", "metadata": {}, "execution_count": None,
                             "outputs": [], "source": FLOOR.strip()})
    path.write_text(json.dumps(content), encoding="utf-8")


def main():
    """Print one line for each control of each explorer of the lessons named (03 08), or of all."""
    print(f"{'lesson':22} {'explorer':44} {'control':18} {'ms':>6} {'ratio':>6} {'matrices':>8}")
    with (tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, jupyterlab(Path(folder)) as server,
          chromium() as browser, Window(browser, server) as window):
        wanted = tuple(sys.argv[1:]) or ("",)
        for lesson in sorted(path for path in (ROOT / "notebooks").glob("[0-9]*.ipynb") if path.name.startswith(wanted)):
            add_floor(server.project / "notebooks" / lesson.name)
            with Notebook(window, f"notebooks/{lesson.name}") as notebook:
                measure(notebook, lesson.stem)


def measure(notebook, lesson):
    """Print the floor of a lesson's page and its explorers; the floor is measured before each."""
    notebook.run_all()
    bare = notebook.page.locator(".jp-Cell").last
    slider, echo = Control(bare.locator(".widget-slider")), bare.locator(".widget-vbox > .widget-label")
    for explorer in notebook.explorers():
        title = explorer.locator(".attn-title").text_content()
        floor = milliseconds(slider, echo)
        print_line(lesson, "bare slider and label", "", floor, floor, 0)
        for control in controls(explorer):
            time = milliseconds(control, explorer.locator(".widget-html-content").last)
            print_line(lesson, title, control.label, time, floor, picture(explorer).count("<table"))


def print_line(lesson, title, label, time, floor, matrices):
    """One line of the table."""
    print(f"{lesson:22} {title[:44]:44} {label[:18]:18} {time:6.1f} {time / floor:6.2f} {matrices:8}", flush=True)


if __name__ == "__main__":
    main()
