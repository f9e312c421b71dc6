"""The fields of the events for a plan, a retrieval and an answer, and how to read a plan back from them.

Writers and readers of the log share this module, so that neither can drift. Numbers that only people compare are
rounded. A line with twelve chunks is about two kilobytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agent.render.data import citation_data, finding_data, retrieved_numbers, usage_data
from agent.settings.settings import Settings
from agent.types import Answer, Need, Plan
from agent.understanding.question.intent import Lookup
from retrieval.collections.places import is_folder
from retrieval.keys import shown
from retrieval.types import Hit, Passage, Retrieved, SubQuery

Fields = dict[str, Any]


def received_fields(question: str, settings: Settings) -> Fields:
    """Return the fields of `question.received`: the question, and its collection and store.

    The store is an absolute path, or an address without its password.

    >>> received_fields("?", Settings(collection="rules", chroma="http://me:secret@host:8000"))["store"]
    'http://***@host:8000'
    """
    chroma = settings.chroma
    store = str(Path(chroma).absolute()) if is_folder(chroma) else shown(chroma)
    return {"question": question, "chars": len(question), "collection": settings.collection, "store": store}


def plan_fields(plan: Plan) -> Fields:
    """Return the fields of `plan.created`: all that is needed to run the plan again.

    >>> plan_fields(Plan("?", (SubQuery("q1", "orc"),), Lookup("?")))["sub_queries"][0]["text"]
    'orc'
    """
    return {
        "planner": plan.planner,
        "effort": plan.effort,
        "sub_queries": [sub_query_fields(s) for s in plan.sub_queries],
    }


def extension_fields(number: int, needs: Sequence[Need]) -> Fields:
    """Return the fields of `plan.extended`: the sub-queries of the follow-up `number`, and the facts they look for."""
    return {
        "round": number,
        "needs": [need.need for need in needs],
        "sub_queries": [sub_query_fields(need.sub_query) for need in needs],
    }


def sub_query_fields(sub_query: SubQuery) -> Fields:
    """Return a sub-query with all its filters."""
    return {
        "id": sub_query.id,
        "text": sub_query.text,
        "purpose": sub_query.purpose,
        "depends_on": list(sub_query.depends_on),
        "entities": list(sub_query.entities),
        "chunk_types": list(sub_query.chunk_types),
        "tags": list(sub_query.tags),
        "min_score": sub_query.min_score,
        "collection": sub_query.collection,
        "chunk_ids": list(sub_query.chunk_ids),
        "is_uncut": sub_query.is_uncut,
    }


def sub_query_of(fields: Mapping[str, Any]) -> SubQuery:
    """Return the sub-query that `sub_query_fields` wrote; raise `ValueError` if its id or text is missing.

    >>> sub_query = SubQuery("q1", "orc", tags=("monsters",), chunk_ids=("book/orc",), is_uncut=True)
    >>> sub_query_of(sub_query_fields(sub_query)) == sub_query
    True
    """
    if not isinstance(fields.get("id"), str) or not isinstance(fields.get("text"), str):
        raise ValueError("a sub-query needs an id and a text")
    names = ("depends_on", "entities", "chunk_types", "tags", "chunk_ids")
    listed = {name: tuple(map(str, fields.get(name) or ())) for name in names}
    return SubQuery(
        fields["id"],
        fields["text"],
        str(fields.get("purpose", "")),
        listed["depends_on"],
        listed["entities"],
        listed["chunk_types"],
        listed["tags"],
        min_score=float(fields.get("min_score") or 0.0),
        collection=str(fields.get("collection") or ""),
        chunk_ids=listed["chunk_ids"],
        is_uncut=fields.get("is_uncut") is True,
    )


def plan_of(question: str, fields: Mapping[str, Any]) -> Plan:
    """Return the plan that `plan_fields` wrote; raise `ValueError` if the log does not hold it completely.

    The intent of the question is not in the log, so the plan can be retrieved again but not reasoned about.
    """
    logged = fields.get("sub_queries")
    if not isinstance(logged, list) or not all(isinstance(each, Mapping) for each in logged):
        raise ValueError("the log has the plan's texts only, as older versions wrote them")
    sub_queries = tuple(map(sub_query_of, logged))
    return Plan(question, sub_queries, Lookup(question), str(fields.get("planner")), str(fields.get("effort")))


def retrieved_fields(retrieved: Retrieved, unique_added: int) -> Fields:
    """Return the fields of `subquery.retrieved`: the numbers, and the kept chunks, so that a replay can compare."""
    return {
        "text": retrieved.sub_query.text,
        **retrieved_numbers(retrieved),
        "unique_added": unique_added,
        "hits": [hit_fields(hit) for hit in retrieved.hits],
    }


def hit_fields(hit: Hit) -> Fields:
    """Return a kept chunk: `chunk_id`, `title`, `distance` and `relevance`, to four places."""
    numbers = {"distance": round(hit.distance, 4), "relevance": round(hit.relevance, 4)}
    return {"chunk_id": hit.chunk.id, "title": hit.chunk.title, **numbers}


def answer_fields(answer: Answer) -> Fields:
    """Return the fields of `answer.completed`: the text, its evidence, its duration and its cost."""
    return {
        "stop_reason": answer.stop_reason,
        "verdict": answer.verdict,
        "text": answer.text,
        "citations": [citation_data(citation) for citation in answer.citations],
        "findings": [finding_data(finding) for finding in answer.findings],
        "unanswered": [item.need for item in answer.unanswered if item.error is None],
        "not_looked_up": [item.need for item in answer.unanswered if item.error is not None],
        "tried": {item.need: list(item.tried) for item in answer.unanswered},
        "evidence": [_passage(passage) for passage in answer.evidence.passages],
        "usage": usage_data(answer.usage),
        "timings_ms": {stage: round(ms, 3) for stage, ms in answer.timings_ms.items()},
        "notes": list(answer.notes),
    }


def search_fields(passages: int, timings_ms: Mapping[str, float]) -> Fields:
    """Return the fields of `search.completed`.

    >>> search_fields(3, {"plan": 1.25678})
    {'passages': 3, 'timings_ms': {'plan': 1.257}}
    """
    return {"passages": passages, "timings_ms": {stage: round(ms, 3) for stage, ms in timings_ms.items()}}


def failure_fields(error: BaseException) -> Fields:
    """Return the fields of `question.failed`.

    >>> failure_fields(ValueError("no"))
    {'error': 'ValueError', 'message': 'no'}
    """
    return {"error": type(error).__name__, "message": str(error)}


def _passage(passage: Passage) -> Fields:
    return {
        "chunk_id": passage.chunk.id,
        "title": passage.chunk.title,
        "score": round(passage.score, 5),
        "found_by": list(passage.found_by),
    }
