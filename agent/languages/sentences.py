"""Phrases for facts in sentences, and for questions about them: dates, occasions, places, reasons; also light words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from agent.languages.lists import Lists, listed
from agent.languages.phrases import Phrase
from agent.languages.scales import Spans
from retrieval.text.normal import phrase

_TOLD_BY_SENTENCES = ("reason", "manner", "outcome", "overview")
"""The kinds of answer that are never a single value."""


class Sentences(Lists):
    """The part of a language about sentences and their answers."""

    @cached_property
    def answers(self) -> Mapping[str, tuple[Phrase, ...]]:
        """The phrases that ask for an answer, by kind of answer."""
        return {kind: self._phrases("answers", kind) for kind in self._section("answers")}

    @cached_property
    def answer_phrases(self) -> frozenset[Phrase]:
        """The phrases that ask for an answer of any kind."""
        return frozenset(said for phrases in self.answers.values() for said in phrases)

    @cached_property
    def statement_phrases(self) -> Mapping[str, tuple[Phrase, ...]]:
        """The phrases with which a sentence states a date, an occasion, a place and so on."""
        told = {kind: self._phrases("sentences", kind) for kind in self._section("sentences")}
        months = tuple((month,) for month in self.months if month not in self._words("asking", "possible"))
        return told | {"dates": (*told.get("dates", ()), *months, *((day,) for day in self.weekdays))}

    def statement_words(self, kind: str) -> frozenset[str]:
        """Return the words of the phrases with which a sentence states something of a kind."""
        return self._telling.get(kind, frozenset())

    @cached_property
    def _telling(self) -> Mapping[str, frozenset[str]]:
        return {
            kind: frozenset(word for said in phrases for word in said)
            for kind, phrases in self.statement_phrases.items()
        }

    @cached_property
    def spans(self) -> Spans:
        """Words for a span of times and for its ends."""
        return Spans(*(self._words("spans", name) for name in ("opening", "closing", "since", "until", "joints")))

    about = listed("ranges", "about")
    """Words before an approximate number."""

    @cached_property
    def bounds(self) -> Mapping[str, tuple[Phrase, ...]]:
        """The phrases that make a number a minimum or maximum, by that and by the side of the number they stand on."""
        return {name: self._phrases("bounds", name) for name in self._section("bounds")}

    @cached_property
    def beyond(self) -> frozenset[Phrase]:
        """The words that make a limit of a number behind them, or say how far one is from it: *3 above 9*."""
        before = (said for name, said in self.bounds.items() if name.endswith("_before"))
        return frozenset(each for said in before for each in said if len(each) == 1)

    @cached_property
    def set_against(self) -> tuple[Phrase, ...]:
        """The phrases that set one number against another: *9 versus 4*."""
        return self._phrases("names", "set_against")

    participles = listed("verbs", "participles")
    """The endings of participles; a word that ends so is no imperative."""

    speaking = listed("verbs", "speaking")
    """Verbs of a clause that only comments on the question: *if you don't mind*."""

    standing = listed("verbs", "standing")
    """Verbs that, before a word of place, only say where something is: *found in*, *located at*."""

    elements = listed("documents", "elements")
    """The elements of documents, which say where something is written."""

    @cached_property
    def months(self) -> Phrase:
        """The months, in order."""
        return tuple(self._section("dates").get("months", ()))

    @cached_property
    def weekdays(self) -> Phrase:
        """The days of the week, in order."""
        return tuple(self._section("dates").get("weekdays", ()))

    @cached_property
    def before_years(self) -> Mapping[str, str]:
        """Words that make a following year a limit, each with the notation of table labels."""
        labels = {"before": "< {}", "after": "> {}", "since": "{} or more"}
        return {word: label for name, label in labels.items() for word in self._words("dates", name)}

    years = listed("dates", "years")
    """Names of column headers for years."""

    since = listed("dates", "since")
    """Words before the beginning of what goes on: the longest *in service since 1961* is the earliest."""

    dates = listed("dates", "measures")
    """The measures whose values are dates."""

    @cached_property
    def changes(self) -> Mapping[str, frozenset[str]]:
        """Words for the direction in which a value changed, by direction: *high* or *low*."""
        return {way: self._words("changes", way) for way in self._section("changes")}

    @cached_property
    def changing(self) -> frozenset[str]:
        """Words for a change of a value, in either direction."""
        return frozenset[str]().union(*self.changes.values())

    both = listed("names", "both")
    """Words before two conditions: *in both May and June*."""

    permitting = listed("asking", "permitting")
    """Verbs that say what may be done: *allowed*."""

    contrasting = listed("names", "contrasting")
    """Words before a second condition: *but*."""

    @cached_property
    def opposite_particles(self) -> Mapping[str, frozenset[str]]:
        """The opposites of each particle: *off* for *on*."""
        found: dict[str, frozenset[str]] = {}
        for pair in self._section("particles").get("opposed", ()):
            one, other = (phrase(word)[0] for word in pair)
            found[one] = found.get(one, frozenset()) | {other}
            found[other] = found.get(other, frozenset()) | {one}
        return found

    sorts = listed("questions", "sorts")
    """Words that ask which of something it is: *kind* in *what kind of*."""

    holders = listed("documents", "holders")
    """Words for parts of documents, behind a word of place: *in the ferry data*."""

    holding = listed("verbs", "holding")
    """Synonyms for having something as a part: *contains*."""

    @cached_property
    def light(self) -> tuple[Phrase, ...]:
        """Verbs and particles with little meaning beside others."""
        return self._phrases("verbs", "light")

    @cached_property
    def prose(self) -> tuple[Phrase, ...]:
        """The phrases that ask for sentences, not for a value."""
        return tuple(said for kind in _TOLD_BY_SENTENCES for said in self.answers.get(kind, ()))

    measuring = listed("questions", "measuring")
    """Words before the unit of an answer."""
