"""Pictures that never move."""

from .concatenation import concatenation
from .flow import flow
from .normalisation import normalisation
from .one_page import one_page

__all__ = ["concatenation", "flow", "normalisation", "one_page"]
