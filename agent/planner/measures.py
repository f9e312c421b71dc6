"""What numbers belong to, as the vocabularies of the domains say it; nothing of it is known here."""

from __future__ import annotations

from functools import cache

from retrieval.text import phrase
from retrieval.vocabulary import Term, vocabulary


@cache
def measures() -> frozenset[str]:
    """All terms that a number may belong to."""
    return frozenset(_name(term) for term in vocabulary().terms)


@cache
def selecting() -> frozenset[str]:
    """The terms whose numbers choose a row or a column: a level is not how much there is of something."""
    return frozenset(_name(term) for term in vocabulary().terms if term.selects)


@cache
def scales() -> frozenset[str]:
    """The terms whose numbers only designate; of all others there are so many."""
    return frozenset(_name(term) for term in vocabulary().terms if not term.counted)


@cache
def adjusting() -> frozenset[str]:
    """The terms whose numbers change a value more often than they choose one."""
    return frozenset(_name(term) for term in vocabulary().terms if term.adjusts)


def _name(term: Term) -> str:
    return " ".join(phrase(term.name))
