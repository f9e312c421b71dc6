"""The output of `versus logs show`: one question from its plan to its answer, as a screen and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from agent.cli.views.trace_summary import trace_summary
from agent.escape import one_line, printable
from agent.monitoring.reading import LogEvent
from agent.monitoring.selecting import text_of
from agent.monitoring.tally import count_field, object_field
from agent.monitoring.trace import Searched, Trace
from agent.render.table_layout import Sheet, grid
from agent.render.terminal import heading
from agent.render.words import counted

_NO_DROPS = "the log has counts of what was dropped, no chunks; with VERSUS_LOG_LEVEL=debug it has each with its reason"


def trace_data(trace: Trace) -> dict[str, Any]:
    """Return the question with its events, each as it was logged."""
    return {
        "run_id": trace.run_id,
        "question_id": trace.question_id,
        "question": trace.question,
        "received": trace.received or None,
        "collection": trace.collection or None,
        "store": trace.store or None,
        "plan": dict(trace.plan),
        "extensions": [dict(event) for event in trace.extensions],
        "sub_queries": [_searched_data(each) for each in trace.searched.values()],
        "llm": [dict(event) for event in trace.calls],
        "end": dict(trace.end),
    }


def trace_view(trace: Trace) -> RenderableType:
    """Return a summary of one screen, then the question's story in order of time."""
    ids = dict.fromkeys((trace.run_id, trace.question_id))
    head = Text(one_line(f"{' '.join(ids)} · {trace.received}"), style="dim")
    title = heading(trace.question or "(the question itself is not in the log)")
    parts: list[RenderableType] = [title, head, trace_summary(trace), Text()]
    return Group(*parts, *_plan(trace), *_sub_queries(trace), *_calls(trace), *_fusion(trace.end), *_end(trace.end))


def _searched_data(each: Searched) -> dict[str, Any]:
    names = {"id": each.id, "text": each.text, "purpose": each.purpose}
    return {**names, "end": dict(each.end), "drops": [dict(drop) for drop in each.drops]}


def _plan(trace: Trace) -> Iterator[RenderableType]:
    if not trace.plan:
        yield Text("no plan is in the log", style="yellow")
        return
    yield heading("Plan")
    table = grid(3)
    for each in trace.searched.values():
        name, purpose = Text(one_line(each.id), style="cyan"), Text(one_line(each.purpose), style="dim")
        table.add_row(name, Text(one_line(each.text)), purpose)
    yield table
    by = f"planner {text_of(trace.plan, 'planner')}, effort {text_of(trace.plan, 'effort')}"
    yield Text(one_line(f"{counted(len(trace.searched), 'sub-query')}, {by}"), style="dim")
    for event in trace.extensions:
        needs = event.get("needs")
        wanted = ", ".join(map(str, needs)) if isinstance(needs, list) else ""
        yield Text(one_line(f"round {event.get('round')} looked again for: {wanted}"), style="dim")
    yield Text()


def _sub_queries(trace: Trace) -> Iterator[RenderableType]:
    for each in trace.searched.values():
        yield Text.assemble((f"{one_line(each.id)}  ", "cyan"), (one_line(each.asked), "bold"))
        yield Padding(Group(*_searched(each)), (0, 0, 0, 2))
        yield Text()
    dropped = any(object_field(each.end.get("dropped")).values() for each in trace.searched.values())
    if dropped and not any(each.drops for each in trace.searched.values()):
        yield Text(_NO_DROPS, style="dim")
        yield Text()


def _searched(each: Searched) -> Iterator[RenderableType]:
    end = each.end
    if not end:
        yield Text("nothing more is in the log", style="yellow")
    elif end["event"] == "subquery.failed":
        yield Text(one_line(f"failed: {text_of(end, 'error')}: {text_of(end, 'message')}"), style="red")
    elif end["event"] == "subquery.skipped":
        yield Text("skipped: the sub-queries before it lost more chunks than they kept", style="yellow")
    else:
        yield _numbers(end)
    if hits := _objects(end.get("hits")):
        yield _candidates(each, hits)
    elif each.drops:
        yield _candidates(each, [])


def _candidates(each: Searched, hits: list[LogEvent]) -> Sheet:
    table = Sheet("chunk", "distance>", "relevance>", "kept?", "reason")
    for hit in hits:
        numbers = _number(hit.get("distance")), _number(hit.get("relevance"))
        table.add(_titled(hit), *numbers, Text("kept", style="green"), "")
    for drop in each.drops:
        rule, reason = one_line(text_of(drop, "rule")), one_line(text_of(drop, "reason"))
        table.add(_titled(drop), "", "", Text(rule, style="red"), Text(reason, style="dim"))
    return table


def _numbers(end: LogEvent) -> Text:
    counts = object_field(end.get("dropped"))
    dropped = ", ".join(f"{count} by {one_line(rule)}" for rule, count in counts.items() if count) or "none"
    names = ("dynamic_threshold", "absolute_min", "effective_threshold")
    limits = ", ".join(f"{name.split('_')[0]} {_number(end.get(name))}" for name in names)
    rounds = counted(count_field(end.get("rounds")), "round")
    found = f"{end.get('fetched')} fetched in {rounds}, {end.get('stop')}, {_number(end.get('ms'), 0)} ms"
    kept = f"kept {end.get('kept')}, {end.get('unique_added')} of them new, dropped {dropped}"
    best = f"best {_number(end.get('best_score'))} · thresholds: {limits} · cut {end.get('cut')}"
    return Text(one_line(f"{kept} · {best} · {found}"), style="dim")


def _calls(trace: Trace) -> Iterator[RenderableType]:
    if not trace.calls:
        return
    yield heading("Language model")
    for event in trace.calls:
        kept = (
            "model",
            "purpose",
            "prompt_tokens",
            "completion_tokens",
            "cost_usd",
            "ms",
            "attempt",
            "reason",
            "error",
        )
        details = ", ".join(f"{name} {event[name]}" for name in kept if event.get(name) not in (None, ""))
        style = "default" if event["event"] == "llm.called" else "yellow"
        yield Text(one_line(f"{event['event']}: {details}"), style=style)
    yield Text()


def _fusion(end: LogEvent) -> Iterator[RenderableType]:
    if not (passages := _objects(end.get("evidence"))):
        return
    yield heading(f"Evidence after fusion: {counted(len(passages), 'chunk')}")
    table = Sheet("chunk", "score>", "found by")
    for passage in passages:
        found_by = passage.get("found_by")
        by = ", ".join(map(str, found_by)) if isinstance(found_by, list) else ""
        table.add(_titled(passage), _number(passage.get("score"), 4), one_line(by))
    yield from (table, Text())


def _end(end: LogEvent) -> Iterator[RenderableType]:
    if not end:
        yield Text("the log has no end of this question: it is under way, or was cut off", style="yellow")
        return
    if end["event"] == "question.failed":
        yield Text(one_line(f"failed: {text_of(end, 'error')}: {text_of(end, 'message')}"), style="red")
        return
    if end["event"] == "search.completed":
        yield Text(
            f"searched only: {counted(count_field(end.get('passages')), 'chunk')}, no answer was wanted", style="dim"
        )
        return
    for finding in _objects(end.get("findings")):
        yield Text(one_line(f"{text_of(finding, 'reasoner')} found: {text_of(finding, 'claim')}"))
    for name, label in (("unanswered", "not found"), ("not_looked_up", "not looked up"), ("notes", "note")):
        listed = end.get(name)
        for each in listed if isinstance(listed, list) else ():
            yield Text(one_line(f"{label}: {each}"), style="yellow")
    yield heading(f"Answer ({text_of(end, 'stop_reason')})")
    if text_of(end, "text"):
        yield Text(printable(text_of(end, "text")))
    yield Text(one_line(_effort(end)), style="dim")


def _effort(end: LogEvent) -> str:
    stages = ", ".join(f"{stage} {_number(ms, 0)} ms" for stage, ms in object_field(end.get("timings_ms")).items())
    usage = object_field(end.get("usage"))
    tokens = (
        f" · {usage.get('llm_calls')} model calls, ${_number(usage.get('cost_usd'), 4)}"
        if usage.get("llm_calls")
        else ""
    )
    return f"{counted(count_field(end.get('citations')), 'citation')} · {stages}{tokens}"


def _titled(event: LogEvent) -> Text:
    return Text(one_line(text_of(event, "title") or text_of(event, "chunk_id")))


def _objects(value: object) -> list[LogEvent]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _number(value: object, places: int = 3) -> str:
    return f"{value:.{places}f}" if isinstance(value, int | float) else "?"
