"""Numbers that a text gives for bands of another one: *up to 10 m for 3 gp, 20 m or less for 5 gp*.

Whoever tells one of them for 15 m names a number that stands nowhere, and it is the second that holds for it. A band
reaches to the end that is told, from where the one before it ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.writing.texts.claims import Said
from agent.writing.texts.facts import text_of, unit_of
from agent.writing.texts.numbers import Number, is_plain, numbers_of_plain, plain
from retrieval.text.normal import normal
from retrieval.types import Chunk

Placed = tuple[frozenset[int], frozenset[int]]
"""The places of the numbers that are told as they should be, and of those that are not."""


@dataclass(frozen=True, slots=True)
class _Band:
    """From where to where it reaches, in a unit, and what is told for it."""

    low: float
    high: float
    unit: str
    told: frozenset[str]


def by_bands(sentence: Said, cited: Sequence[Chunk]) -> Placed:
    """Return the numbers that lie in bands of the sources, with those that are told for them; and those of other bands.

    >>> from agent.writing.texts.claims import said
    >>> toll = Chunk("1", "Up to 10 tons pay 3 gp, from 11 to 20 tons 5 gp.", "Toll")
    >>> [tuple(map(sorted, by_bands(said(f"{many} tons pay 5 gp"), [toll]))) for many in (15, 5)]
    [([0, 3], []), ([], [3])]
    """
    numbers = [one[0] for one in sentence.numbers]
    units = {each.place: unit_of(sentence.tokens, each) for each in numbers}
    tied: set[int] = set()
    broken: set[int] = set()
    for bands in (bands for chunk in cited for bands in _bands_of(chunk)):
        for key in (each for each in numbers if is_plain(each) and not each.bound and not each.is_end):
            alike = sum(units[each.place] == units[key.place] for each in numbers)
            around = sentence.words_around(key.place) if alike > 1 else sentence.words
            own = [each for each in bands if each.unit == units[key.place] and each.low < float(key.value) <= each.high]
            for other in (each for each in numbers if own and each.place != key.place and each.value in around):
                if any(other.value in each.told for each in own):
                    tied |= {key.place, other.place}
                elif any(other.value in each.told for each in bands):
                    broken.add(other.place)
    return frozenset(tied), frozenset(broken)


@lru_cache(maxsize=512)
def _bands_of(chunk: Chunk) -> tuple[tuple[_Band, ...], ...]:
    """The bands of each line of a text that has several of one unit."""
    found = (tuple(_of_line(line)) for line in text_of(chunk).split("\n") if " | " not in line)
    return tuple(bands for bands in found if len({each.high for each in bands}) > 1)


def _of_line(line: str) -> Iterator[_Band]:
    """The bands of a line that tells an end of one: each end with the numbers behind it, up to the next."""
    tokens, numbers = normal(plain(line)), numbers_of_plain(plain(line))
    units = [unit_of(tokens, each) for each in numbers]
    of_ends = (behind for each, behind in zip(numbers, units, strict=True) if each.bound or each.is_end)
    unit = next(filter(None, of_ends), "")
    groups: list[tuple[list[Number], list[str]]] = []
    for each, behind in zip(numbers, units, strict=True):
        is_last = bool(groups) and each.is_end and groups[-1][0][-1].place == each.place - 2
        if is_last:
            groups[-1][0].append(each)
        elif behind == unit or each.is_end:
            groups.append(([each], []))
        elif groups:
            groups[-1][1].append(each.value)
    reached = 0.0
    for ends, told in groups if unit else ():
        values = [float(each.value) for each in ends if is_plain(each)]
        if values and told:
            is_least = len(values) == 1 and ends[0].bound == "least"
            low = min(values) - 1 if len(values) > 1 or is_least else reached
            high = float("inf") if is_least else max(values)
            yield _Band(low, high, unit, frozenset(told))
        reached = max(values, default=reached)
