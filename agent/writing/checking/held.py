"""Which numbers of a sentence a chunk supports: in prose, in tables, or in lists that read like tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from agent.understanding.words.measures import measures as known_measures
from agent.understanding.words.measures import selecting_terms
from agent.writing.against.rivals import outranked_places
from agent.writing.cells.table_claims import claims_of
from agent.writing.texts.claims import ParsedSentence
from agent.writing.texts.columns import tables_of
from agent.writing.texts.facts import is_content_word, label_of, text_of
from agent.writing.texts.numbers import Number, every_reading, numbers_of_plain
from agent.writing.texts.offered import SourceNumbers, with_title_measures
from agent.writing.texts.plain import plain
from agent.writing.texts.sources_named import PART_OF
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import STOP_WORDS, is_number, normal, number
from retrieval.types import Chunk, Table

_LISTED = re.compile(r"[-*•] ([A-Za-z][A-Za-z' -]{0,40}?)(:?) ([+-]?\d.{0,80})$")
"""A list item that is a name and a number: *- Assassin 15*."""


@lru_cache(maxsize=1024)
def places_supported_by_chunk(chunk: Chunk, sentence: ParsedSentence, question: ParsedSentence) -> frozenset[int]:
    """Return the places of a sentence's numbers that a chunk supports: in its prose, or in cells that are named."""
    if _is_of_another_key(chunk, sentence):
        return frozenset()
    tables = tuple(tables_of(chunk))
    prose = _prose(chunk.title, chunk.headings, text_of(chunk), tables)
    listed = _list_as_table(chunk.title, chunk.text)
    by_range = _range_lines_as_table(chunk.text)
    tables += tuple(each for each in (listed, by_range) if each is not None)
    held = frozenset(each[0].place for each in sentence.numbers if prose.hold(each, sentence.words))
    claims = [claims_of(table) for table in tables]
    of_others = outranked_places(chunk, sentence, question).difference(*(each.keys_of(sentence) for each in claims))
    return held.union(*(each.supported_places(sentence, question) for each in claims)) - of_others


def _is_of_another_key(chunk: Chunk, sentence: ParsedSentence) -> bool:
    """True for a row of a table that is for other numbers than the sentence's: *Level: 13-16* is not for level 3."""
    readings_told = list(chain.from_iterable(sentence.numbers))
    for label, value in chain.from_iterable(map(_keys_of, chunk.tables)):
        span = read_label(value).span
        told = [each for each in readings_told if each.measure == label and is_number(each.value)]
        if span is not None and told and not any(number(each.value) in span for each in told):
            return True
    return False


def _keys_of(table: Table) -> Iterator[tuple[str, str]]:
    """Yield the selecting labels of a record, or of the only row of a table, with their values."""
    pairs: Iterable[Sequence[str]] = table.rows if table.is_record else ()
    if len(table.rows) == 1 and not table.is_record:
        pairs = zip(map(" ".join, table.columns), table.rows[0], strict=True)
    named = (("".join(normal(label)), value) for label, value, *_ in pairs)
    yield from (pair for pair in named if pair[0] in selecting_terms())


@lru_cache(maxsize=1024)
def _list_as_table(title: str, text: str) -> Table | None:
    """Return the list items that are a name and a number as a table of two columns; None for fewer than two items."""
    rows = tuple(filter(None, map(_list_row, text.split("\n"))))
    return Table("", (("",), tuple(_measures_of(title)[:1])), rows) if len(rows) > 1 else None


@lru_cache(maxsize=1024)
def _range_lines_as_table(text: str) -> Table | None:
    """Return the lines that begin with a range as a table: *5 to 9 barges: 1 pilot*, *over 9 barges: 2*."""
    rows = tuple(filter(None, map(_range_row, text.split("\n"))))
    return Table("", (("",), ("",)), rows) if len(rows) > 1 else None


def _range_row(line: str) -> tuple[str, str] | None:
    """Return the range with a name that a line begins with, and the text behind its colon; None if there is none."""
    label, colon, told = line.lstrip("-*• ").partition(": ")
    span = read_label(label).span if colon and any(map(str.isdecimal, label)) else None
    return (label, told) if span is not None and span.minimum < span.maximum and read_label(label).name else None


def _list_row(line: str) -> tuple[str, str] | None:
    """Return the name and the number of a list item; None for a line that is a sentence."""
    match = _LISTED.match(line)
    if match is None or _range_row(line) is not None or not (match[2] or STOP_WORDS.isdisjoint(normal(match[1]))):
        return None
    return match[1], match[3]


def _measures_of(title: str) -> list[str]:
    """Return the measures that a title names; they apply to the numbers below it."""
    return [token for token in normal(PART_OF.sub("", title)) if token in known_measures()]


@lru_cache(maxsize=1024)
def _prose(title: str, headings: tuple[str, ...], text: str, tables: tuple[Table, ...]) -> SourceNumbers:
    """Return the numbers of a text outside the rows and captions of its tables. The title tells what they measure."""
    heads = tuple(f"{' '.join(head)}: " for table in tables for head in table.columns)
    marks = [mark for table in tables for mark in (" | ", table.caption) if mark]
    lines = [
        line for line in text.split("\n") if not line.startswith(heads) and not any(each in line for each in marks)
    ]
    if _list_as_table(title, text) is not None:
        lines = [line for line in lines if _list_row(line) is None]
    if _range_lines_as_table(text) is not None:
        lines = [line for line in lines if _range_row(line) is None]
    about = frozenset(normal(" ".join((title, *headings))))
    measured = [each for table in tables for each in numbers_of_plain(plain(table.caption)) if each.unit or each.is_end]
    worded = [each for table in tables for head in table.columns for each in _numbers_of_head(" ".join(head))]
    numbers = [*with_title_measures(_numbers_near_labels(lines), _measures_of(title)), *measured, *worded]
    return SourceNumbers(numbers, prose=True, title=about)


def _numbers_of_head(head: str) -> Iterator[Number]:
    """Yield the numbers in the middle of a header, which select nothing: the 96 of *Needs 96 kHz licence*."""
    numbers, last = numbers_of_plain(plain(head)), len(normal(plain(head))) - 1
    yield from (each for each in numbers if 0 < each.place < last)


def _numbers_near_labels(lines: Iterable[str]) -> Iterator[Number]:
    """Yield the numbers of lines. The words of a line's label also count as near each of its numbers."""
    for line in lines:
        label = frozenset(filter(is_content_word, normal(plain(label_of(line)))))
        for reading in every_reading(plain(line)):
            yield replace(reading, near=reading.near | label) if label else reading
