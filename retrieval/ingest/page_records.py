"""Tables of two columns that are the record of a page: *Parameter* and *Value*, with the same parameters on each page.

Such a table looks like its neighbours, yet its rows are no things: they are labels, and what stands beside them are
values of different kinds (*18HP*, *25mm*, a date). Nothing of this is said by a word that could be known beforehand; it
is learnt from the keys that come back on page after page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from retrieval.ingest.sections import Paragraph, Placed, Section, Source
from retrieval.tables.names import is_numbered
from retrieval.text.normal import Tokens, phrase
from retrieval.types import Table

_FEWEST = 3
"""Tables of the same heads and keys."""
_MOSTLY = 0.5
"""The share of a table's keys that others have too."""
_FEWEST_KINDS = 3
"""Kinds of values below each other; the values of a column of prices or of dice are all of one."""
_NUMBER = re.compile(r"\d+")
_Heads = tuple[Tokens, ...]


def with_page_records(sources: Sequence[Source]) -> list[Source]:
    """The sources; a table that is the record of a page is one of labels and values."""
    alike: dict[_Heads, list[Table]] = {}
    for table in _tables(sources):
        alike.setdefault(_heads(table), []).append(table)
    records = {id(table) for tables in alike.values() for table in _records(tables)}
    return [replace(each, sections=[_read(section, records) for section in each.sections]) for each in sources]


def _tables(sources: Iterable[Source]) -> Iterator[Table]:
    """The tables of two columns with heads."""
    for source in sources:
        for section in source.sections:
            for block in section.blocks:
                if isinstance(block, Placed) and len(block.table.columns) == 2 and all(block.table.columns):
                    yield block.table


def _heads(table: Table) -> _Heads:
    return tuple(phrase(" ".join(path)) for path in table.columns)


def _records(tables: Sequence[Table]) -> list[Table]:
    """Of tables of the same heads those whose keys are labels that come back, above values of several kinds."""
    having = Counter(key for table in tables for key in set(_keys(table)))
    found = [table for table in tables if _is_of_labels(table, having)]
    if len(found) < _FEWEST:
        return []
    kinds: dict[Tokens, Counter[str]] = {}
    for table in found:
        for key, row in zip(_keys(table), table.rows, strict=True):
            if having[key] > 1:
                kinds.setdefault(key, Counter())[_kind(row[1])] += 1
    usual = {counted.most_common(1)[0][0] for counted in kinds.values()}
    return found if len(usual) >= _FEWEST_KINDS else []


def _is_of_labels(table: Table, having: Counter[Tokens]) -> bool:
    """True for a table whose keys are words, each of them once, and most of them those of other tables."""
    keys = _keys(table)
    if len(set(keys)) < len(keys) or any(is_numbered(row[0]) for row in table.rows):
        return False
    shared = sum(having[key] > 1 for key in keys)
    return bool(keys) and shared >= _MOSTLY * len(keys)


def _keys(table: Table) -> list[Tokens]:
    return [phrase(row[0]) for row in table.rows]


def _kind(value: str) -> str:
    """What a value looks like: numbers with what stands around them, or words."""
    return _NUMBER.sub("0", value) if _NUMBER.search(value) else ""


def _read(section: Section, records: set[int]) -> Section:
    """A section whose records are read as such."""
    blocks = [_as_record(block) if _is_one(block, records) else block for block in section.blocks]
    return replace(section, blocks=blocks) if blocks != section.blocks else section


def _is_one(block: Paragraph | Placed, records: set[int]) -> bool:
    return isinstance(block, Placed) and id(block.table) in records


def _as_record(block: Placed) -> Placed:
    rows = tuple((label.rstrip(" :"), value) for label, value in block.table.rows)
    return replace(block, table=replace(block.table, columns=((), ()), rows=rows))
