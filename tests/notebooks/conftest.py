"""Most rules are tested lesson by lesson."""

import pytest
from series import PATHS, READ


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def path(request):
    """The file of a lesson."""
    return request.param


@pytest.fixture
def notebook(path):
    """The notebook in that file."""
    return READ[path]
