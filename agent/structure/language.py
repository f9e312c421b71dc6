"""What English says to ask for values: read from `english.toml`, so that another language is another file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any, Literal

from agent.planner.attributes import degrees
from agent.structure.operations import Operation
from retrieval.text import phrase

Phrase = tuple[str, ...]
Degree = Literal["positive", "comparative", "superlative"]


@dataclass(frozen=True, slots=True)
class Scale:
    """Measures that an adjective speaks of: the high end of `high` is what it has more of, and the low end of `low`."""

    high: Phrase
    low: Phrase

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


@dataclass(frozen=True)
class Language:
    """One language's words for asking, as its file has them."""

    data: Mapping[str, Any]

    @cached_property
    def operations(self) -> tuple[tuple[Operation, Phrase], ...]:
        """The phrases that ask for an operation."""
        return tuple((name, phrase(said)) for name, all_ in self.data["operations"].items() for said in all_)

    @cached_property
    def prose(self) -> tuple[Phrase, ...]:
        """The phrases that ask for sentences and not for a value."""
        return tuple(map(phrase, self.data["questions"]["prose"]))

    @cached_property
    def negations(self) -> frozenset[str]:
        """Words that turn a question round."""
        return frozenset(self.data["questions"]["negations"])

    @cached_property
    def adjectives(self) -> Mapping[str, Adjective]:
        """Every form of the adjectives that speak of measures."""
        found: dict[str, Adjective] = {}
        for each in self.data["scales"]:
            scale = Scale(tuple(each.get("high", ())), tuple(each.get("low", ())))
            for up, name in ((True, "more"), (False, "less")):
                for word in each.get(name, ()):
                    found |= {form: Adjective(scale, up, degree) for form, degree in self._forms(word)}
        return found

    @cached_property
    def same_measures(self) -> Mapping[str, Phrase]:
        """For each measure those that are the high or the low end of the same scale: a *price* is a *cost*."""
        scales = {adjective.scale for adjective in self.adjectives.values()}
        found: dict[str, Phrase] = {}
        for same in (same for scale in scales for same in (scale.high, scale.low)):
            found |= {word: (*found.get(word, ()), *same) for word in same}
        return found

    @cached_property
    def measures(self) -> frozenset[str]:
        """Every measure that an adjective speaks of."""
        return frozenset(word for each in self.adjectives.values() for word in each.scale.measures)

    @cached_property
    def worth(self) -> Mapping[str, bool]:
        """The forms of *good* and *bad*: True where the better end is asked for."""
        worth = self.data["worth"]
        return {
            form: name == "better"
            for name in ("better", "worse")
            for word in worth[name]
            for form, degree in self._forms(word)
            if degree != "positive"
        }

    @cached_property
    def low_is_better(self) -> frozenset[str]:
        """Measures of which less is better."""
        return frozenset(self.data["worth"]["low"])

    @cached_property
    def ends(self) -> Mapping[str, bool]:
        """Words that ask for an end of any scale: True for the high one."""
        ends = self.data["ends"]
        return {word: name == "high" for name in ("high", "low") for word in ends[name]}

    def _forms(self, word: str) -> list[tuple[str, Degree]]:
        irregular = self.data["worth"]["irregular"].get(word)
        pairs = [irregular[i : i + 2] for i in range(0, len(irregular), 2)] if irregular else [degrees(word)]
        forms: list[tuple[str, Degree]] = [(word, "positive")]
        for comparative, superlative in pairs:
            forms += [(comparative, "comparative"), (superlative, "superlative")]
        return forms


@lru_cache(maxsize=1)
def english() -> Language:
    """English, read when it is first wanted."""
    return Language(tomllib.loads(files(__package__).joinpath("english.toml").read_text(encoding="utf-8")))


def found(tokens: Sequence[str], said: Phrase) -> int | None:
    """Where a phrase stands in a text; None where it does not.

    >>> found(("by", "how", "much"), ("how", "much"))
    1
    """
    places = (i for i in range(len(tokens) - len(said) + 1) if tuple(tokens[i : i + len(said)]) == said)
    return next(places, None)
