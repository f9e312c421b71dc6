"""A question that needs two books is answered from two collections, each fact with the book that it is from."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.ask import Agent, ingest
from agent.cli import app
from agent.demo import sample
from agent.errors import SettingsError
from agent.planner.lexicon import Lexicon
from agent.questions import CLASSIC
from agent.settings import Settings
from retrieval.catalog import Catalog
from retrieval.errors import CollectionNotFound, StoreError
from retrieval.ingest.index import index
from retrieval.ingest.read import read_sources
from retrieval.metadata import Where
from retrieval.store import MemoryStore, Vectors
from retrieval.types import Chunk
from retrieval.union import UnionStore, union_of
from tests.retrieval.doubles import BagOfWords

FILES = {"people": ["01-characters.md"], "fights": ["02-combat.md", "03-equipment.md"]}


class Breakable(MemoryStore):
    """A store that can't be read any more once it is `broken`."""

    broken = False

    async def query(
        self, vector: Vectors, n_results: int, where: Where | None = None, exclude: Collection[str] = ()
    ) -> list[tuple[Chunk, float]]:
        if self.broken:
            raise StoreError("the shelf fell over")
        return await super().query(vector, n_results, where, exclude)


async def read_into(store: MemoryStore, *paths: Path) -> Catalog:
    read = read_sources(list(paths))
    await index(read.chunks, store, BagOfWords(), sources=read.sources)
    return Catalog.from_chunks(read.chunks)


def agent_on(store: MemoryStore | UnionStore, catalog: Catalog, settings: Settings | None = None) -> Agent:
    chosen = settings or Settings(collection=store.name)
    return Agent(chosen, store, BagOfWords(), Lexicon.from_catalog(catalog), catalog)


@pytest.fixture(scope="module")
async def shelves() -> dict[str, tuple[Breakable, Catalog]]:
    """The bundled rulebook, in two collections."""
    found = {}
    with sample() as folder:
        for name, files in FILES.items():
            store = Breakable(name)
            found[name] = store, await read_into(store, *(folder / file for file in files))
    return found


@pytest.fixture
def union(shelves: dict[str, tuple[Breakable, Catalog]]) -> UnionStore:
    return union_of([store for store, _ in shelves.values()], [catalog for _, catalog in shelves.values()])


@pytest.fixture(scope="module")
async def whole() -> Agent:
    """An agent on one collection that holds both."""
    store = MemoryStore("whole")
    with sample() as folder:
        catalog = await read_into(store, *(folder / file for files in FILES.values() for file in files))
    return agent_on(store, catalog)


@pytest.mark.parametrize("question", CLASSIC)
async def test_a_question_is_answered_from_both_as_from_one(whole: Agent, union: UnionStore, question: str) -> None:
    expected, answer = await whole.ask(question), await agent_on(union, union.catalog).ask(question)

    assert "complete" == answer.stop_reason
    assert (expected.text, expected.verdict) == (answer.text, answer.verdict)
    assert [(c.title, c.source) for c in expected.citations] == [(c.title, c.source) for c in answer.citations]


async def test_a_duel_cites_both_and_its_citations_lead_to_the_collection(union: UnionStore) -> None:
    agent = agent_on(union, union.catalog)
    citations = (await agent.ask(CLASSIC[2])).citations
    books = {"people": "01-characters.md", "fights": "02-combat.md"}

    assert set(FILES) == {citation.chunk_id.partition(":")[0] for citation in citations}
    assert set(books.values()) <= {citation.source for citation in citations}
    for citation in citations:
        chunk, _ = await agent.check("a query", citation.chunk_id)
        assert (citation.chunk_id, citation.title, citation.source) == (chunk.id, chunk.title, chunk.source)


async def test_what_lacks_in_one_collection_is_not_found_and_the_other_is_not_enough(
    shelves: dict[str, tuple[Breakable, Catalog]],
) -> None:
    for store, catalog in shelves.values():
        answer = await agent_on(store, catalog).ask(CLASSIC[2])
        assert "partial" == answer.stop_reason
        assert answer.unanswered


async def test_a_broken_collection_fails_its_sub_queries_and_is_named(
    shelves: dict[str, tuple[Breakable, Catalog]], union: UnionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shelves["people"][0], "broken", True)
    answer = await agent_on(union, union.catalog).ask(CLASSIC[2])

    assert "partial" == answer.stop_reason
    assert {"collection 'people': the shelf fell over"} == {r.error for r in answer.evidence.retrieved}
