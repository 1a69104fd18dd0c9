"""The pages of the lessons, and the explorers on them as Python makes them."""

import ast
import contextlib
import io
from functools import cache

import pytest
from series import PATHS, READ, ROOT, code_cells, parsed

from helpers import explorers

NAMES = [f"lessons/{path.stem}.html" for path in PATHS]
ALL = ["index.html", "search.html", *NAMES]
QUICK = ("00", "03", "05", "09", "14", "16", "18")  # lessons; with the others the longer tests are slow ones
PATH_OF = dict(zip(NAMES, PATHS, strict=True))


def quick(names):
    """These names as parameters of a test, slow ones but for a few lessons and the other pages."""
    return [name if not name.startswith("lessons/") or name.removeprefix("lessons/").startswith(QUICK)
            else pytest.param(name, marks=pytest.mark.slow) for name in names]


@cache
def explorers_of(name):
    """The explorers of a lesson, in their order; one that takes the lesson's own arrays is made by the lesson's cells."""
    cells, found, space = code_cells(READ[PATH_OF[name]].cells), [], {}
    calls = [call_of_explorer(cell) for cell in cells]
    own = any(call and (call.args or call.keywords) for call in calls)
    with contextlib.chdir(ROOT / "notebooks"), contextlib.redirect_stdout(io.StringIO()):
        for cell, call in zip(cells, calls, strict=True):
            if call:
                found.append(eval(ast.unparse(call), vars(explorers) | space))
                if len(found) == len([call for call in calls if call]):
                    break
            elif own:
                exec(compile(parsed(cell.source), cell.id, "exec"), space)
    return found


def call_of_explorer(cell):
    """The call ``explore_…(…)`` that ends a cell, or None."""
    last = parsed(cell.source).body[-1]
    call = last.value if isinstance(last, ast.Expr) else None
    is_one = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id.startswith("explore_")
    return call if is_one else None
