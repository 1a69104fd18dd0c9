"""One score and the products that make it."""

from .. import example
from ..interactive import Explorer
from ..style import number
from ..views import Matrix, Note
from .shared import in_text, own_queries_and_keys, queries_and_keys, token_slider


def explore_score(sentence=example.SENTENCE, Q=None, K=None):
    """Choose a target i and a source j and see the products that add up to S_ij.

    Parameters
    ----------
    sentence : str
        At most 12 words of the vocabulary; its Q and K come from the hand-made head.
    Q, K : (T_q, d_k) and (T_k, d_k) arrays, optional
        Your own, instead of a sentence.

    Returns
    -------
    Explorer

    Raises
    ------
    ValueError
        When only one of Q and K is given, or they are no finite, filled matrices with the same last axis.
    """
    targets, sources, Q, K = _queries_and_keys(sentence, Q, K)
    S = Q @ K.T
    columns = example.QK_COLUMNS if Q.shape[1] == 3 else None

    def render(target, source):
        products = Q[target] * K[source]
        rows = [f"q {targets[target]}", f"k {sources[source]}", "product"]
        parts = Matrix([Q[target], K[source], products], rows, columns, caption=f"q · k = {number(products.sum(), minus='−')}")
        scores = Matrix.scores(S, targets, sources, caption="every query with every key", highlight=(target, source))
        return [parts, scores, Note(_reading(products, targets[target], sources[source], target, source))]

    controls = {
        "target": token_slider(targets, 3),
        "source": token_slider(sources, 1, "source")}
    return Explorer(controls, render, "Which products make a score?")


def _queries_and_keys(sentence, Q, K):
    if Q is None and K is None:
        tokens, X = example.encode(sentence)
        return tokens, tokens, *queries_and_keys(X)
    Q, K = own_queries_and_keys("explore_score", Q, K)
    return [f"{i}" for i in range(len(Q))], [f"{j}" for j in range(len(K))], Q, K


def _reading(products, target, source, i, j):
    printed = [number(product, minus="−") for product in products]
    exact = abs(products.round(2).sum() - products.sum().round(2)) < 0.005
    total = f"{'=' if exact else '≈'} {number(products.sum(), minus='−')}"
    return f"S[{i}, {j}]: {in_text(target)} asks, {in_text(source)} answers. {' + '.join(printed).replace('+ −', '− ')} {total}"
