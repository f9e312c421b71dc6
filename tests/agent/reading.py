"""A small book as its chunks, and a fight fought on all of them: no retrieval between a question and its reasoner."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agent.domains.combat.recognise import parse_duel
from agent.planner.lexicon import Lexicon
from agent.reasoners import reason
from agent.types import Reasoned
from retrieval.catalog import Catalog
from retrieval.ingest.read import read_sources
from retrieval.types import Chunk


def chunks_of(book: str, folder: Path) -> list[Chunk]:
    """The chunks of a book in Markdown, which is written to `folder`."""
    path = folder / "book.md"
    path.write_text(book, encoding="utf-8")
    return list(read_sources([path]).chunks)


def fought(question: str, chunks: list[Chunk]) -> Reasoned:
    """What the reasoner makes of a fight, with the names that the chunks know."""
    duel = parse_duel(question, Lexicon.from_catalog(Catalog.from_chunks(chunks)))
    assert duel is not None
    return reason(duel, chunks)


def combatants(question: str, chunks: list[Chunk]) -> list[dict[str, Any]]:
    """The values of each combatant of that fight."""
    found: list[dict[str, Any]] = fought(question, chunks).finding.values["combatants"]
    return found


def told_wholly(question: str, chunks: list[Chunk]) -> list[tuple[float, float, float]]:
    """Each combatant's roll to hit, hit points and damage in a fight that lacks nothing."""
    result = fought(question, chunks)
    assert [] == [need.need for need in result.needs]
    sides = result.finding.values["combatants"]
    return [(side["to_hit"], side["average_hit_points"], side["average_damage"]) for side in sides]
