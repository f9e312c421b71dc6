"""Build an index from the one before it and the few chunks changed since, without reading the others.

The result equals a full build, except for the graph and the files stored with it, all vectors and the words of all
chunks: these stay with the earlier index, and only changes are added. The checksum of each file taken over is verified
first, so that damage is never written as sound. If anything is odd, or must be learnt anew from all chunks, a full
build follows instead.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from retrieval.catalogs.catalog import Catalog, tell_alike
from retrieval.collections.local.integrity import damage, is_untouched, read_sound
from retrieval.collections.local.layout import (
    CATALOG,
    CELLS,
    LEXICAL,
    begin_index,
    current_index,
    is_of_graph,
    publish,
)
from retrieval.collections.local.manifest import FileSum, Manifest, graph_of, read_manifest
from retrieval.collections.local.rule_index import Row, RuleIndex
from retrieval.collections.local.since import MOST, Since
from retrieval.collections.local.vault import Change, Vault
from retrieval.errors import StoreError
from retrieval.filters.bank import RuleBank
from retrieval.ingest.index import embedding_text
from retrieval.lexical import save_since
from retrieval.stores.metadata import decode
from retrieval.tables.index import CellIndex
from retrieval.types import Chunk, QueryMust


def update(folder: Path, vault: Vault, on_progress: Callable[[int, int], None] | None) -> bool:
    """Build the next index from the one in force and put it in force; False if that is not possible."""
    try:
        found = _begun(folder, vault)
        if found is None:
            return False
        found.write()
    except StoreError:
        return False
    written = sum(change.after is not None for change in found.changes)
    if on_progress is not None:
        on_progress(0, written)
        on_progress(written, written)
    found.publish(folder)
    return True


def update_at_once(folder: Path, vault: Vault) -> bool:
    """Put the next index in force if no unchanged chunk must be read; else return False.

    This is little enough work for the requesting process; a separate process would take longer to start.
    """
    try:
        found = _begun(folder, vault)
        if found is None:
            return False
        brief = replace(found, is_brief=True)
        brief.write()
        brief.publish(folder)
    except (StoreError, OSError):
        return False  # the separate build process reports the error
    return True


def _begun(folder: Path, vault: Vault) -> _Update | None:
    """Return an update of the index in force, if that is sound, and the changes since are known and few.

    Without changes there is nothing to update: the index is rebuilt because it was found faulty.
    """
    base = current_index(folder)
    if base is None or not is_untouched(base) or damage(base, beside=is_of_graph) is not None:
        return None
    manifest, directory = read_manifest(base), RuleIndex.load(base)
    changes = vault.changes_since(manifest.state)
    if not changes:
        return None
    since = Since.load(base).changed(changes, directory.parts_of(change.id for change in changes))
    if len(since) > min(MOST, len(directory.ids) // 2):
        return None
    changed = [_Changed.of(change) for change in changes]
    return _Update(base, begin_index(folder), vault, manifest, directory, changed, since)


@dataclass(frozen=True, slots=True)
class _Changed:
    """A change, with the chunk before and after."""

    id: str
    before: Chunk | None
    after: Chunk | None
    row: Row | None

    @classmethod
    def of(cls, change: Change) -> _Changed:
        before = None if change.before is None else change.before.chunk()
        after = None if change.after is None else change.after.chunk()
        row = None if change.after is None else Row.of(change.after, _rule(after))
        return cls(change.id, before, after, row)


@dataclass(frozen=True)
class _Update:
    """The writing of one index from another."""

    base: Path
    aside: Path
    vault: Vault
    manifest: Manifest
    directory: RuleIndex
    changes: Sequence[_Changed]
    since: Since
    is_brief: bool = False

    def write(self) -> None:
        """Write all files but those of the graph; `StoreError` if the graph can't be reused."""
        (self.aside / CATALOG).write_bytes(self._catalog())
        rows = [change.row for change in self.changes if change.row is not None]
        directory = self.directory.changed(self._removed, rows, self._bank())
        if directory.is_large != self.directory.is_large:
            raise StoreError("it needs another graph")
        self._write_cells()
        directory.save(self.aside)
        self.since.save(self.aside)
        self._write_words()

    def publish(self, folder: Path) -> None:
        """Put it in force."""
        meta, before = self.vault.meta(), self.manifest
        state = int(meta["revision"]), str(meta["state"]), meta.get("model")
        manifest = Manifest(*state, self.vault.roots(), self.vault.count(), graph=before.graph or self.base.name)
        publish(folder, self.aside, manifest, self._of_graph())

    def _of_graph(self) -> dict[str, FileSum]:
        """Return the files stored with the graph, by their paths from the next index."""
        files = self.manifest.files.items()
        if self.manifest.graph:
            return {name: each for name, each in files if name.startswith("../")}
        return {f"../{self.base.name}/{name}": each for name, each in files if is_of_graph(name)}

    @property
    def _removed(self) -> list[str]:
        return [change.id for change in self.changes if change.after is None]

    @cached_property
    def _chunks(self) -> list[Chunk]:
        """All chunks, for what must be rebuilt."""
        self._take_time()
        return [stored.chunk() for batch in self.vault.rows() for stored in batch]

    def _take_time(self) -> None:
        """Raise `StoreError` if only a quick update is allowed."""
        if self.is_brief:
            raise StoreError("chunks have to be read that have not changed")

    @property
    def _pairs(self) -> list[tuple[Chunk, Chunk]] | None:
        """Each chunk before and after; `None` if one was added or removed."""
        pairs = [(c.before, c.after) for c in self.changes if c.before is not None and c.after is not None]
        return pairs if len(pairs) == len(self.changes) else None

    def _bank(self) -> RuleBank:
        if all(_rule(change.before) == _rule(change.after) for change in self.changes):
            return self.directory.bank
        self._take_time()
        changed = {change.id for change in self.changes}
        kept = [id_ for id_ in self.directory.ids[self.directory.unruled :] if id_ not in changed]
        rules = {stored.id: stored.chunk().query_must for stored in self.vault.chunks_of(kept)}
        rules |= {change.id: _rule(change.after) for change in self.changes if _rule(change.after)}
        return RuleBank.compile([rules[id_] for id_ in sorted(rules)])

    def _catalog(self) -> bytes:
        if self._pairs is not None and all(tell_alike(*pair) for pair in self._pairs):
            return read_sound(self.base, CATALOG)
        return Catalog.from_chunks(self._chunks).to_json()

    def _write_cells(self) -> None:
        path = self.aside / CELLS
        if self._pairs is not None:
            shutil.copyfile(self.base / CELLS, path)
            if CellIndex.rewrite(path, self._pairs):
                return
            path.unlink()
        CellIndex.build(self._chunks, path).close()

    def _write_words(self) -> None:
        """Write only the words of chunks changed since the graph was built; the others are stored with it."""
        fresh = {id_: embedding_text(decode(id_, text, flat)[0]) for id_, (text, flat) in self.since.fresh.items()}
        save_since(self.aside / LEXICAL, graph_of(self.base) / LEXICAL, self.since.gone.keys() - fresh.keys(), fresh)


def _rule(chunk: Chunk | None) -> QueryMust | None:
    return None if chunk is None else chunk.query_must
