"""The wrappers that share and remember an embedding model's work."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.embedding.batching import CachingEmbedder, CoalescingEmbedder
from retrieval.errors import EmbeddingError
from tests.retrieval.doubles import BagOfWords


class Slow(BagOfWords):
    """Waits for permission before it answers; fails when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()
        self.started = asyncio.Event()
        self.error: EmbeddingError | None = None

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.started.set()
        vectors = await super().embed(texts)
        await self.go.wait()
        if self.error:
            raise self.error
        return vectors


async def test_calls_that_wait_together_share_one_model_call() -> None:
    inner = BagOfWords()
    shared = CoalescingEmbedder(inner)
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(shared.embed([f"text {n}", "bear"])) for n in range(5)]

    assert [["text 0", "bear", "text 1", "text 2", "text 3", "text 4"]] == inner.calls
    for n, task in enumerate(tasks):
        assert np.array_equal(await BagOfWords().embed([f"text {n}", "bear"]), task.result())


async def test_calls_that_come_while_the_model_works_share_the_next_one() -> None:
    inner = Slow()
    shared = CoalescingEmbedder(inner)
    first = asyncio.create_task(shared.embed(["a"]))
    await inner.started.wait()
    others = [asyncio.create_task(shared.embed([text])) for text in "bcd"]
    await asyncio.sleep(0)
    inner.go.set()
    await asyncio.gather(first, *others)

    assert [["a"], ["b", "c", "d"]] == inner.calls


async def test_cancelling_one_waiter_does_not_hurt_the_others() -> None:
    inner = Slow()
    shared = CoalescingEmbedder(inner)
    impatient, patient = asyncio.create_task(shared.embed(["a"])), asyncio.create_task(shared.embed(["b"]))
    await inner.started.wait()
    impatient.cancel()
    await asyncio.gather(impatient, return_exceptions=True)
    inner.go.set()

    assert np.array_equal(await BagOfWords().embed(["b"]), await patient)
    assert impatient.cancelled()


async def test_cancelling_the_last_waiter_cancels_the_call_and_the_next_one_works() -> None:
    inner = Slow()
    shared = CoalescingEmbedder(inner)
    only = asyncio.create_task(shared.embed(["a"]))
    await inner.started.wait()
    only.cancel()
    await asyncio.gather(only, return_exceptions=True)
    inner.go.set()

    assert (1, 512) == (await shared.embed(["b"])).shape
    assert [["a"], ["b"]] == inner.calls
    assert 1 == len(asyncio.all_tasks())


async def test_cancelling_before_the_model_is_asked_forgets_the_batch() -> None:
    inner = BagOfWords()
    shared = CoalescingEmbedder(inner)
    only = asyncio.create_task(shared.embed(["a"]))
    await asyncio.sleep(0)
    only.cancel()
    await asyncio.gather(only, return_exceptions=True)

    assert (1, 512) == (await shared.embed(["b"])).shape
    assert [["b"]] == inner.calls


async def test_a_failure_reaches_every_waiter_and_the_next_call_is_new() -> None:
    inner = Slow()
    inner.error = EmbeddingError("out of memory")
    inner.go.set()
    shared = CoalescingEmbedder(inner)
    results = await asyncio.gather(shared.embed(["a"]), shared.embed(["b"]), return_exceptions=True)
    inner.error = None

    assert ["out of memory", "out of memory"] == [str(result) for result in results]
    assert 1 == len(await shared.embed(["c"]))


async def test_recent_texts_are_remembered_and_old_ones_forgotten() -> None:
    inner = BagOfWords()
    cached = CachingEmbedder(inner, size=2)
    first = await cached.embed(["a", "b", "a"])
    again = await cached.embed(["b", "a"])
    await cached.embed(["c"])
    await cached.embed(["a", "b"])

    assert [["a", "b"], ["c"], ["b"]] == inner.calls
    assert np.array_equal(first[[1, 0]], again)
    assert (0, 512) == (await cached.embed([])).shape


async def test_a_caller_that_changes_its_vectors_does_not_change_the_cache() -> None:
    cached = CachingEmbedder(BagOfWords())
    (await cached.embed(["a"]))[:] = 0

    assert (await cached.embed(["a"])).any()
