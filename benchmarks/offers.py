"""What a planner is told of a collection: whether the tables that answer are in it, and how many tokens it takes.

    python -m benchmarks.offers ../shared
    python -m benchmarks.offers ../shared --collection ec2 --kept /tmp/offers

The folder is laid out as for `benchmarks.books`. What answers a question is told by its `gold` ids or `gold_titles`, or
found by its `values`: the tables that have such a value where most of the question's words stand. A question whose
values stand in no table is not counted. With `--kept` the collections stay in a folder, to be measured again at once.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from agent.llm.tokens import estimated_tokens, prompt_tokens
from agent.planning.catalog_context import Offers, nearest_to
from agent.planning.drafts import draftings_of
from agent.planning.llm import request_for
from agent.plugins.domains import at_home
from agent.settings.settings import load
from benchmarks.books import QuestionSet, question_sets
from benchmarks.judging import Entry
from retrieval.collections.cells import open_cells
from retrieval.tables.cells import Grid
from retrieval.text.normal import content_words, phrase
from versus import Chunk, Lexicon, Retriever, embedder_for, ingest, normal, open_catalog, open_collections

COLUMNS = ("questions", "n", "counted", "all held", "parts", "held", "offer", "request", "most", "not held")


@dataclass(frozen=True, slots=True)
class Measured:
    """One question: the tokens of its offer and of the whole request for a plan, and for each part of its answer
    whether some table of it is offered.
    """

    id: str
    tokens: int
    request: int
    held: tuple[bool, ...]


def gold_of(entry: Entry, chunks: Sequence[Chunk]) -> list[set[str]]:
    """For each part of an answer what the chunks that have it are called; only those that are found.

    A chunk is called by its title, or as what it stands under: *Key data* of the *Reed*.
    """
    if "gold" in entry:
        wanted = [[chunk for chunk in chunks if chunk.id == id_] for id_ in entry["gold"]]
    elif "gold_titles" in entry:
        names = [phrase(path.rpartition(" > ")[2]) for path in entry["gold_titles"]]
        wanted = [[chunk for chunk in chunks if phrase(chunk.title)[: len(name)] == name] for name in names]
    else:
        values = entry.get("values") or []
        each = values if isinstance(values, list) else []
        wanted = [_having([normal(text) for text in one], entry["question"], chunks) for one in each]
    return [{name for chunk in found for name in (chunk.title, *chunk.headings[-2:])} for found in wanted if found]


def _having(values: Sequence[Sequence[str]], question: str, chunks: Sequence[Chunk]) -> list[Chunk]:
    """The chunks with one of some values in a table, where most words of the question stand beside it."""
    wanted = set(content_words(question))
    beside = [(chunk, wanted & words) for chunk in chunks for words in _beside(values, chunk)]
    most = max((len(words) for _, words in beside), default=0)
    return [chunk for chunk, words in beside if len(words) == most > 1]


def _beside(values: Sequence[Sequence[str]], chunk: Chunk) -> Iterator[set[str]]:
    """The words around each cell of a chunk that has one of some values."""
    for grid in Grid.from_chunk(chunk):
        for row, column in grid.places():
            cell = grid.cell(row, column)
            if any(set(value) <= set(normal(cell.text)) for value in values if value):
                yield set(phrase(" ".join((*grid.names, *grid.row_names(row), cell.column_label))))


async def measured(entries: Sequence[Entry], path: Path, folder: Path) -> list[Measured]:
    """What is offered for each question about the collection that is at a path, ingested into a folder."""
    settings = load({"collection": path.name, "chroma": str(folder), "planner": "rules"})
    lines = path / "chunks.jsonl"
    await ingest([lines if lines.exists() else path], settings)
    embedder = embedder_for(settings.embedding_model)
    store = await open_collections(settings.chroma_location(), settings.collections, embedder=embedder)
    catalog, cells = await open_catalog(store), await open_cells(store)
    retriever = Retriever(store, embedder, settings.policy(), catalog=catalog)
    computed = draftings_of(at_home(Lexicon.from_catalog(catalog)))
    chunks, offers = [chunk async for chunk in store.scan()], Offers(catalog, cells=cells)
    found = []
    for entry in entries:
        offer = offers.offer(entry["question"], await nearest_to(entry["question"], retriever))
        offer = await offer.near_first(entry["question"], embedder)
        held = tuple(any(map(offer.holds, titles)) for titles in gold_of(entry, chunks))
        request = prompt_tokens(request_for(entry["question"], "", offer, computed))
        found.append(Measured(entry["id"], estimated_tokens(offer.text), request, held))
    await store.close()
    return found


def row_of(asked: QuestionSet, found: Sequence[Measured]) -> list[str]:
    """One set of questions as a row of the table."""
    counted = [each for each in found if each.held]
    parts = [held for each in counted for held in each.held]
    missed = [each.id for each in counted if not all(each.held)]
    offer, request = median(each.tokens for each in found), [each.request for each in found]
    answers = len(found), len(counted), len(counted) - len(missed), len(parts), sum(parts)
    counts = (*answers, offer, median(request), max(request))
    return [asked.name, *(f"{count:.0f}" for count in counts), " ".join(missed)]


def measure(shared: Path, collection: str | None, folder: Path, console: Console) -> None:
    """Measure every set of questions about the collections, or about one of them."""
    table = Table(*COLUMNS)
    for name, sets in question_sets(shared).items():
        for asked in sets if collection in (None, name) else ():
            found = asyncio.run(measured(asked.entries, shared / "corpora" / name, folder))
            table.add_row(*map(escape, row_of(asked, found)))
    console.print(table)


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description="What a planner is told of a collection.")
    parser.add_argument("shared", type=Path, help="the folder with corpora and questions")
    parser.add_argument("--collection", metavar="NAME", help="this one only")
    parser.add_argument("--kept", type=Path, metavar="FOLDER", help="where collections are kept from run to run")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        measure(chosen.shared, chosen.collection, chosen.kept or Path(place), Console(width=160))


if __name__ == "__main__":
    main()
