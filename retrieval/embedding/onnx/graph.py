"""BERT as an ONNX graph, with the mean pooling and normalization of sentence-transformers.

Only standard operations: ONNX Runtime fuses them itself, and its own fused ones measured no faster. Source: Devlin et
al., BERT, 2019; Reimers and Gurevych, Sentence-BERT, 2019 (mean pooling).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from retrieval.embedding.onnx.wire import Array, GraphWriter

VERSION = 1
"""Raised when the graph changes, so that it is checked again."""

_FAR_BELOW = 1e9
"""The amount subtracted from the attention score of padding."""


class BertGraph:
    """Builds the graph of one model: `tokens` and `mask`, (batch, length), become `vectors`, (batch, hidden).

    `tokens` are 64-bit ids, `mask` is a float 1 for a token and 0 for padding. `KeyError` if a tensor is missing.
    """

    def __init__(self, config: Mapping[str, Any], tensors: Mapping[str, Array]) -> None:
        self.writer = GraphWriter()
        self._tensors = tensors
        self._hidden, self._heads = int(config["hidden_size"]), int(config["num_attention_heads"])
        self._layers, self._epsilon = int(config["num_hidden_layers"]), float(config["layer_norm_eps"])
        self._build()

    def _build(self) -> None:
        g = self.writer
        tokens, mask = g.input("tokens", "int64", ["batch", "length"]), g.input("mask", "float32", ["batch", "length"])
        bias = g.op("Mul", g.op("Sub", mask, g.constant(np.float32(1))), g.constant(np.float32(_FAR_BELOW)))
        bias = g.op("Unsqueeze", bias, g.constant([1, 2]))
        x = self._embeddings(tokens)
        for number in range(self._layers):
            x = self._layer(x, bias, f"encoder.layer.{number}.")
        g.output("vectors", self._pooled(x, mask), ["batch", self._hidden])

    def _embeddings(self, tokens: str) -> str:
        g = self.writer
        words = g.weight("words", self._tensors["embeddings.word_embeddings.weight"])
        # A single text is all of segment 0, so its vector can be added to the positions beforehand.
        segment = self._tensors["embeddings.token_type_embeddings.weight"][0]
        positions = g.weight("positions", self._tensors["embeddings.position_embeddings.weight"] + segment)
        length = g.op("Shape", tokens, start=1, end=2)
        positions = g.op("Slice", positions, g.constant([0]), length, g.constant([0]))
        return self._normal(g.op("Add", g.op("Gather", words, tokens), positions), "embeddings.LayerNorm")

    def _layer(self, x: str, bias: str, layer: str) -> str:
        g = self.writer
        seen = self._linear(self._attention(x, bias, layer + "attention.self."), layer + "attention.output.dense")
        x = self._normal(g.op("Add", seen, x), layer + "attention.output.LayerNorm")
        inner = g.op("Gelu", self._linear(x, layer + "intermediate.dense"))
        return self._normal(g.op("Add", self._linear(inner, layer + "output.dense"), x), layer + "output.LayerNorm")

    def _attention(self, x: str, bias: str, names: str) -> str:
        g, size = self.writer, self._hidden // self._heads

        def heads(name: str, order: list[int]) -> str:
            split = g.op("Reshape", self._linear(x, names + name), g.constant([0, 0, self._heads, size]))
            return g.op("Transpose", split, perm=order)

        scores = g.op("MatMul", heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1]))
        scores = g.op("Mul", scores, g.constant(np.float32(size**-0.5)))
        shares = g.op("Softmax", g.op("Add", scores, bias), axis=-1)
        mixed = g.op("Transpose", g.op("MatMul", shares, heads("value", [0, 2, 1, 3])), perm=[0, 2, 1, 3])
        return g.op("Reshape", mixed, g.constant([0, 0, self._hidden]))

    def _linear(self, x: str, name: str) -> str:
        g = self.writer
        product = g.op("MatMul", x, g.weight(name + ".weight", self._tensors[name + ".weight"].T))
        return g.op("Add", product, g.weight(name + ".bias", self._tensors[name + ".bias"]))

    def _normal(self, x: str, name: str) -> str:
        g = self.writer
        scale, shift = (g.weight(name + part, self._tensors[name + part]) for part in (".weight", ".bias"))
        return g.op("LayerNormalization", x, scale, shift, epsilon=self._epsilon, axis=-1)

    def _pooled(self, x: str, mask: str) -> str:
        """Return the normalized sum of the tokens' vectors, which equals their normalized mean."""
        g = self.writer
        total = g.op("ReduceSum", g.op("Mul", x, g.op("Unsqueeze", mask, g.constant([2]))), g.constant([1]), keepdims=0)
        return g.op("LpNormalization", total, axis=-1, p=2)
