"""Positions of cells in a table: a row and a column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Position = tuple[int, int]


def rows_of(cells: Iterable[Position]) -> frozenset[int]:
    """Return the rows of some cells."""
    return frozenset(row for row, _ in cells)


def columns_of(cells: Iterable[Position]) -> frozenset[int]:
    """Return the columns of some cells."""
    return frozenset(column for _, column in cells)


def every_cell(found: Mapping[int, frozenset[Position]]) -> frozenset[Position]:
    """Return the cells of all numbers."""
    return frozenset[Position]().union(*found.values())
