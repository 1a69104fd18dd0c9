"""Settings that all tests share."""

from copy import deepcopy
from importlib.util import find_spec
from itertools import groupby

import pytest
from hypothesis import settings
from nbval.plugin import IPyNbCell, IPyNbFile

settings.register_profile("series", deadline=None)
settings.load_profile("series")

collect_ignore = ["notebooks/helpers.py", "classroom/jupyterhub"]  # one raises when it is imported, one needs the hub
if not find_spec("myst_nb"):
    collect_ignore.append("classroom/handouts.py")  # what makes the site is not installed
SPREAD = {"test_lessons": "lesson"}  # and the parameter that tells the lesson


BUILT_ONCE = {"site", "python"}  # folders of tests of something that takes long to build


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Run the cells of a notebook a second time. Keep a file, or a folder of `BUILT_ONCE`, on one worker."""
    items[:] = [item for _, group in groupby(items, lambda item: item.parent) for item in twice(list(group))]
    for item in items:
        group = item.path.parent.name if item.path.parent.name in BUILT_ONCE else item.path.stem
        if group in SPREAD and hasattr(item, "callspec"):
            group += f"-{item.callspec.params.get(SPREAD[group])}"
        item.add_marker(pytest.mark.xdist_group(group))


def twice(items):
    """These tests; after the cells of a notebook each cell again in the same kernel, from the last to the first.

    In this order each cell meets what all later ones have left behind, and its output must still be the one in the file.
    """
    cells = [item for item in items if isinstance(item, IPyNbCell)]
    return items + [IPyNbCell.from_parent(cell.parent, name=f"{cell.name} again", cell_num=cell.cell_num,
                                          cell=deepcopy(cell.cell),  # nbval joins the streams of what it compares
                                          options=cell.options) for cell in reversed(cells)]


def pytest_collectstart(collector):
    """A kernel shows HTML where the file holds a picture; the strict re-run compares their texts."""
    if isinstance(collector, IPyNbFile):
        collector.skip_compare += ("text/html",)
