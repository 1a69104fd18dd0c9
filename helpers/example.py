"""The sentence of the series, its features, and four heads made by hand. The numbers are in data/example.json."""

import difflib
import re
import unicodedata
from typing import NamedTuple

import numpy as np

from .attention.checks import read_integer, read_number
from .data_files import read_json, reading

_FILE = "example.json"
_DATA = read_json(_FILE)
with reading(_FILE):
    SENTENCE, FEATURES, VOCABULARY = (_DATA[key] for key in ("sentence", "features", "vocabulary"))
    DEGREES_PER_TOKEN = read_integer("example", "degrees_per_token", _DATA["degrees_per_token"], least=1)
    MOST_TOKENS = 360 // DEGREES_PER_TOKEN  # one more and the first place would come round again
    MOLE_FEATURES, MOLE_PHRASES, MOLE_VOCABULARY = (_DATA["mole"][key] for key in ("features", "phrases", "vocabulary"))
QK_COLUMNS = ["match", "cos", "sin"]  # what the columns of a hand-made Q and K mean


def tokenize(sentence, vocabulary=VOCABULARY):
    """Words and punctuation of a sentence, in lower case and with composed letters (é is one character).

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

    Source: §3; a real tokenizer cuts words into pieces (lesson 01).

    >>> tokenize("A fluffy blue creature roamed.")
    ['a', 'fluffy', 'blue', 'creature', 'roamed', '.']
    """
    if not isinstance(sentence, str):
        raise TypeError(f"tokenize: sentence must be a string, got {type(sentence).__name__}")
    known = _known("tokenize", vocabulary)
    tokens = re.findall(r"\w+|[^\w\s]", _spelled(sentence))
    if not tokens:
        raise ValueError("tokenize: sentence is empty; expected 1 to 12 words")
    if len(tokens) > MOST_TOKENS:
        raise ValueError(f"tokenize: sentence has {len(tokens)} tokens, expected at most {MOST_TOKENS}: positions stand "
                         f"{DEGREES_PER_TOKEN}° apart on a circle and would repeat")
    for token in tokens:
        if token not in known:
            near = difflib.get_close_matches(token, known, n=3, cutoff=0.5)
            hint = f" Nearest: {', '.join(near)}." if near else ""
            raise ValueError(f"tokenize: unknown word {token!r}.{hint} Known words: {' '.join(sorted(known))}")
    return tokens


def embeddings(tokens, vocabulary=VOCABULARY, features=FEATURES):
    """Look each token up: one row of features a token, equal for equal tokens.

    Parameters
    ----------
    tokens : sequence of str
        Words of the vocabulary.
    vocabulary : dict of str to dict
        Features of each word; one that is not named is 0.
    features : list of str
        The columns.

    Returns
    -------
    (T, d_model) ndarray

    Raises
    ------
    TypeError, ValueError
        For a token that is not in the vocabulary, or a feature that is no column.

    Source: §0, §1.

    >>> embeddings(["blue", "blue"])[:, FEATURES.index("blue")]
    array([1., 1.])
    """
    known, columns = _known("embeddings", vocabulary), _columns("embeddings", features)
    try:
        tokens = list(tokens)
    except TypeError:
        raise TypeError(f"embeddings: tokens must be a list of words, got {type(tokens).__name__}") from None
    E = np.zeros((len(tokens), len(columns)))
    for row, token in zip(E, tokens, strict=True):
        if not isinstance(token, str) or _spelled(token) not in known:
            raise ValueError(f"embeddings: unknown token {token!r}; expected a list of words of the vocabulary")
        row[:] = _row(f"embeddings: {token!r}", known[_spelled(token)], columns)
    return E


def positions(T, features=FEATURES):
    """Where each token stands, as a point on the unit circle in the columns cos and sin.

    Parameters
    ----------
    T : int
        Number of tokens, 1 to 12. Token i stands at the angle 30° · (i + 1).
    features : list of str
        The columns; "cos" and "sin" are among them.

    Returns
    -------
    (T, d_model) ndarray
        Zero in all other columns.

    Raises
    ------
    TypeError, ValueError
        When T is no integer, or not between 1 and 12; when a column is missing.

    >>> positions(3)[2, -2:].round(2)  # 90°
    array([0., 1.])
    """
    T, columns = read_integer("positions", "T", T, most=np.inf), _columns("positions", features)
    if not 1 <= T <= MOST_TOKENS:
        raise ValueError(f"positions: T must be 1 to {MOST_TOKENS}, got {T}")
    if not {"cos", "sin"} <= set(columns):
        raise ValueError(f"positions: features must hold 'cos' and 'sin', got {columns}")
    angles = np.deg2rad(DEGREES_PER_TOKEN) * np.arange(1, T + 1)
    P = np.zeros((T, len(columns)))
    P[:, columns.index("cos")] = np.cos(angles)
    P[:, columns.index("sin")] = np.sin(angles)
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

    Raises
    ------
    TypeError, ValueError
        When the angle is no finite number.

    >>> (np.array([0.0, 1.0]) @ rotation(90)).round(2)
    array([1., 0.])
    """
    a = np.deg2rad(read_number("rotation", "degrees", degrees))
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
        W[:, 0] = _row(f"Head {self.name!r}", self.seeks, FEATURES)
        W[_PLACE, 1:] = read_number("Head", "place", self.place) * rotation(DEGREES_PER_TOKEN * self.tokens_back)
        return W

    def W_K(self):
        """(d_model, 3) ndarray: what is offered, and the place as it is."""
        W = np.zeros((len(FEATURES), 3))
        W[:, 0] = _row(f"Head {self.name!r}", self.offers, FEATURES)
        W[_PLACE, 1:] = np.eye(2)
        return W

    def W_V(self):
        """(d_model, 3) ndarray: one column for each feature that is carried."""
        W = np.zeros((len(FEATURES), 3))
        for column, feature in enumerate(self.reads):
            W[:, column] = _row(f"Head {self.name!r}", {feature: 1}, FEATURES)
        return W

    def W_O(self):
        """(3, d_model) ndarray: each carried feature back to its own place."""
        return read_number("Head", "writes", self.writes) * self.W_V().T


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

    Source: §3, §5, §6, §12, §14, §17.

    >>> [W.shape for W in projections("adjectives")]
    [(12, 3), (12, 3), (12, 3), (3, 12)]
    """
    for name in names:
        if not isinstance(name, str) or name not in HEADS:
            raise ValueError(f"projections: unknown head {name!r}; expected one of {', '.join(HEADS)}")
    heads = [HEADS[name] for name in names or HEADS]
    W_Q, W_K, W_V = (np.hstack([make(head) for head in heads]) for make in (Head.W_Q, Head.W_K, Head.W_V))
    return W_Q, W_K, W_V, np.vstack([head.W_O() for head in heads])


def _spelled(text):
    return unicodedata.normalize("NFC", text.lower())


def _known(caller, vocabulary):
    """The vocabulary, its words spelled as those of a sentence are."""
    if not isinstance(vocabulary, dict):
        raise TypeError(f"{caller}: vocabulary must be a dict of words, got {type(vocabulary).__name__}")
    return {_spelled(word): features for word, features in vocabulary.items()}


def _columns(caller, features):
    if not isinstance(features, list | tuple):
        raise TypeError(f"{caller}: features must be a list of names, got {type(features).__name__}")
    if not all(isinstance(feature, str) for feature in features):
        raise TypeError(f"{caller}: features must be names, got {features!r}")
    return list(features)


def _row(where, strengths, columns):
    """Numbers by feature as one row, 0 for a feature that is not named."""
    if not isinstance(strengths, dict):
        raise TypeError(f"{where}: expected numbers by feature, got {strengths!r}")
    row = np.zeros(len(columns))
    for feature, strength in strengths.items():
        if feature not in columns:
            raise ValueError(f"{where}: unknown feature {feature!r}; expected one of {', '.join(columns)}")
        row[columns.index(feature)] = read_number(where, feature, strength)
    return row


with reading(_FILE):
    _PLACE = [FEATURES.index("cos"), FEATURES.index("sin")]
    HEADS = {head["name"]: Head(*(head[field] for field in Head._fields)) for head in _DATA["heads"]}
    TOKENS, X = encode()
    E, P = embeddings(TOKENS), positions(len(TOKENS))
    # every entry is used once, so that a slip in any of them shows here
    embeddings(VOCABULARY), embeddings(MOLE_VOCABULARY, MOLE_VOCABULARY, MOLE_FEATURES), projections()
    for _phrase in MOLE_PHRASES:
        tokenize(_phrase, MOLE_VOCABULARY)
X.setflags(write=False)
E.setflags(write=False)
P.setflags(write=False)
