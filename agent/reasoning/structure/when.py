"""Dates that a question asks for, *on which day*, or limits values by: *released in August 2013*, *since May 2012*."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.languages.language import Language
from agent.languages.phrases import found
from agent.reasoning.dates import CellDate, date_of
from agent.understanding.numbers import Number
from agent.understanding.tagged import Tagged

_MOSTLY = 0.5
"""The share of the values of a label that have to be dates."""
_REACH = 3
"""Tokens of a date, its year the last."""


@dataclass(frozen=True, slots=True)
class When:
    """A date of a question with the words that it is said by; values are to be within it, or before or after it."""

    date: CellDate
    words: frozenset[str]
    is_before: bool = False
    is_after: bool = False
    is_since: bool = False

    def holds(self, text: str) -> bool | None:
        """Whether a value is a date as asked; None for what is none, and for a year of which a month is asked.

        >>> May, after = CellDate(2012, 5), When(CellDate(2012, 5), frozenset(), is_after=True)
        >>> [When(May, frozenset()).holds(text) for text in ("May 2012", "June 2012", "2012", "soon")]
        [True, False, None, None]
        >>> after.holds("June 2012"), after.holds("3 May 2012")
        (True, False)
        """
        value = date_of(text)
        if value is None:
            return None
        if self.is_before or self.is_after or self.is_since:
            return self._is_beyond(value)
        if self.date.holds(value):
            return True
        is_apart = value.last < self.date.first or self.date.last < value.first
        return False if is_apart else None

    def _is_beyond(self, value: CellDate) -> bool | None:
        """Whether a date is before, after or not before this one; None where one covers the other in part."""
        if self.is_before:
            held, denied = value.last < self.date.first, value.first >= self.date.first
        elif self.is_after:
            held, denied = value.first > self.date.last, value.last <= self.date.last
        else:
            held, denied = value.first >= self.date.first, value.last < self.date.first
        return held if held or denied else None


def asks_when(question: Tagged) -> bool:
    """True for a question that begins by asking for a time: *when*, *in what year*.

    >>> from agent.understanding.tagged import tagged
    >>> [asks_when(tagged(text)) for text in ("On which day did it sail?", "What does it do when it sails?")]
    [True, False]
    """
    starts = (found(question.tokens, said) for said in question.language.answers.get("time", ()))
    return any(at == 0 or (at == 1 and question.tokens[0] in question.language.small) for at in starts)


def words_for_time(language: Language) -> frozenset[str]:
    """The words by which a time is asked for: the *day* of *which day*."""
    return frozenset(word for said in language.answers.get("time", ()) for word in said)


def when_asked(question: Tagged, n: Number, texts: Sequence[str]) -> When | None:
    """The date that a number of the question is the year of, where the values of a label are dates."""
    dated = [text for text in texts if date_of(text) is not None]
    if n.limit is not None or len(dated) < max(1, _MOSTLY * len(texts)):
        return None
    for first in range(max(0, n.place + 1 - _REACH), n.place + 1):
        said = question.tokens[first : n.place + 1]
        date = date_of(" ".join(said))
        if date is None:
            continue
        before = question.tokens[first - 1] if first else ""
        limits = question.language.date_limits
        words = frozenset((*said[:-1], before) if any(before in each for each in limits) else said[:-1])
        return When(date, words, *(before in each for each in limits))
    return None
