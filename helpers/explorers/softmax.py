"""From scores to shares: one row step by step, and the whole matrix in both conventions."""

import math

import ipywidgets as widgets
import numpy as np

from .. import example
from ..attention import causal_mask, softmax
from ..interactive import Explorer
from ..views import Bars, Matrix, Note
from .shared import check_size, in_text, queries_and_keys, read_own, token_slider

TEMPERATURES = [("0.1", 0.1), ("0.3", 0.3), ("1", 1), ("√3 = 1.73", math.sqrt(3)), ("3", 3), ("6", 6), ("12", 12),
                ("50", 50), ("1000", 1000)]
STEPS = {
    "score": "what the token thinks of each",
    "÷ temperature": "closer together or farther apart",
    "− largest": "only the distances count",
    "exp": "positive, the largest is 1",
    "share": "divided by their sum"}
AXES = {"rows": ("target i", "source j"), "columns": ("source j", "target i")}
MASKS = {"rows": "M", "columns": "Mᵀ"}  # the one that fits


def explore_softmax(sentence=example.SENTENCE, scores=None):
    """One row of scores becomes shares, step by step, at a chosen temperature.

    Parameters
    ----------
    sentence : str
        At most 12 words of the vocabulary; its raw scores QKᵀ + M come from the hand-made head.
    scores : (T_q, T_k) array, optional
        Your own, instead of a sentence; −∞ where a target may not look, but not in a whole row.

    Returns
    -------
    Explorer

    Raises
    ------
    ValueError
        When scores do not have two axes, hold NaN or +∞, or a row holds nothing but −∞.
    """
    targets, sources, S = _scores(sentence, scores)

    def render(target, temperature, step):
        scaled = S[target] / temperature
        shifted = scaled - scaled.max()
        exps = np.exp(shifted)
        shares = exps / exps.sum()
        rows = dict(zip(STEPS, (S[target], scaled, shifted, exps, shares), strict=True))
        table = Matrix(list(rows.values()), list(rows), sources, caption=f"{in_text(targets[target])}: from score to share",
                       highlight=list(STEPS).index(step), limit=10)
        bars = Bars(rows[step], sources, caption=f"{step}: {STEPS[step]}", width=150,
                    limits=(0, 1) if step in ("exp", "share") else None)
        return [table, bars, Note(_reading(targets[target], sources, temperature, exps, shares))]

    controls = {
        "target": token_slider(targets, max(0, len(targets) - 2)),
        "temperature": widgets.SelectionSlider(options=TEMPERATURES, value=math.sqrt(3), description="temperature"),
        "step": widgets.ToggleButtons(options=list(STEPS), value="share", description="step")}
    return Explorer(controls, render, "How does a row of scores become shares?")


def explore_orientation(sentence=example.SENTENCE):
    """Tokens as rows or as columns: which axis for the softmax, which mask?

    Parameters
    ----------
    sentence : str
        At most 12 words of the vocabulary.

    Returns
    -------
    Explorer
    """
    tokens, X = example.encode(sentence)
    Q, K = queries_and_keys(X)
    S_scaled, M = Q @ K.T / math.sqrt(Q.shape[1]), causal_mask(len(tokens))
    products = {"rows": S_scaled, "columns": S_scaled.T}
    masks = {"M": M, "Mᵀ": M.T, "none": np.zeros_like(M)}

    def render(tokens_are, over, mask, target):
        weights = softmax(products[tokens_are] + masks[mask], axis=1 if over == "rows" else 0)
        shares = weights[target] if tokens_are == "rows" else weights[:, target]
        formula = ("QKᵀ" if tokens_are == "rows" else "KᵀQ") + "/√d_k" + ("" if mask == "none" else f" + {mask}")
        place = (target, None) if tokens_are == "rows" else (None, target)
        picture = Matrix(weights, tokens, tokens, kind="weights", caption=f"softmax of {formula} over {over}",
                         axes=AXES[tokens_are], highlight=place)
        taken = Bars(shares, tokens, caption=f"{in_text(tokens[target])} takes {shares.sum():.2f} in all", limits=(0, 1),
                     width=150)
        verdict = _verdict(tokens[target], shares, shares[target + 1:].sum(), tokens_are, over, mask)
        return [picture, taken, Note(verdict)]

    controls = {
        "tokens_are": widgets.ToggleButtons(options=list(AXES), description="tokens are"),
        "over": widgets.ToggleButtons(options=list(AXES), description="softmax over"),
        "mask": widgets.ToggleButtons(options=list(masks), description="mask"),
        "target": token_slider(tokens, 3)}
    return Explorer(controls, render, "Which axis, and which mask?")


def _scores(sentence, scores):
    if scores is None:
        tokens, X = example.encode(sentence)
        Q, K = queries_and_keys(X)
        return tokens, tokens, Q @ K.T + causal_mask(len(tokens))
    [S] = read_own("explore_softmax", scores=(scores, "(T_q, T_k)"))
    hidden = np.isneginf(S)
    check_size("explore_softmax", "scores", np.where(hidden, 0, S))
    if hidden.all(axis=1).any():
        raise ValueError("explore_softmax: scores needs a finite entry in each row, got a row of nothing but −∞")
    return [f"{i}" for i in range(len(S))], [f"{j}" for j in range(S.shape[1])], S


def _reading(target, sources, temperature, exps, shares):
    best = np.flatnonzero(shares.round(6) == shares.round(6).max())
    names = " and ".join(in_text(sources[j]) for j in best) if len(best) < 4 else f"{len(best)} tokens"
    total = round(exps.sum(), 4)
    return (f"{in_text(target)}, temperature {round(temperature, 2):g}: the largest share is 1 / {total:.4f} = {1 / total:.3f} "
            f"({names}).")


def _verdict(target, shares, ahead, tokens_are, over, mask):
    total = f"{target}: the shares sum to {shares.sum():.2f}"
    if over != tokens_are:
        total += " (wrong axis: targets compete)"
    later = f"{ahead:.2f} goes to later tokens"
    if mask == "none":
        later += " (no mask, as in the video)"
    elif mask != MASKS[tokens_are]:
        later += f" (the mask must be {MASKS[tokens_are]})"
    right = over == tokens_are and mask == MASKS[tokens_are]
    return f"{total}; {later}.{' This is right.' if right else ''}"
