"""What must be true of the bundled rulebook: the right matrices and only those, in every wording."""

from __future__ import annotations

import re
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agent.ask import Agent
from agent.cli.demo import sample
from agent.ingesting.ingest import ingest
from agent.questions import built_in, classic
from agent.settings.settings import Settings
from agent.types import Answer
from retrieval.types import IngestReport

SHARED = (
    "Both characters have a strength of 16, a constitution of 16, and a dexterity of 12. They both wield long swords."
)
CLERIC_6 = "I.A. ATTACK MATRIX FOR CLERICS, DRUIDS AND MONKS - Opponent Armor Class 6"
STRENGTH = "STRENGTH TABLE II: ABILITY ADJUSTMENTS"
PARTS = ("strength", "constitution", "fighter", "attacks per melee round", "weapons: damage")


@pytest.fixture(scope="module")
def settings(sample_chroma: str) -> Settings:
    return Settings(collection="rules", chroma=sample_chroma)


@pytest.fixture(scope="module")
async def agent(settings: Settings) -> AsyncIterator[Agent]:
    async with Agent.open(settings) as opened:
        yield opened


def titles(answer: Answer) -> list[str]:
    return [passage.chunk.title for passage in answer.evidence.passages]


def matrices(answer: Answer) -> set[str]:
    """The attack matrix rows in the evidence, as `I.B 9`."""
    found = (re.match(r"(I+\.?[A-D]?)\. ATTACK MATRIX.*?(-?\d+)$", title) for title in titles(answer))
    return {f"{match[1]} {match[2]}" for match in found if match}


async def test_plain_retrieval_shows_the_founding_problem(agent: Agent) -> None:
    hits = [hit.chunk.title for hit in (await agent.plain(classic()[0])).hits]
    assert sum("ATTACK MATRIX" in title for title in hits) >= 12
    assert CLERIC_6 in hits
    assert CLERIC_6 != hits[0]


@pytest.mark.parametrize(
    "question",
    [
        classic()[0],
        "What does a seventh-level cleric need to roll to hit AC6?",
        "what roll does a level 7 cleric need to hit an opponent with an armour class of 6",
        "To hit a.c. 6, what must a cleric of the 7th level roll?",
        "Level 7 cleric vs. AC 6: what number to hit?",
    ],
)
async def test_one_matrix_row_answers_the_cleric(agent: Agent, question: str) -> None:
    answer = await agent.ask(question)
    assert "10" == answer.verdict
    assert "complete" == answer.stop_reason
    assert {"I.A 6"} == matrices(answer)
    assert len(titles(answer)) <= 5
    assert {CLERIC_6} == {citation.title for citation in answer.citations}


async def test_the_table_of_a_strength_that_is_stated_is_searched_for_and_told(agent: Agent) -> None:
    answer = await agent.ask("What does a 7th level cleric with strength 17 need to roll to hit armor class 6?")
    assert ("10", "complete") == (answer.verdict, answer.stop_reason)
    assert {"I.A 6"} == matrices(answer)
    assert len(titles(answer)) <= 5
    assert [CLERIC_6, STRENGTH] == [citation.title for citation in answer.citations]
    assert "not counted in: what strength 17 adds to the roll, +1 [2]" in answer.text
    assert ["to hit", "strength"] == [sub_query.purpose for sub_query in answer.plan.sub_queries]


@pytest.mark.parametrize(
    ("score", "told"),
    [
        ("strength 16", "strength 16 adds nothing to the roll [2]"),
        ("dexterity 17", "what dexterity 17 adds to the roll"),
    ],
)
async def test_a_score_adds_what_its_table_says_of_attacks_and_nothing_else(
    agent: Agent, score: str, told: str
) -> None:
    answer = await agent.ask(f"What does a 7th level cleric with {score} need to roll to hit armor class 6?")
    assert "10" == answer.verdict
    assert told in answer.text


FORMS = (
    "Who is more likely to win in a fight - a {a} with {x} or a {b} with {y}?",
    "Who wins: a {a} ({x}) vs. a {b} ({y})?",
    "Would a {a} with {x} beat a {b} with {y}?",
    "{a}, {x} versus {b}, {y}: who wins the fight?",
)
LEVELS = (
    "4th level {}|7th level {}",
    "fourth-level {}|seventh-level {}",
    "level 4 {}|level 7 {}",
    "{} of 4th level|{} of 7th level",
)
CLASSES = ("an armor class of {}", "AC {}", "AC{}", "armour class {}", "a.c. {}", "AC of {}")


def wordings(second: str) -> list[str]:
    """Every form once with each way of writing levels and armor classes in turn, and each with the sides swapped."""
    questions = []
    for n in range(12):
        four, seven = LEVELS[n % len(LEVELS)].split("|")
        one, two = (four.format("fighter"), CLASSES[n % 6].format(3)), (seven.format(second), CLASSES[n % 6].format(9))
        for (a, x), (b, y) in ((one, two), (two, one)):
            questions.append(f"{FORMS[(n + n // 4) % 4].format(a=a, b=b, x=x, y=y)} {SHARED}")
    return questions


@pytest.mark.parametrize("question", [classic()[1], *wordings("fighter")])
async def test_two_fighters_get_their_two_rows_and_no_other(agent: Agent, question: str) -> None:
    answer = await agent.ask(question)
    values = answer.findings[0].values
    assert {"I.B 9", "I.B 3"} == matrices(answer)
    assert all(any(part in title.lower() for title in titles(answer)) for part in PARTS)
    assert len(titles(answer)) <= 10
    assert {4: 9, 7: 11} == {side["level"]: side["to_hit"] for side in values["combatants"]}
    assert {4: 30.0, 7: 52.5} == {side["level"]: side["average_hit_points"] for side in values["combatants"]}
    assert {4: 1.0, 7: 1.5} == {side["level"]: side["attacks_per_round"] for side in values["combatants"]}
    assert answer.verdict is not None
    assert "7th level fighter" in answer.verdict


@pytest.mark.parametrize("question", [classic()[2], *wordings("druid")])
async def test_fighter_and_druid_each_get_their_own_matrix(agent: Agent, question: str) -> None:
    answer = await agent.ask(question)
    values = answer.findings[0].values
    assert {"I.B 9", "I.A 3"} == matrices(answer)
    assert all(any(part in title.lower() for title in titles(answer)) for part in (*PARTS, "druid"))
    assert len(titles(answer)) <= 12
    assert {4: 9, 7: 13} == {side["level"]: side["to_hit"] for side in values["combatants"]}
    total = sum(side["win_probability"] for side in values["combatants"]) + values["draw_probability"]
    assert 1.0 == pytest.approx(total, abs=1e-5)


@pytest.mark.parametrize(("reach", "roll"), [("short", "18"), ("medium", "16"), ("long", "14")])
async def test_each_range_of_the_psionic_blast_has_its_own_row(agent: Agent, reach: str, roll: str) -> None:
    answer = await agent.ask(
        "What saving throw does a creature with an intelligence and wisdom total of 12 need against a psionic blast "
        f"at {reach} range?"
    )
    blasts = {title.split(",")[1].split(" -")[0].strip() for title in titles(answer) if "PSIONIC BLAST ATTACK" in title}
    assert {f"{reach.upper()} RANGE"} == blasts
    assert ("complete", roll) == (answer.stop_reason, answer.verdict)


async def test_a_psionic_blast_of_no_range_is_searched_in_all_of_them(agent: Agent) -> None:
    evidence = await agent.search("psionic blast, intelligence and wisdom total 12")
    kept = {hit.chunk.title for each in evidence.retrieved for hit in each.hits}
    assert 3 == sum("PSIONIC BLAST ATTACK" in title for title in kept)


async def test_without_filters_the_evidence_is_the_plain_ranking(settings: Settings) -> None:
    async with Agent.open(settings.model_copy(update={"no_filter": True, "max_chunks": 15})) as unfiltered:
        evidence = await unfiltered.search(classic()[0])
    found = [passage.chunk.title for passage in evidence.passages]
    assert 15 == len(found)
    assert sum("ATTACK MATRIX" in title for title in found) >= 12
    assert CLERIC_6 != found[0]


async def test_negative_armor_classes_are_not_positive_ones(agent: Agent) -> None:
    question = f"Who wins: a 4th level fighter with AC -3 or a 7th level druid with an armor class of -1? {SHARED}"
    answer = await agent.ask(question)
    assert {"I.B -1", "I.A -3"} == matrices(answer)


@pytest.mark.parametrize("question", classic())
async def test_every_citation_resolves_and_every_number_is_supported(agent: Agent, question: str) -> None:
    answer = await agent.ask(question)
    chunks = {passage.chunk.id for passage in answer.evidence.passages}
    assert {citation.chunk_id for citation in answer.citations} <= chunks
    assert "(unverified)" not in answer.text
    assert set(map(int, re.findall(r"\[(\d+)\]", answer.text))) == {citation.n for citation in answer.citations}


async def test_what_the_book_lacks_is_not_found(agent: Agent) -> None:
    answer = await agent.ask("What is a lightsaber?")
    assert "partial" == answer.stop_reason
    assert ["lightsaber"] == [item.need for item in answer.unanswered]
    assert answer.text.startswith("Not found in 'rules'")


@pytest.mark.parametrize("question", [built_in()[2], "Who wins: a 4th level fighter with AC 3 or a beholder?"])
async def test_what_the_book_has_no_word_for_is_told_in_the_first_line(agent: Agent, question: str) -> None:
    answer = await agent.ask(question)
    assert ("partial", None) == (answer.stop_reason, answer.verdict)
    assert {("beholder",)} == {item.absent for item in answer.unanswered}
    first = answer.text.split("\n")[0]
    assert first.startswith("Not found in 'rules': ")
    assert "nothing there has the word 'beholder'" in first


async def test_a_word_that_the_book_has_is_not_called_absent(agent: Agent) -> None:
    answer = await agent.ask("How many dragons does an orc ride?")
    assert [()] == [item.absent for item in answer.unanswered]
    assert "nothing there has the word" not in answer.text


async def test_no_verdict_without_its_facts(agent: Agent) -> None:
    answer = await agent.ask(f"Who wins: a 4th level fighter with AC 3 or a 7th level samurai with AC 9? {SHARED}")
    samurai = answer.findings[0].values["combatants"][1]
    assert answer.verdict is None
    assert "partial" == answer.stop_reason
    assert samurai["to_hit"] is None
    assert any("samurai" in item.need for item in answer.unanswered)


async def test_nothing_is_embedded_twice(sample_chroma: str, tmp_path: Path) -> None:
    shutil.copytree(sample_chroma, tmp_path / "chroma")
    with sample() as book:
        report: IngestReport = await ingest([book], Settings(collection="rules", chroma=str(tmp_path / "chroma")))
    assert 0 == report.embedded
    assert report.chunks == report.unchanged
