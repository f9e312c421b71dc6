"""Replies on disk: what is the same request, what survives, who shares, and what a damaged file says."""

from __future__ import annotations

import asyncio
import multiprocessing
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from agent.errors import BudgetExceeded, LLMError, LLMRefused, SettingsError
from agent.llm.protocol import LLMRequest, Message, OnText, Reply, Tool, ToolCall
from agent.llm.recorded import RecordedLLM, key_of, stored_usage
from agent.llm.scripted import ScriptedLLM
from agent.llm.single_flight import SharedCalls
from agent.types import Usage

HELLO = LLMRequest((Message("user", "Who wins?"),), "plan")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "replies.db"


class Paused:
    """A model that answers when it is let, and says how it ended."""

    def __init__(self, reply: str | Exception = "An owl.") -> None:
        self.asked = 0
        self.cancelled = 0
        self.go = asyncio.Event()
        self._reply = reply

    model = "paused"

    async def complete(self, request: LLMRequest, on_text: OnText | None = None) -> Reply:
        self.asked += 1
        if on_text is not None:
            on_text("An ")
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if isinstance(self._reply, Exception):
            raise self._reply
        if on_text is not None:
            on_text(self._reply.removeprefix("An "))
        return Reply(self._reply, usage=Usage(1, 2, 3, 0.5))

    async def close(self) -> None:
        """Nothing is open."""


@pytest.fixture
async def paused() -> Paused:
    return Paused()


@pytest.fixture
async def shared(paused: Paused, path: Path) -> AsyncIterator[RecordedLLM]:
    llm = RecordedLLM(paused, path)
    yield llm
    await llm.close()


async def test_the_same_request_is_asked_once_and_costs_nothing_again(path: Path) -> None:
    said = Reply("An owl.", (ToolCall("1", "look_up", "{}"),), "tool_calls", Usage(1, 2, 3, 0.5), "small-1")
    inner = ScriptedLLM([said])
    llm = RecordedLLM(inner, path)
    first = await llm.complete(HELLO)
    heard: list[str | None] = []
    second = await llm.complete(replace(HELLO, purpose="repair", give_up_at=7.0), heard.append)
    await llm.close()

    assert (said, replace(said, usage=Usage())) == (first, second)
    assert (1, ["An owl."]) == (len(inner.requests), heard)


async def test_replies_survive_the_process(path: Path) -> None:
    for script in (["An owl."], []):
        llm = RecordedLLM(ScriptedLLM(script), path)
        assert "An owl." == (await llm.complete(HELLO)).text
        await llm.close()


@pytest.mark.parametrize(
    "other",
    [
        replace(HELLO, messages=(Message("user", "Who wins? "),)),
        replace(HELLO, messages=(Message("system", "Who wins?"),)),
        replace(HELLO, schema={"type": "object"}),
        replace(HELLO, tools=(Tool("look_up", ""),)),
        replace(HELLO, max_tokens=1),
    ],
    ids=["text", "role", "schema", "tools", "limit"],
)
def test_another_request_has_another_key(other: LLMRequest) -> None:
    assert key_of("m", "", HELLO) != key_of("m", "", other)


def test_another_model_or_endpoint_has_another_key_and_the_order_of_names_in_a_schema_does_not_matter() -> None:
    assert 3 == len({key_of("m", "", HELLO), key_of("n", "", HELLO), key_of("m", "http://host", HELLO)})
    one, other = ({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert key_of("m", "", replace(HELLO, schema=one)) == key_of("m", "", replace(HELLO, schema=other))


async def test_a_failure_is_not_kept(path: Path) -> None:
    llm = RecordedLLM(ScriptedLLM([LLMError("down"), "An owl."]), path)
    with pytest.raises(LLMError, match="down"):
        await llm.complete(HELLO)

    assert "An owl." == (await llm.complete(HELLO)).text
    await llm.close()


async def test_a_reply_that_was_cut_off_is_asked_for_again_and_what_it_cost_is_kept(path: Path) -> None:
    cut = Reply("An ow", finish_reason="length", usage=Usage(1, 2, 3, 0.5))
    llm = RecordedLLM(ScriptedLLM([cut, cut, Reply("An owl.", usage=Usage(1, 2, 4, 0.5))]), path)
    said = [(await llm.complete(HELLO)).text for _ in range(4)]
    await llm.close()

    assert (["An ow", "An ow", "An owl.", "An owl."], Usage(3, 6, 10, 1.5)) == (said, stored_usage(path))


def test_who_is_told_of_failed_attempts_does_not_matter() -> None:
    assert key_of("m", "", HELLO) == key_of("m", "", replace(HELLO, on_lost=lambda lost: 1))


async def test_a_reply_is_in_the_file_before_anyone_sees_it(path: Path) -> None:
    llm = RecordedLLM(ScriptedLLM(["An owl."]), path)
    call = asyncio.create_task(llm.complete(HELLO))
    kept: list[int] = []

    def look(_: object) -> None:
        with sqlite3.connect(path) as other:
            kept.extend(other.execute("SELECT count(*) FROM replies").fetchone())

    call.add_done_callback(look)
    await call
    await asyncio.sleep(0)
    assert [1] == kept
    await llm.close()


async def ready(shared: RecordedLLM, paused: Paused, number: int) -> list[asyncio.Task[Reply]]:
    """So many who ask the same, the first of whom was sent on."""
    calls = [asyncio.create_task(shared.complete(HELLO)) for _ in range(number)]
    async with asyncio.timeout(5):
        while not paused.asked:  # noqa: ASYNC110 - the file is read in another thread
            await asyncio.sleep(0.001)
    await asyncio.sleep(0.02)  # the others are on their way to the same call
    return calls


async def test_the_same_request_under_way_is_shared(shared: RecordedLLM, paused: Paused) -> None:
    calls = await ready(shared, paused, 5)
    heard: list[str | None] = []
    calls.append(asyncio.create_task(shared.complete(HELLO, heard.append)))
    await asyncio.sleep(0.02)
    paused.go.set()
    replies = await asyncio.gather(*calls)

    assert (["An owl."] * 6, 1, ["An owl."]) == ([reply.text for reply in replies], paused.asked, heard)
    assert Usage(1, 2, 3, 0.5) == sum((reply.usage for reply in replies), start=Usage())


async def test_who_comes_late_hears_what_was_said_before(shared: RecordedLLM, paused: Paused) -> None:
    early: list[str | None] = []
    late: list[str | None] = []
    first = asyncio.create_task(shared.complete(HELLO, early.append))
    async with asyncio.timeout(5):
        while not early:  # noqa: ASYNC110 - the file is read in another thread
            await asyncio.sleep(0.001)
    second = asyncio.create_task(shared.complete(HELLO, late.append))
    async with asyncio.timeout(5):
        while not late:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    paused.go.set()
    await asyncio.gather(first, second)

    assert (["An ", "owl."], ["An ", "owl."]) == (early, late)


async def test_one_that_is_cancelled_does_not_hurt_the_others(shared: RecordedLLM, paused: Paused) -> None:
    first, second = await ready(shared, paused, 2)
    first.cancel()
    paused.go.set()

    assert Reply("An owl.", usage=Usage(1, 2, 3, 0.5)) == await second
    assert first.cancelled() and 0 == paused.cancelled


async def test_the_last_that_is_cancelled_takes_the_call_along(shared: RecordedLLM, paused: Paused) -> None:
    calls = await ready(shared, paused, 2)
    for call in calls:
        call.cancel()
    await asyncio.wait(calls)
    assert (1, 1) == (paused.asked, paused.cancelled)

    paused.go.set()
    assert "An owl." == (await shared.complete(HELLO)).text


async def test_who_comes_while_a_call_is_being_cancelled_gets_a_new_one() -> None:
    calls, may_end, ending = SharedCalls(), asyncio.Event(), asyncio.Event()

    async def reluctant(on_text: OnText | None) -> Reply:
        try:
            await asyncio.Event().wait()
        finally:
            ending.set()
            await may_end.wait()
        return Reply("never")

    async def prompt(on_text: OnText | None) -> Reply:
        return Reply("An owl.")

    first = asyncio.create_task(calls.join("key", reluctant, None))
    await asyncio.sleep(0.01)
    first.cancel()
    await ending.wait()
    async with asyncio.timeout(2):
        assert "An owl." == (await calls.join("key", prompt, None)).text

    may_end.set()
    await asyncio.wait([first])
    assert first.cancelled()


async def test_all_who_share_a_failure_are_told(path: Path) -> None:
    paused = Paused(LLMError("down"))
    llm = RecordedLLM(paused, path)
    calls = await ready(llm, paused, 3)
    paused.go.set()

    assert ["down"] * 3 == [str(each) for each in await asyncio.gather(*calls, return_exceptions=True)]
    await llm.close()


@pytest.mark.parametrize(
    ("error", "asked"),
    [(LLMError("out of time"), 2), (BudgetExceeded("raise max_tokens"), 2), (LLMRefused("wrong key"), 1)],
)
async def test_what_ends_the_one_who_asked_first_does_not_end_those_who_joined(error: LLMError, asked: int) -> None:
    calls, may_end, works = SharedCalls(), asyncio.Event(), []

    async def work(on_text: OnText | None) -> Reply:
        works.append(on_text)
        await may_end.wait()
        if len(works) == 1:
            raise error
        return Reply("An owl.")

    all_three = [asyncio.create_task(calls.join("key", work, None)) for _ in range(3)]
    await asyncio.sleep(0.01)
    may_end.set()

    ended = await asyncio.gather(*all_three, return_exceptions=True)
    assert [error, *[Reply("An owl.") if asked == 2 else error] * 2] == ended
    assert asked == len(works)


def ask_everything(path: Path, numbers: range) -> None:
    """What each process does."""

    async def ask() -> None:
        llm = RecordedLLM(ScriptedLLM(lambda request: f"answer to {request.messages[0].content}"), path)
        for number in numbers:
            request = LLMRequest((Message("user", f"question {number}"),), "plan")
            assert f"answer to question {number}" == (await llm.complete(request)).text
        await llm.close()

    asyncio.run(ask())


@pytest.mark.slow
async def test_several_processes_share_a_file(path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=ask_everything, args=(path, range(n * 10, n * 10 + 20))) for n in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        await asyncio.to_thread(process.join)

    assert [0] * 4 == [process.exitcode for process in processes]
    with sqlite3.connect(path) as database:
        assert ("wal",) == database.execute("PRAGMA journal_mode").fetchone()  # readers don't wait for writers
        assert (50,) == database.execute("SELECT count(*) FROM replies").fetchone()


def damage_nothing_of_ours(path: Path) -> None:
    path.write_text("This is no database, but a letter of some length. " * 100)


def damage_of_another_program(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE bookmarks (url TEXT)")


def damage_pages(path: Path) -> None:
    asyncio.run(fill(path))
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 4096)


def damage_a_reply(path: Path) -> None:
    asyncio.run(fill(path))
    with sqlite3.connect(path) as database:
        database.execute("UPDATE replies SET reply = substr(reply, 1, 20)")


async def fill(path: Path) -> None:
    llm = RecordedLLM(ScriptedLLM(["An owl."]), path)
    await llm.complete(HELLO)
    await llm.close()


@pytest.mark.parametrize("damage", [damage_nothing_of_ours, damage_of_another_program, damage_pages, damage_a_reply])
async def test_a_damaged_file_is_refused_with_advice(damage: object, path: Path) -> None:
    path.parent.mkdir()
    assert callable(damage)
    await asyncio.to_thread(damage, path)
    before = path.read_bytes()
    llm = RecordedLLM(ScriptedLLM(["An owl."]), path)

    with pytest.raises(SettingsError, match=r"replies\.db is not a file of kept replies, or damaged: .*; delete it"):
        await llm.complete(HELLO)
    assert before == path.read_bytes()
    await llm.close()


async def test_a_damaged_file_is_found_when_it_is_opened(path: Path) -> None:
    path.parent.mkdir()
    damage_nothing_of_ours(path)
    llm = RecordedLLM(ScriptedLLM([]), path)

    with pytest.raises(SettingsError, match="delete it"):
        await llm.open()
    await llm.close()


async def test_a_place_that_can_not_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    llm = RecordedLLM(ScriptedLLM([]), tmp_path / "file" / "replies.db")

    with pytest.raises(SettingsError, match=r"replies\.db can't be read or kept"):
        await llm.open()
    await llm.close()
