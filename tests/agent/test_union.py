"""A question that needs two books is answered from two collections, each fact with the book that it is from."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from agent.ask import Agent
from agent.cli.app import app
from agent.cli.demo import sample
from agent.ingesting.ingest import ingest
from agent.questions import classic
from agent.settings.settings import Settings
from agent.understanding.words.lexicon import Lexicon
from retrieval.catalogs.catalog import Catalog
from retrieval.collections.multi_store import UnionStore, union_of
from retrieval.errors import StoreError
from retrieval.ingest.index import index
from retrieval.ingest.read import read_sources
from retrieval.searching.retriever import Retriever
from retrieval.stores.metadata import Where
from retrieval.stores.store import MemoryStore, Store, Vectors
from retrieval.types import Chunk, SubQuery
from tests.retrieval.doubles import BagOfWords

FILES = {"people": ["01-characters.md"], "fights": ["02-combat.md", "03-equipment.md"]}
Shelves = dict[str, tuple[MemoryStore, Catalog]]


class Broken(MemoryStore):
    """A store that can't be searched."""

    async def query(
        self, vector: Vectors, n_results: int, where: Where | None = None, exclude: Collection[str] = ()
    ) -> list[tuple[Chunk, float]]:
        raise StoreError("the shelf fell over")


async def shelved(name: str, files: Collection[str]) -> tuple[MemoryStore, Catalog]:
    """Some files of the bundled rulebook, in a collection of their own."""
    store = MemoryStore(name)
    with sample() as folder:
        read = read_sources([folder / file for file in files])
    await index(read.chunks, store, BagOfWords(), sources=read.sources)
    return store, Catalog.from_chunks(read.chunks)


def agent_on(store: Store, catalog: Catalog) -> Agent:
    # How many words two texts share is no relevance, so there is no least one.
    settings = Settings(collection=store.name, hybrid=True, absolute_min=0.0)
    return Agent(settings, store, BagOfWords(), Lexicon.from_catalog(catalog), catalog)


@pytest.fixture(scope="module")
async def shelves() -> Shelves:
    return {name: await shelved(name, files) for name, files in FILES.items()}


@pytest.fixture(scope="module")
async def union(shelves: Shelves) -> UnionStore:
    return union_of([store for store, _ in shelves.values()], [catalog for _, catalog in shelves.values()])


@pytest.fixture(scope="module")
async def agent(union: UnionStore) -> Agent:
    return agent_on(union, union.catalog)


@pytest.fixture(scope="module")
async def whole() -> Agent:
    """An agent on one collection that holds everything."""
    return agent_on(*await shelved("whole", [file for files in FILES.values() for file in files]))


@pytest.mark.parametrize("question", classic())
async def test_a_question_is_answered_from_both_as_from_one(whole: Agent, agent: Agent, question: str) -> None:
    expected, answer = await whole.ask(question), await agent.ask(question)

    assert "complete" == answer.stop_reason
    assert (expected.text, expected.verdict) == (answer.text, answer.verdict)
    assert [(c.title, c.source) for c in expected.citations] == [(c.title, c.source) for c in answer.citations]


async def test_a_duel_cites_both_and_each_citation_leads_to_its_chunk(agent: Agent) -> None:
    citations = (await agent.ask(classic()[2])).citations

    assert {"people", "fights"} == {citation.chunk_id.partition(":")[0] for citation in citations}
    assert {"01-characters.md", "02-combat.md", "03-equipment.md"} == {citation.source for citation in citations}
    for citation in citations:
        chunk, _ = await agent.check("a query", citation.chunk_id)
        assert (citation.chunk_id, citation.title, citation.source) == (chunk.id, chunk.title, chunk.source)


@pytest.mark.parametrize("name", FILES)
async def test_neither_of_them_is_enough(shelves: Shelves, name: str) -> None:
    answer = await agent_on(*shelves[name]).ask(classic()[2])

    assert "partial" == answer.stop_reason
    assert answer.unanswered


async def test_a_plan_may_confine_a_sub_query_to_one_of_them(union: UnionStore, agent: Agent) -> None:
    everywhere = SubQuery("q1", "armor class of plate mail")
    confined = replace(everywhere, collection="people")
    retriever = Retriever(union, BagOfWords(), catalog=union.catalog)
    found = await retriever.retrieve(confined)
    assert found.hits
    assert {"people"} == {hit.chunk.id.split(":")[0] for hit in found.hits}
    assert confined == found.sub_query
    assert "fights" in {hit.chunk.id.split(":")[0] for hit in (await retriever.retrieve(everywhere)).hits}
    with pytest.raises(StoreError, match="no collection 'cellar' is open here"):
        await retriever.retrieve(replace(everywhere, collection="cellar"))


async def test_sub_queries_fail_by_the_name_of_a_broken_collection(shelves: Shelves) -> None:
    (fights, combat), (_, people) = shelves["fights"], shelves["people"]
    union = union_of([fights, Broken("people")], [combat, people])
    answer = await agent_on(union, union.catalog).ask(classic()[2])

    assert "failed" == answer.stop_reason
    assert {"collection 'people': the shelf fell over"} == {r.error for r in answer.evidence.retrieved}


TABLE = """# {0}

**{0} Attack Table**

| Level | AC 9 | AC 3 |
|---|---|---|
| 1-3 | 11 | 17 |
| 4-6 | 8 | {1} |

"""
LIBRARY = {"reavers": {"Reaver": 14, "Rover": 15}, "hexers": {"Hexer": 16, "Herald": 12}}


@pytest.fixture(scope="module")
async def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of two small collections, each with a book.md of its own."""
    folder = tmp_path_factory.mktemp("union")
    for name, rolls in LIBRARY.items():
        book = folder / name / "book.md"
        book.parent.mkdir()
        book.write_text("".join(TABLE.format(*row) for row in rolls.items()), encoding="utf-8")
        await ingest([book], Settings(collection=name, chroma=str(folder / "chroma"), log_dir=folder / "logs"))
    return folder


def versus(place: Path, *arguments: str) -> Result:
    logs = {"VERSUS_LOG_DIR": str(place / "logs")}
    return CliRunner().invoke(app, [*arguments, "--chroma", str(place / "chroma"), "--json"], env=logs)


pytestmark = pytest.mark.usefixtures("empty_place")
QUESTION = "Does a reaver or a hexer of 5th level need the lower roll to hit AC 3?"


def test_the_command_line_takes_several_collections(place: Path) -> None:
    result = versus(place, "ask", QUESTION, "--collection", "reavers,hexers")
    answer = json.loads(result.stdout)

    assert (0, "reaver") == (result.exit_code, answer["verdict"])
    assert {"reavers:book.md", "hexers:book.md"} == {citation["source"] for citation in answer["citations"]}


def test_a_citation_s_chunk_can_be_checked(place: Path) -> None:
    answer = json.loads(versus(place, "ask", QUESTION, "--collection", "reavers,hexers").stdout)
    cited = answer["citations"][0]["chunk_id"]
    result = versus(place, "check", "a reaver of 5th level", "--chunk", cited, "--collection", "hexers,reavers")

    assert 0 == result.exit_code, result.stderr
    assert cited == json.loads(result.stdout)["chunk_id"]


def test_a_missing_collection_is_named_with_those_that_exist(place: Path) -> None:
    result = versus(place, "ask", QUESTION, "--collection", "reavers,ogres")

    assert 1 == result.exit_code
    assert "no collection named 'ogres' (existing: hexers, reavers)" in json.loads(result.stderr)["error"]["message"]


def test_what_is_ingested_goes_into_one_collection(place: Path) -> None:
    result = versus(place, "ingest", str(place / "reavers"), "--collection", "reavers,hexers")

    assert 2 == result.exit_code
    assert "only one collection can be written to" in json.loads(result.stderr)["error"]["message"]
    assert "Choose one with --collection NAME" in json.loads(result.stderr)["error"]["message"]
