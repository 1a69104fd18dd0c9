"""Exercises: each check runs the reader's function on random inputs and on edges, and says in a line what it saw.

To add one: in the file of its topic, write the reference with a docstring and make `check_<name> = Exercise(...)` of
it: inputs, what it returns, its edges, and the slips that only it has; those of `slips.py` come by themselves where
the reference has their step. Import the check below; the tests find every registered exercise by themselves.
"""

from .causal_mask import check_masked, check_masked_weights
from .checking import show_solution
from .cost import check_online_step, check_score_multiplications
from .cross_attention import check_cross_attention, check_padded_weights
from .embeddings import check_lookup, check_with_position
from .handing_in import report
from .kv_cache import check_cache_megabytes, check_cached_step
from .multi_head import check_project_heads, check_split_heads
from .queries_and_keys import check_project, check_query_matrix
from .real_code import check_attend_heads
from .real_head import check_repeat_heads, check_rotate
from .residual import check_residual, check_value_map
from .review import check_shape_table
from .scaling import check_scaled_scores, check_tokens_looked_at
from .scores import check_one_score, check_scores
from .single_head import check_head_shapes, check_single_head
from .softmax import check_row_softmax, check_weights
from .training import check_mean_loss, check_next_token_targets
from .two_layers import check_induction_score
from .values import check_one_output, check_outputs

__all__ = [
    "check_attend_heads", "check_cache_megabytes", "check_cached_step", "check_cross_attention", "check_head_shapes",
    "check_induction_score",
    "check_lookup", "check_masked", "check_masked_weights", "check_mean_loss", "check_next_token_targets",
    "check_one_output", "check_one_score", "check_online_step", "check_outputs", "check_padded_weights", "check_project",
    "check_project_heads", "check_query_matrix", "check_repeat_heads", "check_residual", "check_rotate",
    "check_row_softmax", "check_scaled_scores", "check_score_multiplications", "check_scores", "check_shape_table",
    "check_single_head", "check_split_heads", "check_tokens_looked_at", "check_value_map", "check_weights",
    "check_with_position", "report", "show_solution"]
