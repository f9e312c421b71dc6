"""One cell of a chunk, by the header of its row and column or by their indexes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.errors import CellNotFound
from retrieval.tables.cells import Cell, Grid
from retrieval.text.normal import phrase
from retrieval.types import Chunk

_PLACE = re.compile(r"#(\d{1,9})")
_MOST_NAMES_LISTED = 60


def cell_of(chunk: Chunk, row: str, column: str = "", table: int = 0) -> Cell:
    """Return the cell of a table of the chunk; `CellNotFound` lists the existing tables, rows and columns.

    A row or a column is named by its header, or by its index from 0, as in a citation: "#3". In a stat block, whose
    rows are labels with values, the column may be omitted.

    >>> from retrieval.types import Table
    >>> block = Chunk("c1", "", "Ogre", tables=(Table("", ((), ()), (("Hit Points", "59"),)),))
    >>> cell_of(block, "hit points").text, cell_of(block, "#0", "#1").text
    ('59', '59')
    """
    grids = list(Grid.from_chunk(chunk))
    if not grids:
        raise CellNotFound(f"chunk {chunk.id!r} ({chunk.title}) has no table; read its text instead")
    if not 0 <= table < len(grids):
        told = _indexed_names([grid.table.caption or chunk.title for grid in grids])
        raise CellNotFound(f"chunk {chunk.id!r} has no table {table}; it has: {told}")
    grid = grids[table]
    at = _row(grid, row)
    cell = grid.cell(at, _column(grid, column))
    return replace(cell, page_label=chunk.label_of(cell.page), box=chunk.box_of(table, cell.page))


def _row(grid: Grid, wanted: str) -> int:
    names = [" / ".join(path) for path in grid.row_paths]
    keys = [{phrase(" ".join(path)), phrase(path[-1] if path else "")} for path in grid.row_paths]
    return _place("row", wanted, names, keys)


def _column(grid: Grid, wanted: str) -> int:
    if grid.table.is_record and not wanted:
        return 1
    names = list(grid.column_labels)
    keys = [{phrase(" ".join(path)), phrase(path[-1] if path else "")} for path in grid.table.columns]
    return _place("column", wanted, names, keys)


def _place(axis: str, wanted: str, names: Sequence[str], keys: Sequence[set[tuple[str, ...]]]) -> int:
    """Return the index of the named or numbered row or column; an unknown or ambiguous name is `CellNotFound`."""
    numbered = _PLACE.fullmatch(wanted.strip())
    if numbered is not None and int(numbered[1]) < len(names):
        return int(numbered[1])
    asked = phrase(wanted)
    same = [at for at, forms in enumerate(keys) if asked and asked in forms]
    if len(same) == 1 and numbered is None:
        return same[0]
    if len(same) > 1:
        places = ", ".join(f"#{at} {names[at]!r}" for at in same)
        raise CellNotFound(f"{len(same)} {axis}s are called {wanted!r}; name one by its place: {places}")
    raise CellNotFound(f"no {axis} is called {wanted!r}; the {axis}s are: {_indexed_names(names)}")


def _indexed_names(names: Sequence[str]) -> str:
    """Return names with their indexes; of very many only the first.

    >>> _indexed_names(["Level 1", "Level 2"])
    "#0 'Level 1', #1 'Level 2'"
    """
    listed = ", ".join(f"#{at} {name!r}" for at, name in enumerate(names[:_MOST_NAMES_LISTED]))
    return listed if len(names) <= _MOST_NAMES_LISTED else f"{listed} and {len(names) - _MOST_NAMES_LISTED} more"
