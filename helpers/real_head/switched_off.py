"""What was recorded with heads of the whole model switched off, and with a text that repeats."""

from typing import NamedTuple

import numpy as np

from .files import SWITCHED_OFF, read


class SwitchedOff(NamedTuple):
    """Losses in nats a token, and the maps of a text whose second half repeats its first."""

    none_off: float  # over the eight recorded sentences, with all heads
    one_off: np.ndarray  # (layers, H), the same without this head
    tokens: list  # of the text that repeats
    maps: np.ndarray  # (layers, H, T, T), the weights of all heads on it
    losses: np.ndarray  # (T - 1,), of its tokens 1 … T - 1
    without: dict  # the same losses with the five strongest "induction" or "previous" heads off, or five "random" ones


def switched_off():
    """The recorded experiments with heads of the whole model.

    Returns
    -------
    SwitchedOff

    Raises
    ------
    FileNotFoundError, ValueError
        As `read`.

    Examples
    --------
    >>> found = switched_off()
    >>> found.one_off.shape, found.maps.shape, found.tokens[:3]
    ((30, 9), (30, 9, 23, 23), ['The', 'garden', 'seven'])
    """
    record = read(SWITCHED_OFF)
    maps = record["maps"].astype(float)
    without = {name: record[f"without_{name}"].astype(float) for name in ("induction", "previous", "random")}
    return SwitchedOff(float(record["none_off"]), record["one_off"].astype(float),
                       [token.strip() for token in record["tokens"].tolist()], maps / maps.sum(axis=-1, keepdims=True),
                       record["losses"].astype(float), without)
