"""A whole table of the collection: the rows of all its stored parts, and which of them meet conditions.

Records with the same labels are the rows of one table, named by their titles. Whether a row meets a condition can be
open: for a range that a limit cuts, or a text among numbers. Code counts the rows, never a model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from pydantic import BaseModel, Field

from agent.plugins.domain import Brief
from agent.reasoning.values.quantities import Quantity, number_of, quantities_of
from retrieval.tables.cells import Grid
from retrieval.tables.match import matches_any
from retrieval.tables.names import part_of, without_part
from retrieval.tables.reading import is_not_blank
from retrieval.tables.row_names import group_rows
from retrieval.text.normal import phrase
from retrieval.types import Chunk

Piece = tuple[Chunk, Grid]
_MOST_VALUES = 24
"""Most values of a column that are listed if no row meets the condition."""
_LINES = ("Label", "Value")
"""The headers of a record that is read by itself."""
_BELOW = "(below "
_ALIKE = 0.5
"""The least share of common labels between records of one table."""


class ConditionArgument(BaseModel):
    """What a row has to meet: `has` is met by a cell that has all these words."""

    column: Brief
    relation: Literal["is", "is not", "has", "below", "at most", "above", "at least"] = "is"
    value: Brief


class TableArguments(BaseModel):
    """Read a table whole, all its parts as one, or only some columns, or the rows that meet all conditions (`where`),
    and count these. Name the table by the number of a passage or source with a part of it, or by its title.
    """

    table: Brief
    columns: list[Brief] = Field(default_factory=list, max_length=20)
    where: list[ConditionArgument] = Field(default_factory=list, max_length=6)

    @property
    def labels(self) -> list[str]:
        """The columns that the table must have."""
        return list(dict.fromkeys((*self.columns, *(condition.column for condition in self.where))))


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row and its chunk."""

    chunk: Chunk
    cells: tuple[str, ...]

    def cell(self, at: int) -> str:
        """Return the cell of a column; empty beyond the end of a ragged row."""
        return self.cells[at] if at < len(self.cells) else ""

    @property
    def key(self) -> str:
        """The row label, or the label of the row above that it belongs to."""
        return self.cell(0).removeprefix(_BELOW).removesuffix(")") if self.cell(0).startswith(_BELOW) else self.cell(0)


@dataclass(frozen=True, slots=True)
class WholeTable:
    """The rows of a table under its headers; `lacking` parts of it are missing. United records have no name."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[TableRow, ...]
    lacking: int = 0

    @classmethod
    def of_table(cls, pieces: Sequence[Piece]) -> WholeTable:
        """Build the table from its parts; headings of row groups are no rows."""
        _, first = pieces[0]
        rows: list[TableRow] = []
        for chunk, grid in pieces:
            groups = group_rows(grid.table.rows)
            for at, cells in enumerate(grid.table.rows):
                if at not in groups:
                    rows.append(TableRow(chunk, _below(rows, cells)))
        lacking = 0 if first.is_cut_row else part_of(first.title)[1] - len(pieces)
        return cls(name_of_whole(first), first.column_labels, tuple(rows), max(0, lacking))

    @classmethod
    def of_records(cls, pieces: Sequence[Piece]) -> WholeTable:
        """Build a table with a row for each record; a single record becomes a table of its lines."""
        chunk, first = pieces[0]
        if len(pieces) == 1:
            return cls(first.title, _LINES, tuple(TableRow(chunk, cells) for cells in first.label_value_pairs(0)))
        labels = dict.fromkeys(chain.from_iterable(grid.labels for _, grid in pieces))
        rows: list[TableRow] = []
        for chunk, grid in pieces:
            said = dict(reversed(grid.label_value_pairs(0)))
            rows.append(TableRow(chunk, (grid.title, *(said.get(label, "") for label in labels))))
        return cls("", ("Name", *labels), tuple(rows))

    @property
    def chunk_ids(self) -> frozenset[str]:
        """The ids of the chunks of its rows."""
        return frozenset(row.chunk.id for row in self.rows)

    def column(self, said: str) -> int:
        """Return the column whose header fits best; `ValueError` if there is none."""
        fits = [_fit(phrase(said), phrase(head)) for head in self.heads]
        best = max(fits, default=0)
        if not best:
            raise ValueError(f"{self.name} has no column {said!r}; there are {', '.join(filter(None, self.heads))}")
        return fits.index(best)

    def has_columns(self, wanted: Iterable[str]) -> bool:
        """True if the table has all of these columns."""
        try:
            list(map(self.column, wanted))
        except ValueError:
            return False
        return True

    def meeting(self, where: Sequence[ConditionArgument]) -> tuple[list[TableRow], list[TableRow]]:
        """Return the rows that meet all conditions, and those for which it is open."""
        columns = [self.column(each.column) for each in where]
        met, unsure = list[TableRow](), list[TableRow]()
        for row in self.rows:
            held = {
                _meets_condition(row.cell(at), self.heads[at], each) for at, each in zip(columns, where, strict=True)
            }
            if False not in held:
                (unsure if None in held else met).append(row)
        return met, unsure

    def values_under(self, said: str) -> list[str]:
        """Return the values of a column, each once, cut after the first ones."""
        at = self.column(said)
        values = list(dict.fromkeys(filter(is_not_blank, (row.cell(at) for row in self.rows))))
        return values if len(values) <= _MOST_VALUES else [*values[:_MOST_VALUES], "…"]


def _below(rows: Sequence[TableRow], cells: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cells of a row; an empty row label becomes that of the row above."""
    if cells[0].strip() or not rows or len(cells) == 1:
        return cells
    key = rows[-1].cells[0]
    return (key if key.startswith(_BELOW) else f"{_BELOW}{key})", *cells[1:])


def _fit(wanted: Sequence[str], head: Sequence[str]) -> int:
    """Rank how well words match a header: equal, all words in it, all of its own, or by forms of the words."""
    asked, own = set(wanted), set(head)
    if wanted == head:
        return 4
    if not asked or not own:
        return 0
    told = (asked <= own, own <= asked, all(matches_any(word, head) for word in asked))
    return next((3 - at for at, is_so in enumerate(told) if is_so), 0)


def tables_among(chunks: Iterable[Chunk], *, united: bool = True) -> list[WholeTable]:
    """Return the tables of some chunks, each with all its parts, and records with the same labels, `united` as one."""
    tables: dict[str, list[Piece]] = {}
    records: list[list[Piece]] = []
    for chunk in chunks:
        for grid in Grid.from_chunk(chunk):
            if not grid.table.is_record:
                tables.setdefault(grid.table_id, []).append((chunk, grid))
            elif united and (alike := _alike(records, grid)) is not None:
                alike.append((chunk, grid))
            else:
                records.append([(chunk, grid)])
    whole = [WholeTable.of_table(sorted(pieces, key=_part)) for pieces in tables.values()]
    return [*whole, *map(WholeTable.of_records, records)]


def _part(piece: Piece) -> tuple[int, int]:
    return part_of(piece[1].title)[0], piece[1].number


def name_of_whole(grid: Grid) -> str:
    """Return the name of a whole table: its title without the part number; for a cut row, the caption."""
    if grid.is_cut_row:
        return grid.table.caption or next(reversed(grid.headings), grid.title)
    return without_part(grid.title)


def _alike(records: Iterable[list[Piece]], grid: Grid) -> list[Piece] | None:
    """Return the group of records with the same labels as one, if any."""
    return next((each for each in records if _are_alike(each[0][1], grid)), None)


def _are_alike(one: Grid, other: Grid) -> bool:
    both, every = set(one.labels) & set(other.labels), set(one.labels) | set(other.labels)
    return len(both) >= _ALIKE * len(every)


def _meets_condition(text: str, head: str, condition: ConditionArgument) -> bool | None:
    """True if a cell meets a condition; None if that is open."""
    if condition.relation in ("is", "is not"):
        return _is(text, head, condition.value) == (condition.relation == "is")
    if condition.relation == "has":
        return set(phrase(condition.value)) <= set(phrase(text))
    if number_of(condition.value, head) is None:
        raise ValueError(f"{condition.value!r} is no number that {head} can be {condition.relation}")
    if not is_not_blank(text):
        return False
    pair = quantities_of([condition.value, text], head)
    return None if pair is None else _is_within(pair[1], pair[0], condition.relation)


def _is(text: str, head: str, value: str) -> bool:
    """True if a cell has a value, in any notation: *IP54* and *IP 54*, *1,500* and *$1500*."""
    if "".join(phrase(text)) == "".join(phrase(value)):
        return True
    pair = quantities_of([value, text], head) if value.strip(" -+$€£")[:1].isdecimal() else None
    if pair is None:
        return False
    said, held = pair
    return (said.number, said.top) == (held.number, held.top) and (said.unit == held.unit or not said.unit)


def _is_within(value: Quantity, bound: Quantity, relation: str) -> bool | None:
    """True if all of a value is on the right side of a bound, False if none of it is; None if the bound cuts it, or if
    the exchange of coins leaves it open.
    """
    if value.unit != bound.unit and value.unit and bound.unit:
        below, above = value.less(bound), bound.less(value)
        return None if below == above else below == (relation in ("below", "at most"))
    held = set(_sides(value, bound.number, relation))
    return held.pop() if len(held) == 1 else None


def _sides(value: Quantity, bound: float, relation: str) -> Iterator[bool]:
    for end in (value.number, value.number if value.top is None else value.top):
        if end == bound:
            yield relation in ("at most", "at least")
        else:
            yield (end > bound) == (relation in ("above", "at least"))
