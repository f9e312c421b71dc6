"""A local collection to damage: each file of its index, and ways to flip, zero and rewrite what is in them."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from retrieval.collections.local.build import build
from retrieval.collections.local.layout import current_index
from retrieval.collections.local.manifest import MANIFEST, read_manifest
from retrieval.collections.local.store import LocalStore, open_local
from retrieval.ingest.index import Indexed, embedding_text, index
from retrieval.types import Chunk
from tests.retrieval.doubles import RandomVectors
from tests.retrieval.store_contract import corpus

DIMENSION = 64
PRICE = "A lantern costs 15 gp in any town."
LANTERN, ROPE = Chunk("lantern", PRICE, "Lantern", source="gear.md"), Chunk("rope", "A rope costs 1 gp.", "Rope")
CHUNKS = [*corpus(80), LANTERN, ROPE]
SOURCES = {"one.md": "/books", "two.md": "/books", "gear.md": "/books/gear.md", "": "/books/rope.md"}
QUESTIONS = tuple(embedding_text(chunk) for chunk in (LANTERN, CHUNKS[7], CHUNKS[33]))
KINDS = (
    MANIFEST, "rows.json", "vectors.npy", "catalog.json", "cells.sqlite", "rules/rules.bank",
    "chroma/chroma.sqlite3", "chroma/*/data_level0.bin", "chroma/*/header.bin", "chroma/*/length.bin",
    "chroma/*/link_lists.bin", "chroma/*/index_metadata.pickle",
    "lexical/starts.npy", "lexical/rows.npy", "lexical/counts.npy", "lexical/lengths.npy",
    "lexical/words.json", "lexical/ids.json", "lexical/manifest.json", "since.json", "digests.npy", "columns.npy",
)  # fmt: skip
"""Every file of an index, by a pattern."""
Answers = tuple[tuple[tuple[str, str, float], ...], ...]


async def build_here(folder: Path) -> None:
    """Build in this process: the same work without the second that a new process takes to start."""
    await asyncio.to_thread(build, folder)


async def opened(folder: Path) -> LocalStore:
    return await open_local(folder, model=RandomVectors.name, build=build_here)


async def ingest(folder: Path) -> Indexed:
    """Bring the collection up to date."""
    async with await opened(folder) as store:
        return await index(CHUNKS, store, RandomVectors(DIMENSION), sources=SOURCES)


async def answers(store: LocalStore) -> Answers:
    """The ids, texts and distances that some questions find."""
    found = []
    for vector in await RandomVectors(DIMENSION).embed(QUESTIONS):
        nearest = await store.query(vector, 8)
        found.append(tuple((chunk.id, chunk.text, round(distance, 5)) for chunk, distance in nearest))
    return tuple(found)


def index_of(folder: Path) -> Path:
    found = current_index(folder)
    assert found is not None
    return found


def file_of(folder: Path, kind: str) -> Path:
    """The file of this kind, the largest where there are several."""
    return max(index_of(folder).glob(kind), key=lambda path: path.stat().st_size)


def files_of(index: Path) -> set[str]:
    return {*read_manifest(index).files, MANIFEST}


def flip(path: Path, share: float, bit: int = 3) -> None:
    """Flip one bit, at a share of the file's length."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(at := min(size - 1, int(share * size)))
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ 1 << bit]))


def zero(path: Path, pages: int = 2, page: int = 4096) -> None:
    """Write zeros over pages in the middle of a file."""
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2 // page * page)
        file.write(bytes(min(pages * page, path.stat().st_size - file.tell())))


def reword(path: Path, old: bytes = b"15 gp", new: bytes = b"95 gp") -> int:
    """Write another word over each that stands in a file, and return how many."""
    content = path.read_bytes()
    path.write_bytes(content.replace(old, new))
    os.utime(path)
    return content.count(old)
