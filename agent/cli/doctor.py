"""`versus doctor`: show what is wrong with the collections, what it means and what to do; repair it on request."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from agent.cli.context import FAILED, OK, CommandContext
from agent.cli.progress import progress
from agent.cli.views.doctor import diagnoses_data, diagnoses_view
from retrieval.collections.doctor import examine


def run_doctor(context: CommandContext, name: str | None, repair: bool) -> int:
    """Examine all collections or one; return 0 if nothing is wrong or all is repaired, else 1."""
    place = context.settings.chroma_location()
    with progress(context.notes) as on_progress:
        found = asyncio.run(examine(place, name, repair=repair, on_progress=on_progress))
    found = [replace(one, advice=context.with_store_flag(one.advice)) for one in found]
    if context.json:
        context.show_json(diagnoses_data(found, context.settings.chroma))
    else:
        context.show(diagnoses_view(found))
    return FAILED if any(one.state == "wrong" for one in found) else OK
