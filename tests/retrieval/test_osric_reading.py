"""Cells of a real book that nobody here wrote, read from its files as they are; skipped where it is not at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.ingest.chunks import build_chunks
from retrieval.readers.documents.sections import Source
from retrieval.readers.markdown.reader import parse
from retrieval.tables.reading import CellQuery, read_cell
from retrieval.types import Chunk

OSRIC = Path(__file__).parents[2].parent / "shared" / "corpora" / "osric"
CHAPTERS = ("01. Creating a Character.md", "03. How to Play the First Time.md", "05. Monsters.md")

pytestmark = pytest.mark.skipif(not OSRIC.is_dir(), reason="the OSRIC corpus is not beside the repository")


@pytest.fixture(scope="module")
def book() -> list[Chunk]:
    return build_chunks([Source(name, parse((OSRIC / name).read_text("utf-8"), [])) for name in CHAPTERS])


CELLS = [
    ("fighter", {"level": "4", "armor class": "9"}, "", "8"),
    ("fighter", {"level": "7", "armor class": "3"}, "", "11"),
    ("druid", {"level": "7", "armor class": "3"}, "", "13"),
    ("cleric", {"level": "7", "armor class": "6"}, "", "10"),
    ("illusionist", {"level": "6"}, "magic items", "9"),
    ("illusionist", {"level": "6"}, "breath weapons", "13"),
    ("illusionist", {"level": "12"}, "breath weapons", "11"),
    ("illusionist", {"level": "16"}, "death", "10"),
    ("illusionist", {"level": "1"}, "petrifaction", "13"),
    ("illusionist", {"level": "20"}, "spells", "6"),
    ("fighter", {"level": "9"}, "experience points", "250,000"),
    ("strength", {"strength": "17"}, "bonus to damage", "+1"),
    ("strength", {"strength": "18/60"}, "bonus to damage", "+3"),
    ("dexterity", {"score": "16"}, "armor class", "-2"),
    ("wisdom", {"score": "3"}, "mental saving throw bonus", "-3"),
    ("thief", {"level": "5"}, "hide in shadows", "40%"),
    ("long sword", {}, "damage", "1d8"),
    ("owlbears", {}, "hit dice", "5+2"),
    ("owlbear", {}, "AC", "5"),
    ("orc", {}, "HD", "1"),
]


@pytest.mark.parametrize(("subject", "keys", "want", "text"), CELLS)
def test_known_cells(book: list[Chunk], subject: str, keys: dict[str, str], want: str, text: str) -> None:
    cell = read_cell(CellQuery(subject, tuple(keys.items()), (want,) if want else ()), book)

    assert text == (cell.text if cell else None)


@pytest.mark.parametrize("keys", [{"level": "4", "armor class": "99"}, {"armor class": "4"}, {"charm": "4"}])
def test_what_the_book_does_not_say_is_not_read(book: list[Chunk], keys: dict[str, str]) -> None:
    assert None is read_cell(CellQuery("flumph", tuple(keys.items()), ("hit dice",)), book)
    assert None is read_cell(CellQuery("cleric", tuple(keys.items()), ("lightsaber",)), book)


def test_ids_are_unique_and_rules_are_on_rows_only(book: list[Chunk]) -> None:
    assert len(book) == len({chunk.id for chunk in book})
    assert {"row"} == {chunk.chunk_type for chunk in book if chunk.query_must is not None}
