"""What adjectives speak of: scales with two ends, the forms that ask for them, and what numbers are of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agent.languages.phrases import Phrase

Degree = Literal["positive", "comparative", "superlative"]


@dataclass(frozen=True, slots=True)
class Scale:
    """Measures that an adjective speaks of: the high end of `high` is what it has more of, and the low end of `low`.

    `alone` is true where the adjective names a measure only if the question names no other. `instead` are measures by
    which the things of a kind are ranked where it has none of those.
    """

    high: Phrase
    low: Phrase
    alone: bool = False
    instead: Phrase = ()

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


@dataclass(frozen=True, slots=True)
class Dimension:
    """What numbers are of: its measures, the verbs that speak of it, and its units."""

    measures: frozenset[str]
    verbs: frozenset[str]
    units: frozenset[str]
