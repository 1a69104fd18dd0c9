"""One generated word after the other: what is computed, and what is kept."""

from functools import lru_cache
from typing import NamedTuple

import ipywidgets as widgets
import numpy as np

from ..attention import KVCache, softmax
from ..interactive import Explorer
from ..tiny_model import VOCABULARY, TinyModel, corpus, encode, train
from ..tiny_model.cached import forward_cached
from ..tiny_model.grammar import ID, LENGTH
from ..views import Bars, Matrix, Note

PROMPT = "yesterday a fluffy blue"
SHOWN = 4  # columns of K and V
WITH, WITHOUT, WRONG = "kept", "all computed anew", "kept, mask without offset"


def explore_cache(model=None, prompt=PROMPT):
    """Generate a sentence; see in each step which keys and values are new and what they cost.

    Parameters
    ----------
    model : TinyModel, optional
        A causal one; its first head in its first layer is shown. By default one that is trained now.
    prompt : str
        Words of the tiny language, without a full stop.

    Returns
    -------
    Explorer

    Raises
    ------
    TypeError, ValueError
        For a model of another kind, an unknown word, too many words, or a full stop.
    """
    ids = _ids(prompt)
    if not isinstance(model, TinyModel | None):
        raise TypeError(f"explore_cache: model needs a TinyModel, got {type(model).__name__}")
    model = _trained() if model is None else model
    steps = _generate(model, ids)
    tokens = [VOCABULARY[i] for i in steps[-1].ids]
    _, _, K, V, _ = model.forward(np.array([steps[-1].ids]))[1][0]          # (1, H, T, d_k) each
    spent = {how: np.cumsum([_flops(model, step, how) for step in steps]) / 1000 for how in (WITH, WITHOUT)}

    def render(step, how):
        now = steps[step]
        n_past = 0 if how == WITHOUT else now.n_past
        T, is_new = len(now.ids), range(n_past, len(now.ids))
        table = {"rows": [f"+ {name}" if i in is_new else name for i, name in enumerate(tokens[:T])], "columns": None,
                 "caption": "+ is new", "highlight": T - 1 if len(is_new) == 1 else None, "colours_only": True}
        return [
            Matrix(K[0, 0, :T, :SHOWN], symbol="K", **table),
            Matrix(V[0, 0, :T, :SHOWN], symbol="V", **table),
            Bars(_times(steps[:step + 1], how), tokens[:T], caption="times its key was computed", limits=(0, len(steps)),
                 decimals=0, width=70),
            Matrix.weights(now.A[how], tokens[n_past:T], tokens[:T], caption=f"{len(is_new)} of {T} rows computed",
                           colours_only=True),
            Bars([spent[WITH][step], spent[WITHOUT][step]], ["kept", "anew"], caption="thousand FLOPs so far",
                 limits=(0, spent[WITHOUT][-1]), decimals=0),
            Note(_reading(tokens[T - 1], now, n_past, how, spent[WITHOUT][step] / spent[WITH][step]))]

    controls = {"step": widgets.IntSlider(min=0, max=len(steps) - 1, value=min(2, len(steps) - 1), description="step"),
                "how": widgets.ToggleButtons(options=[WITH, WITHOUT, WRONG], description="keys and values")}
    return Explorer(controls, render, "What must be computed for one more word?", play="step",
                    largest={"step": len(steps) - 1, "how": WITHOUT})


class Step(NamedTuple):
    """One step of generation: what is read in it, and what each way of reading makes of it."""

    ids: list     # all tokens so far, the new ones among them
    n_past: int   # tokens before the new ones
    A: dict       # for each way the weights of the first head, a row for each token that is computed
    shares: dict  # for each way the shares of the next word


def _ids(prompt):
    ids = [int(i) for i in encode(prompt)[0] if i]
    if ID["."] in ids:
        raise ValueError(f"explore_cache: prompt must hold no full stop, after which nothing follows, got {prompt!r}")
    return ids


@lru_cache
def _trained():
    model = TinyModel(dtype=np.float64)
    train(model, corpus(4000, seed=0).ids, label="")
    return model


def _generate(model, ids):
    """The steps from the prompt to the full stop, or to the longest sentence; each reads its likeliest next word."""
    caches, new, steps = [KVCache() for _ in range(model.layers)], ids, []
    read = []
    while len(read) < LENGTH and new != [ID["."]]:
        n_past, read = len(read), read + new
        wrong = forward_cached(model, new, _copies(caches), n_past=0)
        right = forward_cached(model, new, caches)
        anew = forward_cached(model, read, [KVCache() for _ in caches])
        ways = {WITH: right, WITHOUT: anew, WRONG: wrong}
        steps.append(Step(read, n_past, {how: heads[0].A[0] for how, (_, heads) in ways.items()},
                          {how: softmax(logits[-1]) for how, (logits, _) in ways.items()}))
        new = [int(right[0][-1].argmax())]
    return steps


def _copies(caches):
    copies = [KVCache() for _ in caches]
    for copy, cache in zip(copies, caches, strict=True):
        if cache.length:
            copy.append(cache.K, cache.V)
    return copies


def _times(steps, how):
    """How often the key of each token has been computed in these steps."""
    times = np.zeros(len(steps[-1].ids))
    for step in steps:
        times[0 if how == WITHOUT else step.n_past:len(step.ids)] += 1
    return times


def _flops(model, step, how):
    """Of the projections and of attention, in all layers."""
    T = len(step.ids)
    T_new = T if how == WITHOUT else T - step.n_past
    d_model, columns = model.parameters["W_Q0"].shape
    return model.layers * (8 * T_new * d_model * columns + 4 * T_new * T * columns)


def _reading(word, step, n_past, how, ratio):
    T, best = len(step.ids), int(step.shares[how].argmax())
    after = f"The likeliest next word: “{VOCABULARY[best]}” ({step.shares[how][best]:.2f})."
    if n_past == 0 and how != WITHOUT:
        return f"The prompt: all {T} tokens at once. Nothing is kept yet, so 0 is the right offset. {after}"
    if how == WRONG:
        return f"“{word}” is token {T - 1}, but the mask takes it for token 0: of {T} keys it may look at one. {after}"
    if how == WITHOUT:
        work = "the same work as with keeping" if ratio == 1 else f"{ratio:.1f} times the work of keeping"
        return f"All {T} rows are computed; only the last one, of “{word}”, decides what comes next. So far {work}. {after}"
    return (f"“{word}” is new: one row is computed. Its query meets {T} keys, {n_past} of them kept. Computing all anew "
            f"would have cost {ratio:.1f} times as much so far. {after}")
