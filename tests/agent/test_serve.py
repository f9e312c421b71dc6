"""`versus serve`: its limits, who may ask it, and how it ends what nobody waits for, and itself."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import httpx
import pytest
from mcp.client import Client
from typer.testing import CliRunner

from agent.cli.app import app
from agent.doors.http.limits import Limits
from agent.doors.serving import Serving
from agent.settings.settings import Settings
from benchmarks.leaving import Left, ask_and_leave, left_behind
from tests.agent.asking import until, within
from tests.agent.http_door import ALICE, BOB, FARE, Opened, asking, events_in, opened, running, with_keys
from tests.fake_openai import FakeOpenAI

REPOSITORY = Path(__file__).parents[2]
ASK = {"question": FARE}
STREAM = {"Accept": "text/event-stream"}


@pytest.mark.parametrize("headers", [{}, STREAM], ids=["json", "stream"])
async def test_a_client_that_goes_away_ends_the_work_within_a_second(
    headers: dict[str, str], hanging: Settings, server: FakeOpenAI
) -> None:
    async with running(hanging, Limits()) as served:
        async with asking(served.url, ASK, headers):
            await until(lambda: len(server.requests) == 1)
            assert (1, 1) == (served.application.gate.running, server.connections)
        await within(1, lambda: (served.application.gate.running, server.connections) == (0, 0))


async def test_a_client_of_mcp_that_goes_away_ends_the_work_too(hanging: Settings, server: FakeOpenAI) -> None:
    async with running(hanging, Limits()) as served, httpx.AsyncClient() as client:
        headers = {"Accept": "application/json, text/event-stream"}
        info = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
        begun = await client.post(f"{served.url}/mcp", json=_call("initialize", info), headers=headers)
        headers["Mcp-Session-Id"] = begun.headers["mcp-session-id"]
        asked = _call("tools/call", {"name": "ask", "arguments": ASK})
        async with asking(served.url, asked, headers, "/mcp"):
            await until(lambda: len(server.requests) == 1)
        await within(1, lambda: (served.application.gate.running, server.connections) == (0, 0))


def _call(method: str, params: Mapping[str, object]) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


async def test_a_silent_stream_is_kept_alive_by_pings(hanging: Settings) -> None:
    async with (
        running(hanging, Limits(ping_s=0.02)) as served,
        httpx.AsyncClient() as client,
        client.stream("POST", f"{served.url}/v1/ask", json=ASK, headers=STREAM) as response,
    ):
        lines = response.aiter_lines()
        assert "event: run" in [await anext(lines) for _ in range(3)]
        async for line in lines:
            if line.startswith(": ping"):
                break


async def test_a_run_is_cancelled_and_its_stream_is_told(hanging: Settings, server: FakeOpenAI) -> None:
    async with running(hanging, Limits()) as served, httpx.AsyncClient() as client:
        accepted = await client.post(f"{served.url}/v1/ask", json=ASK, headers={"Prefer": "respond-async"})
        address = f"{served.url}/v1/{accepted.headers['location']}"
        async with client.stream("GET", f"{address}/events") as response:
            await until(lambda: len(server.requests) == 1)
            assert 204 == (await client.delete(address)).status_code
            told = list(events_in((await response.aread()).decode()))
        assert ("error", "urn:versus:problem:client-gone") == (told[-1][0], told[-1][1]["type"])
        await until(lambda: server.connections == 0)


async def test_as_many_run_and_wait_as_may_and_one_more_is_told_to_come_back(
    hanging: Settings, server: FakeOpenAI
) -> None:
    async with running(hanging, Limits(running=1, waiting=1)) as served:
        gate = served.application.gate
        async with asking(served.url, ASK), asking(served.url, ASK), httpx.AsyncClient() as client:
            await until(lambda: (gate.running, gate.waiting) == (1, 1))
            refused = await client.post(f"{served.url}/v1/ask", json=ASK, headers=STREAM)
            assert (429, "1") == (refused.status_code, refused.headers["retry-after"])
            assert "urn:versus:problem:busy" == refused.json()["type"]
            assert 200 == (await client.get(f"{served.url}/v1/collections")).status_code
        await until(lambda: (gate.running, gate.waiting) == (0, 0))


async def test_a_server_that_is_told_to_stop_ends_what_is_under_way(hanging: Settings, server: FakeOpenAI) -> None:
    async with running(hanging, Limits(drain_s=0.3)) as served, httpx.AsyncClient() as client:
        async with client.stream("POST", f"{served.url}/v1/ask", json=ASK, headers=STREAM) as response:
            await until(lambda: len(server.requests) == 1)
            served.server.handle_exit(signal.SIGTERM, None)
            await until(lambda: served.server.is_draining)
            ready, refused = await asyncio.gather(
                client.get(f"{served.url}/health/ready"), client.post(f"{served.url}/v1/ask", json=ASK)
            )
            assert (503, 503) == (ready.status_code, refused.status_code)
            told = list(events_in((await response.aread()).decode()))
        assert ("error", "urn:versus:problem:draining") == (told[-1][0], told[-1][1]["type"])
        await asyncio.wait_for(served.ended, 5)


async def test_what_is_under_way_at_any_door_is_answered_before_it_stops_and_no_more_is_taken(
    hanging: Settings, server: FakeOpenAI
) -> None:
    body = {"model": "versus", "messages": [{"role": "user", "content": FARE}]}
    async with (
        running(hanging.model_copy(update={"deadline": 0.5}), Limits()) as served,
        httpx.AsyncClient(base_url=served.url) as client,
        Client(f"{served.url}/mcp") as agent,
    ):
        under_way = asyncio.create_task(client.post("/v1/chat/completions", json=body))
        await until(lambda: len(server.requests) == 1)
        served.server.handle_exit(signal.SIGTERM, None)
        await until(lambda: served.server.is_draining)
        refused = await client.post("/v1/chat/completions", json=body)
        called = await agent.call_tool("ask", ASK)
        assert (503, "draining") == (refused.status_code, refused.json()["error"]["code"])
        assert (True, True) == (called.is_error, "about to stop" in str(called.content))
        assert "3" == (await under_way).json()["versus"]["verdict"]
        await asyncio.wait_for(served.ended, 5)


async def test_the_second_signal_ends_it_at_once(hanging: Settings, server: FakeOpenAI) -> None:
    async with running(hanging, Limits(drain_s=60)) as served, asking(served.url, ASK):
        await until(lambda: len(server.requests) == 1)
        served.server.handle_exit(signal.SIGINT, None)
        served.server.handle_exit(signal.SIGINT, None)
        await asyncio.wait_for(served.ended, 5)


async def test_mcp_is_spoken_at_its_own_path(two_books: Settings) -> None:
    async with running(two_books, Limits()) as served, Client(f"{served.url}/mcp") as client:
        answered = await client.call_tool("ask", ASK)
    assert answered.structured_content is not None
    assert "3" == answered.structured_content["verdict"]


async def test_a_body_may_be_as_long_as_the_limit_and_no_longer(two_books: Settings) -> None:
    async with opened(two_books, Limits(body_bytes=300)) as door:
        for length, status in ((300, 200), (301, 413)):
            body = json.dumps(ASK).encode().ljust(length)
            assert status == (await post(door, body)).status_code
        assert 413 == (await post(door, in_pieces(body))).status_code
        assert 413 == (await post(door, in_pieces(body), "/v1/chat/completions")).status_code


async def post(door: Opened, body: bytes | AsyncIterator[bytes], path: str = "/v1/plan") -> httpx.Response:
    return await door.client.post(path, content=body, headers={"Content-Type": "application/json"})


async def in_pieces(body: bytes) -> AsyncIterator[bytes]:
    """A body whose length is not told before."""
    for at in range(0, len(body), 100):
        yield body[at : at + 100]


@pytest.mark.parametrize("path", ["/v1/plan", "/v1/chat/completions"])
async def test_a_body_that_does_not_come_is_not_waited_for(path: str, two_books: Settings) -> None:
    async def stalling() -> AsyncIterator[bytes]:
        yield b'{"question": '
        await asyncio.Event().wait()

    async with opened(two_books, Limits(body_s=0.02)) as door:
        headers = {"Content-Type": "application/json"}
        assert 408 == (await door.client.post(path, content=stalling(), headers=headers)).status_code


async def test_each_caller_has_a_pace_of_its_own(two_books: Settings) -> None:
    keyed = with_keys(two_books)
    async with opened(keyed, Limits(per_minute=2)) as door:
        for status in (200, 200, 429):
            assert status == (await door.client.get("/v1/collections", headers={"X-API-Key": ALICE})).status_code
        assert 200 == (await door.client.get("/v1/collections", headers={"X-API-Key": BOB})).status_code
        assert 200 == (await door.client.get("/health/live")).status_code


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": f"Basic {ALICE}"}, 401),
        ({"X-API-Key": "\xe9"}, 401),
        ({"Authorization": f"Bearer {ALICE}"}, 200),
        ({"Authorization": f"bearer {BOB}"}, 200),
        ({"X-API-Key": BOB}, 200),
    ],
)
async def test_where_there_are_keys_one_is_needed_but_for_health(
    headers: dict[str, str], status: int, two_books: Settings
) -> None:
    async with opened(with_keys(two_books)) as door:
        sent = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
        asked = await door.client.get("/v1/collections", headers=sent)
        assert status == asked.status_code
        assert ALICE not in asked.text
        assert 200 == (await door.client.get("/health/live")).status_code
        if status == 401:
            assert 'Bearer realm="versus"' == asked.headers["www-authenticate"]
            assert 401 == (await door.client.post("/mcp", headers=sent)).status_code


@pytest.mark.parametrize(
    ("serving", "host", "status"),
    [
        (Serving(), "localhost:8321", 200),
        (Serving(), "[::1]:8321", 200),
        (Serving(), "evil.example", 400),
        (Serving(allowed_hosts=("Books.example",)), "books.example", 200),
        (Serving("0.0.0.0", allowed_hosts=("books.example",)), "evil.example", 400),
        (Serving("0.0.0.0"), "anything.example", 200),
    ],
)
async def test_a_name_that_is_not_the_servers_is_refused(
    serving: Serving, host: str, status: int, two_books: Settings
) -> None:
    async with opened(two_books, serving=serving) as door:
        assert status == (await door.client.get("/v1/collections", headers={"Host": host})).status_code


async def test_a_deadline_without_anything_is_a_problem_and_with_something_an_answer(
    two_books: Settings, hanging: Settings
) -> None:
    async with opened(two_books) as door:
        nothing = await door.client.post("/v1/ask", json={**ASK, "options": {"deadline_s": 1e-9}})
        assert (504, "urn:versus:problem:deadline") == (nothing.status_code, nothing.json()["type"])
        run = (await door.client.get(f"/v1/runs/{nothing.json()['instance']}")).json()
        assert ("failed", 504) == (run["state"], run["problem"]["status"])
    async with opened(hanging) as door:
        something = await door.client.post("/v1/ask", json={**ASK, "options": {"deadline_s": 2}})
        assert (200, "3") == (something.status_code, something.json()["verdict"])


async def test_only_the_latest_runs_are_kept(two_books: Settings) -> None:
    async with opened(two_books, Limits(kept_runs=1)) as door:
        first, second, third = [(await door.client.post("/v1/ask", json=ASK)).json()["run_id"] for _ in range(3)]
        kept = [(await door.client.get(f"/v1/runs/{run_id}")).status_code for run_id in (first, second, third)]
        assert [404, 404, 200] == kept


@pytest.mark.usefixtures("empty_place")
def test_it_does_not_start_for_others_without_a_key() -> None:
    refused = CliRunner().invoke(app, ["serve", "--host", "0.0.0.0"])
    assert (2, True) == (refused.exit_code, "set VERSUS_API_KEYS, or say --no-auth" in refused.stderr)


@pytest.mark.usefixtures("empty_place")
@pytest.mark.parametrize("keys", ["alice:short", "no-name-before-this-key", f"a:{ALICE},a:{BOB}", f"a:{ALICE},"])
def test_keys_that_are_none_are_wrong_usage_and_not_repeated(keys: str) -> None:
    refused = CliRunner().invoke(app, ["serve"], env={"VERSUS_API_KEYS": keys})
    assert (2, True) == (refused.exit_code, "alice:KEY,bob:KEY" in refused.stderr)
    assert keys not in refused.output


@pytest.mark.usefixtures("empty_place")
def test_a_port_that_is_taken_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = CliRunner().invoke(app, ["serve", "--port", str(port)])
    assert (1, True) == (refused.exit_code, f"127.0.0.1:{port} can't be served" in refused.stderr)


@pytest.mark.slow
async def test_clients_that_leave_in_mid_answer_leave_nothing_behind(two_books: Settings) -> None:
    """`python -m benchmarks.serve` does it with ten thousand."""
    async with running(two_books, Limits(per_minute=1e9, kept_runs=10)) as served:
        await ask_and_leave(served.url, 100)
        await until(lambda: served.application.gate.running == 0 and not served.server.server_state.connections)
        before = Left.now(served.application)
        outcomes = await ask_and_leave(served.url, 300)
        await until(lambda: served.application.gate.running == 0 and not served.server.server_state.connections)
        left = left_behind(before, Left.now(served.application))
    assert [] == left
    assert (270, 300) == (outcomes["200"], outcomes.total())


@pytest.mark.slow
def test_as_a_program_it_tells_its_address_answers_and_ends_well_on_sigterm(
    two_books: Settings, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "versus", "serve", "--port", "0", "--json", "--chroma", two_books.chroma]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "VERSUS_PLANNER": "rules"}
    environment |= {"VERSUS_COLLECTION": "ferries", "VERSUS_API_KEYS": f"alice:{ALICE}"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=tmp_path, env=environment, text=True) as program:
        try:
            assert program.stdout is not None
            url = json.loads(program.stdout.readline())["url"]
            answered = httpx.post(f"{url}/v1/ask", json=ASK, headers={"X-API-Key": ALICE}, timeout=60)
            assert (200, "3") == (answered.status_code, answered.json()["verdict"])
            program.send_signal(signal.SIGTERM)
            assert 0 == program.wait(20)
        finally:
            program.kill()
    logged = "".join(path.read_text() for path in (tmp_path / "logs").glob("*.jsonl"))
    assert "answer.completed" in logged
    assert ALICE not in logged
