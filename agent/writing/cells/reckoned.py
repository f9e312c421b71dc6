"""Check numbers derived from several cells: differences, sums, ratios, counts, limits and superlatives.

The source has none of these itself; each is computed from the cells of the named entities under the named label. If no
label is named, any may be meant, and a difference or sum is never broken.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations, permutations

from agent.languages.language import english
from agent.languages.scales import Adjective
from agent.reasoning.values.quantities import worths
from agent.writing.cells.grid import Point
from agent.writing.cells.reading import Reading
from agent.writing.texts.claims import has_operation
from agent.writing.texts.facts import unit_of
from agent.writing.texts.numbers import Number, is_plain
from agent.writing.texts.offered import rounds_to
from agent.writing.texts.units import PERCENT, TIMES, known_units

_THAN = "than"
_LONGEST = 6
"""Most tokens from a difference to its *than*: *20 feet per turn faster than*."""
_INSTEAD = (("instead", "of"), ("rather", "than"))
_GRADING = ("more", "most", "less", "least")
_UP_TO = ("up", "to")
_STRICT = ("over", "above", "under", "below")
_TWO = 2


class DerivedNumbers:
    """The places of a sentence's numbers that are derived from several cells, tied or broken."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._tokens = reading.sentence.tokens
        self._numbers = [each[0] for each in reading.numbers]
        self.tied: set[int] = set()
        self.broken: set[int] = set()
        self.places: set[int] = set()
        self._denied()
        self._limited()
        self._extent()
        self._counted()
        if len(self._reading.lineup) > 1:
            self._differing()
            self._compared()
        else:
            self._best()
        self.tied -= self.broken

    @cached_property
    def _all(self) -> range:
        return range(len(self._reading.grid.axes[self._reading.axis]))

    @cached_property
    def _label(self) -> Point | None:
        """The only label that a sentence names; None for none or several."""
        points = {point for each in self._reading.labels for point in each.points}
        return next(iter(points)) if len(points) == 1 else None

    def _amounts(self, things: Iterable[Point], label: Point) -> list[float]:
        """Return the amounts of the entities under a label, in one unit; skip cells without an amount."""
        cells = [each for thing in things if (each := self._reading.cell(thing, label)) is not None]
        worth = worths({each.unit for each in cells if each.unit} or {""}) or {}
        return [each.amount * worth.get(each.unit, 1.0) for each in cells if each.amount is not None]

    def _series(self) -> Iterator[list[float]]:
        """Yield the amounts of the named entities under each possible label, if all of them have one."""
        labels = range(len(self._reading.grid.axes[1 - self._reading.axis])) if self._label is None else [self._label]
        for label in labels:
            amounts = self._amounts(self._reading.lineup, label)
            if len(amounts) == len(self._reading.lineup):
                yield amounts

    def _settle(self, places: Iterable[int], is_so: bool) -> None:
        own = set(places)
        (self.tied if is_so else self.broken).update(own)
        self.places |= own

    def _differing(self) -> None:
        """Check numbers that are differences or sums."""
        series = list(self._series())
        for each in filter(is_plain, self._numbers):
            results = None if self._is_own(each) else self._results_of(each)
            if results is not None and series:
                is_so = any(rounds_to(result, each.value) for amounts in series for result in results(amounts))
                self._settle([each.place] if is_so or self._label is not None else [], is_so)

    def _results_of(self, each: Number) -> Callable[[Sequence[float]], Iterator[float]] | None:
        """Return the computation whose result a number may be: of two entities, or a sum of several; None for none."""
        if each.unit == TIMES:
            return _ratios
        is_difference, is_sum = self._is_difference(each), has_operation(self._tokens, "total")
        if each.unit == PERCENT:
            is_share = self._tokens[each.place + 2 : each.place + 3] == ("of",)
            return _percentages if is_share else _points if is_difference or is_sum else _shares
        if is_sum:
            return _sum_or_differences if is_difference else _sum
        return _differences if is_difference else None

    def _is_own(self, each: Number) -> bool:
        """True if a number is no factor and no difference, but the value of a named entity."""
        return each.unit != TIMES and not self._is_difference(each) and self._is_held(each)

    def _is_held(self, each: Number) -> bool:
        """True if one of the named entities has a number under a named label."""
        labels = {point for name in self._reading.labels for point in name.points}
        return any(self._reading.holds(cell, [each]) for cell in self._reading.cells(self._reading.lineup, labels))

    def _is_difference(self, number: Number) -> bool:
        """True for *20 feet faster than*, *cheaper than the elk by 20*, *rose by 20*, *a difference of 20*; not for
        *is 20 feet long and is faster than*.
        """
        if number.bound:
            return False
        end = min([each for each in self._reading.sentence.clauses if each > number.place], default=len(self._tokens))
        behind = self._tokens[number.place + 1 : min(end, number.place + 1 + _LONGEST)]
        between = behind[: behind.index(_THAN)] if _THAN in behind else ()
        if english().copulas.isdisjoint(between) and any(map(_is_comparative, between)):
            return True
        is_by = self._tokens[number.place - 1 : number.place] == ("by",)
        is_change = _THAN in self._tokens or not english().changing.isdisjoint(self._tokens)
        return (is_by and is_change) or (
            has_operation(self._tokens, "difference") and (is_by or not self._is_held(number))
        )

    def _compared(self) -> None:
        """Check a comparative: *the elk is longer than the fox*."""
        place = self._tokens.index(_THAN) if _THAN in self._tokens else -1
        things = [each for each in self._reading.things if each.end >= 0 and len(each.points) == 1]
        before, behind = ([each for each in things if (each.end < place) == is_before] for is_before in (True, False))
        if place < 0 or not (before and behind) or self._label is None:
            return
        way = _way(self._tokens[:place], self._names(self._label), "comparative")
        amounts = self._amounts([*before[0].points, *behind[0].points], self._label)
        if way and len(amounts) == _TWO and (amounts[0] - amounts[1]) * way <= 0:
            self._settle([each.place for each in self._numbers], False)

    def _best(self) -> None:
        """Check a superlative: with *the elk is the longest*, no other is longer."""
        if self._label is None or not self._reading.lineup:
            return
        way = _way(self._tokens, self._names(self._label), "superlative")
        own, every = (self._amounts(each, self._label) for each in (self._reading.lineup, self._all))
        if way and own and len(every) > 1 and own[0] * way < max(each * way for each in every):
            self._settle([each.place for each in self._numbers], False)

    def _names(self, label: Point) -> frozenset[str]:
        return frozenset(word for name in self._reading.grid.axes[1 - self._reading.axis][label] for word in name)

    def _extent(self) -> None:
        """Check the minimum and maximum of all entities: *from 4 to 9*."""
        ends = self._numbers
        if self._reading.lineup or self._label is None or len(ends) != _TWO or not self._are_ends(*ends):
            return
        amounts = self._amounts(self._all, self._label)
        if len(amounts) > 1:
            is_so = rounds_to(min(amounts), ends[0].value) and rounds_to(max(amounts), ends[1].value)
            self._settle([each.place for each in ends], is_so)

    def _are_ends(self, first: Number, last: Number) -> bool:
        """True if two numbers are the ends of a range, each with its unit: *from 4 m to 9 m*."""
        unit = unit_of(self._tokens, first)
        between = self._tokens[first.place + 1 : last.place]
        joined = [each for each in between if each != unit and each not in known_units()]
        return joined == ["to"] or (joined == ["and"] and self._tokens[first.place - 1] == "between")

    def _counted(self) -> None:
        """Check a count of all, or all named, entities: *there are 3 boats: the elk, the fox and the owl*."""
        many = len(self._reading.lineup) or (len(self._all) if self._reading.grid.is_given else 0)
        for each in self._numbers:
            behind = "".join(self._tokens[each.place + 1 : each.place + 2])
            is_count = behind.isalpha() and behind not in known_units() and not each.unit
            if many > 1 and is_count and each.place not in self._reading.label_of and each.value == str(many):
                self._settle([each.place], True)

    def _limited(self) -> None:
        """Check limits of values, *more than 4 rooms*, and how many entities meet them: *two of them have*."""
        for each in filter(is_plain, self._numbers):
            limit, label = self._limit(each), self._reading.label_of.get(each.place, frozenset())
            things = self._reading.lineup or self._all
            is_told = any(self._reading.holds(cell, [each]) for cell in self._reading.cells(things, label))
            if limit is None or each.unit == TIMES or len(label) != 1 or is_told:
                continue
            amounts = self._amounts(things, next(iter(label)))
            within = sum(limit(amount, float(each.value)) for amount in amounts)
            counts = [n for n in self._numbers if n.place < each.place and not n.unit][:1]
            if self._reading.lineup and len(amounts) == len(things) and not self._is_maximum(each):
                self._settle([each.place], within == len(amounts))
            elif not self._reading.lineup and counts and len(amounts) > 1:
                self._settle([counts[0].place, each.place], counts[0].value == str(within))

    def _is_maximum(self, number: Number) -> bool:
        """True for *up to 9* of one entity, which tells its maximum and no limit."""
        return len(self._reading.lineup) == 1 and self._tokens[max(0, number.place - 2) : number.place] == _UP_TO

    def _limit(self, number: Number) -> Callable[[float, float], bool] | None:
        """Return the comparison that a limit requires of an amount; None for a number that is no limit."""
        *_, third, second, first = ("", "", "", *self._tokens[: number.place])
        if first == _THAN and third not in ("no", "not"):
            end, adjective = english().ends.get(second), english().adjectives.get(second)
            up = end.high if end is not None else adjective.up if adjective is not None else None
            return None if up is None else operator.gt if up else operator.lt
        if number.bound:
            at_least, at_most = (operator.gt, operator.lt) if first in _STRICT else (operator.ge, operator.le)
            return at_least if number.bound == "least" else at_most
        return None

    def _denied(self) -> None:
        """Check numbers that are denied: *not 4 but 5*, *4 instead of 5*."""
        own = frozenset() if self._label is None else frozenset({self._label})
        for each in self._numbers:
            before, is_but = self._tokens[: each.place], "but" in self._tokens[each.place :]
            is_denied = before[-2:] in _INSTEAD or (before[-1:] == ("not",) and is_but)
            labels = self._reading.label_of.get(each.place, own)
            things = {point for name in self._reading.things for point in name.points}
            cells = self._reading.cells(things, labels) if is_denied else []
            self._settle([each.place] if cells else [], not any(self._reading.holds(cell, [each]) for cell in cells))


def _is_comparative(word: str) -> bool:
    return english().degree_of(word) == "comparative" or (word.endswith("er") and len(word) > 4)


def _way(tokens: Sequence[str], label: frozenset[str], degree: str) -> int:
    """Return 1 if words say that a label is more, -1 if less, 0 if they say neither or both.

    >>> _way("the elk is cheaper".split(), frozenset({"price"}), "comparative")
    -1
    """
    ends, adjectives = english().ends, english().adjectives
    found = set()
    for i, token in enumerate(tokens):
        end, own = ends.get(token), adjectives.get(token)
        graded = adjectives.get("".join(tokens[i + 1 : i + 2])) if token in _GRADING else None
        if end is not None and end.degree == degree and tokens[i - 1 : i] != ("at",):
            up = 1 if end.high else -1
            found.add(up * _sign(graded, label) if graded is not None and graded.degree == "positive" else up)
        elif own is not None and own.degree == degree:
            found.add(_sign(own, label))
    return found.pop() if len(found) == 1 else 0


def _sign(adjective: Adjective, label: frozenset[str]) -> int:
    """Return 1 if an adjective means more of a label, -1 if less, 0 if the label is of something else."""
    up = 1 if adjective.up else -1
    if not label.isdisjoint(adjective.scale.high):
        return up
    return -up if not label.isdisjoint(adjective.scale.low) else 0


def _differences(amounts: Sequence[float]) -> Iterator[float]:
    yield from (abs(one - other) for one, other in combinations(amounts, 2))


def _sum(amounts: Sequence[float]) -> Iterator[float]:
    yield sum(amounts)


def _sum_or_differences(amounts: Sequence[float]) -> Iterator[float]:
    yield from (sum(amounts), *_differences(amounts))


def _ratios(amounts: Sequence[float]) -> Iterator[float]:
    yield from (one / other for one, other in permutations(amounts, 2) if other)


def _percentages(amounts: Sequence[float]) -> Iterator[float]:
    yield from (100 * ratio for ratio in _ratios(amounts))


def _shares(amounts: Sequence[float]) -> Iterator[float]:
    """Yield each percentage of one amount to another, and the percentage by which they differ."""
    for share in _percentages(amounts):
        yield from (share, abs(share - 100))


def _points(amounts: Sequence[float]) -> Iterator[float]:
    """Yield the shares of percentages, their differences, and their sum."""
    yield from (*_shares(amounts), *_differences(amounts), sum(amounts))
