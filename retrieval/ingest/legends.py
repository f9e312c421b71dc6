"""Heads that a legend explains: *Abbreviations: T = firing temperature in °C; P = price in €*.

A legend stands in prose, in a list or in a table's notes of the same file, and counts if it explains at least two heads
as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from retrieval.readers.documents.sections import Block, Paragraph, Placed, Section, Source
from retrieval.text.spelling import fold
from retrieval.types import Table

_FEWEST = 2
_PAIR = 2
_MOST_WORDS = 6
_SHORT = 6
"""The most characters of a head that needs a legend."""
_ENTRY = re.compile(
    r"(?:^ *[-*•]? *|(?<=[;,:(.]) +|(?<=\s)(?=\S+ *=))"
    r"[*`]*(?P<short>[^\W_][^\s=:;,()*`–—-]{0,5})[*`]* *(?:=|:|–|—| - ) *"
    r"(?P<long>[^\W\d_][^;,=\n]*?)(?=[;,\n)]|\.(?:\s|$)|$)",
    re.MULTILINE,
)


def with_heads_in_full(sources: Sequence[Source]) -> list[Source]:
    """Put the words of a legend in place of the heads that they explain.

    >>> legend = Paragraph("Abbreviations: L = length in m; C = crew.", 5)
    >>> table = Placed(Table("", (("Boat",), ("L",), ("C",)), (("Reed", "9", "3"),)), 1)
    >>> [source] = with_heads_in_full([Source("boats.md", [Section((), 1, [table, legend])])])
    >>> source.sections[0].blocks[0].table.columns
    (('Boat',), ('length in m',), ('crew',))
    """
    return [_explained(source) for source in sources]


def _explained(source: Source) -> Source:
    heads = {head for table in _tables(source) for path in table.columns for head in path if len(head) <= _SHORT}
    if not heads:
        return source
    legend = {short: long for text in _texts(source) for short, long in _entries(text) if short in heads}
    if len(legend) < _FEWEST:
        return source
    return replace(source, sections=[_with(section, legend) for section in source.sections])


def _tables(source: Source) -> Iterator[Table]:
    yield from (block.table for section in source.sections for block in section.blocks if isinstance(block, Placed))


def _texts(source: Source) -> Iterator[str]:
    """Yield all prose and notes, and each record as lines of labels and values."""
    for block in (block for section in source.sections for block in section.blocks):
        if isinstance(block, Paragraph):
            yield block.text
        else:
            yield from block.table.notes
            yield "\n".join(f"{row[0]}: {row[1]}" for row in block.table.rows if len(row) == _PAIR)


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """Yield the heads that a text explains, if there are several. A name of a few words is meant, without the head
    itself: *Tail: Has it a tail?* describes a column.
    """
    found = [(each["short"], each["long"].strip()) for each in _ENTRY.finditer(text)]
    names = [
        (short, long)
        for short, long in found
        if len(words := fold(long).split()) <= _MOST_WORDS and fold(short) not in words and long[-1] not in "?!"
    ]
    yield from names if len(names) >= _FEWEST else ()


def _with(section: Section, legend: Mapping[str, str]) -> Section:
    return replace(section, blocks=[_in_full(block, legend) for block in section.blocks])


def _in_full(block: Block, legend: Mapping[str, str]) -> Block:
    if not isinstance(block, Placed) or not any(head in legend for path in block.table.columns for head in path):
        return block
    columns = tuple(tuple(legend.get(head, head) for head in path) for path in block.table.columns)
    return replace(block, table=replace(block.table, columns=columns))
