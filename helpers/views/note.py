"""A sentence beside the pictures of an explorer."""

import textwrap
from dataclasses import dataclass

from .checks import check_text
from .labels import formula_html
from .view import DPI, View

WIDTH = 96  # characters in a line of the static picture


@dataclass(frozen=True)
class Note(View):
    """One or two sentences that read the current state.

    Parameters
    ----------
    words : str
        Plain text.

    Raises
    ------
    TypeError
        When it is no text.
    """

    words: str

    def __post_init__(self):
        check_text("Note", words=self.words)

    @property
    def caption(self):
        """The words."""
        return self.words

    @property
    def size(self):
        """Width and height in inches."""
        lines = self._lines()
        return 7.6 * max(1, *map(len, lines)) / DPI, 19 * len(lines) / DPI

    def _lines(self):
        return textwrap.wrap(self.words, WIDTH) or [""]

    def html(self):
        """A paragraph."""
        return f'<p class="attn-note">{formula_html(self.words)}</p>'

    def text(self):
        """The words in lines of 96 characters."""
        return "\n".join(self._lines())

    def draw(self, ax):
        """The words on matplotlib axes that cover ``size``."""
        from .picture import label

        width, height = self.size
        ax.set(xlim=(0, width), ylim=(height, 0))
        ax.axis("off")
        for number, line in enumerate(self._lines()):
            label(ax, 0, (19 * number + 14) / DPI, line, fontsize=13)
