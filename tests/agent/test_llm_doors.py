"""The command line with a language model behind an OpenAI-compatible endpoint, over real HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from agent.cli.app import app
from tests.agent.shelf import BOOK
from tests.fake_chat import Said
from tests.fake_openai import FakeOpenAI

KEY = "sk-canary-0123456789"
QUESTION = "How long must a hexer rest before casting again, and what do people in swamps say about bog ogres?"
PLAN = {
    "sub_queries": [
        {"id": "a", "text": "how long must a hexer rest before casting again"},
        {"id": "b", "text": "bog ogre swamps"},
    ]
}


def respond(chat: Mapping[str, Any]) -> Said:
    if "You split a question" in chat["messages"][0]["content"]:
        return json.dumps(PLAN)
    lines = chat["messages"][1]["content"].split("\n")
    number = next(line.split("[")[1].split("]")[0] for line, then in pairwise(lines)
                  if line.startswith("<<passage") and then == "Hexer")  # fmt: skip
    return f"A hexer must rest for 8 hours [{number}]."


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI(respond).running() as running:
        yield running


@pytest.fixture
def without_model(empty_place: Path, ingested: Callable[[str], Path]) -> Path:
    """A folder with an ingested book."""
    (empty_place / ".versus").mkdir()
    (empty_place / ".versus" / "chroma").symlink_to(ingested(BOOK))
    return empty_place


@pytest.fixture
def place(without_model: Path, monkeypatch: pytest.MonkeyPatch, server: FakeOpenAI) -> Path:
    """A folder with an ingested book, and a model's address in the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    return without_model


def versus(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def test_a_question_is_planned_and_worded_by_the_model(place: Path, server: FakeOpenAI) -> None:
    result = versus("ask", QUESTION, "--json")
    answer = json.loads(result.stdout)
    assert (0, "complete", "llm") == (result.exit_code, answer["stop_reason"], answer["plan"]["planner"])
    assert answer["text"].startswith("A hexer must rest for 8 hours [")
    assert 2 == answer["usage"]["llm_calls"] == len(server.requests)
    assert answer["usage"]["prompt_tokens"] > 0
    assert [] == server.complaints
    assert {f"Bearer {KEY}"} == {request.headers["authorization"] for request in server.requests}


def test_what_the_model_did_not_find_ends_with_3(place: Path, server: FakeOpenAI) -> None:
    def lacking(chat: Mapping[str, Any]) -> Said:
        said = respond(chat)
        return said if "response_format" in chat else f"{said}\nNot found: what people in swamps say about bog ogres."

    server.respond = lacking
    result = versus("ask", QUESTION, "--json")
    assert (3, "partial") == (result.exit_code, json.loads(result.stdout)["stop_reason"])


def test_with_the_rules_planner_no_model_is_asked(place: Path, server: FakeOpenAI) -> None:
    result = versus("ask", QUESTION, "--planner", "rules", "--json")
    assert "rules" == json.loads(result.stdout)["plan"]["planner"]
    assert [] == server.requests


def test_a_wrong_key_is_told_and_the_rules_answer(place: Path, server: FakeOpenAI) -> None:
    server.then("401")
    result = versus("ask", QUESTION)
    assert 1 == len(server.requests)
    assert "planned and worded by rules, not by the language model" in " ".join(result.stdout.split())
    assert KEY not in result.output
    assert all(KEY not in path.read_text(encoding="utf-8") for path in (place / "logs").glob("*.jsonl"))


def test_calls_are_in_the_log_with_what_they_cost(
    place: Path, server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERSUS_MODEL", "gpt-4o-mini")
    server.then("500")
    versus("ask", QUESTION)
    (log,) = (place / "logs").glob("versus-*.jsonl")
    events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert ["plan", "synthesize"] == [event["purpose"] for event in events if event["event"] == "llm.called"]
    assert 1 == sum(event["event"] == "llm.retried" for event in events)


def test_the_second_time_a_cached_question_costs_nothing(
    place: Path, server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERSUS_LLM_CACHE", str(place / "cache.sqlite"))
    first = json.loads(versus("ask", QUESTION, "--json").stdout)
    second = json.loads(versus("ask", QUESTION, "--json").stdout)
    assert 2 == len(server.requests)
    assert first["text"] == second["text"]
    assert 0 == second["usage"]["prompt_tokens"]


def test_the_planner_llm_without_a_model_is_a_clear_error(without_model: Path) -> None:
    result = versus("ask", QUESTION, "--planner", "llm")
    assert 2 == result.exit_code
    assert "OPENAI_API_KEY" in result.output


def test_a_limit_in_dollars_needs_a_price(place: Path, server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERSUS_MAX_COST", "0.01")
    monkeypatch.setenv("VERSUS_MODEL", "mine")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://models.example/v1")
    refused = versus("ask", QUESTION)
    by_rules = versus("ask", QUESTION, "--planner", "rules")

    assert (2, 3) == (refused.exit_code, by_rules.exit_code)  # the rules answer in part
    assert "no price is known for model 'mine'" in " ".join(refused.output.split())
    assert "VERSUS_LLM_PRICES" in refused.output


def test_a_price_that_was_set_counts_on_the_own_network_too(
    place: Path, server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERSUS_MODEL", "mine")
    free = json.loads(versus("ask", QUESTION, "--json").stdout)["usage"]
    monkeypatch.setenv("VERSUS_LLM_PRICES", '{"mine": [1000, 1000]}')
    monkeypatch.setenv("VERSUS_MAX_COST", "1000")
    paid = json.loads(versus("ask", QUESTION, "--json").stdout)["usage"]

    assert 0 == free["cost_usd"]
    assert (free["prompt_tokens"] + free["completion_tokens"]) / 1000 == pytest.approx(paid["cost_usd"])
