"""The sentence of the series, its features, and four heads made by hand. The numbers are in data/example.json."""

import difflib
import numbers
import re
from typing import NamedTuple

import numpy as np

from .data_files import read_json

_DATA = read_json("example.json", "sentence", "features", "vocabulary", "degrees_per_token", "mole", "heads")
SENTENCE = _DATA["sentence"]
FEATURES = _DATA["features"]
VOCABULARY = _DATA["vocabulary"]
DEGREES_PER_TOKEN = _DATA["degrees_per_token"]
MOST_TOKENS = 360 // DEGREES_PER_TOKEN  # one more and the first place would come round again
MOLE_FEATURES, MOLE_PHRASES, MOLE_VOCABULARY = (_DATA["mole"][key] for key in ("features", "phrases", "vocabulary"))
QK_COLUMNS = ["match", "cos", "sin"]  # what the columns of a hand-made Q and K mean


def tokenize(sentence, vocabulary=VOCABULARY):
    """Words and punctuation of a sentence, in lower case.

    Parameters
    ----------
    sentence : str
        At most 12 words of the vocabulary.
    vocabulary : dict
        The known words; those of the series by default.

    Returns
    -------
    list of str

    Raises
    ------
    TypeError, ValueError
        When it is not a string, empty, too long, or holds an unknown word (the message lists the known ones).

    Source: document §3; a real tokenizer cuts words into pieces (lesson 01).

    Examples
    --------
    >>> tokenize("A fluffy blue creature roamed.")
    ['a', 'fluffy', 'blue', 'creature', 'roamed', '.']
    """
    if not isinstance(sentence, str):
        raise TypeError(f"tokenize: sentence must be a string, got {type(sentence).__name__}")
    tokens = re.findall(r"\w+|[^\w\s]", sentence.lower())
    if not tokens:
        raise ValueError("tokenize: sentence is empty; expected 1 to 12 words")
    if len(tokens) > MOST_TOKENS:
        raise ValueError(f"tokenize: sentence has {len(tokens)} tokens, expected at most {MOST_TOKENS}: positions stand "
                         f"{DEGREES_PER_TOKEN}° apart on a circle and would repeat")
    for token in tokens:
        if token not in vocabulary:
            near = difflib.get_close_matches(token, vocabulary, n=3, cutoff=0.5)
            hint = f" Nearest: {', '.join(near)}." if near else ""
            raise ValueError(f"tokenize: unknown word {token!r}.{hint} Known words: {' '.join(sorted(vocabulary))}")
    return tokens


def embeddings(tokens, vocabulary=VOCABULARY, features=FEATURES):
    """Look each token up: one row of features a token, equal for equal tokens.

    Parameters
    ----------
    tokens : sequence of str
        Words of the vocabulary.

    Returns
    -------
    (T, d_model) ndarray

    Raises
    ------
    ValueError
        For a token that is not in the vocabulary.

    Source: document §0 and §1.

    Examples
    --------
    >>> embeddings(["blue", "blue"])[:, FEATURES.index("blue")]
    array([1., 1.])
    """
    for token in tokens:
        if token not in vocabulary:
            raise ValueError(f"embeddings: unknown token {token!r}; expected a list of words of the vocabulary")
    return np.array([[vocabulary[token].get(feature, 0.0) for feature in features] for token in tokens], dtype=float)


def positions(T, features=FEATURES):
    """Where each token stands, as a point on the unit circle in the columns cos and sin.

    Parameters
    ----------
    T : int
        Number of tokens, 1 to 12. Token i stands at the angle 30° · (i + 1).

    Returns
    -------
    (T, d_model) ndarray
        Zero in all other columns.

    Raises
    ------
    TypeError, ValueError
        When T is no integer, or not between 1 and 12.

    Examples
    --------
    >>> positions(3)[2, -2:].round(2)  # 90°
    array([0., 1.])
    """
    if not isinstance(T, numbers.Integral) or isinstance(T, bool):
        raise TypeError(f"positions: T must be an integer, got {T!r}")
    if not 1 <= T <= MOST_TOKENS:
        raise ValueError(f"positions: T must be 1 to {MOST_TOKENS}, got {T}")
    angles = np.deg2rad(DEGREES_PER_TOKEN) * np.arange(1, T + 1)
    P = np.zeros((T, len(features)))
    P[:, features.index("cos")] = np.cos(angles)
    P[:, features.index("sin")] = np.sin(angles)
    return P


def encode(sentence=SENTENCE):
    """Tokens of a sentence and its matrix X = E + P.

    Returns
    -------
    tokens : list of str
    X : (T, d_model) ndarray

    Raises
    ------
    TypeError, ValueError
        As `tokenize`.

    Examples
    --------
    >>> tokens, X = encode()
    >>> len(tokens), X.shape
    (9, (9, 12))
    """
    tokens = tokenize(sentence)
    return tokens, embeddings(tokens) + positions(len(tokens))


def rotation(degrees):
    """The matrix that turns a row vector (cos, sin) back by an angle.

    Parameters
    ----------
    degrees : float

    Returns
    -------
    (2, 2) ndarray
        ``[cos a, sin a] @ rotation(b)`` is ``[cos(a - b), sin(a - b)]``.

    Examples
    --------
    >>> (np.array([0.0, 1.0]) @ rotation(90)).round(2)
    array([1., 0.])
    """
    a = np.deg2rad(degrees)
    return np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])


class Head(NamedTuple):
    """A head described in words and numbers; `projections` makes its matrices."""

    name: str
    question: str
    seeks: dict  # feature of the target -> strength of its question
    offers: dict  # feature of the source -> strength of its label
    tokens_back: float  # how far back it looks
    place: float  # how much the place counts
    reads: list  # features that the values carry
    writes: float  # factor with which they are written back

    def W_Q(self):
        """(d_model, 3) ndarray: what is sought, and the place turned back."""
        W = np.zeros((len(FEATURES), 3))
        for feature, strength in self.seeks.items():
            W[FEATURES.index(feature), 0] = strength
        W[_PLACE, 1:] = self.place * rotation(DEGREES_PER_TOKEN * self.tokens_back)
        return W

    def W_K(self):
        """(d_model, 3) ndarray: what is offered, and the place as it is."""
        W = np.zeros((len(FEATURES), 3))
        for feature, strength in self.offers.items():
            W[FEATURES.index(feature), 0] = strength
        W[_PLACE, 1:] = np.eye(2)
        return W

    def W_V(self):
        """(d_model, 3) ndarray: one column for each feature that is carried."""
        W = np.zeros((len(FEATURES), 3))
        for column, feature in enumerate(self.reads):
            W[FEATURES.index(feature), column] = 1
        return W

    def W_O(self):
        """(3, d_model) ndarray: each carried feature back to its own place."""
        return self.writes * self.W_V().T


_PLACE = [FEATURES.index("cos"), FEATURES.index("sin")]
HEADS = {head["name"]: Head(**head) for head in _DATA["heads"]}


def projections(*names):
    """The matrices of hand-made heads, side by side as multi-head attention wants them.

    Parameters
    ----------
    *names : str
        Of "adjectives", "subject", "previous", "determiner"; all four by default.

    Returns
    -------
    W_Q, W_K, W_V : (d_model, 3·H) ndarray
    W_O : (3·H, d_model) ndarray

    Raises
    ------
    ValueError
        For an unknown name.

    Source: document §3, §5, §6, §12, §14, §17.

    Examples
    --------
    >>> [W.shape for W in projections("adjectives")]
    [(12, 3), (12, 3), (12, 3), (3, 12)]
    """
    for name in names:
        if not isinstance(name, str) or name not in HEADS:
            raise ValueError(f"projections: unknown head {name!r}; expected one of {', '.join(HEADS)}")
    heads = [HEADS[name] for name in names or HEADS]
    W_Q, W_K, W_V = (np.hstack([make(head) for head in heads]) for make in (Head.W_Q, Head.W_K, Head.W_V))
    return W_Q, W_K, W_V, np.vstack([head.W_O() for head in heads])


TOKENS, X = encode()
X.setflags(write=False)
E = embeddings(TOKENS)
E.setflags(write=False)
P = positions(len(TOKENS))
P.setflags(write=False)
