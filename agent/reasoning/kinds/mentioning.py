"""Find members whose long values mention a name in the question.

*Built by Ada Holt* may match *Built by Ada Holt and crew*, but a single word of a long value may say anything. So the
name has to be written as a proper name in the question and in the value, the word before it in the question has to
match too, and two labels must not choose different members.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from agent.languages.language import Language
from agent.languages.phrases import found
from agent.reasoning.kinds.member import Label, Member
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.proper import has_run, proper_names
from retrieval.tables.match import matches_any
from retrieval.text.normal import Tokens, phrase

_NEARLY_ALL = 0.8
"""The share of the members that need a value under the label; of the others nothing is known."""


def mentioning(
    members: Sequence[Member], word: str, question: Tagged, labels: Collection[Label], kind: Collection[str]
) -> tuple[list[Member], Label | None, frozenset[str]]:
    """Return the members with a label whose value mentions the proper name that a word belongs to, with the label and
    the words of the name; empty if that is ambiguous. Words of their `kind` may precede the name.
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
    """Return the members whose value under a label has the name and the word before it; empty if too few have the
    label.
    """
    having, some = 0, list[Member]()
    for member in members:
        text = member.texts.get(label)
        having += text is not None
        if text is not None and has_run(text, name) and (not before or matches_any(before, (*label, *phrase(text)))):
            some.append(member)
    return some if having >= _NEARLY_ALL * len(members) else []


def _word_before(name: Tokens, question: Tagged) -> str:
    """Return the last content word before a name: the *trained* of *trained by Ada Holt*."""
    tokens, small = question.tokens, question.language.function_words
    start = found(tokens, name) or 0
    return next((token for token in reversed(tokens[:start]) if token not in small), "")


def label_telling(words: Collection[str], members: Sequence[Member], language: Language) -> Label | None:
    """Return a label whose value has all of the words for every member, without a negation; None if there is none."""
    for label in members[0].texts if members else ():
        if all(_says(label, words, member, language) for member in members):
            return label
    return None


def _says(label: Label, words: Collection[str], member: Member, language: Language) -> bool:
    """True if the value under a label has all of the words, and no negation."""
    said = frozenset(phrase(member.texts.get(label, "")))
    return said.isdisjoint(language.negations) and all(matches_any(word, said) for word in words)
