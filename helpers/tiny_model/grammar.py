"""The sentences that the tiny model learns, with the exact probability of every word.

(opener) a|the (very) texture colour noun verb a|the place-adjective place (adverb) . The two adjectives come in
either order. The verb follows from texture and colour, the adverb from the adjective of the place: to predict
them, a model must look back.
"""

import re
from typing import NamedTuple

import numpy as np

from ..attention.checks import read_indices, read_integer, read_seed

TEXTURES = ["fluffy", "scaly", "tiny", "giant"]
COLOURS = ["blue", "red", "green", "golden"]
VERBS = ["roamed", "circled", "crossed", "entered", "guarded", "haunted", "explored", "toured",
         "sketched", "mapped", "watched", "studied", "shook", "flattened", "ruled", "lit"]  # VERBS[4 texture + colour]
NOUNS = ["creature", "beast", "bird", "robot"]
PLACE_ADJECTIVES = ["verdant", "misty", "frozen", "sunlit"]
PLACES = ["forest", "valley", "island", "garden"]
ADVERBS = ["happily", "slowly", "silently", "proudly"]  # ADVERBS[place adjective]
OPENERS = ["today", "yesterday", "suddenly"]
PAD, START = "<pad>", "<s>"
VOCABULARY = [PAD, START, ".", "a", "the", "very", *OPENERS, *TEXTURES, *COLOURS, *NOUNS, *VERBS, *PLACE_ADJECTIVES,
              *PLACES, *ADVERBS]
ID = {word: number for number, word in enumerate(VOCABULARY)}
LENGTH = 14  # positions; the longest sentence takes 13, with the start


class Corpus(NamedTuple):
    """Sentences as ids, with what a perfect model would lose on each next word."""

    ids: np.ndarray  # (n, LENGTH) int, 0 after the end
    surprise: np.ndarray  # (n, LENGTH) nats: −log of the true probability of token t + 1 after tokens 0 … t
    places: np.ndarray  # (n, 5) int: where noun, texture or colour, the other one, place, place adjective stand

    @property
    def floor(self):
        """The mean surprise in nats a token: no model without foresight can have a lower loss."""
        return float(self.surprise.sum() / (self.ids[:, 1:] != 0).sum())


def _sentence(rng):
    """Words, the chance of each after those before it, and where `Corpus.places` are."""
    words, chances = [START], []

    def put(word, chance):
        words.append(word)
        chances.append(chance)

    def pick(options):
        chosen = rng.integers(len(options))
        put(options[chosen], 1 / len(options))
        return chosen

    opener, article = rng.random(), _article(rng)
    if opener < 0.6:
        put(OPENERS[int(opener // 0.2)], 0.2)
    put(article, 0.5 if opener < 0.6 else 0.4 * 0.5)
    texture, colour, in_order = rng.integers(4), rng.integers(4), rng.random() < 0.5
    first, second = (TEXTURES[texture], COLOURS[colour])[::1 if in_order else -1]
    very = rng.random() < 0.25
    if very:
        put("very", 0.25)
    put(first, 1 / 8 if very else 0.75 / 8)
    put(second, 1 / 4)
    pick(NOUNS)
    noun = len(words) - 1
    put(VERBS[4 * texture + colour], 1)
    put(_article(rng), 0.5)
    place = pick(PLACE_ADJECTIVES)
    pick(PLACES)
    at = (noun, noun - 2, noun - 1, len(words) - 1, len(words) - 2)
    ends_here = rng.random() >= 0.5
    if not ends_here:
        put(ADVERBS[place], 0.5)
    put(".", 0.5 if ends_here else 1)
    return words, chances, at


def _article(rng):
    return "a" if rng.random() < 0.5 else "the"


def corpus(n, seed):
    """Draw sentences.

    Parameters
    ----------
    n : int
        How many, at least one.
    seed : int

    Returns
    -------
    Corpus

    Raises
    ------
    TypeError, ValueError
        When n or seed is no integer, or too small.

    >>> " ".join(decode(corpus(1, seed=0).ids[0]))
    'a scaly blue bird guarded the sunlit garden .'
    """
    n, rng = read_integer("corpus", "n", n, least=1), np.random.default_rng(read_seed("corpus", seed))
    ids, surprise, places = np.zeros((n, LENGTH), int), np.zeros((n, LENGTH)), np.zeros((n, 5), int)
    for i in range(n):
        words, chances, places[i] = _sentence(rng)
        ids[i, : len(words)] = [ID[word] for word in words]
        surprise[i, : len(chances)] = -np.log(chances)
    return Corpus(ids, surprise, places)


def encode(sentence):
    """Ids of a sentence, the start before it and padding after it: (1, LENGTH) int.

    Raises
    ------
    TypeError, ValueError
        When it is no string, for a word that the language does not have, or too many.

    >>> encode("A fluffy blue creature.").shape
    (1, 14)
    """
    if not isinstance(sentence, str):
        raise TypeError(f"encode: sentence must be a string, got {type(sentence).__name__}")
    words = re.findall(r"\w+|[^\w\s]", sentence.lower())
    unknown = [word for word in words if word not in ID]
    if unknown:
        raise ValueError(f"encode: unknown word {unknown[0]!r}; known: {' '.join(VOCABULARY[2:])}")
    if len(words) >= LENGTH:
        raise ValueError(f"encode: sentence has {len(words)} words, expected at most {LENGTH - 1}")
    ids = np.zeros((1, LENGTH), int)
    ids[0, : len(words) + 1] = [ID[word] for word in [START, *words]]
    return ids


def decode(ids):
    """Words of a row of ids, without start and padding: list of str."""
    ids = read_indices("decode", "ids", ids, "(T,)", len(VOCABULARY))
    return [VOCABULARY[i] for i in ids if VOCABULARY[i] not in (PAD, START)]


def _any(words):
    return f"({'|'.join(words)})"


_FORM = re.compile(rf"(?:{_any(OPENERS)} )?(?:a|the) (?:very )?{_any(TEXTURES + COLOURS)} {_any(TEXTURES + COLOURS)} "
                   rf"{_any(NOUNS)} {_any(VERBS)} (?:a|the) {_any(PLACE_ADJECTIVES)} {_any(PLACES)}(?: {_any(ADVERBS)})? \.")


def is_grammatical(words):
    """Whether a list of words is a sentence of the language, whatever verb and adverb it uses."""
    if isinstance(words, str) or not np.iterable(words) or not all(isinstance(word, str) for word in words):
        raise TypeError(f"is_grammatical: words must be a list of words, got {words!r}")
    found = _FORM.fullmatch(" ".join(words))
    return found is not None and (found[2] in TEXTURES) != (found[3] in TEXTURES)


def is_true(words):
    """Whether verb and adverb, too, are the ones that the adjectives demand."""
    if not is_grammatical(words):
        return False
    _, one, other, _, verb, place, _, adverb = _FORM.fullmatch(" ".join(words)).groups()
    texture, colour = (one, other) if one in TEXTURES else (other, one)
    return (verb == VERBS[4 * TEXTURES.index(texture) + COLOURS.index(colour)]
            and adverb in (None, ADVERBS[PLACE_ADJECTIVES.index(place)]))
