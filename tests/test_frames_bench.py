"""`python -m benchmarks.frames` reads the tables of a folder itself, and asks what has one answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.frames import OPEN, RIGHT, WRONG, Asked, questions, tables

FERRIES = """
| Ferry | Fare | Home |
|---|---|---|
| [Reed](reed.md) † | 1,250 | Hull |
| *Tern* | 300 | Goole\\. |
| Wren | 400 | Hull |

| Year | Fares |
|---|---|
| 1901 | 7 |
"""


@pytest.fixture
def asked(tmp_path: Path) -> dict[str, Asked]:
    (tmp_path / "ferries.md").write_text(FERRIES, encoding="utf-8")
    (tmp_path / "crews.csv").write_text("Job,Pay (sp)\nMate,9\nCook,5\nHand,3\n", encoding="utf-8")
    return {each.question: each for each in questions(list(tables(tmp_path)), 100, 1)}


def test_each_frame_has_the_truth_of_its_cells(asked: dict[str, Asked]) -> None:
    truths = {question: set(each.truth) for question, each in asked.items() if each.frame != "nobody's"}

    assert {"1,250"} == truths["What is the Fare of Reed?"]
    assert {"Goole."} == truths["What is the Home of Tern?"]
    assert {"Tern"} == truths["Which Ferry has the lowest Fare?"]
    assert {"Mate"} == truths["Which has the higher Pay (sp), Mate or Cook?"]
    assert {"1"} == truths["How many Ferry entries are there with a Fare above 400?"]


def test_nobody_has_what_stands_in_another_table(asked: dict[str, Asked]) -> None:
    nobodys = [each for each in asked.values() if each.frame == "nobody's"]

    assert 6 == len(nobodys)
    assert not any(each.truth for each in nobodys)


@pytest.mark.parametrize(
    ("text", "is_complete", "judged"),
    [("1250\nReed: 1250 (Fare) [1]", True, RIGHT), ("300", True, WRONG), ("300", False, OPEN)],
)
def test_only_what_is_told_as_complete_is_wrong(
    text: str, is_complete: bool, judged: str, asked: dict[str, Asked]
) -> None:
    assert judged == asked["What is the Fare of Reed?"].judged(text, is_complete=is_complete)
