"""`versus replay`: run a logged plan again on the same collection, with today's contents and settings."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from rich.text import Text

from agent.ask import Agent
from agent.cli.context import IN_PART, OK, CommandContext
from agent.cli.logs import find
from agent.cli.views.replay import replay_data, replay_view
from agent.errors import QuestionError
from agent.escape import one_line
from agent.evaluation.replay import changes, replayed
from agent.monitoring.selecting import Selection
from agent.monitoring.trace import Trace
from agent.settings.settings import FLAG, Settings, load
from retrieval.keys import shown
from retrieval.types import Retrieved


def replay(context: CommandContext, paths: Sequence[Path], id_: str) -> int:
    """Run the plan of the question whose id has this prefix again; return 3 if a sub-query fails."""
    trace = find(context, paths, Selection(), id_)
    settings = logged_settings(context.settings, trace)
    now = asyncio.run(_replayed(settings, trace))
    before = {each.id: each.hits for each in trace.searched.values()}
    found = changes(before, now)
    if context.json:
        context.show_json({**replay_data(trace, found), **asked_collection_data(settings)})
    else:
        context.show(replay_view(trace, found, context.debug))
        context.show(
            Text(
                one_line("asked: collection {collection}, store {store}".format(**asked_collection_data(settings))),
                "dim",
            )
        )
    return IN_PART if any(each.error for each in now) else OK


async def _replayed(settings: Settings, trace: Trace) -> tuple[Retrieved, ...]:
    plan, follow_ups = trace.planned(), trace.follow_ups()
    async with Agent.open(settings) as agent:
        return await replayed(agent, plan, follow_ups)


def logged_settings(settings: Settings, trace: Trace) -> Settings:
    """Return the settings with the logged collection and store, unless a flag names others.

    An address is taken from the settings only, as a log may come from anybody; `QuestionError` if the logged one
    differs.
    """
    origins, then = dict(settings.origins), dict[str, object]()
    if trace.collection and origins.get("collection") != FLAG:
        then["collection"] = load({"collection": trace.collection}).collection
    if trace.store and origins.get("chroma") != FLAG and trace.store != shown(settings.chroma):
        if "://" in trace.store:
            raise QuestionError(f"this was asked at {trace.store}; to ask there again, name it: --chroma ADDRESS")
        then["chroma"] = trace.store
    return settings.model_copy(update=then)


def asked_collection_data(settings: Settings) -> dict[str, str]:
    """Return the collection and the store that are asked, without passwords."""
    return {"collection": settings.collection, "store": shown(settings.chroma)}
