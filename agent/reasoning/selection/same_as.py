"""Those of a kind who have the same as one of it: *which boats have the same home port as the Reed*.

What the one who is named has is read, and then whoever has that is chosen from all of the kind.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from agent.languages.operations import Operation
from agent.reasoning.kinds.asked import kind_asked
from agent.understanding.linking.program import Bound
from agent.understanding.question.apart import Apart, name_at
from agent.understanding.question.tagged import Tagged
from retrieval.tables.index import Cells


class SameAs(NamedTuple):
    """The question of what is the same, the one about all of the kind but for the value, and who is named."""

    own: str
    others: str
    apart: Apart


def same_as(question: Tagged, index: Cells) -> SameAs | None:
    """What a question asks of a kind who have the same as one of it; None where it asks for no such thing.

    >>> from agent.understanding.question.tagged import tagged
    >>> from retrieval.tables.index import CellIndex
    >>> from retrieval.tables.names import Mention
    >>> from retrieval.types import Chunk, Table
    >>> boats = Table("Boats", (("Boat",), ("Port",)), (("Reed", "York"), ("Tern", "Hull")))
    >>> asked = tagged("Which boats have the same port as the Reed?", [Mention(8, 9, "reed")])
    >>> same_as(asked, CellIndex.build([Chunk("c", "", "Boats", tables=(boats,))]))[:2]
    ('port of reed', 'which boat with port')
    """
    tokens, language = question.tokens, question.language
    start = next((i for i, token in enumerate(tokens) if token in language.same), len(tokens))
    place = next((i for i in range(start, len(tokens)) if tokens[i] in language.like), len(tokens))
    name, measure = name_at(question, place + 1), tokens[start + 1 : place]
    kind = kind_asked(question, index)
    if name is None or not measure or not kind or language.kinds.isdisjoint(tokens[:start]):
        return None
    named = tokens[name.start : name.end]
    own = " ".join((*measure, max(language.partitive), *named))
    return SameAs(own, " ".join((max(language.kinds), *kind, max(language.beside), *measure)), Apart("", name.key))


def with_value(asked: SameAs, own: Bound | None) -> str:
    """The question about all of the kind with the value of the one who is named; empty where he has none or several."""
    is_one = own is not None and own.operation == "read" and not own.unheeded and len(own.readings) == 1
    found = own.readings[0].found if own is not None and is_one else ()
    return f"{asked.others} {found[0].text}" if len(found) == 1 else ""


def all_but(asked: SameAs, bound: Bound | None, question: Tagged) -> Bound | None:
    """Those who have it, without the one who is named; None where he is none of them."""
    if bound is None or bound.operation not in ("list", "count") or any((bound.unsure, bound.uncalled, bound.unheeded)):
        return None
    kept = tuple(reading for reading in bound.readings if not asked.apart.is_called(reading.name))
    if len(kept) + 1 != len(bound.readings):
        return None
    operation: Operation = "count" if question.operation == "count" else "list"
    return replace(bound, linked=replace(bound.linked, question=question), readings=kept, operation=operation)
