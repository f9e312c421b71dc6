"""Tables in long form, one fact a row: *Reed*, *length*, *9*, *m*. They become one row for each thing.

No head says so. The labels of the second column come back for most things, each thing has a label once, and the values
of different labels are of different kinds: words and numbers, or numbers with other units. Prices by region and season
are a table of two keys and stay one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from retrieval.readers.documents.sections import Placed, Section, Source
from retrieval.readers.labels.label_marks import is_label
from retrieval.types import Table

_THREE, _FOUR = 3, 4
"""The columns without and with units."""
_FEWEST = 3
"""The fewest labels; with fewer, the second column may be a key."""
_MOSTLY = 0.6
"""The share of all things and labels that have a row."""
_LONGEST_UNIT = 12


def with_wide_tables(sources: Sequence[Source]) -> list[Source]:
    """Turn tables in long form into tables of things.

    >>> facts = ("length", "9"), ("port", "Hull"), ("crew", "3")
    >>> rows = tuple((boat, *fact) for boat in ("Reed", "Sedge") for fact in facts)
    >>> section = Section((), 1, [Placed(Table("", (("Boat",), ("What",), ("Value",)), rows), 1)])
    >>> with_wide_tables([Source("boats.csv", [section])])[0].sections[0].blocks[0].table.rows
    (('Reed', '9', 'Hull', '3'), ('Sedge', '9', 'Hull', '3'))
    """
    return [replace(source, sections=list(map(_widened, source.sections))) for source in sources]


def _widened(section: Section) -> Section:
    blocks = [
        replace(block, table=_wide(block.table) or block.table) if isinstance(block, Placed) else block
        for block in section.blocks
    ]
    return replace(section, blocks=blocks)


def _wide(table: Table) -> Table | None:
    """Return a table in long form as a wide one; None for any other."""
    if len(table.columns) not in (_THREE, _FOUR) or not all(row[0] and row[1] for row in table.rows):
        return None
    facts: dict[str, dict[str, tuple[str, ...]]] = {}
    for name, label, *value in table.rows:
        facts.setdefault(name, {})[label] = tuple(value)
    labels = list(dict.fromkeys(row[1] for row in table.rows))
    is_full = len(table.rows) >= _MOSTLY * len(facts) * len(labels) and len(facts) > 1
    is_once = sum(map(len, facts.values())) == len(table.rows)
    if not (is_full and is_once and len(labels) >= _FEWEST and all(map(is_label, labels))):
        return None
    if not _are_of_several_kinds([[own[label] for own in facts.values() if label in own] for label in labels]):
        return None
    rows = tuple((name, *(_said(own.get(label, ())) for label in labels)) for name, own in facts.items())
    heads = (table.columns[0], *((label,) for label in labels))
    return replace(table, columns=heads, rows=rows, row_pages=(), place=None, boxes=())


def _are_of_several_kinds(values: Sequence[Sequence[tuple[str, ...]]]) -> bool:
    """True if the values of one label have one unit and others another, or are numbers where others are words."""
    if len(values[0][0]) > 1:
        units = [{unit for _, unit in own if unit} for own in values]
        if any(len(own) > 1 or any(len(unit) > _LONGEST_UNIT for unit in own) for own in units):
            return False
        if len(set(map(frozenset, units))) > 1:
            return True
    return {_are_numbers(value for value, *_ in own) for own in values} >= {True, False}


def _are_numbers(values: Iterable[str]) -> bool:
    told = [value for value in values if value]
    return bool(told) and all(any(map(str.isdigit, value)) for value in told)


def _said(value: tuple[str, ...]) -> str:
    return " ".join(filter(None, value))
