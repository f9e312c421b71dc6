"""`versus ingest --rules llm` as a whole, over real HTTP to a fake endpoint."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from typer.testing import CliRunner, Result

from agent.cli.app import app
from agent.errors import LLMRefused, SettingsError
from agent.ingesting.ingest import ingest
from agent.settings.settings import Settings
from tests.agent.proposals import BOOK, ROWS, answer
from tests.fake_openai import FakeOpenAI, failure
from tests.loopback import Reply, Request

pytestmark = pytest.mark.usefixtures("empty_place")
PRIEST = "a priest against armor class 6"
CLERIC_6 = "Clerics and Druids - Opponent Armor Class 6"


def respond(chat: dict[str, Any]) -> str:
    return answer(chat["messages"][1]["content"], {CLERIC_6: lambda p: p | {"title": "Clerics and druids: AC 6"}})


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI(respond).running() as running:
        yield running


@pytest.fixture
def book(empty_place: Path) -> Path:
    path = empty_place / "book.md"
    path.write_text(BOOK, encoding="utf-8")
    return path


def versus(*arguments: str, server: FakeOpenAI | None = None, **env: str) -> Result:
    address = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "sk-secret"} if server is not None else {}
    return CliRunner().invoke(app, list(arguments), env={**address, **env})


def test_rules_are_proposed_stored_and_not_asked_for_again(server: FakeOpenAI, book: Path) -> None:
    first = versus("ingest", str(book), "--rules", "llm", "--json", server=server)
    asked = len(server.requests)
    second = versus("ingest", str(book), "--rules", "llm", "--json", server=server)
    check = versus("check", PRIEST, "--chunk", json_of(first)["chunk"], "--json", "--planner", "rules")
    assert (0, 0, 0) == (first.exit_code, second.exit_code, check.exit_code), first.stderr
    assert [] == json_of(first)["warnings"] == server.complaints
    assert (4, 4) == (asked, len(server.requests))
    assert (0, json_of(first)["chunks"]) == (json_of(second)["embedded"], json_of(second)["unchanged"])
    assert json.loads(check.stdout)["holds"] is True


def json_of(result: Result) -> dict[str, Any]:
    known = {"chunk": "book/attack-matrix-for-clerics-and-druids---opponent-armor-class-6"}
    return {**json.loads(result.stdout), **known}


def test_a_table_that_changed_is_asked_about_and_no_other(server: FakeOpenAI, book: Path) -> None:
    versus("ingest", str(book), "--rules", "llm", server=server)
    asked = len(server.requests)
    book.write_text(BOOK.replace("| 10-13 | 70 | 90 |", "| 10-13 | 70 | 95 |"), encoding="utf-8")
    report = versus("ingest", str(book), "--rules", "llm", "--json", server=server)
    assert asked + 1 == len(server.requests)
    assert 1 == json_of(report)["embedded"]


def test_a_dry_run_needs_no_key_sends_nothing_and_writes_nothing(server: FakeOpenAI, book: Path) -> None:
    before = sorted(book.parent.rglob("*"))
    bare = versus("ingest", str(book), "--rules", "llm", "--dry-run", "--json", VERSUS_LOG_TO="none")
    told = json.loads(bare.stdout)
    assert (0, ROWS, 4, 0) == (bare.exit_code, told["chunks"], told["requests"], told["kept"])
    assert told["cost_usd"] > 0
    assert [] == server.requests
    assert before == sorted(book.parent.rglob("*"))


def test_a_dry_run_tells_what_is_paid_for_already_and_which_price_is_unknown(server: FakeOpenAI, book: Path) -> None:
    versus("ingest", str(book), "--rules", "llm", server=server)
    again = versus("ingest", str(book), "--rules", "llm", "--dry-run", server=server)
    other = versus("ingest", str(book), "--rules", "llm", "--dry-run", "--model", "mine")
    assert "about 0 chunks in 0 requests; 4 more have kept replies" in again.stdout
    assert "mine would be asked about 9 chunks in 4 requests" in other.stdout
    assert "price unknown" in other.stdout


def test_a_dry_run_without_a_model_is_wrong_usage(book: Path) -> None:
    result = versus("ingest", str(book), "--dry-run")
    assert 2 == result.exit_code
    assert "--rules llm" in result.stderr


def test_a_wrong_key_costs_one_request_and_writes_nothing(server: FakeOpenAI, book: Path, empty_place: Path) -> None:
    server.then(failure(401, "Incorrect API key provided: sk-secret", "invalid_api_key"))
    result = versus("ingest", str(book), "--rules", "llm", server=server)
    assert (1, 1) == (result.exit_code, len(server.requests))
    assert "does not take the key" in result.stderr
    assert "sk-secret" not in result.stderr + result.stdout
    assert not (empty_place / ".versus" / "chroma").exists()


async def test_without_a_model_the_error_says_what_to_set(book: Path, empty_place: Path) -> None:
    with pytest.raises(SettingsError, match="OPENAI_API_KEY"):
        await ingest([book], Settings(), rules="llm")
    assert not (empty_place / ".versus").exists()


def at(server: FakeOpenAI, **more: Any) -> Settings:
    return Settings(openai_base_url=server.base_url, openai_api_key=SecretStr("sk-1"), **more)


async def test_what_was_answered_before_a_failure_is_not_paid_for_twice(server: FakeOpenAI, book: Path) -> None:
    failing = iter([False, True])
    server.respond = lambda chat: failure(401, "no such key") if next(failing, False) else respond(chat)
    with pytest.raises(LLMRefused):
        await ingest([book], at(server, concurrency=1), rules="llm")
    stages: list[tuple[str, int, int]] = []
    report = await ingest([book], at(server), lambda *done: stages.append(done), rules="llm")
    assert () == report.warnings
    assert 5 == len(server.requests)
    assert ("proposing", ROWS, ROWS) in stages


async def test_a_limit_that_can_not_be_kept_is_an_error(server: FakeOpenAI, book: Path) -> None:
    unpriced = Settings(openai_base_url="https://models.example/v1", model="mine", max_cost=1.0)
    with pytest.raises(SettingsError, match="llm_prices"):
        await ingest([book], unpriced, rules="llm")
    with pytest.raises(SettingsError, match="llm_prices"):  # what listens here may well be a proxy that costs
        await ingest([book], at(server, model="mine", max_cost=1.0), rules="llm")
    priced = at(server, model="mine", max_cost=1.0, llm_prices={"mine": (0.0, 0.0)})
    assert 9 == (await ingest([book], priced, rules="llm")).rules


async def test_a_request_that_is_refused_ends_no_other(server: FakeOpenAI, book: Path) -> None:
    refused = failure(400, "The response was filtered due to the content management policy", "content_filter")
    refusing = iter([False, True])
    server.respond = lambda chat: refused if next(refusing, False) else respond(chat)
    report = await ingest([book], at(server, concurrency=1), rules="llm")

    assert 4 == len(server.requests)
    assert 0 < len(report.warnings) < ROWS
    assert all("content management policy" in each and "its generated rule stays" in each for each in report.warnings)


def test_a_dry_run_counts_prices_that_were_set_for_a_server_of_ones_own(server: FakeOpenAI, book: Path) -> None:
    prices = {"VERSUS_LLM_PRICES": '{"mine": [1000, 1000]}', "VERSUS_LOG_TO": "none"}
    asked = ("ingest", str(book), "--rules", "llm", "--dry-run", "--json", "--model")

    assert json.loads(versus(*asked, "mine", server=server, **prices).stdout)["cost_usd"] > 0
    assert 0 == json.loads(versus(*asked, "other", server=server, **prices).stdout)["cost_usd"]


async def test_cancelling_leaves_no_task_and_writes_nothing(server: FakeOpenAI, book: Path, empty_place: Path) -> None:
    arrived = threading.Event()

    def hung(request: Request) -> Reply:
        arrived.set()
        return Reply(hang=True)

    server.then(hung)
    before = asyncio.all_tasks()
    task = asyncio.create_task(ingest([book], at(server), rules="llm"))
    assert await asyncio.to_thread(arrived.wait, 20)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert before == asyncio.all_tasks()
    assert not (empty_place / ".versus" / "chroma").exists()
