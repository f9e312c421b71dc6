"""The durable form of a collection: every chunk with its vector, in one SQLite file.

After a kill, a full disk or a power cut SQLite has either all of a change or none of it, unlike Chroma's index. So the
vault is the truth and the index a cache of it, rebuilt when lost. `revision` counts the changes, and `state`, a random
word, identifies each; an index records the one it was built from.

Vectors of a running ingestion are stored as they are computed, so that a killed one need not embed them again.

Each row has a checksum, which SQLite lacks: a damaged row is never read as sound.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from operator import methodcaller
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from retrieval.collections.local.advice import advice, is_damage
from retrieval.collections.local.journal import Journal
from retrieval.collections.local.row_sums import is_sound, summed, text_key
from retrieval.errors import Damaged, NewerFormat, StoreError
from retrieval.ingest.index import embedding_text
from retrieval.processes.memory import uncollected
from retrieval.stores.metadata import Scalar, decode, encode
from retrieval.stores.store import Stamp, Vectors
from retrieval.types import Chunk

FORMAT = 2
_SCHEMA = """
create table meta (name text primary key, value any) strict, without rowid;
create table chunks (
    id text primary key, source text not null, root text not null, content_hash text not null,
    text_key blob not null, body blob not null, vector blob not null, checksum blob not null) strict;
create index chunks_by_text on chunks (text_key);
create table embedded (text_key blob primary key, vector blob not null, checksum blob not null) strict;
"""
_CHUNK = "id, source, root, content_hash, text_key, body, vector"
_EMBEDDED = "text_key, vector"
_INSERT = f"insert or replace into chunks ({_CHUNK}, checksum) values (?, ?, ?, ?, ?, ?, ?, ?)"
_STAMPS = "create index if not exists chunks_stamped on chunks (source, root, id, content_hash)"
"""Everything in the stamps, so that no chunk is read for them."""
_UNSUMMED = 1
"""The format of vaults without row checksums, which are added at the next change."""


@dataclass(frozen=True, slots=True)
class DamagedChunk:
    """A chunk whose row is damaged: its id and origin, as far as readable."""

    id: str
    source: str
    root: str


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """One row of the vault: the chunk's text and flat metadata as written to an index, and its vector."""

    id: str
    text: str
    flat: Mapping[str, Scalar]
    vector: bytes

    def chunk(self) -> Chunk:
        """Return the chunk itself; oddities of its metadata were reported at ingestion."""
        return decode(self.id, self.text, self.flat)[0]


@dataclass(frozen=True, slots=True)
class Change:
    """A chunk before, without its vector, and after a change; `None` if it did not, or does not, exist."""

    id: str
    before: StoredChunk | None
    after: StoredChunk | None


class Vault:
    """An open vault; its methods block, so they are called in threads. Every failure is a `StoreError`."""

    def __init__(self, path: Path, *, model: str | None = None) -> None:
        """Open the vault at `path`; given a `model`, create one for its vectors if missing."""
        self.path = path
        self._turn = threading.Lock()
        with self._mapped():
            self._db = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode={'rw' if model is None else 'rwc'}",
                uri=True,
                isolation_level=None,
                check_same_thread=False,
            )
        # Damage is reported by the checksum, with the chunk's id, not as an undecodable letter.
        self._db.text_factory = methodcaller("decode", "utf-8", "replace")
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
                if not self._is_born():  # else another process was faster
                    for statement in filter(str.strip, _SCHEMA.split(";")):
                        self._db.execute(statement)
                    self._note({"format": FORMAT, "revision": 0, "state": secrets.token_hex(8), "model": model})
        elif not born:
            raise StoreError(f"{self.path} is empty: what would have filled it was stopped; ingest again")
        with self._mapped():
            found = int(self._meta().get("format", 0))
        if found > FORMAT:
            raise NewerFormat(self.path, found, FORMAT)
        if found not in (_UNSUMMED, FORMAT):
            raise StoreError(f"{self.path} has format {found}, this version of versus reads {FORMAT}; ingest again")

    def _is_born(self) -> bool:
        return self._db.execute("select 1 from sqlite_master where name = 'meta'").fetchone() is not None

    def meta(self) -> dict[str, Any]:
        """Return the metadata of the whole collection: `revision`, `state`, `model`, `dimension`."""
        with self._mapped():
            return self._meta()

    def note(self, values: Mapping[str, str | int]) -> None:
        """Record metadata of the whole collection."""
        with self._change():
            self._note(values)

    def apply(
        self, chunks: Sequence[Chunk], vectors: Vectors, stamps: Sequence[Stamp], remove: Collection[str] = ()
    ) -> int:
        """Write and remove chunks, all or nothing; return the new revision. Durable on return."""
        rows = [
            summed(
                chunk.id,
                chunk.source,
                stamp.root,
                stamp.content_hash,
                text_key(embedding_text(chunk)),
                _body(chunk),
                row,
            )
            for chunk, stamp, row in zip(chunks, stamps, map(np.ndarray.tobytes, vectors), strict=True)
        ]
        with self._change():
            journal, before = Journal(self._db), str(self._meta()["state"])
            bodies = journal.bodies({*remove, *(chunk.id for chunk in chunks)})
            # Stored vectors are deleted first, so that the chunks reuse their room in the file, half of which would
            # stay free.
            self._db.execute("delete from embedded")
            self._db.executemany("delete from chunks where id = ?", ((id_,) for id_ in remove))
            self._db.executemany(_INSERT, rows)
            self._db.execute("drop index if exists chunks_by_source")  # made by earlier versions
            self._db.execute(_STAMPS)
            revision = self._changed()
            journal.note(before, str(self._meta()["state"]), bodies)
            return revision

    def changes_since(self, state: str) -> list[Change] | None:
        """Return the changes since a state of the vault; `None` if unknown or too many."""
        with self._mapped():
            bodies = Journal(self._db).since(state, str(self._meta()["state"]))
            if bodies is None:
                return None
            statement = f"select {_CHUNK}, {self._checksum()} from chunks where id = ?"
            rows = {id_: self._db.execute(statement, (id_,)).fetchone() for id_ in bodies}
            pairs = [
                (id_, body, rows[id_]) for id_, body in bodies.items() if body is not None or rows[id_] is not None
            ]
            return [
                Change(
                    id_,
                    None if body is None else _decoded(id_, body, b""),
                    None if row is None else self._stored(row),
                )
                for id_, body, row in pairs
            ]

    def chunks_of(self, ids: Iterable[str]) -> Iterator[StoredChunk]:
        """Yield the stored chunks with these ids; `Damaged` at a damaged row."""
        for id_ in ids:
            with self._mapped():
                statement = f"select {_CHUNK}, {self._checksum()} from chunks where id = ?"
                row = self._db.execute(statement, (id_,)).fetchone()
            if row is not None:
                yield self._stored(row)

    def damaged_rows(self) -> list[DamagedChunk]:
        """Return the chunks whose rows are damaged."""
        with self._mapped():
            return [lost for _, lost in self._damaged_rows()]

    def take_out_damaged(self) -> list[DamagedChunk]:
        """Remove the damaged rows, and return their chunks, which their sources still have."""
        with self._change():
            found = list(self._damaged_rows())
            self._db.executemany("delete from chunks where rowid = ?", ((row,) for row, _ in found))
            if found:
                self._changed()
            return [lost for _, lost in found]

    def upgrade(self) -> None:
        """Upgrade a vault of an earlier format; earlier versions of versus reject it from then on."""
        if self.meta()["format"] != FORMAT:
            with self._change():
                pass

    def begin_with(self, model: str) -> None:
        """Record another model, if there are no chunks; stored vectors of the old model are useless."""
        with self._change():
            if self._db.execute("select 1 from chunks limit 1").fetchone() is None:
                self._db.execute("delete from embedded")
                self._db.execute("delete from meta where name = 'dimension'")
                self._note({"model": model})

    def stamps(self) -> dict[str, Stamp]:
        """Return the stamp of every chunk."""
        with self._mapped(), uncollected():
            ordered = "order by source, root, id"  # the order of the index, which covers it
            rows = self._db.execute(f"select id, content_hash, source, root from chunks {ordered}").fetchall()
            return {id_: Stamp(content_hash, source, root) for id_, content_hash, source, root in rows}

    def roots(self) -> dict[str, str]:
        """Return the root of each source that has one."""
        with self._mapped():
            return dict(self._db.execute("select distinct source, root from chunks where root <> ''").fetchall())

    def count(self) -> int:
        """Return the number of chunks."""
        with self._mapped():
            return int(self._db.execute("select count(*) from chunks").fetchone()[0])

    def rows(self, batch: int = 1000) -> Iterator[list[StoredChunk]]:
        """Yield every chunk with its vector, in batches, by id; `Damaged` at a damaged row."""
        last = ""
        while True:
            with self._mapped():
                found = self._db.execute(
                    f"select {_CHUNK}, {self._checksum()} from chunks where id > ? order by id limit ?", (last, batch)
                ).fetchall()
            if not found:
                return
            yield [self._stored(row) for row in found]
            last = found[-1][0]

    def remember(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Store computed vectors until their change is applied."""
        rows = [summed(text_key(text), vector.tobytes()) for text, vector in zip(texts, vectors, strict=True)]
        with self._change():
            self._db.executemany(f"insert or replace into embedded ({_EMBEDDED}, checksum) values (?, ?, ?)", rows)

    def known(self, texts: Iterable[str]) -> dict[str, Vectors]:
        """Return the stored vectors of these texts, from chunks or from a killed ingestion."""
        found: dict[str, Vectors] = {}
        with self._mapped():
            checksum = self._checksum()
            for text in texts:
                key = (text_key(text),)
                for columns, table in ((_EMBEDDED, "embedded"), (_CHUNK, "chunks")):
                    rows = self._db.execute(f"select {columns}, {checksum} from {table} where text_key = ?", key)
                    if text not in found and (row := next(filter(is_sound, rows), None)) is not None:
                        found[text] = np.frombuffer(row[-2], dtype=np.float32)
        return found

    def remembered(self) -> int:
        """Return how many vectors of an unfinished ingestion are stored."""
        with self._mapped():
            return int(self._db.execute("select count(*) from embedded").fetchone()[0])

    def damage(self) -> str | None:
        """Return what SQLite's own check finds wrong with the file; `None` if it is sound. Reads all of it."""
        with self._mapped():
            reason = str(self._db.execute("pragma integrity_check(1)").fetchone()[0])
        return None if reason == "ok" else reason

    def close(self) -> None:
        """Release the file; closing twice is no error."""
        with self._turn:
            self._db.close()

    def _stored(self, row: tuple[Any, ...]) -> StoredChunk:
        if not is_sound(row):
            raise Damaged(advice(self.path, f"the row of chunk {row[0]!r} is not what was written", "damaged"))
        try:
            return _decoded(row[0], row[-3], row[-2])
        except ValueError as error:
            raise Damaged(advice(self.path, error, "damaged")) from error

    def _damaged_rows(self) -> Iterator[tuple[int, DamagedChunk]]:
        for number, *row in self._db.execute(f"select rowid, {_CHUNK}, {self._checksum()} from chunks"):
            if not is_sound(row):
                yield number, DamagedChunk(*map(str, row[:3]))

    def _meta(self) -> dict[str, Any]:
        # The first vaults had no state.
        found: dict[str, Any] = {"state": ""} | dict(self._db.execute("select name, value from meta").fetchall())
        summed = found.pop("checksum", None)
        is_unsummed = summed is None and found.get("format") == _UNSUMMED
        if not is_unsummed and summed != _checksum_of(found):
            raise Damaged(advice(self.path, "what it says of itself is not what was written", "damaged"))
        return found

    def _note(self, values: Mapping[str, str | int]) -> None:
        self._db.executemany("insert or replace into meta values (?, ?)", values.items())
        found = self._db.execute("select name, value from meta where name <> 'checksum'").fetchall()
        checksum = _checksum_of({"state": ""} | dict(found))
        self._db.execute("insert or replace into meta values ('checksum', ?)", (checksum,))

    def _changed(self) -> int:
        """Record that the chunks have changed, and return the revision."""
        revision = int(self._meta()["revision"]) + 1
        self._note({"revision": revision, "state": secrets.token_hex(8)})
        return revision

    def _checksum(self) -> str:
        """Return the column with the checksums, or a substitute if there is none."""
        return "null" if self._meta()["format"] == _UNSUMMED else "checksum"

    def _upgrade(self) -> None:
        """Add checksums of the present rows to a vault of the first format."""
        for table, columns in (("chunks", _CHUNK), ("embedded", _EMBEDDED)):
            self._db.execute(f"alter table {table} add column checksum blob")
            key = columns.partition(",")[0]
            rows = self._db.execute(f"select {columns} from {table}")
            sums = [(summed(*row)[-1], row[0]) for row in rows]
            self._db.executemany(f"update {table} set checksum = ? where {key} = ?", sums)
        self._note({"format": FORMAT})

    @contextmanager
    def _change(self) -> Iterator[None]:
        with self._mapped():
            self._db.execute("begin immediate")
            try:
                if self._is_born() and self._meta()["format"] == _UNSUMMED:
                    self._upgrade()
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
                kind = Damaged if is_damage(str(error)) else StoreError
                raise kind(advice(self.path, error)) from error


def _checksum_of(meta: Mapping[str, Any]) -> str:
    return hashlib.sha256(repr(sorted(meta.items())).encode()).hexdigest()


def _decoded(id_: str, body: bytes, vector: bytes) -> StoredChunk:
    text, flat = orjson.loads(body)
    return StoredChunk(id_, text, flat, vector)


def _body(chunk: Chunk) -> bytes:
    return orjson.dumps([chunk.text, encode(chunk)])
