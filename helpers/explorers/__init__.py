"""The explorers of the lessons, one function each. Every one takes the reader's own sentence or arrays."""

from .causal_mask import explore_mask
from .cost import explore_cost
from .cross_attention import explore_cross_attention
from .embeddings import explore_tokens
from .kv_cache import explore_cache
from .multi_head import explore_heads
from .queries_and_keys import explore_question
from .real_code import explore_dialects
from .real_head import explore_maps, explore_real_head
from .residual import explore_residual, explore_value_map
from .scaling import explore_d_k, explore_scale
from .scores import explore_score
from .single_head import explore_single_head
from .softmax import explore_orientation, explore_softmax
from .start_here import explore_head
from .training import explore_training
from .two_layers import explore_two_layers
from .values import explore_values

__all__ = [
    "explore_cache",
    "explore_cost",
    "explore_cross_attention",
    "explore_d_k",
    "explore_dialects",
    "explore_head",
    "explore_heads",
    "explore_maps",
    "explore_mask",
    "explore_orientation",
    "explore_question",
    "explore_real_head",
    "explore_residual",
    "explore_scale",
    "explore_score",
    "explore_single_head",
    "explore_softmax",
    "explore_tokens",
    "explore_training",
    "explore_two_layers",
    "explore_value_map",
    "explore_values",
]
