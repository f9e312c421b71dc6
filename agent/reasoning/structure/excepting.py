"""All of a kind but one who is named: *the longest boat except the Tern*, *boats other than the Reed*."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from agent.languages.phrases import found
from agent.understanding.program import Bound
from agent.understanding.tagged import Tagged
from retrieval.tables.names import name_keys


class Excepted(NamedTuple):
    """A question without who is left out of it, and the key of that."""

    text: str
    key: str


def excepted(question: Tagged) -> Excepted | None:
    """Who is left out, and the question about all others and him; None where nobody is.

    >>> from agent.understanding.tagged import tagged
    >>> from retrieval.tables.names import Mention
    >>> excepted(tagged("the longest boat except the Tern", [Mention(5, 6, "tern")]))
    Excepted(text='the longest boat', key='tern')
    """
    tokens, language = question.tokens, question.language
    for said in language.excepting:
        start = found(tokens, said)
        if start is None:
            continue
        first = start + len(said)
        first += tokens[first] in language.articles
        name = next((each for each in question.names if each.start == first), None)
        if name is not None:
            rest = (*tokens[:start], *tokens[name.end : -1])
            return Excepted(" ".join(rest), name.key)
    return None


def without(apart: Excepted, bound: Bound | None) -> Bound | None:
    """What is bound of a kind, without who is left out; None of anything else, and where he is none of them."""
    if bound is None or not bound.is_of_kind or bound.told:
        return None
    kept = tuple(reading for reading in bound.readings if apart.key not in name_keys(reading.name))
    is_one = bound.operation == "best" and len(kept) < len(bound.readings)
    return replace(bound, readings=kept) if kept and (is_one or bound.operation != "best") else None
