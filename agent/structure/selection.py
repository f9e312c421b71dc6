"""What is asked of a whole kind: the best of it, those of it under a condition, or how many they are.

A kind is what the collection says it is: a caption, a heading, the head of the first column, a folder, the name above a
group of rows, a word of many names. Its members are rows and records of one shape; each word of the question has to be
told by a member, each number to limit one of its values. Only who reads all members may say which is the best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.reasoners.quantities import number_of, quantities_of
from agent.structure.direction import end_of
from agent.structure.operations import Operation
from agent.structure.program import Bound, Linked, Reading, Subject
from agent.structure.tagged import Number, Tagged
from retrieval.tables.bind import Binding
from retrieval.tables.cells import Cell, Grid
from retrieval.tables.index import Cells, Kind, Place
from retrieval.tables.match import Fit, is_told, said_words, same_word
from retrieval.tables.names import words_in
from retrieval.text import STOP_WORDS, number, phrase

FEWEST = 2
"""Members of a kind; of one there is no best."""
MOST_MEASURES = 8
"""Heads that are tried as what is asked."""
MOST_TABLES = 4000
_MOSTLY = 0.6
"""The share of a head that a question has to hold."""
_BRIEF = 8
"""Words of a cell that may be a condition; more are prose."""
_RECORD = ("",)
Label = tuple[str, ...]
"""A head or label by its words."""


@dataclass(frozen=True)
class Member:
    """A row of a table, or a record: `at` is the row, None for a record."""

    grid: Grid
    number: int
    at: int | None

    @property
    def name(self) -> str:
        """Who it is."""
        if self.at is not None:
            return self.grid.row_names(self.at)[-1].strip(" *")
        headings = self.grid.headings
        return self.grid.title if self.grid.title in headings[-1:] or not headings else headings[-1]

    @cached_property
    def values(self) -> list[tuple[str, Cell]]:
        """Its labels with their cells."""
        table = self.grid.table
        if table.is_record:
            return [(row[0], self.grid.cell(at, 1)) for at, row in enumerate(table.rows) if row[1:2] and row[1].strip()]
        at = self.at or 0
        first = 0 if self.at is None else 1
        heads = list(map(" ".join, table.columns))
        return [(heads[c], self.grid.cell(at, c)) for c in range(first, len(heads)) if table.rows[at][c].strip()]

    @cached_property
    def own_words(self) -> frozenset[str]:
        """The words that it alone of its table has: those of its name, and of the group that it stands in."""
        group = self.grid.groups[self.at] if self.at is not None else ""
        return words_in(self.name) | frozenset(phrase(group))

    def is_called(self, word: str) -> bool:
        """True for a word that its name, its table's names or the group that it stands in have."""
        if is_told(word, self.own_words):
            return True
        grouped = {said for group in self.grid.groups for said in phrase(group)}
        return not is_told(word, grouped) and is_told(word, self.grid.kinds)

    def columns_with(self, word: str) -> list[Label]:
        """The labels of its cells that hold a word."""
        return [phrase(label) for label, cell in self.values if _holds(cell.text, word)]


def _holds(text: str, word: str) -> bool:
    said = said_words(text)
    return len(said) <= _BRIEF and any(word == other or (len(word) > 3 and same_word(word, other)) for other in said)


def selected(question: Tagged, index: Cells) -> Bound | None:
    """The members of a kind that are asked for; None where a word of the question is told by none of them."""
    if question.negated or (question.best and question.end is None):
        return None
    if not (question.best or question.operation == "count" or question.numbers or _asks_which(question)):
        return None
    found = [bound for members in _kinds(question, index) if (bound := _Selecting(question, members).bound())]
    top = [bound for bound in found if bound.linked.words == found[0].linked.words] if found else []
    return top[0] if len({_names(bound) for bound in top}) == 1 else None


def _names(bound: Bound) -> tuple[str, ...]:
    return tuple(sorted(reading.subject.text for reading in bound.readings))


def _asks_which(question: Tagged) -> bool:
    return bool({"which", "what", "list", "who"} & set(question.tokens))


def _kinds(question: Tagged, index: Cells) -> Iterator[list[Member]]:
    """The members of each shape that may be asked for: under the heads, or of the kinds, that the question names."""
    words = [word for _, word in question.words()]
    implied = [said for i, _ in question.words() for said in question.implied(i)]
    named = list(_measures([*words, *implied], index))
    under = {place.grid for name in named for place in index.heads[name] if place.grid is not None}
    called = [index.of_kind(word) for word in said_of_kinds(question)]
    if not (question.best or question.numbers):
        under |= {each for numbers in called for each in numbers if len(numbers) <= MOST_TABLES}
        under |= {place.grid for word in words for place in _called(word, index) if place.grid is not None}
    shapes: dict[tuple[object, ...], list[Member]] = {}
    for each in sorted(under)[:MOST_TABLES]:
        grid = index.grid(each)
        for member in members_of(grid, each):
            shapes.setdefault(_shape(grid), []).append(member)
    yield from sorted(shapes.values(), key=len, reverse=True)


def said_of_kinds(question: Tagged) -> list[str]:
    """The words of a question that may name a kind, those among them that usually ask included."""
    return [w for w in question.tokens if w not in STOP_WORDS and w not in question.language.adjectives and w.isalpha()]


def _called(word: str, index: Cells) -> list[Place]:
    keys = index.holders([word])
    return index.places(keys, (Kind.ROW, Kind.TITLE, Kind.SUBJECT)) if keys else []


def _measures(words: Sequence[str], index: Cells) -> list[str]:
    """The heads and labels of which a question has the most, those first that have most words of it."""
    found = []
    for name in index.heads:
        said = said_words(name)
        told = [other for other in said if any(same_word(word, other) for word in words)]
        if told and len(told) >= _MOSTLY * len(_without_unit(name) or said):
            found.append((len(told), len(told) / len(said), name))
    return [name for _, _, name in sorted(found, reverse=True)[:MOST_MEASURES]]


def _without_unit(name: str) -> tuple[str, ...]:
    return said_words(name.partition("(")[0])


def _shape(grid: Grid) -> tuple[object, ...]:
    if grid.table.is_record or grid.is_single:
        return _RECORD
    return tuple(phrase(" ".join(path)) for path in grid.table.columns)


def members_of(grid: Grid, number: int) -> Iterator[Member]:
    """The rows of a table that name something, or the one record that it is."""
    if grid.table.is_record or grid.is_single:
        yield Member(grid, number, None)
        return
    for at, row in enumerate(grid.table.rows):
        if row and row[0].strip() and any(row[1:]):
            yield Member(grid, number, at)


@dataclass(frozen=True)
class _Selecting:
    question: Tagged
    members: list[Member]

    def bound(self) -> Bound | None:
        """The members that every word and number of the question lets pass, with what is told of each."""
        limits = [(number, self._limited(number)) for number in self.question.numbers]
        labels = [label for _, label in limits if label is not None]
        measure = self._measure(labels) if self.question.best else None
        if len(self.members) < FEWEST or len(labels) < len(limits) or (self.question.best and measure is None):
            return None
        told = {word for label in (*labels, measure or ()) for word in self._words_of(label)}
        told |= {word for n, label in limits if label for word in self._unit_words(n, label)}
        passed, heeded = self._passed([word for _, word in self.question.words() if word not in told])
        passed = [m for m in passed if all(_is_within(m, label, n) for n, label in limits if label)]
        if not (heeded or limits or measure):
            return None
        return self._told(passed, measure or next(iter(labels), None), told | heeded)

    def _words_of(self, label: Label) -> set[str]:
        """The words of the question that a label tells, adjectives by the measures that they name."""
        return {
            word
            for i, word in self.question.words()
            if is_told(word, label) or any(is_told(said, label) for said in self.question.implied(i))
        }

    def _unit_words(self, n: Number, label: Label) -> set[str]:
        """The word behind a number that stands behind those of its cells: its unit."""
        behind = self.question.tokens[n.place + 1 : n.place + 3]
        said = {word for text in self._texts(label) for word in phrase(text)}
        return {word for word in behind if is_told(word, said)}

    def _texts(self, label: Label) -> list[str]:
        return [cell.text for member in self.members for said, cell in member.values if phrase(said) == label]

    def _labels(self) -> Counter[Label]:
        return Counter(phrase(label) for member in self.members for label, _ in member.values)

    def _limited(self, n: Number) -> Label | None:
        """The label whose values a number limits: the one that the question names nearest to it, else by its unit."""
        named = []
        for label in self._labels():
            places = [i for i, word in self.question.words() if is_told(word, label)]
            if places and self._is_measured(label):
                near = min(abs(i - n.place) for i in places)
                named.append((near, -len(places), label))
        if named:
            return min(named)[2]
        measured = filter(self._is_measured, self._labels())
        return next((label for label in measured if self._unit_words(n, label)), None)

    def _is_measured(self, label: Label) -> bool:
        texts = self._texts(label)
        numbered = [text for text in texts if number_of(text) is not None]
        return len(numbered) >= max(1, len(texts) // 2)

    def _measure(self, taken: Collection[Label]) -> Label | None:
        """The label of which the best is asked for: that of which the question has the most."""
        if not self.question.best:
            return None
        fits = []
        for label in self._labels():
            told = self._words_of(label)
            if told and label not in taken and self._is_measured(label):
                share = len([w for w in label if any(same_word(w, x) for x in told)]) / max(1, len(label))
                fits.append((len(told), share, label))
        best = sorted(fits, reverse=True)
        if len(best) > 1 and best[0][:2] == best[1][:2]:
            return None
        return best[0][2] if best else None

    def _passed(self, words: Sequence[str]) -> tuple[list[Member], set[str]]:
        """The members that have all of the words, and the words; none where a word is nobody's.

        What is asked for (*which boards*) may have a name of its own that no member is called by.
        """
        passed, heeded = self.members, set[str]()
        for word in dict.fromkeys(words):
            some = self._with_word(passed, word)
            if not some and word != self._sort:
                return [], set()
            passed = some or passed
            heeded |= {word} if some else set()
        return passed, heeded

    @cached_property
    def _sort(self) -> str:
        """The word for what is asked for: that behind *which*, *what* or *how many*."""
        tokens = self.question.tokens
        asked = (i for i, token in enumerate(tokens) if token in ("which", "what", "many"))
        start = next(asked, len(tokens))
        return next((word for place, word in self.question.words() if place == start + 1), "")

    @staticmethod
    def _with_word(members: Sequence[Member], word: str) -> list[Member]:
        """Those that a word is said of: by what they are called, else by a cell of the one column that has it most."""
        called = [member for member in members if member.is_called(word)]
        holding = Counter(label for member in members for label in member.columns_with(word))
        if called or not holding:
            return called
        column = holding.most_common(1)[0][0]
        return [member for member in members if column in member.columns_with(word)]

    def _told(self, passed: Sequence[Member], label: Label | None, told: Collection[str]) -> Bound | None:
        """The readings of the members that passed: of the label, else of what stands first of each."""
        readings = tuple(reading for member in passed if (reading := _reading(member, label)) is not None)
        operation: Operation = "best" if self.question.best else "list"
        if self.question.operation == "count":
            operation = "count"
        if not readings or (operation == "best" and not _can_rank(readings)):
            return None
        name = readings[0].found[0].label
        end = end_of(self.question, name) if operation == "best" else None
        if operation == "best" and end not in ("low", "high"):
            return None
        return Bound(Linked(self.question, (), tuple(sorted(told))), readings, name, True, operation, end)


def _can_rank(readings: Sequence[Reading]) -> bool:
    texts = [reading.found[0].cell.text for reading in readings]
    return len(readings) >= FEWEST and quantities_of(texts, readings[0].found[0].label) is not None


def _is_within(member: Member, label: Label, n: Number) -> bool:
    """True for a member whose value of a label is within the limit of a number, or is that number."""
    for said, cell in member.values:
        if phrase(said) == label and (value := number_of(cell.text, said)) is not None:
            return value in n.limit if n.limit is not None else value == number(n.value)
    return False


def _reading(member: Member, label: Label | None) -> Reading | None:
    for said, cell in member.values:
        if label is None or phrase(said) == label:
            whole = Fit(frozenset(phrase(said)), frozenset(), frozenset(), 1.0)
            place = Place("", Kind.ROW, member.grid.chunk_id, member.number, member.at, 0, member.name)
            return Reading(Subject(member.name, member.name), (Binding(cell, place, whole, said, (), ()),))
    return None
