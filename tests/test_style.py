"""style.py: every colour readable, every ramp even, every number written the same way."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import style

KINDS = ("vectors", "scores", "weights", "mask")
# Ottosson 2020, the direction that style.py does not compute.
RGB_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
LMS_TO_OKLAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)

# What is left of linear sRGB without one kind of cones (Machado, Oliveira and Fernandes 2009, severity 1).
COLOUR_BLIND = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def linear(rgb):
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def seen_by(rgb, cones):
    seen = (linear(rgb) @ np.transpose(cones)).clip(0, 1)
    return np.where(seen <= 0.0031308, 12.92 * seen, 1.055 * seen ** (1 / 2.4) - 0.055)


def oklab(rgb):
    return np.cbrt(linear(rgb) @ RGB_TO_LMS.T) @ LMS_TO_OKLAB.T


def closest(rgb):
    """The smallest distance between two of these colours, in OKLab."""
    lab = oklab(rgb)
    return np.linalg.norm(lab[:, None] - lab, axis=-1)[np.triu_indices(len(lab), 1)].min()


every_theme = pytest.mark.parametrize("theme", style.SHADES)


def from_hex(colour):
    digits = colour[1:] if len(colour) == 7 else "".join(2 * c for c in colour[1:])
    return [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]


def halves(kind, theme="light"):
    ramp = style.colours(kind, theme)
    return [ramp] if kind == "weights" else [ramp[127::-1], ramp[128:]]


def test_contrast_follows_wcag():
    assert style.contrast([0, 0, 0], [1, 1, 1]) == pytest.approx(21)
    assert style.contrast([1, 1, 1], [0, 0, 0]) == pytest.approx(21)
    # #767676 is the lightest grey that WCAG 2.2 accepts on white, #777777 the first that it does not
    assert style.contrast(from_hex("#767676"), [1, 1, 1]) > 4.5 > style.contrast(from_hex("#777777"), [1, 1, 1])


@every_theme
@pytest.mark.parametrize("kind", KINDS)
def test_text_reads_well_on_every_colour(kind, theme):
    ramp, inks = style.colours(kind, theme), style.text_colours(kind, theme)
    assert ramp.shape == (256, 3) and len(inks) == 256
    assert ((ramp >= 0) & (ramp <= 1)).all()
    for face, ink in zip(ramp, inks, strict=True):
        shown = from_hex(style.to_hex(face))  # as the page gets it, rounded to 8 bits
        assert style.contrast(shown, from_hex(ink)) >= 4.5


def test_role_colours_of_formulas_read_on_both_themes():
    for colour in style.ROLES.values():
        assert style.contrast(from_hex(colour), [1, 1, 1]) >= 4.3
        assert style.contrast(from_hex(colour), from_hex("#111111")) >= 4.3


@pytest.mark.parametrize(("theme", "page"), [("light", "#ffffff"), ("dark", "#111111"), ("dark", "#131416")])
def test_each_theme_has_shades_that_read_on_its_pages(theme, page):
    """White paper and JupyterLab's light theme; its dark one; the dark theme of the site."""
    for shade in style.SHADES[theme].values():
        assert style.contrast(from_hex(shade), from_hex(page)) >= 4.9


@pytest.mark.parametrize("seen", COLOUR_BLIND)
@pytest.mark.parametrize("theme", style.SHADES)
def test_shades_of_roles_stay_apart_for_the_colour_blind(theme, seen):
    shades = np.array([from_hex(style.SHADES[theme][role]) for role in style.ROLES])
    assert closest(seen_by(shades, COLOUR_BLIND[seen])) > 0.08


def test_the_shades_reach_html_and_paper():
    assert style.themed("#C75800") == "var(--attn-key,#C75800)"
    assert style.themed("#123456") == "#123456"
    assert style.ON_PAPER[style.ROLES["value"]] == style.SHADES["light"]["value"]
    for theme, light in (("light", "true"), ("dark", "false")):
        rule = re.search(rf'\[data-jp-theme-light="{light}"\] {{(.*?)}}', style.CSS)[1]
        assert rule.split("; ")[1] == f"--attn-key: {style.SHADES[theme]['key']}"


def test_role_colours_differ():
    for colours in (style.ROLES, *style.SHADES.values()):
        assert closest(np.array([from_hex(colours[role]) for role in style.ROLES])) > 0.1


def test_a_line_has_a_colour_on_both_themes():
    for colour in style.SERIES:
        for theme in ("#ffffff", "#111111"):
            assert style.contrast(from_hex(colour), from_hex(theme)) >= 3


@every_theme
@pytest.mark.parametrize("kind", KINDS)
def test_ramps_are_perceptually_even(kind, theme):
    for half in halves(kind, theme):
        lab = oklab(half)
        steps = np.linalg.norm(np.diff(lab, axis=0), axis=1)
        # a corner of the ramp cuts its one step short; all others are equal
        assert steps.max() <= 1.02 * np.median(steps)
        assert np.sort(steps)[1] >= 0.98 * np.median(steps)
        assert (np.diff(lab[:, 0]) * (1 if theme == "dark" else -1) > 0).all(), "further from the page with every step"


@every_theme
@pytest.mark.parametrize("kind", ["vectors", "scores", "mask"])
def test_signs_have_equal_weight_and_meet_in_the_middle(kind, theme):
    negative, positive = map(oklab, halves(kind, theme))
    assert np.allclose(negative[0], positive[0])
    lengths = [np.linalg.norm(np.diff(half, axis=0), axis=1).sum() for half in (negative, positive)]
    assert lengths[0] == pytest.approx(lengths[1], rel=0.1)
    assert negative[-1, 0] == pytest.approx(positive[-1, 0], abs=0.05)


def test_weights_start_near_the_page_and_end_far_from_it():
    lightness = oklab(style.colours("weights"))[:, 0]
    assert lightness[0] > 0.95 and lightness[-1] < 0.4
    lightness = oklab(style.colours("weights", "dark"))[:, 0]
    assert lightness[0] < 0.3 and lightness[-1] > 0.8


@pytest.mark.parametrize(
    ("symbol", "role"),
    [
        ("Q", "query"),
        ("q", "query"),
        ("W_Q", "query"),
        ("q_3", "query"),
        ("Qᵀ", "query"),
        ("K", "key"),
        ("W_K", "key"),
        ("V", "value"),
        ("v", "value"),
        ("O", "output"),
        ("W_O", "output"),
        ("O W_O", "output"),
        ("O_cat", "output"),
    ],
)
def test_symbols_bring_the_colour_of_their_role(symbol, role):
    assert style.role_colour(symbol) == style.ROLES[role]


@pytest.mark.parametrize("symbol", ["", "S", "S_scaled", "S_masked", "QKᵀ", "A", "X", "X′", "M", "W_", "one"])
def test_other_symbols_bring_no_colour(symbol):
    assert style.role_colour(symbol) is None


def test_a_mark_stays_inside_its_cell():
    """Beyond its edge it would cover a part of the cells beside it."""
    marks = re.findall(r"(?:tr\[data-marked\] td|td\[data-marked\S*) \{\s*box-shadow: ([^;]+);", style.CSS)
    shadows = [shadow for mark in marks for shadow in mark.split(", ")]
    assert len(marks) == 7 and all(shadow.startswith("inset ") for shadow in shadows)


@pytest.mark.parametrize("zero", [0.0, -0.0, -0.001, 0.004, -0.0049, -1e-300])
def test_zero_has_no_sign(zero):
    assert style.number(zero) == "0.00"
    assert style.number(zero, minus="−") == "0.00"
    assert style.number(zero, decimals=0) == "0"


def test_what_is_not_a_finite_number_is_named():
    assert style.number(np.nan) == style.number(-np.nan) == "NaN"
    assert style.number(math.inf) == "∞"
    assert style.number(-np.inf) == style.number(-np.inf, minus="-") == "−∞"


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.floats(-1e300, 1e300), st.integers(0, 6))
def test_a_written_number_reads_back(value, decimals):
    text = style.number(value, decimals)
    unit = 1 if abs(value) < 1e13 else 10.0 ** np.floor(np.log10(abs(value)))  # beyond, digits count from the first
    assert abs(float(text) - value) <= 0.5 * 10.0**-decimals * (1 + 1e-9) * unit + abs(value) * 1e-15
    assert not (float(text) == 0 and text.startswith("-"))
    assert style.number(value, decimals, minus="−") == text.replace("-", "−")
    assert style.number(np.float64(value), decimals) == text


@pytest.mark.parametrize("kind", [np.float16, np.float32, int, np.int64])
def test_every_kind_of_number_is_written_alike(kind):
    assert style.number(kind(-3)) == "-3.00"


def test_use_prints_plainly_and_does_not_leak():
    before = np.get_printoptions()
    with np.printoptions():
        style.use()
        assert repr([np.float64(0.5), np.int64(3)]) == "[0.5, 3]"
        assert str(np.array([1e-9, 0.126, 1234.5])) == "[   0.      0.13 1234.5 ]"
    assert np.get_printoptions() == before


def test_hex_of_a_colour():
    assert style.to_hex((0, 0.5, 1)) == "#0080ff"
