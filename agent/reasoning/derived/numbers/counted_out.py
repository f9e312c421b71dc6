"""Words that only count out what is named behind them: the *pieces* of *three pieces of Hay Ring*."""

from __future__ import annotations

from collections.abc import Sequence

from agent.reasoning.kinds.asked import is_unknown
from agent.understanding.question.tagged import Tagged
from retrieval.tables.index import Cells


def without_portions(places: Sequence[int], question: Tagged, index: Cells) -> tuple[str, ...]:
    """Return the words at some places, without those that the collection does not know and that a name follows."""
    named = {place for name in question.names for place in name.places}
    last = max((place for place in places if place in named), default=-1)
    kept = (i for i in places if i in named or i > last or not is_unknown(question.tokens[i], question, index))
    return tuple(question.tokens[i] for i in kept)
