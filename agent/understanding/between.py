"""What may stand between things that are named side by side: *an orc, a troll or an ogre*."""

from __future__ import annotations

from collections.abc import Collection

from agent.languages.language import Language
from agent.understanding.clauses import COMMA


def joining_words(language: Language) -> frozenset[str]:
    """Return what makes the names around it alternatives."""
    return language.joining | {COMMA}


def between_words(language: Language) -> frozenset[str]:
    """Return what may stand between two alternatives."""
    return joining_words(language) | language.beside | language.articles | language.persons | language.of_each


def is_joined(between: Collection[str], language: Language) -> bool:
    """Return whether words join what stands around them: *and* or the like, and besides it small words only.

    >>> from agent.languages.language import english
    >>> is_joined({"and", "the"}, english()), is_joined({"the"}, english()), is_joined({"and", "kiln"}, english())
    (True, False, False)
    """
    small = between_words(language) | language.small
    return not language.joining.isdisjoint(between) and small.issuperset(between)
