"""The encoder as an `Embedder`: loaded and checked once, on first use, and run in its own threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from retrieval.embedding.onnx.check import TEXTS, check_vectors, is_checked, record_path, write_record
from retrieval.embedding.onnx.encoder import BATCH_TOKENS, Encoder, Vectors, batches
from retrieval.embedding.onnx.recorded import RECORDINGS, recorded_vectors
from retrieval.embedding.onnx.weights import fingerprint, stamps
from retrieval.embedding.protocol import Embedder
from retrieval.processes.threads import background, processors

Notify = Callable[[str], None]
"""Called with a sentence for the user."""

SMALLEST_SHARE = 64
"""Fewer tokens than this are not divided further."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """A loaded model, the fingerprint of its files, and the path of its check record."""

    encoder: Encoder
    digest: str
    record: Path


class OnnxEmbedder:
    """The weights in `folder`, run by ONNX Runtime on the processor.

    If `cache` has no record that the vectors equal those of sentence-transformers, they are compared with the recording
    in `recordings` for these weights; without a recording, with those of `reference`, which has the same weights. Every
    failure is an `EmbeddingError`, that of the comparison included.

    >>> OnnxEmbedder(SentenceTransformerEmbedder(), bundled_weights(DEFAULT_MODEL), cache, print)  # doctest: +SKIP
    """

    def __init__(
        self,
        reference: Embedder,
        folder: Path,
        cache: Path,
        notify: Notify,
        workers: int | None = None,
        recordings: Path = RECORDINGS,
    ) -> None:
        self.name = reference.name
        self._reference, self._folder, self._cache, self._notify = reference, folder, cache, notify
        self._recordings = recordings
        self._workers = workers or processors()
        self._pool = background(self._workers, "versus-embed")
        self._encoder: Encoder | None = None
        self._begun: Future[_Opened] | None = None
        self._loading = asyncio.Lock()

    @property
    def dimension(self) -> int | None:
        """The length of the vectors; `None` until the model is loaded."""
        return None if self._encoder is None else self._encoder.dimension

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, shape (len(texts), dimension)."""
        encoder = await self.load()
        loop = asyncio.get_running_loop()
        tokens = await loop.run_in_executor(self._pool, encoder.tokens, texts)
        vectors = np.empty((len(texts), encoder.dimension), dtype=np.float32)

        async def run(batch: list[int]) -> None:
            # Cancelling drops the batches that no thread has started.
            vectors[batch] = await loop.run_in_executor(self._pool, encoder.run, [tokens[index] for index in batch])

        lengths = [len(ids) for ids in tokens]
        # A few queries are divided too: no core should wait while another works.
        most = min(BATCH_TOKENS, max(SMALLEST_SHARE, -(-sum(lengths) // self._workers)))
        await asyncio.gather(*(run(batch) for batch in batches(lengths, most)))
        return vectors

    def begin(self) -> Future[_Opened]:
        """Start loading the model in the background, so that other work need not wait; its vectors are not checked yet.

        A failure is raised when the vectors are needed.
        """
        if self._begun is None:
            self._begun = self._pool.submit(self._open)
        return self._begun

    async def load(self) -> Encoder:
        """Return the model, loaded and checked on the first call; `EmbeddingError` if that fails."""
        async with self._loading:
            if self._encoder is None:
                # Shielded, so that a cancelled caller does not cancel the loading for the next one.
                opened = await asyncio.shield(asyncio.wrap_future(self.begin()))
                if not await asyncio.to_thread(is_checked, opened.record):
                    await self._prove(opened)
                self._encoder = opened.encoder
            return self._encoder

    def _open(self) -> _Opened:
        encoder, digest = _read(self._folder, stamps(self._folder))
        return _Opened(encoder, digest, record_path(self._cache, self.name, digest))

    async def _prove(self, opened: _Opened) -> None:
        recorded = await asyncio.to_thread(recorded_vectors, self._recordings, self.name, opened.digest)
        if recorded is None:
            self._notify(
                f"comparing the quick form of {self.name} with sentence-transformers; this takes some seconds, once"
            )
            recorded = await self._reference.embed(TEXTS)
        ours = await asyncio.to_thread(opened.encoder.encode, TEXTS)
        try:
            await asyncio.to_thread(write_record, opened.record, check_vectors(ours, recorded))
        except OSError as error:
            self._notify(
                f"the vectors of {self.name} are checked again in the next process,"
                f" since {opened.record.parent} can't be written: {error}"
            )


@lru_cache(maxsize=1)
def _read(folder: Path, _: tuple[tuple[int, int, int] | None, ...]) -> tuple[Encoder, str]:
    """Load a model and the fingerprint of its files; all embedders of the process share it until its files change.

    A server opens one agent for each collection, and each would load the same hundred megabytes.
    """
    return Encoder(folder), fingerprint(folder)
