"""Run a request to the application outside of any event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from agent.application.application import Application
from agent.cli.context import CommandContext
from retrieval.processes.memory import uncollected

T = TypeVar("T")


def run_application(context: CommandContext, ask: Callable[[Application], Awaitable[T]]) -> T:
    """Open an application with the settings of the command, ask it, and close it."""

    async def run() -> T:
        async with Application.open(context.settings) as application:
            return await ask(application)

    with uncollected():
        return asyncio.run(run())
