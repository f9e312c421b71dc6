"""The same question by versus, with its defaults: its own ingestion of the book, with tables and rules."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from agent.evaluation.stages import passages_of
from agent.settings.settings import load
from benchmarks.peers.place import Ask, Place
from versus import Agent, responsive


@asynccontextmanager
async def versus(place: Place) -> AsyncIterator[Ask]:
    """`Agent.ask`, planned and worded by the model."""
    settings = load({
        "collection": place.collection, "chroma": place.kept, "log_dir": place.logs, "planner": "llm",
        "model": "fake", "openai_base_url": place.base_url, "openai_api_key": "k", "deadline": 600,
    })  # fmt: skip
    async with Agent.open(settings) as agent:

        async def ask(question: str) -> int:
            return len(passages_of((await agent.ask(question)).evidence))

        with responsive():
            yield ask
