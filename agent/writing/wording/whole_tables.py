"""A table of the collection, read whole: the rows of all parts that it is stored in, and which of them meet conditions.

Records that are labelled alike are the rows of one table, called by their titles. Whether a row meets a condition can
be open: for a range that a limit cuts, or a text among numbers. How many rows do is counted here, never by a model.
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
from retrieval.tables.match import is_told
from retrieval.tables.names import part_of, without_part
from retrieval.tables.reading import says_something
from retrieval.tables.row_names import group_rows
from retrieval.text.normal import phrase
from retrieval.types import Chunk

Piece = tuple[Chunk, Grid]
_MOST_VALUES = 24
"""Values of a column that are told where no row has the one that is asked for."""
_LINES = ("Label", "Value")
"""The heads of a record that is read by itself."""
_BELOW = "(below "
_ALIKE = 0.5
"""The share of labels that records of one table have in common."""


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
        """The columns that the table has to have."""
        return list(dict.fromkeys((*self.columns, *(condition.column for condition in self.where))))


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row, and the chunk that it stands in."""

    chunk: Chunk
    cells: tuple[str, ...]

    def cell(self, at: int) -> str:
        """What stands in a column; nothing beyond the end of a ragged row."""
        return self.cells[at] if at < len(self.cells) else ""

    @property
    def key(self) -> str:
        """What it is called, or what it stands below."""
        return self.cell(0).removeprefix(_BELOW).removesuffix(")") if self.cell(0).startswith(_BELOW) else self.cell(0)


@dataclass(frozen=True, slots=True)
class WholeTable:
    """The rows of a table under its heads; `lacking` parts of it are not at hand. Records that are united have no
    name.
    """

    name: str
    heads: tuple[str, ...]
    rows: tuple[TableRow, ...]
    lacking: int = 0

    @classmethod
    def of_table(cls, pieces: Sequence[Piece]) -> WholeTable:
        """The table that some pieces are cut from; a name above a group of rows is none of them."""
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
        """Some records as the rows of a table; one alone as its lines."""
        chunk, first = pieces[0]
        if len(pieces) == 1:
            return cls(first.title, _LINES, tuple(TableRow(chunk, cells) for cells in first.labelled(0)))
        labels = dict.fromkeys(chain.from_iterable(grid.labels for _, grid in pieces))
        rows: list[TableRow] = []
        for chunk, grid in pieces:
            said = dict(reversed(grid.labelled(0)))
            rows.append(TableRow(chunk, (grid.title, *(said.get(label, "") for label in labels))))
        return cls("", ("Name", *labels), tuple(rows))

    @property
    def chunk_ids(self) -> frozenset[str]:
        """The chunks that it stands in."""
        return frozenset(row.chunk.id for row in self.rows)

    def column(self, said: str) -> int:
        """The column of that head: called so, or with all its words; `ValueError` where there is none."""
        fits = [_fit(phrase(said), phrase(head)) for head in self.heads]
        best = max(fits, default=0)
        if not best:
            raise ValueError(f"{self.name} has no column {said!r}; there are {', '.join(filter(None, self.heads))}")
        return fits.index(best)

    def has_columns(self, wanted: Iterable[str]) -> bool:
        """True for a table with all of these columns."""
        try:
            list(map(self.column, wanted))
        except ValueError:
            return False
        return True

    def meeting(self, where: Sequence[ConditionArgument]) -> tuple[list[TableRow], list[TableRow]]:
        """The rows that meet all conditions, and those of which that is open."""
        columns = [self.column(each.column) for each in where]
        met, unsure = list[TableRow](), list[TableRow]()
        for row in self.rows:
            held = {_holds(row.cell(at), self.heads[at], each) for at, each in zip(columns, where, strict=True)}
            if False not in held:
                (unsure if None in held else met).append(row)
        return met, unsure

    def values_under(self, said: str) -> list[str]:
        """What the cells of a column say, each once, as far as they are told."""
        at = self.column(said)
        values = list(dict.fromkeys(filter(says_something, (row.cell(at) for row in self.rows))))
        return values if len(values) <= _MOST_VALUES else [*values[:_MOST_VALUES], "…"]


def _below(rows: Sequence[TableRow], cells: tuple[str, ...]) -> tuple[str, ...]:
    """The cells of a row; one without a key is told by that of the row that it stands below."""
    if cells[0].strip() or not rows or len(cells) == 1:
        return cells
    key = rows[-1].cells[0]
    return (key if key.startswith(_BELOW) else f"{_BELOW}{key})", *cells[1:])


def _fit(wanted: Sequence[str], head: Sequence[str]) -> int:
    """How well a head is called by some words: as itself, by all of them, by all of its own, or by forms of them."""
    asked, own = set(wanted), set(head)
    if wanted == head:
        return 4
    if not asked or not own:
        return 0
    told = (asked <= own, own <= asked, all(is_told(word, head) for word in asked))
    return next((3 - at for at, is_so in enumerate(told) if is_so), 0)


def tables_among(chunks: Iterable[Chunk], *, united: bool = True) -> list[WholeTable]:
    """The tables of some chunks, each with all its parts, and the records that are labelled alike, `united` as one."""
    tables: dict[str, list[Piece]] = {}
    records: list[list[Piece]] = []
    for chunk in chunks:
        for grid in Grid.all_of(chunk):
            if not grid.table.is_record:
                tables.setdefault(grid.whole, []).append((chunk, grid))
            elif united and (alike := _alike(records, grid)) is not None:
                alike.append((chunk, grid))
            else:
                records.append([(chunk, grid)])
    whole = [WholeTable.of_table(sorted(pieces, key=_part)) for pieces in tables.values()]
    return [*whole, *map(WholeTable.of_records, records)]


def _part(piece: Piece) -> tuple[int, int]:
    return part_of(piece[1].title)[0], piece[1].number


def name_of_whole(grid: Grid) -> str:
    """What all parts of a table are called: the title without its part, and of a row that was cut out the caption."""
    if grid.is_cut_row:
        return grid.table.caption or next(reversed(grid.headings), grid.title)
    return without_part(grid.title)


def _alike(records: Iterable[list[Piece]], grid: Grid) -> list[Piece] | None:
    """Those of some records that one is labelled as."""
    return next((each for each in records if _are_alike(each[0][1], grid)), None)


def _are_alike(one: Grid, other: Grid) -> bool:
    both, every = set(one.labels) & set(other.labels), set(one.labels) | set(other.labels)
    return len(both) >= _ALIKE * len(every)


def _holds(text: str, head: str, condition: ConditionArgument) -> bool | None:
    """Whether a cell meets a condition; None where that is open."""
    if condition.relation in ("is", "is not"):
        return _is(text, head, condition.value) == (condition.relation == "is")
    if condition.relation == "has":
        return set(phrase(condition.value)) <= set(phrase(text))
    if number_of(condition.value, head) is None:
        raise ValueError(f"{condition.value!r} is no number that {head} can be {condition.relation}")
    if not says_something(text):
        return False
    pair = quantities_of([condition.value, text], head)
    return None if pair is None else _is_within(pair[1], pair[0], condition.relation)


def _is(text: str, head: str, value: str) -> bool:
    """Whether a cell says a value, in whatever writing: *IP54* and *IP 54*, *1,500* and *$1500*."""
    if "".join(phrase(text)) == "".join(phrase(value)):
        return True
    pair = quantities_of([value, text], head) if value.strip(" -+$€£")[:1].isdecimal() else None
    if pair is None:
        return False
    said, held = pair
    return (said.number, said.top) == (held.number, held.top) and (said.unit == held.unit or not said.unit)


def _is_within(value: Quantity, bound: Quantity, relation: str) -> bool | None:
    """Whether all of a value is on the side of a bound, or nothing of it; None where the bound cuts it, or where the
    exchange of coins leaves it open.
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
