"""A catalog comes from the quickest place that has it, and never from one that is wrong."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from retrieval.catalogs.catalog import Catalog
from retrieval.catalogs.opening import KEEP_SECONDS, open_catalog
from retrieval.collections.local.store import open_local
from retrieval.stores.store import MemoryStore
from tests.retrieval.store_contract import corpus, fill
from tests.retrieval.test_local import build_here


class Shared(MemoryStore):
    """A collection of others: it has an identity, and counts how often it is read through."""

    identity = "6f1c"
    scans = 0

    async def scan(self):  # type: ignore[no-untyped-def]
        self.scans += 1
        async for chunk in super().scan():
            yield chunk


async def test_a_store_without_one_is_read_through() -> None:
    store, seen = MemoryStore(), list[tuple[int, int]]()
    chunks = await fill(store, 40)

    assert Catalog.from_chunks(chunks) == await open_catalog(store, on_progress=lambda *step: seen.append(step))
    assert [(40, 40)] == seen


async def test_a_kept_collection_brings_it_along(tmp_path: Path) -> None:
    async with await open_local(tmp_path / "rules", model="m", build=build_here) as store:
        await fill(store, 40)
        seen = list[tuple[int, int]]()

        assert Catalog.from_chunks(corpus(40)) == await open_catalog(store, on_progress=lambda *s: seen.append(s))
        assert [] == seen


async def test_what_a_scan_found_is_kept_until_the_number_of_chunks_changes(tmp_path: Path) -> None:
    store = Shared()
    await fill(store, 10)
    first = await open_catalog(store, cache=tmp_path)

    assert first == await open_catalog(store, cache=tmp_path)
    assert 1 == store.scans
    await fill(store, 11)
    assert 11 == (await open_catalog(store, cache=tmp_path)).chunks


async def test_a_kept_catalog_is_believed_for_a_day(tmp_path: Path) -> None:
    store = Shared()
    await fill(store, 10)
    await open_catalog(store, cache=tmp_path)
    (path,) = tmp_path.iterdir()
    await open_catalog(store, cache=tmp_path, clock=lambda: path.stat().st_mtime + KEEP_SECONDS + 1)

    assert 2 == store.scans


@pytest.mark.parametrize("rubbish", [b"", b"{}", b"\xff", b"[1]"])
async def test_a_damaged_file_is_made_again(tmp_path: Path, rubbish: bytes) -> None:
    store = Shared()
    chunks = await fill(store, 10)
    await open_catalog(store, cache=tmp_path)
    (path,) = tmp_path.iterdir()
    path.write_bytes(rubbish)

    assert Catalog.from_chunks(chunks) == await open_catalog(store, cache=tmp_path)
    assert 2 == store.scans


async def test_a_cache_that_cant_be_written_is_told_and_does_no_harm(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = Shared()
    chunks = await fill(store, 10)
    (tmp_path / "file").write_text("in the way")

    assert Catalog.from_chunks(chunks) == await open_catalog(store, cache=tmp_path / "file" / os.devnull.strip("/"))
    assert "can't be kept" in caplog.text
