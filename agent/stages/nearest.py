"""The last look for a question that nothing answers: for the passages nearest to it, whatever their relevance."""

from __future__ import annotations

from functools import partial

from agent.prose.nearest import nearness
from agent.prose.passages import NearestPassages
from agent.reasoning.nearest_passages import read_for_passages, shows_nothing, with_nearest
from agent.stages.planning import Planning
from agent.stages.session import Session
from agent.types import Need, Reasoned
from agent.understanding.question.intent import Lookup
from agent.understanding.question.tagged import Tagged
from retrieval.types import SubQuery

_ID = "near.1"


def unanswered_question(session: Session, planning: Planning, reasoned: Reasoned) -> Tagged | None:
    """Return the question of a last look if the finding shows nothing; None without an embedding model, or for a
    domain.
    """
    is_open = isinstance(planning.planned(session).intent, Lookup)
    if planning.embedder is None or not is_open or not shows_nothing(reasoned):
        return None
    return read_for_passages(session.asked)


def last_look(session: Session, reasoned: Reasoned) -> Need:
    """Return what is looked for last."""
    return Need(reasoned.needs[0].need, SubQuery(_ID, session.asked, "nearest passages", is_uncut=True))


async def with_passages(session: Session, planning: Planning, question: Tagged, reasoned: Reasoned) -> Reasoned:
    """Return the finding with the nearest passages of the last look.

    Each statement of its chunks is embedded, which takes its time, so the deadline holds.
    """
    assert planning.embedder is not None
    chunks = [hit.chunk for each in session.runner.retrieved if each.sub_query.id == _ID for hit in each.hits]
    passages = NearestPassages(question, chunks)
    with session.timed("reason"):
        wordings = await planning.think(session, passages.to_compare)
        near = await nearness(question.question, wordings, planning.embedder)
        return await planning.think(session, partial(with_nearest, reasoned, passages, near))
