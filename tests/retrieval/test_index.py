"""Indexing is incremental, and leaves the collection as it was when something fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from retrieval.errors import EmbeddingError, SourceError
from retrieval.ingest.index import Indexed, content_hash, embedding_text, index
from retrieval.stores.store import MemoryStore
from retrieval.types import Chunk, QueryMust
from tests.retrieval.doubles import BagOfWords

ONE = Chunk("one#1", "a bear", "Bear", "one.md")
TWO = Chunk("one#2", "an owl", "Owl", "one.md")
OTHER = Chunk("two#1", "a sword", "Sword", "two.md")


class Failing(BagOfWords):
    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise EmbeddingError("no model")


async def test_the_second_time_nothing_is_embedded() -> None:
    store, embedder = MemoryStore(), BagOfWords()

    assert Indexed(2, 0, 0) == await index([ONE, TWO], store, embedder, sources={"one.md": ""})
    assert Indexed(0, 2, 0) == await index([ONE, TWO], store, embedder, sources={"one.md": ""})
    assert 2 == sum(map(len, embedder.calls))


@pytest.mark.parametrize(
    "change", [{"text": "a big bear"}, {"tags": ("animal",)}, {"query_must": QueryMust(contain="x")}]
)
async def test_what_changed_is_embedded_again(change: dict[str, object]) -> None:
    store, changed = MemoryStore(), replace(ONE, **change)  # type: ignore[arg-type]
    await index([ONE, TWO], store, BagOfWords(), sources={"one.md": ""})

    assert Indexed(1, 1, 0) == await index([changed, TWO], store, BagOfWords(), sources={"one.md": ""})
    assert [changed] == await store.get([ONE.id])


async def test_what_vanished_from_its_source_is_removed_and_other_sources_stay() -> None:
    store = MemoryStore()
    await index([ONE, TWO, OTHER], store, BagOfWords(), sources={"one.md": "", "two.md": ""})

    assert Indexed(0, 1, 1) == await index([ONE], store, BagOfWords(), sources={"one.md": ""})
    assert [ONE, OTHER] == [chunk async for chunk in store.scan()]
    assert Indexed(0, 0, 1) == await index([], store, BagOfWords(), sources={"one.md": ""})


async def test_a_file_that_left_its_folder_takes_its_chunks_along() -> None:
    store = MemoryStore()
    await index([ONE, TWO, OTHER], store, BagOfWords(), sources={"one.md": "/books", "two.md": "/books"})

    assert Indexed(0, 2, 1) == await index([ONE, TWO], store, BagOfWords(), sources={"one.md": "/books"})
    assert [ONE, TWO] == [chunk async for chunk in store.scan()]


async def test_a_folder_speaks_for_the_files_in_it_that_were_named_alone() -> None:
    store = MemoryStore()
    await index([ONE], store, BagOfWords(), sources={"one.md": "/books/one.md"})
    await index([OTHER], store, BagOfWords(), sources={"two.md": "/books"})

    assert [OTHER] == [chunk async for chunk in store.scan()]


async def test_a_second_file_of_the_same_name_is_refused_while_the_first_is_there(tmp_path: Path) -> None:
    store, roots = MemoryStore(), [tmp_path / "a", tmp_path / "b"]
    for root in roots:
        root.mkdir()
        (root / "one.md").write_text("# Bear", encoding="utf-8")
    await index([ONE], store, BagOfWords(), sources={"one.md": str(roots[0])})

    with pytest.raises(SourceError, match=r"already has 'one\.md' from"):
        await index([TWO], store, BagOfWords(), sources={"one.md": str(roots[1])})
    (roots[0] / "one.md").unlink()
    assert Indexed(1, 0, 1) == await index([TWO], store, BagOfWords(), sources={"one.md": str(roots[1])})


async def test_a_declared_source_is_refused_while_another_file_that_declares_it_is_there(tmp_path: Path) -> None:
    files = [tmp_path / "a" / "x.jsonl", tmp_path / "b" / "y.jsonl"]
    for file in files:
        file.parent.mkdir()
        file.touch()
    store = MemoryStore()
    await index([ONE], store, BagOfWords(), sources={"one.md": str(files[0])}, roots=[str(files[0].parent)])

    with pytest.raises(SourceError, match=r"already has 'one\.md' from .*x\.jsonl"):
        await index([TWO], store, BagOfWords(), sources={"one.md": str(files[1])}, roots=[str(files[1].parent)])
    both = [str(file.parent) for file in files]
    assert Indexed(1, 0, 1) == await index([TWO], store, BagOfWords(), sources={"one.md": str(files[1])}, roots=both)


async def test_an_id_is_refused_while_the_other_file_that_has_it_is_there(tmp_path: Path) -> None:
    store, taken = MemoryStore(), replace(OTHER, id=ONE.id)
    for name in ("one.md", "two.md"):
        (tmp_path / name).touch()
    one, two = {"one.md": str(tmp_path / "one.md")}, {"two.md": str(tmp_path / "two.md")}
    await index([ONE, TWO], store, BagOfWords(), sources=one)

    with pytest.raises(SourceError, match=r"two\.md: .* already has a chunk 'one#1' from .*one\.md"):
        await index([taken], store, BagOfWords(), sources=two)
    assert [ONE, TWO] == [chunk async for chunk in store.scan()]
    assert Indexed(1, 0, 1) == await index([taken], store, BagOfWords(), sources=two, roots=one.values())


async def test_an_id_is_free_when_the_file_that_had_it_is_gone(tmp_path: Path) -> None:
    store = MemoryStore()
    for name in ("one.md", "two.md"):
        (tmp_path / name).touch()
    await index([ONE], store, BagOfWords(), sources={"one.md": str(tmp_path / "one.md")})
    (tmp_path / "one.md").unlink()

    moved = replace(ONE, source="two.md")
    assert Indexed(1, 0, 0) == await index([moved], store, BagOfWords(), sources={"two.md": str(tmp_path)})


async def test_a_chunk_file_that_left_its_folder_takes_its_declared_source_along() -> None:
    store, roots = MemoryStore(), ["/books"]
    sources = {"one.md": "/books/a.jsonl", "two.md": "/books/b.jsonl"}
    await index([ONE, OTHER], store, BagOfWords(), sources=sources, roots=roots)

    left = {"one.md": "/books/a.jsonl"}
    assert Indexed(0, 1, 1) == await index([ONE], store, BagOfWords(), sources=left, roots=roots)


async def test_a_failing_model_leaves_the_collection_as_it_was() -> None:
    store = MemoryStore()
    await index([ONE, TWO], store, BagOfWords(), sources={"one.md": ""})

    with pytest.raises(EmbeddingError, match="no model"):
        await index([replace(ONE, text="new")], store, Failing(), sources={"one.md": ""})
    assert [ONE, TWO] == [chunk async for chunk in store.scan()]


async def test_duplicate_ids_are_an_error_that_names_one() -> None:
    with pytest.raises(SourceError, match="'one#1'"):
        await index([ONE, ONE], MemoryStore(), BagOfWords(), sources={"one.md": ""})


async def test_another_models_collection_is_refused() -> None:
    with pytest.raises(EmbeddingError, match="another"):
        await index([ONE], MemoryStore(model="another"), BagOfWords(), sources={"one.md": ""})


async def test_progress_counts_only_what_is_embedded() -> None:
    store, seen = MemoryStore(), list[tuple[int, int]]()
    await index([ONE], store, BagOfWords(), sources={"one.md": ""})
    await index([ONE, TWO], store, BagOfWords(), sources={"one.md": ""}, on_progress=lambda *step: seen.append(step))

    assert [(1, 1)] == seen


def test_the_title_is_embedded_once() -> None:
    assert "Bear\na bear of size" == embedding_text(Chunk("c", "a bear of size", "Bear"))
    assert "# The Owl\nflies" == embedding_text(Chunk("c", "# The Owl\nflies", "The Owl"))


@given(st.text(), st.text())
def test_hashes_differ_exactly_when_chunks_do(one: str, other: str) -> None:
    left, right = replace(ONE, text=one), replace(ONE, text=other)

    assert (one == other) == (content_hash(left) == content_hash(right))
