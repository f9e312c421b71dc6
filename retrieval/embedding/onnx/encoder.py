"""Texts to vectors, synchronously: tokenizer, batches of similar length, and the runtime.

One run uses one thread, and several batches run in parallel in a pool: on few cores that beats many threads sharing one
batch, because no thread waits for the slowest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.embedding.onnx.graph import BertGraph
from retrieval.embedding.onnx.runtime import onnxruntime
from retrieval.embedding.onnx.weights import read_weights
from retrieval.embedding.onnx.wire import GraphWriter
from retrieval.errors import EmbeddingError

Vectors = NDArray[np.float32]
Tokens = Sequence[int]

BATCH_TOKENS = 1024
"""The tokens of one run, padding included, that fit a core's cache. 1024 measured best, 4096 a fifth slower."""


class Encoder:
    """A loaded model. Its methods may be called from several threads at once.

    >>> Encoder(Path("all-MiniLM-L6-v2")).encode(["a bear"]).shape  # doctest: +SKIP
    (1, 384)
    """

    def __init__(self, folder: Path) -> None:
        try:
            weights = read_weights(folder)
            graph = BertGraph(weights.config, weights.tensors).writer
            self._tokenizer = _tokenizer(folder / "tokenizer.json", weights.longest)
            self._session = _session(graph)
        except Exception as error:
            # Both libraries raise plain exceptions, and a damaged file can break anything on the way.
            raise EmbeddingError(f"{folder} can't be used: {error!r}. Install its package again") from error
        # The runtime may read these arrays as long as it lives.
        self._kept = graph.weights
        self.dimension = int(weights.config["hidden_size"])

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, shape (len(texts), dimension), one batch after the other."""
        tokens = self.tokens(texts)
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for batch in batches([len(ids) for ids in tokens]):
            vectors[batch] = self.run([tokens[index] for index in batch])
        return vectors

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """Return the token ids of each text, truncated at the model's limit; `EmbeddingError` for invalid text."""
        try:
            return [encoding.ids for encoding in self._tokenizer.encode_batch_fast(list(texts))]
        except (TypeError, ValueError) as error:
            raise EmbeddingError(f"a text can't be embedded: {error}. Remove what is not Unicode from it") from error

    def run(self, batch: Sequence[Tokens]) -> Vectors:
        """Return the unit vectors of a batch of tokens, padded to its longest."""
        shape = len(batch), max(map(len, batch))
        tokens, mask = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.float32)
        for row, ids in enumerate(batch):
            tokens[row, : len(ids)], mask[row, : len(ids)] = ids, 1
        try:
            vectors: Vectors = self._session.run(["vectors"], {"tokens": tokens, "mask": mask})[0]
        except Exception as error:
            raise EmbeddingError(f"onnxruntime failed on a batch of {shape[0]} texts: {error}") from error
        return vectors


def batches(lengths: Sequence[int], most: int = BATCH_TOKENS) -> Iterator[list[int]]:
    """Yield indexes in groups of similar length, longest first, each with at most `most` tokens once padded.

    >>> list(batches([3, 600, 2, 400], most=800))
    [[1], [3, 0], [2]]
    """
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda index: -lengths[index]):
        if batch and (len(batch) + 1) * lengths[batch[0]] > most:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def _tokenizer(path: Path, longest: int) -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(longest)
    return tokenizer


def _session(graph: GraphWriter) -> Any:
    runtime = onnxruntime()
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    values = [runtime.OrtValue.ortvalue_from_numpy(array) for array in graph.weights.values()]
    options.add_external_initializers(list(graph.weights), values)
    return runtime.InferenceSession(graph.model(), options, providers=["CPUExecutionProvider"])
