"""Whether all tables that tell as much of a question agree about its answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agent.understanding.program import Bound, Reading
from retrieval.text.normal import phrase


def agreed(found: Sequence[Bound]) -> Bound | None:
    """The answer of the largest table, if all tables that tell as much of the question agree with it."""
    if not found:
        return None
    widest = max(found, key=lambda bound: len(_judged(bound)))
    everybody, answers = _judged(widest), names_of(widest.readings)
    for bound in found:
        some = _judged(bound)
        is_same = bound.operation != "best" or phrase(bound.measure) == phrase(widest.measure)
        if not is_same or not some <= everybody or names_of(bound.readings) != answers & some:
            return None
    return widest


def _judged(bound: Bound) -> frozenset[str]:
    """The names of all that were held against the question."""
    return names_of((*bound.readings, *bound.unsure, *bound.without))


def names_of(readings: Iterable[Reading]) -> frozenset[str]:
    """The names of those who are told."""
    return frozenset(map(_name, readings))


def _name(reading: Reading) -> str:
    """Who it is of, without the mark of a footnote."""
    return reading.subject.text.rstrip(" *†‡")
