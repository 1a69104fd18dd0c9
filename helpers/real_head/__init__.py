"""One attention layer of a real model, SmolLM2-135M-Instruct: its weights, its computation, and what was recorded."""

from .files import read
from .layer import D_K, EPS, H_KV, THETA, H, Layer, Run, dequantise, layer_10, repeat_heads, rms_norm, rotate, run, update_parts
from .records import MOLES, Sentence, maps, moles, sentences

__all__ = [
    "D_K",
    "EPS",
    "H_KV",
    "MOLES",
    "THETA",
    "H",
    "Layer",
    "Run",
    "Sentence",
    "dequantise",
    "layer_10",
    "maps",
    "moles",
    "read",
    "repeat_heads",
    "rms_norm",
    "rotate",
    "run",
    "sentences",
    "update_parts",
]
