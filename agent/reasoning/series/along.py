"""Answer a question about a line of values along an axis: *in which year was wind the lowest in Hull*, *how much coal
from 2021 to 2023 in total*, *by how much did solar rise from 2019 to 2023*.

It asks for points of the axis, or for one value of several points. Each word of the question has to tell the line, its
table, its axis or what is asked; a word that the collection doesn't have is shown as unmatched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.languages.operations import SUMS, End, Operation
from agent.reasoning.kinds.asked import asked_for
from agent.reasoning.kinds.readings import ranked
from agent.reasoning.measures.dimensions import asks_when
from agent.reasoning.series.lines import Line, Point, lines_in
from agent.reasoning.series.named_points import NamedPoints
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


def along_axis(question: Tagged, index: Cells) -> Bound | None:
    """Return the binding to the line that explains most of the question; None if none does, or if several do that have
    other values.
    """
    if question.negated or question.prose or not question.names:
        return None
    found: dict[tuple[int, int], list[Bound]] = {}
    for line in lines_in(question, index):
        asking = _Asking(question, index, line)
        if (bound := asking.bound()) is not None:
            found.setdefault((len(asking.left), -asking.named), []).append(bound)
    best = found[min(found)] if found else []
    is_one = all(_texts(bound) == _texts(best[0]) for bound in best)
    return best[0] if best and is_one else None


def _texts(bound: Bound) -> list[str]:
    return [reading.best.text for reading in bound.readings]


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
        if not self.asked:
            return asks_when(self.question)
        return any(self.line.is_along(word, self.question.language) for word in self.asked)

    @cached_property
    def points(self) -> NamedPoints:
        """The points that the question names."""
        return NamedPoints.of(self.question, self.line)

    @cached_property
    def limits(self) -> list[Number]:
        """The numbers that are no points, nor the number of all points."""
        taken = self.points.places | self.points.counting
        return [n for n in numbers_of(self.question) if n.place not in taken]

    @cached_property
    def left(self) -> list[str]:
        """The words that neither the line nor its table tells."""
        language, line = self.question.language, self.line
        told = {*line.mention.places, *self.question.asking, *self.points.places, self.question.end}
        for place in self.points.counting:
            told |= {place - 1, place - 2}  # *over the five years*
        idle = (language.idle | language.function_words) | language.changing
        found = []
        for place, word in self.question.words():
            is_told = place in told or word in idle
            if not (is_told or line.is_along(word, language) or line.tells(word, language)):
                found.append(word)
        return found

    @property
    def named(self) -> int:
        """The number of words of the question that the table has in its own name."""
        name = phrase(self.line.grid.own_name)
        return sum(matches_any(word, name) for _, word in self.question.words())

    def bound(self) -> Bound | None:
        """Return the binding of the question to the line; None if it asks for something else."""
        if any(map(self._is_of_other, self.left)):
            return None
        if self.question.best:
            return self._best() if self.is_for_points and self._is_graded and not self.limits else None
        if self.limits:
            is_limited = self.is_for_points and all(n.limit for n in self.limits)
            return self._within_limits() if is_limited else None
        operation = self._operation
        some = self._meant(operation) if operation is not None else ()
        if operation is None or len(some) < _ENDS or not all(map(_has_number, some)):
            return None
        return self._made(operation, list(map(self.line.reading, some)))

    @property
    def _is_graded(self) -> bool:
        """False for an adjective of a measure that the line is not of: no *Cod (t)* is the dearest."""
        adjective, language = self.question.adjective, self.question.language
        meant = () if adjective is None or adjective.scale.of_any else adjective.scale.measures
        return not meant or any(self.line.tells(word, language) for word in meant)

    def _is_of_other(self, word: str) -> bool:
        """True for a word that asks for something else than this line: one that the collection has, or an adjective, as
        in *how long on average*.
        """
        index = self.index
        if word in index.measure_words or word in self.question.language.adjectives:
            return True
        return bool(index.of_kind(word) or index.holding(word) or index.names_with_words([word]))

    @property
    def _beside(self) -> str:
        """An unmatched word beside the line's name: *coal waste* may be another measure than *coal*."""
        tokens, mention = self.question.tokens, self.line.mention
        around = (*tokens[mention.end : mention.end + 1], *tokens[max(0, mention.start - 1) : mention.start])
        return next(filter(self.left.__contains__, around), "")

    @property
    def _operation(self) -> Operation | None:
        """What is asked of several points; a change is the difference of two."""
        asked, language = self.question.operation, self.question.language
        if asked in SUMS or asked == "difference":
            return asked
        is_change = asked in (None, "count") and not language.changing.isdisjoint(self.question.tokens)
        return "difference" if is_change else None

    def _meant(self, operation: Operation) -> Sequence[Point]:
        """Return the points that are meant: all, the ends of a span, or all within it."""
        named = self.points
        if operation == "difference":
            return named.ends if named.is_span or self.question.operation == operation else ()
        return named.within if named.is_span or not named.by_place else ()

    def _best(self) -> Bound | None:
        """Return the best of the points."""
        found = ranked(list(map(self.line.reading, self.points.within)), self.question)
        return None if found is None else self._made("best", found[0], end=found[2], without=found[1])

    def _within_limits(self) -> Bound | None:
        """Return the points whose values are within the limits; None if a value is no number."""
        limits = [Limit(n, unit_behind(self.question, n, self.line.texts)) for n in self.limits]
        met, rest = list[Reading](), list[Reading]()
        for point in self.points.within:
            if not _has_number(point):
                return None
            value = point.value
            is_met = all(limit.holds(value.text, value.label) for limit in limits)
            (met if is_met else rest).append(self.line.reading(point))
        return self._made("count" if self.question.operation == "count" else "list", met, without=rest)

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
        left, some, others = tuple(dict.fromkeys(self.left)), tuple(readings), tuple(without)
        name, doubt = self.line.name, self._beside
        return Bound(linked, some, name, operation, end, left, without_value=others, doubtful_word=doubt)


def _has_number(point: Point) -> bool:
    return number_of(point.value.text) is not None
