"""What a language tells by sentences, and asks for so: dates, occasions, places, reasons; and its light words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from agent.languages.lists import Lists
from agent.languages.phrases import Phrase
from retrieval.text.normal import phrase

_TOLD_BY_SENTENCES = ("reason", "manner", "outcome", "overview")
"""The kinds of answer that no value is."""


class Sentences(Lists):
    """The part of a language that is about sentences and their answers."""

    @cached_property
    def answers(self) -> Mapping[str, tuple[Phrase, ...]]:
        """The phrases that ask for an answer of a kind, by the kind."""
        return {kind: self._phrases("answers", kind) for kind in self._section("answers")}

    @cached_property
    def told_by(self) -> Mapping[str, tuple[Phrase, ...]]:
        """The phrases by which a sentence tells a date, an occasion, a place and so on."""
        told = {kind: self._phrases("sentences", kind) for kind in self._section("sentences")}
        months = tuple((month,) for month in self.months if month not in self._words("asking", "possible"))
        return told | {"dates": (*told.get("dates", ()), *months)}

    def telling(self, kind: str) -> frozenset[str]:
        """The words of the phrases by which a sentence tells something of a kind."""
        return self._telling.get(kind, frozenset())

    @cached_property
    def _telling(self) -> Mapping[str, frozenset[str]]:
        return {kind: frozenset(word for said in phrases for word in said) for kind, phrases in self.told_by.items()}

    @cached_property
    def about(self) -> frozenset[str]:
        """Words before a number that is not exact."""
        return self._words("ranges", "about")

    @cached_property
    def standing(self) -> frozenset[str]:
        """Verbs that say before a word of place no more than that something is there: *found in*, *located at*."""
        return self._words("verbs", "standing")

    @cached_property
    def elements(self) -> frozenset[str]:
        """What documents are made of: where something stands, and not what it is."""
        return self._words("documents", "elements")

    @cached_property
    def months(self) -> Phrase:
        """The months, in their order."""
        return tuple(self._section("dates").get("months", ()))

    @cached_property
    def before_years(self) -> Mapping[str, str]:
        """What stands before a year that limits others, each with the label of a table that means the same."""
        labels = {"before": "< {}", "after": "> {}", "since": "{} or more"}
        return {word: label for name, label in labels.items() for word in self._words("dates", name)}

    @cached_property
    def years(self) -> frozenset[str]:
        """What heads are called that are years."""
        return self._words("dates", "years")

    @cached_property
    def dates(self) -> frozenset[str]:
        """The measures that dates are values of."""
        return self._words("dates", "measures")

    @cached_property
    def changes(self) -> Mapping[str, frozenset[str]]:
        """Words that say which way a value went, by the way: *high* or *low*."""
        return {way: self._words("changes", way) for way in self._section("changes")}

    @cached_property
    def opposed(self) -> Mapping[str, frozenset[str]]:
        """For each particle those that say the contrary of it: *off* of *on*."""
        found: dict[str, frozenset[str]] = {}
        for pair in self._section("particles").get("opposed", ()):
            one, other = (phrase(word)[0] for word in pair)
            found[one] = found.get(one, frozenset()) | {other}
            found[other] = found.get(other, frozenset()) | {one}
        return found

    @cached_property
    def sorts(self) -> frozenset[str]:
        """What asks which of something it is: the *kind* of *what kind of*."""
        return self._words("questions", "sorts")

    @cached_property
    def holders(self) -> frozenset[str]:
        """What may be a part of documents behind a word for a place: *in the ferry data*."""
        return self._words("documents", "holders")

    @cached_property
    def holding(self) -> frozenset[str]:
        """Other words for to have something as a part: *contains*."""
        return self._words("verbs", "holding")

    @cached_property
    def light(self) -> tuple[Phrase, ...]:
        """Verbs and particles that say little beside others."""
        return self._phrases("verbs", "light")

    @cached_property
    def prose(self) -> tuple[Phrase, ...]:
        """The phrases that ask for sentences and not for a value."""
        return tuple(said for kind in _TOLD_BY_SENTENCES for said in self.answers.get(kind, ()))

    @cached_property
    def measuring(self) -> frozenset[str]:
        """What stands before the unit that an answer is to be in."""
        return self._words("questions", "measuring")
