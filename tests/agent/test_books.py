"""Two books that are laid out quite unlike the sample: right, or in part and said so, never wrong and sure of it.

Their questions and truths were computed apart from the project. `OPEN` are those it can't answer yet.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from agent.ask import Agent
from agent.ingesting.ingest import ingest
from agent.settings.settings import Settings
from agent.types import Answer

BOOKS = Path(__file__).parents[1] / "books"
OPEN = {
    "im27": "a table that names no class, under a heading that names none either",
}


def questions(book: str) -> list[dict[str, Any]]:
    text = (BOOKS / book / "questions.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


ALL = [(book, entry) for book in ("iron-marches", "starfall") for entry in questions(book)]


@pytest.fixture(scope="module")
async def agents(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[dict[str, Agent]]:
    folder = str(tmp_path_factory.mktemp("books") / "chroma")
    chosen = {book: Settings(collection=book, chroma=folder) for book in ("iron-marches", "starfall")}
    for book, settings in chosen.items():
        await ingest(sorted((BOOKS / book).glob("*.md")), settings)
    async with Agent.open(chosen["iron-marches"]) as iron, Agent.open(chosen["starfall"]) as star:
        yield {"iron-marches": iron, "starfall": star}


def same(value: object, text: object) -> bool:
    wanted, found = str(value).replace(",", ""), str(text).replace(",", "")
    return re.match(rf"[+]?{re.escape(wanted)}(?![\d.+/])", found) is not None


def read_values(answer: Answer) -> list[object]:
    values = answer.findings[0].values.get("values", [])
    entries = [entry["value"] for entry in values if isinstance(entry, dict)] if isinstance(values, list) else []
    return [*entries, *(step.value for step in answer.findings[0].steps), *re.findall(r"[\d.]+", answer.text)]


def duel_is_right(answer: Answer, truth: dict[str, Any]) -> bool:
    a, b = answer.findings[0].values["combatants"]
    read = [side[name] for name in ("to_hit", "average_hit_points", "attacks_per_round") for side in (a, b)]
    wanted = [truth[f"{side}_{name}"] for name in ("needs", "avg_hp", "attacks") for side in "ab"]
    odds = [a["win_probability"], b["win_probability"]]
    return read == pytest.approx(wanted) and odds == pytest.approx([truth["p_a"], truth["p_b"]], abs=0.02)


def is_right(answer: Answer, entry: dict[str, Any]) -> bool:
    if entry["type"] == "duel":
        return duel_is_right(answer, entry["truth"])
    values = entry["values"].values() if isinstance(entry["values"], dict) else entry["values"]
    found = read_values(answer)
    better = entry.get("better") is None or entry["better"] in str(answer.findings[0].values.get("better")).lower()
    return better and all(any(same(value, text) for text in found) for value in values)


@pytest.mark.parametrize(("book", "entry"), ALL, ids=[entry["id"] for _, entry in ALL])
async def test_an_answer_is_right_or_says_that_it_is_in_part(
    agents: dict[str, Agent], book: str, entry: dict[str, Any]
) -> None:
    answer = await agents[book].ask(entry["question"])
    assert "(unverified)" not in answer.text
    if entry["type"] == "unanswerable" or entry["id"] in OPEN:
        assert "complete" != answer.stop_reason
        assert answer.unanswered
    else:
        assert "complete" == answer.stop_reason
        assert is_right(answer, entry)
