"""The story of one question, gathered from its events: plan, sub-queries with their chunks and drops, calls, answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agent.errors import LogError
from agent.monitoring.reading import Broken, LogEvent
from agent.monitoring.selecting import Ids, ids_of, text_of
from agent.stages.event_fields import plan_of
from agent.types import Plan
from retrieval.types import SubQuery

CANDIDATES = 10
"""Most questions that are listed when an id is ambiguous."""


@dataclass(slots=True)
class Searched:
    """One sub-query: the event that ended it, and its dropped chunks if the log has them."""

    id: str
    text: str = ""
    purpose: str = ""
    end: LogEvent = field(default_factory=dict)
    drops: list[LogEvent] = field(default_factory=list)

    @property
    def asked(self) -> str:
        """The text that was searched: the planned text, with values from earlier sub-queries filled in."""
        return text_of(self.end, "text") or self.text

    @property
    def hits(self) -> tuple[LogEvent, ...] | None:
        """The chunks that were kept; None if the log does not list them."""
        hits = self.end.get("hits")
        return tuple(hit for hit in hits if is_hit(hit)) if isinstance(hits, list) else None


@dataclass(slots=True)
class Trace:
    """One question as the log has it; an empty field was not logged."""

    run_id: str
    question_id: str
    question: str = ""
    received: str = ""
    collection: str = ""
    store: str = ""
    plan: Mapping[str, Any] = field(default_factory=dict)
    extensions: list[LogEvent] = field(default_factory=list)
    searched: dict[str, Searched] = field(default_factory=dict)
    calls: list[LogEvent] = field(default_factory=list)
    end: LogEvent = field(default_factory=dict)

    def planned(self) -> Plan:
        """Return the plan so that it can run again; `LogError` if the log lacks parts of it."""
        return replace(self._whole(self.plan), sub_queries=self._as_asked(self._whole(self.plan)))

    def follow_ups(self) -> tuple[tuple[SubQuery, ...], ...]:
        """Return the sub-queries of each follow-up wave; `LogError` if the log lacks parts of them."""
        return tuple(self._as_asked(self._whole(event)) for event in self.extensions)

    def _whole(self, event: LogEvent) -> Plan:
        try:
            return plan_of(self.question, event)
        except (ValueError, TypeError) as error:
            ids = f"the plan of {self.question_id}"
            raise LogError(f"{ids} can't be run again: {error}. Ask the question anew, then replay that") from None

    def _as_asked(self, plan: Plan) -> tuple[SubQuery, ...]:
        asked = {entry.id: entry.asked for entry in self.searched.values()}
        return tuple(replace(each, text=asked.get(each.id) or each.text) for each in plan.sub_queries)


def is_hit(value: object) -> bool:
    """Return True if a value is a kept chunk as `agent.stages.event_fields.hit_fields` writes it."""
    return isinstance(value, dict) and isinstance(value.get("chunk_id"), str)


def trace_of(events: Iterable[LogEvent | Broken], wanted_id: str) -> Trace:
    """Return the question whose id or run id has this prefix; `LogError` if there is none or several.

    >>> trace_of([{"event": "question.received", "run_id": "4f2a", "question": "?"}], "4f").question
    '?'
    """
    found: dict[Ids, Trace] = {}
    for event in events:
        if isinstance(event, Broken):
            continue
        ids = ids_of(event)
        if ids not in found and (not _matches(ids, wanted_id) or (len(found) >= CANDIDATES and wanted_id not in ids)):
            continue
        _add(found.setdefault(ids, Trace(*ids)), event)
    return _only(found, wanted_id)


def _matches(ids: Ids, wanted_id: str) -> bool:
    return any(id_.startswith(wanted_id) for id_ in ids)


def _only(found: Mapping[Ids, Trace], wanted_id: str) -> Trace:
    exact = [trace for ids, trace in found.items() if wanted_id in ids]
    chosen = exact if len(exact) == 1 else list(found.values())
    if not chosen:
        raise LogError(f"no question of the log has an id that begins with {wanted_id!r}; versus logs lists the latest")
    if len(chosen) > 1:
        lines = [
            f"  {' '.join(dict.fromkeys((each.run_id, each.question_id)))}: {each.question[:80]}"
            for each in chosen[:CANDIDATES]
        ]
        raise LogError("\n".join([f"{wanted_id!r} begins several ids; give more of the one that is meant:", *lines]))
    return chosen[0]


def _add(trace: Trace, event: LogEvent) -> None:
    match event["event"]:
        case "question.received":
            trace.question, trace.received = text_of(event, "question"), text_of(event, "timestamp")
            trace.collection, trace.store = text_of(event, "collection"), text_of(event, "store")
        case "plan.created":
            trace.plan = event
            _expect(trace, event)
        case "plan.extended":
            trace.extensions.append(event)
            _expect(trace, event)
        case "subquery.retrieved" | "subquery.failed" | "subquery.skipped":
            _searched(trace, event).end = event
        case "chunk.dropped":
            _searched(trace, event).drops.append(event)
        case "llm.called" | "llm.retried" | "llm.failed" | "planner.fallback" | "plan.corrected":
            trace.calls.append(event)
        case "answer.completed" | "question.failed" | "search.completed":
            trace.end = event


def _expect(trace: Trace, event: LogEvent) -> None:
    """Note the sub-queries of a plan in order, with their purpose."""
    listed = event.get("sub_queries")
    for each in listed if isinstance(listed, list) else ():
        if isinstance(each, dict) and text_of(each, "id"):
            entry = trace.searched.setdefault(each["id"], Searched(each["id"]))
            entry.text, entry.purpose = text_of(each, "text"), text_of(each, "purpose")


def _searched(trace: Trace, event: LogEvent) -> Searched:
    id_ = text_of(event, "sub_query")
    return trace.searched.setdefault(id_, Searched(id_, text_of(event, "text")))
