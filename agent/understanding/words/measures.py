"""What numbers belong to, as the vocabularies of the domains say it; nothing of it is known here."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from retrieval.text.normal import phrase
from retrieval.text.vocabulary import Term, vocabulary


@cache
def measures() -> frozenset[str]:
    """All terms that a number may belong to."""
    return frozenset(map(_name, vocabulary().terms))


@cache
def selecting() -> frozenset[str]:
    """The terms whose numbers choose a row or a column: a level is not how much there is of something."""
    return frozenset(_name(term) for term in vocabulary().terms if term.selects)


@cache
def scales() -> frozenset[str]:
    """The terms whose numbers only designate; of all others there are so many."""
    return frozenset(_name(term) for term in vocabulary().terms if not term.counted)


@cache
def named_everywhere() -> frozenset[str]:
    """The terms that every source calls by their names, where the table of another may head its column *score*."""
    plain = (term for term in vocabulary().terms if term.selects and not (term.adjusts or term.counted))
    return frozenset(map(_name, plain))


@cache
def of_others() -> Mapping[str, frozenset[str]]:
    """The terms that may be another's, each with the words before it that say so."""
    return {_name(term): frozenset(term.others) for term in vocabulary().terms if term.others}


@cache
def in_dice() -> frozenset[str]:
    """The terms that are numbers of dice."""
    drawn = {word for each in vocabulary().drawn for word in each.split()}  # as written: the normal form has one word
    return frozenset(_name(term) for term in vocabulary().terms if not drawn.isdisjoint(term.name.split()))


def _name(term: Term) -> str:
    return " ".join(phrase(term.name))
