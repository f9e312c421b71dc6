"""The limits of `versus serve` at their borders, and what clients do that want to keep it busy for nothing."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import httpx
import pytest

from agent.doors.http.limits import QUESTION_CHARS, TURNS, Limits
from agent.doors.serving import Serving
from agent.settings.settings import Settings
from tests.agent.asking import until
from tests.agent.http_door import FARE, opened, running

PLAN = {"question": FARE}
AT_THE_BORDER: list[tuple[dict[str, object], dict[str, object]]] = [
    ({"question": FARE.ljust(QUESTION_CHARS)}, {"question": FARE.ljust(QUESTION_CHARS + 1)}),
    ({**PLAN, "options": {"max_chunks": 200}}, {**PLAN, "options": {"max_chunks": 201}}),
    ({**PLAN, "options": {"deadline_s": 300}}, {**PLAN, "options": {"deadline_s": 300.1}}),
]


async def test_a_field_may_be_as_large_as_its_limit_and_no_larger(two_books: Settings) -> None:
    async with opened(two_books) as door:
        for allowed, refused in AT_THE_BORDER:
            assert 200 == (await door.client.post("/v1/plan", json=allowed)).status_code
            assert 422 == (await door.client.post("/v1/plan", json=refused)).status_code
        for turns, status in ((TURNS, 404), (TURNS + 1, 422)):  # there are no such runs, which is asked last
            body = {**PLAN, "after": ["r0"] * turns}
            assert status == (await door.client.post("/v1/ask", json=body)).status_code


@pytest.mark.parametrize("path", ["/v1/collections", "/v1/models", "/"])
async def test_a_head_may_be_as_long_as_its_limit_and_no_longer(path: str, two_books: Settings) -> None:
    async with opened(two_books, Limits(head_bytes=2000)) as door:
        for length, status in ((1000, 200), (2000, 431)):
            for sent in ({"headers": {"X-Long": "x" * length}}, {"params": {"long": "x" * length}}):
                assert status == (await door.client.get(path, **sent)).status_code  # type: ignore[arg-type]


async def test_a_huge_head_that_does_not_end_is_not_read_to_its_end(two_books: Settings) -> None:
    async with running(two_books, Limits()) as served, connected(served.url) as (reader, writer):
        writer.write(b"GET / HTTP/1.1\r\n" + b"X-Long: " + b"x" * 100_000)
        assert (await first_line(reader)).startswith((b"HTTP/1.1 400", b""))
        await until(lambda: not served.server.server_state.connections)
        await is_well(served.url)


@pytest.mark.parametrize(
    "sent", [b"", b"GET /health/live HTTP/1.1\r\nHost: ", b"GET /health/live HTTP/1.1\r\n\r\nGET "]
)
async def test_a_head_has_to_come_in_time(sent: bytes, two_books: Settings) -> None:
    async with running(two_books, Limits(head_s=0.05)) as served, connected(served.url) as (reader, writer):
        writer.write(sent)
        with_end = asyncio.wait_for(reader.read(), 3)
        await asyncio.gather(with_end, return_exceptions=True)
        assert not served.server.server_state.connections


async def test_a_client_that_does_not_read_is_left(two_books: Settings) -> None:
    """It asks for more than all buffers between the two hold, and reads nothing of it."""
    request = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    async with running(two_books, Limits(send_s=0.05)) as served:
        address = urlsplit(served.url)
        with socket.create_connection((address.hostname, address.port)) as client:
            client.sendall(request * 400)
            await until(lambda: len(served.server.server_state.connections) == 1)
            await until(lambda: not served.server.server_state.connections)


async def test_one_connection_too_many_is_told_and_closed(two_books: Settings) -> None:
    async with running(two_books, Limits(connections=2)) as served:
        async with connected(served.url) as (reader, writer), connected(served.url):
            await until(lambda: len(served.server.server_state.connections) == 2)
            async with connected(served.url) as (refused, _):
                assert (await refused.read()).startswith(b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n")
            writer.write(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        await until(lambda: not served.server.server_state.connections)
        await is_well(served.url)


async def test_a_flood_of_streams_ends_in_limits_and_not_in_death(hanging: Settings) -> None:
    limits = Limits(running=1, waiting=1, connections=20)
    async with running(hanging, limits) as served:
        body = json.dumps(PLAN).encode()
        head = f"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
        asked = head.encode() + b"Accept: text/event-stream\r\nContent-Type: application/json\r\n\r\n" + body
        told = []
        async with many(served.url, 60) as streams:
            for _, writer in streams:
                writer.write(asked)
            answering = [asyncio.create_task(first_line(reader)) for reader, _ in streams]
            await until(lambda: sum(task.done() for task in answering) >= 59)
            told = [task.result() for task in answering if task.done()]
        assert {b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 429 Too Many Requests\r\n"} <= set(told)
        assert 40 == sum(line in (b"HTTP/1.1 503 Service Unavailable\r\n", b"") for line in told)
        await until(lambda: served.application.gate.running == 0)
        await is_well(served.url)


async def test_only_json_is_read_which_no_page_of_another_origin_can_send(two_books: Settings) -> None:
    async with opened(two_books) as door:
        for path in ("/v1/ask", "/v1/search", "/v1/plan", "/v1/check", "/v1/chat/completions"):
            sent = await door.client.post(path, content=json.dumps(PLAN), headers={"Content-Type": "text/plain"})
            assert (415, False) == (sent.status_code, "access-control-allow-origin" in sent.headers)
        asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
        preflight = await door.client.options("/v1/ask", headers=asked)
        assert (405, False) == (preflight.status_code, "access-control-allow-origin" in preflight.headers)


@pytest.mark.parametrize("taken_off", [True, False])
async def test_all_doors_stand_behind_the_prefix_of_a_proxy(taken_off: bool, two_books: Settings) -> None:
    """Whether the proxy takes the prefix off or not; what leads back to the server has it."""
    before = "" if taken_off else "/books"
    async with opened(two_books, serving=Serving(prefix="/books")) as door:
        for path in ("/", "/v1/collections", "/health/ready", "/openapi.json", "/v1/models", "/metrics"):
            assert 200 == (await door.client.get(before + path)).status_code
        messages = [{"role": "user", "content": FARE}]
        body = {"model": "versus", "messages": messages}
        completion = (await door.client.post(f"{before}/v1/chat/completions", json=body)).json()
        address = completion["choices"][0]["message"]["annotations"][0]["url_citation"]["url"]
        assert address.startswith("http://localhost/books/v1/collections/ferries/chunks/")
        assert 200 == (await door.client.get(address)).status_code
        wrong = await door.client.post(f"{before}/v1/chat/completions", json={})
        assert "error" in wrong.json()


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection without a client of HTTP."""
    address = urlsplit(url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        yield reader, writer
    finally:
        writer.close()


@asynccontextmanager
async def many(url: str, number: int) -> AsyncIterator[list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]:
    """So many of them."""
    address = urlsplit(url)
    opened = [await asyncio.open_connection(address.hostname, address.port) for _ in range(number)]
    try:
        yield opened
    finally:
        for _, writer in opened:
            writer.close()


async def first_line(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readline()
    except ConnectionError:  # it was closed before it had read what was written to it
        return b""


async def is_well(url: str) -> None:
    """It answers."""
    async with httpx.AsyncClient(timeout=30) as client:
        assert 200 == (await client.get(f"{url}/health/live")).status_code
