"""Tell lists that name things from lists that are the record of one: labels that recur in other lists are measures.

*Length* and *Crew* are in the list of each boat; *Adult* and *Child* only in that of *Tickets*. If all items have
numbers of the same kind, they are things whatever their names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from retrieval.ingest.files import page_name
from retrieval.readers.documents.sections import Paragraph, Placed, Section, Source
from retrieval.readers.lists.listed_things import things_of
from retrieval.readers.lists.members import has_numbers, members_of_record
from retrieval.text.normal import phrase
from retrieval.text.spelling import is_plural
from retrieval.types import Table

_FEWEST = 3
"""The fewest lines of a record that may name things."""
_AMOUNT = re.compile(r"(?P<sign>[$£€¥]?)\s*\d[\d.,]*\s*(?P<unit>[^\W\d_]*|[%$£€¥])")
_MOST_SHARED = 0.5
"""The share of a list's labels that other lists may have too."""


_Label = tuple[str, ...]
"""A label by its words."""


def with_things(sources: Sequence[Source]) -> list[Source]:
    """Give lists that name things their table, captioned by the text above it, and remove it from other lists."""
    times = Counter(label for source in sources for section in source.sections for label in _labels(section))
    return [
        replace(source, sections=[_with_things(source, each, times) for each in source.sections]) for source in sources
    ]


def _labels(section: Section) -> set[_Label]:
    """Return the labels of a section."""
    pairs = (pair for block in section.blocks for pair in _pairs(block))
    return {phrase(label) for label, *_ in pairs}


def _pairs(block: Paragraph | Placed) -> Sequence[Sequence[str]]:
    if isinstance(block, Placed):
        return block.table.rows if block.table.is_record else ()
    return block.pairs


def _with_things(source: Source, section: Section, times: Counter[_Label]) -> Section:
    name = section.title or page_name(source.name)
    return replace(section, blocks=[_named(block, name, times) for block in section.blocks])


def _named(block: Paragraph | Placed, name: str, times: Counter[_Label]) -> Paragraph | Placed:
    """Return a list with the table of the things that it names; lines of amounts in one unit become that table."""
    if isinstance(block, Placed):
        return _priced(block, name, times)
    if block.members is None:
        return block
    members = with_caption(block.members, name)
    if block.pairs and not (has_numbers(members) or _is_of_things(members, times)):
        return replace(block, members=None)
    return replace(block, members=members, pairs=())


def _priced(block: Placed, name: str, times: Counter[_Label]) -> Placed:
    """Return a record; as a table if it lists things with an amount each: *Adult: $12* and *Child: $5* under
    *Tickets*.
    """
    record = block.table
    if not record.is_record or len(record.rows) < _FEWEST:
        return block
    units = {found["sign"] or found["unit"] if (found := _AMOUNT.fullmatch(row[-1])) else "" for row in record.rows}
    if len(units) > 1 or "" in units:
        return block
    members = with_caption(Table(record.caption, ((), ("",)), record.rows), name)
    return replace(block, table=members) if _is_of_things(members, times) else block


def _is_of_things(members: Table, times: Counter[_Label]) -> bool:
    """True for a plural caption, *Tickets*, above labels that most other lists lack."""
    shared = sum(times[phrase(row[0])] > 1 for row in members.rows)
    return is_plural(members.caption) and shared <= _MOST_SHARED * len(members.rows)


def with_caption(members: Table, name: str) -> Table:
    """Caption a list's table by the line that leads to it, else by the heading above."""
    own = members.caption or name
    return replace(members, caption=own, columns=((own,), *members.columns[1:]))


def things_of_records(records: Sequence[Table], name: str) -> Iterator[Table]:
    """Yield the tables of things in records whose lines have numbers of the same kind."""
    for record in records:
        members = members_of_record(record) if things_of(record) is None else None
        if members is not None:
            yield with_caption(members, name)
