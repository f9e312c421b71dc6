"""Tables in plain text: aligned columns, terms with hanging text, and tables drawn with rules or boxes.

Each becomes HTML, one row a line, which the Markdown reader understands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from retrieval.readers.html.found_tables import Found, Row, list_html, table_html
from retrieval.readers.html.ruled_text import has_letter_or_digit, rows_of, under_rule
from retrieval.readers.html.text_columns import boundaries, cut, extents, keeps_to
from retrieval.readers.labels.hanging_terms import hanging_terms
from retrieval.readers.labels.label_marks import MOST_WORDS, without_bullet
from retrieval.readers.labels.running_text import pair_in
from retrieval.readers.markdown.grid_tables import grid_block, grid_table, is_border

_FEWEST = 3
"""The fewest rows of a table with only blanks between columns."""
_NEARLY_ALL = 0.8
_MOSTLY = 0.5
_MOST_BLANK = 3
"""The most blank lines between the terms of a list."""
_TRIES = 4
"""The lines of a paragraph at which a table may begin."""
_SAMPLE = 200
"""The lines from which columns are detected."""
_MARK = re.compile(r"[-*+•·o]|\(?\w{1,3}[.)]|\W*")
"""The mark before a list item."""
_CODE = re.compile(r".*[;{}]|\S*[,#]\S*|\S+\(\S*\)")
"""Text that ends like a statement, or has commas without blanks."""
_NUMBER = re.compile(r"[$€£%+-]?\s*\d")
_SIGNS = frozenset("-:=–—")
"""Signs that may stand between a name and its description."""
_GAP = re.compile(r"(?<=[^\W\d_])  +(?=[^\W\d_])")
"""A wide gap between two words of a sentence."""
_RARE = 3
"""A column is rare if fewer than one in so many rows has it."""
_LONG = 8
"""The fewest words of a line that may be a sentence."""
_MANY = 6
"""The fewest rows that are a table in any context."""


class _Part(NamedTuple):
    """Words of a line with single blanks between them."""

    start: int
    end: int
    text: str


_WORDS = re.compile(r"\S+(?: \S+)*")


def _parts(line: str) -> tuple[_Part, ...]:
    return tuple(_Part(found.start(), found.end(), found[0]) for found in _WORDS.finditer(line))


def tables_in(lines: Sequence[str]) -> Mapping[int, list[str]]:
    """Return the HTML of the tables in a text by their first line, one line of HTML for each source line.

    >>> tables_in(["Boats:", "reed   3", "sedge  4", "rush   5"])[1][0]
    '<table data-head-rows="0"><tr><td>reed</td><td>3</td></tr>'
    """
    parts = [_parts(line) for line in lines]
    found: dict[int, list[str]] = {}
    at = tried = 0
    while at < len(lines):
        tried = tried if parts[at] else 0
        told = _table_or_list(lines, parts, at) if tried < _TRIES else None
        if told is None and _begins(parts, at) and (terms := hanging_terms(lines, at)):
            told = at, terms
        if told is None:
            tried += len(parts[at]) > 1 or is_border(lines[at])
            at += 1
            continue
        start, html = told
        found[start] = html
        at, tried = start + len(html), 0
    return found


def _begins(parts: Sequence[tuple[_Part, ...]], at: int) -> bool:
    """True for a line below a blank one, or below a less indented one."""
    above = parts[at - 1] if at else ()
    return bool(parts[at]) and (not above or above[0].start < parts[at][0].start)


def _boxed(lines: Sequence[str], at: int) -> tuple[int, list[str]] | None:
    """Return a table drawn with `+---+` and `|`."""
    block = grid_block(lines[at:])
    html = grid_table(block) if block and block[0].count("+") > 2 else None
    return (at, html) if html and sum(map(bool, html)) > 3 else None  # a single row is only a frame


def _table_or_list(lines: Sequence[str], parts: Sequence[tuple[_Part, ...]], at: int) -> tuple[int, list[str]] | None:
    if is_border(lines[at]):
        return _boxed(lines, at)
    table = under_rule(lines, at) or _in_columns(lines, parts, at)
    if table is None:
        return None
    is_list = not table.heads and any(pair_in(without_bullet(line)) for row in table.rows for line in row.more)
    return table.start, (list_html(table) if is_list else table_html(table))


def _in_columns(lines: Sequence[str], parts: Sequence[tuple[_Part, ...]], at: int) -> Found | None:
    """Return a table that begins on this line, with only blanks between its columns."""
    if len(parts[at]) < 2 or "|" in lines[at]:
        return None
    sample = _Region(lines, parts, at, at + _SAMPLE)
    keyed = [n for n in sample.lines if sample.is_keyed(n)]
    if len({parts[n][0].text for n in keyed}) <= _MOSTLY * len(keyed):
        return None
    own = [lines[n] for n in keyed]
    starts = boundaries(own)
    own = [line for line in own if keeps_to([line], starts)]
    if len(own) < 2 or len(starts) < 2 or _is_justified(own, starts):
        return None
    if not _are_named(list(rows_of(lines, sample.lines, starts)), 2):
        return None
    region = _Region(lines, parts, at, len(lines))
    first, *rest = region.up_to(lambda n: keeps_to([lines[n]], starts), starts)
    rows = list(rows_of(lines, [first, *rest], starts))
    head = _head_above(lines, parts, first, own, starts)
    found = Found(first, rest[-1] + 1, rows) if head is None else Found(head[0], rest[-1] + 1, rows, head[2], head[1])
    if not _are_named(rows, 2 if head else _FEWEST) or (head is None and _goes_on(lines, found)):
        return None
    return _tidied(_with_first_head(found) if head is None else found)


def _is_justified(lines: Sequence[str], starts: Sequence[int]) -> bool:
    """True for justified prose, with wide gaps between its words."""
    inside = sum(any(map(_GAP.search, cut(line, starts))) for line in lines)
    return inside >= _MOSTLY * len(lines)


def _goes_on(lines: Sequence[str], table: Found) -> bool:
    """True if a few rows are part of a paragraph: an adjacent long line leads to them or continues them, or blank lines
    separate only some of them.
    """
    if len(table.rows) >= _MANY:
        return False
    gaps = {bool(lines[row.line - 1].strip()) for row in table.rows[1:]}
    if len(gaps) > 1 and not any(row.more for row in table.rows):
        return True
    width = max(len(line) for line in lines[table.start : table.end])
    around = [lines[n] for n in (table.start - 1, table.end) if 0 <= n < len(lines)]
    return any(len(line.split()) >= _LONG and len(line) >= _NEARLY_ALL * width for line in around)


class _Region:
    """The lines from one on that align with the parts of others, and those that continue them."""

    def __init__(self, lines: Sequence[str], parts: Sequence[tuple[_Part, ...]], first: int, end: int) -> None:
        self._texts, self._parts = lines, parts
        self._starts: set[int] = set()
        self._ends: set[int] = set()
        self._take(first)
        self.lines = [first]
        at = first + 1
        while at < min(end, len(parts)) and at - self.lines[-1] <= _MOST_BLANK:
            if parts[at]:
                if not self._holds(at):
                    break
                self.lines.append(at)
            at += 1

    def is_keyed(self, at: int) -> bool:
        """True for a line that begins where keys do."""
        return self._parts[at][0].start < min(self._starts)

    def up_to(self, keeps: Callable[[int], bool], starts: Sequence[int]) -> list[int]:
        """Return its lines as long as they keep to the columns, and lines directly above whose key leaves only one
        blank.
        """
        first, start = self.lines[0], starts[1]
        own = list(takewhile(lambda at: not self.is_keyed(at) or keeps(at), self.lines))
        while first > 0 and "|" not in (line := self._texts[first - 1]):
            begins = line[:start].strip() and line[start - 1 : start] == " " and line[start : start + 1].strip()
            if not begins or "  " in line[:start].strip() or len(self._parts[first - 1]) > len(starts):
                break
            first -= 1
        return [*range(first, self.lines[0]), *own]

    def _take(self, at: int) -> None:
        self._starts |= {part.start for part in self._parts[at][1:]}
        self._ends |= {part.end for part in self._parts[at][1:]}

    def _holds(self, at: int) -> bool:
        own = self._parts[at]
        if "|" in self._texts[at]:
            return False
        if not self.is_keyed(at):
            return True
        if not any(part.start in self._starts or part.end in self._ends for part in own[1:]):
            return False
        self._take(at)
        return True


def _are_named(rows: Sequence[Row], fewest: int) -> bool:
    """True if the first cells are brief names with something beside them."""
    keys = [row.cells[0] for row in rows]
    brief = sum(len(key.split()) <= MOST_WORDS and not key.endswith((".", ",", ";")) for key in keys)
    told = sum(any(row.cells[1:]) for row in rows)
    marks = sum(_MARK.fullmatch(key) is not None for key in keys)
    code = sum(_CODE.fullmatch(row.cells[-1]) is not None for row in rows)
    labels = sum(key.endswith(":") for key in keys)
    several = len(set(keys)) > _MOSTLY * len(keys)
    few = max(marks, code, labels) < _MOSTLY * len(keys)
    return len(rows) >= fewest and several and few and min(brief, told) >= _NEARLY_ALL * len(keys)


def _head_above(
    lines: Sequence[str], parts: Sequence[tuple[_Part, ...]], at: int, keyed: Sequence[str], starts: Sequence[int]
) -> tuple[int, str, list[str]] | None:
    """Return the line of heads above a table, its caption and the heads; each head stands above one column."""
    above = next((n for n in range(at - 1, max(-1, at - 3), -1) if parts[n]), -1)
    if above < 0 or len(parts[above]) < 2:
        return None
    spans = list(extents(keyed, starts))
    heads = [""] * len(starts)
    for part in parts[above]:
        under = [n for n, (left, right) in enumerate(spans) if part.start < right and left < part.end]
        if len(under) != 1 or heads[under[0]]:
            return None
        heads[under[0]] = part.text
    is_ruled_off = any(line.strip() for line in lines[above + 1 : at])
    cells = [cut(line, starts) for line in keyed]
    if not all(heads[1:]) or not (is_ruled_off or _are_heads(heads[1:], [row[1:] for row in cells])):
        return None
    caption = heads[0].rstrip(": ") if heads[0].endswith(":") else ""
    return above, caption, ["" if caption else heads[0], *heads[1:]]


def _are_heads(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """True for words above columns of which one is numeric."""
    numbers = [sum(bool(_NUMBER.match(row[n])) for row in rows) for n in range(len(heads))]
    are_words = not any(any(map(str.isdigit, head)) for head in heads)
    return are_words and max(numbers) >= _NEARLY_ALL * len(rows)


def _with_first_head(table: Found) -> Found:
    """Take the first row as heads if it has no key, or if it is words above numbers.

    Two columns stay as they are: they may be labels and values.
    """
    first, *rest = table.rows
    below = [row.cells[1:] for row in rest]
    is_told = len(first.cells) > 2 and has_letter_or_digit(first.cells[0]) and _are_heads(first.cells[1:], below)
    is_head = not first.cells[0] or is_told
    if all(first.cells[1:]) and is_head and not first.more:
        table.heads, table.rows = first.cells, rest
    return table


def _tidied(table: Found) -> Found:
    """Merge columns that only separate a name from its description.

    A column of one sign is joined to the next column, and a rare column to the one before.
    """
    heads = table.heads or [""] * len(table.rows[0].cells)
    kept: list[tuple[str, list[str]]] = []
    for at, head in enumerate(heads):
        cells = [row.cells[at] for row in table.rows]
        cells = _without_sign(cells) if at and not head else cells
        if not any(cells) and not head:
            continue
        is_rare = at < len(heads) - 1 and sum(map(bool, cells)) * _RARE < len(cells)
        if at and not head and (is_rare or (len(kept) > 1 and _is_sign(kept[-1][1]))):
            head, before = kept.pop()
            cells = [" ".join(filter(None, pair)) for pair in zip(before, cells, strict=True)]
        kept.append((head, cells))
    table.heads = [head for head, _ in kept] if table.heads else []
    for at, row in enumerate(table.rows):
        row.cells = [cells[at] for _, cells in kept]
    return table


def _without_sign(cells: list[str]) -> list[str]:
    """Return the cells without a sign that all begin with."""
    said = [cell for cell in cells if cell]
    signs = {cell[:1] for cell in said}
    is_one = len(signs) == 1 and signs <= _SIGNS and all(not cell[1:2].strip() for cell in said)
    return [cell[1:].strip() for cell in cells] if is_one else cells


def _is_sign(cells: Sequence[str]) -> bool:
    """True for cells that all are the same single sign."""
    said = set(filter(None, cells))
    return len(said) == 1 and not any(map(str.isalnum, sign := said.pop())) and len(sign) == 1
