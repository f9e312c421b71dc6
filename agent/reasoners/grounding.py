"""Which rows and columns of a table a question means, told by its own words: all of them have to be accounted for.

A word of the question is accounted for by a row's or a column's label, or by what the table is called; a number by a
label that holds it or a band that covers it. One word that the table does not know, and the table is not meant: the
*roaming fee* is no *monthly fee*, and *forestry income* no *income*.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.planner.attributes import ASKING, implied
from agent.planner.clauses import ARTICLES, COMMA
from retrieval.lookup_words import canonical
from retrieval.spans import read_label
from retrieval.text import is_number, number, phrase
from retrieval.types import Chunk, Table

_SAYING = frozenset(
    "am come include leave arrive stop depart run offer provide contain there here person people somebody someone "
    "use reach go start if grow plant take own owe charge charged due ready until set want buy sell sold keep each "
    "total exactly currently per respectively long difference worth my our your bring send serve travel bill "
    "handle process get receive allow permit grant".split()
)
"""Words that ask rather than name, where no label has them."""
_ENDINGS = re.compile(r"(?<=[a-z]{3})(?:ation|ated|ate|ating|ing|al|able|ed|ly|ment|e|y|ier|iest)$")
_UNITS_OF = {
    "cost": re.compile(r"[$£€¥₹]|\b(?:cents?|euros?|dollars?|pounds?)\b|^\s*\d+\.\d\d\s*$", re.IGNORECASE),
    "rate": re.compile(r"%"),
    "time": re.compile(r"^\s*\d{1,2}[:.]\d\d\b"),
    "temperature": re.compile(r"°\s*[CF]\b"),
    "move": re.compile(r"\b(?:km/h|mph|m/s|[MGk]bit/s|knots?)", re.IGNORECASE),
    "speed": re.compile(r"\b(?:km/h|mph|m/s|[MGk]bit/s|knots?)", re.IGNORECASE),
}
"""A measure that the unit of a cell or its head tells, where no word does."""
_COINS = re.compile(r"\d\s*[csegp]p\b|=\s*(?:free|\d+\.\d\d)\s*$", re.IGNORECASE)
_LISTING = frozenset({"and", "or", "than", "vs", "v", "versus", "between", "compare", COMMA, "&"})
_IN_BRACKETS = re.compile(r"\([^()]*\)")
MARKS = " *†‡"


@dataclass(frozen=True, slots=True)
class Asking:
    """A question as tokens; `needed` are the places of those that have to be accounted for."""

    tokens: tuple[str, ...]
    needed: frozenset[int]

    @classmethod
    def of(cls, tokens: Sequence[str]) -> Asking:
        """Tell the words that name something from those that only ask."""
        meant = tuple(implied(tokens, i) for i in range(len(tokens)))
        light = ASKING | _SAYING | ARTICLES | {COMMA, ""}
        return cls(meant, frozenset(i for i, t in enumerate(meant) if _is_needed(meant, i, t, light)))


def _is_needed(tokens: Sequence[str], i: int, token: str, light: Collection[str]) -> bool:
    """A letter counts only behind a word, as in *zone B*; that of *12 °C* and of *don't* does not."""
    if len(token) != 1 or is_number(token):
        return is_number(token) or token not in light
    return token.isalpha() and token not in "aist" and i > 0 and tokens[i - 1].isalpha() and tokens[i - 1] not in light


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

    def cell(self, row: int, column: int) -> str:
        """The text of a cell."""
        return self.table.rows[row][column]


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """A word without its ending, as one of its synonyms.

    >>> stem("parking") == stem("parked"), stem("germination") == stem("germinate"), stem("yearly")
    (True, True, 'year')
    """
    plain = canonical(word)
    return canonical(_ENDINGS.sub("", plain))


def grounded(asking: Asking, chunks: Sequence[Chunk]) -> Grounded | None:
    """The table that accounts for the whole question, or None; of several the one whose labels say most of it."""
    found = [
        one
        for chunk in chunks
        for table in chunk.tables
        if not table.is_record and (one := _ground(asking, chunk, table, chunks)) is not None
    ]
    best = [one for one in found if one.named == max(each.named for each in found)]
    answers = {tuple(one.cell(r, c) for r in one.rows for c in one.columns) for one in best}
    return best[0] if len(answers) == 1 else None


def _ground(asking: Asking, chunk: Chunk, table: Table, chunks: Sequence[Chunk]) -> Grounded | None:
    heads = [" ".join(path) for path in table.columns]
    labels = [row[0].strip(MARKS) for row in table.rows]
    if not _may_be_meant(asking, known_words(chunk, table), chunk, chunks):
        return None
    told = told_by_name(asking, chunk, table)
    rows = _named(asking, labels)
    columns = {c: at for c, at in _named(asking, heads).items() if c}
    taken = set().union(*rows.values(), *columns.values())
    if not rows:
        rows = _numbered(asking, labels, heads[0], taken)
        taken |= set().union(*rows.values())
    rest = asking.needed - taken
    named = [table.rows[r][c] for r in rows for c in columns]
    if named:  # what the cells' own unit tells needs no column of its own
        units = " ".join(heads[c] for c in columns)
        rest -= {i for i in rest if _told_by_unit(asking.tokens[i], named, units, chunk, chunks)}
    columns |= partly(asking, heads, rest - told, columns) or ({} if columns else partly(asking, heads, rest, {}))
    columns.pop(0, None)
    if not rows:
        rows = partly(asking, labels, rest - told, {})
    if not columns and len(heads) == 2:
        columns = {1: set()}
    if not rows or not columns or not _is_asked_for(asking, rows) or not _is_asked_for(asking, columns):
        return None
    places = set().union(*rows.values(), *columns.values())
    if _is_one_price_of_many(asking, table, columns):
        return None
    cells = [table.rows[r][c] for r in rows for c in columns]
    open_ = asking.needed - places - told
    units = " ".join(heads[c] for c in columns)
    if any(not _told_by_unit(asking.tokens[i], cells, units, chunk, chunks) for i in open_):
        return None
    chosen = tuple(sorted(rows)), tuple(sorted(columns))
    return Grounded(chunk, table, *chosen, len(places & asking.needed), frozenset(places), asking)


def is_within_reach(asking: Asking, chunks: Sequence[Chunk]) -> bool:
    """False where some word of a question stands in no table at all; then none can account for it."""
    words = (asking.tokens[i] for i in asking.needed)
    open_ = {word for word in words if not is_number(word) and canonical(word) not in _UNITS_OF}
    for known in (known_words(chunk, table) for chunk in chunks for table in chunk.tables):
        open_ = {word for word in open_ if stem(word) not in known}
        if not open_:
            return True
    return all(any(word in words for chunk in chunks for words in _told_of_prices(chunk.text)) for word in open_)


def known_words(chunk: Chunk, table: Table) -> frozenset[str]:
    """The stems of all words by which a table is called, and of all its labels."""
    names = (chunk.title, table.caption, *chunk.headings, *(" ".join(path) for path in table.columns))
    return _words_of_all(names) | _words_of_all(tuple(row[0] for row in table.rows))


def _may_be_meant(asking: Asking, known: frozenset[str], chunk: Chunk, chunks: Sequence[Chunk]) -> bool:
    """False where some word stands nowhere in a table and no unit could tell it: that is so of most tables."""
    words = (asking.tokens[i] for i in asking.needed)
    open_ = [word for word in words if not is_number(word) and stem(word) not in known]
    return all(canonical(word) in _UNITS_OF or _is_said_of_prices(word, chunk, chunks) for word in open_)


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
        for n, places in _named(asking, [row[0].strip(MARKS) for row in table.rows]).items():
            if len(places) == max(places) - min(places) + 1:
                yield table.rows[n][0].strip(MARKS), table.rows[n], min(places), max(places) + 1


def name_words(label: str) -> tuple[str, ...]:
    """The words of a label without its unit: of *Energy (kcal)* the first."""
    return tuple(token for token in phrase(_IN_BRACKETS.sub("", label)) if token not in ARTICLES)


@lru_cache(maxsize=16384)
def words_of(text: str) -> frozenset[str]:
    """The stems of all words of a label."""
    return frozenset(stem(word) for word in phrase(text))


def _named(asking: Asking, labels: Sequence[str]) -> dict[int, set[int]]:
    """The labels that the question has whole, the longest where they overlap, with their places in it."""
    beginning, tokens = _by_beginning(tuple(labels)), tuple(map(stem, asking.tokens))
    found: dict[int, set[int]] = {}
    i = 0
    while i < len(tokens):
        size = 0
        for n, stems, names in beginning.get(tokens[i], ()):
            if tokens[i : i + len(stems)] == stems:
                size = len(stems) if names else 0
                found.setdefault(n, set()).update(range(i, i + size))
                break
        i += size or 1
    return {n: places for n, places in found.items() if places}


@lru_cache(maxsize=4096)
def _by_beginning(labels: tuple[str, ...]) -> Mapping[str, Sequence[tuple[int, tuple[str, ...], bool]]]:
    """The labels by their first stem, the longest first: place, stems, and whether it names: a mere number does not."""
    found: dict[str, list[tuple[int, tuple[str, ...], bool]]] = {}
    for n, label in enumerate(labels):
        if words := name_words(label):
            names = not (len(words) == 1 and (is_number(words[0]) or len(words[0]) == 1))
            stems = tuple(map(stem, words))
            found.setdefault(stems[0], []).append((n, stems, names))
    return {first: sorted(group, key=lambda entry: -len(entry[1])) for first, group in found.items()}


def _numbered(asking: Asking, labels: Sequence[str], head: str, taken: Collection[int]) -> dict[int, set[int]]:
    """The rows that the numbers of the question select, where it says what the rows are."""
    spans = [read_label(label) for label in labels]
    if sum(label.span is not None for label in spans) < 0.5 * len(labels):
        return {}
    said = words_of(f"{head} {' '.join(' '.join(label.name) for label in spans)}")
    if not any(stem(token) in said for token in asking.tokens):
        return {}
    found: dict[int, set[int]] = {}
    for i, token in enumerate(asking.tokens):
        if i in taken or not is_number(token):
            continue
        holding = [(s.span.width, n) for n, s in enumerate(spans) if s.span is not None and number(token) in s.span]
        if holding:
            found.setdefault(min(holding)[1], set()).add(i)
    return found


def partly(
    asking: Asking, labels: Sequence[str], places: Collection[int], known: Collection[int]
) -> dict[int, set[int]]:
    """The labels that have some of these words, and no other label more of them."""
    found: dict[int, set[int]] = {}
    for n, label in enumerate(labels):
        words = words_of(label)
        at = {i for i in places if stem(asking.tokens[i]) in words and not is_number(asking.tokens[i])}
        if at and n not in known:
            found[n] = at
    most = {n: at for n, at in found.items() if not any(at < other for other in found.values())}
    return _shortest(most, labels)


def _shortest(found: dict[int, set[int]], labels: Sequence[str]) -> dict[int, set[int]]:
    """Of labels that have the same words the one that says the least besides; all of them where that is none."""
    kept: dict[int, set[int]] = {}
    for n, at in found.items():
        rivals = [m for m, other in found.items() if other == at]
        least = min(len(phrase(labels[m])) for m in rivals)
        if len(phrase(labels[n])) == least:
            kept[n] = at
    return kept


def _is_asked_for(asking: Asking, chosen: dict[int, set[int]]) -> bool:
    """One label, or a list of which each has a word of its own."""
    if len(chosen) == 1:
        return True
    own = all(at - set().union(*(other for m, other in chosen.items() if m != n)) for n, at in chosen.items())
    return own and bool(_LISTING & set(asking.tokens[:-1]))


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


def _told_by_unit(word: str, cells: Sequence[str], heads: str, chunk: Chunk, chunks: Sequence[Chunk]) -> bool:
    """*Cost*, where the cells are in euros, or the section says that its numbers are prices."""
    measure = canonical(word)
    pattern = _UNITS_OF.get(measure)
    if pattern is None:
        return _is_said_of_prices(word, chunk, chunks)
    if pattern.search(heads) or all(pattern.search(cell) for cell in cells):
        return True
    plain = not _IN_BRACKETS.search(heads) and not any(re.search(r"[a-z]", cell, re.IGNORECASE) for cell in cells)
    return measure == "cost" and plain and any(_told_of_prices(other.text) for other in _beside(chunk, chunks))


def is_told_by_measure(word: str, text: str) -> bool:
    """*Cost*, where a text has a sum of money; *temperature*, where it has degrees."""
    measure = canonical(word)
    pattern = _UNITS_OF.get(measure)
    coins = measure == "cost" and _COINS.search(text) is not None
    return coins or (pattern is not None and pattern.search(text) is not None)


def _is_said_of_prices(word: str, chunk: Chunk, chunks: Sequence[Chunk]) -> bool:
    return any(word in words for other in _beside(chunk, chunks) for words in _told_of_prices(other.text))


def _beside(chunk: Chunk, chunks: Sequence[Chunk]) -> Iterator[Chunk]:
    """The chunks of the same section."""
    return (other for other in chunks if other.headings == chunk.headings and other.source == chunk.source)


@lru_cache(maxsize=2048)
def _told_of_prices(text: str) -> tuple[frozenset[str], ...]:
    """The words of each sentence that says what the numbers of a section cost."""
    return tuple(frozenset(phrase(s)) for s in re.split(r"(?<=[.!?])\s+|\n", text) if _tells_prices(s))


def _tells_prices(sentence: str) -> bool:
    """*Prices are in cents per minute*."""
    words = [canonical(word) for word in phrase(sentence)]
    return "cost" in words[:2] and bool({"are", "in"} & set(words[1:4]))
