"""What a language tells by sentences, and asks for so: dates, occasions, places, reasons; and its light words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from agent.languages.lists import Lists, listed
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
    def answer_phrases(self) -> frozenset[Phrase]:
        """The phrases that ask for an answer of any kind."""
        return frozenset(said for phrases in self.answers.values() for said in phrases)

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

    about = listed("ranges", "about")
    """Words before a number that is not exact."""

    @cached_property
    def bounds(self) -> Mapping[str, tuple[Phrase, ...]]:
        """The phrases that make a number the least or the most there may be, by which of them and on which side."""
        return {name: self._phrases("bounds", name) for name in self._section("bounds")}

    @cached_property
    def set_against(self) -> tuple[Phrase, ...]:
        """The phrases that set one number against another: *9 versus 4*."""
        return self._phrases("names", "set_against")

    participles = listed("verbs", "participles")
    """How the participles of verbs end; what ends so is no order."""

    speaking = listed("verbs", "speaking")
    """Verbs of a clause that only says how it is asked: *if you don't mind*."""

    standing = listed("verbs", "standing")
    """Verbs that say before a word of place no more than that something is there: *found in*, *located at*."""

    elements = listed("documents", "elements")
    """What documents are made of: where something stands, and not what it is."""

    @cached_property
    def months(self) -> Phrase:
        """The months, in their order."""
        return tuple(self._section("dates").get("months", ()))

    @cached_property
    def before_years(self) -> Mapping[str, str]:
        """What stands before a year that limits others, each with the label of a table that means the same."""
        labels = {"before": "< {}", "after": "> {}", "since": "{} or more"}
        return {word: label for name, label in labels.items() for word in self._words("dates", name)}

    years = listed("dates", "years")
    """What heads are called that are years."""

    dates = listed("dates", "measures")
    """The measures that dates are values of."""

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

    sorts = listed("questions", "sorts")
    """What asks which of something it is: the *kind* of *what kind of*."""

    holders = listed("documents", "holders")
    """What may be a part of documents behind a word for a place: *in the ferry data*."""

    holding = listed("verbs", "holding")
    """Other words for to have something as a part: *contains*."""

    @cached_property
    def light(self) -> tuple[Phrase, ...]:
        """Verbs and particles that say little beside others."""
        return self._phrases("verbs", "light")

    @cached_property
    def prose(self) -> tuple[Phrase, ...]:
        """The phrases that ask for sentences and not for a value."""
        return tuple(said for kind in _TOLD_BY_SENTENCES for said in self.answers.get(kind, ()))

    measuring = listed("questions", "measuring")
    """What stands before the unit that an answer is to be in."""
