"""Questions in other words than the book's: what nothing answers shows the sentences and rows nearest to it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agent.ask import Agent
from agent.llm.protocol import LLMRequest
from agent.llm.scripted import ScriptedLLM
from agent.types import Answer
from tests.agent.shelf import reading

CLUB = """# Rowing on the Lox

## Grades

Members row in the grade that the coach has set. Grades are earned in three outings with a coach. A member of grade A
may row alone, one of grade B only in company, and one of grade C only in a club boat.

## On the water

Keep to the right bank. Boats going upstream give way to those going down. In fog nobody launches. Harm to a hull or a
blade is reported to the boatman, Piers Attwood, on the same day. Lights are carried from dusk. The weir is out of
bounds. Launches of the harbour master have the right of way everywhere and at all times, and so have swimmers.

## Dues

| Class of member | Dues per year | Joining fee |
|---|---|---|
| Junior | £140 | £30 |
| Active | £310 | £90 |
| Veteran | £95 | none |
"""
NEAREST = "The nearest passages, which may not answer the question:"


@pytest.fixture
async def agent(tmp_path: Path) -> Agent:
    return await reading(CLUB, tmp_path)


def shown(answer: Answer) -> list[str]:
    """The passages shown, without their marks."""
    lines = answer.text.split("\n")
    assert NEAREST in lines, answer.text
    return [line for line in lines[lines.index(NEAREST) + 1 :] if line.startswith("- ")]


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("Whom do I tell when I have broken an oar?", "Harm to a hull or a blade is reported to the boatman"),
        ("What does a youngster pay to enter?", "Class of member: Junior; Dues per year: £140; Joining fee: £30"),
        ("May we set out when it is misty?", "In fog nobody launches."),
    ],
)
async def test_a_question_in_other_words_shows_the_sentence_or_row_that_tells_it(
    agent: Agent, question: str, passage: str
) -> None:
    told = await agent.ask(question)

    assert any(passage in each for each in shown(told))
    assert "partial" == told.stop_reason  # nearness is no proof
    assert told.unanswered


async def test_each_passage_is_cited_from_its_chunk(agent: Agent) -> None:
    told = await agent.ask("Whom do I tell when I have broken an oar?")

    first = told.citations[0]
    assert "On the water" == first.title
    assert first.quote.startswith("Harm to a hull")


async def test_what_is_far_from_everything_shows_nothing(agent: Agent) -> None:
    told = await agent.ask("How many moons does Jupiter have?")

    assert NEAREST not in told.text
    assert told.text.startswith("Not found")


async def test_a_description_of_another_thing_is_never_shown(agent: Agent) -> None:
    told = await agent.ask("Describe the regatta.")

    assert NEAREST not in told.text


async def test_the_last_look_keeps_to_what_the_user_allows(agent: Agent) -> None:
    strict = agent.with_settings(lambda settings: settings.model_copy(update={"min_score": 0.9}))

    told = await strict.ask("Whom do I tell when I have broken an oar?")

    assert NEAREST not in told.text
    assert not told.citations


async def test_a_small_effort_takes_no_last_look(agent: Agent) -> None:
    brief = agent.with_settings(lambda settings: settings.model_copy(update={"effort": "low"}))

    told = await brief.ask("Whom do I tell when I have broken an oar?")

    assert "nearest passages" not in {each.sub_query.purpose for each in told.evidence.retrieved}


async def test_the_last_look_is_told_as_one(agent: Agent) -> None:
    told = await agent.ask("Whom do I tell when I have broken an oar?")

    last = told.evidence.retrieved[-1]
    assert "nearest passages" == last.sub_query.purpose
    assert last.hits
    assert not last.drops


async def test_a_model_without_a_plan_reads_them_as_passages_without_a_word_of_what_was_not_found(
    tmp_path: Path,
) -> None:
    def line(request: LLMRequest) -> str:
        return "no plan at all" if request.purpose == "plan" else "A youngster pays £30 to enter."

    llm = ScriptedLLM(line)
    told = await (await reading(CLUB, tmp_path, llm)).ask("What does a youngster pay to enter?")

    shown_to_model = llm.requests[-1].messages[1].content
    assert "Junior | £140 | £30" in shown_to_model
    assert not re.search("Not found|nearest passages", shown_to_model)
    assert "no plan" not in told.text


async def test_a_model_that_finds_nothing_does_not_hide_them(tmp_path: Path) -> None:
    written = "Not found: the passages do not say to whom a broken oar is reported."
    llm = ScriptedLLM(lambda request: "no plan at all" if request.purpose == "plan" else written)
    told = await (await reading(CLUB, tmp_path, llm)).ask("Whom do I tell when I have broken an oar?")

    assert any("Harm to a hull or a blade is reported to the boatman" in each for each in shown(told))
    assert written not in told.text
    assert any(note.startswith("worded by rules, not by the language model") for note in told.notes)
