"""Markdown becomes sections: a heading path, and the paragraphs and tables under it.

Books that were converted from other forms head their parts with bold lines (`**Owlbear**`) as often as with `#`;
such a line opens a section one level below the real heading. A table keeps its caption and its footnotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from retrieval.ingest.tables import Cell, build, clean, html_tables
from retrieval.types import Table

_HTML_TABLE = re.compile(r"<table\b.*?</table\s*>", re.IGNORECASE | re.DOTALL)
_LABEL = re.compile(r"^(?P<label>[^\W\d_][^:;!?]{0,30}|%[^:.;!?]{0,30}):\s+(?P<value>\S.*)$")
_NOTE = re.compile(r"^\s*([*†‡]|Notes?:)")
_PSEUDO_LIMIT = 110


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, list or code block as plain text."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Placed:
    """A table and the line on which it stands."""

    table: Table
    line: int


@dataclass(slots=True)
class Section:
    """What stands under one heading. `headings` is the path, outermost first; `line` counts from 1."""

    headings: tuple[str, ...]
    line: int
    blocks: list[Any] = field(default_factory=list)

    @property
    def title(self) -> str:
        """The innermost heading."""
        return self.headings[-1] if self.headings else ""


@dataclass(frozen=True, slots=True)
class _Heading:
    text: str
    level: int
    line: int


@dataclass(frozen=True, slots=True)
class _Caption:
    text: str


Block = Paragraph | Placed | _Heading
_PSEUDO_LEVEL = 7
_LABEL_ENDS = (".", ":", ";", ",", "!", "?")


def parse(text: str, warn: list[tuple[int, str]]) -> list[Section]:
    """Split Markdown into sections; what is odd but usable goes to `warn` as (line, message)."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(_protect(text))
    return _sections(_captioned(list(_blocks(tokens, text.splitlines(), warn))))


def _protect(text: str) -> str:
    """Keep a pretty-printed HTML table in one piece: a blank line or an indent inside would end it."""

    def join(match: re.Match[str]) -> str:
        return "\n".join(line.strip() or "<!-- -->" for line in match[0].split("\n"))

    return re.sub(r"(?m)^[ \t]+(?=<table\b)", "", _HTML_TABLE.sub(join, text))


def _blocks(tokens: Sequence[Token], lines: Sequence[str], warn: list[tuple[int, str]]) -> Iterator[Block]:
    i = 0
    while i < len(tokens):
        token, end = tokens[i], _end(tokens, i)
        line = token.map[0] + 1 if token.map else 1
        inside = tokens[i : end + 1]
        if token.type == "heading_open":
            yield _Heading(clean(_inline(tokens[i + 1])), int(token.tag[1]), line)
        elif token.type == "table_open":
            yield from _pipe_table(inside, lines, line, warn)
        elif token.type == "html_block":
            yield from _html(token.content, line, warn)
        elif token.type == "paragraph_open":
            yield from _paragraph(tokens[i + 1], line, warn)
        elif token.type in ("bullet_list_open", "ordered_list_open", "blockquote_open"):
            items = [clean(_inline(t)) for t in inside if t.type == "inline"]
            yield from _labelled([item for item in items if item], line, "- " if "list" in token.type else "")
        elif token.type in ("fence", "code_block"):
            yield Paragraph(token.content.rstrip(), line)
        i = end + 1


def _end(tokens: Sequence[Token], start: int) -> int:
    if tokens[start].nesting != 1:
        return start
    level = tokens[start].level
    return next(
        (i for i in range(start + 1, len(tokens)) if tokens[i].level == level and tokens[i].nesting == -1), start
    )


def _inline(token: Token, breaks: str = " ") -> str:
    """The plain text of an inline token; footnote marks in `<sup>` are left out."""
    parts, raised = [], 0
    for child in token.children or ():
        if child.type == "html_inline":
            raised += child.content.startswith("<sup") - child.content.startswith("</sup")
            parts.append(" " if child.content.startswith("<br") else "")
        elif child.type in ("softbreak", "hardbreak"):
            parts.append(breaks)
        elif child.content and not raised:
            parts.append(child.content)
    return "".join(parts).replace("**", "")


def _bold_only(token: Token) -> bool:
    depth, bold = 0, False
    for child in token.children or ():
        depth += (child.type == "strong_open") - (child.type == "strong_close")
        if child.type == "text" and child.content.strip(" *"):
            if not depth:
                return False
            bold = True
        if child.type in ("softbreak", "hardbreak"):
            return False
    return bold


def _paragraph(token: Token, line: int, warn: list[tuple[int, str]]) -> Iterator[Block]:
    text = clean(_inline(token))
    if not text:
        return
    if _bold_only(token) and len(text) <= _PSEUDO_LIMIT:
        yield _Heading(text, _PSEUDO_LEVEL, line)
        return
    rows = [clean(row) for row in _inline(token, "\n").split("\n")]
    if len(rows) > 1 and all(row.startswith("|") for row in rows):
        warn.append((line, "looks like a table without its |---| line under the header; kept as text"))
    yield from _labelled(rows, line, "")


def _labelled(rows: Sequence[str], line: int, bullet: str) -> Iterator[Block]:
    """Three or more lines of `LABEL: value` in a row are a record; the rest is text."""
    matches = [_LABEL.match(row) for row in rows]
    if len(rows) >= 3 and all(matches):
        pairs = tuple((clean(m["label"]), clean(m["value"])) for m in matches if m)
        yield Placed(Table("", ((), ()), pairs), line)
        return
    yield Paragraph("\n".join(bullet + row for row in rows), line)


def _pipe_table(
    tokens: Sequence[Token], lines: Sequence[str], line: int, warn: list[tuple[int, str]]
) -> Iterator[Block]:
    rows: list[list[Cell]] = []
    header = 0
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
            _check_width(token, lines, rows, warn)
        elif token.type == "inline":
            rows[-1].append(Cell(clean(_inline(token)), _bold_only(token)))
        elif token.type == "thead_close":
            header = len(rows)
    blank = header == 1 and not any(cell.text for cell in rows[0])
    table = build(rows[1:] if blank else rows, header_rows=None if blank else header)
    if table is None:
        warn.append((line, "a table without rows; left out"))
    else:
        yield Placed(table, line)


def _check_width(token: Token, lines: Sequence[str], rows: list[list[Cell]], warn: list[tuple[int, str]]) -> None:
    if token.map and len(rows) > 1 and token.map[0] < len(lines):
        found = len(re.findall(r"(?<!\\)\|", lines[token.map[0]].strip().strip("|"))) + 1
        if found != len(rows[0]):
            warn.append((token.map[0] + 1, f"a row of {found} cells in a table of {len(rows[0])} columns"))


def _html(content: str, line: int, warn: list[tuple[int, str]]) -> Iterator[Block]:
    if "<table" not in content.lower():
        text = clean(re.sub(r"<[^>]*>", " ", content))
        if text:
            yield Paragraph(text, line)
        return
    tables = html_tables(content)
    if not tables:
        warn.append((line, "an HTML table without rows; left out"))
    if content.lower().count("<table") > content.lower().count("</table"):
        warn.append((line, "an HTML table that is never closed; read as far as it goes"))
    for table in tables:
        yield Placed(table, line)


def _captioned(blocks: list[Block]) -> list[Block]:
    """Give tables the caption that stands before them and the footnotes that stand after."""
    out: list[Block] = []
    for block in blocks:
        before = out[-1] if out else None
        if (
            isinstance(block, Placed)
            and not block.table.caption
            and isinstance(before, Paragraph)
            and _is_caption(before.text)
        ):
            block = replace(block, table=replace(block.table, caption=before.text.rstrip(":")))
        if isinstance(block, Paragraph) and isinstance(before, Placed) and _NOTE.match(block.text):
            out[-1] = replace(before, table=replace(before.table, notes=(*before.table.notes, block.text)))
            continue
        out.append(block)
    return out


def _is_caption(text: str) -> bool:
    return (
        "\n" not in text
        and len(text) <= 90
        and bool(re.match(r"(?i)table\b|.*\btable\b.*:?$", text))
        and "." not in text[:-1]
    )


def _sections(blocks: Sequence[Block]) -> list[Section]:
    """Group blocks under their headings.

    A bold line right above a grid of numbers is that table's caption: what follows the table goes on under the real
    heading. Elsewhere it opens a section, unless it ends like a label.
    """
    path: list[_Heading] = []
    sections = [Section((), 1)]
    home = here = sections[0]
    for block, after in zip_longest(blocks, blocks[1:]):
        if not isinstance(block, _Heading):
            here.blocks.append(block)
            continue
        if block.level == _PSEUDO_LEVEL and isinstance(after, Placed) and not after.table.is_record:
            here = here if any(isinstance(b, Placed) and b.table.is_record for b in here.blocks) else home
            here.blocks.append(_Caption(block.text.rstrip(":")))
        elif block.level == _PSEUDO_LEVEL and block.text.endswith(_LABEL_ENDS) and not isinstance(after, Placed):
            here.blocks.append(Paragraph(block.text, block.line))
        else:
            path = [h for h in path if h.level < block.level] + [replace(block, text=block.text.rstrip(":"))]
            here = Section(tuple(h.text for h in path), block.line)
            sections.append(here)
            home = here if block.level < _PSEUDO_LEVEL else home
    for section in sections:
        section.blocks = list(_with_captions(section.blocks))
    return [section for section in sections if section.blocks]


def _with_captions(blocks: Sequence[Paragraph | Placed | _Caption]) -> Iterator[Paragraph | Placed]:
    caption = ""
    for block in blocks:
        if isinstance(block, _Caption):
            caption = block.text
        else:
            yield (
                replace(block, table=replace(block.table, caption=caption))
                if caption and isinstance(block, Placed)
                else block
            )
            caption = ""
