"""What is remembered of a collection is found once, is bounded, and goes with the collection."""

from __future__ import annotations

import gc
import weakref
from functools import partial

from retrieval.tables.index import CellIndex, Cells
from retrieval.tables.remembered import BoundedListCache, cached_by_collection


def test_the_same_is_not_found_again_and_another_collection_is_asked_itself() -> None:
    asked: list[tuple[int, str]] = []

    @cached_by_collection(8)
    def found(index: Cells, key: str) -> str:
        asked.append((id(index), key))
        return key.upper()

    first, second = CellIndex.build([]), CellIndex.build([])
    assert ["OAR", "OAR", "OAR"] == [found(first, "oar"), found(first, "oar"), found(second, "oar")]
    assert [(id(first), "oar"), (id(second), "oar")] == asked


def test_what_is_remembered_holds_no_collection() -> None:
    @cached_by_collection(8)
    def found(index: Cells, key: str) -> list[str]:
        return [key]

    index = CellIndex.build([])
    found(index, "oar")
    gone = weakref.ref(index)
    del index
    gc.collect()
    assert gone() is None


def test_the_oldest_lists_go_when_there_are_too_many_entries() -> None:
    made: list[str] = []

    def make(name: str) -> list[str]:
        made.append(name)
        return [name, name]

    lists = BoundedListCache[str](7)
    for name in ("a", "b", "a", "c", "a", "b"):  # where c comes, b was used longest ago
        lists.get_or_find(name, partial(make, name))
    assert ["a", "b", "c", "b"] == made


def test_a_list_that_is_larger_than_all_that_may_be_held_is_found_each_time() -> None:
    lists = BoundedListCache[int](3)
    assert [(1, 2, 3), (4, 5, 6)] == [
        lists.get_or_find("x", lambda: [1, 2, 3]),
        lists.get_or_find("x", lambda: [4, 5, 6]),
    ]
