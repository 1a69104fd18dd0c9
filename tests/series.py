"""The lessons, and the texts of the project, as the tests read them."""

import ast
import os
import re
from pathlib import Path

import nbformat
from IPython.core.inputtransformer2 import TransformerManager

from tools.maps import read_lesson

ROOT = Path(__file__).resolve().parent.parent
PATHS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
READ = {path: nbformat.read(path, as_version=4) for path in PATHS}
LESSONS = {path: read_lesson(path, notebook) for path, notebook in READ.items()}

SECTIONS = {  # of the document, by lesson
    "00_start_here": {0, 2, 24},
    "01_embeddings": {0, 1, 3, 4},
    "02_queries_and_keys": {5, 6},
    "03_scores": {7},
    "04_scaling": {8},
    "05_causal_mask": {9},
    "06_softmax": {10, 11},
    "07_values": {12, 13},
    "08_residual": {1, 14, 15},
    "09_single_head": {16, 23},
    "10_multi_head": {15, 17, 18},
    "11_cross_attention": {19},
    "12_cost": {20},
    "13_training": {5, 17, 21},
    "14_kv_cache": {21},
    "15_real_head": {0, 1, 17, 22},
    "16_review": {22, 23, 24, 25},
    "17_two_layers": {17, 18},
    "18_real_code": {16, 17, 18, 21},
}
IGNORED = "nbval-ignore-output"  # the tag of cells whose output differs in every run


def code_cells(cells):
    """The code cells among these."""
    return [cell for cell in cells if cell.cell_type == "code"]


def outputs(notebook):
    """All outputs, each with the id of its cell."""
    return [(cell.id, output) for cell in code_cells(notebook.cells) for output in cell.outputs]


def markdown(cells):
    """The text of all markdown cells among these."""
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def headings(cells, level):
    """The headings of a level: ``headings(cells, 2)`` gives the lines that begin with ``## ``."""
    return [line for line in markdown(cells).splitlines() if line.startswith("#" * level + " ")]


def parsed(source):
    """The syntax tree of a code cell."""
    return ast.parse(TransformerManager().transform_cell(source))


def sections(text):
    """The document's sections in a text: ``§1, §3–5`` gives {1, 3, 4, 5}."""
    found = set()
    for group in re.findall(r"§+\s*(\d+(?:\s*[–,-]\s*§?\d+)*)", text):
        for part in re.split(r"\s*,\s*", group):
            ends = [int(number) for number in re.findall(r"\d+", part)]
            found.update(range(ends[0], ends[-1] + 1))
    return found


CACHES = {".git", ".venv", "__pycache__", ".ipynb_checkpoints", ".pytest_cache", ".ruff_cache",
          ".hypothesis", "_site", "build", "lessons", "node_modules", "_class"}


def committed_texts():
    """Path and text of each file, without what .gitignore names."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in CACHES]
        for path in (Path(folder, name) for name in files):
            content = path.read_bytes()
            if b"\0" not in content:
                yield path, content.decode("utf-8", errors="replace")
