"""The explorers of the lessons, one function each. Every one takes the reader's own sentence or arrays."""

from .embeddings import explore_tokens
from .head import explore_head
from .projections import explore_question
from .scores import explore_score

__all__ = ["explore_head", "explore_question", "explore_score", "explore_tokens"]
