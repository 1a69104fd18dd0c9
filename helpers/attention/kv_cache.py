"""Keys and values that are kept for the next token."""

from copy import deepcopy

import numpy as np

from .checks import read


class KVCache:
    """Keys and values of all tokens so far: each is computed once and kept.

    The room for them doubles when it is full, so a token costs the same however many came before it. What is handed
    out are read-only views of what is kept: writing into them raises. A copy of a cache shares nothing with it.

    Attributes
    ----------
    K, V : (..., T, d_k) and (..., T, d_v) ndarray, read-only
        What is kept; None in an empty cache.
    length : int
        Tokens kept.
    bytes : int
        Memory of the kept keys and values, without the room for more.

    Source: §21.

    >>> cache = KVCache()
    >>> K, V = cache.append(np.ones((3, 2)), np.ones((3, 4)))  # a prompt of three tokens
    >>> K, V = cache.append(np.ones((1, 2)), np.ones((1, 4)))  # one more
    >>> cache.length, K.shape, V.shape
    (4, (4, 2), (4, 4))
    """

    def __init__(self):
        self._K = self._V = None    # (..., room, d), of which the first `length` rows are kept
        self._length = 0

    @property
    def K(self):
        return _kept(self._K, self._length)

    @property
    def V(self):
        return _kept(self._V, self._length)

    @property
    def length(self):
        return self._length

    @property
    def bytes(self):
        return 0 if self._K is None else self.K.nbytes + self.V.nbytes

    def append(self, K, V):
        """Keep the keys and values of one or more new tokens; get those of all tokens.

        Parameters
        ----------
        K : (..., T_new, d_k) ndarray
        V : (..., T_new, d_v) ndarray

        Returns
        -------
        K : (..., T, d_k) ndarray, read-only
        V : (..., T, d_v) ndarray, read-only

        Raises
        ------
        TypeError, ValueError
            If an argument does not hold real numbers, or shapes or types do not fit what is kept; the cache is then
            unchanged.
        """
        K, V = read("KVCache.append", K=(K, "(..., T, d_k)"), V=(V, "(..., T, d_v)"))
        if self._K is not None:
            _check_fits("K", K, self.K)
            _check_fits("V", V, self.V)
        self._K, self._V = _written(self._K, self._length, K), _written(self._V, self._length, V)
        self._length += K.shape[-2]
        return self.K, self.V

    def __copy__(self):
        return deepcopy(self)


def _kept(room, length):
    if room is None:
        return None
    room.flags.writeable = False  # and so is every view of it
    return room[..., :length, :]


def _check_fits(name, new, kept):
    if kept.shape[:-2] != new.shape[:-2] or kept.shape[-1] != new.shape[-1]:
        raise ValueError(f"KVCache.append: {name} is {new.shape} but the cache holds {kept.shape}; only the number of tokens, "
                         "the second axis from the end, may differ")
    if kept.dtype != new.dtype:
        raise TypeError(f"KVCache.append: {name} is {new.dtype} but the cache holds {kept.dtype}")


def _written(room, length, new):
    """The room with the new rows behind the kept ones; another one, twice as large, where they do not fit."""
    T = length + new.shape[-2]
    if room is None or room.shape[-2] < T:
        larger = np.empty((*new.shape[:-2], max(T, 2 * length), new.shape[-1]), new.dtype)
        if length:
            larger[..., :length, :] = room[..., :length, :]
        room = larger
    room.flags.writeable = True
    room[..., length:T, :] = new
    return room
