"""The log explains the work: its figures against those that are computed from the answers' JSON and nothing else."""

from __future__ import annotations

import asyncio
import json
import statistics
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agent import Agent
from agent.cli.app import app
from agent.events import configure_logging
from agent.questions import built_in
from agent.render import answer_data
from agent.settings.settings import Settings
from tests.agent.logged import nearest_rank

CREATURES = (
    "owlbear",
    "orc",
    "ogre",
    "black dragon",
    "beholder",
    "goblin",
    "troll",
    "skeleton",
    "unicorn",
    "lightsaber",
)
QUESTIONS = (
    *built_in(),
    *(f"What is the armor class of a {creature}?" for creature in CREATURES),
    *(f"Compare the hit dice of an orc and a {creature}" for creature in CREATURES),
    "How many experience points does a thief need to become 5th level?",
    "What does a 3rd level fighter need to roll to hit armor class 4?",
)
QUALITY = ("threshold", "gap", "distance", "min_score")


@pytest.fixture(scope="module")
def worked(sample_chroma: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[dict[str, Any]], Path]:
    """The answers' JSON, and the folder of the log that was written meanwhile."""
    folder = tmp_path_factory.mktemp("worked")
    settings = Settings(collection="rules", chroma=sample_chroma, log_dir=folder / "logs", planner="rules")

    async def work() -> list[dict[str, Any]]:
        async with Agent.open(settings) as agent:
            answers = await asyncio.gather(*(agent.ask(question) for question in QUESTIONS))
        return [json.loads(json.dumps(answer_data(answer))) for answer in answers]

    with configure_logging(settings):
        return asyncio.run(work()), settings.log_dir


@pytest.fixture(scope="module")
def figures(worked: tuple[list[dict[str, Any]], Path]) -> dict[str, Any]:
    result = CliRunner().invoke(app, ["logs", str(worked[1]), "--json"])
    return dict(json.loads(result.stdout))


def test_questions_and_needs(worked: tuple[list[dict[str, Any]], Path], figures: dict[str, Any]) -> None:
    answers, _ = worked
    ends = Counter(answer["stop_reason"] for answer in answers)
    asked = figures["questions"]
    assert (30, ends["complete"], 30 - ends["complete"]) == (asked["total"], asked["answered"], asked["in_part"])
    assert (0, 0) == (asked["failed"], asked["unfinished"])
    assert dict(ends) == figures["outcomes"]
    assert 0 < ends["complete"] < 30
    needs = Counter(item["need"] for answer in answers for item in answer["unanswered"])
    assert dict(needs) == {item["need"]: item["count"] for item in figures["unanswered"]}


def test_chunks_of_all_sub_queries(worked: tuple[list[dict[str, Any]], Path], figures: dict[str, Any]) -> None:
    found = [each for answer in worked[0] for each in answer["retrieved"] if not each["error"]]
    dropped: Counter[str] = Counter()
    for each in found:
        dropped.update(each["dropped"])
    counted = figures["sub_queries"]
    for name in ("kept", "fetched", "rounds"):
        assert sum(each[name] for each in found) == counted[name]
    assert len(found) == counted["total"]
    assert sum(dropped[rule] for rule in QUALITY) == counted["filtered"]
    assert {rule: count for rule, count in dropped.items() if count} == {
        r: n for r, n in figures["dropped"].items() if n
    }
    assert sum(each["kept"] == 1 for each in found) == counted["kept_one"]
    unique = sum(len({hit["chunk_id"] for r in answer["retrieved"] for hit in r["hits"]}) for answer in worked[0])
    assert unique == counted["unique_added"]


def test_latencies_by_stage(worked: tuple[list[dict[str, Any]], Path], figures: dict[str, Any]) -> None:
    for stage in ("plan", "retrieve", "reason", "synthesize", "total"):
        values, told = [answer["timings_ms"][stage] for answer in worked[0]], figures["latency_ms"][stage]
        assert 30 == told["count"]
        assert pytest.approx(statistics.mean(values), abs=0.001) == told["mean"]
        for percent in (50, 95, 99):
            assert nearest_rank(values, percent) == told[f"p{percent}"]


def test_usage_slowest_and_runs(worked: tuple[list[dict[str, Any]], Path], figures: dict[str, Any]) -> None:
    answers, _ = worked
    for name in ("prompt_tokens", "completion_tokens", "cost_usd"):
        assert sum(answer["usage"][name] for answer in answers) == figures["llm"][name]
    assert sum(answer["usage"]["llm_calls"] for answer in answers) == figures["llm"]["calls"]
    slowest = sorted((answer["timings_ms"]["total"] for answer in answers), reverse=True)[:10]
    assert pytest.approx(slowest, abs=0.001) == [each["ms"] for each in figures["slowest"]]
    by_run = {run["run_id"]: run["sub_queries"]["kept"] for run in figures["runs"]}
    assert {a["run_id"]: sum(r["kept"] for r in a["retrieved"]) for a in answers} == by_run


def test_the_quality_of_the_sample_is_not_critical(figures: dict[str, Any]) -> None:
    assert [] == [check["name"] for check in figures["checks"] if check["level"] == "critical"]
