"""What a sentence tells that has every word of a question: whether something is so, a number and its name."""

from __future__ import annotations

import pytest

from agent.prose.nearest import Nearness
from agent.reasoning.from_prose import from_prose
from agent.reasoning.notebook import Notebook
from agent.understanding.question.tagged import tagged
from retrieval.types import Chunk
from tests.kit import answer, book

MILL = book(
    """
# Mill handbook

## Sleep

A short sleep at noon is usual among all who work here, and nobody is woken.

## Miller

The miller needs sleep for 9 hours at harvest. The dough has a flour to water ratio of 5:3.
Grinding asks for a wind steadiness of at least 40.

## Sluice Gate

The gate may be lifted by the owner in spring. If the wheel stops in frost, call the smith. Is the wheel greased in May?

## Barn

The barn is swept at dusk.
"""
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the ratio of flour to water in the dough?", "5:3"),
        ("How much wind steadiness does grinding need?", "at least 40"),
        (
            "How much sleep does the miller need at harvest?",
            "9 hours",
        ),  # a section called Sleep is not whom it is about
        ("May the owner lift the sluice gate in spring?", "The gate may be lifted by the owner in spring."),
    ],
)
def test_a_sentence_that_tells_every_word_is_the_answer(question: str, said: str) -> None:
    found = answer(question, MILL)
    assert () == found.needs
    assert said in found.finding.claim


@pytest.mark.parametrize(
    "question",
    [
        "Does the wheel stop in frost?",  # it is only said what to do then
        "Is the wheel greased in May?",  # it is only asked
        "Is there a barn at the sluice gate?",
        "Is the barn dusky?",
        "How much wind does the miller need?",
    ],
)
def test_what_is_only_spoken_of_is_not_told(question: str) -> None:
    assert answer(question, MILL).needs


def test_a_sentence_with_every_word_stands_beside_one_as_near_that_has_fewer() -> None:
    named = Chunk("c1", "Night ferries are not sent to ports like Lund and Ystad.", "Ferries")
    vague = Chunk("c2", "Some places are not open to night ferries.", "Why does my port not get any?")
    similar = Nearness({f"{chunk.title}: {chunk.text}": 0.7 for chunk in (named, vague)})
    found = from_prose(tagged("Which ports can't get night ferries?"), Notebook([named, vague]), similar)
    assert () == found.needs
    assert "Lund and Ystad" in found.finding.claim


def test_a_value_is_told_by_its_label_and_its_heading() -> None:
    plans = Chunk("c1", "Plan: Policy\nOak: 20 hours\nElm: 3 days", "Flour storage policy", headings=("Grain plans",))
    found = from_prose(tagged("flour storage on the oak plan"), Notebook([plans]))
    assert () == found.needs
    assert "Oak: 20 hours" == found.finding.claim
