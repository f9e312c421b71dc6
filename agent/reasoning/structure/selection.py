"""What is asked of a whole kind: the best of it, those of it under a condition, or how many they are.

Each word of the question has to be told by a member, each number to limit one of its values. Only who reads all members
may say which is the best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from agent.languages.operations import Operation
from agent.reasoning.structure.asked import asked_for, is_amount, loose_words, without_verb
from agent.reasoning.structure.conditions import Limit, denies_having, is_numbered, negation_in, numbers_of, unit_behind
from agent.reasoning.structure.direction import end_of
from agent.reasoning.structure.members import FEWEST, Label, Member, implied_at, instead_of, kinds_of
from agent.reasoning.structure.readings import can_rank, has_nothing, meets, numbered, readings_of
from agent.understanding.attributes import rank_asked
from agent.understanding.program import Bound, Linked, Reading
from agent.understanding.tagged import Number, Tagged
from retrieval.tables.index import Cells
from retrieval.tables.match import is_told, said_words
from retrieval.tables.writing import Kind
from retrieval.text.normal import is_number, number, phrase

_FAR_MORE = 3
"""How many times as many values as names have to have a word for it to be said of the values."""
_REACH = 2
"""Tokens before a word in which the measure that it belongs to may stand."""
_FAIRLY = 0.4
"""The share of a label, its unit included, that a question for the best has to say."""


def selected(question: Tagged, index: Cells) -> Bound | None:
    """The members of a kind that are asked for; None where a word of the question is told by none of them."""
    if (question.best and question.end is None) or (question.negated and negation_in(question) is None):
        return None
    asked, verbs = without_verb(question, asked_for(question), index)
    if question.operation == "count" and is_amount(asked, index):
        return None
    limited = question.best or any(n.limit for n in numbers_of(question)) or question.operation == "count"
    if not (limited or asked):
        return None
    limited = limited or bool(question.numbers)
    is_counted = question.operation == "count" and not question.numbers  # then its word is what members are called
    loose = loose_words(asked, index) if (limited or len(asked) == 1) and not is_counted else ()
    rows = _rows_named(question, index)
    selecting = (_Selecting(question, each, asked, loose, verbs, rows) for each in kinds_of(question, index))
    found = [bound for each in selecting if (bound := each.bound())]
    most = max(map(_told_exactly, found), default=(0, 0, 0, 0.0))
    top = [bound for bound in found if _told_exactly(bound) == most]
    return top[0] if len({_names(bound) for bound in top}) == 1 else None


def _rows_named(question: Tagged, index: Cells) -> frozenset[str]:
    """The words of a question that are names of rows."""
    named = (mention for mention in question.names if index.places([mention.key], (Kind.ROW,)))
    return frozenset(word for mention in named for word in question.tokens[mention.start : mention.end])


def _told_exactly(bound: Bound) -> tuple[int, int, int, float]:
    """How many words of the question are told, how many of them by the measure, and how many word by word; and how much
    of the measure is said.

    The word for the end is told by every measure, and does not count.
    """
    question = bound.linked.question
    degree = question.tokens[question.end] if question.end is not None else ""
    words = [word for word in bound.linked.words if word != degree]
    grid_words = {word for reading in bound.readings[:1] for word in _said_of(reading)}
    measure = phrase(bound.measure.partition("(")[0]) if bound.operation == "best" or question.numbers else ()
    said = sum(is_told(word, words) for word in measure) / max(1, len(measure))
    by_measure = sum(is_told(word, measure) for word in words)
    return len(words), by_measure, len(grid_words.intersection(words)), said


def _said_of(reading: Reading) -> set[str]:
    cell = reading.found[0].cell
    return set(phrase(" ".join((cell.title, cell.caption, cell.source, *cell.row_path, cell.column_label))))


def _names(bound: Bound) -> tuple[str, ...]:
    return tuple(sorted(reading.subject.text for reading in bound.readings))


@dataclass(frozen=True)
class _Selecting:
    question: Tagged
    members: list[Member]
    asked: tuple[str, ...]
    loose: tuple[str, ...]
    verbs: frozenset[str] = frozenset()
    rows: frozenset[str] = frozenset()
    _measured: dict[Label, bool] = field(default_factory=dict, init=False, compare=False)

    @property
    def _words(self) -> list[str]:
        """The words that the members are to be called by or to hold, those for what is asked for among them."""
        return list(dict.fromkeys((*self.asked[-1:], *(word for _, word in self._said))))

    @cached_property
    def _said(self) -> list[tuple[int, str]]:
        """The words of the question, with their places."""
        negation = self._negation
        return [(i, word) for i, word in self.question.words() if word not in self.verbs and i != negation]

    @cached_property
    def _negation(self) -> int | None:
        return negation_in(self.question) if self.question.negated else None

    @cached_property
    def _numbers(self) -> list[Number]:
        """The numbers that limit or choose values; one that stands in a label (*top-1*) is a part of its name."""
        own = (n for n in numbers_of(self.question) if self._ranking is None or n.place != self._ranking.place)
        return [n for n in own if not any(self._has_number(label, n) for label in self._labels)]

    @cached_property
    def _ranking(self) -> Number | None:
        """The number behind the degree that says which from the end is asked for: *the second longest*."""
        rank, end = rank_asked(self.question.question), self.question.end
        if rank == 1 or end is None:
            return None
        return next((n for n in self.question.numbers if n.place == end + 1 and number(n.value) == rank), None)

    def _has_number(self, label: Label, n: Number) -> bool:
        before = self.question.tokens[n.place - 1] if n.place else ""
        return (before, n.value) in set(pairwise(label))

    def bound(self) -> Bound | None:
        """The members that every word and number of the question lets pass, with what is told of each."""
        denied = self._denied()
        limits = self._limits(denied)
        if limits is None or (denied is None and self.question.negated) or len(self.members) < FEWEST:
            return None
        nothing = denied if isinstance(denied, tuple) else None
        labels = [*(label for _, label in limits), *([nothing] if nothing else [])]
        measure = self._measure(labels) or self._instead if self.question.best else None
        if (self.question.best and measure is None) or self._rank is None:
            return None
        told = {word for label in (*labels, measure or ()) for word in self._words_of(label)}
        told |= {word for limit, label in limits for word in self._unit_words(limit.number, label)}
        if measure is not None and measure == self._instead:
            told.add(self._degree)
        once = Counter(word for _, word in self._said)
        open_ = [word for word in self._words if word not in told or once[word] > 1]
        passed, heeded, left = self._passed([word for word in open_ if word != self._degree], denied)
        left += [word for word in open_ if word == self._degree]
        left = [word for word in left if word not in told]
        if any(not self._may_be_left(word, measure) for word in left) or not (heeded or labels or measure):
            return None
        if self.verbs and not labels and heeded <= set(self.asked):
            return None
        if nothing:
            passed = [member for member in passed if has_nothing(member, nothing, self.question.language)]
        left = [*(word for word in left if word != self._degree), *sorted(self.verbs)]
        judged = [(member, meets(member, limits, self.question.language)) for member in passed]
        shown = measure or self._asked_label(labels) or next(iter(labels), None)
        some = readings_of((member for member, met in judged if met), shown)
        unsure = readings_of((member for member, met in judged if met is None), labels[0] if labels else None)
        rest = readings_of((member for member, met in judged if met is False), labels[0] if labels else None)
        return self._told(some, unsure, rest, told | heeded, left)

    def _may_be_left(self, word: str, measure: Label | None) -> bool:
        """True for a word beside those of the measure that nothing in its values tells apart: *top-1 accuracy*.

        What is a row elsewhere is asked for: the *port* of *default port*.
        """
        if measure is None or word in self.loose or word in self.rows:
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
            if is_told(word, label) or any(is_told(said, label) for said in implied_at(i, self.question))
        }

    def _unit_words(self, n: Number, label: Label) -> set[str]:
        """The word behind a number that stands behind those of its cells: its unit."""
        behind = self.question.tokens[n.place + 1 : n.place + 3]
        said = {word for text in self._texts(label) for word in phrase(text)}
        if behind[1:] and behind[1] in self._words_of(label) and behind[1] in self.question.language.adjectives:
            return set(behind)  # *16 year old*
        return {word for word in behind if is_told(word, said)}

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

    def _denied(self) -> int | str | Label | None:
        """What a negation turns round: the place of a number, a word that members have, or a label with nothing
        under it.
        """
        if self._negation is None:
            return None
        numbers, label = {n.place for n in self._numbers}, None
        for place in range(self._negation + 1, len(self.question.tokens)):
            word = self.question.tokens[place]
            if place in numbers:
                return place
            if (place, word) not in self._said:
                continue
            label = label or next((each for each in self._labels if is_told(word, each)), None)
            if label is not None and denies_having(self.question, self._negation):
                return label
            if label is None and _with_word(self.members, word)[0]:
                return word
        return label

    def _limits(self, denied: int | str | Label | None) -> list[tuple[Limit, Label]] | None:
        """Each number as a limit, with the label whose values it limits; None where one limits none."""
        found = []
        for each in self._numbers:
            label = self._limited(each)
            if label is None:
                return None
            unit = unit_behind(self.question, each, self._texts(label))
            found.append((Limit(each, unit, denied == each.place), label))
        return found

    def _limited(self, n: Number) -> Label | None:
        """The label whose values a number limits: the one that the question names nearest to it, else by its unit."""
        named = []
        for label, texts in self._labels.items():
            told = self._words_of(label)
            places = [i for i, word in self._said if word in told]
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
            self._measured[label] = is_numbered(self._texts(label))
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
                fits += [(direct, len(told), share, self._has_degree(label), label)] if share >= _FAIRLY else []
        best = sorted(fits, reverse=True)
        if len(best) > 1 and best[0][:-1] == best[1][:-1]:
            return None
        return best[0][-1] if best else None

    @property
    def _degree(self) -> str:
        """The word that asks for an end."""
        return self.question.tokens[self.question.end] if self.question.end is not None else ""

    @cached_property
    def _instead(self) -> Label | None:
        """The one label that ranks the kind where the adjective's own measures are no label of it."""
        words = instead_of(self.question)
        found = [label for label in self._labels if any(is_told(word, label) for word in words)]
        return found[0] if len(found) == 1 and self._measure(()) is None else None

    def _has_degree(self, label: Label) -> bool:
        """True for a label that has the very word for the end: the *highest temperature*, beside the lowest."""
        return self._degree in label

    def _share(self, label: Label, told: Collection[str]) -> float:
        """The share of a label that the question says, adjectives by what they mean."""
        meant = {each for i, word in self._said if word in told for each in implied_at(i, self.question)}
        own = self._without_unit.get(label) or label
        return sum(is_told(word, told) or is_told(word, meant) for word in own) / max(1, len(own))

    @cached_property
    def _without_unit(self) -> dict[Label, Label]:
        """Every label without what stands in brackets behind it."""
        values = (value for member in self.members for value in member.values)
        return {value.words: phrase(value.label.partition("(")[0]) for value in values}

    def _passed(
        self, words: Sequence[str], denied: int | str | Label | None
    ) -> tuple[list[Member], set[str], list[str]]:
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
            if (
                self.verbs
                and column
                and any(column not in m.columns_with(word) and m.columns_with(word) for m in passed)
            ):
                return [], set(), []  # nothing says which of its columns is meant
            passed = [each for each in passed if each not in some] if word == denied else some
            heeded.add(word)
            columns |= {column} if column else set()
        told = {word for word in nobodys if any(is_told(word, column) for column in columns)}
        left = [word for word in nobodys if word not in told and word not in self.question.soft]
        return passed, heeded | told, left

    @property
    def _rank(self) -> int | None:
        """Which from the end is asked for; None where it is not clear."""
        rank = rank_asked(self.question.question)
        return rank if rank == 1 or self._ranking is not None else None

    def _told(
        self,
        readings: tuple[Reading, ...],
        unsure: tuple[Reading, ...],
        rest: tuple[Reading, ...],
        told: Collection[str],
        left: Sequence[str],
    ) -> Bound | None:
        """The readings of those that passed, those of whom that is not sure, and the rest of the kind."""
        linked = Linked(self.question, (), tuple(sorted(told)))
        if self.question.best:
            return None if unsure else self._best(readings, self._with_meant(linked, readings), left)
        operation: Operation = "count" if self.question.operation == "count" else "list"
        if operation == "count" and self.verbs:
            return None  # who counts has to know what every word means
        shown = (*readings, *unsure, *rest)
        if not shown or not (readings or unsure or all(n.limit for n in self._numbers)):
            return None
        return Bound(linked, readings, shown[0].found[0].label, operation, None, tuple(left), unsure, rest)

    def _with_meant(self, linked: Linked, readings: Sequence[Reading]) -> Linked:
        """The question with what its adjective was taken for."""
        label = readings[0].found[0].label if readings else ""
        is_instead = bool(label) and phrase(label) == self._instead
        return replace(linked, meant=(f"{self._degree} is by {label}",)) if is_instead else linked

    def _best(self, readings: tuple[Reading, ...], linked: Linked, left: Sequence[str]) -> Bound | None:
        """The best of those that passed, where they can be ranked."""
        ranked, without = numbered(readings, self.question.language)
        if not can_rank(ranked):
            return None
        name, cell = ranked[0].found[0].label, ranked[0].found[0].cell
        end = end_of(self.question, name, f"{cell.caption} {cell.title}")
        if end not in ("low", "high"):
            return None
        return Bound(linked, ranked, name, "best", end, tuple(left), (), without, self._rank or 1)


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
