"""Settings that all tests share."""

import pytest
from hypothesis import settings

settings.register_profile("series", deadline=None)
settings.load_profile("series")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Keep a file on one worker; the browser's lessons are spread over all workers."""
    for item in items:
        group = item.path.stem
        if group == "test_lessons":
            group += f"-{item.callspec.params.get('lesson')}" if hasattr(item, "callspec") else ""
        item.add_marker(pytest.mark.xdist_group(group))
