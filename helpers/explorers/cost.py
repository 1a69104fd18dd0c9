"""How many bytes the scores, keys and values of a long context take."""

import math

import ipywidgets as widgets
import numpy as np

from ..interactive import Explorer
from ..views import Bars, Curves, Note

LENGTHS = 2 ** np.arange(10, 21, dtype=np.int64)    # 1k … 1M tokens
NUMBERS = [("float16 · 2", 2), ("float32 · 4", 4), ("float64 · 8", 8)]
SHARED_BY = [("one head", 1), ("8 heads", 8), ("all heads", math.inf)]
D_HEAD, TILE = 128, 128
CARD = 24e9    # bytes
UNITS = ("bytes", "kB", "MB", "GB", "TB")


def explore_cost():
    """Choose context, heads and bytes per number; see what one layer's scores, keys and values take.

    Returns
    -------
    Explorer
    """
    def render(T, H, size, shared):
        sets = max(1, H // shared) if shared < math.inf else 1
        scores, kept, tiles = H * LENGTHS**2 * size, 2 * sets * LENGTHS * D_HEAD * size, H * TILE**2 * size
        full = math.isqrt(int(CARD / (H * size)))
        series = {"all scores": scores, "K and V": kept, "tiles": np.full(len(LENGTHS), tiles),
                  "24 GB": np.full(len(LENGTHS), CARD)}
        curves = Curves(LENGTHS / 1024, {name: bytes_ / 1e9 for name, bytes_ in series.items()},
                        caption=f"{H} heads: the scores fill 24 GB at T = {full:,}", x_label="T in thousands (1024)",
                        y_label="GB", x_scale="log2", y_scale="log10", limits=(1e-4, 2e6), mark=T / 1024, decimals=3,
                        width=390)
        at = int(np.flatnonzero(LENGTHS == T)[0])
        bars = Bars([series[name][at] / 1e9 for name in series], list(series), caption=f"GB at T = {T:,}", width=140)
        return [curves, bars, Note(_reading(T, H, sets, size, scores[at], kept[at], tiles, shared))]

    controls = {
        "T": widgets.SelectionSlider(options=[(_tokens(T), int(T)) for T in LENGTHS], value=16384, description="context T"),
        "H": widgets.SelectionSlider(options=[8, 32, 128], value=32, description="heads H"),
        "size": widgets.ToggleButtons(options=NUMBERS, description="bytes a number"),
        "shared": widgets.ToggleButtons(options=SHARED_BY, description="K, V serve")}
    return Explorer(controls, render, "How long a context fits into 24 GB?", largest={})


def _tokens(T):
    return f"{T // 1024}k" if T < 2**20 else "1M"


def _reading(T, H, sets, size, scores, kept, tiles, shared):
    cards = scores / CARD
    share = f"{cards:,.1f} cards of 24 GB" if cards >= 1 else f"{cards:.1%} of a card of 24 GB"
    return (f"One layer: {H} · {T:,}² scores of {size} bytes are {_bytes(scores)}, {share}. "
            f"Keys and values, {sets} {'set' if sets == 1 else 'sets'} of width {D_HEAD}, are {_bytes(kept)}. "
            f"Tiled, {H} tiles of {TILE} × {TILE} scores are {_bytes(tiles)}. "
            f"Curves that move with the heads: all scores, tiles{'' if shared == math.inf else ', K and V'}; with the bytes: "
            "all scores, tiles, K and V; with what K, V serve: K and V. The context moves only the mark; nothing moves "
            "the line of 24 GB.")


def _bytes(count):
    """1,500,000 as 1.5 MB"""
    power = min(len(UNITS) - 1, int(math.log10(count) // 3))
    return f"{count / 1000**power:,.1f} {UNITS[power]}"
