"""What all views share: a kernel shows them as HTML, the files of the series hold a PNG; the numbers are always there as text."""

import base64
import os

from .. import style
from .labels import formula_html

DPI = 72  # pixels of the page in an inch
PICTURES = "ATTENTION_PICTURES"  # an environment variable; "png" gives the pictures of the files


class View:
    """What can be seen. A view has ``caption``, ``html``, ``text``, and for the PNG ``size`` (inches) and ``draw``."""

    def _repr_mimebundle_(self, **_):
        return mimebundle([self], self.caption)

    def _set(self, **fields):
        """Checked fields in place of those given, while the frozen value is made."""
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def page_html(self):
        """The HTML of an output: what is left of it where a page takes its style away must still be readable."""
        return self.html()


class Row(View):
    """Several views side by side in one picture.

    Parameters
    ----------
    *views : view
        At least one.

    Raises
    ------
    TypeError, ValueError
        When there is none, or something else than a view; a Row in a Row too.
    """

    def __init__(self, *views):
        if not views:
            raise ValueError("Row: expected at least one view, got none")
        for view in views:
            if not isinstance(view, View) or isinstance(view, Row):
                raise TypeError(f"Row: expected views one by one, as in Row(one, other), got {type(view).__name__}")
        self.views = views
        self.caption = "; ".join(view.caption for view in views)

    def text(self):
        """The texts of all views, one below the other."""
        return texts(self.views)

    def _repr_mimebundle_(self, **_):
        return mimebundle(self.views, self.caption)


def mimebundle(views, caption, title=""):
    """What a cell shows: HTML or PNG of the views, their text, and the metadata that go with the PNG.

    Parameters
    ----------
    views : list of view
    caption : str
        What the PNG says to those who do not see it.
    title : str
        A line above HTML and text.

    Returns
    -------
    data, metadata : dict by MIME type
    """
    data = {"text/plain": "\n\n".join(filter(None, [title, texts(views)]))}
    if os.environ.get(PICTURES) != "png":
        return {"text/html": page(views, title), **data}, {}
    from .picture import picture  # matplotlib is imported with the first PNG

    png, width, height = picture(views)
    return ({"image/png": base64.b64encode(png).decode(), **data},
            {"image/png": {"width": width, "height": height, "alt": caption}})


def texts(views):
    """The texts of views, one below the other."""
    return "\n\n".join(view.text() for view in views)


def page(views, title=""):
    """Views as HTML that brings its own style."""
    head = f'<div class="attn-title">{formula_html(title)}</div>' if title else ""
    return f"<style>{style.CSS}</style>{head}{side_by_side(view.page_html() for view in views)}"


def side_by_side(parts, look="attn-views"):
    """HTML of views in a row that wraps."""
    return f'<div class="{look}">{"".join(f"<div>{part}</div>" for part in parts)}</div>'
