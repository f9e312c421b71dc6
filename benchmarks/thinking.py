"""What the agent adds to its calls: questions planned and worded by a model, against the bare calls and nothing else.

The model is a fake OpenAI-compatible server on loopback. *Bare* is the same work without an agent: the same request for
a plan, the same sub-queries retrieved by an `asyncio.gather`, the same request for the answer. With a latency of zero,
what the agent adds is its own; with 500 ms, a question should take little more than its critical path: plan, slowest
sub-query, answer. The last row asks 200 questions at once. The book is one of a real size (`benchmarks.real_size`).

    python -m benchmarks.thinking
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from agent.llm.client import OpenAILLM
from agent.settings.settings import load
from benchmarks import real_size
from benchmarks.two_classes import questions, respond
from tests.fake_openai import FakeOpenAI
from versus import (
    Agent,
    Answer,
    CachingEmbedder,
    CoalescingEmbedder,
    Lexicon,
    LLMRequest,
    Retriever,
    Settings,
    SubQuery,
    embedder_for,
    ingest,
    open_catalog,
    open_collection,
    responsive,
)

AT_ONCE = 200
LATENCY = 0.5
TURNS = 3
"""How often all questions are asked at once."""


Turn = Callable[[], Awaitable[Any]]
Work = dict[str, tuple[Answer, list[LLMRequest]]]
"""By question, its answer and the requests it took."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of wall clock and of processor for some questions."""

    wall: float
    cpu: float


class Recorder:
    """The client, remembering its requests, so that the bare calls can be the same."""

    def __init__(self, inner: OpenAILLM) -> None:
        self.inner, self.requests = inner, list[LLMRequest]()

    @property
    def model(self) -> str:
        return self.inner.model

    async def complete(self, request: LLMRequest, on_text: Any = None) -> Any:
        self.requests.append(request)
        return await self.inner.complete(request, on_text)

    async def close(self) -> None:
        await self.inner.close()


async def timed(work: Turn) -> Cost:
    """Do the work once."""
    wall, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
    await work()
    now = resource.getrusage(resource.RUSAGE_SELF)
    cpu = now.ru_utime - used.ru_utime + now.ru_stime - used.ru_stime
    return Cost(time.perf_counter() - wall, cpu)


async def bare(llm: OpenAILLM, retriever: Retriever, answer: Answer, requests: Sequence[LLMRequest]) -> None:
    """The calls that an answer took, and nothing else."""
    await llm.complete(requests[0])
    plan = [SubQuery(s.id, s.text, entities=s.entities) for s in answer.plan.sub_queries]
    await asyncio.gather(*(retriever.retrieve(sub_query) for sub_query in plan))
    for request in requests[1:]:
        await llm.complete(request)


async def _agent(settings: Settings, server: FakeOpenAI, folder: Path) -> tuple[Agent, Recorder, Retriever, Any]:
    llm = Recorder(OpenAILLM("fake", base_url=server.base_url, api_key="k"))
    embedder = embedder_for(settings.embedding_model)
    store = await open_collection(settings.chroma, settings.collection, embedder=embedder)
    catalog = await open_catalog(store)
    agent = Agent(settings, store, embedder, Lexicon.from_catalog(catalog), catalog, llm=llm)
    retriever = Retriever(store, CachingEmbedder(CoalescingEmbedder(embedder)), settings.policy(), catalog=catalog)
    return agent, llm, retriever, store


async def measure(folder: Path, count: int) -> Table:
    """Read the book, then measure every row."""
    settings = load({"collection": "thinking", "chroma": str(folder / "chroma"), "log_dir": str(folder / "logs"),
                     "planner": "llm"})  # fmt: skip
    with real_size.book() as book:
        await ingest([book], settings)
    with FakeOpenAI(respond).running() as server:
        work = await _known_work(settings, server, folder, questions(max(count, AT_ONCE)))
    table = Table(title="questions planned and worded by a model", title_justify="left")
    for column in ("what", "agent ms", "bare ms", "ratio", "agent cpu ms", "bare cpu ms"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for name, latency, at_once in (
        ("one at a time, no latency", 0.0, 1),
        (f"{AT_ONCE} at once, no latency", 0.0, AT_ONCE),
        (f"one at a time, {LATENCY * 1000:.0f} ms latency (bare is the critical path)", LATENCY, 1),
        (f"{AT_ONCE} at once, {LATENCY * 1000:.0f} ms latency", LATENCY, AT_ONCE),
    ):
        with FakeOpenAI(respond, latency=latency).running() as server:
            asked = list(work.items())[: at_once if at_once > 1 else count if latency == 0 else 5]
            table.add_row(name, *await _row(settings, server, folder, dict(asked), at_once > 1))
    return table


async def _row(settings: Settings, server: FakeOpenAI, folder: Path, work: Work, at_once: bool) -> list[str]:
    """The medians of a row: of questions, or of turns, each with an agent that has embedded none of them.

    The ratio is the median of those side by side, so that a machine whose speed changes meanwhile is none of it.
    """
    pairs = list[tuple[Cost, Cost]]()
    for turn in range(TURNS if at_once else 1):
        agent, llm, retriever, store = await _agent(settings, server, folder)
        await agent.ask(questions(AT_ONCE + 1)[-1])
        with responsive():
            ask = partial(_all, turn) if at_once else _each
            pairs += await ask(agent, llm.inner, retriever, work)
        await llm.close()
        await store.close()
    per = 1000 / (len(work) if at_once else 1)
    sides = list(zip(*pairs, strict=True))
    walls = [f"{median(cost.wall for cost in side) * per:.1f}" for side in sides]
    cpus = [f"{median(cost.cpu for cost in side) * per:.1f}" for side in sides]
    return [*walls, f"{median(ours.wall / others.wall for ours, others in pairs):.2f}", *cpus]


async def _known_work(settings: Settings, server: FakeOpenAI, folder: Path, asked: Sequence[str]) -> Work:
    """Each question's answer and its requests: what the bare calls repeat.

    So both sides find the process warm; each has its own client, and embeds its own queries.
    """
    agent, llm, _, store = await _agent(settings, server, folder)
    work: Work = {}
    for question in asked:
        llm.requests.clear()
        answer = await agent.ask(question)
        work[question] = (answer, [replace(request, give_up_at=None) for request in llm.requests])
    await llm.close()
    await store.close()
    return work


async def _each(agent: Agent, llm: OpenAILLM, retriever: Retriever, work: Work) -> list[tuple[Cost, Cost]]:
    """What each question costs, one after the other."""
    return [
        await _both(number, partial(agent.ask, question), partial(bare, llm, retriever, *known))
        for number, (question, known) in enumerate(work.items())
    ]


async def _all(turn: int, agent: Agent, llm: OpenAILLM, retriever: Retriever, work: Work) -> list[tuple[Cost, Cost]]:
    """What all questions cost at once."""

    async def ours() -> None:
        await asyncio.gather(*map(agent.ask, work))

    async def others() -> None:
        await asyncio.gather(*(bare(llm, retriever, *known) for known in work.values()))

    return [await _both(turn, ours, others)]


async def _both(turn: int, ours: Turn, others: Turn) -> tuple[Cost, Cost]:
    """Agent and bare calls, in turn the first."""
    if turn % 2:
        mine = await timed(ours)
        return mine, await timed(others)
    bare_cost = await timed(others)
    return await timed(ours), bare_cost


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.thinking", description="The agent against its calls.")
    parser.add_argument("--questions", type=int, default=25)
    count = parser.parse_args().questions
    with tempfile.TemporaryDirectory(prefix="versus-thinking-") as folder:
        Console(width=118).print(asyncio.run(measure(Path(folder), count)))


if __name__ == "__main__":
    main()
