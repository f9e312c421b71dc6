"""The fate of every candidate of a sub-query, and the thresholds that applied."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from agent.escape import one_line
from agent.render.table_layout import Sheet
from agent.render.words import counted
from retrieval.types import Chunk, Confidence, Hit, Retrieved

_COLOURS: Mapping[Confidence | None, str] = {"high": "green", "medium": "yellow", "low": "red", None: "dim"}


def retrieved_view(retrieved: Retrieved) -> RenderableType:
    """Return a table of all candidates: the kept ones with their numbers, the dropped ones with rule and reason."""
    table = Sheet("chunk", "distance>", "relevance>", "confidence", "kept?", "reason")
    for hit in retrieved.hits:
        numbers = (Text(f"{hit.distance:.3f}"), Text(f"{hit.relevance:.3f}"), confidence(hit))
        reason = Text("asked for by name" if hit.chunk.id in retrieved.pinned else "", style="dim")
        table.add(one_line(_on_page(hit.chunk)), *numbers, Text("kept", style="green"), reason)
    for drop in retrieved.drops:
        rule, reason = Text(one_line(drop.rule), style="red"), Text(one_line(drop.reason), style="dim")
        table.add(one_line(drop.title), "", "", "", rule, reason)
    title = Text(f"{one_line(retrieved.sub_query.id)}  ", style="cyan").append(one_line(retrieved.sub_query.text))
    return Group(title, *shortfall(retrieved), thresholds(retrieved), *gaps(retrieved), table)


def gaps(retrieved: Retrieved) -> list[Text]:
    """Return the gaps between distances, one line for each reason why they cut or do not."""
    by_reason: dict[str, list[str]] = {}
    for gap in retrieved.gaps:
        by_reason.setdefault(gap.reason, []).append(f"{gap.size:.3f} after {gap.after}")
    return [Text(f"gap {', '.join(told)}: {reason}", style="dim") for reason, told in by_reason.items()]


def _on_page(chunk: Chunk) -> str:
    label = chunk.label_of(chunk.page)
    printed = f", printed {label}" if label else ""
    return chunk.title if chunk.page is None else f"{chunk.title} (page {chunk.page}{printed})"


def confidence(hit: Hit) -> Text:
    """Return the confidence of a hit as one coloured word, padded so that columns line up."""
    return Text(f"{hit.confidence or '':<6}", style=_COLOURS[hit.confidence])


def shortfall(retrieved: Retrieved) -> list[Text]:
    """Return a line that says why nothing was searched, if so."""
    if retrieved.error:
        return [Text(f"failed: {one_line(retrieved.error)}", style="red")]
    if retrieved.stop == "low_quality":
        return [Text("skipped: the sub-queries before it lost more chunks than they kept", style="yellow")]
    return []


def thresholds(retrieved: Retrieved) -> Text:
    """Return the thresholds that applied, on one line."""
    dropped = ", ".join(f"{count} by {one_line(rule)}" for rule, count in sorted(retrieved.dropped.items())) or "none"
    return Text(
        f"kept {len(retrieved.hits)}, dropped {dropped} · best {retrieved.best_score:.3f}"
        f" · thresholds: dynamic {retrieved.dynamic_threshold:.3f}, absolute {retrieved.absolute_min:.3f},"
        f" effective {retrieved.effective_threshold:.3f} · cut {retrieved.cut}"
        f" · {retrieved.fetched} fetched in {counted(retrieved.rounds, 'round')},"
        f" {retrieved.stop}, {retrieved.ms:.0f} ms",
        style="dim",
    )
