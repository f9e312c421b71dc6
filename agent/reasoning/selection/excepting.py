"""All of a kind but one who is named: *the longest boat except the Tern*, *boats other than the Reed*."""

from __future__ import annotations

from dataclasses import replace

from agent.languages.phrases import found
from agent.understanding.linking.program import Bound
from agent.understanding.question.apart import Apart, name_at
from agent.understanding.question.tagged import Tagged


def excepted(question: Tagged) -> Apart | None:
    """Who is left out, and the question about all others and him; None where nobody is.

    >>> from agent.understanding.question.tagged import tagged
    >>> from retrieval.tables.names import Mention
    >>> excepted(tagged("the longest boat except the Tern", [Mention(5, 6, "tern")]))
    Apart(text='the longest boat', key='tern')
    """
    tokens = question.tokens
    for said in question.language.excepting:
        start = found(tokens, said)
        if start is None:
            continue
        name = name_at(question, start + len(said))
        if name is not None:
            return Apart(" ".join((*tokens[:start], *tokens[name.end : -1])), name.key)
    return None


def without(apart: Apart, bound: Bound | None) -> Bound | None:
    """What is bound of a kind, without who is left out; None of anything else, and where he is none of them."""
    if bound is None or not bound.is_of_kind or bound.told:
        return None
    kept = tuple(reading for reading in bound.readings if not apart.is_called(reading.name))
    is_one = bound.operation == "best" and len(kept) < len(bound.readings)
    return replace(bound, readings=kept) if kept and (is_one or bound.operation != "best") else None
