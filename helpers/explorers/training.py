"""How attention comes about while a tiny model learns."""

from copy import deepcopy
from functools import cache
from numbers import Integral

import ipywidgets as widgets
import numpy as np

from ..attention import softmax
from ..interactive import Explorer
from ..tiny_model import VOCABULARY, TinyModel, corpus, encode, train
from ..views import Bars, Curves, Matrix, Note
from .shared import in_text, token_slider

LIKELIEST = 5  # next words shown


def explore_training(runs=None, words="a fluffy blue creature roamed the verdant forest ."):
    """Go back and forth through training; see the weights, the next word and the loss of that moment.

    Parameters
    ----------
    runs : dict of str to dict of int to TinyModel, optional
        By name, the snapshots of one training or several: the number of steps and the model after them.
        Shown are the steps that all have. By default two short trainings of the explorer's own.
    words : str
        A sentence of the tiny language.

    Returns
    -------
    Explorer

    Raises
    ------
    TypeError, ValueError
        When runs is something else, fewer than two steps are common to all runs, or a word is unknown.
    """
    runs = _own_runs() if runs is None else _checked(runs)
    steps = sorted(set.intersection(*map(set, runs.values()))) if runs else []
    if len(steps) < 2:
        raise ValueError(f"explore_training: runs need snapshots at two steps or more that all have, got {steps} "
                         f"in {len(runs)} runs")
    ids, sentences = encode(words), corpus(200, seed=1)
    ids = ids[:, :np.count_nonzero(ids)]
    tokens = [VOCABULARY[i] for i in ids[0]]
    seen = {(name, step): _look(snapshots[step], ids) for name, snapshots in runs.items() for step in steps}
    losses = {name: [snapshots[step].loss(sentences.ids)[0] for step in steps] for name, snapshots in runs.items()}
    floor = np.full(len(steps), sentences.floor)

    def render(run, step, target):
        weights, chances = seen[run, step]    # (H, T, T), (T, V)
        heads = [Matrix.weights(A, tokens, caption=f"head {h} after {step} steps", highlight=target,
                                colours_only=True)
                 for h, A in enumerate(weights)]
        best = np.argsort(-chances[target].round(6), kind="stable")[:LIKELIEST]
        bars = Bars(chances[target, best], [VOCABULARY[i] for i in best],
                    caption=f"likeliest words after “{tokens[target]}”", limits=(0, 1))
        curves = Curves(steps, {"loss": losses[run], "floor": floor}, caption="loss on 200 new sentences, nats a word",
                        x_label="steps", limits=(0, 1.05 * max(losses[run])), mark=step, width=260)
        return [*heads, curves, bars, Note(_reading(tokens, ids[0], weights, chances, target, step))]

    controls = {
        "run": widgets.Dropdown(options=list(runs), description="run"),
        "step": widgets.SelectionSlider(options=steps, description="step"),
        "target": token_slider(tokens, 4)}
    most_heads = max(runs, key=lambda name: runs[name][steps[0]].H)
    return Explorer(controls, render, "When does the head appear?", largest={"run": most_heads})


@cache
def _own_runs():
    sentences, runs = corpus(4000, seed=0).ids, {}
    for H, seed in ((1, 0), (2, 4)):
        snapshots = runs[f"H={H} seed {seed}"] = {}
        model = TinyModel(H=H, seed=seed)

        def keep(step, model, snapshots=snapshots):
            if step % (10 if step < 100 else 50) == 0:
                snapshots[step] = deepcopy(model)

        train(model, sentences, steps=150, seed=seed, on_step=keep, label="")
        snapshots[150] = model
    return runs


def _checked(runs):
    """Raise unless runs holds snapshots by name and step."""
    for snapshots in runs.values() if isinstance(runs, dict) else [runs]:
        if not isinstance(snapshots, dict) or not all(map(_is_snapshot, snapshots.items())):
            raise TypeError("explore_training: runs needs a dict of snapshots for each name, {name: {step: TinyModel}}, "
                            f"got {snapshots!r:.60}")
    return runs


def _is_snapshot(item):
    step, model = item
    return isinstance(step, Integral) and not isinstance(step, bool) and isinstance(model, TinyModel)


def _look(model, ids):
    """Weights and next-word probabilities of one sentence."""
    logits, trace = model.forward(ids)
    return trace[0][4].A[0].astype(float), softmax(logits[0].astype(float))


def _reading(tokens, ids, weights, chances, target, step):
    rows = [A[target] for A in weights]
    looks = [f"{row.max():.2f} to {in_text(tokens[row.round(6).argmax()])}" for row in rows]
    first, *others = looks
    more = [f", with head {h} {look}" if len(looks) > 2 else f", with the other head {look}" for h, look in enumerate(others, 1)]
    words = f"After {step} steps “{tokens[target]}” gives {first}{''.join(more)}."
    if target + 1 < len(tokens):
        words += f" The word that follows, “{tokens[target + 1]}”, is expected with {chances[target, ids[target + 1]]:.2f}."
    return words
