"""Members of whom a value says at length what the question says.

*Built by Ada Holt* may be said of whoever is *Built by Ada Holt and crew*; but a word that a long value has may be
said of anything. So the name has to be written as one, in the question and in the value, what the question says right
before it has to be said there too, and no two labels may say so of different ones.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from agent.languages.language import Language
from agent.languages.phrases import found
from agent.reasoning.kinds.member import Label, Member
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.proper import has_run, proper_names
from retrieval.tables.match import is_told
from retrieval.text.normal import Tokens, phrase

_NEARLY_ALL = 0.8
"""The share of the members that have a value under the label: of the others it is not known what is said."""


def mentioning(
    members: Sequence[Member], word: str, question: Tagged, labels: Collection[Label], kind: Collection[str]
) -> tuple[list[Member], Label | None, frozenset[str]]:
    """The members of whom some label says the name that the question writes and a word is part of, with the label and
    the words of the name; nobody where that is not clear. The words for their `kind` may stand before the name.
    """
    name = next((name for name in proper_names(question.question) if word in name), ())
    before = _word_before(name, question)
    before = "" if before in kind else before
    found: list[tuple[Label, list[Member]]] = []
    for label in labels if name else ():
        some = _saying(name, before, label, members)
        if some:
            found.append((label, some))
    if not found or any(some != found[0][1] for _, some in found):
        return [], None, frozenset()
    return found[0][1], found[0][0], frozenset(name)


def _saying(name: Tokens, before: str, label: Label, members: Sequence[Member]) -> list[Member]:
    """The members of whom a label says the name, and the word before it; nobody where too few have such a label."""
    having, some = 0, list[Member]()
    for member in members:
        text = member.texts.get(label)
        having += text is not None
        if text is not None and has_run(text, name) and (not before or is_told(before, (*label, *phrase(text)))):
            some.append(member)
    return some if having >= _NEARLY_ALL * len(members) else []


def _word_before(name: Tokens, question: Tagged) -> str:
    """The last word before a name that says something: the *trained* of *trained by Ada Holt*."""
    tokens, small = question.tokens, question.language.small
    start = found(tokens, name) or 0
    return next((token for token in reversed(tokens[:start]) if token not in small), "")


def label_telling(words: Collection[str], members: Sequence[Member], language: Language) -> Label | None:
    """The label that says some words of all of some members, and denies them of none; None where there is none."""
    for label in members[0].texts if members else ():
        if all(_says(label, words, member, language) for member in members):
            return label
    return None


def _says(label: Label, words: Collection[str], member: Member, language: Language) -> bool:
    """True where a label says all of some words of a member, and denies nothing."""
    said = frozenset(phrase(member.texts.get(label, "")))
    return said.isdisjoint(language.negations) and all(is_told(word, said) for word in words)
