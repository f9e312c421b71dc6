"""The durable form of a collection: every chunk with its vector, in one SQLite file.

SQLite survives a kill, a full disk and a power cut with either all of a change or none of it, which Chroma's index does
not. So the vault is the truth and the index a cache of it, built again whenever it is lost. `revision` counts the
changes; an index notes the revision it was built from.

Vectors of an ingestion under way are noted as they are computed, so that a killed one does not embed them again.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from retrieval.errors import StoreError
from retrieval.ingest.index import embedding_text
from retrieval.metadata import Scalar, decode, encode
from retrieval.store import Stamp, Vectors
from retrieval.types import Chunk

FORMAT = 1
_SCHEMA = """
create table meta (name text primary key, value any) strict, without rowid;
create table chunks (
    id text primary key, source text not null, root text not null, content_hash text not null,
    text_key blob not null, body blob not null, vector blob not null) strict;
create index chunks_by_text on chunks (text_key);
create table embedded (text_key blob primary key, vector blob not null) strict, without rowid;
"""


@dataclass(frozen=True, slots=True)
class Kept:
    """One row of the vault: the chunk's text and flat metadata as they are written to an index, and its vector."""

    id: str
    text: str
    flat: Mapping[str, Scalar]
    vector: bytes

    def chunk(self) -> Chunk:
        """The chunk itself; what is odd about its metadata was told when it was ingested."""
        return decode(self.id, self.text, self.flat)[0]


class Vault:
    """An open vault; its methods block, so they are called in threads. Every failure is a `StoreError`."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        self.path = path
        self._turn = threading.Lock()
        with self._mapped():
            self._db = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}",
                uri=True,
                isolation_level=None,
                check_same_thread=False,
            )
        try:
            self._prepare(create)
        except BaseException:
            self._db.close()
            raise

    def _prepare(self, create: bool) -> None:
        with self._mapped():
            self._db.execute("pragma synchronous = full")
            known = self._db.execute("select 1 from sqlite_master where name = 'meta'").fetchone()
        if known is None and create:
            with self._change():
                for statement in filter(str.strip, _SCHEMA.split(";")):
                    self._db.execute(statement)
                self._note({"format": FORMAT, "revision": 0})
        with self._mapped():
            found = self._meta().get("format")
        if found != FORMAT:
            raise StoreError(f"{self.path} has format {found}, this version of versus reads {FORMAT}; ingest again")

    def meta(self) -> dict[str, Any]:
        """Return what is recorded of the whole collection: `revision`, `model`, `dimension`."""
        with self._mapped():
            return self._meta()

    def note(self, values: Mapping[str, str | int]) -> None:
        """Record facts about the whole collection."""
        with self._change():
            self._note(values)

    def apply(
        self, chunks: Sequence[Chunk], vectors: Vectors, stamps: Sequence[Stamp], remove: Collection[str] = ()
    ) -> int:
        """Write and remove chunks, all or nothing; return the new revision. Durable when this returns."""
        rows = [
            (
                chunk.id,
                chunk.source,
                stamp.root,
                stamp.content_hash,
                _text_key(embedding_text(chunk)),
                _body(chunk),
                row,
            )
            for chunk, stamp, row in zip(chunks, stamps, map(np.ndarray.tobytes, vectors), strict=True)
        ]
        with self._change():
            self._db.executemany("delete from chunks where id = ?", ((id_,) for id_ in remove))
            self._db.executemany("insert or replace into chunks values (?, ?, ?, ?, ?, ?, ?)", rows)
            self._db.execute("delete from embedded")
            revision = int(self._meta()["revision"]) + 1
            self._note({"revision": revision})
            return revision

    def stamps(self) -> dict[str, Stamp]:
        """Return the stamp of every chunk."""
        with self._mapped():
            rows = self._db.execute("select id, content_hash, source, root from chunks").fetchall()
        return {id_: Stamp(content_hash, source, root) for id_, content_hash, source, root in rows}

    def count(self) -> int:
        """Return how many chunks are kept."""
        with self._mapped():
            return int(self._db.execute("select count(*) from chunks").fetchone()[0])

    def rows(self, batch: int = 1000) -> Iterator[list[Kept]]:
        """Yield every chunk with its vector, in batches, by id."""
        last = ""
        while True:
            with self._mapped():
                found = self._db.execute(
                    "select id, body, vector from chunks where id > ? order by id limit ?", (last, batch)
                ).fetchall()
            if not found:
                return
            yield [_kept(id_, body, vector) for id_, body, vector in found]
            last = found[-1][0]

    def remember(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Note vectors that were just computed, until the change they belong to is applied."""
        rows = [(_text_key(text), vector.tobytes()) for text, vector in zip(texts, vectors, strict=True)]
        with self._change():
            self._db.executemany("insert or replace into embedded values (?, ?)", rows)

    def known(self, texts: Iterable[str]) -> dict[str, Vectors]:
        """Return the vectors that are at hand for these texts, from chunks or from an ingestion that was killed."""
        found: dict[str, Vectors] = {}
        with self._mapped():
            for text in texts:
                key = (_text_key(text),)
                row = self._db.execute("select vector from embedded where text_key = ?", key).fetchone()
                row = row or self._db.execute("select vector from chunks where text_key = ? limit 1", key).fetchone()
                if row is not None:
                    found[text] = np.frombuffer(row[0], dtype=np.float32)
        return found

    def damage(self) -> str | None:
        """Say what SQLite's own check finds wrong with the file; `None` when it is sound."""
        with self._mapped():
            said = str(self._db.execute("pragma quick_check(1)").fetchone()[0])
        return None if said == "ok" else said

    def close(self) -> None:
        """Release the file; closing twice is no error."""
        with self._turn:
            self._db.close()

    def _meta(self) -> dict[str, Any]:
        return dict(self._db.execute("select name, value from meta").fetchall())

    def _note(self, values: Mapping[str, str | int]) -> None:
        self._db.executemany("insert or replace into meta values (?, ?)", values.items())

    @contextmanager
    def _change(self) -> Iterator[None]:
        with self._mapped():
            self._db.execute("begin immediate")
            try:
                yield
                self._db.execute("commit")
            except BaseException:
                with closing(self._db.cursor()) as cursor:
                    if self._db.in_transaction:
                        cursor.execute("rollback")
                raise

    @contextmanager
    def _mapped(self) -> Iterator[None]:
        with self._turn:
            try:
                yield
            except sqlite3.Error as error:
                raise StoreError(_advice(self.path, error)) from error


def _text_key(text: str) -> bytes:
    """Return the key under which a text's vector is found again: its SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _kept(id_: str, body: bytes, vector: bytes) -> Kept:
    text, flat = orjson.loads(body)
    return Kept(id_, text, flat, vector)


def _body(chunk: Chunk) -> bytes:
    return orjson.dumps([chunk.text, encode(chunk)])


def _advice(path: Path, error: sqlite3.Error) -> str:
    said = str(error)
    if "readonly" in said or "unable to open" in said:
        return f"{path} can't be opened for writing ({said}); check that its folder exists and is yours to write"
    if "full" in said:
        return f"{path} can't be written, the disk is full ({said}); make room and ingest again: nothing was lost"
    if "malformed" in said or "not a database" in said:
        return f"{path} is damaged ({said}); delete the collection with `versus collections` and ingest again"
    return f"{path} failed: {said}"
