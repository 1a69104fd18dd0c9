"""One generated word after the other: what is computed, and what is kept."""

from functools import lru_cache

import ipywidgets as widgets
import numpy as np

from ..attention import KVCache
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
    ValueError
        For an unknown word, too many words, or a full stop.
    """
    model = _trained() if model is None else model
    start = len(prompt.split()) + 1
    ids = encode(prompt)[0, :start].tolist()
    if ID["."] in ids:
        raise ValueError(f"explore_cache: prompt must hold no full stop, after which nothing follows, got {prompt!r}")
    runs, ids = _generate(model, ids)
    tokens = [VOCABULARY[i] for i in ids]
    _, _, K, V, _ = model.forward(np.array([ids]))[1][0]
    costs = {WITH: [], WITHOUT: []}
    for step in range(len(runs)):
        T, T_new = start + step, 1 if step else start
        costs[WITH].append(_flops(model, T_new, T))
        costs[WITHOUT].append(_flops(model, T, T))
    spent = {how: np.cumsum(cost) / 1000 for how, cost in costs.items()}

    def render(step, how):
        T, kept = start + step, 0 if how == WITHOUT or step == 0 else start + step - 1
        rows = [name if i < kept else f"+ {name}" for i, name in enumerate(tokens[:T])]
        new = T - 1 if T - kept == 1 else None
        of = f"columns 0–{SHOWN - 1}; + is computed now"
        share, weights = runs[step][how]
        times = np.minimum(step, step + start - 1 - np.arange(T)) + 1 if how == WITHOUT else np.ones(T)
        return [
            Matrix(K[0, 0, :T, :SHOWN], rows, None, caption=of, symbol="K", highlight=new),
            Matrix(V[0, 0, :T, :SHOWN], rows, None, caption=of, symbol="V", highlight=new),
            Bars(times, tokens[:T], caption="how often its key was computed", limits=(0, len(runs)), decimals=0, width=100),
            Matrix.weights(weights, tokens[kept:T], tokens[:T], caption=f"{T - kept} of {T} rows computed"),
            Bars([spent[WITH][step], spent[WITHOUT][step]], ["kept", "anew"], caption="thousand FLOPs so far",
                 limits=(0, spent[WITHOUT][-1]), decimals=0),
            Note(_reading(tokens, T, kept, how, share, spent[WITHOUT][step] / spent[WITH][step]))]

    controls = {"step": widgets.IntSlider(min=0, max=len(runs) - 1, value=min(2, len(runs) - 1), description="step"),
                "how": widgets.ToggleButtons(options=[WITH, WITHOUT, WRONG], description="keys and values")}
    return Explorer(controls, render, "What must be computed for one more word?", play="step")


@lru_cache
def _trained():
    model = TinyModel(dtype=np.float64)
    train(model, corpus(4000, seed=0).ids, label="")
    return model


def _generate(model, ids):
    """In each step, for each way: shares of the next word and weights; and all ids read in the end."""
    caches, new, read, runs = [KVCache() for _ in range(model.layers)], ids, [], []
    while len(read) < LENGTH and new != [ID["."]]:
        read = read + new
        wrong = forward_cached(model, new, _copies(caches), n_past=0)
        right = forward_cached(model, new, caches)
        anew = forward_cached(model, read, [KVCache() for _ in caches])
        runs.append({how: (_shares(logits[-1]), heads[0].A[0])
                     for how, (logits, heads) in {WITH: right, WITHOUT: anew, WRONG: wrong}.items()})
        new = [int(right[0][-1].argmax())]
    return runs, read


def _copies(caches):
    copies = [KVCache() for _ in caches]
    for copy, cache in zip(copies, caches, strict=True):
        if cache.length:
            copy.append(cache.K, cache.V)
    return copies


def _shares(logits):
    exps = np.exp(logits - logits.max())
    return exps / exps.sum()


def _flops(model, T_new, T):
    """Of the projections and of attention, in all layers."""
    d_model, columns = model.parameters["W_Q0"].shape
    return model.layers * (8 * T_new * d_model * columns + 4 * T_new * T * columns)


def _reading(tokens, T, kept, how, share, ratio):
    best, word = int(share.argmax()), tokens[T - 1]
    after = f"The likeliest next word: “{VOCABULARY[best]}” ({share[best]:.2f})."
    if kept == 0 and how != WITHOUT:
        return f"The prompt: all {T} tokens at once. Nothing is kept yet, so 0 is the right offset. {after}"
    if how == WRONG:
        return f"“{word}” is token {T - 1}, but the mask takes it for token 0: of {T} keys it may look at one. {after}"
    if how == WITHOUT:
        work = "the same work as with keeping" if ratio == 1 else f"{ratio:.1f} times the work of keeping"
        return f"All {T} rows are computed; only the last one, of “{word}”, decides what comes next. So far {work}. {after}"
    return (f"“{word}” is new: one row is computed. Its query meets {T} keys, {kept} of them kept. Computing all anew "
            f"would have cost {ratio:.1f} times as much so far. {after}")
