"""The guide for teachers, TEACHING.md: beside the class copy its links lead there; on paper it has none."""

import re
from pathlib import Path

GUIDE = Path(__file__).resolve().parents[1] / "TEACHING.md"
LINK = re.compile(r"\[(`[^`]+`)\]\(notebooks/(\d\d_\w+)\.ipynb#cell-id=([\w-]+)\)")


def for_the_wall(text, notebooks):
    """The guide with links into the class copy, each to the question above its cell.

    Parameters
    ----------
    text : str
        The guide.
    notebooks : dict of str to NotebookNode
        The lessons by their names.
    """
    return LINK.sub(lambda link: f"[{link[1]}]({link[2]}.ipynb#cell-id={question(notebooks[link[2]].cells, link[3])})", text)


def question(cells, name):
    """The id of the text that stands above a cell; of the cell itself when it is a text.

    Raises
    ------
    ValueError
        When no cell has this id.
    """
    names = [cell.id for cell in cells]
    if name not in names:
        raise ValueError(f"guide: TEACHING.md names the cell {name!r}, which the lesson does not have")
    return next(cell.id for cell in reversed(cells[:names.index(name) + 1]) if cell.cell_type == "markdown")


def on_paper(text):
    """The guide without its links, with boxes to tick.

    >>> on_paper("- [ ] [`03_scores: setup`](notebooks/03_scores.ipynb#cell-id=setup) first")
    '- ☐ `03_scores: setup` first'
    """
    return LINK.sub(r"\1", text).replace("- [ ]", "- ☐")
