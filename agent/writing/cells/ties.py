"""Tie each number of a sentence to an entity and a label, and check it against the source's value there.

A number is tied if the cell of its entity and label has it (`agent.writing.cells.grid`), and broken if that cell has
another value and another cell has this number. A number derived from several cells, as a difference or for a
superlative, is tied if it is computed right, and broken if not (`agent.writing.cells.reckoned`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace

from agent.languages.language import english
from agent.understanding.words.measures import selecting_terms
from agent.writing.cells.grid import Grid, Place, grids_of, prose_grid
from agent.writing.cells.reading import Reading, names_in
from agent.writing.cells.reckoned import DerivedNumbers
from agent.writing.texts.claims import Mention, ParsedSentence, has_operation
from agent.writing.texts.facts import TEXT, facts_of, is_content_word
from agent.writing.texts.numbers import OF_ANOTHER, Number
from agent.writing.texts.units import PERCENT, TIMES, known_units
from retrieval.text.normal import normal
from retrieval.types import Chunk

_LONGEST = 14
"""A sentence with more numbers is not read."""


@dataclass(frozen=True, slots=True)
class Ties:
    """The places of numbers that stand in their cells, and of numbers whose cells have other values."""

    tied: frozenset[int] = frozenset()
    broken: frozenset[int] = frozenset()


def ties_of_sentence(
    sentence: ParsedSentence, question: ParsedSentence, before: ParsedSentence, cited: Sequence[Chunk]
) -> Ties:
    """Return the ties of a sentence's numbers over the cited chunks; a number that is tied somewhere is never broken.

    A sentence that names no entity is about those of the one `before` it, else about those of the question.
    """
    grids, context = grids_of(cited), before if before.tokens else question
    if any(names_in(sentence.tokens, grid.axes[0]) for grid in grids):
        context = replace(context, tokens=())
    ties = _merged_ties(_ties_over_grid(grid, sentence, context) for grid in grids)
    sure = Ties(ties.tied, frozenset(place for place in ties.broken if not _is_in_prose(place, sentence, cited)))
    return _merged_ties([sure, _ties_over_grid(prose_grid(cited, _words_of(sentence)), sentence, before)])


def _merged_ties(found: Iterable[Ties]) -> Ties:
    every = list(found)
    tied = frozenset[int]().union(*(each.tied for each in every))
    return Ties(tied, frozenset[int]().union(*(each.broken for each in every)) - tied)


def _words_of(sentence: ParsedSentence) -> frozenset[str]:
    """Return the words of a sentence that may be labels in a text, with the measures of its adjectives."""
    words = (
        frozenset(each for each in sentence.tokens if is_content_word(each) and not each[:1].isdecimal())
        - known_units()
    )
    adjectives = english().adjectives
    return words.union(*(adjectives[word].scale.measures for word in words & adjectives.keys()))


def _ties_over_grid(grid: Grid, sentence: ParsedSentence, context: ParsedSentence) -> Ties:
    """Return the ties over one grid. Its entities are in its rows or columns, whichever reading explains more."""
    readings = [Reading(grid, sentence, context, axis) for axis in ((0, 1) if grid.is_table else (0,))]
    made = [_ranked_ties(each) for each in readings if _is_readable(each)]
    return max(made, key=lambda each: each[0])[1] if made else Ties()


def _is_readable(reading: Reading) -> bool:
    is_sum = len(reading.lineup) > 1 and has_operation(reading.sentence.tokens, "total")
    is_told = bool(reading.labels or is_sum) and 0 < len(reading.numbers) <= _LONGEST
    return is_told and (not reading.axis or len(reading.lineup) > 1)


def _ranked_ties(reading: Reading) -> tuple[tuple[int, bool, int], Ties]:
    """Return the rank of a reading, and its ties; over a grid from prose, only derived numbers are tied."""
    reckoned = DerivedNumbers(reading)
    own = _best(reading, reckoned.places)
    tied = own.tied if reading.grid.is_given else frozenset[int]()
    tied |= reckoned.tied
    tied |= reading.numbers_in_names if tied else frozenset()
    ties = Ties(tied, (own.broken - reckoned.tied) | reckoned.broken)
    return (len(reckoned.places), reading.is_comparing, -reading.axis), ties


def _best(reading: Reading, without: Set[int]) -> Ties:
    """Return the ties of the numbers by the assignment to entities that breaks least."""
    numbers = [each for each in reading.numbers if each[0].place not in without]
    ways = [_in_way(reading, numbers, way) for way in reading.ways(numbers)]
    return min(ways, key=lambda each: (len(each.broken) - len(each.tied), len(each.broken)), default=Ties())


def _in_way(reading: Reading, numbers: Sequence[Sequence[Number]], way: Sequence[Mention]) -> Ties:
    tied, broken = set(), set()
    for own, thing in zip(numbers, way, strict=True):
        cells = reading.cells(thing.meant, reading.label_of.get(own[0].place, ()))
        holding = [each for each in cells if reading.holds(each, own)]
        if holding and (len(thing.meant) == 1 or len(holding) == len(cells)):
            tied.add(own[0].place)
        elif cells and not holding and _may_break(own, cells, reading):
            broken.add(own[0].place)
    return Ties(frozenset(tied), frozenset(broken))


def _may_break(wanted: Sequence[Number], cells: Sequence[Place], reading: Reading) -> bool:
    """True if a number that is not in its cells stands in others, and is no selecting number as in *at level 9*."""
    grid = reading.grid
    names = {name for place in cells for axis, i in zip(grid.axes, place, strict=True) for name in axis[i]}
    measures = {each.measure.removesuffix(OF_ANOTHER) for each in wanted}
    selects = any((measure,) in names for measure in measures & selecting_terms())
    is_close = all(grid.cells[place].is_close for place in cells)
    return is_close and not selects and wanted[0].unit not in (PERCENT, TIMES) and wanted[0].value in grid.values


def _is_in_prose(place: int, sentence: ParsedSentence, cited: Sequence[Chunk]) -> bool:
    """True if a number also stands in prose, beside a word of its clause that is not in the title."""
    clause = frozenset(filter(is_content_word, sentence.words_around(place))) - known_units()
    for chunk in cited:
        words = clause - frozenset(normal(" ".join((chunk.title, *chunk.headings))))
        texts = (fact for fact in facts_of(chunk) if fact.of <= TEXT and not (fact.label or fact.is_bare))
        if any(fact.has(sentence.tokens[place]) and not words.isdisjoint(fact.words) for fact in texts):
            return True
    return False
