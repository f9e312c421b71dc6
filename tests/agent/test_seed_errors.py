"""The errors 4 and 8 of the founding documents (the seeds' README), on the bundled rulebook."""

from __future__ import annotations

import re
from typing import Any

import pytest

from agent.ask import Agent
from agent.planning.rules import ByRules
from agent.questions import classic
from agent.settings.settings import Settings
from agent.types import Answer
from retrieval.filters.rule import satisfies
from tests.kit import sample_book

TWO_FIGHTERS, FIGHTER_AND_DRUID = classic()[1], classic()[2]
ALL_FOUR = {"I.B 3", "I.B 9", "I.A 3", "I.A 9"}
"""Fighter and druid against 3 and against 9."""


@pytest.fixture(scope="module")
async def answer(sample_chroma: str) -> Answer:
    """The worked fight of document 1, two fighters."""
    async with Agent.open(Settings(collection="rules", chroma=sample_chroma, planner="rules")) as agent:
        return await agent.ask(TWO_FIGHTERS)


def eligible_matrices(query: str) -> set[str]:
    """The attack matrix rows that a query may have, as `I.B 9`."""
    found = ((chunk, re.match(r"(I\.[A-D])\. ATTACK MATRIX.*?(-?\d+)$", chunk.title)) for chunk in sample_book().chunks)
    return {f"{match[1]} {match[2]}" for chunk, match in found if match and satisfies(query, chunk.query_must)}


def test_error_4_the_whole_question_lets_all_four_combinations_pass() -> None:
    assert ALL_FOUR <= eligible_matrices(FIGHTER_AND_DRUID)


@pytest.mark.parametrize(
    ("question", "expected"), [(TWO_FIGHTERS, {"I.B 9", "I.B 3"}), (FIGHTER_AND_DRUID, {"I.B 9", "I.A 3"})]
)
def test_error_4_the_planner_s_sub_queries_tell_them_apart(question: str, expected: set[str]) -> None:
    plan = ByRules(question, sample_book().lexicon).plan
    eligible = [eligible_matrices(sub_query.text) for sub_query in plan.sub_queries]

    assert expected == set().union(*eligible)
    assert all(len(each) <= 1 for each in eligible)


def fighter(answer: Answer, level: int) -> dict[str, Any]:
    return next(side for side in answer.findings[0].values["combatants"] if side["level"] == level)


@pytest.mark.parametrize(
    ("level", "documents", "book_s"), [(4, 5.5 * 4 + 4, 5.5 * 4 + 2 * 4), (7, 5.5 * 7 + 7, 5.5 * 7 + 2 * 7)]
)
def test_error_8_constitution_16_gives_what_the_rulebook_says(
    answer: Answer, level: int, documents: float, book_s: float
) -> None:
    assert book_s == fighter(answer, level)["average_hit_points"] != documents
    assert "Ability Score 16 / Hit Point Adjustment = +2" in {citation.quote for citation in answer.citations}


def test_error_8_strength_16_has_its_damage_bonus_and_no_bonus_to_hit(answer: Answer) -> None:
    sides = [fighter(answer, level) for level in (4, 7)]

    assert [4.5 + 1, 4.5 + 1] == [side["average_damage"] for side in sides]
    assert [9, 11] == [side["to_hit"] for side in sides]
    assert pytest.approx([0.6, 0.5]) == [side["hit_probability"] for side in sides]


def test_error_8_a_7th_level_fighter_attacks_three_times_in_two_rounds(answer: Answer) -> None:
    assert [1.0, 1.5] == [fighter(answer, level)["attacks_per_round"] for level in (4, 7)]


def test_error_8_the_verdict_rests_on_cited_chunks_of_the_book(answer: Answer) -> None:
    read = {passage.chunk.id for passage in answer.evidence.passages}

    assert "7th level fighter" in (answer.verdict or "")
    assert {citation.chunk_id for citation in answer.citations} <= read
