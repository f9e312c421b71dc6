"""`versus config`: what is in force, and which place said so."""

from __future__ import annotations

from rich.text import Text

from agent.doors.desk import OK, Desk
from agent.escape import one_line
from agent.render.sheet import Sheet
from agent.settings import unknown_variables


def show_config(desk: Desk) -> int:
    """Show every setting with its source; with `--json` also variables that look like settings and are none."""
    origins = desk.settings.explain()
    if desk.json:
        settings = [{"name": o.name, "value": o.value, "source": o.source} for o in origins]
        desk.show_json({"settings": settings, "unknown_variables": list(unknown_variables())})
        return OK
    table = Sheet("setting", "value", "source", ruled=False)
    for origin in origins:
        table.add(origin.name, one_line(origin.value), Text(origin.source, style="dim"))
    desk.show(table)
    return OK
