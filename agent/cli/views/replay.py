"""The output of `versus replay`: for each sub-query the chunks that appeared, disappeared and moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from agent.escape import one_line
from agent.evaluation.replay import Change
from agent.monitoring.trace import Trace
from agent.render.data import retrieved_numbers
from agent.render.debug import shortfall, thresholds
from agent.render.terminal import heading
from agent.render.words import counted


def replay_data(trace: Trace, changes: Sequence[Change]) -> dict[str, Any]:
    """Return the replay as an object: per sub-query the current numbers, `hits`, and the differences."""
    ids = {"run_id": trace.run_id, "question_id": trace.question_id, "question": trace.question}
    return {
        **ids,
        "changed": sum(not each.same for each in changes),
        "sub_queries": [_change(each) for each in changes],
    }


def replay_view(trace: Trace, changes: Sequence[Change], debug: bool = False) -> RenderableType:
    """Return the replay for people; `debug` adds the current thresholds."""
    changed = sum(not each.same for each in changes)
    verdict = f"{counted(len(changes), 'sub-query')} run again, {changed} of them with other chunks than then"
    return Group(heading(trace.question), *(_view(each, debug) for each in changes), Text(verdict, style="dim"))


def _change(each: Change) -> dict[str, Any]:
    known = each.before is not None
    return {
        "sub_query": each.now.sub_query.id,
        "text": each.now.sub_query.text,
        **retrieved_numbers(each.now),
        "hits": list(each.after),
        "before": list(each.before) if each.before is not None else None,
        "came": list(each.added) if known else None,
        "went": list(each.removed) if known else None,
        "moved": [asdict(moved) for moved in each.moved] if known else None,
    }


def _view(each: Change, debug: bool) -> RenderableType:
    name, text = one_line(each.now.sub_query.id), one_line(each.now.sub_query.text)
    title = Text.assemble((f"{name}  ", "cyan"), (text, "bold"))
    numbers = [thresholds(each.now)] if debug else []
    return Group(title, Padding(Group(*shortfall(each.now), *_lines(each), *numbers), (0, 0, 1, 2)))


def _lines(each: Change) -> Iterator[Text]:
    if each.before is None:
        yield Text("the log does not tell what was kept; now:", style="yellow")
        yield from (_chunk("  ", "", hit) for hit in each.after)
        return
    then, now = len(each.before), counted(len(each.after), "chunk")
    yield Text(f"the same {now}" if each.same else f"{then} then, {now} now", style="dim")
    yield from (_chunk("+ ", "green", hit) for hit in each.added)
    yield from (_chunk("- ", "red", hit) for hit in each.removed)
    for moved in each.moved:
        yield Text.assemble((f"~ {moved.before} → {moved.after}  ", "yellow"), one_line(moved.title or moved.chunk_id))


def _chunk(mark: str, style: str, hit: Mapping[str, Any]) -> Text:
    relevance = hit.get("relevance")
    number = f"{relevance:.3f}  " if isinstance(relevance, int | float) else ""
    title = one_line(str(hit.get("title") or hit["chunk_id"]))
    return Text.assemble((f"{mark}{number}", style), title, (f"  {one_line(str(hit['chunk_id']))}", "dim"))
