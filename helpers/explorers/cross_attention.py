"""One sentence looks into another, which may be padded."""

import ipywidgets as widgets
import numpy as np

from .. import example, translation
from ..attention import attention
from ..interactive import Explorer
from ..style import VALUES_UP_TO
from ..views import Matrix, Note
from .shared import in_text, token_slider


def explore_cross_attention(sentence=example.SENTENCE, source=None):
    """Choose a source sentence, its padding, the mask and a target; see the weights and what is carried across.

    Parameters
    ----------
    sentence : str
        The target: at most 12 words of the vocabulary of `helpers.example`.
    source : str, optional
        One more source sentence: at most 12 words of the vocabulary of `helpers.translation`.

    Returns
    -------
    Explorer
    """
    tokens, X_target = example.encode(sentence)
    sentences = translation.SENTENCES if source is None else {**translation.SENTENCES, "yours": source}
    names = {name: translation.encode(words)[0] for name, words in sentences.items()}
    most = VALUES_UP_TO - max(map(len, names.values()))
    tallest = max(names, key=lambda name: max(map(len, names[name])))    # the words stand upright above their columns
    runs = {(name, padding): _run(X_target, words, padding)
            for name, words in sentences.items() for padding in range(most + 1)}

    def render(source, padding, mask, target):
        names, free, masked = runs[source, padding]
        head = free if mask == "none" else masked
        weights = Matrix.weights(head.A, tokens, names, caption=f"from {source}", highlight=target)
        output = Matrix(head.O, tokens, translation.READS, caption="A V", symbol="O", highlight=target, limit=1)
        return [weights, output, Note(_reading(sentences[source], tokens, names, head, target, padding))]

    controls = {
        "source": widgets.ToggleButtons(options=list(sentences), description="source"),
        "padding": widgets.IntSlider(min=0, max=most, value=min(3, most), description="padding"),
        "mask": widgets.ToggleButtons(options=["none", "padding"], description="mask"),
        "target": token_slider(tokens, 3)}
    return Explorer(controls, render, "Where does a sentence look in its translation?",
                    largest={"source": tallest, "padding": most})


def _run(X_target, words, padding):
    """The names of the sources, and the attention without and with a mask on the padding."""
    names, X_source = translation.encode(words, padding)
    W_Q, W_K, W_V = translation.projections()
    Q, K, V = X_target @ W_Q, X_source @ W_K, X_source @ W_V
    is_word = np.arange(len(names)) < len(names) - padding
    return names, attention(Q, K, V), attention(Q, K, V, is_word)


def _reading(words, tokens, names, head, target, padding):
    weights = head.A[target].round(6)
    best = np.flatnonzero(weights == weights.max())
    most = " and ".join(in_text(names[j]) for j in best)
    looks = f"looks most at {most} ({weights[best[0]]:.2f}{' each' if len(best) > 1 else ''})"
    if len(best) > 2:
        looks = f"finds no word that says the same and looks at {len(best)} tokens alike ({weights[best[0]]:.2f} each)"
    lost = weights[len(names) - padding:].sum()
    gets = ", ".join(f"{name} {value + 0.0:.2f}" for name, value in zip(translation.READS, head.O[target], strict=True))
    return f"“{words}” {in_text(tokens[target])} {looks}; padding takes {lost:.2f} of its row. It receives {gets}."
