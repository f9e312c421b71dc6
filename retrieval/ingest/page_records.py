"""Two-column tables that are the record of a page: *Parameter* and *Value*, with the same parameters on each page.

Such a table looks like other tables, but its rows are not things: they are labels with values of different kinds
(*18HP*, *25mm*, a date). No built-in word decides; the labels are learnt as the keys that recur on page after page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from retrieval.readers.documents.sections import Paragraph, Placed, Section, Source
from retrieval.tables.names import is_numbered
from retrieval.text.normal import Tokens, phrase
from retrieval.types import Table

_FEWEST = 3
"""The fewest tables with the same heads and keys."""
_MOSTLY = 0.5
"""The share of a table's keys that other tables must have too."""
_NEARLY = 0.8
"""The share of tables that must have the typical key if values are of only two kinds."""
_NUMBER = re.compile(r"\d+")
_Head = tuple[Tokens, Tokens]


def with_page_records(sources: Sequence[Source]) -> list[Source]:
    """Turn tables that are the record of a page into labels and values."""
    alike: dict[_Head, list[Table]] = {}
    tables = list(_tables(sources))
    for table in tables:
        alike.setdefault(_heads(table), []).append(table)
    records = {id(table) for some in alike.values() for table in records_among(some)}
    headless = {id(table) for table in _headless(tables)}
    return [replace(each, sections=[_read(it, records, headless) for it in each.sections]) for each in sources]


def _tables(sources: Iterable[Source]) -> Iterator[Table]:
    """Yield the tables of two columns with heads."""
    for source in sources:
        for section in source.sections:
            for block in section.blocks:
                if isinstance(block, Placed) and len(block.table.columns) == 2 and any(block.table.columns):
                    yield block.table


def _heads(table: Table) -> _Head:
    first, second = map(phrase, _head_row(table))
    return first, second


def _headless(tables: Sequence[Table]) -> list[Table]:
    """Return the records whose first line stands in the header, *Name* and *Reed*: each has its own second head.

    Tables of one kind that list one measure each look the same, *Boat* and *Fee*, *Boat* and *Draught*, and are
    excluded.
    """
    by_first: dict[Tokens, list[Table]] = {}
    for table in tables:
        by_first.setdefault(_heads(table)[0], []).append(table)
    found: list[Table] = []
    for some in by_first.values():
        seconds = Counter(_heads(table)[1] for table in some)
        own = [table for table in some if seconds[_heads(table)[1]] == 1]
        records = records_among(own)
        if len(own) >= _NEARLY * len(some) and are_of_things(records):
            found += records
    return found


def are_of_things(tables: Sequence[Table]) -> bool:
    """True if values are more alike by label than by table: then each table describes a thing.

    Otherwise each table lists one measure of many things, as the lengths of *Reed* and *Sedge* below *Length*.

    >>> reed, rush = (Table("", ((), ()), (("Length", f"{n} m"), ("Crew", f"{n}"))) for n in (3, 4))
    >>> length, crew = (Table("", ((), ()), (("Reed", f"3{unit}"), ("Rush", f"4{unit}"))) for unit in (" m", ""))
    >>> are_of_things([reed, rush]), are_of_things([length, crew])
    (True, False)
    """
    having = Counter(key for table in tables for key in _keys(table))
    of_tables: dict[int, Counter[str]] = {}
    of_labels: dict[Tokens, Counter[str]] = {}
    for place, table in enumerate(tables):
        for key, row in zip(_keys(table), table.rows, strict=True):
            if having[key] == 1:
                continue
            kind = _kind(row[1])
            of_tables.setdefault(place, Counter())[kind] += 1
            of_labels.setdefault(key, Counter())[kind] += 1
    return _alike(of_labels.values()) > _alike(of_tables.values())


def _alike(kinds: Collection[Counter[str]]) -> float:
    """Return the share of values of the most frequent kind in their group."""
    every = sum(counter.total() for counter in kinds)
    return sum(max(counter.values()) for counter in kinds) / every if every else 0


def records_among(tables: Sequence[Table]) -> list[Table]:
    """Return those of several tables whose keys are recurring labels, above values of several kinds.

    >>> boats = ("9 m", "Hull", "3"), ("12 m", "York", "8"), ("7 m", "Hull", "2")
    >>> tables = [Table("", ((), ()), tuple(zip(("Length", "Port", "Crew"), boat))) for boat in boats]
    >>> len(records_among(tables)), len(records_among(tables[:2]))
    (3, 0)
    """
    having = Counter(key for table in tables for key in set(_keys(table)))
    found = [table for table in tables if _is_of_labels(table, having)]
    kinds: dict[Tokens, Counter[str]] = {}
    for table in found:
        for key, row in zip(_keys(table), table.rows, strict=True):
            if having[key] > 1:
                kinds.setdefault(key, Counter())[_kind(row[1])] += 1
    usual = {counted.most_common(1)[0][0] for counted in kinds.values()}
    shares = sorted(having[key] / len(found) for key in kinds) if found else []
    everywhere = bool(shares) and shares[len(shares) // 2] >= _NEARLY
    return found if len(found) >= _FEWEST and _are_several(usual, everywhere=everywhere) else []


def _are_several(kinds: Collection[str], *, everywhere: bool) -> bool:
    """True for three kinds of values, or for two on nearly all pages if not both are amounts.

    So a list of prices in gold and in silver is no record.
    """
    return len(kinds) > 2 or (len(kinds) == 2 and everywhere and bool(_PLAIN.intersection(kinds)))


_PLAIN = frozenset({"", "0"})
"""The kinds of words and of bare numbers."""


def _is_of_labels(table: Table, having: Counter[Tokens]) -> bool:
    """True for a table whose keys are distinct words, most of them shared with other tables."""
    keys = _keys(table)
    if len(set(keys)) < len(keys) or any(is_numbered(row[0]) for row in table.rows):
        return False
    shared = sum(having[key] > 1 for key in keys)
    return bool(keys) and shared >= _MOSTLY * len(keys)


def _keys(table: Table) -> list[Tokens]:
    return [phrase(row[0]) for row in table.rows]


def _kind(value: str) -> str:
    """Return the kind of a value: its numbers with the text around them, or empty for words."""
    return _NUMBER.sub("0", value) if _NUMBER.search(value) else ""


def _read(section: Section, records: Collection[int], headless: Collection[int]) -> Section:
    """Return a section with its records converted."""
    blocks: list[Paragraph | Placed] = []
    for block in section.blocks:
        if isinstance(block, Placed) and id(block.table) in headless:
            block = _as_record(block, (_head_row(block.table), *block.table.rows))
        elif isinstance(block, Placed) and id(block.table) in records:
            block = _as_record(block, block.table.rows)
        blocks.append(block)
    return replace(section, blocks=blocks) if blocks != section.blocks else section


def _head_row(table: Table) -> tuple[str, ...]:
    """Return the heads as a row."""
    return tuple(" ".join(path) for path in table.columns)


def _as_record(block: Placed, rows: Iterable[tuple[str, ...]]) -> Placed:
    """Return a table as labels and values."""
    pairs = tuple((label.rstrip(" :"), value) for label, value in rows)
    return replace(block, table=replace(block.table, columns=((), ()), rows=pairs))
