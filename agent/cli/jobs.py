"""Run the job of a command with the settings from its flags and all other places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.cli.flags import Flags, StoreFlags

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent.cli.context import CommandContext


def run_job(
    flags: StoreFlags,
    job: Callable[[CommandContext], int],
    own: dict[str, object] | None = None,
    defaults: dict[str, object] | None = None,
) -> None:
    """Run the job with settings from the flags, the command's `own`, the other places, and last its `defaults`."""
    from agent.cli.context import context_of, run

    given = {name: value for name, value in flags.settings().items() if value is not None}
    shown = (flags.debug, flags.show_context) if isinstance(flags, Flags) else (False, False)
    run(lambda: context_of({**(own or {}), **given}, defaults or {}, flags.json, *shown), job, flags.json)
