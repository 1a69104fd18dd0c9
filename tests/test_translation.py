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
    assert translation.QUESTION.endswith("?")


def test_all_sizes_of_the_lesson_differ():
    _, X_source = translation.encode()
    W_Q, W_K, W_V = translation.projections()
    sizes = {*example.X.shape, *X_source.shape, *W_Q.shape, *W_K.shape, *W_V.shape}
    assert sizes == {9, 12, 10, 13, 7, 2}


def test_an_unknown_word_is_named():
    with pytest.raises(ValueError, match=r"unknown word 'creature'\. Nearest: créature"):
        translation.encode("La creature.")
