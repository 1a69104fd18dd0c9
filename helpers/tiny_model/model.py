"""A language model that is attention and nothing else, with its backward pass written out."""

import numpy as np

from ..attention import attention, causal_mask, concat_heads, split_heads
from ..attention.checks import read_flag, read_indices, read_integer, read_seed
from .grammar import LENGTH, VOCABULARY


class TinyModel:
    """X = E[ids] + P; in each layer X ← X + concat(heads) W_O; scores of the next word X U.

    Parameters
    ----------
    d_model, d_k : int
        Widths; values are as wide as keys.
    H, layers : int
        Heads in a layer, and layers.
    seed : int
        Decides the random start.
    causal, scaled : bool
        Whether attention is masked, and divided by √d_k.
    dtype : dtype
        float32, or float64 for checking gradients.
    vocabulary, length : int
        How many tokens there are, and how many of them a text holds at most; those of the tiny language by default.

    Attributes
    ----------
    parameters : dict of str to ndarray
        E (vocabulary, d_model), P (length, d_model), U (d_model, vocabulary), and for layer l: W_Q·l, W_K·l, W_V·l
        (d_model, H·d_k), W_O·l (H·d_k, d_model), under names like "W_Q0".

    Raises
    ------
    TypeError, ValueError
        When a size is no integer or too small, or dtype is no type of floats.
    """

    def __init__(self, d_model=32, H=1, d_k=16, layers=1, seed=0, causal=True, scaled=True, dtype=np.float32,
                 vocabulary=None, length=LENGTH):
        vocabulary = len(VOCABULARY) if vocabulary is None else vocabulary
        sizes = {"d_model": d_model, "H": H, "d_k": d_k, "layers": layers, "vocabulary": vocabulary, "length": length}
        for name, size in sizes.items():
            read_integer("TinyModel", name, size, least=1)
        if not isinstance(dtype, type | np.dtype) or dtype not in (np.float16, np.float32, np.float64):
            raise TypeError(f"TinyModel: dtype must be float16, float32 or float64, got {dtype!r}")
        rng = np.random.default_rng(read_seed("TinyModel", seed))
        self.H, self.layers, self.vocabulary, self.length = H, layers, vocabulary, length
        self.causal = read_flag("TinyModel", "causal", causal)
        self.scale = d_k**-0.5 if read_flag("TinyModel", "scaled", scaled) else 1.0

        def random(rows, columns, spread):
            return (rng.standard_normal((rows, columns)) * spread).astype(dtype)

        self.parameters = {"E": random(vocabulary, d_model, 0.5), "P": random(length, d_model, 0.5),
                           "U": random(d_model, vocabulary, d_model**-0.5)}
        for layer in range(layers):
            for name in ("W_Q", "W_K", "W_V"):
                self.parameters[f"{name}{layer}"] = random(d_model, H * d_k, d_model**-0.5)
            self.parameters[f"W_O{layer}"] = random(H * d_k, d_model, (H * d_k) ** -0.5)

    def mask(self, ids, causal=None):
        """Which tokens may be looked at: no padding and, when causal, nothing later. (B, 1, T, T) of 0 and −∞."""
        ids = self._ids("mask", ids)
        T = ids.shape[1]
        padding = np.where(ids == 0, -np.inf, 0.0)[:, None, None, :]  # (B, 1, 1, T)
        causal = self.causal if causal is None else read_flag("mask", "causal", causal)
        future = causal_mask(T) if causal else np.zeros((T, T))
        return padding + future

    @np.errstate(over="ignore", invalid="ignore")
    def forward(self, ids, causal=None):
        """Scores of the next word at every position, and what the backward pass needs.

        Parameters
        ----------
        ids : (B, T) int array
        causal : bool, optional
            Overrides the model's own mask, to show a model only what came before.

        Returns
        -------
        logits : (B, T, V) ndarray
        trace : list
            Of each layer: X, Q, K, V and the `Attention` of all heads; at the end the last X.

        Raises
        ------
        TypeError, ValueError
            When ids are none of the vocabulary, have not two axes, or more than ``length`` tokens.
        """
        ids = self._ids("forward", ids)
        p, mask, trace = self.parameters, self.mask(ids, causal), []
        X = p["E"][ids] + p["P"][: ids.shape[1]]  # (B, T, d_model)
        for layer in range(self.layers):
            Q, K, V = (split_heads(X @ p[f"{name}{layer}"], self.H) for name in ("W_Q", "W_K", "W_V"))  # (B, H, T, d_k)
            heads = attention(Q, K, V, mask, self.scale)
            trace.append((X, Q, K, V, heads))
            X = X + concat_heads(heads.O) @ p[f"W_O{layer}"]  # (B, T, d_model)
        trace.append(X)
        return X @ p["U"], trace

    def weights(self, ids, layer=0):
        """Attention weights of a layer: (B, H, T, T)."""
        layer = read_integer("weights", "layer", layer, least=0, most=self.layers - 1)
        return self.forward(ids)[1][layer][4].A

    @np.errstate(over="ignore", invalid="ignore")
    def loss(self, ids, causal=None):
        """Mean loss in nats a token, and the loss of each prediction.

        Returns
        -------
        mean : float
        each : (B, T − 1) ndarray
            0 where there is nothing to predict.
        """
        inputs, targets = self._pairs("loss", ids)
        log_p = _log_softmax(self.forward(inputs, causal)[0])  # (B, T - 1, V)
        counts = targets != 0
        each = -np.take_along_axis(log_p, targets[..., None], axis=-1)[..., 0] * counts
        return float(each.sum() / counts.sum()), each

    @np.errstate(over="ignore", invalid="ignore")
    def gradients(self, ids):
        """Loss, and its derivative by every parameter: the forward pass, then each step backwards.

        Parameters
        ----------
        ids : (B, T) int array

        Returns
        -------
        loss : float
        gradients : dict of str to ndarray
            Names and shapes of ``parameters``.
        """
        p, (inputs, targets) = self.parameters, self._pairs("gradients", ids)
        logits, trace = self.forward(inputs)
        counts = targets != 0
        shares = (counts / counts.sum()).astype(logits.dtype)  # each prediction's share in the mean; 0 for padding
        log_p = _log_softmax(logits)  # (B, T, V)
        right = (*np.indices(targets.shape), targets)
        loss = -float((log_p[right] * shares).sum())

        d_logits = np.exp(log_p)  # softmax and cross-entropy together: p, less 1 at the right word
        d_logits[right] -= 1
        d_logits *= shares[..., None]
        g = {"U": _over_all(trace[-1], d_logits)}
        dX = d_logits @ p["U"].T  # (B, T, d_model)
        for layer in reversed(range(self.layers)):
            X, Q, K, V, heads = trace[layer]
            A = heads.A
            g[f"W_O{layer}"] = _over_all(concat_heads(heads.O), dX)
            dO = split_heads(dX @ p[f"W_O{layer}"].T, self.H)  # (B, H, T, d_k)
            dV = A.swapaxes(-1, -2) @ dO
            dA = dO @ V.swapaxes(-1, -2)  # (B, H, T, T)
            dS = A * (dA - (dA * A).sum(axis=-1, keepdims=True))  # softmax's Jacobian
            dS *= A.dtype.type(self.scale)
            for name, d in (("W_Q", dS @ K), ("W_K", dS.swapaxes(-1, -2) @ Q), ("W_V", dV)):
                d = concat_heads(d)  # (B, T, H·d_k)
                g[f"{name}{layer}"] = _over_all(X, d)
                dX = dX + d @ p[f"{name}{layer}"].T  # the residual connection: dX itself goes on
        g["P"] = np.zeros_like(p["P"])
        g["P"][: inputs.shape[1]] = dX.sum(axis=0)
        g["E"] = np.zeros_like(p["E"])
        np.add.at(g["E"], inputs.ravel(), _flat(dX))
        return loss, g

    def _ids(self, caller, ids, most=None):
        """Sentences as an array of ids, with as many tokens as there are positions at most."""
        ids, most = read_indices(caller, "ids", ids, "(B, T)", self.vocabulary), most or self.length
        if ids.shape[1] > most:
            raise ValueError(f"{caller}: ids have {ids.shape[1]} tokens, expected at most {most}")
        return ids

    def _pairs(self, caller, ids):
        """All tokens but the last, and the one after each: (B, T − 1) twice."""
        ids = self._ids(caller, ids, most=self.length + 1)
        if not ids[:, 1:].any():
            raise ValueError(f"{caller}: ids hold no token to predict, got shape {ids.shape}")
        return ids[:, :-1], ids[:, 1:]


def _log_softmax(logits):
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def _over_all(X, d):
    """Xᵀ d over all tokens of all sentences. Without BLAS, in a browser, numpy wants Xᵀ in one piece."""
    return np.ascontiguousarray(_flat(X).T) @ _flat(d)


def _flat(array):
    return array.reshape(-1, array.shape[-1])
