"""The bundled model as sentence-transformers runs it: vectors, their order, and a loop that goes on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest

from retrieval.embedding.protocol import SentenceTransformerEmbedder, bundled_weights, embed_all
from retrieval.errors import EmbeddingError
from tests.retrieval.doubles import BagOfWords

pytestmark = pytest.mark.slow  # PyTorch


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
