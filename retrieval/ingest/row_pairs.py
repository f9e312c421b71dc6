"""Unmarked labels and values side by side: *Length*, *9 m*, *Built*, *1912* in a row of four cells.

Bold labels are recognized by the readers (`paired_cells`). Here words are labels if they recur in every other column of
several tables, above values of several kinds; see `page_records`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from retrieval.ingest.page_records import are_of_things, records_among
from retrieval.readers.documents.sections import Placed, Section, Source
from retrieval.readers.labels.label_marks import clean_label, is_label
from retrieval.types import Table

_PAIRS = 4
"""The fewest columns: two pairs."""
_FEWEST = 3
"""The fewest labels; fewer are a coincidence."""


def with_pairs_in_rows(sources: Sequence[Source]) -> list[Source]:
    """Turn tables of labels and values side by side into records.

    >>> boats = ("9 m", "1912", "Hull", "3 oars"), ("12 m", "1931", "York", "8 oars"), ("7 m", "1898", "Hull", "2 oars")
    >>> rows = [(("Length", boat[0], "Built", boat[1]), ("Port", boat[2], "Crew", boat[3])) for boat in boats]
    >>> sections = [Section((), 1, [Placed(Table("", ((),) * 4, own), 1)]) for own in rows]
    >>> with_pairs_in_rows([Source("boats.md", sections)])[0].sections[0].blocks[0].table.rows
    (('Length', '9 m'), ('Built', '1912'), ('Port', 'Hull'), ('Crew', '3 oars'))
    """
    found = [(table, pairs) for table in _tables(sources) if (pairs := _unfolded(table)) is not None]
    heads = Counter(_value_heads(table) for table, _ in found)
    own = {id(table): pairs for table, pairs in found if not any(table.columns) or heads[_value_heads(table)] == 1}
    records = records_among(list(own.values()))
    meant = {id(record) for record in records} if are_of_things(records) else set()
    told = {place: record for place, record in own.items() if id(record) in meant}
    return [replace(each, sections=[_read(it, told) for it in each.sections]) for each in sources]


def _tables(sources: Sequence[Source]) -> Iterator[Table]:
    """Yield the tables with two or more pairs to a row."""
    for source in sources:
        for section in source.sections:
            for block in section.blocks:
                if isinstance(block, Placed) and _is_even(block.table):
                    yield block.table


def _is_even(table: Table) -> bool:
    width = len(table.columns)
    return width >= _PAIRS and width % 2 == 0


def _head_row(table: Table) -> tuple[str, ...]:
    return tuple(" ".join(path) for path in table.columns)


def _value_heads(table: Table) -> tuple[str, ...]:
    """Return the heads above the values; in a record these are its first values, which hardly any other record
    shares.
    """
    return _head_row(table)[1::2]


def _unfolded(table: Table) -> Table | None:
    """Return the pairs of a table one below the other; None if a label cell can't be a label or a value has none."""
    rows = (_head_row(table), *table.rows) if any(table.columns) else table.rows
    cells = [(row[at], row[at + 1]) for row in rows for at in range(0, len(row), 2)]
    pairs = tuple((clean_label(label), value) for label, value in cells if label or value)
    if len(pairs) < _FEWEST or not all(is_label(label) for label, _ in pairs):
        return None
    return replace(table, columns=((), ()), rows=pairs, row_pages=())


def _read(section: Section, records: dict[int, Table]) -> Section:
    """Return a section with its records converted."""
    blocks = [
        replace(block, table=records[id(block.table)])
        if isinstance(block, Placed) and id(block.table) in records
        else block
        for block in section.blocks
    ]
    return replace(section, blocks=blocks) if blocks != section.blocks else section
