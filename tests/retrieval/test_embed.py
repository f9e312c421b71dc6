"""Embedding: the real bundled model once, and the wrappers that share and remember its work."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from retrieval.coalesce import CachingEmbedder, CoalescingEmbedder
from retrieval.embed import SentenceTransformerEmbedder, bundled_weights, embed_all
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


@pytest.fixture(scope="module")
def minilm() -> SentenceTransformerEmbedder:
    return SentenceTransformerEmbedder(device="cpu")


async def test_the_bundled_model_gives_unit_vectors_that_know_meaning(minilm: SentenceTransformerEmbedder) -> None:
    bear, grizzly, sword = await minilm.embed(
        ["a large brown bear", "a huge grizzly bear", "the price of a long sword"]
    )

    assert ("all-MiniLM-L6-v2", np.dtype(np.float32)) == (minilm.name, bear.dtype)
    assert (384,) == bear.shape
    assert pytest.approx([1, 1, 1], abs=1e-5) == [float(v @ v) for v in (bear, grizzly, sword)]
    assert bear @ grizzly > 0.6 > bear @ sword


async def test_no_texts_give_no_vectors(minilm: SentenceTransformerEmbedder) -> None:
    assert (0, 384) == (await minilm.embed([])).shape
    assert 384 == minilm.dimension


async def test_bulk_embedding_keeps_the_order_and_tells_its_progress(minilm: SentenceTransformerEmbedder) -> None:
    texts = ["a much longer text about a bear in the woods", "bear", "an owl in the night sky", "sword"]
    seen: list[tuple[int, int]] = []
    vectors = await embed_all(minilm, texts, lambda done, total: seen.append((done, total)), batch_size=2)
    one_by_one = np.concatenate([await minilm.embed([text]) for text in texts])

    assert np.allclose(one_by_one, vectors, atol=1e-5)
    assert [(2, 4), (4, 4)] == seen


async def test_bulk_embedding_of_nothing(minilm: SentenceTransformerEmbedder) -> None:
    assert 0 == len(await embed_all(BagOfWords(), []))


async def test_the_event_loop_goes_on_while_the_model_works(minilm: SentenceTransformerEmbedder) -> None:
    work = asyncio.create_task(minilm.embed(["a bear in the woods " * 20] * 16))
    ticks = 0
    while not work.done():
        await asyncio.sleep(0)
        ticks += 1

    assert ticks > 10


@pytest.mark.parametrize("name", ["missing", "."])
async def test_a_folder_without_a_model_says_which_model_can_be_used(name: str, tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match="'all-MiniLM-L6-v2', which is bundled"):
        await SentenceTransformerEmbedder(str(tmp_path / name)).embed(["x"])


async def test_loading_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    await SentenceTransformerEmbedder(device="cpu").embed(["x"])

    assert ("", "") == capfd.readouterr()


def test_weights_come_from_the_installed_package_only_for_their_own_name() -> None:
    folder = bundled_weights("all-MiniLM-L6-v2")

    assert isinstance(folder, Path)
    assert (folder / "config.json").is_file()
    assert None is bundled_weights("all-mpnet-base-v2")


def test_the_full_name_of_the_default_model_is_the_same_model() -> None:
    assert "all-MiniLM-L6-v2" == SentenceTransformerEmbedder("sentence-transformers/all-MiniLM-L6-v2").name


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
