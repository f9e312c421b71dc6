"""The answer of a question, rebuilt from its log in the shape that every door returns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import TypeAdapter, ValidationError

from agent.errors import LogError
from agent.monitoring.reading import LogEvent
from agent.monitoring.selecting import text_of
from agent.monitoring.tally import object_field
from agent.monitoring.trace import Searched, Trace
from agent.render.shapes import AnswerData

_ANSWER = TypeAdapter(AnswerData)


def answer_of(trace: Trace) -> AnswerData:
    """Return the answer; `LogError` if the log has none, or only a part of it, as older versions wrote it."""
    end = trace.end
    if end.get("event") != "answer.completed":
        raise LogError(f"the log has no answer of {trace.question_id}: it failed, was a search, or is under way")
    told = {
        "question": trace.question,
        "run_id": trace.run_id,
        "plan": {**trace.plan, "sub_queries": list(_sub_queries(trace))},
        "retrieved": [_retrieved(each) for each in trace.searched.values()],
        "evidence": [],
        "unanswered": list(_unanswered(end)),
    }
    try:
        return _ANSWER.validate_python({**end, **told})
    except ValidationError as error:
        where = "/".join(map(str, error.errors()[0]["loc"]))
        raise LogError(
            f"the log has not the whole answer of {trace.question_id} (it lacks {where}); ask anew"
        ) from None


def _sub_queries(trace: Trace) -> Iterator[dict[str, Any]]:
    """Yield all sub-queries, those of later waves too, with the text that was searched."""
    for event in (trace.plan, *trace.extensions):
        listed = event.get("sub_queries")
        for each in listed if isinstance(listed, list) else ():
            searched = trace.searched.get(text_of(each, "id"))
            yield {**each, "text": searched.asked if searched else text_of(each, "text")}


def _retrieved(searched: Searched) -> dict[str, Any]:
    """Return the result of a sub-query. One that failed or was not searched has an error and no numbers."""
    end = searched.end
    if end.get("event") == "subquery.retrieved":
        hits = [{"page": None, "category": "", "confidence": None, **hit} for hit in searched.hits or ()]
        return {"sub_query": searched.id, "drops": searched.drops, **end, "hits": hits}
    return {
        **dict.fromkeys(("rounds", "fetched", "kept", "ms", "best_score", "dynamic_threshold"), 0),
        **dict.fromkeys(("absolute_min", "effective_threshold"), 0),
        "sub_query": searched.id,
        "stop": text_of(end, "stop") or "failed",
        "error": text_of(end, "message") or text_of(end, "stop") or "it was not searched",
        "cut": "none",
        "dropped": {},
        "hits": [],
    }


def _unanswered(end: LogEvent) -> Iterator[dict[str, Any]]:
    tried = object_field(end.get("tried"))
    for name, error in (("unanswered", None), ("not_looked_up", "it could not be looked up")):
        needs = end.get(name)
        for need in needs if isinstance(needs, list) else ():
            yield {"need": need, "tried": tried.get(need, []), "error": error, "absent": []}
