"""The kind of a list: a table of things, a record of labels and values, or text with the facts in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from retrieval.readers.documents.sections import Block, Paragraph, Placed
from retrieval.readers.documents.tables import clean
from retrieval.readers.lists.listed_things import things_of
from retrieval.readers.lists.members import has_numbers, members_of
from retrieval.readers.lists.nested import Item, parts_of, table_of
from retrieval.types import Table

_LABEL = re.compile(r"^(?P<label>[^\W\d_][^:;!?]{0,30}|%[^:.;!?]{0,30}):\s+(?P<value>\S.*)$")
_FEWEST = 3
"""The fewest lines of a record without other marks."""


def list_block(rows: Sequence[str], line: int, bullet: str, marked: Sequence[Item]) -> Iterator[Block]:
    """Yield the block of a list: `rows` are its items without their `bullet`, `marked` the same with levels and bold.

    A list of things that share labels is a table; facts of other named things are attached to the text.
    """
    table = table_of(marked) if bullet else None
    parts = parts_of(marked, bullet)
    named = tuple(part for part in parts if part[0])
    members = members_of(marked) if bullet and not named else None
    pairs = dict(parts).get("", ())
    is_labelled = things_of(Table("", ((), ()), pairs)) is not None
    is_counted = members is not None and has_numbers(members) and not is_labelled
    if table is not None:
        yield Placed(table, line)
    elif is_record_of_lines(rows) and not named and not is_counted:
        yield record_of_lines(rows, line)
    elif rows:
        text = "\n".join(bullet + row for row in rows)
        own = None if is_labelled else members
        yield Paragraph(text, line, pairs=() if is_counted else pairs, parts=named, members=own)


def is_record_of_lines(rows: Sequence[str]) -> bool:
    """True if all of at least three lines are a label and its value.

    >>> is_record_of_lines(["Crew: 3", "Fee: 5", "Port: Hull"]), is_record_of_lines(["Note: it is open."])
    (True, False)
    """
    return len(rows) >= _FEWEST and all(map(_LABEL.match, rows))


def record_of_lines(rows: Sequence[str], line: int) -> Placed:
    """Return the record of lines of the form `LABEL: value`."""
    found = filter(None, map(_LABEL.match, rows))
    return Placed(Table("", ((), ()), tuple((clean(m["label"]), clean(m["value"])) for m in found)), line)
