"""The mathematics of attention: numpy only, no input or output, no plotting.

Rows are tokens. T tokens (T_q targets, T_k sources), widths d_model, d_k, d_v, H heads; "..."
stands for any leading batch and head axes. Every function takes integers (they become float64),
float16 (computed in float32, returned as float16) and wider floats (type kept), and leaves its
input unchanged.
"""

from .core import Attention, attention, causal_mask, softmax
from .kv_cache import KVCache
from .multi_head import MultiHead, concat_heads, multi_head, split_heads
from .tiled import tiled_attention

__all__ = [
    "Attention", "KVCache", "MultiHead", "attention", "causal_mask", "concat_heads", "multi_head", "softmax", "split_heads",
    "tiled_attention"]
