"""How large scores get with d_k, and what that does to the weights."""

import ipywidgets as widgets
import numpy as np

from .. import example
from ..attention import softmax
from ..attention.checks import read_array
from ..interactive import Explorer
from ..views import Bars, Curves, Note
from .shared import own_queries_and_keys, queries_and_keys, token_slider

DIVISORS = {"÷ 1": lambda d_k: 1.0, "÷ √d_k": np.sqrt, "÷ d_k": float}
WIDTHS = (1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512)
MOST_QUERIES = 8  # rows to choose from
DRAWS = 200
BINS = 48


def explore_scale(Q=None, K=None):
    """Choose d_k and the divisor; see the histogram of all scores beside the weights of one query.

    Parameters
    ----------
    Q, K : (T_q, d) and (T_k, d) arrays, optional
        Your own; the first d_k columns of both are used. K of shape (T_q, T_k, d) gives each query keys of its own, as
        the independent random numbers do that stand here by default.

    Returns
    -------
    Explorer

    Raises
    ------
    ValueError
        When only one of Q and K is given, or they are no finite, filled arrays of such shapes.
    """
    Q, K = _random_or_own(Q, K)
    d = Q.shape[-1]
    widths = list(dict.fromkeys([*(2**n for n in range(d.bit_length())), d]))
    raw = {d_k: (K[..., :d_k] @ Q[:, :d_k, None])[..., 0] for d_k in widths}    # (T_q, T_k) each
    reach = 4 * max(np.ceil(raw[d].std() / 4), 1)
    states = {(d_k, name): _spread(raw[d_k] / divisor(d_k), name, reach) for d_k in widths
              for name, divisor in DIVISORS.items()}

    def render(d_k, scale, query):
        histogram, words, A = states[d_k, scale]
        bars = Bars(A[query], caption=f"weights of query {query}", limits=(0, 1))
        return [histogram, bars, Note(f"{words} {_row(A, query)}")]

    controls = {
        "d_k": widgets.SelectionSlider(options=widths, value=max(w for w in widths if w <= 64), description="d_k"),
        "scale": widgets.ToggleButtons(options=list(DIVISORS), description="divisor"),
        "query": widgets.IntSlider(min=0, max=min(len(Q), MOST_QUERIES) - 1, description="query")}
    return Explorer(controls, render, "How far do the scores spread, and how many tokens does a query look at?")


def explore_d_k(sentence=example.SENTENCE):
    """Choose d_k on the sentence's own head: three features with a meaning, random ones beyond.

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
    scores = {d_k: _with_distractors(Q, K, d_k) for d_k in WIDTHS}             # (draws, T, T) each
    weights = {(d_k, scale): softmax(scores[d_k] / divisor(d_k))
               for d_k in WIDTHS for scale, divisor in DIVISORS.items()}
    medians = {state: np.median(A, axis=0) for state, A in weights.items()}    # (T, T) each
    favourites = weights[3, "÷ 1"][0].round(6).argmax(axis=1)                 # (T,)

    def render(target, d_k, scale):
        A, favourite = weights[d_k, scale][:, target], favourites[target]      # (draws, T)
        shares = {name: [medians[width, name][target, favourite] for width in WIDTHS] for name in DIVISORS}
        bars = Bars(medians[d_k, scale][target], tokens, caption=f"weights of “{tokens[target]}” {scale}, {_how_many(A)}",
                    limits=(0, 1))
        curves = Curves(WIDTHS, shares, caption=f"median share that “{tokens[favourite]}” gets", x_label="d_k",
                        y_label="share", x_scale="log2", limits=(0, 1.15), mark=d_k)
        return [bars, curves, Note(_verdict(tokens, A, target, favourite, d_k))]

    nouns = np.flatnonzero(X[:, example.FEATURES.index("noun")]).tolist()
    controls = {
        "target": token_slider(tokens, (nouns or [len(tokens) - 1])[-1]),
        "d_k": widgets.SelectionSlider(options=WIDTHS, value=3, description="d_k"),
        "scale": widgets.ToggleButtons(options=list(DIVISORS), description="divisor")}
    return Explorer(controls, render, "How many features does the head need, and what do more of them do?")


def effective_number(weights):
    """e to the entropy of each row: (..., T) -> (...)."""
    return np.exp(-(weights * np.log(np.where(weights > 0, weights, 1))).sum(axis=-1))


def movement(weights):
    """The norm of softmax's Jacobian, diag(a) − a aᵀ, for each row a: (..., T) -> (...)."""
    squares, cubes = ((weights**n).sum(axis=-1) for n in (2, 3))
    return np.sqrt(np.maximum(squares - 2 * cubes + squares**2, 0))


def _random_or_own(Q, K):
    if Q is None and K is None:
        rng = np.random.default_rng(1)
        return rng.standard_normal((256, 512)), rng.standard_normal((256, 16, 512))    # each query has keys of its own
    for_each_query = np.ndim(read_array("explore_scale", "K", K)) == 3
    return own_queries_and_keys("explore_scale", Q, K, "(T_q, T_k, d_k)" if for_each_query else "(T_k, d_k)")


def _with_distractors(Q, K, d_k):
    """Scores from the first d_k features; those beyond the third are random, and drawn often: (draws, T, T)."""
    S = (Q[:, :d_k] @ K[:, :d_k].T)[None]
    if d_k <= Q.shape[1]:
        return S
    rng = np.random.default_rng(d_k)
    Q_random, K_random = rng.standard_normal((2, DRAWS, len(Q), d_k - Q.shape[1]))
    return S + Q_random @ K_random.swapaxes(1, 2)


def _spread(S, scale, reach):
    """The histogram of scores, a sentence about it, and the weights."""
    histogram = Curves.histogram({"scores": S.ravel()}, np.linspace(-reach, reach, BINS + 1), x_label="score",
                                 caption=f"{len(S)} queries × {S.shape[1]} keys {scale}: variance {S.var():.2f}",
                                 limits=(0, 0.55))
    outside = (np.abs(S) > reach).mean()
    beyond = f"; {outside:.0%} of them lie outside the picture" if outside >= 0.005 else ""
    return histogram, f"The scores have a standard deviation of {S.std():.2f}{beyond}.", softmax(S)


def _row(A, query):
    a = A[query]
    return (f"Query {query} looks at {effective_number(a):.2f} of {len(a)} keys and gives one of them {a.max():.2f}. "
            f"Its weights answer to a nudge with a norm of {movement(a):.3f} "
            f"(median of all {len(A)} queries: {np.median(movement(A)):.3f}).")


def _how_many(A):
    return "nothing random" if len(A) == 1 else f"medians of {len(A)} draws"


def _verdict(tokens, A, target, favourite, d_k):
    number = np.median(effective_number(A))
    if len(A) == 1:
        used = ", ".join(example.QK_COLUMNS[:d_k])
        return f"Features in use: {used}. “{tokens[target]}” looks at {number:.2f} tokens."
    first = (A[:, favourite] >= A.max(axis=1) - 1e-9).sum()
    return (f"Features with a meaning: 3, random ones: {d_k - 3}. “{tokens[target]}” looks at {number:.2f} tokens "
            f"(median). “{tokens[favourite]}” gets the largest share in {first} of {len(A)} draws, "
            "whatever the divisor.")
