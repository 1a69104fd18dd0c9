"""Pictures that never move."""

from .concatenation import concatenation
from .flow import flow
from .normalisation import normalisation

__all__ = ["concatenation", "flow", "normalisation"]
