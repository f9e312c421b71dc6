"""MCP over HTTP: the same server, as routes beside those of another application."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from mcp.server.transport_security import TransportSecuritySettings
from starlette.routing import BaseRoute

from agent.application.application import Application
from agent.doors.mcp.server import mcp_server

PATH = "/mcp"


@dataclass(frozen=True, slots=True)
class McpRoutes:
    """The routes, and the context that has to run while they are served."""

    routes: Sequence[BaseRoute]
    running: Callable[[], AbstractAsyncContextManager[object]]


def mcp_over_http(application: Application) -> McpRoutes:
    """Return MCP by streamable HTTP. The server of the routes checks hosts, keys and the size of bodies."""
    server = mcp_server(application)
    unguarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = server.streamable_http_app(streamable_http_path=PATH, transport_security=unguarded)
    return McpRoutes(app.routes, server.session_manager.run)
