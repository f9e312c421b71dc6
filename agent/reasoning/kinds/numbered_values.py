"""Values with a number in them that a question says whole: the *Dock 12* of *which Dock 12 boats*.

Such a number limits nothing. Those are meant who have the value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from agent.reasoning.kinds.member import Label, Member
from agent.reasoning.values.dates import date_of
from agent.understanding.question.numbers import Number
from retrieval.text.normal import phrase

_MOST_WORDS = 4
"""Words of a value that a question may say whole."""


class Said(NamedTuple):
    """A value that is said whole around a number: the label that it stands under, its words, and their places."""

    label: Label
    words: Label
    places: range

    def is_of(self, member: Member) -> bool:
        """True for a member that has it."""
        return phrase(member.texts.get(self.label, "")) == self.words


def said_around(n: Number, tokens: Sequence[str], members: Sequence[Member]) -> Said | None:
    """The value that a number is a part of, by the label under which most members have it; None where there is none."""
    found: Counter[Said] = Counter()
    for member in members if n.limit is None else ():
        for value in member.values:
            if n.value not in value.text or date_of(value.text) is not None:
                continue  # of a date it may be the end: *after May 2016*
            if places := _places(phrase(value.text), n.place, tokens):
                found[Said(value.words, tokens_in(tokens, places), places)] += 1
    return max(found, key=lambda said: (len(said.places), found[said], said.label), default=None)


def tokens_in(tokens: Sequence[str], places: range) -> Label:
    """The tokens at some places."""
    return tuple(tokens[places.start : places.stop])


def _places(words: Label, place: int, tokens: Sequence[str]) -> range:
    """Where a text of several words, one of them no number, is said around a place; empty where it is not."""
    if not 1 < len(words) <= _MOST_WORDS or not any(map(str.isalpha, words)):
        return range(0)
    for start in range(max(0, place - len(words) + 1), place + 1):
        if tuple(tokens[start : start + len(words)]) == words:
            return range(start, start + len(words))
    return range(0)
