"""Tell a statement from a question: *the jaws of a hyena are powerful* asks for no value, though its words match some.

A statement needs a clause with a verb behind its subject; a mere noun phrase, *the jaws of a hyena*, is a question.
Brackets and the heading of the text do not count. A passage copied from a collection asks nothing either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from agent.languages.language import Language, language_of, languages
from agent.understanding.words.clauses import COMMA, in_own_words, is_plural, sentences, tokens_of
from agent.understanding.words.related import is_verb, may_be_verb
from retrieval.text.normal import is_number

_QUESTION_MARK = "?"
_BRACKET = re.compile(r"\([^()]*\)")
_HEAD = re.compile(r":\s")
"""The end of a heading within a text: *Yellow mould: when touched, it …*."""
_PATH = re.compile(r"[^\W\d] > (?=[^\W\d])")
"""The separator between the headings of a passage: *Harbours > Moorings*, but not *crew > 4*."""


def is_statement(text: str) -> bool:
    """True for a text that states something, without a question, an order, or a word for the asker.

    >>> is_statement("The jaws of a hyena are powerful."), is_statement("jaws of a hyena"), is_statement("jaws it has")
    (True, False, False)
    >>> is_statement("Name the boats that can sail."), is_statement("I know it has sails"), is_statement("Is it old?")
    (False, False, False)
    """
    if _QUESTION_MARK in text:
        return False
    text = _HEAD.sub(". ", _BRACKET.sub(" ", text))
    told = sentences(text)
    language = language_of(tokens_of(text), languages())
    if len(told) > 1 and len(told[0]) == 1:
        told = told[1:]  # a heading
    if not told or _orders(told[0], text, language) or any(_asks(sentence, language) for sentence in told):
        return False
    return any(_has_clause(sentence, text, language) for sentence in told)


def is_passage(text: str) -> bool:
    """True for a text that begins with the path of its headings, as passages are stored and shown, and asks nothing.

    >>> is_passage("Harbours > Moorings The north quay"), is_passage("crew > 4"), is_passage("Which quay > harbour")
    (True, False, False)
    """
    if _QUESTION_MARK in text or not _PATH.search(text):
        return False
    told = sentences(text)
    language = language_of(tokens_of(text), languages())
    return not any(_asks(sentence, language) for sentence in told)


def _orders(said: Sequence[str], text: str, language: Language) -> bool:
    """True for a sentence that begins with an imperative, or like a question: *is there*."""
    if said[0] in _verbs(language):
        return True
    if said[0] in language.function_words or not may_be_verb(said[0], language):
        return False
    return in_own_words(said[:1], text).casefold() == said[0] and not said[0].endswith(tuple(language.participles))


def _asks(said: Sequence[str], language: Language) -> bool:
    """True for a sentence with a question word or phrase, a comparative or superlative, or a word for the asker."""
    asking = language.kinds | language.before_adjectives | language.whether | (language.persons - language.addressed)
    if not asking.isdisjoint(said) or language.asking_phrases.occur_in(tuple(said)):
        return True
    if any(language.degree_of(word) in ("comparative", "superlative") for word in said):
        return True
    return any(_asks_at(place, said, language) for place in range(len(said)))


def _asks_at(place: int, said: Sequence[str], language: Language) -> bool:
    """True for *who* or *where* at the beginning of a clause, and for *when* before a verb."""
    if (said[place],) not in language.answer_phrases:
        return False
    if said[place] in language.statement_words("conditions"):
        return not _verbs(language).isdisjoint(said[place + 1 : place + 2])
    return place == 0 or said[place - 1] == COMMA


def _has_clause(said: Sequence[str], text: str, language: Language) -> bool:
    """True for a sentence that begins with a pronoun, or with a condition before a comma, or that has a verb behind its
    subject.
    """
    if said[0] in language.pronouns | language.addressed:
        return len(said) > 1
    if said[0] in language.statement_words("conditions") and COMMA in said and not is_number(said[1]):
        return True
    return _has_pronoun_for_subject(said, language) or _has_subject(said, text, language)


def _has_pronoun_for_subject(said: Sequence[str], language: Language) -> bool:
    """True if a clause begins with a pronoun: *in winter, you can*, *while it*."""
    pronouns = language.pronouns | language.addressed
    before = language.statement_words("conditions") | language.statement_words("occasions")
    if any(word in before and behind in pronouns for word, behind in pairwise(said)):
        return True
    places = (i for i in range(1, len(said) - 1) if said[i - 1] == COMMA and said[i] in pronouns)
    return any(said[i + 1] in _verbs(language) for i in places)


def _has_subject(said: Sequence[str], text: str, language: Language) -> bool:
    """True for a verb with its subject before it."""
    before = said[: next((i for i in range(len(said)) if _is_verb_at(i, said, text, language)), 0)]
    asking = {words[0] for words in language.answer_phrases if len(words) == 1}
    relative = language.statement_words("conditions") | language.again | asking
    if not before or not relative.isdisjoint(before):
        return False
    within = language.articles | language.beside | language.of_each | language.statement_words("places") | {COMMA}
    return before[-1] not in within and not any(_begins_relative(i, before, language) for i in range(1, len(before)))


def _begins_relative(place: int, said: Sequence[str], language: Language) -> bool:
    """True for an article or pronoun right behind a noun, which begins a relative clause: *spells a wizard can
    cast*.
    """
    determiners = language.articles | language.pronouns | language.persons
    return said[place] in determiners and said[place - 1] not in language.function_words and said[place - 1] != COMMA


def _is_verb_at(place: int, said: Sequence[str], text: str, language: Language) -> bool:
    """True for a verb that any clause may have, and for another one, never a noun, between a singular noun and an
    object: *allows the*.
    """
    if said[place] in _verbs(language):
        return True
    before, word, behind = ("", *said, "")[place : place + 3]
    if behind not in language.articles | language.pronouns or not is_verb(word, language):
        return False
    return before not in {"", *language.function_words} and is_plural(word, text) and not is_plural(before, text)


def _verbs(language: Language) -> frozenset[str]:
    """Return the verbs that any clause may have behind its subject, without *mean*, which may be a noun too."""
    return language.helpers - (language.links - language.copulas)
