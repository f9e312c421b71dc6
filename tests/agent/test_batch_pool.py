"""Several processes for the questions of a batch: each gets its share, and one that is lost costs only what it has."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

import pytest

from agent import events
from agent.batch.pool import Pool
from agent.batch.records import Response
from retrieval.errors import ProcessEnded


class Place:
    """Answers when it is told to, and says who it is; as another process it lasts until it is lost."""

    def __init__(self, name: str = "") -> None:
        self.name, self.asked, self.number = name, list[str](), 0
        self.told, self.lost = asyncio.Event(), asyncio.Event()

    async def respond(self, question: str) -> Response:
        self.asked.append(question)
        await self.told.wait()
        return {"by": self.name}

    async def ended(self) -> ProcessEnded:
        await self.lost.wait()
        return ProcessEnded("it was killed")


class Others:
    """Other processes: each is open when `ready` says so, and the list `open` has those that are."""

    def __init__(self) -> None:
        self.begun, self.open, self.ready = 0, list[Place](), asyncio.Event()
        self.trouble: ProcessEnded | None = None
        self.notes: list[str] = []

    @asynccontextmanager
    async def opening(self) -> AsyncIterator[Place]:
        self.begun += 1
        await self.ready.wait()
        if self.trouble:
            raise self.trouble
        place = Place(f"another {len(self.open) + 1}")
        self.open.append(place)
        try:
            yield place
        finally:
            self.open.remove(place)


async def settled() -> None:
    """Let all tasks go on until they wait for somebody."""
    for _ in range(20):
        await asyncio.sleep(0)


def asked(pool: Pool, *questions: str) -> list[asyncio.Task[Response]]:
    return [asyncio.create_task(pool.respond(question)) for question in questions]


async def test_each_question_goes_where_the_fewest_are_under_way() -> None:
    here, others = Place("here"), Others()
    async with aclosing(Pool(here.respond, others.opening, 2, 1, others.notes.append)) as pool:
        early = asked(pool, "a", "b", "c")
        await settled()
        assert (["a", "b", "c"], 2) == (here.asked, others.begun)
        others.ready.set()
        await settled()
        late = asked(pool, *"defghi")
        await settled()
        assert [3, 3, 3] == [len(place.asked) for place in (here, *others.open)]
        for place in (here, *others.open):
            place.told.set()
        by = Counter(response["by"] for response in await asyncio.gather(*early, *late))
        assert {"here": 3, "another 1": 3, "another 2": 3} == by
    assert ([], []) == (others.open, others.notes)


@pytest.mark.parametrize(("questions", "begun"), [(2, 0), (3, 2), (9, 2)])
async def test_others_are_begun_when_so_many_questions_came(questions: int, begun: int) -> None:
    here, others = Place("here"), Others()
    here.told.set()
    async with aclosing(Pool(here.respond, others.opening, 2, 3, others.notes.append)) as pool:
        for number in range(questions):
            await pool.respond(str(number))
        await settled()
        assert begun == others.begun


async def test_one_that_is_lost_or_can_not_be_had_is_noted_and_the_rest_go_on() -> None:
    here, others = Place("here"), Others()
    here.told.set()
    others.ready.set()
    async with aclosing(Pool(here.respond, others.opening, 1, 1, others.notes.append)) as pool:
        await pool.respond("a")
        await settled()
        others.open[0].lost.set()
        await settled()
        assert [{"by": "here"}] * 3 == await asyncio.gather(*asked(pool, "b", "c", "d"))
    others.trouble = ProcessEnded("no memory")
    async with aclosing(Pool(here.respond, others.opening, 1, 1, others.notes.append)) as pool:
        await asyncio.gather(*asked(pool, "e", "f"))
        await settled()

    told = "one process less answers the questions: "
    assert [f"{told}it was killed", f"{told}no memory"] == others.notes


async def test_one_that_joins_is_told_of_the_batch_and_of_no_single_question() -> None:
    here, others, told = Place("here"), Others(), list[dict[str, object]]()
    here.told.set()
    others.ready.set()
    with events.observed(lambda name, fields: told.append({"event": name, **fields})), events.bind(batch_id="b"):
        async with aclosing(Pool(here.respond, others.opening, 2, 1, others.notes.append)) as pool:
            with events.bind(run_id="r"):
                await pool.respond("a")
            await settled()

    assert [{"event": "batch.joined", "process": 0, "batch_id": "b"}] * 2 == told


async def test_who_closes_it_waits_for_none_that_is_not_open_yet() -> None:
    here, others = Place("here"), Others()
    here.told.set()
    async with aclosing(Pool(here.respond, others.opening, 3, 1, others.notes.append)) as pool:
        await pool.respond("a")
        await settled()
    assert (3, [], []) == (others.begun, others.open, others.notes)
