"""Headings of plain text: lines with a rule below, in brackets above settings, in capitals above indented text, and
numbered lines alone above text, as in manuals, memos and statutes: *7. Behaviour*, *Section 7  Use of the plot*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

_UNDERLINE = re.compile(r"([=\-~^*#])\1{2,}")
_BRACKETED = re.compile(r"\[(?P<said>[^\W\d][\w ~.:/-]{0,40})\]")
_CAPITALS = re.compile(r"[^\W\d_a-z]{3,}(?: [^\W\d_a-z]+){0,4}")
_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2})*)\.?\s+[^\W\d_][^.;,]{0,60}")
_LABELLED = re.compile(r"(?P<word>[^\W\d_]{3,}|§) ?(?P<number>\d{1,3})(?:[.:)]|\s*[-–—]|\s)\s*[^\W\d_][^.;]{0,80}")
_FEWEST = 2
"""The fewest headings of one kind without a rule; a single one is ambiguous."""


class Head(NamedTuple):
    """A heading of plain text; headings with one mark have the same level."""

    text: str
    mark: str


def is_rule(line: str) -> bool:
    """True for a line of one repeated mark, which underlines the line above or separates paragraphs."""
    return _UNDERLINE.fullmatch(line.strip()) is not None


def heads_in(lines: Sequence[str]) -> Mapping[int, Head]:
    """Return the headings of a text by line.

    >>> heads_in(["Oaks", "====", "", "[ash]", "height = 30"])
    {0: Head(text='Oaks', mark='='), 3: Head(text='ash', mark='[')}
    >>> list(heads_in(["1. Oaks", "", "   They grow.", "", "1.1. Roots", "", "   Deep."]))
    [0, 4]
    >>> list(heads_in(["Section 1  Oaks", "", "They grow.", "", "Section 2  Elms", "", "They fall."]))
    [0, 4]
    >>> list(heads_in(["1. Oaks", "", "2. Elms", "", "3. Ash", ""]))
    []
    """
    ruled: dict[int, Head] = {}
    others: dict[str, dict[int, Head]] = {}
    for place in range(len(lines)):
        if head := _ruled(lines, place):
            ruled[place] = head
        for kind, head in _plain(lines, place):
            others.setdefault(kind, {})[place] = head
    told = {at: head for kind, own in others.items() if kind == "[" or len(own) >= _FEWEST for at, head in own.items()}
    return dict(sorted((told | ruled).items()))


def _ruled(lines: Sequence[str], place: int) -> Head | None:
    line, below = lines[place].strip(), lines[place + 1].strip() if place + 1 < len(lines) else ""
    is_head = any(map(str.isalnum, line)) and _UNDERLINE.fullmatch(below) and len(below) >= len(line) // 2
    return Head(line, below[0]) if is_head else None


def _plain(lines: Sequence[str], place: int) -> Iterator[tuple[str, Head]]:
    """Yield a line at the margin, below a blank one, that stands out from the text below it."""
    line = lines[place].rstrip()
    if not line or line[0] == " " or (place and lines[place - 1].strip()):
        return
    below = lines[place + 1] if place + 1 < len(lines) else ""
    if (found := _BRACKETED.fullmatch(line)) and below.strip():
        yield "[", Head(found["said"], "[")
    elif _CAPITALS.fullmatch(line) and below.strip() and below[0] == " ":
        yield "A", Head(line, "A")
    elif (found := _NUMBERED.fullmatch(line)) and _stands_alone(lines, place):
        yield "1", Head(line, "1" + "." * found["number"].count("."))
    elif (found := _LABELLED.fullmatch(line)) and line[0] == line[0].upper() and _stands_alone(lines, place):
        yield found["word"], Head(" ".join(line.split()), found["word"])


def _stands_alone(lines: Sequence[str], place: int) -> bool:
    """True if below a blank line there is text that is no further line of a numbered list."""
    below = [line.rstrip() for line in lines[place + 1 : place + 3]]
    return len(below) > 1 and not below[0] and bool(below[1]) and not (_NUMBERED.match(below[1]))
