"""`versus ask --test`: the founding documents' questions end well on the bundled book, answered or rightly refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from typer.testing import CliRunner

from agent.cli.app import app
from agent.cli.asking import is_correct_refusal
from agent.questions import built_in
from agent.types import Answer, Citation, Evidence, Plan, Unanswered
from agent.understanding.question.intent import Lookup
from retrieval.types import Retrieved, SubQuery

pytestmark = pytest.mark.usefixtures("empty_place")


def versus(*arguments: str) -> Any:
    return CliRunner().invoke(app, list(arguments))


def test_each_is_answered_or_refused_for_a_word_that_the_book_lacks(sample_chroma: str) -> None:
    result = versus("ask", "--test", "--chroma", sample_chroma, "--json")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert list(built_in()) == [answer["question"] for answer in answers]
    refused = [answer["question"] for answer in answers if answer["stop_reason"] != "complete"]
    assert ["Describe a beholder and its abilities"] == refused
    assert [["beholder"]] == [item["absent"] for item in answers[built_in().index(refused[0])]["unanswered"]]
    assert 0 == result.exit_code
    assert (
        "8 questions: 8 ended well, 0 did not; rightly refused where the collection has no 'beholder'" in result.stderr
    )


def test_a_question_that_is_asked_by_itself_and_refused_is_still_answered_in_part(sample_chroma: str) -> None:
    assert 3 == versus("ask", built_in()[2], "--chroma", sample_chroma).exit_code


REFUSED = Answer(
    "Describe a beholder",
    "Not found",
    Plan("Describe a beholder", (), Lookup("beholder")),
    Evidence((Retrieved(SubQuery("q1", "beholder")),)),
    stop_reason="partial",
    unanswered=(Unanswered("beholder", ("beholder",), absent=("beholder",)),),
)
FAILED = Evidence((Retrieved(SubQuery("q1", "beholder"), stop="error", error="the store is gone"),))


@pytest.mark.parametrize(
    ("answer", "rightly"),
    [
        (REFUSED, True),
        (replace(REFUSED, unanswered=()), False),
        (replace(REFUSED, unanswered=(*REFUSED.unanswered, Unanswered("its lair", ()))), False),
        (replace(REFUSED, citations=(Citation(1, "c1", "Orc", "", None, "an orc"),)), False),
        (replace(REFUSED, evidence=FAILED), False),
    ],
    ids=["nothing but absent words", "nothing missing", "something else missing", "something claimed", "store failed"],
)
def test_a_refusal_is_right_only_where_nothing_can_be_known(answer: Answer, rightly: bool) -> None:
    assert rightly == is_correct_refusal(answer)
