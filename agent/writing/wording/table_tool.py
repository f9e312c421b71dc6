"""The tool that reads a whole table: its rows with the numbers of their passages, and the number of its rows.

If several tables match a name, it reads the one with the requested columns, and of those the longest. It cuts what is
too long, and says how much is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from agent.plugins.domain import Computed
from agent.writing.checking.cited import Source
from agent.writing.wording.ledger import Ledger, shortened, title_of
from agent.writing.wording.whole_tables import (
    ConditionArgument,
    TableArguments,
    TableRow,
    WholeTable,
    name_of_whole,
    tables_among,
)
from retrieval.tables.cells import Grid
from retrieval.tables.names import without_part
from retrieval.text.normal import phrase
from retrieval.types import Chunk

READ_TABLE = "read_table"
_NUMBER = re.compile(r"\[(\d{1,6})\]|^\W*(\d{1,6})\W*$")
_LONGEST, _LONGEST_CELL = 6000, 160
"""Most characters of the shown rows, and of one cell."""
_OPEN = " (whether it meets the conditions is open)"
_MOST_OTHERS = 6
"""Most other tables that are named."""


def title_wanted(table: str, ledger: Ledger) -> str:
    """Return the title of the requested table, which may be given by the number of a source."""
    chunk = _chunk_of(table, ledger)
    if chunk is None:
        return without_part(table)
    grids = [grid for grid in Grid.from_chunk(chunk) if not grid.table.is_record]
    return name_of_whole(grids[0]) if grids else chunk.title


def tables_called(
    asked: TableArguments, ledger: Ledger, titled: Sequence[Chunk] = (), near: Sequence[Chunk] = ()
) -> list[WholeTable]:
    """Return the tables of that number or title: from the `titled` chunks, those `near`, and the known ones."""
    own, title = _chunk_of(asked.table, ledger), title_wanted(asked.table, ledger)
    so = [_named(table, title) for table in tables_among(titled)]
    is_titled = {chunk.id for chunk in titled}
    held = {chunk.id: chunk for chunk in (*near, *ledger.chunks) if chunk.id not in is_titled}
    among = [*so, *tables_among(held.values(), united=False)]
    found = [table for table in among if own is not None and own.id in table.chunk_ids]
    return found or [table for table in among if _is_called(table, title)] or so


def tables_labelled(asked: TableArguments, chunks: Sequence[Chunk]) -> list[WholeTable]:
    """Return the tables of some chunks that have all requested columns, named by these."""
    every = tables_among(chunks)
    return [
        _named(table, f"all with {' and '.join(asked.labels)}") for table in every if table.has_columns(asked.labels)
    ]


def read_table(asked: TableArguments, ledger: Ledger, found: Sequence[WholeTable]) -> str:
    """Return the text of the best matching table; `ValueError` names what is wrong."""
    if not found:
        near = _others(tables_among(ledger.chunks, united=False), "; near are: ")
        return f"not found: no table is called {asked.table!r}{near}"
    table, *others = sorted(found, key=lambda each: (not each.has_columns(asked.labels), -len(each.rows)))
    alike = [other for other in others if other.has_columns(asked.labels)]
    return "\n".join(
        (*_table_lines(table, asked, ledger), *filter(None, [_others(alike, "other tables of that name: ")]))
    )


def _named(table: WholeTable, name: str) -> WholeTable:
    """Return the table, with a name if it has none of its own."""
    return table if table.name else replace(table, name=name)


def _chunk_of(table: str, ledger: Ledger) -> Chunk | None:
    """Return the chunk of a source by its number; `ValueError` for an unknown number."""
    named = _NUMBER.search(table)
    if named is None:
        return None
    number = int(named[1] or named[2])
    if number not in ledger.sources:
        raise ValueError(f"[{number}] is no passage and no source")
    return ledger.sources[number].chunk


def _is_called(table: WholeTable, name: str) -> bool:
    """True if a table has all words of a name in its own, or in a heading above it."""
    said = {word for row in table.rows[:1] for text in (table.name, *row.chunk.headings) for word in phrase(text)}
    return set(phrase(name)) <= said


def _others(tables: Iterable[WholeTable], before: str) -> str:
    named = dict.fromkeys(
        f"{table.name or table.rows[0].cells[0]} ({', '.join(filter(None, table.heads[:4]))} …)" for table in tables
    )
    return before + "; ".join(list(named)[:_MOST_OTHERS]) if named else ""


def _table_lines(table: WholeTable, asked: TableArguments, ledger: Ledger) -> Iterator[str]:
    """Yield the table's name and counts, its headers, and as many rows as there is room for."""
    columns = list(dict.fromkeys((0, *map(table.column, asked.columns)))) if asked.columns else range(len(table.heads))
    met, unsure = table.meeting(asked.where)
    numbered = _Numbered(ledger)
    yield ledger.record(_counted(table, asked.where, met, len(unsure)), map(numbered.of, met or table.rows))
    yield from _limits(table, asked, met)
    if not met and not unsure:
        return
    yield f"\n{' | '.join(table.heads[at] for at in columns)}"
    room = _LONGEST
    for shown, row in enumerate((*met, *unsure)):
        line = f"[{numbered.of(row)}] {_line(row, columns)}{_OPEN if shown >= len(met) else ''}"
        room -= len(line)
        if room < 0:
            left = len(met) + len(unsure) - shown
            yield f"… {left} more rows are not shown; ask for fewer columns, or under conditions"
            return
        yield ledger.record_shown(line)


@dataclass(frozen=True, slots=True)
class _Numbered:
    """The numbers of the passages of rows."""

    ledger: Ledger
    _known: dict[str, int] = field(default_factory=dict)

    def of(self, row: TableRow) -> int:
        """Return the number of a row's passage."""
        if row.chunk.id not in self._known:
            self._known[row.chunk.id] = self.ledger.number(Source(row.chunk))
        return self._known[row.chunk.id]


def _line(row: TableRow, columns: Sequence[int]) -> str:
    return " | ".join(shortened(row.cell(at), _LONGEST_CELL) for at in columns)


def _counted(table: WholeTable, where: Sequence[ConditionArgument], met: Sequence[TableRow], unsure: int) -> Computed:
    """Return how many rows there are, and how many meet the conditions, also by different keys."""
    under = " and ".join(f"{each.column} {each.relation} {each.value}" for each in where)
    keys = len({row.key for row in met})
    different = f", with {keys} different {table.heads[0]}".rstrip() if 0 < keys < len(met) else ""
    is_open = f"; of {unsure} more it is open" if unsure else ""
    every = f"{len(table.rows)} row{'' if len(table.rows) == 1 else 's'}"
    told = f"{len(met)} of {every}: {under}" if where else every
    text = f"{_title(table)}: {told}{different}{is_open}"
    return Computed(text, float(len(met)), f"{len(met)} {keys} {len(table.rows)} {unsure}")


def _title(table: WholeTable) -> str:
    return title_of(table.rows[0].chunk) if len(table.chunk_ids) == 1 else table.name


def _limits(table: WholeTable, asked: TableArguments, met: Sequence[TableRow]) -> Iterator[str]:
    """Yield the limits of the count: missing parts, and the values of a condition's column if no row meets it."""
    if table.lacking:
        yield f"{table.lacking} of its parts are not at hand; there may be more rows"
    for each in asked.where if not met else ():
        yield f"{each.column} is one of: {'; '.join(table.values_under(each.column))}"
