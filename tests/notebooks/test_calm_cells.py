"""Each code cell can be read in one look."""

import ast

import pytest
from series import READ, code_cells, parsed

LINES, WIDTH = 10, 90
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
EXPRESSIONS = (ast.BinOp, ast.BoolOp, ast.Call, ast.Compare, ast.IfExp, ast.Lambda, *COMPREHENSIONS)
EXCEPTIONS = {  # "03_scores: cell-id": why it needs more; at most ten
    "16_review: shapes-exercise": "a line for each of the ten steps, for the reader to fill in",
    "18_real_code: take-home-function": "the layer in one function, to copy; its steps stand in the cells before it",
}


def has(node, kinds):
    """Whether the node or one inside it is of these kinds."""
    return any(isinstance(inner, kinds) for inner in ast.walk(node))


def is_packed(node):
    """Several expressions assigned in one statement; names, constants, attributes and subscripts are fine."""
    return isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple) and (
        isinstance(node.targets[0], ast.Tuple | ast.List) and any(has(value, EXPRESSIONS) for value in node.value.elts))


def is_nested(node):
    """A comprehension inside a comprehension inside a call."""
    return isinstance(node, ast.Call) and any(
        isinstance(outer, COMPREHENSIONS) and any(has(child, COMPREHENSIONS) for child in ast.iter_child_nodes(outer))
        for outer in ast.walk(node))


def has_defaults(node):
    """A lambda with default arguments."""
    return isinstance(node, ast.Lambda) and bool(node.args.defaults or any(node.args.kw_defaults))


RULES = {"packed assignment": is_packed, "nested comprehension": is_nested, "lambda with defaults": has_defaults}


def dense(source):
    """What makes the source of a cell dense."""
    lines, nodes = source.splitlines(), list(ast.walk(parsed(source)))
    found = [f"{len(lines)} lines"] if len(lines) > LINES else []
    found += [f"{len(line)} characters: {line.strip()[:40]} …" for line in lines if len(line) > WIDTH]
    found += [f"{rule}: {ast.unparse(node)[:60]}" for rule, broken in RULES.items() for node in nodes if broken(node)]
    return found


def test_cells_are_calm(path, notebook):
    faults = [f"{cell.id}: {fault}" for cell in code_cells(notebook.cells)
              if f"{path.stem}: {cell.id}" not in EXCEPTIONS for fault in dense(cell.source)]
    assert not faults, "\n".join([path.stem, *faults])


def test_exceptions_are_few_and_needed():
    needed = {f"{path.stem}: {cell.id}" for path, notebook in READ.items()
              for cell in code_cells(notebook.cells) if dense(cell.source)}
    assert set(EXCEPTIONS) <= needed
    assert len(EXCEPTIONS) <= 10 and all(EXCEPTIONS.values())


@pytest.mark.parametrize(
    "source",
    [
        "x = 1\n" * 10,
        f"x = '{'a' * 84}'",
        "a, b = x, 1\nc, d = y[0], z.field\ne, f = -1, M[2:]\ng, h = f(x)",
        "f([[x, 1] for x in y])\nz = [[a for a in b] for b in c]\nlambda x: x",
        "%time x = 1",
    ],
)
def test_a_calm_cell(source):
    assert dense(source) == []


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("x = 1\n" * 11, "11 lines"),
        (f"x = '{'a' * 85}'", "91 characters"),
        ("a, b = x @ y, 1", "packed assignment: a, b = "),
        ("a, b = x, f(1)", "packed"),
        ("[a, b] = x, y == 1", "packed"),
        ("f([[a for a in b] for b in c])", "nested comprehension: f("),
        ("sum(max(a for a in b) for b in c)", "nested"),
        ("g = lambda x, y=1: x", "lambda with defaults"),
        ("g = lambda *, y=1: y", "lambda"),
    ],
)
def test_a_dense_cell(source, fault):
    assert any(found.startswith(fault) for found in dense(source))
