"""The events of a stream: the objects of the answer as they become known.

run       {"run_id", "question", "collection"}
plan      the answer's `plan`, as far as it goes; a later one replaces it
retrieved one of the answer's `retrieved`
followup  {"needs": [{"need", "sub_query"}]}: facts were missing, and are looked for again
text      {"delta"} or {"replace"}: the answer as a model writes it, not yet verified
answer    the whole answer, exactly as without a stream; always the last
error     a problem, in place of an answer
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.doors.http.errors import DeadlinePassed, SearchFailed
from agent.render import answer_data
from agent.render.data import need_data, plan_in_answer, retrieved_data
from agent.types import Answer, Event


def stream_event(event: Event, debug: bool = False) -> tuple[str, Mapping[str, Any]] | None:
    """Return the name and the data of an event, or None for an internal event.

    >>> stream_event(Event("answer.delta", {"text": "Seven"}))
    ('text', {'delta': 'Seven', 'unverified': True})
    >>> from agent.types import Need, SubQuery
    >>> needs = (Need("the fare", SubQuery("f1.1", "fare of the Reed", "fare")),)
    >>> stream_event(Event("plan.extended", {"needs": needs}))[1]["needs"][0]["sub_query"]
    {'id': 'f1.1', 'text': 'fare of the Reed', 'purpose': 'fare', 'depends_on': []}
    """
    match event.name:
        case "plan.created":
            return "plan", plan_in_answer(event.data["plan"])
        case "subquery.retrieved":
            return "retrieved", retrieved_data(event.data["retrieved"], debug)
        case "plan.extended":
            return "followup", {"needs": [need_data(need) for need in event.data["needs"]]}
        case "answer.delta":
            text = event.data["text"]
            piece = {"replace": ""} if text is None else {"delta": text}
            return "text", {**piece, "unverified": True}
        case "answer.completed":
            return "answer", answer_data(event.data["answer"], debug)
    return None


def require_searched(answer: Answer) -> None:
    """Raise an error for an answer without content: no search was made in time, or every search failed."""
    if not answer.evidence.is_unsearched:
        return
    if answer.stop_reason == "deadline":
        raise DeadlinePassed("nothing was looked up before the deadline; allow more with `options.deadline_s`")
    if answer.stop_reason == "failed":
        raise SearchFailed("every search of the question failed; the log of the server says why. Ask again later")
