"""The commands that open a door for programs: `mcp`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.cli.flags import Flags, with_flags
from agent.cli.jobs import run_job

if TYPE_CHECKING:
    from agent.cli.context import CommandContext


@with_flags
def mcp_command(flags: Flags) -> None:
    """Speak MCP on standard input and output, for agents that start it.

    The tools are ask, search, plan, read_cell and list_collections. The flags are for questions that choose nothing
    themselves. Logs and notes go to the log and to stderr.
    """

    def job(context: CommandContext) -> int:
        from agent.cli.serving import speak_mcp

        return speak_mcp(context)

    run_job(flags, job)
