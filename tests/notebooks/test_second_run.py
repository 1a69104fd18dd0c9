"""Any code cell, run again in a later state of its lesson, gives its own output."""

import copy

import pytest
from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_code_cell, new_notebook
from series import IGNORED, READ

from tools.refresh import kernel


def texts(cell):
    """What a reader without pictures sees of the outputs."""
    return [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs]


def run(client, cell, index):
    """The texts of a cell, or the error with which it stops."""
    try:
        client.execute_cell(cell, index)
    except CellExecutionError as error:
        return [f"{error.ename}: {error.evalue}"]
    return texts(cell)


def changed(notebook, folder):
    """Cells whose second output is not the first, after Run All and then each cell again, from the last to the first.

    In this order each cell meets what all later ones have left behind.
    """
    notebook = copy.deepcopy(notebook)
    cells = [(index, cell) for index, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    with kernel(notebook, folder) as client:
        first = {cell.id: run(client, cell, index) for index, cell in cells}
        for index, cell in reversed(cells):
            again = run(client, cell, index)
            if again != first[cell.id] and IGNORED not in cell.metadata.get("tags", []):
                yield f"{cell.id}, run again: {shortest(again, first[cell.id])}"


def shortest(found, expected):
    """The first line in which two lists of texts differ."""
    lines = ["\n".join(texts).splitlines() for texts in (found, expected)]
    length = max(map(len, lines))
    pairs = zip(*[side + [""] * (length - len(side)) for side in lines], strict=True)
    return next((f"{new.strip()!r} instead of {old.strip()!r}" for new, old in pairs if new != old), "other outputs")


def test_every_cell_runs_again(path):
    faults = list(changed(READ[path], path.parent))
    assert not faults, "\n".join([path.stem, *faults])


@pytest.mark.parametrize(
    ("sources", "faults"),
    [
        (["x = 1", "x", "y = 2"], []),
        (["x = [1]", "x.append(2); x"], ["step-1, run again: '[1, 2, 2]' instead of '[1, 2]'"]),
        (["x = 1", "x", "x = 2"], ["step-1, run again: '2' instead of '1'"]),
        (["x = 1", "print(x + 1)", "x = 'a'"], ["step-1, run again: 'TypeError: "]),
        (["n = globals().get('n', 0) + 1; n"], ["step-0, run again: '2' instead of '1'"]),
        (["rng = [3, 2, 1]", "rng.pop()", "rng.pop()"],
         ["step-2, run again: '3' instead of '2'", "step-1, run again: 'IndexError: pop from empty list' instead of '1'"]),
    ],
)
def test_a_cell_that_changes_is_found(sources, faults, tmp_path):
    made = new_notebook(cells=[new_code_cell(source, id=f"step-{number}") for number, source in enumerate(sources)])
    found = list(changed(made, tmp_path))
    assert len(found) == len(faults)
    assert [fault for fault, words in zip(found, faults, strict=True) if not fault.startswith(words)] == []
