"""Exercises: each check runs the reader's function on random inputs and says in a line what it saw.

To add one: in a file named after its topic, write the reference with a docstring, describe it in
one `Exercise` (inputs, what it returns, three or more `Mistake(function, why)`), and write its
`check_<name>`. Import the check below; the tests find every registered exercise by themselves.
"""

from .checking import show_solution
from .embeddings import check_lookup, check_with_position
from .projections import check_project, check_query_matrix
from .scores import check_one_score, check_scores

__all__ = [
    "check_lookup",
    "check_one_score",
    "check_project",
    "check_query_matrix",
    "check_scores",
    "check_with_position",
    "show_solution",
]
