"""What is asked of a whole kind: the best of it, those of it under a condition, or how many they are.

Each word of the question has to be told by a member, each number to limit one of its values. Only who reads all members
may say which is the best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from agent.languages.operations import Operation
from agent.reasoners.quantities import UNITS, number_of, quantities_of
from agent.structure.direction import end_of
from agent.structure.members import FEWEST, Label, Member, is_kind, kinds_of
from agent.structure.program import Bound, Linked, Reading, Subject
from agent.structure.tagged import Number, Tagged
from retrieval.tables.bind import Binding
from retrieval.tables.index import Cells, Place
from retrieval.tables.match import Fit, is_told, said_words
from retrieval.tables.names import key_of
from retrieval.tables.writing import Kind
from retrieval.text import is_number, number, phrase

_FAR_MORE = 3
"""How many times as many values as names have to have a word for it to be said of the values."""
_REACH = 2
"""Tokens before a word in which the measure that it belongs to may stand."""
_FAIRLY = 0.4
"""The share of a label, its unit included, that a question for the best has to say."""
_NEARLY_ALL = 0.8
"""The share of a kind that has to have a number for the best of it to be told."""


def selected(question: Tagged, index: Cells) -> Bound | None:
    """The members of a kind that are asked for; None where a word of the question is told by none of them."""
    if question.negated or (question.best and question.end is None):
        return None
    asked = _asked_for(question)
    if question.operation == "count" and _is_amount(asked, index):
        return None
    limited = question.best or any(n.limit for n in question.numbers) or question.operation == "count"
    if not (limited or asked):
        return None
    limited = limited or bool(question.numbers)
    is_counted = question.operation == "count" and not question.numbers  # then its word is what members are called
    loose = _loose(asked, index) if (limited or len(asked) == 1) and not is_counted else ()
    found = [bound for each in kinds_of(question, index) if (bound := _Selecting(question, each, asked, loose).bound())]
    most = max(map(_told_exactly, found), default=(0, 0))
    top = [bound for bound in found if _told_exactly(bound) == most]
    return top[0] if len({_names(bound) for bound in top}) == 1 else None


def _is_amount(asked: Sequence[str], index: Cells) -> bool:
    """True for *how many hit points*, which asks for a value of somebody and for no number of members."""
    key = key_of(asked)
    return bool(key) and bool(index.measures([key])) and not any(is_kind(word, index) for word in asked)


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
    asked = (i for i, token in enumerate(tokens) if token in question.language.kinds)
    start = place = next(asked, len(tokens)) + 1
    while place < len(tokens) and tokens[place].replace(" ", "").isalpha() and not _ends_name(tokens[place], question):
        place += 1
    return tokens[start:place]


def _loose(asked: Sequence[str], index: Cells) -> tuple[str, ...]:
    """Of the words for what is asked for those that no member has to be called by: the only one, and those behind one
    that tells who is meant (*which curry recipes*), unless the collection calls many so.
    """
    first = 0 if len(asked) > 1 else -1
    return tuple(word for n, word in enumerate(asked) if n > first and not is_kind(word, index))


def _ends_name(token: str, question: Tagged) -> bool:
    language = question.language
    return token in language.small or token in language.ends or token in language.worth


def _names(bound: Bound) -> tuple[str, ...]:
    return tuple(sorted(reading.subject.text for reading in bound.readings))


@dataclass(frozen=True)
class _Selecting:
    question: Tagged
    members: list[Member]
    asked: tuple[str, ...]
    loose: tuple[str, ...]
    _measured: dict[Label, bool] = field(default_factory=dict, init=False, compare=False)

    @property
    def _words(self) -> list[str]:
        """The words that the members are to be called by or to hold, those for what is asked for among them."""
        return list(dict.fromkeys((*self.asked[-1:], *(word for _, word in self._said))))

    @cached_property
    def _said(self) -> list[tuple[int, str]]:
        """The words of the question, with their places."""
        return list(self.question.words())

    @cached_property
    def _numbers(self) -> list[Number]:
        """The numbers that limit or choose values; one that stands in a label (*top-1*) is a part of its name."""
        return [n for n in self.question.numbers if not any(self._has_number(label, n) for label in self._labels)]

    def _has_number(self, label: Label, n: Number) -> bool:
        before = self.question.tokens[n.place - 1] if n.place else ""
        return (before, n.value) in set(pairwise(label))

    def bound(self) -> Bound | None:
        """The members that every word and number of the question lets pass, with what is told of each."""
        limits = self._limits()
        if limits is None or len(self.members) < FEWEST:
            return None
        labels = [label for _, label in limits]
        measure = self._measure(labels) if self.question.best else None
        if self.question.best and measure is None:
            return None
        told = {word for label in (*labels, measure or ()) for word in self._words_of(label)}
        told |= {word for n, label in limits for word in self._unit_words(n, label)}
        passed, heeded, left = self._passed([word for word in self._words if word not in told])
        if any(not self._may_be_left(word, measure) for word in left) or not (heeded or limits or measure):
            return None
        passed = [m for m in passed if all(_is_within(m, label, n, self._unit(n)) for n, label in limits)]
        shown = measure or self._asked_label(labels) or next(iter(labels), None)
        return self._told(passed, shown, told | heeded, left)

    def _may_be_left(self, word: str, measure: Label | None) -> bool:
        """True for a word beside those of the measure that nothing in its values tells apart: *top-1 accuracy*."""
        if measure is None or word in self.loose:
            return False
        tokens, places = self.question.tokens, dict(self._said)
        at = next((i for i in places if places[i] == word), len(tokens) + _REACH)
        beside = {tokens[i] for i in (at - _REACH, at - 1, at + 1) if 0 <= i < len(tokens)}
        near = any(is_told(each, measure) for each in beside if not is_number(each))
        return near and not any(is_told(word, said_words(text)) for text in self._texts(measure))

    def _asked_label(self, taken: Collection[Label]) -> Label | None:
        """The label that the word for what is asked for has: *which backbone* asks for the value under that head."""
        sort = self.asked[-1] if self.asked else ""
        same = (label for label in self._labels if label not in taken and is_told(sort, label))
        return next(same, None) if sort and self.question.operation != "count" else None

    def _words_of(self, label: Label) -> set[str]:
        """The words of the question that a label tells, adjectives by the measures that they name."""
        return {
            word
            for i, word in self._said
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
        return self._labels.get(label, [])

    @cached_property
    def _labels(self) -> dict[Label, list[str]]:
        """Every label with its values."""
        found: dict[Label, list[str]] = {}
        for member in self.members:
            for value in member.values:
                found.setdefault(value.words, []).append(value.text)
        return found

    def _limits(self) -> list[tuple[Number, Label]] | None:
        """Each number with the label whose values it limits; None where one limits none."""
        found = []
        for each in self._numbers:
            label = self._limited(each)
            if label is None:
                return None
            found.append((each, label))
        return found

    def _limited(self, n: Number) -> Label | None:
        """The label whose values a number limits: the one that the question names nearest to it, else by its unit."""
        named = []
        for label, texts in self._labels.items():
            places = [i for i, word in self._said if is_told(word, label)]
            if places and self._is_measured(label):
                near = min(abs(i - n.place) for i in places)
                named.append((near, -len(places), len(label), -len(texts), label))
        if named:
            return min(named)[-1]
        measured = filter(self._is_measured, self._labels)
        return next((label for label in measured if self._unit_words(n, label)), None)

    def _is_measured(self, label: Label) -> bool:
        """True where half of the values of a label have a number."""
        if label not in self._measured:
            texts = self._texts(label)
            numbered = [text for text in texts if number_of(text) is not None]
            self._measured[label] = len(numbered) >= max(1, len(texts) // 2)
        return self._measured[label]

    def _measure(self, taken: Collection[Label]) -> Label | None:
        """The label of which the best is asked for: that of which the question has the most."""
        fits = []
        for label in self._labels:
            told = self._words_of(label)
            if told and label not in taken:
                numbered = any(self._has_number(label, n) for n in self.question.numbers)
                share = self._share(label, told)
                direct = sum(is_told(word, label) for word in told) + numbered
                fits += [(direct, len(told), share, label)] if share >= _FAIRLY else []
        best = sorted(fits, reverse=True)
        if len(best) > 1 and best[0][:-1] == best[1][:-1]:
            return None
        return best[0][-1] if best else None

    def _share(self, label: Label, told: Collection[str]) -> float:
        """The share of a label that the question says, adjectives by what they mean."""
        meant = {each for i, word in self._said if word in told for each in self.question.implied(i)}
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
        left = [word for word in nobodys if word not in told and word not in self.question.soft]
        return passed, heeded | told, left

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
        return Bound(linked, readings, name, operation, end, tuple(left))


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
    some = tuple(each for each in readings if number_of(each.found[0].text, each.found[0].label) is not None)
    return some if len(some) >= _NEARLY_ALL * len(readings) else readings


def _can_rank(readings: Sequence[Reading]) -> bool:
    texts = [reading.found[0].text for reading in readings]
    return len(readings) >= FEWEST and quantities_of(texts, readings[0].found[0].label) is not None


def _is_within(member: Member, label: Label, n: Number, unit: str) -> bool:
    """True for a member whose value of a label is within the limit of a number, or is that number."""
    for each in member.values:
        if each.words != label:
            continue
        pair = quantities_of([f"{n.value} {unit}".strip(), each.text], each.label) if unit else None
        value = number_of(each.text, each.label)
        if pair is not None and pair[0].number:
            value = pair[1].number / pair[0].number * number(n.value)
        if value is not None:
            return round(value, 6) in n.limit if n.limit is not None else round(value, 6) == number(n.value)
    return False


def _reading(member: Member, label: Label | None) -> Reading | None:
    for value in member.values:
        if label is None or value.words == label:
            whole = Fit(frozenset(value.words), frozenset(), frozenset(), 1.0)
            place = Place("", Kind.ROW, value.grid.chunk_id, value.number, member.at, 0, member.name)
            binding = Binding(value.grid, value.row, value.column, place, whole, value.label, ())
            return Reading(Subject(member.name, member.name), (binding,))
    return None
