"""One layer read from four programs, rightly or with one slip."""

import ipywidgets as widgets
import numpy as np

from .. import example
from ..attention import attention, concat_heads, split_heads
from ..interactive import Explorer
from ..real_code import SENTENCES, H, batch, from_flax, from_hugging_face, from_pytorch, recorded
from ..views import Bars, Matrix, Note

PROGRAMS = {    # the recorded part, how it is read, what its mask says
    "PyTorch, layer": ("pytorch", from_pytorch, "True hides"),
    "PyTorch, function": ("ours", dict, "True may look"),
    "Hugging Face": ("hugging_face", from_hugging_face, "1 keeps"),
    "Flax": ("flax", from_flax, "True may look")}
GETS_HEADS = "PyTorch, function"    # it gets Q, K and V, cut already
MASKS = ("as meant", "turned over")
SLIPS = ("none", "turned wrongly", "cut by heads", "reshape only")
ROUNDING = 1e-4


def explore_dialects(sentences=SENTENCES):
    """Choose a program and a misreading; see a head's weights and how far the outputs are from the truth.

    Parameters
    ----------
    sentences : sequence of str
        One to four, each of at most 12 words of the vocabulary; shorter ones are padded in front.

    Returns
    -------
    Explorer

    Raises
    ------
    TypeError, ValueError
        When there are none or too many, or a sentence holds an unknown word.
    """
    X, keep = batch(sentences)
    if len(X) > 4:
        raise ValueError(f"explore_dialects: sentences must be at most 4, got {len(X)}")
    tokens = [["–"] * (X.shape[1] - kept.sum()) + example.tokenize(sentence)
              for sentence, kept in zip(sentences, keep, strict=True)]
    runs = {(program, mask, slip): _run(X, _may_look(program, mask, keep), program, slip)
            for program in PROGRAMS for mask in MASKS for slip in SLIPS}
    truth = runs["PyTorch, layer", "as meant", "none"]

    def render(program, mask, slip, text, head):
        A, output = (part[text] for part in runs[program, mask, slip])
        off = np.where(keep[text], np.abs(output - truth[1][text]).max(axis=-1), 0)
        moved = np.abs(A[head] - truth[0][text, head])[keep[text]].max()
        nothing = "" if A[head].any() else ", nothing to look at"
        return [Matrix.weights(A[head], tokens[text], caption=f"head {head}, text {text}{nothing}"),
                Bars(off, tokens[text], caption="output: largest difference from the truth"),
                Note(_reading(program, mask, slip, off, moved, head))]

    controls = {
        "program": widgets.ToggleButtons(options=list(PROGRAMS), description="program"),
        "mask": widgets.ToggleButtons(options=MASKS, description="mask"),
        "slip": widgets.ToggleButtons(options=SLIPS, description="misreading"),
        "text": widgets.IntSlider(min=0, max=len(X) - 1, value=0, description="text"),
        "head": widgets.IntSlider(min=0, max=H - 1, value=0, description="head")}
    return Explorer(controls, render, "What becomes of a layer that is read wrongly?", largest={})


def _may_look(program, mask, keep):
    """Who may look where (B, 1, T, T), when the program's mask is read in this way."""
    causal, keep = np.tri(keep.shape[1], dtype=bool), keep[:, None, None]
    if mask == "as meant":
        return causal & keep
    if program == "PyTorch, layer":    # two masks, of which attn_mask is turned over
        return ~causal & keep
    return causal & ~keep if program == "Hugging Face" else ~(causal & keep)


def _run(X, may_look, program, slip):
    """Weights (B, H, T, T) and outputs (B, T, d_model)."""
    part, read, _ = PROGRAMS[program]
    arrays = recorded(part)
    if slip == "cut by heads" and part == "pytorch":
        arrays |= {name: _cut_by_heads(arrays[name]) for name in ("in_proj_weight", "in_proj_bias")}
    p = read(arrays)
    if slip == "turned wrongly" and program != GETS_HEADS:
        p |= {name: W.T for name, W in p.items() if name.startswith("W")}
    split = _reshaped if slip == "reshape only" and program != GETS_HEADS else split_heads
    heads = attention(*(split(X @ p[f"W_{name}"] + p[f"b_{name}"], H) for name in "QKV"), may_look)
    return heads.A, concat_heads(heads.O) @ p["W_O"] + p["b_O"]


def _cut_by_heads(packed):
    """q, k, v of head 0, then of head 1 …, taken for that order and put into that of PyTorch."""
    pieces = packed.reshape(H, 3, -1, *packed.shape[1:])    # (H, 3, d_k, …)
    return pieces.swapaxes(0, 1).reshape(packed.shape)


def _reshaped(M, H):
    B, T, _ = M.shape
    return M.reshape(B, H, T, -1)


def _reading(program, mask, slip, off, moved, head):
    turned = "" if mask == "as meant" else ", and is read the other way round"
    words = f"{program}: in the mask {PROGRAMS[program][2]}{turned}. "
    if off.max() < ROUNDING:
        return words + ("Weights and outputs are the true ones." if slip == "none" else
                        "It has nothing that could be misread so: weights and outputs are the true ones.")
    weights = "are the true ones" if moved < ROUNDING else f"are off by up to {moved:.2f}"
    return f"{words}The outputs are off by up to {off.max():.2f}; the weights of head {head} {weights}."
