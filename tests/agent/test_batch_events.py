"""What a batch tells of its records: each once, when it is on disk, under the run of its question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from agent import events
from agent.batch.records import status_of
from agent.errors import LLMError
from agent.settings.settings import load
from agent.types import Answer
from tests.agent.batches import answer_to, job_in, records, work, write_questions
from tests.agent.shelf import agent_on

Told = list[dict[str, Any]]


async def ask(question: str) -> Answer:
    """As an agent, but quicker."""
    run_id = events.current_run_id()
    events.emit("question.received", {"question": question})
    if "fail" in question:
        raise LLMError("busy") if "known" in question else ValueError("what?")
    return replace(answer_to(question), run_id=run_id)


async def told_of(folder: Path, **changes: Any) -> Told:
    """Run a batch, and return the events with their names."""
    told: Told = []

    def observe(name: str, fields: Mapping[str, object]) -> None:
        told.append({"event": name, **fields})

    with events.observed(observe), events.bind(batch_id="b1"):
        await work(job_in(folder, **changes), ask)
    return told


async def test_each_record_is_told_once_under_the_run_of_its_question(tmp_path: Path) -> None:
    write_questions(tmp_path, "one", b"no json", "known fail", "fail", "one", "two", {"question": "one", "id": "x"})
    told = await told_of(tmp_path)
    found = records(tmp_path / "out.jsonl")
    asked = {each["question"]: each["run_id"] for each in told if each["event"] == "question.received"}
    recorded = {each["line"]: each for each in told if each["event"] == "batch.recorded"}

    assert {"one", "two", "known fail", "fail"} == set(asked)
    assert 7 == len(recorded) == len([each for each in told if each["event"] == "batch.recorded"])
    assert {"b1"} == {each["batch_id"] for each in told}
    for line, record in found.items():
        error = record["error"]["type"] if "error" in record else None
        expected = {"id": record["id"], "status": status_of(record), "same_as": record.get("same_as"), "error": error}
        assert expected == {name: recorded[line][name] for name in expected}
        assert asked.get(record["question"]) == record.get("run_id") == recorded[line].get("run_id")
    errors = {2: "QuestionError", 3: "LLMError", 4: "ValueError"}
    assert errors == {line: each["error"] for line, each in recorded.items() if each["error"]}


async def test_records_that_a_resume_finds_are_not_told_again(tmp_path: Path) -> None:
    write_questions(tmp_path, "one", "two", "fail")
    await told_of(tmp_path)
    write_questions(tmp_path, "one", "two", "fail", "three")
    assert [4] == [each["line"] for each in await told_of(tmp_path) if each["event"] == "batch.recorded"]
    again = await told_of(tmp_path, retry_failed=True)
    assert [3] == [each["line"] for each in again if each["event"] == "batch.recorded"]


async def test_an_event_is_told_after_its_record_is_on_disk(tmp_path: Path) -> None:
    write_questions(tmp_path, *(f"question {n}" for n in range(30)))
    missing: list[object] = []

    def observe(name: str, fields: Mapping[str, object]) -> None:
        if name == "batch.recorded":
            there = [orjson.loads(line)["line"] for line in (tmp_path / "out.jsonl").read_bytes().splitlines()]
            missing.extend([] if fields["line"] in there else [fields["line"]])

    with events.observed(observe):
        tally = await work(job_in(tmp_path), ask)
    assert (30, []) == (tally.done, missing)


async def test_a_question_takes_the_run_that_is_bound_and_else_its_own(tmp_path: Path) -> None:
    agent = await agent_on(tmp_path, settings=load({"collection": "small", "planner": "rules"}))
    with events.bind(run_id="mine"):
        bound = await agent.ask("What is the armor class of a bog ogre?")
    first, second = [await agent.ask("What is the armor class of a bog ogre?") for _ in range(2)]
    assert "mine" == bound.run_id
    assert 2 == len({first.run_id, second.run_id} - {"mine", ""})
