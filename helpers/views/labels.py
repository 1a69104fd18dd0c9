"""Labels of rows, columns and bars: counted, shortened and aligned; formulas as HTML."""

import html
import re
import unicodedata

from wcwidth import wcswidth

from .. import style

LONGEST = 14  # characters of a label that are shown; the rest becomes …


def short(label):
    """A label that fits: at most LONGEST characters, on one line; an invisible one is ␣."""
    label = " ".join("".join(" " if unicodedata.category(c) in ("Cc", "Cs") else c for c in label).split())
    if not columns(label):
        return "␣"
    return label if len(label) <= LONGEST else label[: LONGEST - 1] + "…"


def right(text, width):
    """Text set right in a column of that many character cells (wide letters take two)."""
    return " " * max(0, width - columns(text)) + text


def columns(text):
    """Width of a text in character cells."""
    return max(0, wcswidth(text))


def formula_html(text):
    """Words with subscripts: W_Q, d_k and S_scaled stand in them as they stand in the code.

    Examples
    --------
    >>> formula_html("S_scaled < 1")
    'S<sub>scaled</sub> &lt; 1'
    """
    return "".join(html.escape(letters) + (f"<sub>{index}</sub>" if index else "") for letters, index in subscripts(text))


def subscripts(text):
    """The text in pieces, each with the subscript that follows it or an empty one.

    Examples
    --------
    >>> subscripts("O W_O (9, 12)")
    [('O W', 'O'), (' (9, 12)', '')]
    """
    pieces = re.split(r"(?<![A-Za-z0-9_])([A-Za-z])_([A-Za-z0-9]+)(?![A-Za-z0-9_])", text)
    found = [(before + letter, index) for before, letter, index in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=False)]
    return [*found, (pieces[-1], "")] if pieces[-1] else found


def symbol_html(symbol):
    """A symbol of the formulas in the colour of its role."""
    colour = style.role_colour(symbol)
    look = style.themed(f' style="color:{colour}"') if colour else ""
    return f"<b{look}>{formula_html(symbol)}</b>" if symbol else ""
