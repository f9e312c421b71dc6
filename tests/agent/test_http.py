"""The HTTP API over a real collection: what each address gives, and what it says when it can't."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp.client import Client
from typer.testing import CliRunner

from agent.cli.app import app
from agent.doors.http.openapi import OPERATIONS, openapi
from agent.doors.http.runs import Run
from agent.doors.mcp.server import mcp_server
from agent.events import configure_logging, observed
from agent.settings.settings import Settings
from tests.agent.http_door import FARE, Opened, events_in, folded, opened
from tests.agent.test_mcp import without_own

GOLDEN = Path(__file__).with_name("openapi.json")
STREAM = {"Accept": "text/event-stream"}


@pytest.fixture
async def http(two_books: Settings) -> AsyncIterator[Opened]:
    async with opened(two_books) as door:
        yield door


async def ask(door: Opened, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> httpx.Response:
    return await door.client.post("/v1/ask", json=body, headers=headers)


async def test_an_answer_is_the_same_object_at_every_door(http: Opened, two_books: Settings) -> None:
    """The command, `/v1/ask`, a folded stream, the tool of MCP, and what stands beside a completion of OpenAI."""
    place = ["--chroma", two_books.chroma, "--collection", "ferries", "--planner", "rules", "--json"]
    printed = json.loads((await asyncio.to_thread(CliRunner().invoke, app, ["ask", FARE, *place])).stdout)
    streamed = folded(events_in((await ask(http, {"question": FARE}, STREAM)).text))
    body = {"model": "versus", "messages": [{"role": "user", "content": FARE}]}
    completed = (await http.client.post("/v1/chat/completions", json=body)).json()["versus"]
    async with Client(mcp_server(http.application)) as client:
        called = (await client.call_tool("ask", {"question": FARE})).structured_content
    given = (await ask(http, {"question": FARE})).json()
    for other in (printed, streamed, completed, called):
        assert without_own(given) == without_own(other)


async def test_a_search_and_a_plan_are_the_objects_that_the_commands_print(http: Opened, two_books: Settings) -> None:
    place = ["--chroma", two_books.chroma, "--collection", "ferries", "--planner", "rules", "--json"]
    for command in ("search", "plan"):
        printed = await asyncio.to_thread(CliRunner().invoke, app, [command, FARE, *place])
        given = await http.client.post(f"/v1/{command}", json={"question": FARE})
        assert (200, "application/json") == (given.status_code, given.headers["content-type"])
        assert without_own(json.loads(printed.stdout)) == without_own(given.json())


async def test_the_events_of_a_stream_come_to_the_answer_without_one(http: Opened) -> None:
    streamed = await ask(http, {"question": "Which is faster, the Reed or the Heron, and who built them?"}, STREAM)
    assert "text/event-stream; charset=utf-8" == streamed.headers["content-type"]
    assert ("no-store", "no") == (streamed.headers["cache-control"], streamed.headers["x-accel-buffering"])
    events = list(events_in(streamed.text))
    assert ("run", "plan", "answer") == (events[0][0], events[1][0], events[-1][0])
    run = (await http.client.get(f"/v1/runs/{events[0][1]['run_id']}")).json()
    assert "answered" == run["state"]
    assert run["answer"] == folded(events)
    plain = await ask(http, {"question": run["question"]})
    assert without_own(plain.json()) == without_own(folded(events))
    before = folded(events[:-1])
    by_sub_query = {each["sub_query"]: each for each in before["retrieved"]}
    assert run["answer"]["retrieved"] == [by_sub_query[each["id"]] for each in run["answer"]["plan"]["sub_queries"]]
    planned = [*before["plan"]["sub_queries"], *(need["sub_query"] for need in before["needs"])]
    assert before["needs"]
    assert planned == run["answer"]["plan"]["sub_queries"]


async def test_a_stream_is_taken_up_again_behind_the_last_event_that_came(http: Opened) -> None:
    whole = await ask(http, {"question": FARE}, STREAM)
    events = list(events_in(whole.text))
    address = f"/v1/runs/{events[0][1]['run_id']}/events"
    rest = await http.client.get(address, headers={"Last-Event-ID": "2"})
    assert events[2:] == list(events_in(rest.text))
    assert events == list(events_in((await http.client.get(address, headers={"Last-Event-ID": "x"})).text))


async def test_a_question_goes_on_from_a_run(http: Opened) -> None:
    first = (await ask(http, {"question": FARE})).json()
    second = (await ask(http, {"question": "And of the Heron?", "after": [first["run_id"]]})).json()
    assert "5" == second["verdict"]
    lost = await ask(http, {"question": "And of the Heron?", "after": ["r0"]})
    assert (404, "urn:versus:problem:no-such-run") == (lost.status_code, lost.json()["type"])


async def test_who_prefers_to_come_later_gets_the_address_of_the_run(http: Opened) -> None:
    accepted = await ask(http, {"question": FARE}, {"Prefer": "respond-async"})
    assert 202 == accepted.status_code
    address = f"/v1/{accepted.headers['location']}"
    events = list(events_in((await http.client.get(f"{address}/events")).text))
    assert "3" == events[-1][1]["verdict"]
    assert 204 == (await http.client.delete(address)).status_code
    assert 404 == (await http.client.get(address)).status_code


async def test_a_citation_leads_to_the_chunk_with_its_cell_marked(http: Opened) -> None:
    (citation,) = (await ask(http, {"question": FARE})).json()["citations"]
    chunk = (
        await http.client.get(f"/v1/collections/ferries/chunks/{citation['chunk_id']}", params=citation["cell"])
    ).json()
    cell = citation["cell"]
    assert chunk["tables"][cell["table"]]["rows"][cell["row"]][cell["column"]] == chunk["marked"]["value"] == "3"
    plain = await http.client.get(f"/v1/collections/ferries/chunks/{citation['chunk_id']}")
    assert plain.json()["marked"] is None
    assert 3 == citation["line"] == plain.json()["line"] == chunk["marked"]["citation"]["line"]


async def test_collections_are_listed_and_described(http: Opened) -> None:
    listed = (await http.client.get("/v1/collections")).json()
    assert ["ferries", "trams"] == [one["name"] for one in listed["collections"]]
    assert 1 == (await http.client.get("/v1/collections/trams")).json()["tables"]
    asked = await ask(http, {"question": "What is the fare of the Lark?", "collection": "trams"})
    assert "2" == asked.json()["verdict"]


async def test_a_rule_is_checked(http: Opened) -> None:
    found = (await http.client.post("/v1/search", json={"question": FARE})).json()
    chunk_id = found["evidence"][0]["chunk_id"]
    checked = (await http.client.post("/v1/check", json={"query": FARE, "chunk_id": chunk_id})).json()
    assert (chunk_id, True) == (checked["chunk_id"], checked["holds"])


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "kind", "said"),
    [
        ("POST", "/v1/ask", {"question": ""}, 422, "invalid-fields", "/question"),
        ("POST", "/v1/ask", {"question": " "}, 422, "unusable-question", "ask something"),
        ("POST", "/v1/ask", {"question": "x" * 4001}, 422, "invalid-fields", "/question"),
        ("POST", "/v1/ask", {"question": "x", "after": ["r"] * 21}, 422, "invalid-fields", "/after"),
        ("POST", "/v1/ask", {"question": "x", "k": 3}, 422, "invalid-fields", "/k"),
        ("POST", "/v1/plan", {"question": "x", "options": {"max_chunks": 201}}, 422, "invalid-fields", "/max_chunks"),
        ("POST", "/v1/plan", {"question": "x", "options": {"deadline_s": 301}}, 422, "invalid-fields", "/deadline_s"),
        ("POST", "/v1/ask", {"question": "x", "options": {"planner": "llm"}}, 422, "unusable-options", "model"),
        ("POST", "/v1/search", {"question": "x", "collection": "ferrys"}, 404, "no-such-collection", "'ferries'?"),
        ("POST", "/v1/check", {"query": "x", "chunk_id": "c0"}, 404, "no-such-chunk", "'c0'"),
        ("GET", "/v1/collections/boats", None, 404, "no-such-collection", "ferries, trams"),
        ("GET", "/v1/collections/ferries/chunks/c0", None, 404, "no-such-chunk", "'c0'"),
        ("GET", "/v1/runs/r0", None, 404, "no-such-run", "'r0'"),
        ("DELETE", "/v1/runs/r0", None, 404, "no-such-run", "'r0'"),
        ("GET", "/v2", None, 404, "not-found", "/docs"),
        ("GET", "/v1/ask", None, 405, "method-not-allowed", "/docs"),
    ],
)
async def test_a_problem_has_a_type_a_status_and_says_what_to_do(
    http: Opened, method: str, path: str, body: object, status: int, kind: str, said: str
) -> None:
    response = await http.client.request(method, path, json=body, headers=STREAM)
    problem = response.json()
    assert "application/problem+json" == response.headers["content-type"]
    assert (status, status) == (response.status_code, problem["status"])
    assert f"urn:versus:problem:{kind}" == problem["type"]
    assert said in json.dumps([problem["detail"], problem["errors"]])


@pytest.mark.parametrize("content", [b"{", b"\xff"])
async def test_a_body_that_is_no_json_is_unreadable(http: Opened, content: bytes) -> None:
    response = await http.client.post("/v1/ask", content=content, headers={"Content-Type": "application/json"})
    assert (400, "urn:versus:problem:unreadable-body") == (response.status_code, response.json()["type"])


async def test_no_problem_repeats_what_was_sent(http: Opened) -> None:
    response = await ask(http, {"question": 7, "collection": ["sk-canary-7e2a"]})
    assert 422 == response.status_code
    assert "canary" not in response.text


async def test_a_place_outside_of_the_table_lists_what_there_is(http: Opened) -> None:
    (citation,) = (await ask(http, {"question": FARE})).json()["citations"]
    address = f"/v1/collections/ferries/chunks/{citation['chunk_id']}"
    outside = await http.client.get(address, params={"row": 2, "column": 1})
    assert (404, True) == (outside.status_code, "#1 'Heron'" in outside.json()["detail"])
    assert 400 == (await http.client.get(address, params={"row": "-1"})).status_code


async def test_the_server_tells_how_it_is(http: Opened) -> None:
    await ask(http, {"question": FARE})
    assert 200 == (await http.client.get("/health/live")).status_code
    assert 200 == (await http.client.get("/health/ready")).status_code
    told = (await http.client.get("/metrics")).text
    assert 'versus_http_responses_total{method="POST",route="ask",status="200"} 1.0' in told
    assert "versus_questions_running 0" in told


async def test_the_metrics_have_the_figures_that_the_log_tells(two_books: Settings, tmp_path: Path) -> None:
    written = two_books.model_copy(update={"log_to": "file", "log_dir": tmp_path / "logs"})
    with configure_logging(written):
        async with opened(written) as door:
            await ask(door, {"question": FARE})
            await ask(door, {"question": "How many wings has the Heron?"}, STREAM)
            await door.client.post("/v1/search", json={"question": FARE})
            told = (await door.client.get("/metrics")).text
    said = await asyncio.to_thread(CliRunner().invoke, app, ["logs", str(tmp_path / "logs"), "--prometheus"])
    assert "versus_questions_total" in said.stdout
    assert set(said.stdout.split("\n")) <= set(told.split("\n"))


async def test_a_run_whose_failure_can_not_be_logged_ends_all_the_same() -> None:
    def fail(name: str, fields: object) -> None:
        raise OSError("no space left on device")

    async def work() -> None:
        raise RuntimeError("a bug")

    run = Run("r1", FARE, "ferries")
    with observed(fail):
        run.begin(work())
    await asyncio.wait_for(run.ended(), 5)
    assert run.problem is not None
    assert ("failed", 500) == (run.state, run.problem.kind.status)


async def test_a_collection_that_is_not_there_is_not_ready(two_books: Settings) -> None:
    async with opened(two_books.model_copy(update={"collection": "boats"})) as door:
        assert 404 == (await door.client.get("/health/ready")).status_code
        assert 200 == (await door.client.get("/v1/collections")).status_code


def test_the_description_of_the_api_is_the_one_that_is_kept() -> None:
    """After a change that is meant: `python -m agent.doors.http.openapi > tests/agent/openapi.json`."""
    assert json.loads(GOLDEN.read_text(encoding="utf-8")) == openapi()


async def test_every_operation_that_is_described_is_there(http: Opened) -> None:
    for operation in OPERATIONS:
        path = operation.path.replace("{", "").replace("}", "")
        response = await http.client.request(operation.method.upper(), path)
        assert "urn:versus:problem:not-found" not in response.text
    assert openapi() == (await http.client.get("/openapi.json")).json()
