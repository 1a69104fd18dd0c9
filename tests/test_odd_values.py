"""Odd values in every argument of the public functions: a result, or an error of our own that begins with a name."""

import re
import traceback
import warnings
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest

from helpers import attention, example, real_head, tiny_model, translation
from helpers.attention import KVCache
from helpers.real_head import Layer
from helpers.tiny_model import Adam, TinyModel
from helpers.tiny_model.cached import forward_cached
from helpers.tiny_model.repeats import repeats

HELPERS = Path(example.__file__).parent
A, IDS, MODEL = np.ones((2, 3)), [[1, 3, 4, 2]], TinyModel(d_model=4, d_k=2)
WORDS = {"cat": {"noun": 1}, "sat": {"verb": 1}}
SQUARE = np.eye(4)
LAYER = Layer(np.ones(8), np.ones((8, 576)), np.ones((8, 192)), np.ones((8, 192)), np.ones((576, 8)))



def append(K, V):
    return KVCache().append(K, V)


CALLS = {    # each public function with arguments that fit
    attention.softmax: {"scores": A, "axis": -1},
    attention.causal_mask: {"T_q": 2, "T_k": 3, "n_past": 1},
    attention.attention: {"Q": A, "K": A, "V": A, "mask": np.zeros(2), "scale": 0.5},
    attention.split_heads: {"X": A, "H": 3},
    attention.concat_heads: {"X": A[None]},
    attention.multi_head: {"X_target": SQUARE, "W_Q": SQUARE, "W_K": SQUARE, "W_V": SQUARE, "W_O": SQUARE, "H": 2,
                           "X_source": SQUARE, "mask": np.zeros((4, 4)), "scale": 0.5},
    attention.tiled_attention: {"Q": A, "K": A, "V": A, "block": 1, "causal": True, "n_past": 0},
    append: {"K": A, "V": A},
    example.tokenize: {"sentence": "the cat", "vocabulary": WORDS | {"the": {}}},
    example.embeddings: {"tokens": ["cat", "sat"], "vocabulary": WORDS, "features": ["noun", "verb"]},
    example.positions: {"T": 3, "features": ["cos", "sin"]},
    example.encode: {"sentence": "the cat"},
    example.rotation: {"degrees": 30},
    translation.encode: {"sentence": "la", "padding": 1},
    tiny_model.corpus: {"n": 2, "seed": 0},
    tiny_model.encode: {"sentence": "a fluffy"},
    tiny_model.decode: {"ids": IDS[0]},
    tiny_model.is_grammatical: {"words": ["a"]},
    tiny_model.is_true: {"words": ["a"]},
    repeats: {"n": 1, "seed": 0},
    TinyModel: {"d_model": 4, "H": 1, "d_k": 2, "layers": 1, "seed": 0, "causal": True, "scaled": True, "dtype": np.float32,
                "vocabulary": 5, "length": 3},
    MODEL.mask: {"ids": IDS, "causal": None},
    MODEL.forward: {"ids": IDS, "causal": None},
    MODEL.weights: {"ids": IDS, "layer": 0},
    MODEL.loss: {"ids": IDS, "causal": None},
    MODEL.gradients: {"ids": IDS},
    Adam: {"parameters": {"w": np.zeros(2)}, "beta_1": 0.9, "beta_2": 0.9},
    Adam({"w": np.zeros(2)}).step: {"gradients": {"w": np.ones(2)}, "learning_rate": 0.1},
    tiny_model.train: {"model": MODEL, "ids": IDS, "steps": 1, "batch": 1, "learning_rate": 0.1, "seed": 0, "on_step": None,
                       "label": ""},
    tiny_model.generate: {"model": MODEL, "n": 1, "seed": 0},
    forward_cached: {"model": MODEL, "ids": IDS[0], "caches": [KVCache()], "n_past": 0},
    real_head.dequantise: {"packed": np.zeros((1, 20), np.uint8)},
    real_head.rms_norm: {"X": A, "gain": A[0]},
    real_head.rotate: {"Q": np.ones((2, 4)), "theta": 10.0},
    real_head.repeat_heads: {"K": A[None], "H": 2},
    real_head.run: {"X": np.ones((3, 8)), "layer": LAYER},
    real_head.update_parts: {"weights": A, "written": np.ones((3, 4))},
    real_head.read: {"name": "bundle_l10.npz"},
}
ODD = {
    "None": None, "string": "zebra", "empty string": "", "bytes": b"the cat", "nan": float("nan"), "inf": float("inf"),
    "minus inf": -float("inf"), "zero": 0, "negative": -1, "half": 0.5, "True": True, "complex": 1j, "huge": 10**400,
    "large": 1e308, "small": 1e-308, "empty list": [], "empty dict": {}, "dict": {"a": 1}, "list of strings": ["a", "b"],
    "ragged": [[1], [2, 3]], "None inside": [[None, 1]], "no axis": np.array(1.0), "one axis": np.ones(3),
    "three axes": np.ones((2, 2, 3)), "six axes": np.ones((1,) * 6), "no rows": np.ones((0, 3)), "no columns": np.ones((2, 0)),
    "other size": np.ones((5, 7)), "all nan": np.full((2, 3), np.nan), "all inf": np.full((2, 3), np.inf),
    "1e308": np.full((2, 3), 1e308), "1e308 square": np.full((4, 4), 1e308), "inf square": np.full((4, 4), -np.inf),
    "float16": np.full((2, 3), 6e4, np.float16), "integers": np.full((2, 3), 2**62), "booleans": np.ones((2, 3), bool),
    "objects": np.array([[object()]]), "strings": np.array([["a"]]), "dates": np.array([["2020-01-01"]], "M8"),
    "masked": np.ma.masked_array(A, A > 0), "a set": {1}, "a function": lambda *arguments: None, "an object": object()}
CASES = [(function, argument) for function, arguments in CALLS.items() for argument in arguments]


@pytest.mark.parametrize(("function", "argument"), CASES, ids=[f"{f.__qualname__}-{argument}" for f, argument in CASES])
def test_an_odd_value_gives_a_result_or_an_error_of_our_own(function, argument):
    for odd, value in ODD.items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                function(**deepcopy(CALLS[function]) | {argument: value})
        except (TypeError, ValueError) as error:
            raised_in = Path(traceback.extract_tb(error.__traceback__)[-1].filename)
            assert raised_in.is_relative_to(HELPERS), f"{odd}: {error!r}"
            assert re.match(rf"[\w.]+: (.*\b{argument}\b|.*\bunknown (word|token|feature)\b)", str(error)), f"{odd}: {error!r}"


def test_every_public_function_is_swept():
    modules = (attention, example, translation, tiny_model, real_head)
    public = {value for module in modules for name, value in vars(module).items()
              if callable(value) and not name.startswith("_") and getattr(value, "__module__", "").startswith(module.__name__)}
    without_arguments = {real_head.layer_10, real_head.maps, real_head.moles, real_head.sentences, translation.projections}
    tuples = {value for value in public if isinstance(value, type) and issubclass(value, tuple)}
    assert public - set(CALLS) - without_arguments - tuples == {example.projections, KVCache}    # names only; append is swept


@pytest.mark.parametrize("odd", ODD)
def test_projections_take_names_alone(odd):
    with pytest.raises(ValueError, match=r"^projections: unknown head "):
        example.projections(ODD[odd])
