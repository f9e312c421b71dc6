"""What happened to every candidate of a sub-query, and which thresholds applied."""

from __future__ import annotations

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from agent.escape import one_line
from retrieval.types import Retrieved


def retrieved_view(retrieved: Retrieved) -> RenderableType:
    """A table of all candidates: the kept ones with distance and relevance, the dropped ones with rule and reason."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name, align in (("chunk", "left"), ("distance", "right"), ("relevance", "right")):
        table.add_column(name, justify="right" if align == "right" else "left", overflow="fold")
    table.add_column("kept?")
    table.add_column("reason", overflow="fold")
    for hit in retrieved.hits:
        numbers = (Text(f"{hit.distance:.3f}"), Text(f"{hit.relevance:.3f}"))
        table.add_row(Text(one_line(hit.chunk.title)), *numbers, Text("kept", style="green"), Text())
    for drop in retrieved.drops:
        rule, reason = Text(one_line(drop.rule), style="red"), Text(one_line(drop.reason), style="dim")
        table.add_row(Text(one_line(drop.title)), Text(), Text(), rule, reason)
    title = Text(f"{one_line(retrieved.sub_query.id)}  ", style="cyan").append(one_line(retrieved.sub_query.text))
    failed = [Text(f"failed: {one_line(retrieved.error)}", style="red")] if retrieved.error else []
    return Group(title, *failed, thresholds(retrieved), table)


def thresholds(retrieved: Retrieved) -> Text:
    """The numbers that decided, on one line."""
    dropped = ", ".join(f"{count} by {one_line(rule)}" for rule, count in sorted(retrieved.dropped.items())) or "none"
    return Text(
        f"kept {len(retrieved.hits)}, dropped {dropped} · best {retrieved.best_score:.3f}"
        f" · thresholds: dynamic {retrieved.dynamic_threshold:.3f}, absolute {retrieved.absolute_min:.3f},"
        f" effective {retrieved.effective_threshold:.3f} · cut {retrieved.cut}"
        f" · {retrieved.fetched} fetched in {retrieved.rounds} rounds, {retrieved.stop}, {retrieved.ms:.0f} ms",
        style="dim",
    )
