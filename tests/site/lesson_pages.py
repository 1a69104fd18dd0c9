"""The pages of the lessons, and the explorers on them as Python makes them."""

import ast
import contextlib
import io
from functools import cache

from series import PATHS, READ, ROOT, code_cells, parsed

from helpers import explorers

NAMES = [f"lessons/{path.stem}.html" for path in PATHS]
ALL = ["index.html", "search.html", *NAMES]
PATH_OF = dict(zip(NAMES, PATHS, strict=True))


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
