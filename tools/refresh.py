"""Run the notebooks again and save them in one canonical form.

``python -m tools.refresh`` runs all, ``python -m tools.refresh 03 04`` those whose name starts with 03 or 04. Minutes,
navigation, the map of lessons and the README's table of lessons are written anew each time. A measured time is kept.
"""

import os
import re
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellControlSignal, DeadKernelError

from .maps import navigation, read_lesson, readme_with_map, set_map, set_minutes, set_navigation, set_site_line, site_line

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
TIMEOUT = 300  # seconds a cell may take
TIMES = "nbval-ignore-output"  # the tag of cells whose numbers differ in every run
WIDGET = "application/vnd.jupyter.widget-view+json"
PICTURES = {"ATTENTION_PICTURES": "png"}  # the files hold pictures; without it a kernel shows HTML
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "file_extension": ".py", "mimetype": "text/x-python",
                      "nbconvert_exporter": "python"},
}


class CellError(Exception):
    """A cell raised an error, took too long or lost its kernel."""


class ChangedError(Exception):
    """Somebody else changed a file while its notebook ran."""


@contextmanager
def kernel(notebook, folder, **environment):
    """A client with a fresh kernel that works in `folder`; its `execute_cell(cell, index)` runs one cell."""
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=TIMEOUT,
        record_timing=False,
        store_widget_state=False,
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
        resources={"metadata": {"path": str(folder)}},
    )
    with client.setup_kernel(env=os.environ | environment):
        yield client


def run(notebook, folder):
    """Execute all cells in place, in a fresh kernel."""
    with kernel(notebook, folder, **PICTURES) as client:
        for index, cell in enumerate(notebook.cells):
            try:
                client.execute_cell(cell, index)
            except (CellControlSignal, DeadKernelError) as error:
                raise CellError(f"cell {cell.id}: {_reason(cell, error)}") from error
            if cell.cell_type == "code":
                cell.outputs = joined(cell.outputs)


def joined(outputs):
    """The outputs of a cell; what was printed piece by piece, with no picture between, is one text."""
    result = []
    for output in outputs:
        if result and output.output_type == "stream" and result[-1].get("name") == output.name:
            result[-1].text += output.text
        else:
            result.append(output)
    return result


def _reason(cell, error):
    for output in cell.outputs:
        if output.output_type == "error":
            return f"{output.ename}: {output.evalue}"
    return str(error).strip() or type(error).__name__


def tidy(notebook):
    """Drop in place what must not be committed: widgets, and metadata but tags and sizes."""
    notebook.metadata = nbformat.from_dict(METADATA)  # the kernel has written its own
    for cell in notebook.cells:
        cell.metadata = _only(cell.metadata, ["tags"])
        for output in cell.get("outputs", []):
            if "data" in output:
                output.data.pop(WIDGET, None)
                png = _only(output.metadata.get("image/png", {}), ["width", "height", "alt"])
                output.metadata = nbformat.from_dict({"image/png": png} if png else {})


def _only(metadata, keys):
    return nbformat.from_dict({key: metadata[key] for key in keys if key in metadata})


def keep_measurements(notebook, before):
    """Put the old output back in cells that print times, while only numbers in it have changed."""
    for cell in notebook.cells:
        if TIMES in cell.metadata.get("tags", []) and _words(cell.outputs) == _words(before.get(cell.id, [])):
            cell.outputs = before[cell.id]
            for output in cell.outputs:
                if "execution_count" in output:
                    output.execution_count = cell.execution_count


def _words(outputs):
    texts = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs]
    return [re.sub(r"[\d.,]+", "", text).split() for text in texts]


def save(text, path, before):
    """Write the text into the file at once, only if it changed, and never over somebody else's change; tell whether it did."""
    if path.read_text(encoding="utf-8") != before:
        raise ChangedError(f"{path.name} was changed by somebody else meanwhile; it is left as it is, run this again")
    if text == before:
        return False
    draft = path.with_suffix(".draft")
    draft.write_text(text, encoding="utf-8", newline="\n")
    os.replace(draft, path)
    return True


def as_text(notebook):
    """The notebook as its file holds it."""
    nbformat.validate(notebook)
    return nbformat.writes(notebook) + "\n"


def renew(notebook, lesson, lessons):
    """Write in place what does not come from running: metadata, minutes, links to the site, map and navigation."""
    notebook.metadata = nbformat.from_dict(METADATA)
    set_minutes(notebook, lesson)
    set_site_line(notebook, site_line(lesson))
    set_map(notebook, lessons)
    set_navigation(notebook, navigation(lesson, lessons))


def run_again(notebook, path):
    """Execute the notebook of this file in place and bring the outputs into their canonical form."""
    before = {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}
    try:
        run(notebook, path.parent)
    except CellError as error:
        raise CellError(f"{path.name}, {error}") from error
    keep_measurements(notebook, before)
    tidy(notebook)


def refresh(folder=NOTEBOOKS, *prefixes, readme=None):
    """Run the notebooks whose name starts with one of `prefixes`, or all; renew minutes, maps and navigation of all."""
    paths = sorted(folder.glob("[0-9]*.ipynb"))
    for prefix in prefixes:
        if not any(path.name.startswith(prefix) for path in paths):
            raise ValueError(f"no notebook in {folder.name}/ has a name starting with {prefix!r}")
    chosen = [path for path in paths if path.name.startswith(prefixes or "")]
    lessons = [read_lesson(path, nbformat.read(path, as_version=4)) for path in paths]
    if readme:
        text = readme.read_text(encoding="utf-8")
        if save(readme_with_map(text, lessons), readme, text):
            print(readme.name, "written: its table of lessons")
    for lesson in sorted(lessons, key=lambda lesson: lesson.path in chosen):
        refresh_one(lesson, lessons, runs=lesson.path in chosen)


def refresh_one(lesson, lessons, runs):
    """Renew the notebook of one lesson, run it if asked to, and save it."""
    start, name = time.perf_counter(), lesson.path.stem
    text = lesson.path.read_text(encoding="utf-8")
    notebook = nbformat.reads(text, as_version=4)
    renew(notebook, lesson, lessons)
    if runs:
        print(name, end=" ", flush=True)
        run_again(notebook, lesson.path)
    written = save(as_text(notebook), lesson.path, text)
    if runs:
        print(f"{'written' if written else 'unchanged'} ({time.perf_counter() - start:.1f} s)", flush=True)
    elif written:
        print(name, "written: its minutes, map or navigation")


if __name__ == "__main__":
    try:
        refresh(NOTEBOOKS, *sys.argv[1:], readme=NOTEBOOKS.parent / "README.md")
    except (CellError, ChangedError, ValueError) as error:
        sys.exit(f"\n{error}")
