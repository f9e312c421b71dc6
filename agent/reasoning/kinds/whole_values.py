"""Values that a question says whole.

The *Dock 12* of *which Dock 12 boats* is a value with a number in it, which limits nothing: those are meant who have
it. So is the *Highest* of *which accounts have Highest as their queue priority*, which asks for no end.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from agent.reasoning.kinds.member import Label, Member
from agent.reasoning.values.dates import date_of
from agent.understanding.question.numbers import Number
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import tokens_of

LISTED = re.compile(r"[,;]")
"""What stands between the items of a list."""
_MOST_WORDS = 4
"""Words of a value that a question may say whole around a number."""


def words_of(text: str, question: Tagged) -> Label:
    """A text as a question has it: *cannot* is a *not* there, and *two* a 2."""
    return tuple(question.language.numbers.get(word, word) for word in tokens_of(text)[:-1])


def has_value(member: Member, label: Label, words: Label, question: Tagged) -> bool:
    """True for a member of which a label says just some words, be it as an item of a list."""
    text = member.texts.get(label, "")
    return any(words_of(item, question) == words for item in (text, *LISTED.split(text)))


class Said(NamedTuple):
    """A value that is said whole around a number: the label that it stands under, its words, and their places."""

    label: Label
    words: Label
    places: range


def said_around(n: Number, question: Tagged, members: Sequence[Member]) -> Said | None:
    """The value of several words that a number is a part of, by the label under which most members have it; None where
    there is none. A date is none: *after May 2016* may end with it.
    """
    found: Counter[Said] = Counter()
    for value in (value for member in members for value in member.values if n.value in value.text):
        words = words_of(value.text, question)
        is_value = 1 < len(words) <= _MOST_WORDS and any(map(str.isalpha, words)) and date_of(value.text) is None
        for start in range(max(0, n.place - len(words) + 1), n.place + 1) if is_value else ():
            if question.tokens[start : start + len(words)] == words:
                found[Said(value.words, words, range(start, start + len(words)))] += 1
                break
    return max(found, key=lambda said: (len(said.places), found[said], said.label), default=None)
