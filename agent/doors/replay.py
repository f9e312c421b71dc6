"""`versus replay`: a logged plan against today's collection and settings."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from agent.ask import Agent
from agent.doors.desk import IN_PART, OK, Desk
from agent.doors.logs import find
from agent.logwatch.selecting import Selection
from agent.logwatch.trace import Trace
from agent.render.replay import replay_data, replay_view
from agent.replay import changes, replayed
from retrieval.types import Retrieved


def replay(desk: Desk, paths: Sequence[Path], id_: str) -> int:
    """Run the plan of the question whose id begins so again; 3 when a sub-query fails."""
    trace = find(desk, paths, Selection(), id_)
    now = asyncio.run(_replayed(desk, trace))
    before = {each.id: each.hits for each in trace.searched.values()}
    found = changes(before, now)
    if desk.json:
        desk.show_json(replay_data(trace, found))
    else:
        desk.show(replay_view(trace, found, desk.debug))
    return IN_PART if any(each.error for each in now) else OK


async def _replayed(desk: Desk, trace: Trace) -> tuple[Retrieved, ...]:
    plan, follow_ups = trace.planned(), trace.follow_ups()
    async with Agent.open(desk.settings) as agent:
        return await replayed(agent, plan, follow_ups)
