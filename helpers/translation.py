"""The sentence in other languages, and a head that looks into them. The numbers are in data/translation.json."""

import numpy as np

from . import example
from .attention.checks import read_integer, read_number
from .data_files import read_json, reading

_FILE = "translation.json"
_DATA = read_json(_FILE)
with reading(_FILE):
    SENTENCES, FEATURES, VOCABULARY = (_DATA[key] for key in ("sentences", "features", "vocabulary"))
    MATCHES = _DATA["head"]["matches"]  # the columns of Q and K
    STRENGTH = read_number("head", "strength", _DATA["head"]["strength"])
    READS = _DATA["head"]["reads"]  # the columns of V
    _FRENCH = SENTENCES["French"]
MOST_PADDING = 1000


def encode(sentence=_FRENCH, padding=0):
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
        As `helpers.example.tokenize`; when padding is no integer, or not between 0 and 1000.

    Source: §19.

    >>> tokens, X_source = encode("La créature calme errait.", padding=1)
    >>> tokens, X_source.shape
    (['la', 'créature', 'calme', 'errait', '.', 'pad'], (6, 13))
    """
    padding = read_integer("translation.encode", "padding", padding, least=0, most=MOST_PADDING)
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

    >>> [W.shape for W in projections()]
    [(12, 7), (13, 7), (13, 2)]
    """
    return STRENGTH * _select(example.FEATURES, MATCHES), _select(FEATURES, MATCHES), _select(FEATURES, READS)


def _select(features, chosen):
    """The matrix that picks the chosen features out of a row, in their order."""
    unknown = set(chosen).difference(features)
    if unknown:
        raise ValueError(f"head: unknown features {', '.join(sorted(unknown))}; expected some of {', '.join(features)}")
    return np.array([[float(feature == column) for column in chosen] for feature in features])


with reading(_FILE):  # every entry is used once, so that a slip in any of them shows here
    for _sentence in SENTENCES.values():
        encode(_sentence)
    example.embeddings(VOCABULARY, VOCABULARY, FEATURES), projections()
