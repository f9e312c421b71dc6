"""Plain text: paragraphs between empty lines, and headings that are underlined or numbered.

Nothing else in it means anything: a star is a star. Lines of `LABEL: value` are records as everywhere.
"""

from __future__ import annotations

import re
from pathlib import Path

from retrieval.readers.document import Document, text_of
from retrieval.readers.from_markdown import document_of

_UNDERLINE = re.compile(r"([=\-~^*#])\1{2,}")
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~$&])")
_OPENING = re.compile(r"^(#{1,6}(?=\s)|[+](?=\s)|>)")
_BULLET = re.compile(r"^\s*(?:[-*•‣◦]|\(?\d{1,3}[.)])\s+(?=\S)")


def read_plain_text(path: Path) -> Document:
    """Read a text file; `SourceError` when it is not UTF-8."""
    text = text_of(path)
    rows = markdown_of_text(text.replace("\f", "")).split("\n")
    ends = ("\f" * line.count("\f") for line in text.split("\n"))  # a form feed ends a page of Markdown too
    return document_of("\n".join(end + row for end, row in zip(ends, rows, strict=True)))


def markdown_of_text(text: str) -> str:
    r"""Return text as Markdown, line by line: what has a meaning in Markdown only is escaped.

    >>> markdown_of_text("Oaks\n====\n\nThey * grow.")
    '# Oaks\n\n\nThey \\* grow.'
    """
    lines = text.expandtabs(4).split("\n")
    ranks: list[str] = []
    written = []
    for place, line in enumerate(lines):
        below = lines[place + 1].strip() if place + 1 < len(lines) else ""
        if _is_rule(line):
            written.append("")
        elif line.strip() and _UNDERLINE.fullmatch(below) and len(below) >= len(line.strip()) // 2:
            ranks += [below[0]] if below[0] not in ranks else []
            written.append("#" * min(6, ranks.index(below[0]) + 1) + " " + escaped(line.strip()))
        else:
            written.append(_line(line))
    return "\n".join(written)


def _is_rule(line: str) -> bool:
    """A line of nothing but one mark, which underlines the line above or parts two paragraphs."""
    return _UNDERLINE.fullmatch(line.strip()) is not None


def _line(line: str) -> str:
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
