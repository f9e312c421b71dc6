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
        "model": "fake", "openai_base_url": place.base_url, "openai_api_key": "k", "deadline": 600, "llm_timeout": 600,
    })  # fmt: skip
    async with Agent.open(settings) as agent:

        async def ask(question: str) -> int:
            answer = await agent.ask(question)
            if answer.plan.planner != "llm":
                raise RuntimeError(
                    f"planned by {answer.plan.planner}: without the model's two calls nothing is compared"
                )
            return len(passages_of(answer.evidence))

        with responsive():
            yield ask
