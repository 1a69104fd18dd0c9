"""Settings that all tests share."""

import pytest
from hypothesis import settings
from nbval.plugin import IPyNbFile

settings.register_profile("series", deadline=None)
settings.load_profile("series")

collect_ignore = ["notebooks/helpers.py"]  # raises when it is imported
SPREAD = {"test_lessons": "lesson", "test_second_run": "path"}  # and the parameter that tells the lesson


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Keep a file on one worker, and the site, which is built once; what runs whole lessons is spread over all workers."""
    for item in items:
        group = item.path.parent.name if item.path.parent.name == "site" else item.path.stem
        if group in SPREAD and hasattr(item, "callspec"):
            group += f"-{item.callspec.params.get(SPREAD[group])}"
        item.add_marker(pytest.mark.xdist_group(group))


def pytest_collectstart(collector):
    """A kernel shows HTML where the file holds a picture; the strict re-run compares their texts."""
    if isinstance(collector, IPyNbFile):
        collector.skip_compare += ("text/html",)
