"""A real model: the heads of layer 10 on eight sentences, and the patterns of all 270 heads on one."""

import ipywidgets as widgets
import numpy as np

from .. import real_head, style
from ..interactive import Explorer
from ..views import Bars, Matrix, Note
from .shared import in_text

NOUNS = ("creature", "house", "dog")  # whose row is read first


def explore_real_head():
    """Look at each head of layer 10 on each recorded sentence, computed from its matrices.

    The inputs of layer 10 were recorded, so the sentences are given.

    Returns
    -------
    Explorer

    Raises
    ------
    FileNotFoundError, ValueError
        When a data file is missing or damaged.
    """
    layer, sentences = real_head.layer_10(), real_head.sentences()
    runs = [real_head.run(sentence.X, layer) for sentence in sentences]
    parts = [[real_head.update_parts(*head) for head in zip(run.A, run.written, strict=True)] for run in runs]

    def render(sentence, head, shown):
        tokens, A = sentences[sentence].tokens, runs[sentence].A[head]
        noun = next(i for i, token in enumerate(tokens) if token in NOUNS)
        if shown == "weights":
            matrix = Matrix.weights(A, tokens, caption=f"head {head} of layer 10", highlight=noun)
        else:
            matrix = Matrix.scores(parts[sentence][head], tokens, symbol="", highlight=noun, limit=1,
                                   caption=f"head {head}: each source's part of the update")
        return [matrix, Note(_reading(tokens, A, parts[sentence][head], noun))]

    controls = {
        "sentence": widgets.Dropdown(options=[(sentence.text, n) for n, sentence in enumerate(sentences)],
                                     description="sentence", layout=widgets.Layout(width="540px")),
        "head": widgets.IntSlider(min=0, max=real_head.H - 1, value=6, description="head"),
        "shown": widgets.ToggleButtons(options=["weights", "parts of the update"], description="shown")}
    longest = max(range(len(sentences)), key=lambda n: len(sentences[n].tokens))
    return Explorer(controls, render, "What does a head of layer 10 do with other sentences?", largest={"sentence": longest})


def _reading(tokens, A, parts, noun):
    order = np.argsort(-A[noun].round(6), kind="stable")[:3]
    words = ", ".join(f"{in_text(tokens[j])} {A[noun, j]:.2f} (of the update {style.number(parts[noun, j], minus='−')})"
                      for j in order)
    return f"{in_text(tokens[noun])} looks at {words}. Token 0 gets {A[1:, 0].mean():.2f} of the other tokens' weight on average."


def explore_maps():
    """Leaf through the patterns of all 30 layers and 9 heads on the sentence of the series, as recorded.

    Returns
    -------
    Explorer

    Raises
    ------
    FileNotFoundError, ValueError
        When a data file is missing or damaged.
    """
    maps, tokens = real_head.maps(), real_head.sentences()[0].tokens
    on_first = maps[:, :, 1:, 0].mean(axis=-1)  # (layers, heads); token 0 itself has no choice

    def render(layer, head):
        A = maps[layer, head]
        return [Matrix.weights(A, tokens, caption=f"layer {layer}, head {head}"),
                Bars(on_first[layer], [f"head {h}" for h in range(len(maps[layer]))],
                     caption=f"layer {layer}: mean weight on token 0", limits=(0, 1), highlight=head, width=120),
                Note(_main_habit(tokens, A, layer, head))]

    controls = {"layer": widgets.IntSlider(min=0, max=len(maps) - 1, value=10, description="layer"),
                "head": widgets.IntSlider(min=0, max=maps.shape[1] - 1, value=6, description="head")}
    return Explorer(controls, render, "What do the 270 heads look at?")


def _main_habit(tokens, A, layer, head):
    later = A[1:]
    i, j = divmod(int(later[:, 1:].round(6).argmax()), len(tokens) - 1)
    before, itself = np.diagonal(A, -1).mean(), np.diagonal(A)[1:].mean()
    return (f"Layer {layer}, head {head}, mean over tokens 1 to {len(later)}: {later[:, 0].mean():.2f} to token 0, "
            f"{before:.2f} to the token before, {itself:.2f} to the token itself. "
            f"Largest elsewhere than on token 0: {in_text(tokens[i + 1])} gives {later[i, j + 1]:.2f} "
            f"to {in_text(tokens[j + 1])}.")
