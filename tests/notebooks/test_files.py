"""How the notebooks were run, and what their files hold."""

import re

from series import IGNORED, READ, code_cells, outputs

from tools.refresh import METADATA, WIDGET

NUMBER = re.compile(r"\d+(?:\.\d+)?")

# How it was run


def test_executed_in_order(notebook):
    counts = [cell.execution_count for cell in code_cells(notebook.cells)]
    assert counts == list(range(1, len(counts) + 1))


def test_nothing_went_wrong(notebook):
    wrong = [cell for cell, output in outputs(notebook)
             if output.output_type == "error" or output.get("name") == "stderr"]
    assert wrong == []


def test_most_cells_show_something(notebook):
    cells = [cell for cell in code_cells(notebook.cells) if cell.id != "setup"]
    silent = [cell.id for cell in cells if not cell.outputs]
    assert len(silent) <= len(cells) / 4, silent


def test_outputs_are_compared():
    cells = [cell for notebook in READ.values() for cell in code_cells(notebook.cells) if cell.outputs]
    ignored = [cell.id for cell in cells if IGNORED in cell.metadata.get("tags", [])]
    assert len(ignored) <= 0.05 * len(cells), ignored


def test_cell_left_out_of_the_comparison_says_why(notebook):
    for cell in code_cells(notebook.cells):
        assert not re.search(r"#\s*(NBVAL|PYTEST_VALIDATE)_", cell.source), cell.id
        if IGNORED in cell.metadata.get("tags", []):
            assert re.search(r"# not compared: \w+", cell.source), cell.id


# What the file holds


def test_size(path):
    assert path.stat().st_size < 1.5e6


def test_metadata(notebook):
    assert notebook.metadata == METADATA


def test_no_cell_is_hidden(notebook):
    for cell in notebook.cells:
        assert set(cell.metadata) <= {"tags"}, cell.id
        assert set(cell.metadata.get("tags", [])) <= {IGNORED, "only-with-a-kernel"}, cell.id


def test_no_widget_is_stored(notebook):
    assert [cell for cell, output in outputs(notebook) if WIDGET in output.get("data", {})] == []


def test_every_output_has_a_text(notebook):
    for cell, output in outputs(notebook):
        assert "text" in output or output.data.get("text/plain"), cell


def test_html_is_stored_only_for_a_reason(notebook):
    for cell in code_cells(notebook.cells):
        stored = any("text/html" in output.get("data", {}) for output in cell.outputs)
        assert not stored or re.search(r"# html stored: \w+", cell.source), cell.id


def test_every_picture_carries_its_numbers(notebook):
    for cell, output in outputs(notebook):
        if "image/png" in output.get("data", {}):
            twin = output.data.get("text/plain", "")
            assert not twin.startswith("<"), f"{cell}: {twin}"
            assert NUMBER.search(twin), f"{cell}: no number in {twin!r}"
            assert output.metadata.get("image/png", {}).get("alt"), f"{cell}: no alt text"


def test_ids_are_words(notebook):
    for cell in notebook.cells:
        assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", cell.id), cell.id
        assert not re.match(r"[0-9a-f]{8}(-|$)", cell.id), cell.id
