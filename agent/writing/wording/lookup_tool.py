"""The tool that reads a cell: as asked, else with row and column swapped, else with what the table has instead.

A name may be a column header as well as a row label, and the wanted column may be the name of the table. If the subject
has another value for a key than the one asked for, the tool lists the values that it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from pydantic import BaseModel, Field

from agent.plugins.domain import Brief
from agent.types import CellRef
from agent.writing.checking.cited import Source
from agent.writing.wording.ledger import Ledger, shortened, title_of
from retrieval.tables.cells import Grid
from retrieval.tables.reading import CellQuery, Reading, read_cells
from retrieval.text.normal import phrase

LOOK_UP = "lookup_cell"
_NO_CELL = "not found: no table has such a cell"
_TURNED = "read the other way round:"
_MOST_CELLS, _LONGEST_CELL = 6, 400
"""Most equally good cells of one look-up, and most characters of each."""
_MOST_LABELS = 24
"""Most labels of a subject's tables that are listed if the cell is not found."""


class KeyArgument(BaseModel):
    """What selects a row or column."""

    name: Brief
    value: Brief


class LookupArguments(BaseModel):
    """Read a cell of any table of the collection: whose value (may be empty), under which keys, from which column."""

    subject: Brief
    keys: list[KeyArgument] = Field(default_factory=list, max_length=6)
    want: Brief

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The keys as names and values."""
        return tuple((key.name, key.value) for key in self.keys)

    @property
    def text(self) -> str:
        """The whole request, in words."""
        keys = " ".join(f"{name} {value}" for name, value in self.pairs)
        return " ".join((self.subject, self.want, keys)).strip()


def matching_cells(asked: LookupArguments, ledger: Ledger) -> str:
    """Return the cells that match as asked; empty if there is none."""
    queries = [CellQuery(asked.subject, asked.pairs, (asked.want,) if asked.want else ())]
    if len(asked.keys) > 1:  # two keys pin a cell down, whatever its column is called
        queries.append(CellQuery(asked.subject, asked.pairs))
    return _first(queries, ledger)


def lookup_alternatives(asked: LookupArguments, ledger: Ledger) -> str:
    """Return the cells that match with row and column swapped, else what there is instead."""
    turned = _first(_turned(asked), ledger)
    return f"{_TURNED}\n{turned}" if turned else "\n".join(_alternatives_to_cell(asked, ledger))


def _turned(asked: LookupArguments) -> Iterator[CellQuery]:
    """Yield the swapped queries: the subject as a column, of the table named by what is wanted, or of any."""
    if asked.subject and asked.keys:
        yield CellQuery(asked.want, asked.pairs, (asked.subject,))
        yield CellQuery("", asked.pairs, (asked.subject,))
    elif asked.subject and asked.want:
        yield CellQuery(asked.want, (), (asked.subject,))
        yield CellQuery("", (("", asked.want),), (asked.subject,))


def _first(queries: Iterable[CellQuery], ledger: Ledger) -> str:
    """Return the result of the first query that finds anything."""
    return next(filter(None, ("\n".join(_cells(query, ledger)) for query in queries)), "")


def _cells(query: CellQuery, ledger: Ledger) -> Iterator[str]:
    """Yield the cells that match a query best, each with its number."""
    alike: dict[tuple[str, str], Reading] = {}
    found = read_cells(query, ledger.chunks)
    for each in found:
        if each.score == found[0].score:
            alike.setdefault((each.chunk.title, each.quote), each)
    for cell in list(alike.values())[:_MOST_CELLS]:
        place = CellRef(cell.cell.table, cell.cell.row, cell.cell.column)
        number = ledger.number(Source(cell.chunk, cell.quote, place))
        yield f"[{number}] {title_of(cell.chunk)}: {ledger.record_shown(shortened(cell.quote, _LONGEST_CELL))}"
    if len(alike) > _MOST_CELLS:
        yield f"{len(alike) - _MOST_CELLS} more cells fit as well; more keys would tell which is meant"


def _alternatives_to_cell(asked: LookupArguments, ledger: Ledger) -> Iterator[str]:
    """Yield that there is no such cell, and the values that its keys have, or the labels of the subject's tables."""
    told = False
    for name, value in asked.pairs if asked.subject else ():
        others = tuple(pair for pair in asked.pairs if pair != (name, value))
        cells = list(_cells(CellQuery(asked.subject, others, (name,)), ledger))
        if cells:
            yield f"{_NO_CELL}: {name} of {asked.subject} is not {value!r} there, but" if not told else f"and {name}"
            yield from cells
            told = True
    if not told:
        yield _no_cell(asked.subject, ledger)


def _no_cell(subject: str, ledger: Ledger) -> str:
    """Return that there is no such cell, and the labels of the subject's tables."""
    name, labels = set(phrase(subject)), dict[str, None]()
    for chunk in ledger.chunks if name else ():
        for grid in Grid.from_chunk(chunk):
            labels |= dict.fromkeys(grid.labels) if _is_about(grid, name) else {}
    if not labels:
        return _NO_CELL
    more = [f"{len(labels) - _MOST_LABELS} more"] if len(labels) > _MOST_LABELS else []
    return f"{_NO_CELL}; of {subject} there are: {', '.join([*list(labels)[:_MOST_LABELS], *more])}"


def _is_about(grid: Grid, name: Set[str]) -> bool:
    """True if a table has all words of a name in its context, or in a row label."""
    return name <= grid.context or any(name <= set(phrase(" ".join(path))) for path in grid.row_paths)
