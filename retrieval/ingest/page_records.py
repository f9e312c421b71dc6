"""Tables of two columns that are the record of a page: *Parameter* and *Value*, with the same parameters on each page.

Such a table looks like its neighbours, yet its rows are no things: they are labels, and what stands beside them are
values of different kinds (*18HP*, *25mm*, a date). Nothing of this is said by a word that could be known beforehand; it
is learnt from the keys that come back on page after page.
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
"""Tables of the same heads and keys."""
_MOSTLY = 0.5
"""The share of a table's keys that others have too."""
_NEARLY = 0.8
"""The share of the tables that have the usual key, where the values are of two kinds only."""
_NUMBER = re.compile(r"\d+")
_Head = tuple[Tokens, Tokens]


def with_page_records(sources: Sequence[Source]) -> list[Source]:
    """The sources; a table that is the record of a page is one of labels and values."""
    alike: dict[_Head, list[Table]] = {}
    tables = list(_tables(sources))
    for table in tables:
        alike.setdefault(_heads(table), []).append(table)
    records = {id(table) for some in alike.values() for table in records_among(some)}
    headless = {id(table) for table in _headless(tables)}
    return [replace(each, sections=[_read(it, records, headless) for it in each.sections]) for each in sources]


def _tables(sources: Iterable[Source]) -> Iterator[Table]:
    """The tables of two columns with heads."""
    for source in sources:
        for section in source.sections:
            for block in section.blocks:
                if isinstance(block, Placed) and len(block.table.columns) == 2 and any(block.table.columns):
                    yield block.table


def _heads(table: Table) -> _Head:
    first, second = map(phrase, _head_row(table))
    return first, second


def _headless(tables: Sequence[Table]) -> list[Table]:
    """The records whose first line stands where the heads do, *Name* and *Reed*: each has a second head of its own.

    So have the tables of one kind that list one measure each: *Boat* and *Fee*, *Boat* and *Draught*.
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
    """True where the values of one label are alike rather than those of one table: each is of a thing, and none lists
    one measure of many, as the lengths of *Reed* and *Sedge* below *Length*.

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
    """The share of what is like most others beside it."""
    every = sum(counter.total() for counter in kinds)
    return sum(max(counter.values()) for counter in kinds) / every if every else 0


def records_among(tables: Sequence[Table]) -> list[Table]:
    """Of tables of the same heads those whose keys are labels that come back, above values of several kinds.

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
    """True for three kinds of values; or for two, where all pages have the keys and these are not both amounts: a list
    of prices in gold and in silver is no record.
    """
    return len(kinds) > 2 or (len(kinds) == 2 and everywhere and bool(_PLAIN.intersection(kinds)))


_PLAIN = frozenset({"", "0"})
"""The kinds of words and of bare numbers."""


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


def _read(section: Section, records: Collection[int], headless: Collection[int]) -> Section:
    """A section whose records are read as such."""
    blocks: list[Paragraph | Placed] = []
    for block in section.blocks:
        if isinstance(block, Placed) and id(block.table) in headless:
            block = _as_record(block, (_head_row(block.table), *block.table.rows))
        elif isinstance(block, Placed) and id(block.table) in records:
            block = _as_record(block, block.table.rows)
        blocks.append(block)
    return replace(section, blocks=blocks) if blocks != section.blocks else section


def _head_row(table: Table) -> tuple[str, ...]:
    """The heads as a row."""
    return tuple(" ".join(path) for path in table.columns)


def _as_record(block: Placed, rows: Iterable[tuple[str, ...]]) -> Placed:
    """A table as labels and values."""
    pairs = tuple((label.rstrip(" :"), value) for label, value in rows)
    return replace(block, table=replace(block.table, columns=((), ()), rows=pairs))
