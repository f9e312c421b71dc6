"""`versus config`: the settings in force, where each came from, and whether the working folder is trusted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from rich.text import Text

from agent.cli.context import OK, CommandContext
from agent.escape import one_line
from agent.render.table_layout import Sheet
from agent.settings.folder_trust import ADDRESSES, CLASSES, PLAIN
from agent.settings.places import CONFIG_FILE, ENV_FILE
from agent.settings.settings import Origin, Settings, load
from agent.settings.trusted_folders import trust, untrust
from agent.settings.unknown_variables import unknown_variables


def show_config(context: CommandContext) -> int:
    """Show every setting with its source; with `--json` also rejected settings and unknown variables."""
    origins = context.settings.explain()
    if context.json:
        settings = [{"name": o.name, "value": o.value, "source": o.source} for o in origins]
        not_taken = [asdict(each) for each in context.settings.not_taken]
        unknown = list(unknown_variables())
        context.show_json({"settings": settings, "not_taken": not_taken, "unknown_variables": unknown})
        return OK
    table = Sheet("setting", "value", "source", ruled=False)
    for origin in origins:
        table.add(origin.name, one_line(origin.value), Text(origin.source, style="dim"))
    context.show(table)
    return OK


def trust_folder(context: CommandContext) -> int:
    """Trust the working folder as it is now, and show which settings it provides, and where keys are sent."""
    folder = Path.cwd()
    trust(folder)
    settings = load({})
    sensitive = _sensitive_settings(settings)
    if context.json:
        context.show_json({"folder": str(folder), "trusted": True, "taken": [asdict(origin) for origin in sensitive]})
        return OK
    context.show(Text(one_line(f"Trusted: {folder}, with its {ENV_FILE} and {CONFIG_FILE} as they are now.")))
    for origin in sensitive:
        context.show(Text(one_line(f"{origin.name} is taken from {origin.source}: {origin.value}")))
    for key, address in _keys_sent(settings, sensitive):
        context.show(Text(one_line(f"{key} goes to {address}")))
    context.show(Text("A change to these files ends it, and so does: versus config --untrust"))
    return OK


def untrust_folder(context: CommandContext) -> int:
    """Stop trusting the working folder."""
    folder = Path.cwd()
    was_trusted = untrust(folder)
    if context.json:
        context.show_json({"folder": str(folder), "trusted": False, "was_trusted": was_trusted})
    else:
        context.show(Text(one_line(f"{'No longer trusted' if was_trusted else 'Was not trusted'}: {folder}")))
    return OK


def _sensitive_settings(settings: Settings) -> list[Origin]:
    """Return the settings of the working folder that are not plain numbers or names."""
    origins = settings.explain()
    return [o for o in origins if o.source in (ENV_FILE, CONFIG_FILE) and CLASSES[o.name] is not PLAIN]


def _keys_sent(settings: Settings, sensitive: list[Origin]) -> Iterator[tuple[str, str]]:
    """Yield each key that is sent to an address from the working folder, with that address."""
    folders = {origin.name: origin.value for origin in sensitive}
    for key, addresses in ADDRESSES.items():
        named = [name for name in addresses if getattr(settings, name) is not None]
        if getattr(settings, key) is not None and named and named[0] in folders:
            yield f"{key} ({dict(settings.origins)[key]})", folders[named[0]]
