"""Take pictures of a lesson in JupyterLab: ``python -m tools.look 03 --theme dark --out DIR``."""

import argparse
import math
import tempfile
from pathlib import Path

from tests.browser.lab import ROOT, THEMES, Notebook, Window, chromium, controls, jupyterlab, picture, until

HEIGHT = 1400


def photograph(notebook, stem):
    """The whole notebook from its top to the end of its last cell, as PNGs of at most HEIGHT pixels."""
    scroller = notebook.page.locator(".jp-WindowedPanel-outer:visible").first
    total, step = scroller.evaluate("""e => [e.scrollTop - e.getBoundingClientRect().top
        + Math.max(...[...e.querySelectorAll('.jp-Cell')].map(cell => cell.getBoundingClientRect().bottom)), e.clientHeight]""")
    for page, top in enumerate(range(0, math.ceil(total), step), start=1):
        scroller.evaluate("(e, top) => { e.scrollTop = top; }", top)
        notebook.page.wait_for_timeout(150)
        save(scroller, f"{stem}-{page:02d}.png")


def save(element, path):
    """One picture of an element."""
    element.screenshot(path=path)
    print(path)


def move_every_control(explorer):
    """Walk through the values of each control up to the first that changes the picture."""
    for control in controls(explorer):
        before = picture(explorer)
        for _ in control.walk():
            if until(explorer.page, lambda: picture(explorer) != before, 0.5):  # noqa: B023
                break


def main():
    """Open a lesson, run it, photograph it, move every control and photograph the explorers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lesson", help="its number, as 03")
    parser.add_argument("--theme", choices=THEMES, default="light")
    parser.add_argument("--out", type=Path, default=Path("pictures"))
    parser.add_argument("--width", type=int, default=1400)
    arguments = parser.parse_args()
    path = next((ROOT / "notebooks").glob(f"{arguments.lesson}*.ipynb"))
    arguments.out.mkdir(parents=True, exist_ok=True)
    stem = f"{arguments.out}/{path.stem}-{arguments.theme}"
    with (tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, jupyterlab(Path(folder)) as server,
          chromium() as browser,
          Window(browser, server, (arguments.width, HEIGHT)) as window,
          Notebook(window, f"notebooks/{path.name}") as notebook):
        notebook.theme(arguments.theme)
        notebook.run_all()
        photograph(notebook, stem)
        for number, explorer in enumerate(notebook.explorers(), start=1):
            explorer.scroll_into_view_if_needed()
            save(explorer, f"{stem}-explorer-{number}.png")
            move_every_control(explorer)
            save(explorer, f"{stem}-explorer-{number}-moved.png")
        print("\n".join(notebook.problems) or "no messages in the console")


if __name__ == "__main__":
    main()
