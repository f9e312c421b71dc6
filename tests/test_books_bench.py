"""`python -m benchmarks.books` finds the collections of a folder and the questions about them by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.books import question_sets
from benchmarks.judging import Entry, Record, judged_by_program, judged_by_truth, look_up_is_right, write_lines

ASKED = {"expect": "answer", "values": [["10"]]}


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """Two collections, the name of one of which begins with that of the other."""
    for name in ("herbs", "herbs-dried"):
        (tmp_path / "corpora" / name).mkdir(parents=True)
    (tmp_path / "questions").mkdir()
    return tmp_path


def write(shared: Path, name: str, *entries: Record) -> None:
    write_lines(shared / "questions" / f"{name}.jsonl", entries)


def test_a_file_of_questions_belongs_to_the_collection_of_its_name(shared: Path) -> None:
    write(shared, "herbs", {"id": "1", **ASKED})
    write(shared, "herbs-dried-prices", {"id": "2", "values": {"Sage": 3}})
    write(shared, "spices", {"id": "3", **ASKED})

    sets = question_sets(shared)

    assert [("herbs", "judged", ["1"])] == [(each.name, each.form, _ids(each.entries)) for each in sets["herbs"]]
    assert [("look-up", ["2"])] == [(each.form, _ids(each.entries)) for each in sets["herbs-dried"]]


def test_questions_that_name_their_collection_are_parted_by_it_and_by_how_they_are_judged(shared: Path) -> None:
    first, second = {"id": "1", "corpus": "herbs", **ASKED}, {"id": "2", "corpus": "herbs", "gold": ["c1"]}
    elsewhere, unknown = {"id": "3", "corpus": "herbs-dried", **ASKED}, {"id": "4", "corpus": "herbs", "right": True}
    write(shared, "reworded", first, second, elsewhere, unknown)

    sets = question_sets(shared)

    assert [("judged", ["1"]), ("retrieved", ["2"])] == [(each.form, _ids(each.entries)) for each in sets["herbs"]]
    assert [["3"]] == [_ids(each.entries) for each in sets["herbs-dried"]]


def test_what_the_judge_prints_becomes_classes_by_kind_and_lines_to_look_at(tmp_path: Path) -> None:
    judge = tmp_path / "judge.py"
    judge.write_text(
        'print("sure-wrong 1 [cell] How heavy is sage? => 3")\n'
        'print(\'{"n": 2, "sure-wrong": 1, "right": 1}\')\n'
        "print(\"   cell               {'sure-wrong': 1, 'right': 1}\")\n",
        encoding="utf-8",
    )

    judged = judged_by_program(judge, [], [])

    assert {"cell": {"sure-wrong": 1, "right": 1}} == judged.classes
    assert ["sure-wrong 1 [cell] How heavy is sage? => 3"] == judged.named


def test_an_answer_that_says_it_is_complete_and_is_not_right_is_sure_and_wrong() -> None:
    entry = {"id": "1", "question": "How heavy is sage?", "kind": "cell", "answer": "3", "values": {"Sage": 3}}
    finding = {"steps": [{"value": "4"}], "values": {}}
    complete = {"stop_reason": "complete", "text": "Sage: 4", "findings": [finding]}

    judged = judged_by_truth(look_up_is_right, [entry], [complete])

    assert {"cell": {"sure-wrong": 1}} == judged.classes
    assert ["sure-wrong 1 How heavy is sage?"] == judged.named


def _ids(entries: list[Entry]) -> list[object]:
    return [entry["id"] for entry in entries]
