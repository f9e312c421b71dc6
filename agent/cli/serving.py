"""The jobs behind the commands that serve programs."""

from __future__ import annotations

import asyncio
import sys
from importlib.util import find_spec

from rich.text import Text

from agent.cli.context import OK, CommandContext
from agent.errors import AgentError


def speak_mcp(context: CommandContext) -> int:
    """Serve MCP until standard input ends."""
    require_server()
    from agent.doors.mcp.server import serve_stdio

    if sys.stdin.isatty():
        what = "this speaks MCP, which programs do: name the command to an MCP client; Ctrl-C leaves"
        context.notes.print(Text(what), soft_wrap=True)
    asyncio.run(serve_stdio(context.settings))
    return OK


def require_server() -> None:
    """`AgentError` where the packages of the extra `server` are not installed."""
    if find_spec("mcp") is None or find_spec("mcp_types") is None:
        raise AgentError("the packages of servers are not installed; say: pip install 'versus-rag[server]'")
