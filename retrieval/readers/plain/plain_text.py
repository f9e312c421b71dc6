"""Plain text: paragraphs between blank lines, headings, and tables.

No other markup is interpreted: a star is a star. Blocks of labels with values are records.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from retrieval.readers.documents.document import Document, text_of
from retrieval.readers.markdown.from_markdown import document_of
from retrieval.readers.plain.aligned import tables_in
from retrieval.readers.plain.records import Record, records_in
from retrieval.readers.plain.solid_rules import in_pieces
from retrieval.readers.plain.text_heads import heads_in, is_rule

_TAB = 8
_DEEPEST = 6
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~$&])")
_OPENING = re.compile(r"^(#{1,6}(?=\s)|[+](?=\s)|>)")
_BULLET = re.compile(r"^\s*(?:[-*•‣◦]|o(?=\s{2})|\(?\d{1,3}[.)])\s+(?=\S)")


def read_plain_text(path: Path) -> Document:
    """Read a text file; `SourceError` if its encoding is unknown."""
    text = text_of(path)
    rows = markdown_of_text(text.replace("\f", ""))
    ends = ("\f" * line.count("\f") for line in text.split("\n"))  # a form feed ends a page in Markdown too
    written = [end + row for end, row in zip(ends, rows, strict=True)]
    places = [line for line, row in enumerate(written, 1) for _ in row.split("\n")]
    return document_of("\n".join(written), places)


def markdown_of_text(text: str) -> list[str]:
    r"""Return the lines of a text as Markdown: its special characters are escaped, and aligned columns become tables.

    >>> markdown_of_text("Oaks\n====\n\nThey * grow.")
    ['# Oaks', '', '', 'They \\* grow.']
    """
    lines = in_pieces(text.expandtabs(_TAB).split("\n"))
    records = records_in(lines)
    taken = set().union(*(record.places for record in records))
    tables = tables_in(["" if place in taken else line for place, line in enumerate(lines)])
    heads = {place: head for place, head in heads_in(lines).items() if place not in taken}
    mark = "#" * min(_DEEPEST, len({head.mark for head in heads.values()}) + 1)
    own = {place: row for record in records for place, row in _rows(record, mark)}
    ranks: list[str] = []
    written: list[str] = []
    while len(written) < len(lines):
        place = len(written)
        if place in own:
            written.append(own[place])
        elif place in tables:
            written += tables[place]
            written[-1] += "\n"
        elif head := heads.get(place):
            ranks += [head.mark] if head.mark not in ranks else []
            written.append("#" * min(_DEEPEST, ranks.index(head.mark) + 1) + " " + escaped(head.text))
        else:
            written.append(_line(lines[place]))
    return written


def _rows(record: Record, mark: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a record as Markdown: its name is a heading with this mark, labels are bold."""
    head = f"\n{mark} {escaped(record.name)}\n"
    rows = [f"**{escaped(label)}:** {escaped(value)}  " for label, value in record.facts]
    rows[-1] += "\n"
    if record.name_place < 0:
        rows[0] = f"{head}\n{rows[0]}"
    else:
        yield record.name_place, head
    yield from enumerate(rows, record.begin)


def _line(line: str) -> str:
    if is_rule(line):
        return ""
    bullet = _BULLET.match(line)
    if bullet:
        return f"- {escaped(line[bullet.end() :].rstrip())}"
    return _OPENING.sub(r"\\\1", escaped(line.strip()))


def escaped(text: str) -> str:
    """Escape all characters with a meaning in Markdown.

    >>> print(escaped("2 * 3 [1]"))
    2 \\* 3 \\[1\\]
    """
    return _SPECIAL.sub(r"\\\1", text)
