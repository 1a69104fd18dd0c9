"""A language small enough to know its entropy, a model small enough to train in a second, and its training."""

from .grammar import ADVERBS, PLACE_ADJECTIVES, VERBS, VOCABULARY, Corpus, corpus, decode, encode, is_grammatical, is_true
from .model import TinyModel
from .training import Adam, generate, train

__all__ = ["ADVERBS", "PLACE_ADJECTIVES", "VERBS", "VOCABULARY", "Adam", "Corpus", "TinyModel", "corpus", "decode", "encode",
           "generate", "is_grammatical", "is_true", "train"]
