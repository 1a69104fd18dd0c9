"""Keys and values that are kept for the next token."""

import numpy as np

from .checks import agree, agree_leading, read_floats


class KVCache:
    """Keys and values of all tokens so far: each is computed once and kept.

    Attributes
    ----------
    length : int
        Tokens kept.
    bytes : int
        Memory of the kept keys and values.

    Source: §21.

    >>> cache = KVCache()
    >>> K, V = cache.append(np.ones((3, 2)), np.ones((3, 4)))  # a prompt of three tokens
    >>> K, V = cache.append(np.ones((1, 2)), np.ones((1, 4)))  # one more
    >>> cache.length, K.shape, V.shape
    (4, (4, 2), (4, 4))
    """

    def __init__(self):
        self.K = self.V = None

    @property
    def length(self):
        """Tokens kept."""
        return 0 if self.K is None else self.K.shape[-2]

    @property
    def bytes(self):
        """Memory of the kept keys and values."""
        return 0 if self.K is None else self.K.nbytes + self.V.nbytes

    def append(self, K, V):
        """Keep the keys and values of one or more new tokens; get those of all tokens.

        Parameters
        ----------
        K : (..., T_new, d_k) ndarray
        V : (..., T_new, d_v) ndarray

        Returns
        -------
        K : (..., T, d_k) ndarray
        V : (..., T, d_v) ndarray

        Raises
        ------
        TypeError, ValueError
            If an argument does not hold real numbers, or shapes or types do not fit what is kept; the cache is then
            unchanged.
        """
        K, V = read_floats("KVCache.append", "K", K, "(..., T, d_k)"), read_floats("KVCache.append", "V", V, "(..., T, d_v)")
        agree("KVCache.append", "T", "K", K, -2, "V", V, -2)
        agree_leading("KVCache.append", K=K, V=V)
        if self.K is not None:
            K, V = _joined("K", self.K, K), _joined("V", self.V, V)
        else:
            K, V = K.copy(), V.copy()
        self.K, self.V = K, V
        return K, V


def _joined(name, kept, new):
    if kept.shape[:-2] != new.shape[:-2] or kept.shape[-1] != new.shape[-1]:
        raise ValueError(f"KVCache.append: {name} is {new.shape} but the cache holds {kept.shape}; only the number of tokens, "
                         "the second axis from the end, may differ")
    if kept.dtype != new.dtype:
        raise TypeError(f"KVCache.append: {name} is {new.dtype} but the cache holds {kept.dtype}")
    return np.concatenate([kept, new], axis=-2)
