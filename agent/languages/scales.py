"""What adjectives grade: scales with two ends, the forms that ask for an end, and the dimensions of numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from agent.languages.operations import End
from agent.languages.phrases import Phrase

Degree = Literal["positive", "comparative", "superlative"]


@dataclass(frozen=True, slots=True)
class Scale:
    """Measures that an adjective grades: it asks for the high end of those in `high`, and for the low end of those in
    `low`.

    If `alone`, the adjective names a measure only if the question names no other. `instead` are measures that rank
    members of a kind without those of the scale. `usual` is the end for any other measure that the question names: for
    *the most accurate by recall* the high one. `of_any` is for an adjective that may grade any amount. What
    something *does* is graded by the measures in `doing` first: *how long does it burn* asks for a time. An adjective
    `counts` if it also says how many have a value: *the most common colour*.
    """

    high: Phrase
    low: Phrase
    alone: bool = False
    instead: Phrase = ()
    usual: End | None = None
    of_any: bool = False
    doing: Phrase = ()
    counts: bool = False

    def asks_high_of(self, measures: Collection[str]) -> bool:
        """True if more of the adjective is the high end of one of the measures: *late* asks for it of dates."""
        return any(measure in measures for measure in self.high)

    @property
    def measures(self) -> Phrase:
        """All measures, first the one that the adjective alone names."""
        return (*self.high, *self.low)


@dataclass(frozen=True, slots=True)
class Adjective:
    """A form of an adjective; `up` is true for *heavy*, false for *light*."""

    scale: Scale
    up: bool
    degree: Degree

    @property
    def of_deed(self) -> Adjective:
        """The adjective as it grades what something does."""
        scale = self.scale
        high = (*scale.doing, *(measure for measure in scale.high if measure not in scale.doing))
        return replace(self, scale=replace(scale, high=high)) if scale.doing else self


@dataclass(frozen=True, slots=True)
class Ending:
    """A word that asks for an end of a scale; `high` says which one, or whether it is the better one."""

    high: bool
    degree: Degree

    def is_superlative(self, *, high: bool) -> bool:
        """True for a superlative of one end: *highest*."""
        return self.high == high and self.degree == "superlative"


def extreme(ends: Mapping[str, Ending], *, high: bool) -> str:
    """Return the superlative among words for ends that fits any measure.

    >>> extreme({"higher": Ending(True, "comparative"), "greatest": Ending(True, "superlative")}, high=True)
    'greatest'
    """
    *_, word = (word for word, end in ends.items() if end.is_superlative(high=high))
    return word


def superlative_of(word: str, adjectives: Mapping[str, Adjective], ends: Mapping[str, Ending]) -> str:
    """Return the superlative of a comparative; empty if it is none.

    >>> superlative_of("more", {}, {"more": Ending(True, "comparative"), "most": Ending(True, "superlative")})
    'most'
    """
    if (meant := adjectives.get(word)) is not None:
        same = (each for each, other in adjectives.items() if other == replace(meant, degree="superlative"))
        return next(same, "")
    return extreme(ends, high=ends[word].high) if word in ends else ""


@dataclass(frozen=True, slots=True)
class Dimension:
    """A dimension of numbers: its measures, its verbs and its units.

    Behind a verb of `bearing` a measure belongs to something else: *carries more weight*.
    """

    measures: frozenset[str]
    verbs: frozenset[str]
    units: frozenset[str]
    bearing: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Ranges:
    """Words for a range of numbers, for its low and high end, for no upper end, and for an end as such."""

    whole: frozenset[str]
    low: frozenset[str]
    high: frozenset[str]
    endless: frozenset[str]
    limits: frozenset[str]

    def end_of(self, word: str) -> End | None:
        """Return the end of a range that a word stands for."""
        if word in self.low:
            return "low"
        return "high" if word in self.high else None

    @property
    def words(self) -> frozenset[str]:
        """All words for a range or one of its ends."""
        return self.whole | self.low | self.high


@dataclass(frozen=True, slots=True)
class Spans:
    """Words for the ends of a span of times: verbs, words before one that asks for a time, and what joins the ends."""

    opening: frozenset[str]
    closing: frozenset[str]
    since: frozenset[str]
    until: frozenset[str]
    joints: frozenset[str]

    def end_of(self, verb: str) -> End | None:
        """Return the end of a span that a verb speaks of."""
        return "low" if verb in self.opening else "high" if verb in self.closing else None
