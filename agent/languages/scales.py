"""What adjectives speak of: scales with two ends, the forms that ask for them, and what numbers are of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from agent.languages.operations import End
from agent.languages.phrases import Phrase

Degree = Literal["positive", "comparative", "superlative"]


@dataclass(frozen=True, slots=True)
class Scale:
    """Measures that an adjective speaks of: the high end of `high` is what it has more of, and the low end of `low`.

    `alone` is true where the adjective names a measure only if the question names no other. `instead` are measures by
    which the things of a kind are ranked where it has none of those. `usual` is the end of any other measure that a
    question says by itself: of *the most accurate by recall* the high one. `of_any` may be said of every amount.
    """

    high: Phrase
    low: Phrase
    alone: bool = False
    instead: Phrase = ()
    usual: End | None = None
    of_any: bool = False

    @property
    def measures(self) -> Phrase:
        """All of them, that which the adjective alone names first."""
        return (*self.high, *self.low)


@dataclass(frozen=True, slots=True)
class Adjective:
    """A form of an adjective; `up` is True for *heavy*, False for *light*."""

    scale: Scale
    up: bool
    degree: Degree


@dataclass(frozen=True, slots=True)
class Ending:
    """A word that asks for an end of a scale; `high` says which, or which is the better one."""

    high: bool
    degree: Degree

    def is_superlative(self, *, high: bool) -> bool:
        """True for a superlative of one end: *highest*."""
        return self.high == high and self.degree == "superlative"


def extreme(ends: Mapping[str, Ending], *, high: bool) -> str:
    """Of words for ends the superlative of one end that may be said of any measure.

    >>> extreme({"higher": Ending(True, "comparative"), "greatest": Ending(True, "superlative")}, high=True)
    'greatest'
    """
    *_, word = (word for word, end in ends.items() if end.is_superlative(high=high))
    return word


@dataclass(frozen=True, slots=True)
class Dimension:
    """What numbers are of: its measures, the verbs that speak of it, and its units.

    Behind a verb of `bearing` it is that of something else: *carries more weight*.
    """

    measures: frozenset[str]
    verbs: frozenset[str]
    units: frozenset[str]
    bearing: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Ranges:
    """Words for a range of numbers, for its two ends, what has no upper one, and what an end is."""

    whole: frozenset[str]
    low: frozenset[str]
    high: frozenset[str]
    endless: frozenset[str]
    limits: frozenset[str]

    def end_of(self, word: str) -> End | None:
        """The end of a range that a word is for."""
        if word in self.low:
            return "low"
        return "high" if word in self.high else None

    @property
    def words(self) -> frozenset[str]:
        """All of them."""
        return self.whole | self.low | self.high
