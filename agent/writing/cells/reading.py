"""Read a sentence over a grid: which entities it names, and which label each of its numbers has.

A label and its number adjoin, *a crew of 4* and *4 rooms*, or have the same position in two lists, *the crew and the
length are 4 and 12 m*. One label, or an adjective that means it, may apply to all numbers: *longer (12 m to 9 m)*.
Entities come before their numbers, behind them, or in lists (`agent.writing.texts.claims.mention_assignments`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product

from agent.languages.language import english
from agent.writing.cells.grid import Cell, Grid, Name, Place, Point
from agent.writing.texts.bounds import bounding
from agent.writing.texts.claims import Mention, ParsedSentence, mention_assignments
from agent.writing.texts.facts import unit_of
from agent.writing.texts.numbers import Number
from agent.writing.texts.units import known_units, unit_named
from retrieval.text.normal import STOP_WORDS, is_number

_THAN = "than"
_PARTING = frozenset({"and", "or", "but", "than", "while", "whereas"})
_PREFIXED = re.compile(r"(kilo|mega|giga|tera|peta|kibi|mebi|gibi|tebi)(byte|bit|hertz|watt)")
_LISTING = frozenset({"and", "or", "the", "a", "an", "its", "their"})


@dataclass(frozen=True, slots=True)
class Named:
    """A mention of a point, or of one of several with one name, by its first and last token; -1 for nowhere."""

    start: int
    end: int
    points: frozenset[Point]


class Reading:
    """A sentence read over a grid, with entities on one axis and labels on the other."""

    def __init__(self, grid: Grid, sentence: ParsedSentence, question: ParsedSentence, axis: int) -> None:
        self.grid, self.sentence, self.axis = grid, sentence, axis
        own = [names_in(sentence.tokens, each) for each in grid.axes]
        both = _longest_of_overlapping(chain.from_iterable(own))
        things, labels = ([each for each in own[i] if each in both] for i in (axis, 1 - axis))
        self.inside = _places_in(both)
        self.numbers = [each for each in sentence.numbers if each[0].place not in self.inside]
        self.numbers_in_names = sentence.places & self.inside
        self.things = things or _named_by_question(question, grid.axes[axis])
        self.labels = labels or self._of_adjectives()

    def _of_adjectives(self) -> list[Named]:
        """Return the first adjective that means exactly one label: *longer* means *length*."""
        found = []
        for i, token in enumerate(self.sentence.tokens):
            adjective = english().adjectives.get(token)
            measures = set(adjective.scale.measures) if adjective is not None else set()
            axis = enumerate(self.grid.axes[1 - self.axis])
            points = [point for point, names in axis if any(not measures.isdisjoint(name) for name in names)]
            if len(points) == 1:
                found.append(Named(i, i, frozenset(points)))
        return found[:1]

    def cells(self, things: Iterable[Point], labels: Iterable[Point]) -> list[Place]:
        """Return the places of some entities under some labels."""
        places = (pair if not self.axis else pair[::-1] for pair in product(things, labels))
        return [place for place in places if place in self.grid.cells]

    def cell(self, thing: Point, label: Point) -> Cell | None:
        return self.grid.cells.get((label, thing) if self.axis else (thing, label))

    def ways(self, numbers: Sequence[Sequence[Number]]) -> Iterator[tuple[Mention, ...]]:
        """Yield the ways to assign the numbers to entities."""
        mentions = [Mention(each.end, each.points) for each in self.things]
        return mention_assignments(mentions, [each[0].place for each in numbers])

    def holds(self, place: Place, wanted: Sequence[Number]) -> bool:
        """True if a cell has a number, in its unit."""
        unit, own = unit_of(self.sentence.tokens, wanted[0]), self.grid.cells[place].unit
        return self.grid.offered[place].hold(wanted, self.sentence.words) and not (own and is_another(unit, own))

    @cached_property
    def label_of(self) -> Mapping[int, frozenset[Point]]:
        """The labels of the numbers that have one, by their places."""
        found = {value: name for run, values in self._lists() for name, value in zip(run, values, strict=True)}
        used = list(found.values())
        for _, _, place, at in sorted(self._near(found)):
            label = next(each for each in self.labels if each.start <= at <= each.end)
            if place not in found and label not in used:
                found[place] = label
                used.append(label)
        if (len(self.numbers) == 1 and len(self.labels) == 1) or self.is_comparing:
            by_place = {each[0].place: unit_of(self.sentence.tokens, each[0]) for each in self.numbers}
            units = {unit for place, unit in by_place.items() if place in found}
            units = units or {unit_of(self.sentence.tokens, self.numbers[-1][0])}
            found = {place: self.labels[0] for place, unit in by_place.items() if unit in units} | found
        return {place: name.points for place, name in found.items()}

    def _near(self, labelled: Collection[int]) -> Iterator[tuple[int, int, int, int]]:
        """Yield the labels near the numbers without one: distance and side, and the places of number and label."""
        places = (each[0].place for each in self.numbers)
        for place, step in product(places, (-1, 1)):
            at = self._reached(place, step) if place not in labelled else -1
            if at >= 0:
                yield abs(at - place), step, place, at

    @cached_property
    def lineup(self) -> list[Point]:
        """The entities that a sentence names, each once, in their order."""
        named = [next(iter(each.points)) for each in self.things if each.end >= 0 and len(each.points) == 1]
        return list(dict.fromkeys(named))

    @property
    def is_comparing(self) -> bool:
        """True for one label of several entities."""
        is_told = not self.axis or len(self.numbers) == len(self.lineup)
        return is_told and len(self.lineup) > 1 and len(self.labels) == 1

    def _reached(self, place: int, step: int) -> int:
        """Return the place of the nearest label on one side of a number, in its clause; -2 if there is none."""
        tokens, starts = self.sentence.tokens, self.sentence.clauses
        inside = _places_in(self.labels)
        i = place + step
        while 0 <= i < len(tokens) and (i + 1 if step < 0 else i) not in starts:
            if i in inside:
                return i
            is_small = tokens[i] in STOP_WORDS | bounding() | known_units() or i in self.inside
            is_parting = tokens[i] in _PARTING and tokens[i - 1] not in bounding()
            if is_parting or is_number(tokens[i]) or not (is_small or tokens[i] == _THAN):
                return -2
            i += step
        return -2

    def _lists(self) -> Iterator[tuple[Sequence[Named], Sequence[int]]]:
        """Yield the labels of a list, with the numbers of a list of the same length behind it."""
        runs = self._runs([(each.start, each.end) for each in self.labels])
        values = self._runs([(each[0].place, each[0].place) for each in self.numbers])
        for run, own in product(runs, values):
            places = list(self._valued([self.numbers[i][0].place for i in own]))
            if len(run) == len(places) > 1 and self.labels[run[-1]].end < places[0][0]:
                yield from (([self.labels[i]], [place]) for i, each in zip(run, places, strict=True) for place in each)

    def _valued(self, places: Sequence[int]) -> Iterator[list[int]]:
        """Yield the numbers of each value in a list: *10 (40) and 3*."""
        values: list[list[int]] = []
        for place in places:
            is_next = not values or place in self.sentence.clauses or self.sentence.tokens[place - 1] in _LISTING
            (values.append([place]) if is_next else values[-1].append(place))
        yield from values

    def _runs(self, spans: Sequence[tuple[int, int]]) -> list[list[int]]:
        """Group neighbours with nothing but joining words between them."""
        runs: list[list[int]] = []
        for i, (start, _) in enumerate(spans):
            between = self.sentence.tokens[spans[i - 1][1] + 1 : start]
            has_unit = between[:1] and between[0] not in _LISTING and is_number(self.sentence.tokens[spans[i - 1][1]])
            if i and _LISTING.issuperset(between[1:] if has_unit else between):
                runs[-1].append(i)
            else:
                runs.append([i])
        return runs


def _places_in(names: Iterable[Named]) -> frozenset[int]:
    """Return the places of the tokens of some names."""
    return frozenset(chain.from_iterable(range(each.start, each.end + 1) for each in names))


def _named_by_question(question: ParsedSentence, axis: Sequence[Sequence[Name]]) -> list[Named]:
    return [Named(-1, -1, each.points) for each in names_in(question.tokens, axis)][:1]


def names_in(tokens: Sequence[str], axis: Sequence[Sequence[Name]]) -> list[Named]:
    """Return the mentions of an axis's names in some tokens; of overlapping ones, the longest.

    >>> axis = [[("plate",)], [("half", "plate")]]
    >>> [(each.start, sorted(each.points)) for each in names_in("a half plate is no plate".split(), axis)]
    [(1, [1]), (5, [0])]
    """
    at: dict[tuple[int, int], set[Point]] = {}
    for point, names in enumerate(axis):
        for name in filter(None, names):
            for start in _places(name, tokens):
                at.setdefault((start, start + len(name) - 1), set()).add(point)
    return _longest_of_overlapping(Named(start, end, frozenset(points)) for (start, end), points in at.items())


def _longest_of_overlapping(names: Iterable[Named]) -> list[Named]:
    """Return the mentions without those that overlap longer ones."""
    kept: list[Named] = []
    for name in sorted(names, key=lambda each: (each.start - each.end, each.start)):
        if all(name.end < each.start or name.start > each.end for each in kept):
            kept.append(name)
    return sorted(kept, key=lambda each: each.start)


def _places(name: Name, tokens: Sequence[str]) -> Iterator[int]:
    """Yield the places where a name begins; its words may have another order, as in *Dragon, Red*."""
    size, words = len(name), sorted(name)
    return (i for i in range(len(tokens) - size + 1) if tokens[i] in name and sorted(tokens[i : i + size]) == words)


def is_another(unit: str, other: str) -> bool:
    """True if two units are different ones of one dimension, and neither is short for the other.

    >>> is_another("foot", "m"), is_another("meter", "m"), is_another("crew", "m")
    (True, False, False)
    """
    unit, is_long = _shortened(unit)
    if not unit or unit_named(unit) == unit_named(other) or may_abbreviate(unit, other):
        return False
    if is_long and other[1:].replace("ib", "b").startswith(unit[1:]):
        return True
    return any({unit, other} <= each.units for each in english().dimensions)


def _shortened(unit: str) -> tuple[str, bool]:
    """Return a unit by its initials, *tb* for *terabyte*, and whether it was longer."""
    match = _PREFIXED.fullmatch(unit)
    return (f"{match[1][0]}{match[2][0]}", True) if match is not None else (unit, False)


def may_abbreviate(one: str, other: str) -> bool:
    """True if one of two units may be short for the other: *kb* for *kilobyte*, but not *g* for *kg*."""
    short, long = sorted((one, other), key=len)
    letters = iter(long)
    return short[0] == long[0] and all(letter in letters for letter in short)
