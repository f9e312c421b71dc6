"""Build an index from the vault: in a separate folder, checked by real queries, and then put in force.

This runs in a separate process (started by `retrieval.collections.local.builder`): Chroma holds the interpreter for
seconds while it writes, and killing it can't hurt the process that answers questions. What did not change is taken over
from the last index.

A builder works for the process that started it, and stops when that dies. It starts on a signal and holds its own lock
until the very end, so that no other writer can start while an orphan lives.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from retrieval.catalogs.catalog import Catalog
from retrieval.collections.local.graph import Contents, Progress, contents, fill
from retrieval.collections.local.integrity import damage, is_untouched
from retrieval.collections.local.layout import (
    CATALOG,
    CELLS,
    CHROMA,
    LEXICAL,
    VAULT,
    begin_index,
    builder_lock,
    chroma_of,
    current_index,
    publish,
    remove_leftovers,
)
from retrieval.collections.local.manifest import Manifest, read_manifest
from retrieval.collections.local.rule_index import Row, RuleIndex
from retrieval.collections.local.since import Since
from retrieval.collections.local.update import update
from retrieval.collections.local.vault import Vault
from retrieval.errors import NewerFormat, RetrievalError, StoreError
from retrieval.ingest.index import embedding_text
from retrieval.lexical import LexicalIndex
from retrieval.processes.memory import uncollected
from retrieval.processes.worker import Tell
from retrieval.tables.index import CellIndex
from retrieval.types import Chunk

ROOM = 16_000_000
"""The free space, in bytes, below which a failure is attributed to a full disk."""


def build(folder: Path, on_progress: Progress | None = None, *, afresh: bool = False) -> None:
    """Build the next index of the local collection in `folder` and put it in force; the caller holds its writer lock.

    `on_progress` is called with the number of chunks written to Chroma and the total. With `afresh`, nothing is taken
    over from the index in force. Raises `NewerFormat` if a newer version of versus made that one, and `StoreError` if
    the next can't be built; the one in force then stays.
    """
    try:
        _build_between_cleanings(folder, on_progress, afresh)
    except OSError as error:
        raise StoreError(_explained(folder, error)) from error


def _build_between_cleanings(folder: Path, on_progress: Progress | None, afresh: bool) -> None:
    _require_not_newer(folder)
    remove_leftovers(folder)
    vault = Vault(folder / VAULT)
    try:
        vault.upgrade()
        _build(folder, vault, on_progress, afresh)
    except (OSError, StoreError) as error:
        raise StoreError(_explained(folder, error)) from error
    finally:
        vault.close()
        remove_leftovers(folder)


def _require_not_newer(folder: Path) -> None:
    try:
        current = current_index(folder)
        if current is not None:
            read_manifest(current)
    except NewerFormat:
        raise
    except StoreError:
        return  # a damaged one is rebuilt


def _explained(folder: Path, error: Exception) -> str:
    """Return the error message; Chroma often hides a full disk, and after the cleanup the disk is no longer full."""
    what = f"the disk is full ({error})" if shutil.disk_usage(folder).free < ROOM else str(error)
    safe = "Its chunks are kept" + (", and the index in force goes on answering" if _is_sound(folder) else "")
    return (
        f"the index of {folder.name!r} can't be built: {what}. {safe}; when the cause is mended: "
        f"versus doctor {folder.name} --repair"
    )


def _is_sound(folder: Path) -> bool:
    """True if there is an index in force with intact files."""
    try:
        current = current_index(folder)
        return current is not None and damage(current) is None
    except StoreError:
        return False


def _build(folder: Path, vault: Vault, on_progress: Progress | None, afresh: bool) -> None:
    if not afresh and update(folder, vault, on_progress):
        return
    meta, aside = vault.meta(), begin_index(folder)
    directory = _write_beside_graph(aside, vault)
    there = {} if afresh else _take_over(folder, aside, directory)
    try:
        fill(aside / CHROMA, vault, directory, there, on_progress)
    except StoreError:
        if not there:
            raise
        # The copied graph does not work, but the vault has everything. Chroma can't use a failed folder again.
        aside = _moved_without_graph(folder, aside)
        fill(aside / CHROMA, vault, directory, {}, on_progress)
    state = int(meta["revision"]), str(meta["state"]), meta.get("model")
    publish(folder, aside, Manifest(*state, vault.roots(), len(directory.ids)))


def _write_beside_graph(aside: Path, vault: Vault) -> RuleIndex:
    """Write all but the graph; the chunks loaded for it are released before the graph is built."""
    chunks = list[Chunk]()
    directory = RuleIndex.build(_read(vault, chunks))
    directory.save(aside)
    Since().save(aside)
    (aside / CATALOG).write_bytes(Catalog.from_chunks(chunks).to_json())
    CellIndex.build(chunks, aside / CELLS).close()
    texts = [embedding_text(chunk) for chunk in chunks]
    LexicalIndex.build([chunk.id for chunk in chunks], texts).save(aside / LEXICAL)
    return directory


def _read(vault: Vault, chunks: list[Chunk]) -> Iterator[Row]:
    """Yield the rows of all chunks, and collect the chunks."""
    for batch in vault.rows():
        for stored in batch:
            chunks.append(stored.chunk())
            yield Row.of(stored, chunks[-1].query_must)


def _moved_without_graph(folder: Path, aside: Path) -> Path:
    """Return another folder with everything written in this one but the graph."""
    new = begin_index(folder)
    for path in aside.iterdir():
        if path.name != CHROMA:
            path.rename(new / path.name)
    shutil.rmtree(aside, ignore_errors=True)
    return new


def _take_over(folder: Path, aside: Path, directory: RuleIndex) -> Contents:
    """Copy the graph of the index in force, if it is sound and of the needed kind; return its contents."""
    current = current_index(folder)
    try:
        if current is None or not is_untouched(current) or damage(current) is not None:
            return {}
        if (before := RuleIndex.load(current)).is_large != directory.is_large:
            return {}
        there = contents(before, Since.load(current))
        shutil.copytree(chroma_of(current), aside / CHROMA)
    except (StoreError, OSError):
        shutil.rmtree(aside / CHROMA, ignore_errors=True)
        return {}
    return there


def main(folder: str, how: Literal["", "afresh"], tell: Tell) -> int:
    """Build on a signal from standard input, and report progress."""
    try:
        lock = builder_lock(Path(folder))
        try:
            tell({"ready": True})
            if not os.read(sys.stdin.fileno(), 1):
                return 1  # the requesting process is gone
            threading.Thread(target=_end_with_parent, daemon=True).start()
            with uncollected():  # everything loaded is used to the end
                build(Path(folder), lambda done, total: tell({"done": done, "total": total}), afresh=how == "afresh")
        finally:
            lock.release()
    except RetrievalError as error:
        tell({"error": str(error)})
        return 1
    return 0


def _end_with_parent() -> None:
    """Exit when standard input ends, as it does when the process at its other end dies for any reason."""
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)
