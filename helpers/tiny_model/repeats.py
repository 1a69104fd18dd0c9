"""Random text in which a stretch of unknown length repeats, and how well it can be predicted at best."""

import string
from typing import NamedTuple

import numpy as np

from ..attention.checks import read_integer, read_seed

LETTERS = string.ascii_lowercase[:20]
SYMBOLS = ["", "<s>", *LETTERS]  # by id: padding (not used here), the start, and the twenty letters
SHORTEST, LONGEST = 5, 10  # letters of a stretch
TEXT = 20  # letters of a text


class Repeats(NamedTuple):
    """Texts, the stretch of each, and how surprising each next letter is to somebody who knows the rule."""

    ids: np.ndarray  # (n, TEXT + 1) int, the start first
    stretch: np.ndarray  # (n,) letters until the repetition
    surprise: np.ndarray  # (n, TEXT) nats: −log of the true probability of token t + 1 after tokens 0 … t

    @property
    def certain(self):
        """Where the next letter is certain, for the repetition has begun: (n, TEXT) bool."""
        return np.arange(TEXT) > self.stretch[:, None]


def repeats(n, seed=0):
    """Draw texts: some letters, each another, again and again.

    Parameters
    ----------
    n : int
        How many texts.
    seed : int

    Returns
    -------
    Repeats

    Raises
    ------
    TypeError, ValueError
        When n or seed is no integer, or negative.

    >>> text = repeats(1)
    >>> "".join(SYMBOLS[i] for i in text.ids[0, 1:]), int(text.stretch[0])
    ('etgcnqdlkietgcnqdlki', 10)
    """
    n, rng = read_integer("repeats", "n", n, least=0), np.random.default_rng(read_seed("repeats", seed))
    stretch = rng.integers(SHORTEST, LONGEST + 1, size=n)
    order = rng.permuted(np.tile(np.arange(len(LETTERS)), (n, 1)), axis=1)  # every text its own order of the letters
    place = np.arange(TEXT) % stretch[:, None]  # (n, TEXT)
    letters = np.take_along_axis(order, place, axis=1)
    ids = np.concatenate([np.ones((n, 1), int), letters + 2], axis=1)
    return Repeats(ids, stretch, _surprise(stretch))


def _surprise(stretch):
    """−log of the chance of each letter: a new one is drawn from those left, the stretch may end from SHORTEST on."""
    t = np.arange(TEXT)  # letters seen before
    ends = np.where(t < SHORTEST, 0.0, 1 / np.maximum(LONGEST + 1 - t, 1))  # chance that the stretch ends here
    with np.errstate(divide="ignore"):
        new, end = -np.log((1 - ends) / np.maximum(len(LETTERS) - t, 1)), -np.log(ends)
    return np.where(t < stretch[:, None], new, np.where(t == stretch[:, None], end, 0.0))
