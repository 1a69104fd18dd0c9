"""How fast the explorers on the site answer: ``python -m tools.bench_site`` after ``make site``; ``… 03 08`` for two lessons.

For each control the median over key presses, in milliseconds from the event to the changed and laid out picture, and to
the picture painted (which waits for the screen's next frame, up to 17 ms).
"""

import statistics
import sys

from tests.browser.lab import ROOT, chromium

PRESSES = 24
WATCH = """explorer => {
  const picture = explorer.querySelector('.attn-views');
  window.times = [];
  explorer.querySelector('form').addEventListener('input', event => {
    const start = event.timeStamp;
    requestAnimationFrame(() => setTimeout(() =>
      window.times.push({changed: window.laidOut - start, painted: performance.now() - start})));
  }, true);
  explorer.querySelector('form').addEventListener('input', () => {
    picture.getBoundingClientRect();
    window.laidOut = performance.now();
  });
}"""
KEYS = {"range": ("ArrowRight", "ArrowLeft"), "select-one": ("ArrowDown", "ArrowUp"), "radio": ("ArrowRight", "ArrowRight")}


def presses(control):
    """Keys that go through the values of a control, there and back."""
    kind, count = control.locator("input, select").first.evaluate("field => field.type"), int(control.get_attribute("data-count"))
    there, back = KEYS[kind]
    return ([there] * (count - 1) + [back] * (count - 1)) * PRESSES


def measure(page, explorer):
    """Yield for each control its name and the median times of the presses."""
    explorer.evaluate(WATCH)
    for control in explorer.locator(".attn-control").all():
        page.evaluate("window.times = []")
        control.locator("select, [type=range], :checked").first.focus()
        for key in presses(control)[:PRESSES]:
            page.keyboard.press(key)
            page.wait_for_timeout(40)
        times = page.evaluate("window.times")
        yield control.get_attribute("data-key"), *(statistics.median([time[kind] for time in times])
                                                   for kind in ("changed", "painted"))


def main():
    """Print one line for each control of each explorer."""
    print(f"{'page':22} {'kB':>5}  {'explorer':44} {'control':12} {'matrices':>8} {'changed':>8} {'painted':>8}")
    wanted = tuple(sys.argv[1:]) or ("",)
    with chromium() as browser:
        for path in sorted(path for path in (ROOT / "_site/lessons").glob("*.html") if path.name.startswith(wanted)):
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.goto(path.as_uri())
            page.wait_for_timeout(2000)
            for explorer in page.locator(".attn-frozen").all():
                title, matrices = explorer.locator(".attn-title").text_content(), explorer.locator("table").count()
                for name, changed, painted in measure(page, explorer):
                    print(f"{path.stem:22} {path.stat().st_size / 1e3:5.0f}  {title[:44]:44} {name:12} {matrices:8} "
                          f"{changed:8.1f} {painted:8.1f}", flush=True)
            page.close()


if __name__ == "__main__":
    main()
