"""What every door calls: collections by name, opened once, shared, and seen anew when they change."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path

import pytest
from pydantic import TypeAdapter
from typer.testing import CliRunner

from agent.application.agents import Agents
from agent.application.application import Application
from agent.application.options import Options
from agent.cli.app import app
from agent.errors import CellNotFound, SettingsError
from agent.ingesting.ingest import ingest
from agent.render import answer_data, evidence_data, plan_data
from agent.render.collections import cell_data, description_data, listing_data
from agent.render.data import as_object
from agent.render.shapes import AnswerData, CellData, DescriptionData, ListingData, PlannedData, SearchData
from agent.settings.settings import Settings
from retrieval.errors import ChunkNotFound, CollectionNotFound

FARE = "What is the fare of the Reed?"

pytestmark = pytest.mark.usefixtures("empty_place")


async def test_any_collection_of_the_place_is_asked_by_its_name(application: Application) -> None:
    assert "3" == (await application.ask(FARE)).verdict
    assert "2" == (await application.ask("What is the fare of the Lark?", "trams")).verdict
    both = await application.ask("Which has the lower fare, the Reed or the Lark?", "ferries,trams")
    assert "Lark" in both.text


@pytest.mark.parametrize("name", ["boats", "../ferries", "", "x"])
async def test_a_name_that_is_none_lists_those_that_exist(application: Application, name: str) -> None:
    with pytest.raises(CollectionNotFound, match="existing: ferries, trams"):
        await application.ask(FARE, name)


async def test_an_agent_is_opened_once_and_shared(two_books: Settings) -> None:
    agents = Agents(two_books)
    async with agents.lend() as first, agents.lend("ferries") as second, agents.lend("trams") as other:
        assert first is second
        assert first is not other
    async with agents.lend() as again:
        assert first is again
    await agents.close()


async def test_too_many_are_closed_but_none_that_is_being_asked(two_books: Settings) -> None:
    agents = Agents(two_books, most=1)
    async with agents.lend("ferries") as ferries:
        async with agents.lend("trams"):
            pass
        assert "3" == (await ferries.ask(FARE)).verdict
    async with agents.lend("trams"):
        pass
    async with agents.lend("ferries") as anew:
        assert ferries is not anew
    await agents.close()


async def test_what_was_ingested_since_is_seen(ferries_and_trams: Path, tmp_path: Path) -> None:
    shutil.copytree(ferries_and_trams, tmp_path / "chroma")
    settings = Settings(chroma=str(tmp_path / "chroma"), collection="trams", planner="rules", log_to="none")
    async with Application.open(settings) as application:
        assert "2" == (await application.ask("What is the fare of the Lark?")).verdict
        (tmp_path / "more.md").write_text(
            "# Night trams\n\n| Tram | Fare |\n|---|---|\n| Owl | 7 |\n", encoding="utf-8"
        )
        await ingest([tmp_path / "more.md"], settings)
        assert "7" == (await application.ask("What is the fare of the Owl?")).verdict


async def test_a_question_may_have_options_of_its_own(application: Application) -> None:
    found = await application.search("the fare of ferries", options=Options(max_chunks=1, preset="lenient"))
    assert {1} == {len(retrieved.hits) for retrieved in found.retrieved}
    with pytest.raises(SettingsError, match="needs a language model"):
        await application.ask(FARE, options=Options(planner="llm"))


async def test_a_cell_is_read_by_its_labels_or_by_its_place(application: Application) -> None:
    (citation,) = (await application.ask(FARE)).citations
    assert citation.cell is not None
    by_labels = await application.read_cell(citation.chunk_id, "reed", "FARE")
    by_place = await application.read_cell(
        citation.chunk_id, f"#{citation.cell.row}", f"#{citation.cell.column}", citation.cell.table
    )
    assert by_labels == by_place
    data = cell_data(by_labels)
    assert ("3", 3.0, "Reed", ["Fare"]) == (data["value"], data["number"], data["row_label"], data["column_path"])


async def test_a_miss_tells_what_there_is(application: Application) -> None:
    (citation,) = (await application.ask(FARE)).citations
    with pytest.raises(CellNotFound, match="no row is called 'Swan'; the rows are: #0 'Reed', #1 'Heron'"):
        await application.read_cell(citation.chunk_id, "Swan", "Fare")
    with pytest.raises(CellNotFound, match="the columns are: #0 'Ferry', #1 'Fare', #2 'Seats'"):
        await application.read_cell(citation.chunk_id, "Reed", "#3")
    with pytest.raises(CellNotFound, match="has no table 1; it has: #0"):
        await application.read_cell(citation.chunk_id, "Reed", "Fare", table=1)
    with pytest.raises(ChunkNotFound, match="no chunk 'c0'"):
        await application.read_cell("c0", "Reed", "Fare")


async def test_a_closed_stream_ends_the_work(application: Application) -> None:
    before = asyncio.all_tasks()
    happening = application.stream(FARE)
    assert "plan.created" == (await anext(happening)).name
    await happening.aclose()
    assert before == asyncio.all_tasks()


async def test_the_objects_have_the_shapes_that_are_declared(application: Application) -> None:
    answer = await application.ask("What is the fare of the Reed, and how many wings has it?")
    cell = await application.read_cell(answer.citations[0].chunk_id, "Reed", "Fare")
    search = await application.search(FARE)
    declared = {
        AnswerData: answer_data(answer, debug=True),
        SearchData: evidence_data(FARE, search, debug=True),
        PlannedData: plan_data(await application.plan(FARE), debug=True),
        CellData: cell_data(cell),
        ListingData: listing_data(await application.collections()),
        DescriptionData: description_data(await application.collection("ferries")),
    }
    for shape, data in declared.items():
        adapter: TypeAdapter[object] = TypeAdapter(shape)
        plain = as_object(data)
        assert plain == adapter.dump_python(adapter.validate_python(plain, extra="forbid", strict=True), mode="json")


def test_the_command_line_says_the_same_of_cells_and_collections(two_books: Settings) -> None:
    said = CliRunner().invoke(app, ["collections", "--json", "--chroma", two_books.chroma])
    assert ["ferries", "trams"] == [one["name"] for one in json.loads(said.stdout)["collections"]]
