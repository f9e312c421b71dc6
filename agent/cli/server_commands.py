"""The commands that serve programs: `serve` and `mcp`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agent.cli.flags import Flags, given_path, with_flags
from agent.cli.jobs import run_job

if TYPE_CHECKING:
    from agent.cli.context import CommandContext


@with_flags
def serve_command(
    flags: Flags,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535, help="0 takes any free one.")] = 8321,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="A name that requests may call it; several are possible."),
    ] = None,
    no_auth: Annotated[
        bool, typer.Option("--no-auth", help="Answer others than this machine although there are no API keys.")
    ] = False,
    allow_ingest: Annotated[
        Path | None,
        typer.Option(
            "--allow-ingest", metavar="FOLDER", parser=given_path, help="Read files that are sent, kept here."
        ),
    ] = None,
    root_path: Annotated[
        str, typer.Option("--root-path", metavar="PREFIX", help="What a proxy has before all addresses: /books.")
    ] = "",
) -> None:
    """Answer questions over HTTP: a page for people, JSON or events for programs, MCP under /mcp.

    Keys are the setting VERSUS_API_KEYS (alice:KEY,bob:KEY); on another address than loopback it does not start without
    one. The flags of questions hold where a request chooses nothing else. The first Ctrl-C or SIGTERM waits for what is
    under way, the second does not.
    """

    def job(context: CommandContext) -> int:
        from agent.cli.serving import serve_http
        from agent.doors.serving import Serving, normal_prefix

        allowed, prefix = tuple(allow_host or ()), normal_prefix(root_path)
        return serve_http(context, Serving(host, port, allowed, no_auth, allow_ingest, prefix))

    run_job(flags, job)


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
