"""`versus demo` on the bundled book."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from agent.demo import sample, wrong_chunks
from agent.questions import CLASSIC
from retrieval.types import Chunk, QueryMust

RULED = Chunk("c1", "", "ATTACK MATRIX FOR THIEVES - Opponent Armor Class 6", query_must=QueryMust(contain="thief"))
FREE = Chunk("c2", "", "Strength")


def test_a_ruled_chunk_that_was_not_kept_is_wrong() -> None:
    assert {"c1"} == wrong_chunks([RULED, FREE], kept=())
    assert set() == wrong_chunks([RULED, FREE], kept=("c1",))


def test_the_bundled_book_is_on_disk() -> None:
    with sample() as folder:
        assert sorted(folder.glob("*.md"))


@pytest.fixture(scope="module")
def shown(demonstrated: Path) -> list[dict[str, Any]]:
    said = json.loads((demonstrated / "said.json").read_text(encoding="utf-8"))
    assert 0 == said["exit_code"], said["stderr"]
    return [json.loads(line) for line in said["stdout"].splitlines()]


def test_each_classic_question_is_answered(shown: list[dict[str, Any]]) -> None:
    assert list(CLASSIC) == [one["question"] for one in shown]
    assert ["complete"] * 3 == [one["answer"]["stop_reason"] for one in shown]


def test_plain_retrieval_is_mostly_wrong(shown: list[dict[str, Any]]) -> None:
    first = shown[0]["plain"]
    assert 15 == len(first)
    assert sum(chunk["wrong"] for chunk in first) > 7


WANTED = [
    {("CLERICS", "6")},
    {("FIGHTERS", "9"), ("FIGHTERS", "3")},
    {("FIGHTERS", "9"), ("CLERICS", "3")},
]
ROW = re.compile(r"ATTACK MATRIX FOR (\w+).*Armor Class (-?\d+)$")


@pytest.mark.parametrize(("number", "most"), [(0, 5), (1, 12), (2, 12)])
def test_after_planning_the_right_rows_are_left_and_no_other(
    number: int, most: int, shown: list[dict[str, Any]]
) -> None:
    titles = [passage["title"] for passage in shown[number]["answer"]["evidence"]]
    rows = {(found[1], found[2]) for title in titles if (found := ROW.search(title))}
    assert WANTED[number] == rows
    assert len(titles) <= most
