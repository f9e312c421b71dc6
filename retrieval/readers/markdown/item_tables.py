"""Items of a list that are a name and a table below it: each is read as a section, so that the name is the table's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_ITEM = re.compile(r" {0,3}(?:\d{1,3}[.)]|[-*+]) +(?P<name>[^\s|][^|]{0,60}?)[ :]*")
_ROW = re.compile(r"(?: {2,}|\t)\s*\|.*\|\s*")
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})\s")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_FEWEST = 2
"""The fewest such items; a single one is a step of some instructions."""
_HEAD = 2
"""The lines of a table above its rows."""
_DEEPEST = 6


def with_item_tables(rows: Sequence[str]) -> list[str]:
    """Return the lines with such items as headings and their tables at the margin; others unchanged.

    >>> table = ["", "   | Crew | 3 |", "   |-|-|", "   | Port | Hull |", ""]
    >>> with_item_tables(["# Boats", "1. Reed", *table, "2. Sedge", *table])[:4]
    ['# Boats', '## Reed', '', '| Crew | 3 |']
    """
    found = dict(_items(rows))
    if len(found) < _FEWEST:
        return list(rows)
    told, depth = list(rows), 1
    for place, row in enumerate(rows):
        if heading := _HEADING.match(row):
            depth = len(heading["marks"])
        if place in found:
            name, tables = found[place]
            told[place] = f"{'#' * min(_DEEPEST, depth + 1)} {name}"
            told[tables.start : tables.stop] = [rows[at].strip() for at in tables]
    return told


def _items(rows: Sequence[str]) -> Iterator[tuple[int, tuple[str, range]]]:
    """Yield each item by its line: its name, and the lines of the table that is all it holds."""
    is_code = False
    for place, row in enumerate(rows):
        is_code ^= bool(_FENCE.match(row))
        if is_code or not (item := _ITEM.fullmatch(row)):
            continue
        begin = next((at for at in range(place + 1, min(place + 3, len(rows))) if rows[at].strip()), len(rows))
        end = next((at for at in range(begin, len(rows)) if not _ROW.fullmatch(rows[at])), len(rows))
        if end - begin > _HEAD and not "".join(rows[end : end + 1]).strip():
            yield place, (item["name"], range(begin, end))
