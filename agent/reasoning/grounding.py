"""Which rows and columns of a table a question means, told by its own words: all of them have to be accounted for.

A word of the question is accounted for by a row's or a column's label, or by what the table is called; a number by a
label that holds it or a band that covers it. One word that the table does not know, and the table is not meant: the
*roaming fee* is no *monthly fee*, and *forestry income* no *income*.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.reasoning.labels import (
    MARKS,
    Asking,
    banded,
    dealt,
    is_asked_for,
    kind_of,
    named,
    numbered,
    partly,
    stem,
    within,
    words_of,
)
from retrieval.tables.axes import is_generic
from retrieval.tables.measures import canonical
from retrieval.text.normal import is_number, phrase
from retrieval.types import Chunk, Table

_UNITS_OF = {
    "cost": re.compile(r"[$£€¥₹]|\b(?:cents?|euros?|dollars?|pounds?)\b|^\s*\d+\.\d\d\s*$", re.IGNORECASE),
    "rate": re.compile(r"%"),
    "chance": re.compile(r"%"),
    "time": re.compile(r"^\s*\d{1,2}[:.]\d\d\b"),
    "temperature": re.compile(r"°\s*[CF]\b"),
    "move": re.compile(r"\b(?:km/h|mph|m/s|[MGk]bit/s|knots?)", re.IGNORECASE),
}
"""A measure that the unit of a cell or its head tells, where no word does."""
_COINS = re.compile(r"\d\s*[csegp]p\b|=\s*(?:free|\d+\.\d\d)\s*$", re.IGNORECASE)
_OPENING = re.compile(
    r"[^\n]*\n(?!(?:for|in|at|on|if|when|where|while|from|with|a|an)\b)([^\n.!?:]+)[.:]?", re.IGNORECASE
)
_Captions = Mapping[tuple[str | None, tuple[str, ...]], frozenset[str]]
_NO_CAPTION = frozenset("is are was were be has have can may must will shall should do does not cannot no".split())
_GIVEN = re.compile(r"\b(?:is|are) (?:given|shown|stated|measured) ((?:in|per|for|by) [^\n.,;:]+)", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\([^()]*\)")


@dataclass(frozen=True, slots=True)
class Grounded:
    """Rows and columns of a table that a question means, and how many of its words their labels account for."""

    chunk: Chunk
    table: Table
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    named: int

    places: frozenset[int]
    asking: Asking

    def holds(self, words: Sequence[str]) -> bool:
        """True when these words of the question are accounted for by labels, and not by the table's name alone."""
        tokens, size = self.asking.tokens, len(words)
        starts = (i for i in range(len(tokens) - size + 1) if tokens[i : i + size] == tuple(words))
        return any(self.places >= {i for i in range(start, start + size) if self._counts(i)} for start in starts)

    def _counts(self, i: int) -> bool:
        return is_number(self.asking.tokens[i]) or len(self.asking.tokens[i]) == 1

    @property
    def is_whole(self) -> bool:
        """True where the question says what every row is or is a kind of: of shields no *Thought shield*."""
        said = set(map(stem, self.asking.tokens))
        return all(words_of(kind_of(self.table.rows[r][0])) <= said for r in self.rows)

    def cell(self, row: int, column: int) -> str:
        """The text of a cell."""
        return self.table.rows[row][column]


def grounded(asking: Asking, chunks: Sequence[Chunk]) -> Grounded | None:
    """The table that accounts for the whole question, or None; of several the one whose labels say most of it."""
    return single(candidates(asking, chunks))


def single(found: Sequence[Grounded]) -> Grounded | None:
    """The first where all answer alike; None where they differ."""
    answers = {tuple(one.cell(r, c) for r in one.rows for c in one.columns) for one in found}
    return found[0] if len(answers) == 1 else None


def candidates(asking: Asking, chunks: Sequence[Chunk]) -> list[Grounded]:
    """The tables that account for the whole question, and whose labels say most of it."""
    captions, prices = _captions(chunks), _prices(chunks)
    tables = ((chunk, table) for chunk in chunks for table in chunk.tables if not table.is_record)
    maybe = (
        _ground(asking, chunk, table, _opening(chunk, table, captions), prices.get(_section(chunk), frozenset()))
        for chunk, table in tables
    )
    found = [one for one in maybe if one is not None]
    most = [one for one in found if one.named == max(each.named for each in found)]
    return [one for one in most if one.is_whole] or most


def _ground(
    asking: Asking, chunk: Chunk, table: Table, opening: frozenset[str], priced: frozenset[str]
) -> Grounded | None:
    """What of a table is meant, where its labels, its names and its units account for every word."""
    if not _may_be_meant(asking, known_words(chunk, table) | opening, priced):
        return None
    told = told_by_name(asking, chunk, table)
    told |= {i for i in asking.needed if stem(asking.tokens[i]) in opening and not is_number(asking.tokens[i])}
    rows, columns = _chosen(asking, table, told, priced)
    heads, names = [" ".join(path) for path in table.columns], [row[0].strip(MARKS) for row in table.rows]
    if not rows or not columns or not is_asked_for(asking, rows, names) or not is_asked_for(asking, columns, heads):
        return None
    labels = [*(names[r] for r in rows), *(heads[c] for c in columns)]
    places = set().union(*rows.values(), *columns.values()) | within(asking, labels)
    open_ = _told_by_no_unit(asking, asking.needed - places - told, table, rows, columns, priced)
    if open_ or _is_one_price_of_many(asking, table, columns):
        return None
    chosen = tuple(sorted(rows)), tuple(sorted(columns))
    return Grounded(chunk, table, *chosen, len(places & asking.needed), frozenset(places), asking)


def _chosen(
    asking: Asking, table: Table, told: Collection[int], priced: frozenset[str]
) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
    """The rows and columns that the question has whole, or where it has none those of which it has a part."""
    heads = [" ".join(path) for path in table.columns]
    labels = [row[0].strip(MARKS) for row in table.rows]
    rows, columns = _whole(asking, table, heads, labels)
    rest = asking.needed - set().union(*rows.values(), *columns.values())
    if rows and columns:  # what the cells' own unit tells needs no column of its own
        rest = _told_by_no_unit(asking, rest, table, rows, columns, priced)
    columns |= partly(asking, heads, rest - set(told), columns, rest & set(told)) or (
        {} if columns else partly(asking, heads, rest, {})
    )
    columns.pop(0, None)
    if not columns and len(heads) == 2:
        columns = {1: set()}
    rows = rows or partly(asking, labels, rest - set(told), {})
    return rows or _of_kinds(asking, labels, partly(asking, labels, rest & set(told), {})), columns


def _of_kinds(asking: Asking, labels: Sequence[str], rows: Mapping[int, set[int]]) -> dict[int, set[int]]:
    """The rows that are of a kind which the table is called by as well: in *Shields and Helmets* each *Shield, …*."""
    return {n: at for n, at in rows.items() if words_of(kind_of(labels[n])) <= {stem(asking.tokens[i]) for i in at}}


def _told_by_no_unit(
    asking: Asking,
    places: Collection[int],
    table: Table,
    rows: Collection[int],
    columns: Collection[int],
    priced: frozenset[str],
) -> frozenset[int]:
    """The words of the question at these places that no unit of the chosen cells tells."""
    cells = [table.rows[r][c] for r in rows for c in columns]
    heads = " ".join((table.caption, *(" ".join(table.columns[c]) for c in columns)))
    return frozenset(i for i in places if not _told_by_unit(asking.tokens[i], cells, heads, priced))


def _whole(
    asking: Asking, table: Table, heads: Sequence[str], labels: Sequence[str]
) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
    """The rows and the columns that the question has whole, or by a number that theirs cover."""
    columns = {c: at for c, at in named(asking, heads).items() if c}
    rows = named(asking, labels)
    if any(labels.count(labels[r]) > 1 for r in rows):
        columns.pop(1, None)
        rows = _by_second_key(asking, table, rows)
    taken = set().union(*rows.values(), *columns.values())
    down, across = dealt(asking, table.columns, labels)
    axis = table.caption if is_generic(heads[0]) else ""
    rows = rows or numbered(asking, labels, heads[0], taken | across, axis)
    taken |= set().union(*rows.values())
    return rows, columns or banded(asking, table.columns, taken | down)


def _by_second_key(asking: Asking, table: Table, rows: Mapping[int, set[int]]) -> dict[int, set[int]]:
    """Of several rows of one name the one whose next cell is meant as well: *Warriors*, *3-4*; none where none is."""
    head, found = " ".join(table.columns[1]), dict[int, set[int]]()
    said = {i for i in asking.needed if stem(asking.tokens[i]) in words_of(head)}
    for first, places in rows.items():
        same = [n for n, row in enumerate(table.rows) if row[0] == table.rows[first][0]]
        seconds = [table.rows[n][1] for n in same]
        among = named(asking, seconds) or numbered(asking, seconds, head, places)
        if len(among) != 1:
            return {}
        ((n, at),) = among.items()
        found[same[n]] = places | at | said
    return found


def _captions(chunks: Iterable[Chunk]) -> _Captions:
    """The stems of the words by which sections open, where that is a caption: *Monthly fee by yearly income.*"""
    sections = (chunk for chunk in chunks if chunk.chunk_type == "section")
    return {(c.source, c.headings): words for c in sections if (words := _caption(c.text))}


@lru_cache(maxsize=8192)
def _caption(text: str) -> frozenset[str]:
    match = _OPENING.match(text)
    return words_of(match[1]) if match and not _NO_CAPTION & set(phrase(match[1])) else frozenset()


def _opening(chunk: Chunk, table: Table, captions: _Captions) -> frozenset[str]:
    """The caption above a table that says what its rows or columns are keyed by; a note below it says no *by*."""
    words = captions.get((chunk.source, chunk.headings), frozenset())
    keyed = table.columns if "by" in words else table.columns[:1]
    return words if words & _words_of_all(tuple(map(" ".join, keyed))) else frozenset()


def called(chunk: Chunk, table: Table, chunks: Sequence[Chunk]) -> frozenset[str]:
    """The stems of the words by which a table is called: in its title, its head, or the caption above it."""
    names = (chunk.title, table.caption, *chunk.headings, *(" ".join(path) for path in table.columns[:1]))
    beside = [other for other in chunks if _section(other) == _section(chunk)]
    priced = _prices(beside).get(_section(chunk), frozenset())
    return _words_of_all(names) | _opening(chunk, table, _captions(beside)) | set(map(stem, priced))


def is_within_reach(asking: Asking, chunks: Sequence[Chunk]) -> bool:
    """False where some word of a question stands in no table at all; then none can account for it."""
    words = (asking.tokens[i] for i in asking.needed)
    wanted = {word for word in words if not is_number(word) and canonical(word) not in _UNITS_OF}
    captions, open_ = _captions(chunks), set(map(stem, wanted))
    for chunk in chunks:
        for table in chunk.tables:
            for known in (*_known(chunk, table), _opening(chunk, table, captions)):
                open_ = open_ - known
        if not open_:
            return True
    priced = frozenset().union(*_prices(chunks).values())
    return all(canonical(word) in priced for word in wanted if stem(word) in open_)


def known_words(chunk: Chunk, table: Table) -> frozenset[str]:
    """The stems of all words by which a table is called, and of all its labels."""
    return frozenset().union(*_known(chunk, table))


def _known(chunk: Chunk, table: Table) -> tuple[frozenset[str], frozenset[str]]:
    """What a table is called and its columns; and its rows."""
    names = (chunk.title, table.caption, *chunk.headings, *(" ".join(path) for path in table.columns))
    return _words_of_all(names), _words_of_all(tuple(row[0] for row in table.rows))


def _may_be_meant(asking: Asking, known: frozenset[str], priced: frozenset[str]) -> bool:
    """False where some word stands nowhere in a table and no unit could tell it: that is so of most tables."""
    words = (asking.tokens[i] for i in asking.needed)
    open_ = [word for word in words if not is_number(word) and stem(word) not in known]
    return all(canonical(word) in _UNITS_OF or canonical(word) in priced for word in open_)


@lru_cache(maxsize=4096)
def _words_of_all(labels: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*map(words_of, labels))


def told_by_name(asking: Asking, chunk: Chunk, table: Table) -> set[int]:
    """The words of a question that stand in what a table is called, or in the head of its rows."""
    called = words_of(f"{chunk.title} {table.caption} {' '.join(chunk.headings)} {' '.join(table.columns[0])}")
    return {i for i in asking.needed if stem(asking.tokens[i]) in called and not is_number(asking.tokens[i])}


def named_rows(asking: Asking, table: Table) -> Iterator[tuple[str, tuple[str, ...], int, int]]:
    """The rows that are named, with their names, and from where to where in the question."""
    if not table.is_record:
        for n, places in named(asking, [row[0].strip(MARKS) for row in table.rows]).items():
            if len(places) == max(places) - min(places) + 1:
                yield table.rows[n][0].strip(MARKS), table.rows[n], min(places), max(places) + 1


def _is_one_price_of_many(asking: Asking, table: Table, columns: Collection[int]) -> bool:
    """True where only *cost* leads to a *signature fee*, and other columns are prices as well."""
    if len(columns) != 1:
        return False
    (column,) = columns
    tokens = {stem(token) for token in asking.tokens}
    unsaid = words_of(" ".join(table.columns[column])) - tokens
    said = words_of(" ".join(table.columns[column])) & tokens
    if said != {"cost"} or not unsaid:
        return False
    price = _UNITS_OF["cost"]
    others = (c for c in range(1, len(table.columns)) if c != column)
    return any(all(price.search(row[c]) for row in table.rows) for c in others)


def _told_by_unit(word: str, cells: Sequence[str], heads: str, priced: frozenset[str]) -> bool:
    """*Cost*, where the cells are in euros, or the section says that its numbers are prices, in these words."""
    measure = canonical(word)
    pattern = _UNITS_OF.get(measure)
    if pattern is None:
        return measure in priced
    if pattern.search(heads) or all(pattern.search(cell) for cell in cells):
        return True
    plain = not _IN_BRACKETS.search(heads) and not any(re.search(r"[a-z]", cell, re.IGNORECASE) for cell in cells)
    return measure == "cost" and plain and "cost" in priced


def is_told_by_measure(word: str, text: str) -> bool:
    """*Cost*, where a text has a sum of money; *temperature*, where it has degrees."""
    measure = canonical(word)
    pattern = _UNITS_OF.get(measure)
    coins = measure == "cost" and _COINS.search(text) is not None
    return coins or (pattern is not None and pattern.search(text) is not None)


def _section(chunk: Chunk) -> tuple[str, tuple[str, ...]]:
    return chunk.source, chunk.headings


def _prices(chunks: Sequence[Chunk]) -> Mapping[tuple[str, tuple[str, ...]], frozenset[str]]:
    """The words of the sentences by which sections say what their numbers cost, or what they are given for."""
    found: dict[tuple[str, tuple[str, ...]], frozenset[str]] = {}
    for chunk in chunks:
        if said := _told_of_prices(chunk.text):
            found[_section(chunk)] = found.get(_section(chunk), frozenset()) | said
    return found


@lru_cache(maxsize=8192)
def _told_of_prices(text: str) -> frozenset[str]:
    priced = (phrase(s) for s in re.split(r"(?<=[.!?])\s+|\n", text) if _tells_prices(s))
    given = (phrase(match[1]) for match in _GIVEN.finditer(text))
    return frozenset(canonical(word) for words in (*priced, *given) for word in words)


def _tells_prices(sentence: str) -> bool:
    """*Prices are in cents per minute*."""
    words = [canonical(word) for word in phrase(sentence)]
    return "cost" in words[:2] and bool({"are", "in"} & set(words[1:4]))
