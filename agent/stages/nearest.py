"""The last look for a question that nothing answers: for the passages nearest to it, whatever their relevance."""

from __future__ import annotations

from functools import partial

from agent.prose.nearest import nearness
from agent.reasoning.nearest_passages import near_passages, read_for_passages, shows_nothing, with_nearest
from agent.stages.planning import Planning
from agent.stages.session import Session
from agent.types import Need, Reasoned
from agent.understanding.question.intent import Lookup
from retrieval.types import SubQuery

_ID = "near.1"


def last_look(session: Session, planning: Planning, reasoned: Reasoned) -> tuple[Need, ...]:
    """Return what to look for if the finding shows nothing; none without an embedding model, or for a domain."""
    is_open = isinstance(planning.planned(session).intent, Lookup)
    if planning.embedder is None or not is_open or not shows_nothing(reasoned):
        return ()
    if read_for_passages(session.asked) is None:
        return ()
    return (Need(reasoned.needs[0].need, SubQuery(_ID, session.asked, "nearest passages", is_uncut=True)),)


async def with_passages(session: Session, planning: Planning, reasoned: Reasoned) -> Reasoned:
    """Return the finding with the nearest passages of the last look.

    Each statement of its chunks is embedded, which takes its time, so the deadline holds.
    """
    question, embedder = read_for_passages(session.asked), planning.embedder
    if question is None or embedder is None:
        return reasoned
    chunks = [hit.chunk for each in session.runner.retrieved if each.sub_query.id == _ID for hit in each.hits]
    with session.timed("reason"):
        passages = near_passages(question, chunks)
        wordings = await planning.think(session, passages.to_compare)
        near = await nearness(question.question, wordings, embedder)
        return await planning.think(session, partial(with_nearest, reasoned, passages, near))
