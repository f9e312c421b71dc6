"""Read a number out of the right table cell: subject, row key and column key in, cell out.

A table answers for its subject (the words of its caption, title or headings, or a name in one of its rows). A key
such as *level 7* may run down the rows or across the columns, as a single value or a band; both ways are understood,
and the narrowest label that covers the value is meant. Pure functions over chunks; nothing is guessed: no cell, no
reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from retrieval.lookup_grid import CellQuery, Grid
from retrieval.lookup_heads import bag, same_name, want_score
from retrieval.lookup_words import want_words
from retrieval.types import Chunk, Table

__all__ = ["Cell", "CellQuery", "lookup", "lookup_all", "same_name", "says_something", "want_score"]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell that was read: its text, its row's and column's labels, and where it stands. `score` ranks rivals."""

    text: str
    row: str
    column: str
    caption: str
    chunk: Chunk
    table: Table
    score: float

    @property
    def quote(self) -> str:
        """The cell as a citation shows it, beside the chunk's title: row, column and value."""
        where = " / ".join(part for part in (self.row, self.column) if part)
        return f"{where} = {self.text}" if where else self.text


def lookup(query: CellQuery, chunks: Iterable[Chunk]) -> Cell | None:
    """Return the cell that fits best, or None when no table has it.

    >>> columns = ("Armor Class",), ("Level 1-3",), ("Level 4-6",)
    >>> matrix = Table("ATTACK MATRIX FOR CLERICS", columns, (("6", "14", "12"),))
    >>> query = CellQuery("cleric", (("level", "5"), ("armor class", "6")))
    >>> lookup(query, [Chunk("m", "", "Matrix", tables=(matrix,))]).text
    '12'
    """
    cells = lookup_all(query, chunks)
    return None if not cells or _is_one_of_a_name(cells) else cells[0]


def _is_one_of_a_name(cells: Sequence[Cell]) -> bool:
    """True where rows of a table fit alike, and nobody said which of them is meant."""
    best = cells[0]
    same = [c for c in cells if c.table is best.table and (c.score, c.column) == (best.score, best.column)]
    return bool(best.row) and len({cell.text for cell in same}) > 1


def lookup_all(query: CellQuery, chunks: Iterable[Chunk]) -> list[Cell]:
    """Every cell that fits, the best first; among equals the order of `chunks` decides."""
    cells = [cell for chunk in chunks for table in chunk.tables for cell in _read(query, chunk, table)]
    return sorted((cell for cell in cells if says_something(cell.text)), key=lambda cell: -cell.score)


def says_something(text: str) -> bool:
    """True for a cell that is no mere dash."""
    return text.strip(" -–—") not in ("", "n/a", "N/A")


def _read(query: CellQuery, chunk: Chunk, table: Table) -> Iterator[Cell]:
    if table.is_record:
        yield from _read_record(query, chunk, table)
        return
    named, in_name = _subject_score(query.subject, chunk, table)
    grid = Grid(table, f"{chunk.title} {table.caption}")
    in_name = in_name and not (query.subject and grid.lists(query.subject))
    for r, row in enumerate(table.rows):
        match = grid.match(r, query, in_name)
        if match is None:
            continue
        for c, fit in match.columns:
            first, label = f"{' '.join(table.columns[0])} {row[0]}".strip(), " ".join(table.columns[c])
            score = 4 * match.keys + (named if in_name else match.subject) + 2 * fit - match.width
            yield Cell(row[c], first, label, _caption(chunk, table), chunk, table, score)


def _caption(chunk: Chunk, table: Table) -> str:
    return table.caption or chunk.title


def _read_record(query: CellQuery, chunk: Chunk, table: Table) -> Iterator[Cell]:
    named, in_name = _subject_score(query.subject, chunk, table)
    if not in_name or query.keys:
        return
    told = want_words(" ".join((chunk.title, *chunk.headings)))
    for label, text in table.rows:
        fit = want_score(query.want, label, told | want_words(text))
        if fit > 0:
            yield Cell(text, "", label, _caption(chunk, table), chunk, table, named + 2 * fit)


def _subject_score(subject: str, chunk: Chunk, table: Table) -> tuple[float, bool]:
    """How well the table's names name the subject: its own title best, an outer heading least."""
    wanted = bag(subject)
    if not wanted:
        return 0.0, True
    for weight, name in ((2.0, chunk.title), (2.0, table.caption), *((1.0, h) for h in reversed(chunk.headings))):
        words = bag(name)
        if wanted <= words:
            return weight + len(wanted) / len(words), True
    return 0.0, False
