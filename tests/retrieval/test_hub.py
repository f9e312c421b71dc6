"""Lazy models: loaded once, used by one thread at a time, whoever gives up; and where a model is looked for."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from retrieval.embedding.model_loader import LazyModel, local_first
from retrieval.errors import EmbeddingError


def model(loads: list[str]) -> LazyModel:
    """A lazy model that is a string, and records its loading."""

    def load() -> str:
        loads.append("loaded")
        return "bear"

    return LazyModel("the test model", load, "Use another")


async def test_nothing_is_loaded_before_it_is_needed_and_then_once() -> None:
    loads: list[str] = []
    lazy = model(loads)
    before = list(loads)
    found = await asyncio.gather(*(lazy.run(str.upper) for _ in range(8)))

    assert ([], ["loaded"]) == (before, loads)
    assert ["BEAR"] * 8 == found


async def test_a_cancelled_call_finishes_before_the_next_one_begins() -> None:
    lazy, go, started, events = model([]), threading.Event(), asyncio.Event(), []
    loop = asyncio.get_running_loop()

    def first(_: str) -> None:
        events.append("first begins")
        loop.call_soon_threadsafe(started.set)
        go.wait()
        events.append("first ends")

    impatient = asyncio.create_task(lazy.run(first))
    await started.wait()
    impatient.cancel()
    await asyncio.gather(impatient, return_exceptions=True)
    patient = asyncio.create_task(lazy.run(lambda _: events.append("second begins")))
    for _ in range(1000):
        await asyncio.sleep(0)
    go.set()
    await patient

    assert impatient.cancelled()
    assert ["first begins", "first ends", "second begins"] == events


async def test_a_model_that_can_not_be_loaded_says_so_and_is_tried_again() -> None:
    answers = iter(["bear"])
    missing = iter([OSError("no such file")])

    def load() -> str:
        for error in missing:
            raise error
        return next(answers)

    lazy = LazyModel("the test model", load, "Use another")
    with pytest.raises(EmbeddingError, match=r"the test model can't be loaded: no such file\. Use another"):
        await lazy.run(str.upper)

    assert "BEAR" == await lazy.run(str.upper)


async def test_a_call_that_fails_says_so_and_the_model_stays() -> None:
    loads: list[str] = []
    lazy = model(loads)
    with pytest.raises(EmbeddingError, match="the test model failed: invalid literal"):
        await lazy.run(int)

    assert "BEAR" == await lazy.run(str.upper)
    assert ["loaded"] == loads


class Machine:
    """Opens models whose name or path it has; records what it was asked, and whether the network was allowed."""

    def __init__(self, *has: str) -> None:
        self.has = has
        self.asked: list[tuple[str, bool]] = []

    def __call__(self, place: str, offline: bool) -> str:
        self.asked.append((place, offline))
        if offline and place not in self.has:
            raise OSError(f"{place} is not here")
        return place


def test_a_model_that_is_here_is_not_looked_for_on_the_network(tmp_path: Path) -> None:
    machine = Machine("a-model", str(tmp_path))

    assert "a-model" == local_first(machine, "a-model")
    assert str(tmp_path) == local_first(machine, "b-model", tmp_path)
    assert [("a-model", True), (str(tmp_path), True)] == machine.asked


def test_a_name_that_is_not_here_is_fetched() -> None:
    machine = Machine()

    assert "a-model" == local_first(machine, "a-model")
    assert [("a-model", True), ("a-model", False)] == machine.asked


@pytest.mark.parametrize("path", ["/missing", "./missing", "../missing", "~/missing"])
def test_a_path_is_never_fetched(path: str) -> None:
    machine = Machine()
    with pytest.raises(OSError, match="is not here"):
        local_first(machine, path)

    assert [(path, True)] == machine.asked
