"""Sources whose records list things: *Reed: Crew: 3. Fee: 5 p.* says of each thing what a row of a table would.

Such a record is read as that table, so that the number of one thing under one label supports no other thing or label.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from retrieval.readers.lists.listed_things import things_of
from retrieval.types import Chunk, Table

_SHORTEST = 2
"""Least characters of a value that is looked for in the text."""


@lru_cache(maxsize=512)
def with_things(chunk: Chunk) -> Chunk:
    """Return a chunk with a table for each record that lists things, and without their facts in its text.

    >>> record = Table("", ((), ()), (("Reed", "Small. Crew: 3. Fee: 5 p."), ("Sedge", "Slow. Crew: 8. Fee: 9 p.")))
    >>> read = with_things(Chunk("c", "Reed\\nSmall. Crew: 3. Fee: 5 p.", "Boats", tables=(record,)))
    >>> read.text, read.tables[0].rows[1]
    ('Reed\\nSmall. . .', ('Sedge', '8', '9 p'))
    """
    tables, text = [], chunk.text
    for table in chunk.tables:
        things = things_of(table) if table.is_record else None
        tables.append(table if things is None else things)
        for fact in _facts_of(things) if things is not None else ():
            text = text.replace(fact, "")
    return chunk if tables == list(chunk.tables) else replace(chunk, text=text, tables=tuple(tables))


def _facts_of(things: Table) -> Iterator[str]:
    """Yield the facts of a table of things as their lines have them: *Crew: 3*."""
    for row in things.rows:
        for head, value in zip(things.columns[1:], row[1:], strict=True):
            if len(value) >= _SHORTEST or value.isdecimal():
                yield f"{' '.join(head)}: {value}"
