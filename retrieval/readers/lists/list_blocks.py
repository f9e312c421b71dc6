"""What a list is: a table of things, a record of labels and values, or text with what it tells beside it."""

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
"""Lines of a record that have no other mark of it."""


def listed(rows: Sequence[str], line: int, bullet: str, marked: Sequence[Item]) -> Iterator[Block]:
    """The block of a list, with the items behind their `bullet` as `rows`, and as they are `marked`.

    One of things with the labels that they share is a table; the things that others name are beside the text.
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
    """True for lines that all are a label and its value, in a row long enough to be meant so.

    >>> is_record_of_lines(["Crew: 3", "Fee: 5", "Port: Hull"]), is_record_of_lines(["Note: it is open."])
    (True, False)
    """
    return len(rows) >= _FEWEST and all(map(_LABEL.match, rows))


def record_of_lines(rows: Sequence[str], line: int) -> Placed:
    """Lines of `LABEL: value`, three or more in a row."""
    found = filter(None, map(_LABEL.match, rows))
    return Placed(Table("", ((), ()), tuple((clean(m["label"]), clean(m["value"])) for m in found)), line)
