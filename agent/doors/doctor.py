"""`versus doctor`: what is wrong with the collections, what it means, what to do; and mended, if that is wanted."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from agent.doors.desk import FAILED, OK, Desk
from agent.doors.progress import progress
from agent.render.doctor import diagnoses_data, diagnoses_view
from retrieval.doctor import examine


def run_doctor(desk: Desk, name: str | None, repair: bool) -> int:
    """Examine the collections, or one; 0 when nothing is wrong, or nothing any more, 1 when something is."""
    place = desk.settings.chroma_location()
    with progress(desk.notes) as on_progress:
        found = asyncio.run(examine(place, name, repair=repair, on_progress=on_progress))
    found = [replace(one, advice=desk.placed(one.advice)) for one in found]
    if desk.json:
        desk.show_json(diagnoses_data(found, desk.settings.chroma))
    else:
        desk.show(diagnoses_view(found))
    return FAILED if any(one.state == "wrong" for one in found) else OK
