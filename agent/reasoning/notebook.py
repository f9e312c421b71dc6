"""The working memory of a reasoner: the evidence as tables, the citations made and the facts that are missing."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from agent.types import IN_DOUBT, CellRef, Citation, Finding, Need, Reasoned
from retrieval.tables.reading import CellQuery, Reading, Tables, read_cell
from retrieval.types import Chunk, SubQuery


@dataclass(frozen=True, slots=True)
class Fact:
    """A value read from a chunk, with the number of its citation."""

    text: str
    cite: int
    cell: Reading | None = None


@dataclass(slots=True)
class Notebook:
    """Reads facts from chunks, numbers each citation once, and records missing facts.

    `prefix` keeps the ids of sub-queries for missing facts distinct between rounds.
    """

    chunks: Sequence[Chunk]
    prefix: str = "q"
    citations: list[Citation] = field(default_factory=list)
    needs: dict[str, Need] = field(default_factory=dict)
    _spared: set[str] = field(default_factory=set, init=False)
    _tables: Tables | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def tables(self) -> Tables:
        """The tables of the chunks."""
        if self._tables is None:
            self._tables = Tables(self.chunks)
        return self._tables

    def read(self, query: CellQuery, *, among: Sequence[Chunk] | None = None) -> Fact | None:
        """The best cell for `query` as a cited fact, or None."""
        reading = self.peek(query) if among is None else read_cell(query, among)
        return None if reading is None else self.fact(reading)

    def fact(self, reading: Reading) -> Fact:
        """Return the text of a cell as a fact, with a citation of the cell."""
        cell = reading.cell
        place = CellRef(cell.table, cell.row, cell.column)
        return Fact(reading.text, self.cite(reading.chunk, reading.quote, place), reading)

    def peek(self, query: CellQuery) -> Reading | None:
        """Return the best cell for `query` without a citation."""
        return self.tables.cell(query)

    def read_whole(self, query: CellQuery) -> tuple[int, Fact] | None:
        """Return the whole number that the best cell begins with, such as an armor class: *5 (4 with shield)* is 5."""
        fact = self.read(query)
        number = re.match(r"\s*(-?\d{1,9})(?!\d)", fact.text) if fact else None
        return (int(number[1]), fact) if fact and number else None

    def cite(self, chunk: Chunk, quote: str, cell: CellRef | None = None) -> int:
        """Return the number of the citation of `quote` in `chunk`; the same words have the same number."""
        for citation in self.citations:
            if (citation.chunk_id, citation.quote) == (chunk.id, quote):
                return citation.n
        n = len(self.citations) + 1
        self.citations.append(Citation.of(n, chunk, quote, cell))
        return n

    def need(self, need: str, text: str, *, purpose: str = "", entities: tuple[str, ...] = ()) -> None:
        """Record that a fact is missing and which sub-query would look for it; the same text is asked once."""
        if text not in self.needs:
            sub_query = SubQuery(f"{self.prefix}{len(self.needs) + 1}", text, purpose or need, entities=entities)
            self.needs[text] = Need(need, sub_query)

    def do_without(self, purposes: Collection[str]) -> None:
        """Mark the needs with these purposes as optional: each is looked for once, in a wide search, and the finding
        stands without it.
        """
        for text, need in self.needs.items():
            if need.sub_query.purpose in purposes:
                self._spared.add(text)
                self.needs[text] = replace(need, sub_query=replace(need.sub_query, is_wide=True))

    @property
    def lacks_anything(self) -> bool:
        """True if a fact is missing that the finding can't do without."""
        return len(self._spared) < len(self.needs)

    def reasoned(self, finding: Finding) -> Reasoned:
        """Return the finding with all citations, the missing facts that it can't do without, and all needs."""
        lacking = tuple(need for text, need in self.needs.items() if text not in self._spared)
        if any(need.sub_query.purpose == IN_DOUBT for need in lacking):
            finding = replace(finding, is_doubted=True)
        return Reasoned(finding, tuple(self.citations), lacking, tuple(self.needs.values()))
