"""Collections listed, described and deleted: for a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from agent.escape import one_line
from agent.render.table_layout import Sheet, grid
from agent.render.terminal import heading
from agent.render.words import counted
from retrieval.collections.chroma.location import place
from retrieval.collections.inspection import Description, Listed, Listing, SourceCount

SHOWN = 20
"""Most tags and sources of a collection on the screen; the JSON has all."""


def listing_view(listing: Listing, where: str, making: str) -> RenderableType:
    """Return a table of the store's collections and their problems; `making` is the command that creates a first."""
    notes = (
        [] if listing.problem is None else [Text(f"others can't be listed: {one_line(listing.problem)}", style="red")]
    )
    if not listing.collections:
        none = f"no collections in {place(where)}; make one with: {making}"
        return Group(*notes, Text(one_line(none)))
    table = Sheet("collection", "kind", "chunks>", "model", "state")
    for one in listing.collections:
        chunks = "?" if one.chunks is None else f"{one.chunks:,}"
        table.add(one_line(one.name), one.kind, chunks, one_line(one.model or "?"), _state(one.problem))
    return Group(*notes, table)


def description_view(found: Description) -> RenderableType:
    """Return the contents and the origin of one collection."""
    table = grid(2, gap=2)
    for name, value in _facts(found):
        table.add_row(Text(name, style="cyan"), value)
    return Group(heading(found.name), table)


def deleted_data(deleted: Listed) -> dict[str, Any]:
    """Return `{"deleted", "kind", "chunks"}`: its name, kind, and number of chunks, null if that is unknown.

    >>> deleted_data(Listed("rules", "local", 7))
    {'deleted': 'rules', 'kind': 'local', 'chunks': 7}
    """
    return {"deleted": deleted.name, "kind": deleted.kind, "chunks": deleted.chunks}


def deleted_view(deleted: Listed) -> RenderableType:
    """Return a line that names the deleted collection."""
    what = "" if deleted.chunks is None else f" with {counted(deleted.chunks, 'chunk')}"
    return Text(f"deleted collection {one_line(deleted.name)}{what}")


def _facts(found: Description) -> list[tuple[str, Text]]:
    of_local = [
        ("revision", Text(str(found.revision))),
        ("index", Text(found.index or "none")),
        ("on disk", Text(f"{(found.bytes or 0) / 1e6:.1f} MB")),
    ]
    return [
        ("state", _state(found.problem)),
        ("kind", Text(found.kind)),
        ("chunks", Text(f"{found.chunks:,}")),
        ("types", _counts(found.chunk_types)),
        ("tags", _counts(found.tags)),
        ("rules", Text(f"{counted(found.rules, 'chunk')}, about {counted(found.vocabulary, 'word')}")),
        ("tables", Text(f"{found.tables:,}")),
        ("model", Text(f"{one_line(found.model or '?')}, {found.dimension or '?'} numbers a vector")),
        *(of_local if found.kind == "local" else []),
        *[("source", _source(one)) for one in found.sources[:SHOWN]],
        *([("", Text(f"and {len(found.sources) - SHOWN} more; --json has all"))] if len(found.sources) > SHOWN else []),
    ]


def _source(one: SourceCount) -> Text:
    named = f" from {one_line(one.root)}" if one.root else ""
    return Text(f"{one_line(one.source) or '?'}{named}, {counted(one.chunks, 'chunk')}")


def _counts(counts: Mapping[str, int]) -> Text:
    most = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    shown = ", ".join(f"{one_line(name)} {count:,}" for name, count in most[:SHOWN])
    return Text((shown or "none") + (f", and {len(most) - SHOWN} more" if len(most) > SHOWN else ""))


def _state(problem: str | None) -> Text:
    return Text("ready", style="green") if problem is None else Text(one_line(problem), style="red")
