"""Run the notebooks again and save them in one canonical form.

``refresh_notebooks.py`` runs all, ``refresh_notebooks.py 03`` those whose name starts with 03. The navigation, the
map of lessons and the README's table of lessons are written anew each time. A measured time is kept as it was.
"""

import os
import re
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellControlSignal, DeadKernelError

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
MAP = "00_start_here"
TIMEOUT = 300  # seconds a cell may take
README_START, README_END = "<!-- lessons: written by make refresh -->", "<!-- end of lessons -->"
TIMES = "nbval-ignore-output"  # the tag of cells whose numbers differ in every run
WIDGET = "application/vnd.jupyter.widget-view+json"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


class CellError(Exception):
    """A cell raised an error, took too long or lost its kernel."""


def run(notebook, folder):
    """Execute all cells in place, in a fresh kernel that works in `folder`."""
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=TIMEOUT,
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
        resources={"metadata": {"path": str(folder)}},
    )
    with client.setup_kernel():
        for index, cell in enumerate(notebook.cells):
            try:
                client.execute_cell(cell, index)
            except (CellControlSignal, DeadKernelError) as error:
                raise CellError(f"cell {cell.id}: {_reason(cell, error)}") from error


def _reason(cell, error):
    for output in cell.outputs:
        if output.output_type == "error":
            return f"{output.ename}: {output.evalue}"
    return str(error).strip() or type(error).__name__


def tidy(notebook):
    """Drop in place what must not be committed: widgets, and metadata but tags and sizes."""
    notebook.metadata = nbformat.from_dict(METADATA)
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


def navigation(path, paths):
    """Links to the lesson before `path`, to the map of lessons and to the lesson after it."""
    place = paths.index(path)
    before, after = paths[max(place - 1, 0) : place], paths[place + 1 : place + 2]
    links = [f"← {_link(other, title(other))}" for other in before]
    if path.stem != MAP:
        links += [_link(other, "Map of lessons") for other in paths if other.stem == MAP]
    links += [f"{_link(other, title(other))} →" for other in after]
    return " · ".join(links)


def _link(path, text):
    return f"[{text}]({path.name})"


def title(path):
    """The first heading without its mark: ``# 03 · Scores`` gives ``03 Scores``."""
    for cell in nbformat.read(path, as_version=4).cells:
        for line in cell.source.splitlines():
            if cell.cell_type == "markdown" and line.startswith("# "):
                return line[2:].replace(" · ", " ", 1).strip()
    raise ValueError(f"{path.name}: no heading of the form '# NN · title'")


def set_navigation(notebook, text):
    """Make `text` the last cell, under the id `navigation`."""
    notebook.cells = [cell for cell in notebook.cells if cell.id != "navigation"]
    notebook.cells.append(nbformat.v4.new_markdown_cell(text, id="navigation"))


def lesson_table(paths, folder=""):
    """The lessons with minutes and sections, as a Markdown table whose links start in `folder`."""
    rows = ["| lesson | minutes | document |", "|---|---|---|"]
    for path in paths:
        minutes, sections = re.search(r"\*(\d+) minutes · document (.+?)\*", nbformat.read(path, 4).cells[0].source).groups()
        rows.append(f"| [{title(path)}]({folder}{path.name}) | {minutes} | {sections} |")
    return "\n".join(rows)


def set_map(notebook, paths):
    """Write the table of lessons into the cell with the id `map`, where there is one."""
    for cell in notebook.cells:
        if cell.id == "map":
            cell.source = f"## Map of the lessons\n\n{lesson_table(paths)}"


def renew_readme(readme, paths):
    """Write the table of lessons between its two marks in the README."""
    text = readme.read_text(encoding="utf-8")
    before, rest = text.split(README_START)
    after = rest.split(README_END)[1]
    new = f"{before}{README_START}\n\n{lesson_table(paths, 'notebooks/')}\n\n{README_END}{after}"
    if new != text:
        readme.write_text(new, encoding="utf-8", newline="\n")
        print(readme.name, "written: its table of lessons")


def save(notebook, path):
    """Write the file at once and only if it changed; tell whether it did."""
    nbformat.validate(notebook)
    text = nbformat.writes(notebook) + "\n"
    if path.read_text(encoding="utf-8") == text:
        return False
    draft = path.with_suffix(".draft")
    draft.write_text(text, encoding="utf-8", newline="\n")
    os.replace(draft, path)
    return True


def refresh(folder=NOTEBOOKS, prefix=""):
    """Run the notebooks whose name starts with `prefix`; renew the navigation of all."""
    paths = sorted(folder.glob("[0-9]*.ipynb"))
    if not any(path.name.startswith(prefix) for path in paths):
        raise ValueError(f"no notebook in {folder.name}/ has a name starting with {prefix!r}")
    for path in paths:
        start = time.perf_counter()
        notebook = nbformat.read(path, as_version=4)
        set_map(notebook, paths)
        set_navigation(notebook, navigation(path, paths))
        if path.name.startswith(prefix):
            print(path.stem, end=" ", flush=True)
            before = {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}
            try:
                run(notebook, folder)
            except CellError as error:
                raise CellError(f"{path.name}, {error}") from error
            keep_measurements(notebook, before)
            tidy(notebook)
            changed = "written" if save(notebook, path) else "unchanged"
            print(f"{changed} ({time.perf_counter() - start:.1f} s)", flush=True)
        elif save(notebook, path):
            print(path.stem, "written: its navigation or map")


if __name__ == "__main__":
    try:
        refresh(prefix="".join(sys.argv[1:2]))
        renew_readme(NOTEBOOKS.parent / "README.md", sorted(NOTEBOOKS.glob("[0-9]*.ipynb")))
    except (CellError, ValueError) as error:
        sys.exit(f"\n{error}")
