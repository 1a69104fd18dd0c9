"""translation.py: the source sentences and the head that looks into them."""

import re
import unicodedata

import numpy as np
import pytest

from helpers import example, translation
from helpers.translation import FEATURES, MATCHES, READS, SENTENCES, VOCABULARY

KINDS = ["det", "adj", "noun", "verb", "conj", "end"]


@pytest.mark.parametrize("name", SENTENCES)
def test_every_sentence_is_in_the_vocabulary(name):
    tokens, X_source = translation.encode(SENTENCES[name])
    words = re.findall(r"\w+|\.", SENTENCES[name].lower())
    assert tokens == words and X_source.shape == (len(words), len(FEATURES))
    for token, row in zip(tokens, X_source, strict=True):
        assert dict(zip(FEATURES, row, strict=True)) == dict.fromkeys(FEATURES, 0) | VOCABULARY[token]


def test_the_vocabulary():
    for word, features in VOCABULARY.items():
        assert word == word.lower() == unicodedata.normalize("NFC", word)
        assert set(features) <= set(FEATURES)
        assert sum(kind in features for kind in KINDS) == (word != "pad"), word
        assert all(value in (-1, 1) for value in features.values()), word


def test_padding_has_no_features():
    tokens, X_source = translation.encode("La créature.", padding=2)
    assert tokens == ["la", "créature", ".", "pad", "pad"]
    assert not X_source[3:].any() and X_source[:3].any(axis=1).all()


def test_the_matrices_follow_from_the_description():
    W_Q, W_K, W_V = translation.projections()
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=len(example.FEATURES)), rng.normal(size=len(FEATURES))
    target, source = dict(zip(example.FEATURES, x, strict=True)), dict(zip(FEATURES, y, strict=True))
    assert (x @ W_Q).tolist() == pytest.approx([12 * target[meaning] for meaning in MATCHES])
    assert (y @ W_K).tolist() == pytest.approx([source[meaning] for meaning in MATCHES])
    assert (y @ W_V).tolist() == pytest.approx([source[feature] for feature in READS])


def test_all_sizes_of_the_lesson_differ():
    _, X_source = translation.encode()
    W_Q, W_K, W_V = translation.projections()
    sizes = {*example.X.shape, *X_source.shape, *W_Q.shape, *W_K.shape, *W_V.shape}
    assert sizes == {9, 12, 10, 13, 7, 2}


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
@pytest.mark.parametrize("name", SENTENCES)
def test_a_sentence_may_be_composed_or_not(name, form):
    """A Mac's file names and some keyboards give é as two characters and a Hangul syllable as three."""
    tokens, X_source = translation.encode(unicodedata.normalize(form, SENTENCES[name].upper()))
    expected, X_expected = translation.encode(SENTENCES[name])
    assert tokens == expected and np.array_equal(X_source, X_expected)


@pytest.mark.parametrize(("padding", "error", "message"), [
    (-1, ValueError, "at least 0, got -1"), (1001, ValueError, "at most 1000, got 1001"),
    (1.0, TypeError, "an integer, got 1.0"), (True, TypeError, "an integer, got True"),
    (None, TypeError, "an integer, got None")])
def test_padding_is_a_number_of_tokens(padding, error, message):
    with pytest.raises(error, match=rf"^translation\.encode: padding must be {message}"):
        translation.encode("la", padding=padding)


def test_an_unknown_word_is_named():
    with pytest.raises(ValueError, match=r"unknown word 'creature'\. Nearest: créature"):
        translation.encode("La creature.")
