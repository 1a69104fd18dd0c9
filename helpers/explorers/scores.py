"""One score and the products that make it."""

from .. import example
from ..interactive import Explorer
from ..views import Matrix, Note
from ..views.labels import check_labels, check_numbers
from .controls import token_slider


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
        When only one of Q and K is given, or their last axes differ.
    """
    targets, sources, Q, K = _queries_and_keys(sentence, Q, K)
    S = Q @ K.T
    columns = example.QK_COLUMNS if Q.shape[1] == 3 else check_labels("explore_score", "columns", None, Q.shape[1])

    def render(target, source):
        products = Q[target] * K[source]
        rows = [f"q {targets[target]}", f"k {sources[source]}", "product"]
        parts = Matrix([Q[target], K[source], products], rows, columns, caption=f"q · k = {products.sum():.2f}")
        scores = Matrix.scores(S, targets, sources, caption="every query with every key", highlight=(target, source))
        return [parts, scores, Note(_reading(products, targets[target], sources[source], target, source))]

    controls = {
        "target": token_slider(targets, 3, "target i"),
        "source": token_slider(sources, 1, "source j")}
    return Explorer(controls, render, "Which products make a score?")


def _queries_and_keys(sentence, Q, K):
    if Q is None and K is None:
        tokens, X = example.encode(sentence)
        W_Q, W_K, _, _ = example.projections("adjectives")
        return tokens, tokens, X @ W_Q, X @ W_K
    if Q is None or K is None:
        raise ValueError("explore_score: expected both Q and K, got only one of them")
    Q, K = check_numbers("explore_score", "Q", Q), check_numbers("explore_score", "K", K)
    if Q.ndim != 2 or K.ndim != 2 or Q.shape[1] != K.shape[1]:
        raise ValueError(f"explore_score: Q and K need two axes and the same d_k, got Q {Q.shape} and K {K.shape}")
    return [f"{i}" for i in range(len(Q))], [f"{j}" for j in range(len(K))], Q, K


def _reading(products, target, source, i, j):
    parts = " + ".join(f"{p + 0.0:.2f}" for p in products).replace("+ -", "− ").replace("-0.00", "0.00")
    return f"S[{i}, {j}]: {target} asks, {source} answers. {parts} = {products.sum() + 0.0:.2f}"
