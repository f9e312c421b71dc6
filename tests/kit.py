"""A book, what a question about it means, and its answer: what tests of planning and reasoning begin with.

    BOOK = book("# Ferries …")

    def test_a_fare_is_read() -> None:
        assert "3" == answer("What is the fare of the Reed?", BOOK).finding.verdict

Nothing is searched: the rules read the question by the names of the book, and the reasoners have all of its chunks. A
book is read when it is first asked about, once. `tests/agent/shelf.py` has agents, who search.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from agent.cli.demo import sample
from agent.domains.combat.fighting.odds import Fighter, Member
from agent.domains.combat.question.recognise import fight_in
from agent.domains.combat.question.said import CombatQuestion
from agent.domains.combat.types import Duel
from agent.planning.rules import recognised
from agent.reasoning import reason
from agent.reasoning.binding.binder import Binder
from agent.reasoning.execution.execute import execute
from agent.types import Reasoned
from agent.understanding.question.intent import Intent, Lookup
from agent.understanding.question.tagged import tagged
from agent.understanding.words.lexicon import Lexicon
from retrieval.catalogs.catalog import Catalog
from retrieval.ingest.read import read_sources
from retrieval.tables.index import CellIndex
from retrieval.types import Chunk


class Book:
    """The chunks of a book and the names that it knows; `read` is called at the first look into it."""

    def __init__(self, read: Callable[[], Sequence[Chunk]]) -> None:
        self._read = read

    @cached_property
    def chunks(self) -> list[Chunk]:
        return list(self._read())

    @cached_property
    def catalog(self) -> Catalog:
        return Catalog.from_chunks(self.chunks)

    @cached_property
    def lexicon(self) -> Lexicon:
        return Lexicon.from_catalog(self.catalog)

    @cached_property
    def binder(self) -> Binder:
        """What binds questions to its cells, by their words alone."""
        return Binder(CellIndex.build(self.chunks))

    def only(self, is_held: Callable[[Chunk], bool]) -> list[Chunk]:
        """Some of its chunks, as evidence for `answer`."""
        return [chunk for chunk in self.chunks if is_held(chunk)]


def book(markdown: str) -> Book:
    """A book in Markdown."""
    return Book(lambda: chunks_of(markdown))


def book_of(chunks: Sequence[Chunk]) -> Book:
    """A book that is no more than these chunks."""
    return Book(lambda: chunks)


@cache
def sample_book() -> Book:
    """The bundled rulebook."""
    return Book(_sample_chunks)


def _sample_chunks() -> list[Chunk]:
    with sample() as folder:
        return list(read_sources([folder]).chunks)


def library(pages: Mapping[str, str]) -> Book:
    """A book of many pages in Markdown, by their paths."""
    return Book(lambda: _chunks_of_pages(pages))


def chunks_of(markdown: str) -> list[Chunk]:
    """The chunks that ingestion makes of a text."""
    return _chunks_of_pages({"book.md": markdown})


def _chunks_of_pages(pages: Mapping[str, str]) -> list[Chunk]:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in pages.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        places = [Path(folder)] if len(pages) > 1 else [Path(folder) / name for name in pages]
        return list(read_sources(places).chunks)


def understand(question: str, book: Book) -> Intent:
    """What the rules and the domains take the question for."""
    return recognised(question, book.lexicon)


def parse_duel(question: str, lexicon: Lexicon) -> Duel | None:
    """The fight that a question asks about, by the names of a book."""
    return fight_in(CombatQuestion.normalise(tagged(question), lexicon))


def duel(question: str, book: Book) -> Duel:
    """The fight that a question has to be about."""
    intent = understand(question, book)
    assert isinstance(intent, Duel)
    return intent


def answer(question: str, book: Book, evidence: Sequence[Chunk] | None = None) -> Reasoned:
    """What the reasoners find, on all chunks of the book or on this evidence."""
    intent, chunks = understand(question, book), book.chunks if evidence is None else evidence
    bound = book.binder.bind_by_words(question) if isinstance(intent, Lookup) else None
    told = execute(bound, chunks) if bound is not None else None
    if told is not None and not told.needs:
        return told
    reasoned = reason(intent, chunks)
    return told if told is not None and reasoned.needs else reasoned


def fight(question: str, book: Book, evidence: Sequence[Chunk] | None = None) -> Reasoned:
    """The answer to a question that has to be about a fight."""
    return reason(duel(question, book), book.chunks if evidence is None else evidence)


def combatants(question: str, book: Book, evidence: Sequence[Chunk] | None = None) -> list[dict[str, Any]]:
    """The values of each combatant of a fight."""
    found: list[dict[str, Any]] = fight(question, book, evidence).finding.values["combatants"]
    return found


def rolls_points_damage(question: str, book: Book) -> list[tuple[float, float, float]]:
    """Each combatant's roll to hit, average hit points and average damage, in a fight that lacks nothing."""
    result = fight(question, book)
    assert [] == [need.need for need in result.needs]
    sides = result.finding.values["combatants"]
    return [(side["to_hit"], side["average_hit_points"], side["average_damage"]) for side in sides]


def values_of(result: Reasoned) -> list[object]:
    """The values that a look-up told, in their order."""
    values = result.finding.values["values"]
    return [value["value"] for value in values] if isinstance(values, list) else []


def alike(a: Fighter, count_a: int, b: Fighter, count_b: int) -> tuple[list[Member], list[Member]]:
    """The members of two sides of a fight, of one kind each."""
    return [(a,) * count_b] * count_a, [(b,) * count_a] * count_b
