"""`versus collections`: which there are, what is in one, and how one is deleted."""

from __future__ import annotations

import asyncio
import sys

from rich.text import Text

from agent.doors.desk import FAILED, OK, Desk
from agent.errors import AgentError
from agent.render.collections import (
    deleted_data,
    deleted_view,
    description_data,
    description_view,
    listing_data,
    listing_view,
)
from agent.render.words import counted
from retrieval.collections import delete_collection
from retrieval.errors import CollectionNotFound
from retrieval.inspection import Listed, describe, list_described


def show_collections(desk: Desk) -> int:
    """List the collections; a problem with one of them is told beside it, and is no failure."""
    listing = asyncio.run(list_described(desk.settings.chroma_location()))
    if desk.json:
        desk.show_json(listing_data(listing))
    else:
        desk.show(listing_view(listing, desk.settings.chroma, desk.placed("versus ingest PATH")))
    return OK


def show_collection(desk: Desk, name: str) -> int:
    """Describe one collection."""
    found = asyncio.run(describe(desk.settings.chroma_location(), name))
    if desk.json:
        desk.show_json(description_data(found))
    else:
        desk.show(description_view(found))
    return OK


def remove_collection(desk: Desk, name: str, sure: bool) -> int:
    """Delete one collection, when somebody is sure; it need not be readable for that."""
    place = desk.settings.chroma_location()
    listing = asyncio.run(list_described(place))
    known = {one.name: one for one in listing.collections}
    if name not in known:
        raise CollectionNotFound(name, known)
    if not (sure or _confirmed(desk, known[name])):
        desk.notes.print(Text("nothing was deleted"))
        return FAILED
    asyncio.run(delete_collection(place, name))
    if desk.json:
        desk.show_json(deleted_data(known[name]))
    else:
        desk.show(deleted_view(known[name]))
    return OK


def _confirmed(desk: Desk, listed: Listed) -> bool:
    if desk.json or not sys.stdin.isatty():
        raise AgentError(f"nobody can be asked whether {listed.name!r} may be deleted; say --yes if it may.")
    what = "chunks" if listed.chunks is None else counted(listed.chunks, "chunk")
    desk.notes.print(Text(f"Delete collection {listed.name!r} with its {what}? Type yes: "), end="")
    return sys.stdin.readline().strip().lower() == "yes"
