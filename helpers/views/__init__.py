"""What can be seen: Matrix, Bars, Curves, Arrows, and a Note beside them. Each is a value with three renderings and no state.

``html()`` is what a kernel shows, ``draw(ax)`` paints the PNG of the files, ``text()`` holds the same numbers.
A view that ends a cell shows its picture and its text.
"""

from .arrows import Arrows
from .bars import Bars
from .curves import Curves
from .matrix import Matrix
from .note import Note
from .view import Row

__all__ = ["Arrows", "Bars", "Curves", "Matrix", "Note", "Row"]
