"""The lessons as a teacher projects them: `make class-copy` writes them into _class/, beside notebooks/.

Results are cleared; what reads a result is folded behind a line that says nothing; captions, which state findings, come from
a file, so that the code does not tell them. All by rule from the lessons, which stay as they are. The code gives the same
results as there. The guide for teachers comes with them, its links leading to the copies.
"""

import ast
import json
import re
import shutil
from itertools import pairwise
from pathlib import Path

import nbformat
from IPython.core.inputtransformer2 import TransformerManager

from classroom import guide
from tools.minutes import GENERATED, PREDICTION, SHORT_PATH_ENDS, calls

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS, COPY = ROOT / "notebooks", ROOT / "_class"
FILE = "captions.json"
CAPTIONS_NAME = "CAPTIONS"    # of the list of captions, in the code of a class copy
READ_CAPTIONS = 'import json; CAPTIONS = json.load(open("captions.json", encoding="utf-8"))["{}"]'
FOLD = "<details>\n<summary>After the run</summary>\n\n{}\n\n</details>"
ASKING = ("#", PREDICTION, "**Try:**")    # how a cell begins that reads no result


def write(notebooks=NOTEBOOKS, folder=COPY):
    """Write the class copy of all lessons in a folder; what was there is replaced."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    captions, copies = {}, {}
    for path in sorted(notebooks.glob("[0-9]*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        captions[path.stem] = for_the_wall(notebook, path.stem)
        copies[path.stem] = notebook
        nbformat.write(notebook, folder / path.name)
    (folder / FILE).write_text(json.dumps(captions, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    shutil.copy(notebooks / "helpers.py", folder)
    text = guide.GUIDE.read_text(encoding="utf-8")
    (folder / guide.GUIDE.name).write_text(guide.for_the_wall(text, copies), encoding="utf-8")


def for_the_wall(notebook, stem):
    """Change a lesson in place into its class copy; the captions that were taken out of its code."""
    captions = []
    if any(CAPTIONS_NAME in names(cell.source) for cell in notebook.cells if cell.cell_type == "code"):
        raise ValueError(f"{stem} uses the name {CAPTIONS_NAME}, which the class copy needs for its captions")
    pairs = list(pairwise(notebook.cells))
    readings = [place for place, (before, cell) in enumerate(pairs, start=1) if reads(cell, before)]
    telling = [place + 1 for place in readings if tells(notebook.cells, place)]
    for place in readings:
        notebook.cells[place].source = folded(notebook.cells[place].source)
    for place in telling:
        notebook.cells[place].source = FOLD.format(notebook.cells[place].source)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            cell.source = without_captions(cell.source, captions)
    if captions:
        (setup,) = [cell for cell in notebook.cells if cell.id == "setup"]
        setup.source += "\n" + READ_CAPTIONS.format(stem)
    return captions


def names(source):
    """The plain names in a code cell."""
    tree = ast.parse(TransformerManager().transform_cell(source))
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def reads(cell, before):
    """Whether a cell reads the result of the one before it."""
    if cell.cell_type != "markdown" or before is None or before.cell_type != "code":
        return False
    exercise = any(name.startswith("check_") for name, _ in calls(before.source))
    aside = cell.id in {*GENERATED, SHORT_PATH_ENDS} or before.id == "setup" or exercise
    return not aside and not cell.source.startswith(ASKING)


def tells(cells, place):
    """Whether the text below the reading at this place repeats a number of the result that was not known before."""
    run, reading, below = cells[place - 1:place + 2]
    known = numbers("\n".join(text(cell) for cell in cells[:place - 1]))
    return below.cell_type == "markdown" and bool(numbers(text(run)) & numbers(reading.source) & numbers(below.source) - known)


def numbers(words):
    """The numbers in a text; one with a leading 0 is the name of a lesson."""
    return set(re.findall(r"(?<![\w.])(?:0\.\d+|[1-9]\d*(?:[.,]\d+)*)", words))


def text(cell):
    """A markdown cell's text, or what a code cell has printed."""
    if cell.cell_type != "code":
        return cell.source
    return "\n".join(output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs)


def folded(source):
    """The text behind a line to be opened; the next question, when it stands in the same cell, stays in sight.

    >>> print(folded("It grows.\\n\\n**Before you run it:** and now?"))
    <details>
    <summary>After the run</summary>
    <BLANKLINE>
    It grows.
    <BLANKLINE>
    </details>
    <BLANKLINE>
    **Before you run it:** and now?
    """
    reading, asks, question = source.partition(f"\n\n{PREDICTION}")
    return FOLD.format(reading) + asks + question


def without_captions(source, captions):
    """The code with each written caption taken from the list `CAPTIONS`; the captions are appended to `captions`.

    >>> found = []
    >>> without_captions('Bars(S, caption=f"the sum is {S.sum():.2f}")', found), found
    ('Bars(S, caption=CAPTIONS[0].format(S.sum()))', ['the sum is {:.2f}'])
    """
    if TransformerManager().transform_cell(source).rstrip() != source.rstrip():
        return source    # magics
    lines = source.encode().splitlines(keepends=True)    # ast counts bytes
    nodes = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.keyword) and node.arg == "caption"]
    replaced = []
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
        if taken := taken_out(node, len(captions)):
            captions.append(taken[0])
            replaced.append((node, taken[1].encode()))
    for node, words in reversed(replaced):
        first, last = node.lineno - 1, node.end_lineno - 1
        lines[first:last + 1] = [lines[first][:node.col_offset] + words + lines[last][node.end_col_offset:]]
    return b"".join(lines).decode()


def taken_out(node, place):
    """A written caption and the expression in its place; None for one that is computed."""
    if isinstance(node, ast.Constant):
        return node.value, f"CAPTIONS[{place}]"
    fields = [part for part in getattr(node, "values", []) if isinstance(part, ast.FormattedValue)]
    nested = any(isinstance(part, ast.FormattedValue) for field in fields for part in getattr(field.format_spec, "values", []))
    if not isinstance(node, ast.JoinedStr) or nested:
        return None
    values = ", ".join(ast.unparse(field.value) for field in fields)
    return "".join(map(template, node.values)), f"CAPTIONS[{place}].format({values})"


def template(part):
    """A part of an f-string as `format` wants it."""
    if isinstance(part, ast.Constant):
        return part.value.replace("{", "{{").replace("}", "}}")
    conversion = f"!{chr(part.conversion)}" if part.conversion >= 0 else ""
    spec = "".join(one.value for one in part.format_spec.values) if part.format_spec else ""
    return f"{{{conversion}{':' if spec else ''}{spec}}}"


if __name__ == "__main__":
    write()
    print("The class copy is in _class/. Its lessons open like the others: make lab, then the folder _class. "
          "TEACHING.md there leads to its cells.")
