"""The MCP server: its description, its tools and its resources; also over standard input and output."""

from __future__ import annotations

from functools import partial

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.resources import ResourceSecurity
from mcp_types import ToolAnnotations

import agent
from agent.application.application import Application
from agent.doors.mcp.resources import Resources
from agent.doors.mcp.tools import Tools
from agent.settings.settings import Settings

INSTRUCTIONS = """\
versus answers questions over collections of documents with tables, exactly, and cites each number down to its cell.
Use `ask` first, with the whole question of the user; it plans, searches and computes by itself. Its answer is complete
only where `stop_reason` says so; tell the user what is listed as not found. Never add numbers that no citation has.
Use `read_cell` to verify a cited cell, `search` to read passages, `list_collections` to see what there is to ask."""
_READING = ToolAnnotations(read_only_hint=True, idempotent_hint=True, destructive_hint=False, open_world_hint=False)

_KEYS = ResourceSecurity(exempt_params={"collection", "chunk_id"})
"""Keys exempt from the path check: an id contains slashes like a path, but it is looked up and opens no file."""


def mcp_server(application: Application) -> MCPServer[object]:
    """Return a server of this application, for any transport.

    >>> import asyncio
    >>> async def names() -> list[str]:
    ...     async with Application.open(Settings()) as application:
    ...         return [tool.name for tool in await mcp_server(application).list_tools()]
    >>> asyncio.run(names())
    ['ask', 'search', 'plan', 'read_cell', 'list_collections']
    """
    server: MCPServer[object] = MCPServer(
        "versus", title="versus", version=agent.__version__, instructions=INSTRUCTIONS, log_level="WARNING"
    )
    tools, resources = Tools(application), Resources(application)
    for tool in (tools.ask, tools.search, tools.plan, tools.read_cell, tools.list_collections):
        server.add_tool(tool, annotations=_READING)
    as_json = partial(server.resource, mime_type="application/json", security=_KEYS)
    as_json("versus://{collection}/chunk/{+chunk_id}", name="chunk")(resources.chunk)
    as_json("versus://{collection}/catalog", name="catalog")(resources.catalog)
    return server


async def serve_stdio(settings: Settings) -> None:
    """Speak MCP on standard input and output until the input ends; nothing else is written to the output."""
    async with Application.open(settings) as application:
        await mcp_server(application).run_stdio_async()
