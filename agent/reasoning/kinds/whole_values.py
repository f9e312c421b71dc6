"""Values that a question has as a whole.

The *Dock 12* of *which Dock 12 boats* is a value with a number, and sets no limit: it chooses the members that have it.
The *Highest* of *which accounts have Highest as their queue priority* asks for no superlative.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from agent.languages.language import Language
from agent.reasoning.kinds.member import Label, Member
from agent.reasoning.values.dates import date_of
from agent.understanding.question.numbers import Number
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA, tokens_of
from agent.understanding.words.proper import has_run
from retrieval.text.normal import is_number, phrase

LISTED = re.compile(r"[,;]")
"""The separators of a list."""
_FEWEST_WORDS, _MOST_WORDS = 2, 4
"""The words of a value that a question may have as a whole, with its number or without one."""


def words_of(text: str, question: Tagged) -> Label:
    """Return the words of a text in the form of a question's tokens: *cannot* becomes *can not*, and *two*
    becomes 2.
    """
    return tuple(question.language.numbers.get(word, word) for word in tokens_of(text)[:-1])


def has_value(member: Member, label: Label, words: Label, question: Tagged) -> bool:
    """True if a member's value under a label, or an item of it, is exactly these words."""
    text = member.texts.get(label, "")
    return any(words_of(item, question) == words for item in (text, *LISTED.split(text)))


def is_of_all(member: Member, label: Label, language: Language) -> bool:
    """True if a member's value under a label is for all things: *all models*. A longer one may make exceptions."""
    said = phrase(member.texts.get(label, ""))
    return 0 < len(said) <= _FEWEST_WORDS and said[0] in language.every


class Said(NamedTuple):
    """A whole value around a number in the question: its label, its words, and their places."""

    label: Label
    words: Label
    places: range


def said_around(n: Number, question: Tagged, members: Sequence[Member]) -> Said | None:
    """Return the value of several words that a number is part of, under the label where most members have it; None if
    there is none. A date is none: *after May 2016* may end with it.
    """
    found: Counter[Said] = Counter()
    for value in (value for member in members for value in member.values if n.value in value.text):
        words = words_of(value.text, question)
        is_value = (
            _FEWEST_WORDS <= len(words) <= _MOST_WORDS and any(map(str.isalpha, words)) and date_of(value.text) is None
        )
        for start in range(max(0, n.place - len(words) + 1), n.place + 1) if is_value else ():
            if question.tokens[start : start + len(words)] == words:
                found[Said(value.words, words, range(start, start + len(words)))] += 1
                break
    return max(found, key=lambda said: (len(said.places), found[said], said.label), default=None)


def letter_behind_label(question: Tagged, members: Sequence[Member]) -> Said | None:
    """Return a value of one letter behind its label at the end of a clause, the *grade A* of *which packs are grade A*:
    there it is no article.
    """
    tokens = question.tokens
    for place in range(1, len(tokens) - 1):
        if len(tokens[place]) != 1 or not tokens[place].isalpha() or tokens[place + 1] != COMMA:
            continue
        before = tokens[place - 1 : place]
        labels = {value.words for member in members[:1] for value in member.values if value.words[-1:] == before}
        for label in labels:
            if any(phrase(member.texts.get(label, "")) == tokens[place : place + 1] for member in members):
                return Said(label, tokens[place : place + 1], range(place - 1, place + 1))
    return None


def value_within(question: Tagged, members: Sequence[Member], called: Collection[str] = ()) -> Said | None:
    """Return the only value of several words that the question has as a whole, the *car ferry* of *which car ferry*;
    None if there is none, or several, or if its words are all `called`, which are names of the members.
    """
    if not question.negated and (letter := letter_behind_label(question, members)) is not None:
        return letter
    tokens = question.tokens
    spans = [range(at, at + size) for size in range(_FEWEST_WORDS, _MOST_WORDS + 1) for at in range(len(tokens))]
    said = {tokens[span.start : span.stop]: span for span in spans}
    values = {(each.words, phrase(each.text)) for member in members for each in member.values}
    plain = ((label, words) for label, words in values if not any(map(is_number, words)))
    found = [Said(label, words, said[words]) for label, words in plain if words in said]
    if len(found) != 1 or question.negated or {*found[0].words} <= {*called}:
        return None
    (one,) = found
    having = (member for member in members if has_run(member.texts.get(one.label, ""), one.words))
    return one if all(has_value(member, one.label, one.words, question) for member in having) else None
