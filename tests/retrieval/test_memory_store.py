"""The store in memory keeps the contract, in every space."""

from __future__ import annotations

import numpy as np
import pytest

from retrieval.errors import EmbeddingError
from retrieval.stores.metric import Space, cosine_distance, relevance
from retrieval.stores.store import MemoryStore, Stamp, require_same_model
from tests.retrieval.doubles import BagOfWords
from tests.retrieval.store_contract import StoreContract, fill, vectors


class TestMemoryStore(StoreContract):
    @pytest.fixture
    def store(self) -> MemoryStore:
        return MemoryStore()


@pytest.mark.parametrize("space", ["cosine", "l2", "ip"])
async def test_every_space_comes_to_the_same_relevance(space: Space) -> None:
    store, oracle, vector = MemoryStore(space=space), MemoryStore(), vectors(1, seed=3)[0]
    await fill(store, 20)
    await fill(oracle, 20)
    expected = [distance for _, distance in await oracle.query(vector, 20)]
    actual = [distance for _, distance in await store.query(vector, 20)]

    assert pytest.approx(expected, abs=1e-5) == [cosine_distance(distance, space) for distance in actual]
    assert all(0 <= relevance(distance, space) <= 1 for distance in actual)


async def test_another_models_vectors_are_refused() -> None:
    with pytest.raises(EmbeddingError, match="made with the embedding model 'other'"):
        require_same_model(MemoryStore(model="other"), BagOfWords())

    store = MemoryStore()
    await fill(store, 1)
    with pytest.raises(EmbeddingError, match="vectors of 8 numbers"):
        require_same_model(store, BagOfWords(dimension=9))
    require_same_model(store, BagOfWords(dimension=8))


async def test_as_many_vectors_as_chunks() -> None:
    with pytest.raises(EmbeddingError, match="1 texts"):
        await MemoryStore().upsert((await fill(MemoryStore(), 1)), np.ones((2, 8), dtype=np.float32), [Stamp("h")])
