"""The sentence in other languages, and a head that looks into them. The numbers are in data/translation.json."""

import numpy as np

from . import example
from .data_files import read_json

_DATA = read_json("translation.json", "sentences", "features", "vocabulary", "head")
SENTENCES = _DATA["sentences"]
FEATURES = _DATA["features"]
VOCABULARY = _DATA["vocabulary"]
QUESTION = _DATA["head"]["question"]
MATCHES = _DATA["head"]["matches"]  # the columns of Q and K
STRENGTH = _DATA["head"]["strength"]
READS = _DATA["head"]["reads"]  # the columns of V


def encode(sentence=SENTENCES["French"], padding=0):
    """Tokens of a source sentence and its matrix, without positions: the head seeks meanings, not places.

    Parameters
    ----------
    sentence : str
        At most 12 words of the vocabulary.
    padding : int
        How many tokens without features stand after it.

    Returns
    -------
    tokens : list of str
    X_source : (T_k, d_source) ndarray

    Raises
    ------
    TypeError, ValueError
        As `helpers.example.tokenize`.

    Source: document §19.

    Examples
    --------
    >>> tokens, X_source = encode("La créature calme errait.", padding=1)
    >>> tokens, X_source.shape
    (['la', 'créature', 'calme', 'errait', '.', 'pad'], (6, 13))
    """
    tokens = example.tokenize(sentence, VOCABULARY) + padding * ["pad"]
    return tokens, example.embeddings(tokens, VOCABULARY, FEATURES)


def projections():
    """The matrices of the head: a target seeks each meaning that it has, a source offers each that it has.

    Returns
    -------
    W_Q : (d_model, d_k) ndarray
        Reads the features of `helpers.example`.
    W_K : (d_source, d_k) ndarray
    W_V : (d_source, d_v) ndarray
        Read the features of this module.

    Examples
    --------
    >>> [W.shape for W in projections()]
    [(12, 7), (13, 7), (13, 2)]
    """
    return STRENGTH * _select(example.FEATURES, MATCHES), _select(FEATURES, MATCHES), _select(FEATURES, READS)


def _select(features, chosen):
    """The matrix that picks the chosen features out of a row, in their order."""
    return np.array([[float(feature == column) for column in chosen] for feature in features])
