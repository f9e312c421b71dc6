"""`versus collections`: list the collections, describe one, and delete one."""

from __future__ import annotations

import asyncio
import sys

from rich.text import Text

from agent.application.application import Application
from agent.cli.answered import run_application
from agent.cli.context import FAILED, OK, CommandContext
from agent.cli.views.collections import deleted_data, deleted_view, description_view, listing_view
from agent.errors import AgentError
from agent.render.collections import description_data, listing_data
from agent.render.words import counted
from retrieval.collections.inspection import Listed
from retrieval.collections.opening import delete_collection
from retrieval.errors import CollectionNotFound


def show_collections(context: CommandContext) -> int:
    """List the collections. A problem with one is shown beside it and does not fail the command."""
    listing = run_application(context, Application.collections)
    if context.json:
        context.show_json(listing_data(listing))
    else:
        context.show(listing_view(listing, context.settings.chroma, context.with_store_flag("versus ingest PATH")))
    return OK


def show_collection(context: CommandContext, name: str) -> int:
    """Describe one collection."""
    found = run_application(context, lambda application: application.collection(name))
    if context.json:
        context.show_json(description_data(found))
    else:
        context.show(description_view(found))
    return OK


def remove_collection(context: CommandContext, name: str, sure: bool) -> int:
    """Delete one collection after a confirmation, even one that cannot be read."""
    listing = run_application(context, Application.collections)
    known = {one.name: one for one in listing.collections}
    if name not in known:
        raise CollectionNotFound(name, known)
    if not (sure or _confirmed(context, known[name])):
        context.notes.print(Text("nothing was deleted"))
        return FAILED
    asyncio.run(delete_collection(context.settings.chroma_location(), name))
    if context.json:
        context.show_json(deleted_data(known[name]))
    else:
        context.show(deleted_view(known[name]))
    return OK


def _confirmed(context: CommandContext, listed: Listed) -> bool:
    if context.json or not sys.stdin.isatty():
        raise AgentError(f"nobody can be asked whether {listed.name!r} may be deleted; say --yes if it may.")
    what = "chunks" if listed.chunks is None else counted(listed.chunks, "chunk")
    context.notes.print(Text(f"Delete collection {listed.name!r} with its {what}? Type yes: "), end="")
    return sys.stdin.readline().strip().lower() == "yes"
