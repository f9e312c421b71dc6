"""Markdown as sections: a heading path, with the paragraphs and tables under it.

Books converted from other formats mark headings with bold lines (`**Owlbear**`) as often as with `#`; such a line opens
a section one level below the real heading. A table keeps its caption and its footnotes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from textwrap import dedent

from markdown_it.token import Token

from retrieval.readers.documents.document import Document, text_of
from retrieval.readers.documents.front_matter import front_matter
from retrieval.readers.documents.pages import ROW, WORD, PageMarks, words_in
from retrieval.readers.documents.sections import (
    PSEUDO_DEPTH,
    Block,
    Heading,
    Paragraph,
    Placed,
    Section,
    grouped,
    with_front_matter,
)
from retrieval.readers.documents.tables import clean
from retrieval.readers.html.ruled_text import whole_table
from retrieval.readers.html.tables import html_blocks
from retrieval.readers.labels.headed_values import with_headed_values
from retrieval.readers.labels.labelled_paragraphs import with_labelled_paragraphs
from retrieval.readers.labels.running_text import pairs_of
from retrieval.readers.labels.statlines import amounts, stat_line, stat_rows, stat_run
from retrieval.readers.lists.contents import without_contents
from retrieval.readers.lists.leads import with_leads
from retrieval.readers.lists.list_blocks import is_record_of_lines, list_block, record_of_lines
from retrieval.readers.lists.nested import Item
from retrieval.readers.markdown.block_rules import TEXT, markdown_parser
from retrieval.readers.markdown.dialects import plain_markdown
from retrieval.readers.markdown.fenced_data import FencedData, fenced_data
from retrieval.readers.markdown.inline import bold_lead, is_bold, lines_of_item, lines_with_bold, plain_text
from retrieval.readers.markdown.look_alikes import with_distinct_captions
from retrieval.readers.markdown.mdx import as_markdown, is_mdx
from retrieval.readers.markdown.pipe_tables import normalized_pipe_table, pipe_table
from retrieval.text.normal import STOP_WORDS
from retrieval.types import Table

_TABLE_EDGE = re.compile(r"(?P<open><table\b)|(?P<close></table\s*>)|^#{1,6}\s", re.IGNORECASE | re.MULTILINE)
_PLAIN = frozenset({"", "text", "txt", "plain", "none"})
"""The languages of a code block that is no code."""
_PIPE_TABLE = re.compile(r"^[ \t]*\|.*\n[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)*+(?:[ \t]*:?-+:?)?[ \t]*$", re.MULTILINE)
"""The first two lines of a table: its heads and the rule below."""
_CONTENTS = re.compile(r"[@$]?[\[{(]+[:_% ]*toc[:_% ]*[\]})]+", re.IGNORECASE)
"""A placeholder for a table of contents: *[TOC]*, *[[_TOC_]]*, *{:toc}*."""
_LEAD = re.compile(r"(?=.{1,60}$)[^\W\d_][^\s.!?:]*(?: [^\s.!?:]+){1,9}:")
"""A line that names the table below it: *Deprecated file share profiles:*."""
_IN_NAMES = frozenset({"a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "per", "the", "to", "with"})
_FEWEST_DATA = 3
"""The fewest lines of data under a dash rule that are not a heading."""
_CAPTION_LINE = re.compile(r"(?P<word>Table|table)?: +(?:\(?\\?#[\w:-]+\)? +)?(?P<text>\S[^\n]{0,200})")
_CAPTION_BELOW = re.compile(r"<!-- caption: ([^<>]+) -->")
_BRIEF_LABEL = re.compile(r"[^\W\d_][\w-]*(?: [\w-]+){0,2}:")
"""A line that names one of several tables: *Motors:*."""
_NOTE = re.compile(r"^\s*([*†‡]|Notes?:)")
_BOLD_PAIR = re.compile(r"\*\*[^*]+(?::\*\*|\*\*:)\s*\*\*")
"""A bold label before a bold value."""
_PSEUDO_LIMIT = 110
_LONGEST_HEADING = 300
"""The most characters of a heading, which each chunk under it repeats."""
_TAG_LINE = re.compile(r"[ \t]*(?:</?[a-zA-Z][^<>]*>[ \t]*)+")
_NO_BLANK_LINE = "&#32;"
"""A space that keeps a line from being blank, also inside a comment."""


def read_markdown(path: Path) -> Document:
    """Read a Markdown file, or MDX with that suffix; `SourceError` if its encoding is unknown."""
    text = text_of(path)
    return _document(as_markdown(text) if is_mdx(text) else text)


def read_mdx(path: Path) -> Document:
    """Read an MDX file; `SourceError` if its encoding is unknown."""
    return _document(as_markdown(text_of(path)))


def _document(text: str) -> Document:
    odd: list[tuple[int, str]] = []
    return Document(tuple(parse(plain_markdown(text, odd), odd)), tuple(odd))


def parse(text: str, warn: list[tuple[int, str]]) -> list[Section]:
    """Split Markdown into sections; what is odd but usable is added to `warn` as (line, message)."""
    text = text.removeprefix("\ufeff")
    marks = PageMarks(text)
    unmarked = marks.unmarked()
    front = front_matter(unmarked.text)
    body = unmarked.text
    if front:
        body = "\n" * front.lines + "\n".join(body.split("\n")[front.lines :])
        warn += [(unmarked.places[line - 1] + 1, message) for line, message in front.odd]
    tokens = without_contents(markdown_parser().parse(_protect(body)))
    for token in tokens:
        if token.map:
            token.map = [unmarked.places[token.map[0]], token.map[1]]
    told = with_headed_values(with_labelled_paragraphs(with_leads(list(_blocks(tokens, unmarked.lines, warn)))))
    blocks = list(_paged(with_distinct_captions(_captioned(told)), marks))
    return grouped(with_front_matter(blocks, front) if front else blocks)


def _protect(text: str) -> str:
    """Keep a pretty-printed HTML table in one piece: a blank line or an indent inside would end it."""

    parts, done = [], 0
    for start, end in _html_table_places(text):
        whole = "\n".join(line.strip() or _NO_BLANK_LINE for line in text[start:end].split("\n"))
        parts += [text[done:start], whole]
        done = end
    return re.sub(r"(?m)^[ \t]+(?=<table\b)", "", "".join(parts) + text[done:])


def _html_table_places(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of outermost HTML tables; one not closed before the next heading is skipped."""
    depth = start = 0
    for edge in _TABLE_EDGE.finditer(text):
        if edge["open"]:
            start = start if depth else edge.start()
            depth += 1
        elif edge["close"] and depth:
            depth -= 1
            if not depth:
                yield start, edge.end()
        elif not edge["close"]:
            depth = 0


def _blocks(tokens: Sequence[Token], lines: Sequence[str], warn: list[tuple[int, str]]) -> Iterator[Block]:
    i = 0
    while i < len(tokens):
        token, end = tokens[i], _end(tokens, i)
        line = token.map[0] + 1 if token.map else 1
        inside = tokens[i : end + 1]
        if token.type == "heading_open":
            yield from _headed(token, tokens[i + 1], line, warn)
        elif token.type == "table_open":
            yield from pipe_table(inside, lines, line, warn)
        elif token.type == "html_block":
            yield from _html_block(token.content, line, warn)
        elif token.type == "paragraph_open":
            yield from _paragraph(tokens[i + 1], line, warn)
        elif token.type in ("bullet_list_open", "ordered_list_open", "blockquote_open"):
            yield from _container(inside, lines, line, warn)
        elif token.type == "code_block" and _PIPE_TABLE.search(token.content):
            yield from _nested(dedent(token.content), line, warn)  # a writer indents it inside tags
        elif token.type in ("fence", "code_block") and (code := token.content.rstrip()):
            yield from _fenced(token.info, code, line, warn)
        elif token.type == TEXT:
            warn.append((line, token.meta["odd"]))
            yield Paragraph("\n".join(filter(None, map(clean, token.content.split("\n")))), line)
        i = end + 1


def _html_block(html: str, line: int, warn: list[tuple[int, str]]) -> Iterator[Block]:
    below = _CAPTION_BELOW.match(html.strip())
    if below:
        yield _CaptionBelow(below[1], line)
    elif _PIPE_TABLE.search(html) and (inner := _without_tag_lines(html)):
        yield from _nested(inner, line, warn)
    else:
        yield from _html(html, line, warn)


def _fenced(info: str, code: str, line: int, warn: list[tuple[int, str]]) -> Iterator[Block]:
    """Yield the data of a code block, the table that all of its text is, or else the text."""
    data = fenced_data(info, f"{code}\n")
    if data:
        yield from _data(data, line)
    elif info.strip().casefold() in _PLAIN and (table := whole_table(code.split("\n"))):
        yield from _html(table, line, warn)
    else:
        yield Paragraph(code, line)


def _data(data: FencedData, line: int) -> Iterator[Block]:
    if data.record:
        yield Placed(Table("", ((), ()), data.record), line)
    if data.text:
        yield Paragraph(data.text, line, pairs=data.listed)


def _nested(text: str, line: int, warn: list[tuple[int, str]]) -> Iterator[Block]:
    """Parse Markdown inside another block; blank lines in front keep the line numbers right."""
    whole = "\n" * (line - 1) + text
    yield from _blocks(markdown_parser().parse(whole), whole.split("\n"), warn)


def _without_tag_lines(html: str) -> str:
    """Return HTML without its tag lines; empty if other lines begin with a tag."""
    rows = ["" if _TAG_LINE.fullmatch(row) else row for row in html.split("\n")]
    return "" if any(row.lstrip().startswith("<") for row in rows) else "\n".join(rows)


def _headed(token: Token, inline: Token, line: int, warn: list[tuple[int, str]]) -> Iterator[Block]:
    """Yield a heading, or a record for front-matter-like data between lines of dashes.

    To Markdown such data are a heading of several lines.
    """
    may_be_data = token.markup == "-" and inline.content.count("\n") + 1 >= _FEWEST_DATA
    if may_be_data and (data := fenced_data("front-matter", inline.content)):
        yield from _data(data, line)
    else:
        yield from _heading(clean(plain_text(inline)), int(token.tag[1]), line, warn)


def _heading(text: str, depth: int, line: int, warn: list[tuple[int, str]]) -> Iterator[Block]:
    if len(text) > _LONGEST_HEADING:
        warn.append((line, f"a heading of more than {_LONGEST_HEADING} characters; kept as text"))
        yield Paragraph(text, line)
    elif text:
        yield Heading(text, depth, line)


def _container(
    tokens: Sequence[Token], lines: Sequence[str], line: int, warn: list[tuple[int, str]]
) -> Iterator[Block]:
    """Yield the blocks of a list or quotation: its items as one paragraph, its tables and code separately."""
    items: list[str] = []
    marked: list[Item] = []
    bullet = "- " if "list" in tokens[0].type else ""
    i = 0
    while i < len(tokens):
        token, end = tokens[i], i
        if token.type == "inline" and (text := clean(plain_text(token))):
            items.append(text)
            marked += [Item(token.level, row) for row in lines_of_item(token)]
        elif token.type in ("table_open", "html_block", "fence", "code_block", TEXT):
            end = _end(tokens, i)
            yield from list_block(items, line, bullet, marked)
            items, marked = [], []
            yield from _blocks(tokens[i : end + 1], lines, warn)
        i = end + 1
    yield from list_block(items, line, bullet, marked)


def _end(tokens: Sequence[Token], start: int) -> int:
    if tokens[start].nesting != 1:
        return start
    depth = tokens[start].level
    return next(
        (i for i in range(start + 1, len(tokens)) if tokens[i].level == depth and tokens[i].nesting == -1), start
    )


def _paragraph(token: Token, line: int, warn: list[tuple[int, str]]) -> Iterator[Block]:
    text = clean(plain_text(token))
    if not text or _CONTENTS.fullmatch(text):
        return
    if is_bold(token) and len(text) <= _PSEUDO_LIMIT and not _BOLD_PAIR.match(lines_with_bold(token)[0]):
        yield Heading(text, PSEUDO_DEPTH, line)
        return
    rows = [clean(row) for row in plain_text(token, "\n", "\n").split("\n")]
    if len(rows) > 1 and all(row.startswith("|") for row in rows):
        yield from _bars(token, rows, line, warn)
    elif is_record_of_lines(rows):
        yield record_of_lines(rows, line)
    elif (block := stat_line(text, bold_lead(token))) is not None:
        yield Heading(block.name, PSEUDO_DEPTH, line)
        yield Placed(Table("", ((), ()), block.pairs), line)
        if block.rest:
            yield Paragraph(block.rest, line)
    elif pairs := stat_run(text) or stat_rows(rows, lines_with_bold(token)):
        yield Placed(Table("", ((), ()), pairs), line)
    elif (listed := amounts(text)) is not None:
        yield Placed(Table("", ((), ()), listed.pairs), line)
        if listed.rest:
            yield Paragraph(", ".join(listed.rest), line)
    else:
        text = "\n".join(clean(row) for row in plain_text(token, " ", "\n").split("\n"))
        yield Paragraph(text, line, pairs=pairs_of(lines_with_bold(token)))


def _bars(token: Token, rows: Sequence[str], line: int, warn: list[tuple[int, str]]) -> Iterator[Block]:
    if table := normalized_pipe_table(token.content):
        return _nested(table, max(1, line - table.count("\n") + token.content.count("\n")), warn)
    warn.append((line, "looks like a table without its |---| line under the header; kept as text"))
    return iter((Paragraph("\n".join(rows), line),))


def _html(content: str, line: int, warn: list[tuple[int, str]]) -> Iterator[Block]:
    odd: list[tuple[int, str]] = []
    blocks = html_blocks(content, odd)
    warn += [(line + below, message) for below, message in odd]
    opened, closed = (content.lower().count(edge) for edge in ("<table", "</table"))
    if opened and not odd and not any(isinstance(block, Table) for block in blocks):
        warn.append((line, "an HTML table without rows; kept as text"))
    if opened > closed:
        warn.append((line, "an HTML table that is never closed; read as far as it goes"))
    for block in blocks:
        if isinstance(block, Table):
            yield Placed(block, line)
        else:
            yield Paragraph(block, line, pairs=pairs_of(block.split("\n")))


@dataclass(frozen=True)
class _CaptionBelow(Paragraph):
    """The caption of the table above it."""


def _captioned(blocks: list[Block]) -> list[Block]:
    """Give tables the captions above or below them and the footnotes after them."""
    out: list[Block] = []
    notes: list[str] = []
    beside = _beside_others(blocks)
    for place, block in enumerate(blocks):
        before = out[-1] if out else None
        if below := _caption_below(block, before):
            if isinstance(before, Placed):
                out[-1] = replace(before, table=replace(before.table, caption=below))
            continue
        if isinstance(block, Paragraph) and isinstance(before, Placed) and _NOTE.match(block.text):
            notes.append(block.text)
            continue
        _add_notes(out, notes)
        notes = []
        if isinstance(block, Placed) and not block.table.caption and isinstance(before, Paragraph):
            is_lead = _leads(before.text) or (place in beside and _BRIEF_LABEL.fullmatch(before.text))
            is_named = _is_caption(before.text) or bool(is_lead)
            caption = before.text.rstrip(":") if is_named else ""
            block = replace(block, table=replace(block.table, caption=caption))
        out.append(block)
    _add_notes(out, notes)
    return out


def _caption_below(block: Block, before: Block | None) -> str:
    """Return the caption for the preceding table in a block: *Table: Fares.*, as in Pandoc, or *: Fares.*."""
    if isinstance(block, _CaptionBelow):
        return block.text
    if not isinstance(block, Paragraph) or not isinstance(before, Placed):
        return ""
    found = _CAPTION_LINE.fullmatch(block.text)
    return found["text"].rstrip(".") if found and (found["word"] or not before.table.caption) else ""


def _beside_others(blocks: Sequence[Block]) -> set[int]:
    """Return the places of tables that share a heading with others and so need their own names."""
    under: dict[int, list[int]] = {}
    heading = -1
    for place, block in enumerate(blocks):
        heading = place if isinstance(block, Heading) else heading
        if isinstance(block, Placed):
            under.setdefault(heading, []).append(place)
    return {place for places in under.values() if len(places) > 1 for place in places}


def _add_notes(blocks: list[Block], notes: Sequence[str]) -> None:
    """Add the footnotes to the last block if it is a table."""
    if notes and isinstance(last := blocks[-1], Placed):
        blocks[-1] = replace(last, table=replace(last.table, notes=(*last.table.notes, *notes)))


def _paged(blocks: Sequence[Block], marks: PageMarks) -> Iterator[Block]:
    """Add its pages to each block."""
    for block, after in zip_longest(blocks, blocks[1:]):
        end = after.line if after else sys.maxsize
        if isinstance(block, Paragraph):
            yield replace(block, pages=marks.pages(block.line, end, words_in(block.text), WORD))
        elif isinstance(block, Placed):
            yield replace(block, pages=marks.pages(block.line, end, len(block.table.rows), ROW))
        else:
            yield block


def _leads(text: str) -> bool:
    """True for a line that names the table below it and is not a sentence: *Deprecated profiles of shares:*."""
    verbs_and_pronouns = STOP_WORDS - _IN_NAMES
    return bool(_LEAD.fullmatch(text)) and verbs_and_pronouns.isdisjoint(text.casefold().rstrip(":").split())


def _is_caption(text: str) -> bool:
    return (
        "\n" not in text
        and len(text) <= 90
        and bool(re.match(r"(?i)table\b|.*\btable\b.*:?$", text))
        and "." not in text[:-1]
    )
