"""The ledger of claims: tests/claims.csv."""

import ast
import csv
from functools import cache

import pytest
from series import PATHS, READ, ROOT


def test_claims_lead_to_cells_and_tests():
    with open(ROOT / "tests" / "claims.csv", encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        wrong = [f"line {reader.line_num}: {fault}" for row in reader for fault in faults(row)]
    assert reader.fieldnames == ["section", "claim", "notebook", "cell", "test"]
    assert not wrong, "\n".join(wrong)


def faults(row):
    """What is wrong with a claim."""
    if None in row or not all(row.values()):
        return ["expected five fields, none of them empty"]
    found = []
    if row["section"] not in [f"§{number}" for number in range(26)]:
        found.append(f"section {row['section']!r} is not one of §0 … §25")
    notebook = READ.get(ROOT / "notebooks" / row["notebook"])
    if notebook is None:
        found.append(f"no notebook {row['notebook']}")
    elif row["cell"] not in [cell.id for cell in notebook.cells]:
        found.append(f"no cell {row['cell']} in {row['notebook']}")
    file, _, name = row["test"].partition("::")
    if name not in functions(ROOT / file):
        found.append(f"no test {row['test']}")
    return found


@cache
def functions(file):
    if not file.is_file():
        return set()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"claim": ""}, "none of them empty"),
        ({"section": "§26"}, "not one of §0"),
        ({"notebook": "99_nothing.ipynb"}, "no notebook 99_nothing"),
        ({"cell": "no-such-cell"}, "no cell no-such-cell"),
        ({"test": "tests/test_minutes.py::test_nothing"}, "no test tests/test_minutes.py"),
        ({"test": "tests/test_nothing.py::test_map_of_lessons"}, "no test tests/test_nothing.py"),
    ],
)
def test_a_wrong_claim_is_found(change, fault):
    row = {"section": "§7", "claim": "a claim", "notebook": PATHS[0].name, "cell": "setup",
           "test": "tests/test_minutes.py::test_map_of_lessons"}
    assert faults(row) == []
    assert [fault in found for found in faults(row | change)] == [True]
