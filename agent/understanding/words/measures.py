"""The terms that numbers belong to, from the vocabularies of the domains; none is defined here."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from retrieval.text.normal import phrase
from retrieval.text.vocabulary import Term, vocabulary


@cache
def measures() -> frozenset[str]:
    """Return all terms that a number may belong to."""
    return frozenset(map(_name, vocabulary().terms))


@cache
def selecting_terms() -> frozenset[str]:
    """Return the terms whose numbers select a row or column: a level is not a quantity of something."""
    return frozenset(_name(term) for term in vocabulary().terms if term.selects)


@cache
def scales() -> frozenset[str]:
    """Return the terms whose numbers are only a rank; the numbers of all others are counts."""
    return frozenset(_name(term) for term in vocabulary().terms if not term.counted)


@cache
def named_everywhere() -> frozenset[str]:
    """Return the terms that every source calls by their names. A table may head the column of another term *score*."""
    plain = (term for term in vocabulary().terms if term.selects and not (term.adjusts or term.counted))
    return frozenset(map(_name, plain))


@cache
def possessive_terms() -> Mapping[str, frozenset[str]]:
    """Return the terms that may belong to another entity, each with the words before it that say so."""
    return {_name(term): frozenset(term.others) for term in vocabulary().terms if term.others}


@cache
def dice_terms() -> frozenset[str]:
    """Return the terms that are numbers of dice."""
    drawn = {word for each in vocabulary().drawn for word in each.split()}  # as written: the normal form is joined
    return frozenset(_name(term) for term in vocabulary().terms if not drawn.isdisjoint(term.name.split()))


def _name(term: Term) -> str:
    return " ".join(phrase(term.name))
