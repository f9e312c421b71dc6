"""Page and category of a chunk, from `<!-- page 74 -->` and headings in a file to every door that shows chunks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import chromadb
import pytest
from typer.testing import CliRunner

from agent.application.cells import cell_of
from agent.cli.app import app
from agent.doors.http.page.html import chunk_html
from agent.render.collections import cell_data
from retrieval.collections.local.layout import CHROMA, current_index
from retrieval.collections.opening import local_folder
from retrieval.ingest.read import read_sources
from tests.readers.making import laid_out

pytestmark = pytest.mark.usefixtures("empty_place")

BOOK = """\
# Monsters

<!-- page 73 -->

## Owlbear

AC: 5
HD: 5+2
<!-- page 74 -->
MOVE: 12

An owlbear hoots at night.

<!-- page 75 -->

## Orc

AC: 6
HD: 1
MOVE: 9
"""
OWN = {"id": "ogre", "title": "Ogre", "text": "Ogres hit hard.", "page": 80, "category": "Giants", "headings": ["Foes"]}
QUESTION = "What is the armor class of an orc?"


@pytest.fixture(scope="module")
def chroma(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a store that holds the book and the chunk."""
    folder = tmp_path_factory.mktemp("store")
    (folder / "book.md").write_text(BOOK, encoding="utf-8")
    (folder / "own.jsonl").write_text(json.dumps(OWN), encoding="utf-8")
    arguments = ["ingest", str(folder / "book.md"), str(folder / "own.jsonl"), "--chroma", str(folder / "chroma")]
    result = CliRunner().invoke(app, arguments, env={"VERSUS_LOG_DIR": str(folder / "logs")})
    assert 0 == result.exit_code, result.stderr
    return str(folder / "chroma")


def versus(chroma: str, *arguments: str) -> str:
    result = CliRunner().invoke(app, [*arguments, "--chroma", chroma])
    assert "" == result.stderr
    return result.stdout


def found(data: dict[str, Any]) -> dict[str, tuple[int | None, str]]:
    chunks = [*data["evidence"], *(hit for each in data["retrieved"] for hit in each["hits"])]
    return {chunk["title"]: (chunk["page"], chunk["category"]) for chunk in chunks}


def test_citations_name_the_page(chroma: str) -> None:
    assert "Orc (book.md, page 75): " in versus(chroma, "ask", QUESTION)
    answer = json.loads(versus(chroma, "ask", QUESTION, "--json"))
    assert {75} == {citation["page"] for citation in answer["citations"]}
    assert (75, "Monsters") == found(answer)["Orc"]


def test_what_is_printed_on_a_page_is_told_wherever_its_number_is(empty_place: Path) -> None:
    laid_out(empty_place / "lids.pdf")
    versus("chroma", "ingest", "lids.pdf")
    question = "What is the weight of the steel lid?"
    answer = json.loads(versus("chroma", "ask", question, "--json"))
    for each in (*answer["citations"], *answer["retrieved"][0]["hits"], *answer["evidence"]):
        assert each["page_label"] == {1: "vii", 2: "viii"}[each["page"]]
    assert {"viii"} == {citation["page_label"] for citation in answer["citations"]}
    for shown in (["ask", question], ["ask", question, "--format", "markdown"], ["search", "steel lid"]):
        assert "page 2 (printed viii)" in versus("chroma", *shown)
    assert "(page 2, printed viii)" in versus("chroma", "search", "steel lid", "--debug")
    log = "\n".join(path.read_text() for path in (empty_place / "logs").rglob("*.jsonl"))
    completed = [json.loads(line) for line in log.splitlines() if "answer.completed" in line]
    assert {"viii"} == {citation["page_label"] for event in completed for citation in event["citations"]}
    page = CliRunner().invoke(app, ["logs", "show", answer["run_id"], "--html"], env={"VERSUS_CHROMA": "chroma"}).stdout
    article, recorded = page.partition("<article")[2], page.partition('id="recorded">')[2].partition("</script>")[0]
    assert "lids.pdf, page 2 (printed viii)" in article
    (chunk,) = [json.loads(told) for address, told in json.loads(recorded).items() if "/chunks/" in address]
    assert "page 2 (printed viii)" in chunk_html(chunk)


def test_a_cell_that_is_read_alone_has_the_printed_page_and_the_box_too(empty_place: Path) -> None:
    chunks = read_sources([laid_out(empty_place / "lids.pdf")]).chunks
    (lids,) = [chunk for chunk in chunks if chunk.tables and chunk.tables[0].columns[0] == ("Lid",)]
    told = cell_data(cell_of(lids, "steel", "Weight"))["citation"]
    assert (2, "viii", lids.tables[0].boxes[0][1]) == (told["page"], told["page_label"], told["box"])


def test_listings_and_the_context_show_page_and_category(chroma: str) -> None:
    places = "book/owlbear · book.md:5, page 73 · category Monsters"

    assert places in versus(chroma, "search", "owlbear")
    assert f"] Owlbear\n{places} · relevance" in versus(chroma, "search", "owlbear", "--show-context")
    assert "Owlbear (page 73)" in versus(chroma, "search", "owlbear", "--debug")


def test_a_category_that_a_chunk_declares_is_not_its_heading(chroma: str) -> None:
    assert (80, "Giants") == found(json.loads(versus(chroma, "search", "ogre hit hard", "--json")))["Ogre"]


def test_the_page_is_in_the_metadata_of_chroma(chroma: str) -> None:
    index = current_index(local_folder(chroma, "rules"))
    assert index is not None
    client = chromadb.PersistentClient(str(index / CHROMA))
    parts = [collection.get(include=["metadatas"])["metadatas"] or () for collection in client.list_collections()]
    flat = {str(each["title"]): each for part in parts for each in part}

    assert [73, 75, 80] == [flat[title]["page"] for title in ("Owlbear", "Orc", "Ogre")]
    assert "Giants" == flat["Ogre"]["category"]


def test_a_mark_that_moves_is_updated_without_embedding(empty_place: Path) -> None:
    book = empty_place / "book.md"
    book.write_text(BOOK, encoding="utf-8")
    versus("chroma", "ingest", "book.md")
    book.write_text(BOOK.replace("page 75", "page 76"), encoding="utf-8")

    assert "0 embedded, 1 updated, 1 unchanged, 0 removed" in versus("chroma", "ingest", "book.md")
    assert 76 == json.loads(versus("chroma", "search", "orc", "--json"))["evidence"][0]["page"]
