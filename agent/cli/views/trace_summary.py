"""The top of `versus logs show`: the question, what was found, and how it ended, on one screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Group
from rich.text import Text

from agent.escape import one_line
from agent.monitoring.reading import LogEvent
from agent.monitoring.selecting import text_of
from agent.monitoring.tally import count_field, number_field, object_field
from agent.monitoring.trace import Searched, Trace
from agent.render.words import counted

LISTED = 3
"""Most missing facts, and most notes, that the summary names."""
_ANSWER = 240
"""Characters of the answer that the summary shows."""


def trace_summary(trace: Trace) -> Group:
    """Return the question's story in a few lines."""
    lines = [_where(trace), _plan(trace), *_retrieved(list(trace.searched.values())), *_model(trace), *_end(trace.end)]
    return Group(*(Text(one_line(line)) for line in lines if line))


def _where(trace: Trace) -> str:
    labels = {"collection": trace.collection, "store": trace.store}
    return " · ".join(f"{name} {value}" for name, value in labels.items() if value)


def _plan(trace: Trace) -> str:
    if not trace.plan:
        return "no plan is in the log"
    again = f", looked again in {counted(len(trace.extensions), 'round')}" if trace.extensions else ""
    by = f"planner {text_of(trace.plan, 'planner')}, effort {text_of(trace.plan, 'effort')}"
    return f"plan: {counted(len(trace.searched), 'sub-query')} by {by}{again}"


def _retrieved(searched: Sequence[Searched]) -> Iterator[str]:
    ended = [each.end for each in searched if each.end.get("event") == "subquery.retrieved"]
    if not searched:
        return
    kept, fetched = (sum(count_field(end.get(name)) for end in ended) for name in ("kept", "fetched"))
    yield f"retrieved: {counted(kept, 'chunk')} kept of {fetched:,} fetched{_dropped(ended)}"
    events = Counter(str(each.end.get("event", "")) for each in searched)
    empty = sum(count_field(end.get("kept")) == 0 for end in ended)
    troubles = {
        "failed": events["subquery.failed"],
        "skipped": events["subquery.skipped"],
        "kept nothing": empty,
        "without an end in the log": events[""],
    }
    problems = ", ".join(f"{count} {what}" for what, count in troubles.items() if count)
    yield f"of the sub-queries {problems}" if problems else ""


def _dropped(ended: Sequence[LogEvent]) -> str:
    total: Counter[str] = Counter()
    for end in ended:
        total.update({str(rule): count_field(count) for rule, count in object_field(end.get("dropped")).items()})
    listed = ", ".join(f"{count:,} by {rule}" for rule, count in total.most_common(LISTED) if count)
    return f"; dropped: {listed}" if listed else ""


def _model(trace: Trace) -> Iterator[str]:
    events = Counter(event["event"] for event in trace.calls)
    if not events:
        return
    cost = sum(number_field(event.get("cost_usd")) for event in trace.calls)
    labels = {"tried again": "llm.retried", "failed": "llm.failed", "fell back to the rules": "planner.fallback"}
    troubles = "".join(f", {events[name]} {what}" for what, name in labels.items() if events[name])
    yield f"language model: {counted(events['llm.called'], 'call')}{troubles}, ${cost:.4f}"


def _end(end: LogEvent) -> Iterator[str]:
    match end.get("event"):
        case None:
            yield "no end is in the log: it is under way, or was cut off"
        case "question.failed":
            yield f"failed: {text_of(end, 'error')}: {text_of(end, 'message')}"
        case "search.completed":
            yield f"searched only: {counted(count_field(end.get('passages')), 'chunk')}"
        case _:
            yield from _answered(end)


def _answered(end: LogEvent) -> Iterator[str]:
    total = object_field(end.get("timings_ms")).get("total")
    took = f" in {total:,.0f} ms" if isinstance(total, int | float) else ""
    text = " ".join(text_of(end, "text").split())
    yield f"{text_of(end, 'stop_reason')}{took}: {text[:_ANSWER]}{'…' if len(text) > _ANSWER else ''}"
    for name, label in (("unanswered", "not found"), ("notes", "note")):
        listed = end.get(name)
        all_of = listed if isinstance(listed, list) else []
        yield from (f"{label}: {each}"[:_ANSWER] for each in all_of[:LISTED])
        if hidden := len(all_of[LISTED:]):
            yield f"and {hidden} more"
