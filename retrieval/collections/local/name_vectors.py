"""The vectors of the names in a collection's tables, so that a question that is compared with them embeds only itself.

They are a cache in a file beside the vault, filled at ingestion: whatever is lost or damaged is embedded anew, and what
belongs to other models or chunks that are gone does no harm.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from retrieval.collections.local.row_sums import is_sound, summed, text_key
from retrieval.embedding.protocol import Embedder, embed_all
from retrieval.errors import EmbeddingError
from retrieval.stores.store import Vectors
from retrieval.tables.index import CellIndex
from retrieval.tables.listing import names_of

log = logging.getLogger(__name__)

NAMES = "names.sqlite3"
_SCHEMA = "create table if not exists names (key blob primary key, vector blob not null, checksum blob not null) strict"
_PATIENCE = 1.0
"""The most seconds to wait for a process that is writing."""


class NameVectors:
    """The stored vectors of one embedding model's texts. None of the methods fails; all but `embed` block."""

    def __init__(self, folder: Path, model: str) -> None:
        self._path, self._model = folder / NAMES, model
        self._turn = threading.Lock()
        self._reading: sqlite3.Connection | None = None

    async def embed(self, cells: CellIndex, chunk_ids: Sequence[str], embedder: Embedder) -> None:
        """Embed and store those names in the tables of some chunks that have no vector yet."""
        names = await asyncio.to_thread(lambda: names_of(cells.grids_in(chunk_ids)))
        known = await asyncio.to_thread(self.known, names)
        missing = [name for name in names if name not in known]
        if not missing:
            return
        try:
            vectors = await embed_all(embedder, missing)
        except EmbeddingError as error:
            log.warning("the names in the tables are embedded when they are asked about: %s", error)
            return
        await asyncio.to_thread(self.add, missing, vectors)

    def known(self, texts: Iterable[str]) -> dict[str, Vectors]:
        """Return the vectors of those texts that have one."""
        with self._turn:
            try:
                return self._read(texts)
            except sqlite3.Error as error:
                log.warning("the vectors of names in %s can't be read, they are embedded anew: %s", self._path, error)
                return {}

    def add(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Store the vectors of some texts, shape (len(texts), dimension)."""
        rows = [summed(self._key(text), vector.tobytes()) for text, vector in zip(texts, vectors, strict=True)]
        try:
            with closing(sqlite3.connect(self._path, timeout=_PATIENCE)) as database, database:
                database.execute(_SCHEMA)
                database.executemany("insert or replace into names values (?, ?, ?)", rows)
        except sqlite3.Error as error:
            log.warning("the vectors of names can't be kept in %s: %s", self._path, error)

    def close(self) -> None:
        """Release the file; closing twice is no error."""
        with self._turn:
            if self._reading is not None:
                self._reading.close()
                self._reading = None

    def _read(self, texts: Iterable[str]) -> dict[str, Vectors]:
        if self._reading is None:
            if not self._path.is_file():
                return {}
            place = f"{self._path.absolute().as_uri()}?mode=ro"
            self._reading = sqlite3.connect(place, uri=True, check_same_thread=False, timeout=_PATIENCE)
        found: dict[str, Vectors] = {}
        for text in texts:
            row = self._reading.execute("select * from names where key = ?", (self._key(text),)).fetchone()
            if row is not None and is_sound(row):
                found[text] = np.frombuffer(row[1], dtype=np.float32)
        return found

    def _key(self, text: str) -> bytes:
        return text_key(f"{self._model}\n{text}")
