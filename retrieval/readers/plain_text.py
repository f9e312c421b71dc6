"""Plain text: paragraphs between empty lines, and headings that are underlined or numbered.

Nothing else in it means anything: a star is a star. Lines of `LABEL: value` are records as everywhere.
"""

from __future__ import annotations

import re
from pathlib import Path

from retrieval.readers.aligned import tables_in
from retrieval.readers.document import Document, text_of
from retrieval.readers.from_markdown import document_of

_TAB = 8
_BRACKET = "["
_BRACKETED = re.compile(r"\[[^\W\d][\w ~.:/-]{0,40}\]")
"""What heads the lines below it in settings: *[display]*."""
_UNDERLINE = re.compile(r"([=\-~^*#])\1{2,}")
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~$&])")
_OPENING = re.compile(r"^(#{1,6}(?=\s)|[+](?=\s)|>)")
_BULLET = re.compile(r"^\s*(?:[-*•‣◦]|\(?\d{1,3}[.)])\s+(?=\S)")


def read_plain_text(path: Path) -> Document:
    """Read a text file; `SourceError` when it is not UTF-8."""
    text = text_of(path)
    rows = markdown_of_text(text.replace("\f", ""))
    ends = ("\f" * line.count("\f") for line in text.split("\n"))  # a form feed ends a page of Markdown too
    written = [end + row for end, row in zip(ends, rows, strict=True)]
    places = [line for line, row in enumerate(written, 1) for _ in row.split("\n")]
    return document_of("\n".join(written), places)


def markdown_of_text(text: str) -> list[str]:
    r"""Return the lines of a text as Markdown: what has a meaning in Markdown only is escaped, and lines in columns are
    tables.

    >>> markdown_of_text("Oaks\n====\n\nThey * grow.")
    ['# Oaks', '', '', 'They \\* grow.']
    """
    lines = text.expandtabs(_TAB).split("\n")
    tables = tables_in(lines)
    ranks: list[str] = []
    written: list[str] = []
    while len(written) < len(lines):
        place = len(written)
        if place in tables:
            written += tables[place]
            written[-1] += "\n"
            continue
        above, below = (lines[n].strip() if 0 <= n < len(lines) else "" for n in (place - 1, place + 1))
        line = lines[place].strip()
        mark = _BRACKET if _BRACKETED.fullmatch(line) and below and not above else below
        written.append(_heading(line, mark, ranks) or _line(lines[place]))
    return written


def _heading(line: str, below: str, ranks: list[str]) -> str:
    """A line with a rule below it as a heading; a mark ranks as it comes first in `ranks`."""
    is_ruled = _UNDERLINE.fullmatch(below) and len(below) >= len(line) // 2
    if not any(map(str.isalnum, line)) or not (is_ruled or below is _BRACKET):
        return ""
    line = line.strip("[]") if below is _BRACKET else line
    ranks += [below[0]] if below[0] not in ranks else []
    return "#" * min(6, ranks.index(below[0]) + 1) + " " + escaped(line)


def _is_rule(line: str) -> bool:
    """A line of nothing but one mark, which underlines the line above or parts two paragraphs."""
    return _UNDERLINE.fullmatch(line.strip()) is not None


def _line(line: str) -> str:
    if _is_rule(line):
        return ""
    bullet = _BULLET.match(line)
    if bullet:
        return f"- {escaped(line[bullet.end() :].rstrip())}"
    return _OPENING.sub(r"\\\1", escaped(line.strip()))


def escaped(text: str) -> str:
    """Return text of which nothing has a meaning in Markdown.

    >>> print(escaped("2 * 3 [1]"))
    2 \\* 3 \\[1\\]
    """
    return _SPECIAL.sub(r"\\\1", text)
