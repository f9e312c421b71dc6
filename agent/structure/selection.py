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
from itertools import pairwise

from agent.reasoners.quantities import UNITS, number_of, quantities_of
from agent.structure.direction import end_of
from agent.structure.operations import Operation
from agent.structure.program import Bound, Linked, Reading, Subject
from agent.structure.tagged import Number, Tagged
from retrieval.tables.bind import Binding
from retrieval.tables.cells import Cell, Grid
from retrieval.tables.index import Cells, Kind, Place
from retrieval.tables.match import Fit, is_told, said_words, same_word
from retrieval.tables.names import is_numbered, name_keys, words_in
from retrieval.text import STOP_WORDS, is_number, number, phrase

FEWEST = 2
"""Members of a kind; of one there is no best."""
MOST_MEASURES = 8
"""Heads that are tried as what is asked."""
MOST_TABLES = 4000
_FAR_MORE = 3
"""How many times as many values as names have to have a word for it to be said of the values."""
_REACH = 2
"""Tokens before a word in which the measure that it belongs to may stand."""
_MANY = 10
_FAIRLY = 0.4
"""The share of a label, its unit included, that a question for the best has to say."""
_MOSTLY = 0.5
"""The share of a head that a question has to hold."""
_NEARLY_ALL = 0.8
"""The share of a kind that has to have a number for the best of it to be told."""
_BRIEF = 8
"""Words of a cell that may be a condition; more are prose."""
Label = tuple[str, ...]
"""A head or label by its words."""


@dataclass(frozen=True)
class Member:
    """A row of a table, or a record with all that stands beside it of the same thing: `at` is the row, None for a
    record.
    """

    grids: tuple[tuple[int, Grid], ...]
    at: int | None = None

    @property
    def grid(self) -> Grid:
        """The first of its tables."""
        return self.grids[0][1]

    @property
    def name(self) -> str:
        """Who it is."""
        if self.at is not None:
            return self.grid.row_names(self.at)[-1].strip(" *")
        if self.grid.is_single and self._is_titled(key := self.grid.table.rows[0][0]):
            return key.strip(" *")
        headings = self.grid.headings
        return self.grid.title if self.grid.title in headings[-1:] or not headings else headings[-1]

    def _is_titled(self, key: str) -> bool:
        """True for the key of a row that was made a chunk of its own, and stands in its title."""
        return bool(phrase(key)) and set(phrase(key)) <= set(phrase(self.grid.title))

    @cached_property
    def values(self) -> list[tuple[str, Cell]]:
        """Its labels with their cells."""
        return [value for _, grid in self.grids for value in _values(grid, self.at)]

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

    def columns_with(self, word: str) -> list[tuple[str, ...]]:
        """The labels of its cells that hold a word."""
        return [phrase(label) for label, cell in self.values if _holds(cell.text, word)]


def _values(grid: Grid, at: int | None) -> Iterator[tuple[str, Cell]]:
    """The labels and cells of a row, or of a whole record."""
    table = grid.table
    if table.is_record:
        yield from ((row[0], grid.cell(n, 1)) for n, row in enumerate(table.rows) if row[1:2] and row[1].strip())
        return
    row = at or 0
    for column in range(0 if at is None else 1, len(table.columns)):
        if table.rows[row][column : column + 1] and table.rows[row][column].strip():
            yield " ".join(table.columns[column]), grid.cell(row, column)


def _holds(text: str, word: str) -> bool:
    said = said_words(text)
    return len(said) <= _BRIEF and any(word == other or (len(word) > 3 and same_word(word, other)) for other in said)


def selected(question: Tagged, index: Cells) -> Bound | None:
    """The members of a kind that are asked for; None where a word of the question is told by none of them."""
    if question.negated or (question.best and question.end is None):
        return None
    if not (question.best or question.operation == "count" or question.numbers or _asks_which(question)):
        return None
    asked = _asked_for(question)
    limited = question.best or bool(question.numbers) or question.operation == "count"
    loose = _loose(asked, index) if limited or len(asked) == 1 else ()
    found = [bound for each in _kinds(question, index) if (bound := _Selecting(question, each, asked, loose).bound())]
    most = max(map(_told_exactly, found), default=(0, 0))
    top = [bound for bound in found if _told_exactly(bound) == most]
    return top[0] if len({_names(bound) for bound in top}) == 1 else None


def _told_exactly(bound: Bound) -> tuple[int, int]:
    """How many words of the question are told, and how many of them word by word."""
    grid_words = {word for reading in bound.readings[:1] for word in _said_of(reading)}
    return len(bound.linked.words), len(grid_words.intersection(bound.linked.words))


def _said_of(reading: Reading) -> set[str]:
    cell = reading.found[0].cell
    return set(phrase(" ".join((cell.title, cell.caption, cell.source, *cell.row_path, cell.column_label))))


def _asked_for(question: Tagged) -> tuple[str, ...]:
    """The words for what is asked for: those side by side behind *which*, *what* or *how many*."""
    tokens = question.tokens
    asked = (i for i, token in enumerate(tokens) if token in ("which", "what", "many"))
    start = place = next(asked, len(tokens)) + 1
    while place < len(tokens) and tokens[place].isalpha() and not _ends_name(tokens[place], question):
        place += 1
    return tokens[start:place]


def _loose(asked: Sequence[str], index: Cells) -> tuple[str, ...]:
    """Of the words for what is asked for those that no member has to be called by: the only one, and those behind one
    that tells who is meant (*which curry recipes*), unless the collection calls many so.
    """
    first = 0 if len(asked) > 1 else -1
    return tuple(word for n, word in enumerate(asked) if n > first and not _is_kind(word, index))


def _is_kind(word: str, index: Cells) -> bool:
    """True for a word by which the collection calls the rows of a table, or many records."""
    tables = sorted(index.of_kind(word))
    grids = map(index.grid, tables)
    return len(tables) >= _MANY or any(len(grid.table.rows) >= FEWEST for grid in grids if _is_table(grid))


def _is_table(grid: Grid) -> bool:
    return not (grid.table.is_record or grid.is_single)


def _ends_name(token: str, question: Tagged) -> bool:
    return token in STOP_WORDS or token in question.language.ends or token in question.language.worth


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
        under |= {each for word in words for each in index.holding(word)}
        under |= {place.grid for word in words for place in _called(word, index) if place.grid is not None}
    shapes: dict[tuple[object, ...], list[Member]] = {}
    records: dict[tuple[str, str], list[tuple[int, Grid]]] = {}
    for each in sorted(under)[:MOST_TABLES]:
        grid = index.grid(each)
        if grid.is_single and is_numbered(grid.table.rows[0][0]):
            continue  # a row of a table that is looked up by a number: nobody's record
        if grid.table.is_record or grid.is_single:
            records.setdefault((grid.source, grid.title), []).append((each, grid))
        else:
            shapes.setdefault(_shape(grid), []).extend(_rows(grid, each))
    whole = (_with_all(key, grids, index) for key, grids in records.items())
    yield from filter(None, sorted((*shapes.values(), list(map(Member, whole))), key=len, reverse=True))


def _with_all(key: tuple[str, str], grids: Sequence[tuple[int, Grid]], index: Cells) -> tuple[tuple[int, Grid], ...]:
    """The records of one thing: those that were found, and what else stands under the same title of the same page."""
    found = dict(grids)
    places = index.places(name_keys(key[1])[:1], (Kind.TITLE,))
    for each in sorted({place.grid for place in places if place.grid is not None} - found.keys()):
        grid = index.grid(each)
        if (grid.source, grid.title) == key and (grid.table.is_record or grid.is_single):
            found[each] = grid
    return tuple(sorted(found.items(), key=lambda each: each[0]))


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
    return tuple(phrase(" ".join(path)) for path in grid.table.columns)


def _rows(grid: Grid, number: int) -> Iterator[Member]:
    """The rows of a table that name something."""
    for at, row in enumerate(grid.table.rows):
        if row and row[0].strip() and any(row[1:]):
            yield Member(((number, grid),), at)


@dataclass(frozen=True)
class _Selecting:
    question: Tagged
    members: list[Member]
    asked: tuple[str, ...]
    loose: tuple[str, ...]

    @property
    def _words(self) -> list[str]:
        """The words that the members are to be called by or to hold, those for what is asked for among them."""
        return list(dict.fromkeys((*self.asked[-1:], *(word for _, word in self.question.words()))))

    @cached_property
    def _numbers(self) -> list[Number]:
        """The numbers that limit or choose values; one that stands in a label (*top-1*) is a part of its name."""
        return [n for n in self.question.numbers if not any(self._has_number(label, n) for label in self._labels())]

    def _has_number(self, label: Label, n: Number) -> bool:
        before = self.question.tokens[n.place - 1] if n.place else ""
        return (before, n.value) in set(pairwise(label))

    def bound(self) -> Bound | None:
        """The members that every word and number of the question lets pass, with what is told of each."""
        limits = [(number, self._limited(number)) for number in self._numbers]
        labels = [label for _, label in limits if label is not None]
        measure = self._measure(labels) if self.question.best else None
        if len(self.members) < FEWEST or len(labels) < len(limits) or (self.question.best and measure is None):
            return None
        told = {word for label in (*labels, measure or ()) for word in self._words_of(label)}
        told |= {word for n, label in limits if label for word in self._unit_words(n, label)}
        passed, heeded, left = self._passed([word for word in self._words if word not in told])
        if any(not self._may_be_left(word, measure) for word in left) or not (heeded or limits or measure):
            return None
        passed = [m for m in passed if all(_is_within(m, label, n, self._unit(n)) for n, label in limits if label)]
        shown = measure or self._asked_label(labels) or next(iter(labels), None)
        return self._told(passed, shown, told | heeded, left)

    def _may_be_left(self, word: str, measure: Label | None) -> bool:
        """True for a word beside those of the measure that nothing in its values tells apart: *top-1 accuracy*."""
        if measure is None or word in self.loose:
            return False
        tokens, places = self.question.tokens, dict(self.question.words())
        at = next((i for i in places if places[i] == word), len(tokens) + _REACH)
        beside = {tokens[i] for i in (at - _REACH, at - 1, at + 1) if 0 <= i < len(tokens)}
        near = any(is_told(each, measure) for each in beside if not is_number(each))
        return near and not any(is_told(word, said_words(text)) for text in self._texts(measure))

    def _asked_label(self, taken: Collection[Label]) -> Label | None:
        """The label that the word for what is asked for has: *which backbone* asks for the value under that head."""
        sort = self.asked[-1] if self.asked else ""
        same = (label for label in self._labels() if label not in taken and is_told(sort, label))
        return next(same, None) if sort and self.question.operation != "count" else None

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

    def _unit(self, n: Number) -> str:
        """The word behind a number, if it is a unit of any value."""
        behind = self.question.tokens[n.place + 1 : n.place + 2]
        return behind[0] if behind and behind[0] in UNITS else ""

    def _texts(self, label: Label) -> list[str]:
        return [cell.text for member in self.members for said, cell in member.values if phrase(said) == label]

    def _labels(self) -> Counter[Label]:
        return Counter(phrase(label) for member in self.members for label, _ in member.values)

    def _limited(self, n: Number) -> Label | None:
        """The label whose values a number limits: the one that the question names nearest to it, else by its unit."""
        named = []
        for label, count in self._labels().items():
            places = [i for i, word in self.question.words() if is_told(word, label)]
            if places and self._is_measured(label):
                near = min(abs(i - n.place) for i in places)
                named.append((near, -len(places), len(label), -count, label))
        if named:
            return min(named)[-1]
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
            if told and label not in taken:
                numbered = any(self._has_number(label, n) for n in self.question.numbers)
                share = self._share(label, told)
                fits += [(len(told) + numbered, share, label)] if share >= _FAIRLY else []
        best = sorted(fits, reverse=True)
        if len(best) > 1 and best[0][:2] == best[1][:2]:
            return None
        return best[0][2] if best else None

    def _share(self, label: Label, told: Collection[str]) -> float:
        """The share of a label that the question says, adjectives by what they mean."""
        meant = {each for i, word in self.question.words() if word in told for each in self.question.implied(i)}
        return sum(is_told(word, told) or is_told(word, meant) for word in label) / max(1, len(label))

    def _passed(self, words: Sequence[str]) -> tuple[list[Member], set[str], list[str]]:
        """The members that have the words, those words, and the words that are nobody's.

        Of something that is named, what is counted has to be its own: *how many parts has the engine*.
        """
        passed, heeded = self.members, set[str]()
        columns: set[Label] = set()
        nobodys = []
        for word in dict.fromkeys(word for word in words if word not in self.loose):
            some, column = _with_word(passed, word)
            if not some:
                nobodys.append(word)
                continue
            named = any(is_told(word, member.own_words) for member in some)
            if named and self.loose and self.question.operation == "count":
                return [], set(), []
            passed = some
            heeded.add(word)
            columns |= {column} if column else set()
        told = {word for word in nobodys if any(is_told(word, column) for column in columns)}
        return passed, heeded | told, [word for word in nobodys if word not in told]

    def _told(
        self, passed: Sequence[Member], label: Label | None, told: Collection[str], left: Sequence[str]
    ) -> Bound | None:
        """The readings of the members that passed: of the label, else of what stands first of each."""
        readings = tuple(reading for member in passed if (reading := _reading(member, label)) is not None)
        operation: Operation = "best" if self.question.best else "list"
        if self.question.operation == "count":
            operation = "count"
        if operation == "best":
            readings = _numbered(readings)
        if not readings or (operation == "best" and not _can_rank(readings)):
            return None
        name = readings[0].found[0].label
        cell = readings[0].found[0].cell
        end = end_of(self.question, name, f"{cell.caption} {cell.title}") if operation == "best" else None
        if operation == "best" and end not in ("low", "high"):
            return None
        linked = Linked(self.question, (), tuple(sorted(told)))
        return Bound(linked, readings, name, True, operation, end, tuple(left))


def _with_word(members: Sequence[Member], word: str) -> tuple[list[Member], Label | None]:
    """Those that a word is said of: by what they are called, else by a cell of the column that has it most, which is
    returned too.
    """
    called = [member for member in members if member.is_called(word)]
    holding = Counter(label for member in members for label in member.columns_with(word))
    column, held = next(iter(holding.most_common(1)), (None, 0))
    if column is None or (called and held < _FAR_MORE * len(called)):
        return called, None
    return [member for member in members if column in member.columns_with(word)], column


def _numbered(readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """The readings whose value has a number; all of them where many have none."""
    some = tuple(each for each in readings if number_of(each.found[0].cell.text, each.found[0].label) is not None)
    return some if len(some) >= _NEARLY_ALL * len(readings) else readings


def _can_rank(readings: Sequence[Reading]) -> bool:
    texts = [reading.found[0].cell.text for reading in readings]
    return len(readings) >= FEWEST and quantities_of(texts, readings[0].found[0].label) is not None


def _is_within(member: Member, label: Label, n: Number, unit: str) -> bool:
    """True for a member whose value of a label is within the limit of a number, or is that number."""
    for said, cell in member.values:
        if phrase(said) != label:
            continue
        pair = quantities_of([f"{n.value} {unit}".strip(), cell.text], said) if unit else None
        value = number_of(cell.text, said)
        if pair is not None and pair[0].number:
            value = pair[1].number / pair[0].number * number(n.value)
        if value is not None:
            return round(value, 6) in n.limit if n.limit is not None else round(value, 6) == number(n.value)
    return False


def _reading(member: Member, label: Label | None) -> Reading | None:
    for said, cell in member.values:
        if label is None or phrase(said) == label:
            whole = Fit(frozenset(phrase(said)), frozenset(), frozenset(), 1.0)
            place = Place("", Kind.ROW, cell.chunk_id, member.grids[0][0], member.at, 0, member.name)
            return Reading(Subject(member.name, member.name), (Binding(cell, place, whole, said, (), ()),))
    return None
