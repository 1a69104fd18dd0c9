"""What was recorded from the whole model: inputs of layer 10, the maps of all heads, and *mole* layer by layer."""

from typing import NamedTuple

import numpy as np

from .files import RECORDS, read

MOLES = {
    "animal": ("The American shrew mole", "The garden was dug up by a furry mole",
               "Worms are eaten underground by the mole", "Our cat caught a blind burrowing mole"),
    "chemistry": ("To find the mass of carbon dioxide, take one mole", "The number of atoms in one mole",
                  "In grams, the oxygen gas weighs 32 per mole", "The solution contained 0.5 mole"),
    "skin": ("The doctor removed a dark mole", "She had freckles and on her cheek a mole",
             "The dermatologist took a biopsy of the mole", "Skin cancer can begin in a mole"),
    "document": ("American shrew mole", "one mole of carbon dioxide", "a mole on the skin")}


class Sentence(NamedTuple):
    """A recorded sentence: its text, its tokens, and the rows that reach layer 10."""

    text: str
    tokens: list
    X: np.ndarray  # (T, d_model)


def sentences():
    """The eight recorded sentences; the first is that of the series.

    Returns
    -------
    list of Sentence

    Raises
    ------
    FileNotFoundError, ValueError
        As `read`.

    >>> sentences()[0].tokens[6:9]
    ['ver', 'd', 'ant']
    """
    records = read(RECORDS)
    count = sum(name.startswith("tok_") for name in records)
    pieces = [records[f"tok_{n}"].tolist() for n in range(count)]
    return [Sentence("".join(tokens), [token.strip() for token in tokens], records[f"x10_{n}"].astype(float))
            for n, tokens in enumerate(pieces)]


def maps():
    """The weights of all heads on the sentence of the series: (30 layers, 9 heads, T, T) ndarray.

    They were stored in 16 bits; the rows are divided by their sums, so that they are shares again.

    Raises
    ------
    FileNotFoundError, ValueError
        As `read`.

    >>> maps()[10, 6, 3, 1:3].round(2)
    array([0.43, 0.44])
    """
    stored = read(RECORDS)["att_all"].astype(float)
    return stored / stored.sum(axis=-1, keepdims=True)


def moles():
    """The row of *mole* in each phrase of `MOLES`, from the embedding to the end of layer 29.

    Returns
    -------
    dict of str to (phrases, 31, d_model) ndarray

    Raises
    ------
    FileNotFoundError, ValueError
        As `read`.

    >>> {sense: rows.shape[:2] for sense, rows in moles().items()}
    {'animal': (4, 31), 'chemistry': (4, 31), 'skin': (4, 31), 'document': (3, 31)}
    """
    rows = read(RECORDS)["mole"].astype(float)
    ends = np.cumsum([len(phrases) for phrases in MOLES.values()])[:-1]
    return dict(zip(MOLES, np.split(rows, ends), strict=True))
