"""Shapes: labels that occur together in a collection, with the names that have values under them.

The kind of a thing may never be stated, but things of one kind are described alike: all alloys have a density, all
ships a crew. So a shape is a set of labels with the names that have them, in any layout: a record under its title, a
row of a reference table under its heads, or a column whose rows are the labels. Domains decide which shapes are ships.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from retrieval.text.label_ranges import read_label
from retrieval.text.normal import phrase, title_key
from retrieval.types import Chunk, Table

_OTHER_NAME = re.compile(r"\s*\([^()]*\)$")
"""The bracket of *Axe Beak (Phorusrhacid)*."""
_MARKS = " *†‡"
_MOST_LABELS = 60
"""The most rows of a table that may be labels; more are things."""
_LONGEST_NAME = 4
_VALUED = 0.4
_NAMED = 0.8


@dataclass(frozen=True, slots=True)
class Shape:
    """Labels in normal form, and the keys of the names with values under them; each sorted.

    `titles` are those of chunks whose rows are the labels, with and without a bracket. `across` are the names in the
    heads of such tables. `down` are the names in the first column of tables with the labels as heads.
    """

    labels: tuple[str, ...]
    titles: tuple[str, ...] = ()
    across: tuple[str, ...] = ()
    down: tuple[str, ...] = ()


def shapes_of(chunks: Iterable[Chunk]) -> tuple[Shape, ...]:
    """Return the shapes of some chunks."""
    return merged_shapes(map(_shapes, chunks))


def merged_shapes(parts: Iterable[Iterable[Shape]]) -> tuple[Shape, ...]:
    """Merge shapes with the same labels, sorted by these.

    >>> one, other = Shape(("crew",), ("brig",)), Shape(("crew",), (), ("sloop",))
    >>> merged_shapes([[one], [other]])
    (Shape(labels=('crew',), titles=('brig',), across=('sloop',), down=()),)
    """
    found: dict[tuple[str, ...], tuple[set[str], set[str], set[str]]] = {}
    for shape in (shape for part in parts for shape in part):
        titles, across, down = found.setdefault(shape.labels, (set(), set(), set()))
        titles.update(shape.titles)
        across.update(shape.across)
        down.update(shape.down)
    return tuple(Shape(labels, *(tuple(sorted(names)) for names in found[labels])) for labels in sorted(found))


def _shapes(chunk: Chunk) -> Iterator[Shape]:
    for table in chunk.tables:
        if labels := _row_labels(table):
            titles = {title_key(chunk.title), title_key(_OTHER_NAME.sub("", chunk.title))}
            yield Shape(labels, tuple(titles), tuple(names_across(table)))
        if down := names_down(table):
            yield Shape(_labels(" ".join(path) for path in table.columns), (), (), tuple(down))


def _row_labels(table: Table) -> tuple[str, ...]:
    return _labels(row[0] for row in table.rows) if len(table.rows) <= _MOST_LABELS else ()


def _labels(texts: Iterable[str]) -> tuple[str, ...]:
    said = {" ".join(phrase(text)) for text in texts}
    return tuple(sorted(label for label in said if any(map(str.isalpha, label))))


def rows_of(chunks: Iterable[Chunk]) -> dict[str, str]:
    """Return the names in the first column of reference tables, as written, by `title_key`."""
    tables = (table for chunk in chunks for table in reference_tables(chunk))
    return {key: name for table in tables for key, name in names_down(table).items()}


def across_of(chunks: Iterable[Chunk]) -> dict[str, str]:
    """Return the names in the heads of tables whose rows are labels, as written, by `title_key`."""
    tables = (table for chunk in chunks for table in chunk.tables)
    return {key: name for table in tables for key, name in names_across(table).items()}


def reference_tables(chunk: Chunk) -> Sequence[Table]:
    """Return the tables of a chunk of type *table*; else none."""
    return chunk.tables if chunk.chunk_type == "table" else ()


def names_across(table: Table) -> dict[str, str]:
    """Return the names in the heads of a table whose rows may be labels, by `title_key`."""
    if table.is_record or not 2 < len(table.columns) or len(table.rows) > _MOST_LABELS:
        return {}
    return {title_key(path[-1]): path[-1] for path in table.columns[1:] if path and _is_name(path[-1])}


def names_down(table: Table) -> dict[str, str]:
    """Return the names in the first column of a table of things, by `title_key`; empty for other tables."""
    names = [row[0].strip(_MARKS) for row in table.rows] if _lists_things(table) else []
    return {title_key(name): name for name in names if _is_name(name)}


def _lists_things(table: Table) -> bool:
    """True if rows are things: different words in the first column, mostly values beside them."""
    if table.is_record or len(table.rows) < 2 or len(table.columns) < 2 or not table.columns[0]:
        return False
    keys = [row[0] for row in table.rows]
    cells = [cell for row in table.rows for cell in row[1:] if cell.strip()]
    valued = sum(any(map(str.isdigit, cell)) for cell in cells) >= _VALUED * max(1, len(cells))
    names = [read_label(key.strip(" *")).name for key in keys if _is_name(key)]
    return valued and len(set(keys)) == len(keys) and len(names) >= _NAMED * len(keys) and len(set(names)) > 1


def _is_name(text: str) -> bool:
    """True for *Mule*, and for *Barge 40* beside it, but not for a bare number.

    A column of nothing but levels has one name for all rows.
    """
    is_brief = len(text) > 1 and len(text.split()) <= _LONGEST_NAME
    return is_brief and text[0].isalpha() and bool(read_label(text.strip(" *")).name)
