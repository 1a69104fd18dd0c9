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


@pytest.mark.parametrize(("own", "message"), [
    ({"Q": Q}, "expected both Q and K"),
    ({"Q": Q, "K": K[:, :4]}, r"same last axis, got Q \(3, 5\) and K \(4, 4\)"),
    ({"Q": Q[0], "K": K}, r"two axes.*got Q \(5,\)"),
    ({"Q": Q[:0], "K": K}, r"no empty one.*got Q \(0, 5\)"),
    ({"Q": Q, "K": np.full((4, 5), np.inf)}, "K needs finite numbers"),
])  # fmt: skip
def test_wrong_queries_and_keys_are_named(own, message):
    with pytest.raises(ValueError, match="^explore_scale: .*" + message):
        explore_scale(**own)
