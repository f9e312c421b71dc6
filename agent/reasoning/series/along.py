"""Answer a question about a line of values along an axis: *in which year was wind the lowest in Hull*, *how much coal
from 2021 to 2023 in total*, *by how much did solar rise from 2019 to 2023*.

It asks for points of the axis, or for one value of several points. Each word of the question has to tell the line, its
table, its axis or what is asked; a word that the collection doesn't have is shown as unmatched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.languages.operations import End, Operation
from agent.reasoning.kinds.asked import asked_for
from agent.reasoning.kinds.readings import ranked
from agent.reasoning.measures.dimensions import asks_when
from agent.reasoning.series.lines import Line, Point, lines_in
from agent.reasoning.values.conditions import Limit, unit_behind
from agent.reasoning.values.quantities import number_of
from agent.understanding.linking.program import Bound, Linked, Reading
from agent.understanding.question.conditions import numbers_of
from agent.understanding.question.numbers import Number
from agent.understanding.question.tagged import Tagged
from retrieval.tables.index import Cells
from retrieval.tables.match import matches_any
from retrieval.text.normal import phrase

_ENDS = 2
"""The points that a span goes from and to."""
_SUMS: tuple[Operation, ...] = ("total", "average")


def along_axis(question: Tagged, index: Cells) -> Bound | None:
    """Return the binding to the line that explains most of the question; None if none does, or if several do that have
    other values.
    """
    if question.negated or question.prose or not question.names:
        return None
    asking = [_Asking(question, index, line) for line in lines_in(question, index)]
    found = [((len(each.left), -each.named), bound) for each in asking if (bound := each.bound()) is not None]
    fewest = min((rank for rank, _ in found), default=(0, 0))
    best = [bound for rank, bound in found if rank == fewest]
    values = {tuple(reading.best.text for reading in bound.readings) for bound in best}
    return best[0] if len(values) == 1 else None


@dataclass(frozen=True)
class _Asking:
    """A question about one line."""

    question: Tagged
    index: Cells
    line: Line

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """The noun phrase that is asked for."""
        return asked_for(self.question, self.index)[0]

    @cached_property
    def is_for_points(self) -> bool:
        """True if the question asks for points: *in which years*, *when*."""
        along = [word for word in self.asked if self.line.is_along(word, self.question.language)]
        return bool(along) if self.asked else asks_when(self.question)

    @cached_property
    def points(self) -> dict[int, Point]:
        """The points that the question names, by their last places; a span names its two ends."""
        said = {phrase(point.text): point for point in self.line.points}
        tokens, places = self.question.tokens, set(self.line.mention.places)
        found = {}
        for words, point in said.items():
            for at in range(len(tokens) - len(words) + 1):
                if tokens[at : at + len(words)] == words and places.isdisjoint(range(at, at + len(words))):
                    found[at + len(words) - 1] = point
        return dict(sorted(found.items()))

    @cached_property
    def limits(self) -> list[Number]:
        """The numbers that are no points, nor the number of all points."""
        taken = self._counting.union(*(self._places_of(place) for place in self.points))
        return [n for n in numbers_of(self.question) if n.place not in taken]

    def _places_of(self, place: int) -> range:
        """Return all places of a point that the question names."""
        return range(place + 1 - len(phrase(self.points[place].text)), place + 1)

    @cached_property
    def _counting(self) -> frozenset[int]:
        """The places of the number of all points: *over the five years*."""
        every = str(len(self.line.points))
        return frozenset(n.place for n in self.question.numbers if n.value == every)

    @cached_property
    def left(self) -> list[str]:
        """The words that neither the line nor its table tells."""
        language, line = self.question.language, self.line
        told = {*line.mention.places, *self.question.asking}.union(*map(self._places_of, self.points))
        told |= {place - before for place in self._counting for before in (1, _ENDS)}
        idle = language.idle | language.function_words | {word for way in language.changes.values() for word in way}
        found = []
        for place, word in self.question.words():
            is_told = place in told or word in idle or place == self.question.end
            if not (is_told or line.is_along(word, language) or line.tells(word, language)):
                found.append(word)
        return found

    @property
    def named(self) -> int:
        """The number of words of the question that the table has in its own name."""
        return sum(matches_any(word, phrase(self.line.grid.own_name)) for _, word in self.question.words())

    def bound(self) -> Bound | None:
        """Return the binding of the question to the line; None if it asks for something else."""
        adjectives = self.question.language.adjectives  # *how long on average* asks for no calls
        if any(word in adjectives or self._is_of_book(word) for word in self.left):
            return None
        if self.question.best or (self.is_for_points and any(n.limit for n in self.limits)):
            return self._of_points() if self.is_for_points and self._is_graded else None
        operation = self._operation
        some = [] if operation is None or self.limits else self._meant(operation)
        if operation is None or len(some) < _ENDS or any(number_of(each.value.text) is None for each in some):
            return None
        return self._made(operation, [self.line.reading(point) for point in some])

    @property
    def _is_graded(self) -> bool:
        """False for an adjective of a measure that the line is not of: no *Cod (t)* is the dearest."""
        adjective, language = self.question.adjective, self.question.language
        meant = frozenset[str]() if adjective is None or adjective.scale.of_any else frozenset(adjective.scale.measures)
        return not meant or any(self.line.tells(word, language) for word in meant)

    def _is_of_book(self, word: str) -> bool:
        """True for a word that the collection has: it asks for something else than this line."""
        index = self.index
        return word in index.measure_words or bool(
            index.of_kind(word) or index.holding(word) or index.names_with_words([word])
        )

    @property
    def _beside(self) -> str:
        """An unmatched word beside the line's name: *coal waste* may be another measure than *coal*."""
        tokens, mention = self.question.tokens, self.line.mention
        around = (*tokens[mention.end : mention.end + 1], *tokens[max(0, mention.start - 1) : mention.start])
        return next((word for word in around if word in self.left), "")

    @property
    def _operation(self) -> Operation | None:
        """What is asked of several points; a change is the difference of two."""
        question = self.question
        if question.operation in _SUMS:
            return question.operation
        changes = question.language.changes.values()
        is_change = question.operation == "difference" or any(not way.isdisjoint(question.tokens) for way in changes)
        return "difference" if is_change and question.operation in ("difference", None, "count") else None

    def _meant(self, operation: Operation) -> list[Point]:
        """Return the points that are meant: all, the ends of a span, or all within it."""
        ends = list(self.points.values())
        if operation == "difference":
            is_of_two = len(ends) == _ENDS and (self._is_span or self.question.operation == "difference")
            return ends if is_of_two else []
        if not ends:
            return list(self.line.points)
        if len(ends) != _ENDS or not self._is_span:
            return []
        low, high = sorted(each.order for each in ends)
        return [each for each in self.line.points if low <= each.order <= high]

    @property
    def _is_span(self) -> bool:
        """True for *from one point to another*: a word stands before the first, and no joining word between them."""
        first, *_, last = self.points
        tokens, language = self.question.tokens, self.question.language
        if any(n.limit is not None and n.place in (first, last) for n in self.question.numbers):
            return True
        between = tokens[first + 1 : self._places_of(last).start]
        before = tokens[max(0, self._places_of(first).start - 1)]
        is_between = before in language.between[:1]
        return bool(between) and (is_between or language.joining.isdisjoint(between))

    def _of_points(self) -> Bound | None:
        """Return the best of all points, or those within the limits."""
        readings = list(map(self.line.reading, self._shown))
        if self.question.best:
            found = None if self.limits else ranked(readings, self.question)
            if found is None:
                return None
            some, without, end = found
            return self._made("best", some, end=end, without=without)
        texts = self.line.texts
        if not all(n.limit for n in self.limits):
            return None
        limits = [Limit(n, unit_behind(self.question, n, texts)) for n in self.limits]
        held = [all(limit.holds(each.best.text, each.best.label) for limit in limits) for each in readings]
        met = [each for each, is_held in zip(readings, held, strict=True) if is_held]
        rest = [each for each, is_held in zip(readings, held, strict=True) if not is_held]
        if any(number_of(each.best.text) is None for each in readings):
            return None
        return self._made("count" if self.question.operation == "count" else "list", met, without=rest)

    @property
    def _shown(self) -> Iterable[Point]:
        """The points within the span that the question names, or all of them."""
        if len(self.points) != _ENDS or not self._is_span:
            return self.line.points
        low, high = sorted(each.order for each in self.points.values())
        return [each for each in self.line.points if low <= each.order <= high]

    def _made(
        self,
        operation: Operation,
        readings: Sequence[Reading],
        *,
        end: End | None = None,
        without: Sequence[Reading] = (),
    ) -> Bound:
        """Return the binding, with the words that the line tells."""
        told = tuple(word for _, word in self.question.words() if word not in self.left)
        linked = Linked(self.question, (), told, " ".join(told))
        left, beside = tuple(dict.fromkeys(self.left)), self._beside
        return Bound(
            linked,
            tuple(readings),
            self.line.name,
            operation,
            end,
            left,
            (),
            tuple(without),
            doubtful_word=beside,
        )
