"""Processes that are asked: each reply belongs to its request, and none of them outlives who asks."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from retrieval.errors import ProcessEnded
from retrieval.processes.responder import responder
from tests.agent.batches import until

CHILD = """
import asyncio, os, time
from contextlib import asynccontextmanager
from retrieval.processes.responder import respond

@asynccontextmanager
async def opened(opening):
    if "refuse" in opening:
        raise ValueError(opening["refuse"])
    late = asyncio.Event()

    async def reply(request):
        print("a library prints")
        if request.get("do") == "die":
            os.kill(os.getpid(), 9)
        if request.get("do") == "fail":
            raise ValueError("a bug")
        if request.get("do") == "hold":
            print(request["file"], file=open(request["file"], "w"))
            time.sleep(1000)
        if request.get("do") == "wait":
            await late.wait()
        if request.get("do") == "go":
            late.set()
        return {"pid": os.getpid(), "said": ascii(request.get("say")), "opening": opening}

    yield reply

def main(tell):
    try:
        asyncio.run(respond(opened, tell))
    except ValueError as error:
        tell({"error": str(error)})
        return 1
    return 0
"""


@pytest.fixture
def child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module that replies."""
    (tmp_path / "replying.py").write_text(CHILD)
    monkeypatch.syspath_prepend(str(tmp_path))
    return "replying"


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


async def test_each_reply_belongs_to_its_request_whichever_comes_first(child: str) -> None:
    async with responder(child, {"of": "a book"}) as process:
        waiting = [asyncio.create_task(process.ask({"do": "wait", "say": number})) for number in range(5)]
        first = await process.ask({"say": "lone \ud800 surrogate"})
        assert not any(task.done() for task in waiting)
        await process.ask({"do": "go"})
        replies = await asyncio.gather(*waiting)

    assert (ascii("lone \ud800 surrogate"), {"of": "a book"}) == (first["said"], first["opening"])
    assert list("01234") == [reply["said"] for reply in replies]
    assert not is_there(first["pid"])


@pytest.mark.parametrize(("do", "how"), [("die", "ended by SIGKILL"), ("fail", "ended with code 1")])
async def test_who_waits_for_a_process_that_ends_is_told_and_who_comes_later_too(child: str, do: str, how: str) -> None:
    async with responder(child, {}) as process:
        waiting = asyncio.create_task(process.ask({"do": "wait"}))
        for request in ({"do": do}, {}):
            with pytest.raises(ProcessEnded, match=how):
                await process.ask(request)
        with pytest.raises(ProcessEnded, match=how):
            await waiting
        assert how in str(await process.ended())


async def test_what_can_not_be_opened_is_told_as_the_process_tells_it(child: str) -> None:
    with pytest.raises(ProcessEnded, match="no such collection"):
        async with responder(child, {"refuse": "no such collection"}):
            pass


async def test_a_request_that_is_cancelled_costs_no_other(child: str) -> None:
    async with responder(child, {}) as process:
        task = asyncio.create_task(process.ask({"do": "wait"}))
        await process.ask({})
        task.cancel()
        await asyncio.wait([task])
        assert "'later'" == (await process.ask({"do": "go", "say": "later"}))["said"]


async def test_a_process_that_hangs_is_ended(child: str, tmp_path: Path) -> None:
    async with responder(child, {}) as process:
        number = (await process.ask({}))["pid"]
        task = asyncio.create_task(process.ask({"do": "hold", "file": str(tmp_path / "held")}))
        await asyncio.to_thread(until, (tmp_path / "held").exists)
    assert not is_there(number)
    with pytest.raises(ProcessEnded):
        await task


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize("do", ["wait", "hold"])
def test_no_process_outlives_the_one_that_asks(child: str, tmp_path: Path, do: str) -> None:
    code = f"""
import asyncio
from retrieval.processes.responder import responder
async def main():
    async with responder("replying", {{}}) as process:
        print((await process.ask({{}}))["pid"], flush=True)
        await process.ask({{"do": {do!r}, "file": {str(tmp_path / "held")!r}}})
asyncio.run(main())
"""
    path = os.pathsep.join([str(tmp_path), str(Path(__file__).parents[2])])
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}
    ) as parent:
        assert parent.stdout is not None
        number = int(parent.stdout.readline())
        if do == "hold":
            until((tmp_path / "held").exists)
        assert is_there(number)
        parent.send_signal(signal.SIGKILL)
    until(lambda: not is_there(number))
