"""Things side by side in one table, each below its name and beside the same labels. Each becomes a section of its own
with its record, as if it stood alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from retrieval.readers.documents.sections import Block, Placed, Section, Source
from retrieval.types import Table

_PAIRS = 4
"""The fewest columns of two things with their labels."""
_FEWEST = 3
"""The fewest labels; fewer are a coincidence."""


def with_things_apart(sources: Sequence[Source]) -> list[Source]:
    """Turn each thing of such tables into a section.

    >>> rows = tuple((label, "3", label, "4") for label in ("Crew", "Fee", "Sails"))
    >>> table = Table("", (("Reed",), (), ("Sedge",), ()), rows)
    >>> [source] = with_things_apart([Source("boats.md", [Section(("Boats",), 1, [Placed(table, 3)])])])
    >>> [(section.headings, section.blocks[0].table.rows[0]) for section in source.sections[1:]]
    [(('Boats', 'Reed'), ('Crew', '3')), (('Boats', 'Sedge'), ('Crew', '4'))]
    """
    return [replace(each, sections=[part for own in each.sections for part in _apart(own)]) for each in sources]


def _apart(section: Section) -> Iterator[Section]:
    """Yield a section without such tables, and then what stands in them."""
    things = {at: found for at, block in enumerate(section.blocks) if (found := list(_things(block)))}
    if not things:
        yield section
        return
    yield replace(section, blocks=[block for at, block in enumerate(section.blocks) if at not in things])
    for found in things.values():
        for name, block in found:
            yield Section((*section.headings, name), block.line, [block])


def _things(block: Block) -> Iterator[tuple[str, Placed]]:
    """Yield the name and the record of each thing of a table; none if it is another one."""
    if not isinstance(block, Placed) or not _is_of_things(block.table):
        return
    for at, path in enumerate(block.table.columns[::2]):
        pairs = tuple((row[2 * at].rstrip(": "), row[2 * at + 1]) for row in block.table.rows if row[2 * at + 1])
        record = replace(block.table, caption="", columns=((), ()), rows=pairs, row_pages=(), place=None)
        yield " ".join(path or block.table.columns[2 * at + 1]), replace(block, table=record)


def _is_of_things(table: Table) -> bool:
    labels, values = table.columns[::2], table.columns[1::2]
    if len(table.columns) < _PAIRS or len(labels) != len(values):
        return False
    are_named = all(labels) and len(set(labels)) == len(labels) and (not any(values) or values == labels)
    are_alike = all(row[0] and len({*row[::2]} - {""}) == 1 for row in table.rows)
    return are_named and are_alike and len({row[0] for row in table.rows}) >= max(_FEWEST, len(table.rows))
