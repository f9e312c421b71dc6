"""The jobs behind the commands that serve programs."""

from __future__ import annotations

import asyncio
import sys
from importlib.util import find_spec

from rich.text import Text

from agent.cli.context import OK, CommandContext
from agent.cli.responsive import freeze_garbage, responsive
from agent.doors.serving import Serving
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


def serve_http(context: CommandContext, serving: Serving) -> int:
    """Serve HTTP until a signal ends it; with `--json`, print the address to stdout once the server listens."""
    require_server()
    from agent.doors.serve import listening, require_keys, serve

    require_keys(context.settings, serving)
    with listening(serving) as listener, responsive():
        name = f"[{serving.host}]" if ":" in serving.host.strip("[]") else serving.host
        url = f"http://{name}:{listener.getsockname()[1]}"
        if context.json:
            context.show_json({"url": url})
        else:
            context.notes.print(Text(f"serving {url}, with MCP at {url}/mcp; Ctrl-C stops"), soft_wrap=True)
        asyncio.run(serve(context.settings, serving, listener, opened=freeze_garbage))
    return OK


def require_server() -> None:
    """Raise `AgentError` if the packages of the extra `server` are not installed."""
    if find_spec("mcp") is None or find_spec("mcp_types") is None:
        raise AgentError("the packages of servers are not installed; say: pip install 'versus-rag[server]'")
