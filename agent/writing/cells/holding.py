"""Which cells hold the numbers of a sentence: those in the rows and columns that it names, in some reading of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product

from agent.writing.cells.positions import Position, columns_of, every_cell, rows_of
from agent.writing.texts.claims import Mention, mention_assignments

_SEVERAL = 2

Cells = Mapping[int, frozenset[Position]]
"""The cells that have a number, by its place."""
Lines = Mapping[int, frozenset[int]]
"""The rows or columns that a number may stand in, by its place."""


def held(
    found: Cells, rows: Sequence[Mention], columns: Sequence[Mention], spans: Collection[int]
) -> dict[int, frozenset[Position]]:
    """Return the numbers in the right cells, by the reading of the sentence that supports most. Of the columns, only
    the `spans` are named by numbers.
    """
    best: dict[int, frozenset[Position]] = {}
    by_rows = list(_allowed(rows, {place: rows_of(cells) for place, cells in found.items()}))
    by_columns = list(_allowed(columns, {place: columns_of(cells) for place, cells in found.items()})) or [{}]
    for of_rows, of_columns in product(by_rows or _lines(found), by_columns):
        own: dict[int, frozenset[Position]] = {}
        for place, cells in found.items():
            kept = _in_rows(cells, of_rows, place) if by_rows else _in_line(cells, of_rows)
            if of_columns:
                kept = _in_columns(kept, of_columns[place], spans)
            if kept:
                own[place] = kept
        best = max(best, own, key=len)
    return max(best, _by_columns(found, rows, spans), key=len)


def _in_rows(cells: frozenset[Position], rows: Lines, place: int) -> frozenset[Position]:
    return frozenset((r, c) for r, c in cells if r in rows[place])


def _in_line(cells: frozenset[Position], lines: Lines) -> frozenset[Position]:
    """Return the cells in a row (as 0) or a column (as 1)."""
    return frozenset((r, c) for r, c in cells if r in lines.get(0, ()) or c in lines.get(1, ()))


def _in_columns(cells: frozenset[Position], columns: frozenset[int], spans: Collection[int]) -> frozenset[Position]:
    return frozenset((r, c) for r, c in cells if c in columns or c not in spans)


def _by_columns(found: Cells, rows: Sequence[Mention], spans: Collection[int]) -> dict[int, frozenset[Position]]:
    """Return the numbers that stand in the rows in the order of their names, column by column: *A has 2 oars more
    than B, 9 instead of 7*.
    """
    if len({each.meant for each in rows}) != len(rows) or len(rows) < _SEVERAL:
        return {}
    own: dict[int, set[Position]] = {}
    ordered = sorted(rows, key=lambda each: each.place)
    for column in columns_of(every_cell(found)).difference(spans):
        places = sorted(place for place, cells in found.items() if column in columns_of(cells))
        named_by = ordered if len(places) == len(ordered) else ordered[:1] if len(places) == 1 else []
        for place, name in zip(places, named_by, strict=True) if named_by else ():
            own.setdefault(place, set()).update(found[place].intersection(product(name.meant, [column])))
    return {place: frozenset(cells) for place, cells in own.items() if cells}


def _lines(found: Cells) -> Iterator[Lines]:
    """Yield each row (as 0) and each column (as 1) that has a number, for sentences that name no row."""
    cells = every_cell(found)
    for row in sorted(rows_of(cells)):
        yield {0: frozenset({row})}
    for column in sorted(columns_of(cells)):
        yield {1: frozenset({column})}


def _allowed(mentions: Sequence[Mention], found: Lines) -> Iterator[Lines]:
    """Yield the ways to assign the numbers to rows or columns. A number that all of them have may stand in any, unless
    there is one number for each.
    """
    meanings = [each.meant for each in mentions]
    every = frozenset[int]().union(*meanings)
    one_each = len(found) == len(set(meanings))
    shared: dict[int, frozenset[int]] = {}
    telling: list[int] = []
    for place, lines in found.items():
        if one_each or any(map(lines.isdisjoint, meanings)):
            telling.append(place)
        else:
            shared[place] = every
    for way in mention_assignments(mentions, telling):
        yield shared | dict(zip(telling, (mention.meant for mention in way), strict=True))
