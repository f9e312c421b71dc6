"""Numbers that a text gives for bands of another number: *up to 10 m for 3 gp, 20 m or less for 5 gp*.

For 15 m, a number that the source does not have, the second band applies. A band reaches from the end of the band
before it to its own end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.understanding.words.measures import selecting_terms
from agent.writing.texts.claims import ParsedSentence
from agent.writing.texts.facts import sentences_of, text_of, unit_of
from agent.writing.texts.numbers import Number, is_plain, numbers_of_plain
from agent.writing.texts.plain import plain
from retrieval.text.normal import normal
from retrieval.types import Chunk

Placed = tuple[frozenset[int], frozenset[int]]
"""The places of the numbers that fit their bands, and of those of other bands."""


@dataclass(frozen=True, slots=True)
class _Band:
    """The ends of a band, its unit, and the numbers for it."""

    low: float
    high: float
    unit: str
    told: frozenset[str]

    def holds(self, first: Number, last: Number) -> bool:
        """True if a number or a range lies in the band; an upper bound must be its end."""
        ends = [float(each.value) for each in (first, last)]
        is_within = all(self.low < end <= self.high for end in ends)
        is_open = last.bound == "least" or (last.is_end and first is last)
        return is_within and not is_open and (last.bound != "most" or ends[-1] == self.high)


def by_bands(sentence: ParsedSentence, cited: Sequence[Chunk]) -> Placed:
    """Return the places of numbers in bands of the sources and of their values, and of values of other bands.

    >>> from agent.writing.texts.claims import parse_sentence
    >>> toll = Chunk("1", "Up to 10 tons pay 3 gp, from 11 to 20 tons 5 gp.", "Toll")
    >>> [tuple(map(sorted, by_bands(parse_sentence(f"{many} tons pay 5 gp"), [toll]))) for many in (15, 5)]
    [([0, 3], []), ([], [3])]
    """
    numbers = sentence.told
    units = {each.place: _unit_of(sentence.tokens, each) for each in numbers}
    tied: set[int] = set()
    broken: set[int] = set()
    for bands in (bands for chunk in cited for bands in _bands_of(chunk)):
        for key in filter(is_plain, numbers):
            first = next((each for each in numbers if key.is_end and each.place == key.place - 2), key)
            own = [each for each in bands if each.unit == units[key.place] and each.holds(first, key)]
            ends = {first.place, key.place}
            others = [each for each in numbers if each.place not in ends]
            is_alone = all(units[each.place] != units[key.place] for each in others)
            around = sentence.words if is_alone else sentence.words_around(key.place)
            for other in (each for each in others if own and each.value in around):
                if any(other.value in each.told for each in own):
                    tied |= {*ends, other.place}
                elif any(other.value in each.told for each in bands):
                    broken.add(other.place)
    return frozenset(tied), frozenset(broken)


def _unit_of(tokens: Sequence[str], number: Number) -> str:
    """Return the measure of a number if it selects rows, else the word behind it."""
    return number.measure if number.measure in selecting_terms() else unit_of(tokens, number)


@lru_cache(maxsize=512)
def _bands_of(chunk: Chunk) -> tuple[tuple[_Band, ...], ...]:
    """Return the bands of each line of a text that has several of one unit."""
    found = (tuple(_of_line(line)) for line in text_of(chunk).split("\n") if " | " not in line)
    return tuple(bands for bands in found if len({each.high for each in bands}) > 1)


def _of_line(line: str) -> Iterator[_Band]:
    """Yield the bands of a line with a bound: each with the numbers behind it up to the next band, or with those before
    it if none stand behind the last.
    """
    read = [(normal(plain(each)), numbers_of_plain(plain(each))) for each in sentences_of(line)]
    ends = (_unit_of(tokens, each) for tokens, numbers in read for each in numbers if each.bound or each.is_end)
    unit = next(filter(None, ends), "")
    groups = [each for tokens, numbers in read for each in _groups(tokens, numbers, unit)] if unit else []
    reached = 0.0
    for own, before, behind in groups:
        values = [float(each.value) for each in own if is_plain(each)]
        told = behind if groups[-1][2] else before
        if values and told:
            is_least = len(values) == 1 and own[0].bound == "least"
            low = min(values) - 1 if len(values) > 1 or is_least else reached
            high = float("inf") if is_least else max(values)
            yield _Band(low, high, unit, frozenset(told))
        reached = max(values, default=reached)


def _groups(
    tokens: Sequence[str], numbers: Sequence[Number], unit: str
) -> list[tuple[list[Number], list[str], list[str]]]:
    """Return the numbers of a sentence in a unit, ranges as one, each with the other numbers before and behind it."""
    groups: list[tuple[list[Number], list[str], list[str]]] = []
    passed: list[str] = []
    for each in (each for each in numbers if not each.implied):
        is_last = each.is_end and bool(groups) and groups[-1][0][-1].place == each.place - 2
        later = next((other for other in numbers if each.is_end and other.place == each.place + 2), each)
        if is_last:
            groups[-1][0].append(each)
        elif unit in (_unit_of(tokens, each), _unit_of(tokens, later)):
            groups.append(([each], passed, passed := []))
        else:
            passed.append(each.value)
    return groups
