"""Entries that a text describes: table rows and record lines with a describing cell, and sections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from agent.prose.units import section_names, units_of
from agent.prose.words import stems
from retrieval.tables.names import is_numbered
from retrieval.types import Chunk, Table

_DESCRIBING = 4
"""Least number of words in a description."""
_BEGINS = 2
"""The number of sentences that describe a section."""
_LONGEST = 240
"""Characters of a wording that are compared."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value of an entry: a cell with its column header and its table, row and column numbers, or sentences."""

    head: str
    text: str
    cell: tuple[int, int, int] | None = None


@dataclass(frozen=True)
class Entry:
    """A described entity: its name, its description, the cells beside it, and the column header above its name.

    Many record lines and sections describe an entity that is not asked for. An entry that `is_loose` comes from one of
    these and counts only if its section names have the kind that is asked for.
    """

    name: str
    description: Value
    chunk: Chunk
    other_cells: tuple[Value, ...] = ()
    head: str = ""
    is_loose: bool = False

    def wording(self, words: frozenset[str]) -> str:
        """Return the text to embed. The page's name goes first if it has one of some words."""
        page = (name for name in section_names(self.chunk)[:1] if words & stems(name))
        return ": ".join((*page, self.name, self.description.text))[:_LONGEST]

    @cached_property
    def own_words(self) -> frozenset[str]:
        """The stems of its name and description."""
        return stems(f"{self.name} {self.description.text}")

    @cached_property
    def name_stems(self) -> frozenset[str]:
        """The stems of its section names, folders and file name."""
        path = PurePath(self.chunk.source.rpartition(":")[2])
        return frozenset().union(*map(stems, (*path.parts[:-1], path.stem, *section_names(self.chunk))))

    @property
    def full_text(self) -> str:
        """The full text of the entry, with its section names."""
        return " ".join(
            (*section_names(self.chunk), self.name, self.description.text, *(each.text for each in self.other_cells))
        )

    @cached_property
    def all_stems(self) -> frozenset[str]:
        """Its own stems and those of its section names."""
        return self.own_words | self.name_stems


def entries_of(chunks: Sequence[Chunk]) -> tuple[Entry, ...]:
    """Return the distinct entries of some chunks.

    >>> table = Table("", (("Key",), ("What it does",), ("Default",)), (("keep", "How many files are kept", "7"),))
    >>> [(each.name, each.other_cells[0].text) for each in entries_of([Chunk("c", "", "Options", tables=(table,))])]
    [('keep', '7')]
    """
    told: dict[tuple[object, ...], Entry] = {}
    measures = _measures(chunks)
    for chunk in chunks:
        rows = [entry for number, table in enumerate(chunk.tables) for entry in _entries(chunk, number, table)]
        rows = [entry for entry in rows if not (entry.is_loose and entry.name in measures)]
        for entry in (*rows, *_section(chunk)):
            key = (chunk.source, entry.name, entry.description.text, entry.other_cells[:1])
            told.setdefault(key, entry)
    return tuple(told.values())


def _measures(chunks: Sequence[Chunk]) -> set[str]:
    """Return the record labels that several sections have: they name an attribute, not an entity."""
    having: dict[str, set[tuple[str, ...]]] = {}
    for chunk in chunks:
        for table in chunk.tables:
            for row in table.rows if table.is_record else ():
                having.setdefault(row[0].strip(" *`"), set()).add(section_names(chunk))
    return {label for label, sections in having.items() if len(sections) > 1}


def _section(chunk: Chunk) -> Iterator[Entry]:
    """Yield a section as an entry: its name, its first sentences, and the values of its records."""
    told = [unit.text for unit in units_of(chunk) if not unit.list_lead and len(unit.text.split()) >= _DESCRIBING]
    if told and chunk.title:
        records = ((n, table) for n, table in enumerate(chunk.tables) if table.is_record)
        lines = (Value(row[0], row[1], (n, at, 1)) for n, table in records for at, row in enumerate(table.rows))
        yield Entry(section_names(chunk)[-1], Value("", " ".join(told[:_BEGINS])), chunk, tuple(lines), is_loose=True)


def _entries(chunk: Chunk, number: int, table: Table) -> Iterator[Entry]:
    """Yield an entry for each row with a brief name cell and a describing cell behind it."""
    heads = [" ".join(path) for path in table.columns]
    for at, row in enumerate(table.rows):
        cells = {n: Value(heads[n], row[n], (number, at, n)) for n in range(min(len(heads), len(row)))}
        told = {n: cell for n, cell in cells.items() if cell.text.strip()}
        long = next((n for n, cell in told.items() if n and len(cell.text.split()) >= _DESCRIBING), None)
        name = next((n for n, cell in told.items() if not is_numbered(cell.text)), None)
        if long is not None and name is not None and name < long:
            beside = tuple(cell for n, cell in told.items() if n not in (long, name))
            title = told[name].text.strip(" *`")
            yield Entry(title, told[long], chunk, beside, told[name].head, table.is_record)
