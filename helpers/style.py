"""Colours, sizes and print options: everything that decides how the series looks."""

import re
from functools import lru_cache
from pathlib import Path

import numpy as np

# One colour for each role (Okabe-Ito hues), for formulas in the text of notebooks where no cell has run, on GitHub for instance:
# 4.3:1 both on white and on JupyterLab's dark #111, where a higher contrast on the one is a lower one on the other.
ROLES = {"query": "#007FC6", "key": "#C75800", "value": "#008A65", "output": "#BE548E"}
ROLE_OF_SYMBOL = {"Q": "query", "K": "key", "V": "value", "O": "output"}
SERIES = (*ROLES.values(), "#777777")
NAMES = dict(zip(SERIES, (*ROLES, "other"), strict=True))

# Everywhere else each theme has shades of its own: 4.9:1 at least, and apart for the colour-blind too.
SHADES = {"light": {"query": "#08517f", "key": "#a34700", "value": "#147859", "output": "#802259", "other": "#6b6b6b"},
          "dark": {"query": "#4badf5", "key": "#eca47f", "value": "#399372", "output": "#fa66b9", "other": "#969696"}}
ON_PAPER = dict(zip(SERIES, SHADES["light"].values(), strict=True))  # PNGs are white

CELL_WIDTH, CELL_HEIGHT = 46, 29  # pixels; a cell of a matrix with its value in it
COLOUR_CELL = 16  # pixels; a cell without its value
DENSE_CELL = 12  # pixels; a cell too small for its value
VALUES_UP_TO = 16  # a matrix with more rows or columns shows colours only


def use():
    """Print arrays with two decimals and numpy's scalars as plain numbers.

    The switch is global; the setup cell of each lesson calls it.

    Examples
    --------
    >>> with np.printoptions():
    ...     use()
    ...     print([np.float64(0.5)], np.array([0.123, 7.0]))
    [0.5] [0.12 7.  ]
    """
    np.set_printoptions(precision=2, suppress=True, linewidth=100, threshold=200, legacy="1.25")


def role_colour(symbol):
    """The colour of a symbol's role: Q, q 3, Kᵀ, W_Q, O W_O; None for a symbol without a role, as QKᵀ.

    Examples
    --------
    >>> role_colour("W_Q") == ROLES["query"], role_colour("QKᵀ"), role_colour("S")
    (True, None, None)
    """
    found = re.match(r"(?:W_)?([QKVO])(?![A-Za-z])", symbol, re.IGNORECASE)
    return ROLES[ROLE_OF_SYMBOL[found[1].upper()]] if found else None


def variables(theme):
    """The shades of a theme as CSS variables: {"attn-query": "#08517f", …}."""
    return {f"attn-{name}": shade for name, shade in SHADES[theme].items()}


def _shades(theme, light):
    """The shades of a theme of JupyterLab, as CSS."""
    shades = " ".join(f"--{name}: {shade};" for name, shade in variables(theme).items())
    return f'[data-jp-theme-light="{light}"] {{ {shades} }}\n'


def _formulas():
    """The formulas of a notebook in the shades of its theme, as CSS. (MathJax writes a colour into the style of an element.)"""
    return "".join(f'mjx-mstyle[style*="rgb({int(colour[1:3], 16)}, {int(colour[3:5], 16)}, {int(colour[5:], 16)})"] '
                   f"{{ color: var(--attn-{role}, {colour}) !important; }}\n" for role, colour in ROLES.items())


CSS = (_shades("light", "true") + _shades("dark", "false") + _formulas()
       + (Path(__file__).parent / "style.css").read_text(encoding="utf-8"))


def themed(html):
    """HTML whose colours of roles follow the theme; where none is known they stay.

    Examples
    --------
    >>> themed('<b style="color:#007FC6">Q</b>')
    '<b style="color:var(--attn-query,#007FC6)">Q</b>'
    """
    return re.sub("|".join(SERIES), lambda found: f"var(--attn-{NAMES[found[0]]},{found[0]})", html)


def number(value, decimals=2, minus="-"):
    """A number as the pictures write it: rounded, never −0.00, infinities as symbols.

    Examples
    --------
    >>> number(-0.001), number(-np.inf), number(2.345, decimals=1), number(1e200)
    ('0.00', '−∞', '2.3', '1.00e+200')
    """
    if value != value:
        return "NaN"
    if value in (np.inf, -np.inf):
        return "∞" if value > 0 else "−∞"
    value = float(value)
    text = f"{value:.{decimals}f}" if abs(value) < 1e13 else f"{value:.{decimals}e}"
    if text.startswith("-") and not text.strip("-0."):
        text = text[1:]
    return text.replace("-", minus)


def luminance(colours):
    """Relative luminance of sRGB colours in 0–1 (WCAG 2.2): (..., 3) array → (...)."""
    colours = np.asarray(colours, float)
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(one, other):
    """Contrast ratio of two sRGB colours (WCAG 2.2), from 1 to 21."""
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


# From OKLab to linear sRGB (Ottosson 2020): straight lines in OKLab look evenly spaced.
_OKLAB_TO_LMS = np.array([[1, 0.39633778, 0.21580376], [1, -0.10556135, -0.06385417], [1, -0.08948418, -1.29148555]])
_LMS_TO_RGB = np.array([[4.07674166, -3.30771159, 0.23096993], [-1.26843800, 2.60975740, -0.34131940],
                        [-0.00419609, -0.70341861, 1.70761470]])
_PALE, _DEEP = (0.975, 0.0, 0.008), (0.27, 0.0, 0.0)    # zero, near the page in each theme
_BLUES = {"light": (_PALE, (0.72, -0.06, -0.085), (0.32, -0.01, -0.13)),
          "dark": (_DEEP, (0.53, -0.04, -0.125), (0.87, -0.05, -0.055))}
_PURPLES = {"light": (_PALE, (0.70, 0.035, -0.095), (0.38, 0.05, -0.14)),
            "dark": (_DEEP, (0.54, 0.06, -0.13), (0.83, 0.045, -0.085))}
_ORANGES = {"light": (_PALE, (0.76, 0.06, 0.115), (0.40, 0.07, 0.085)),
            "dark": (_DEEP, (0.56, 0.065, 0.095), (0.85, 0.03, 0.125))}


def _ramp(anchors, steps):
    """Colours at equal distances along the way through OKLab anchors: (steps, 3) array of sRGB."""
    anchors = np.array(anchors)                                       # (N, 3)
    lengths = np.linalg.norm(np.diff(anchors, axis=0), axis=1)        # from each anchor to the next
    reached = np.concatenate([[0], lengths.cumsum()])                 # the way up to each anchor
    places = np.linspace(0, reached[-1], steps)
    return _to_srgb(np.stack([np.interp(places, reached, axis) for axis in anchors.T], axis=1))


def _to_srgb(lab):
    """OKLab as sRGB in 0–1: (..., 3) arrays."""
    linear = ((lab @ _OKLAB_TO_LMS.T) ** 3 @ _LMS_TO_RGB.T).clip(0, 1)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


@lru_cache
def colours(kind, theme="light"):
    """The 256 colours of a kind of matrix, lowest value first: (256, 3) array of sRGB in 0–1.

    Weights run from pale to dark blue; everything with a sign from purple over pale to brown. In the dark theme zero is
    nearly black and the ends are bright.
    """
    if kind == "weights":
        return _ramp(_BLUES[theme], 256)
    return np.concatenate([_ramp(_PURPLES[theme], 128)[::-1], _ramp(_ORANGES[theme], 128)])


@lru_cache
def text_colours(kind, theme="light"):
    """Black or white for each of the 256 colours, whichever reads better: list of "#000" and "#fff"."""
    return ["#000" if contrast(c, (0, 0, 0)) >= contrast(c, (1, 1, 1)) else "#fff" for c in colours(kind, theme)]


def to_hex(rgb):
    """An sRGB colour in 0–1 as "#rrggbb"."""
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in rgb)

