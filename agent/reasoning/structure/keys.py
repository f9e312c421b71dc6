"""Look-ups backwards: the key under which a value stands, *at what level does a scout first reach 50%*.

The question says by what the rows or columns of a table are numbered. Its other words choose a line of a table, and
the number that is left is the value. If no cell has just this value, there are two more answers: the first that reaches
it, where the question asks for that, and of what is required for something, the last that requires no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from agent.reasoning.quantities import number_of
from agent.reasoning.structure.conditions import is_nothing
from agent.reasoning.structure.member import Value
from agent.reasoning.structure.readings import reading_of
from agent.understanding.program import Bound, Linked
from agent.understanding.tagged import Tagged
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells
from retrieval.tables.match import is_told, said_words
from retrieval.tables.names import is_numbered, without_part
from retrieval.tables.writing import Kind
from retrieval.text.label_ranges import Span, read_label
from retrieval.text.normal import is_number, number, phrase

MOST_TABLES = 400
"""Tables that are keyed by one word; of more the word is no key."""
_FEWEST = 2


class _Entry(NamedTuple):
    """A cell with the key that it stands under."""

    key: str
    span: Span
    value: Value


@dataclass(frozen=True, slots=True)
class _Line:
    """A row or column across the keys, with the words of its own name and those that its table is called by."""

    name: str
    said: tuple[str, ...]
    called: frozenset[str]
    entries: tuple[_Entry, ...]

    def under(self, asked: _Asked) -> tuple[_Entry, ...]:
        """The entries that have the value, or the first that reaches it."""
        told = [each for each in self.entries if not is_nothing(each.value.text, asked.question.language)]
        if asked.value is None:
            begins = told[:1] == list(self.entries[:1])
            return () if begins or not asked.first else tuple(told[:1])
        same = tuple(each for each in told if number_of(each.value.text, self.name) == asked.value)
        if same:
            return same[:1] if asked.first else same
        return self._reaching(asked)

    def _reaching(self, asked: _Asked) -> tuple[_Entry, ...]:
        """The first entry with no less than the value; of what is required, or held, the last with no more."""
        required = asked.held or not asked.question.language.required.isdisjoint(self.said)
        numbers = [number_of(each.value.text, self.name) for each in self.entries]
        known = [n for n in numbers if n is not None]
        if asked.value is None or len(known) < max(_FEWEST, len(numbers)) or not (required or asked.first):
            return ()
        falls = known[0] > known[-1]
        met = [n <= asked.value if falls else n >= asked.value for n in known]
        place = met.index(True) if True in met else 0
        return (self.entries[place - 1 if required else place],) if place else ()


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a question tells of the key it asks for: the words for the line, the value, and how that is to be met."""

    question: Tagged
    key: str
    words: tuple[str, ...]
    numbers: tuple[str, ...]
    value: float | None = None
    first: bool = False
    held: bool = False


def keyed(question: Tagged, index: Cells) -> Bound | None:
    """The keys whose cells have the value that a question tells; None where its words lead to no one line."""
    asked = _asked(question)
    if asked is None:
        return None
    found: list[tuple[int, _Line, tuple[_Entry, ...]]] = []
    for line in _lines(asked.key, index):
        own = _own_words(asked, line)
        meant = None if own is None else _with_value(asked, line)
        if own and meant and (entries := line.under(meant)):
            found.append((own, line, entries))
    most = max((own for own, *_ in found), default=0)
    best = [(line, entries) for own, line, entries in found if own == most]
    if len({tuple(entry.key for entry in entries) for _, entries in best}) != 1:
        return None
    line, entries = best[0]
    linked = Linked(question, (), asked.words)
    readings = (reading_of(entry.key.strip(" *"), entry.value, entry.value.row) for entry in entries)
    return Bound(linked, tuple(readings), line.name, "key_of")


def _asked(question: Tagged) -> _Asked | None:
    """What is asked backwards: the word behind *which* is the key; None for what is no such question."""
    tokens, language = question.tokens, question.language
    place = next((i + 1 for i, token in enumerate(tokens[:-1]) if token in language.kinds), None)
    if place is None or not tokens[place].isalpha() or question.negated or question.operation == "count":
        return None
    said = question.question.casefold().split()
    ordinal = next((n for n in question.numbers if n.value == "1" and not language.first.isdisjoint(said)), None)
    numbers = [n for n in question.numbers if n is not ordinal]
    first = ordinal is not None or not language.reaching.isdisjoint(tokens) or question.end is not None
    held = any(n.place and tokens[n.place - 1] in language.beside for n in numbers)
    words = tuple(
        word for i, word in question.words() if i != place and i != question.end and word not in language.reaching
    )
    if any(n.limit for n in numbers) or not (first or numbers):
        return None
    return _Asked(question, tokens[place], words, tuple(n.value for n in numbers), None, first, held)


def _own_words(asked: _Asked, line: _Line) -> int | None:
    """How many words of the question the line's own name tells; None where its table does not tell all others."""
    own = {word for word in asked.words if is_told(word, line.said)}
    units = {word for each in line.entries for word in phrase(each.value.text)}
    rest = [word for word in asked.words if word not in own]
    return len(own) if all(is_told(word, line.called) or is_told(word, units) for word in rest) else None


def _with_value(asked: _Asked, line: _Line) -> _Asked | None:
    """What is asked of a line, with the one number that its name does not have for the value."""
    values = [value for value in asked.numbers if value not in line.said]
    if len(values) > 1 or not (values or asked.first):
        return None
    value = number(values[0]) if values else None
    return replace(asked, value=value)


def _lines(key: str, index: Cells) -> Iterator[_Line]:
    """All lines of the tables that are keyed by a word, the parts of a table put together."""
    heads = [name for name in index.heads_with([key]) if key in said_words(name)]
    numbers = {place.grid for name in heads for place in index.heads[name] if place.kind is Kind.COLUMN}
    grids = sorted(each for each in numbers if each is not None)
    found: dict[tuple[str, str, str], tuple[frozenset[str], dict[str, _Entry]]] = {}
    for each in grids if len(grids) <= MOST_TABLES else ():
        grid = index.grid(each)
        title = grid.table.caption or without_part(grid.title)
        for name, entry in _entries(key, each, grid):
            entries = found.setdefault((grid.source, title, name), (grid.kinds, {}))[1]
            entries.setdefault(entry.key, entry)
    for (*_, name), (called, entries) in found.items():
        ordered = tuple(sorted(entries.values(), key=lambda entry: entry.span.minimum))
        if len(ordered) >= _FEWEST and _is_whole(ordered):
            yield _Line(name, said_words(name), called, ordered)


def _is_whole(entries: Sequence[_Entry]) -> bool:
    """True where no key is lacking between the first and the last, and none overlap."""
    return all(0 <= later.span.minimum - before.span.maximum <= 1 for before, later in pairwise(entries))


def _entries(key: str, number_: int, grid: Grid) -> Iterator[tuple[str, _Entry]]:
    """Each cell of a table that stands under a key, with the name of its line."""
    table, labels = grid.table, grid.column_labels
    if table.is_record or not table.columns:
        return
    down = key in said_words(labels[0])
    across = [c for c, label in enumerate(labels) if c and key in said_words(label) and _span(label)]
    for at, row in enumerate(table.rows):
        for c in range(1, min(len(row), len(labels))):
            value = Value.of(labels[c], number_, grid, at, c)
            span = _span(row[0]) if down else _span(labels[c]) if c in across else None
            if span is not None and row[c].strip():
                yield (labels[c], _Entry(row[0], span, value)) if down else (row[0], _Entry(labels[c], span, value))


def _span(label: str) -> Span | None:
    """The numbers that a key covers; None for what is a name."""
    said = phrase(label)
    has_number = bool(said) and (is_numbered(label) or any(map(is_number, said)))
    return read_label(label.strip(" *")).span if has_number else None
