"""A formula with gaps: what stands right of its sign of equality is to be filled in, symbol by symbol."""

import re

COLOUR = re.compile(r"\{\\color\{#\w+\}((?:[^{}]|\{[^{}]*\})*)\}")
PARTS = re.compile(r"(\\q?quad|(?<!\\),(?:\s|\\;)*(?=[\w^{}()']+\s*=))")  # between formulas of one line
RELATION = re.compile(r"=|\\(?:approx|in|longrightarrow|xrightarrow)\b")
INDEX = r"(?:_(?:\\text\{\w+\}|\{(?:[^{}]|\{[^{}]*\})*\}|\w))"
SYMBOL = rf"(?P<symbol>-\\infty|\\sqrt\{{[^{{}}]*\}}|\b[01]\b|[A-Z]{INDEX}?(?:\^\\top|\^\{{\(h\)\}}|')?|[dqkvox]{INDEX})"
KEPT = r"\\(?:operatorname|text|mathbb|begin|end)\{[^{}]*\}|\\[a-zA-Z]+"
WORDS = re.compile(rf"{SYMBOL}|{KEPT}")
GAP = r"\boxed{\vphantom{S_k}\hspace{2.2em}}"


def plain(tex):
    r"""A formula in black.

    >>> plain(r"{\color{#007FC6}Q} = X W_Q")
    'Q = X W_Q'
    """
    return COLOUR.sub(r"\1", tex)


def with_gaps(tex):
    r"""A formula whose symbols right of the sign of equality are boxes to be filled in.

    >>> with_gaps(r"Q = X W_Q").replace(GAP, "□")
    'Q = □ □'
    >>> with_gaps(r"A = \operatorname{softmax}(\frac{QK^\top}{\sqrt{d_k}} + M)").replace(GAP, "□")
    'A = \\operatorname{softmax}(\\frac{□□}{□} + □)'
    """
    return "".join(map(_filled, PARTS.split(plain(tex))))


def _filled(part):
    relation = RELATION.search(part)
    if not relation:
        return part
    left, right = part[:relation.end()], part[relation.end():]
    return left + WORDS.sub(lambda word: GAP if word["symbol"] else word[0], right)
