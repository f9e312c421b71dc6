"""The durable form of a collection: every chunk with its vector, in one SQLite file.

SQLite survives a kill, a full disk and a power cut with either all of a change or none of it, which Chroma's index does
not. So the vault is the truth and the index a cache of it, built again whenever it is lost. `revision` counts the
changes, and `state`, a random word, tells each from every other; an index notes what it was built from.

Vectors of an ingestion under way are noted as they are computed, so that a killed one does not embed them again.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from retrieval.errors import FOLDER_ADVICE, StoreError
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

    def __init__(self, path: Path, *, model: str | None = None) -> None:
        """Open the vault at `path`; given a `model`, make one for its vectors where there is none."""
        self.path = path
        self._turn = threading.Lock()
        with self._mapped():
            self._db = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode={'rw' if model is None else 'rwc'}",
                uri=True,
                isolation_level=None,
                check_same_thread=False,
            )
        try:
            self._prepare(model)
        except BaseException:
            self._db.close()
            raise

    def _prepare(self, model: str | None) -> None:
        with self._mapped():
            self._db.execute("pragma synchronous = full")
            born = self._is_born()
        if not born and model is not None:
            with self._change():
                if not self._is_born():  # else another process was quicker
                    for statement in filter(str.strip, _SCHEMA.split(";")):
                        self._db.execute(statement)
                    self._note({"format": FORMAT, "revision": 0, "state": secrets.token_hex(8), "model": model})
        elif not born:
            raise StoreError(f"{self.path} is empty: what would have filled it was stopped; ingest again")
        with self._mapped():
            found = self._meta().get("format")
        if found != FORMAT:
            raise StoreError(f"{self.path} has format {found}, this version of versus reads {FORMAT}; ingest again")

    def _is_born(self) -> bool:
        return self._db.execute("select 1 from sqlite_master where name = 'meta'").fetchone() is not None

    def meta(self) -> dict[str, Any]:
        """Return what is recorded of the whole collection: `revision`, `state`, `model`, `dimension`."""
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
            self._note({"revision": revision, "state": secrets.token_hex(8)})
            return revision

    def begin_with(self, model: str) -> None:
        """Record another model, if there are no chunks: those of the old model would be worth nothing."""
        with self._change():
            if self._db.execute("select 1 from chunks limit 1").fetchone() is None:
                self._db.execute("delete from embedded")
                self._db.execute("delete from meta where name = 'dimension'")
                self._note({"model": model})

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
            yield [self._kept(id_, body, vector) for id_, body, vector in found]
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

    def remembered(self) -> int:
        """Return how many vectors are noted of an ingestion that has not come to its end."""
        with self._mapped():
            return int(self._db.execute("select count(*) from embedded").fetchone()[0])

    def damage(self) -> str | None:
        """Say what SQLite's own check finds wrong with the file; `None` when it is sound."""
        with self._mapped():
            said = str(self._db.execute("pragma quick_check(1)").fetchone()[0])
        return None if said == "ok" else said

    def close(self) -> None:
        """Release the file; closing twice is no error."""
        with self._turn:
            self._db.close()

    def _kept(self, id_: str, body: bytes, vector: bytes) -> Kept:
        try:
            text, flat = orjson.loads(body)
        except ValueError as error:
            raise StoreError(_advice(self.path, error, "damaged")) from error
        return Kept(id_, text, flat, vector)

    def _meta(self) -> dict[str, Any]:
        # The first vaults had no state.
        return {"state": ""} | dict(self._db.execute("select name, value from meta").fetchall())

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


def _body(chunk: Chunk) -> bytes:
    return orjson.dumps([chunk.text, encode(chunk)])


def _advice(path: Path, error: Exception, said: str = "") -> str:
    said = said or str(error)
    doctor = f"versus doctor {path.parent.name} --repair"
    if not path.exists():
        return f"{path} is missing; put it back, or let its chunks be taken from the index: {doctor}"
    if "readonly" in said or "unable to open" in said:
        return f"{path} can't be opened for writing ({said}); {FOLDER_ADVICE}"
    if "full" in said:
        return f"{path} can't be written, the disk is full ({said}); make room and ingest again: nothing was lost"
    if "I/O" in said:
        return f"{path} can't be read or written ({said}); check the disk, its quota and limits: nothing was changed"
    if any(word in said for word in ("malformed", "not a database", "damaged", "decode")):
        return f"{path} is damaged ({error}); its chunks can perhaps be taken from the index: {doctor}"
    return f"{path} failed: {said}"
