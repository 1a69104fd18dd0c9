"""explore_scale with the reader's own queries and keys."""

import numpy as np
import pytest

from helpers.explorers import explore_scale

Q, K = np.random.default_rng(0).normal(size=(3, 5)), np.random.default_rng(1).normal(size=(4, 5))


def test_own_queries_and_keys_are_used():
    explorer = explore_scale(Q, K)
    assert list(explorer.controls["d_k"].options) == [1, 2, 4, 5]
    for state in explorer.states():
        d_k, divisor = state["d_k"], {"÷ 1": 1, "÷ √d_k": np.sqrt(state["d_k"]), "÷ d_k": state["d_k"]}[state["scale"]]
        scores = Q[:, :d_k] @ K[:, :d_k].T / divisor
        shares = np.exp(scores[state["query"]]) / np.exp(scores[state["query"]]).sum()
        histogram, bars, note = explorer.views(**state)
        assert f"variance {scores.var():.2f}" in histogram.caption
        np.testing.assert_allclose(bars.values, shares)
        assert f"gives one of them {shares.max():.2f}" in note.words


def test_each_query_may_have_keys_of_its_own():
    own = np.stack([K + i for i in range(len(Q))])                     # (T_q, T_k, d_k)
    explorer = explore_scale(Q, own)
    for query in range(len(Q)):
        state = {"d_k": 5, "scale": "÷ 1", "query": query}
        scores = own[query] @ Q[query]
        np.testing.assert_allclose(explorer.views(**state)[1].values, np.exp(scores) / np.exp(scores).sum())


@pytest.mark.parametrize(("own", "message"), [
    ({"Q": Q}, "K is missing; expected both Q and K, or neither"),
    ({"K": K}, "Q is missing; expected both Q and K, or neither"),
    ({"Q": Q, "K": K[:, :4]}, r"K has d_k = 4 but Q has d_k = 5; both need the same last axis \(Q is \(3, 5\), K is \(4, 4\)\)"),
    ({"Q": Q[0], "K": K}, r"Q must be \(T_q, d_k\), got shape \(5,\)"),
    ({"Q": Q, "K": K[0]}, r"K must be \(T_k, d_k\), got shape \(5,\)"),
    ({"Q": Q[:0], "K": K}, r"Q must be \(T_q, d_k\), no axis empty, got shape \(0, 5\)"),
    ({"Q": Q, "K": K[None]}, r"K has T_q = 1 but Q has T_q = 3; K needs as many matrices as Q has rows"),
    ({"Q": Q, "K": np.full((4, 5), np.inf)}, r"K needs finite numbers, none beyond ±1e\+50, got inf"),
    ({"Q": Q, "K": np.full((4, 5), -1e60)}, r"K needs finite numbers, none beyond ±1e\+50, got -1e\+60"),
    ({"Q": np.full((4, 5), np.nan), "K": K}, "Q needs finite numbers, .* got NaN"),
])  # fmt: skip
def test_wrong_queries_and_keys_are_named(own, message):
    with pytest.raises(ValueError, match="^explore_scale: " + message):
        explore_scale(**own)
