"""The points of an axis that a question names: *2019*, *from May to July*."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.reasoning.series.lines import Line, Point
from agent.understanding.question.tagged import Tagged
from retrieval.text.normal import phrase

_TWO = 2


@dataclass(frozen=True)
class NamedPoints:
    """The points of a line that a question names, by the place of their last word, with all their places; `counting`
    are the places of the number of all points.
    """

    question: Tagged
    line: Line
    by_place: Mapping[int, Point]
    places: frozenset[int]
    counting: frozenset[int]

    @classmethod
    def of(cls, question: Tagged, line: Line) -> NamedPoints:
        """Find the points in a question, outside of the line's name."""
        tokens, taken = question.tokens, set(line.mention.places)
        found, places = dict[int, Point](), set[int]()
        for point in line.points:
            words = phrase(point.text)
            for at in range(len(tokens) - len(words) + 1):
                span = range(at, at + len(words))
                if tokens[at : span.stop] == words and taken.isdisjoint(span):
                    found[span.stop - 1] = point
                    places.update(span)
        every = str(len(line.points))
        counting = frozenset(n.place for n in question.numbers if n.value == every) - places
        return cls(question, line, dict(sorted(found.items())), frozenset(places), counting)

    @property
    def ends(self) -> Sequence[Point]:
        """The two points that are named; empty if there are fewer or more."""
        return tuple(self.by_place.values()) if len(self.by_place) == _TWO else ()

    @property
    def is_span(self) -> bool:
        """True for *from one point to another*: a word stands before the first, and no joining word between them."""
        if len(self.by_place) != _TWO:
            return False
        first, last = self.by_place
        tokens, language = self.question.tokens, self.question.language
        if any(n.limit is not None and n.place in (first, last) for n in self.question.numbers):
            return True
        between = tokens[first + 1 : self._start(last)]
        before = tokens[max(0, self._start(first) - 1)]
        return bool(between) and (before in language.between[:1] or language.joining.isdisjoint(between))

    def _start(self, place: int) -> int:
        return place + 1 - len(phrase(self.by_place[place].text))

    @property
    def within(self) -> Sequence[Point]:
        """The points within the span that is named; all points if none is."""
        if not self.is_span:
            return self.line.points
        low, high = sorted(point.order for point in self.ends)
        return [point for point in self.line.points if low <= point.order <= high]
