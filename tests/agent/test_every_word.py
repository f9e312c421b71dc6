"""What a sentence tells that has every word of a question: whether something is so, a number and its name."""

from __future__ import annotations

import pytest

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
