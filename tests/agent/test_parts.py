"""A question that is made of several: each is answered for itself, and none is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agent.shelf import agent_on

PUMPS = """# Pumps

| Pump | Weight | Flow | Price |
|---|---|---|---|
| Heron | 12 kg | 40 l/min | 310 |
| Stork | 19 kg | 55 l/min | 450 |

# Priming

Fill the chamber with water before the first start.
"""


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the weight of the Heron, and how much is the price of the Stork?", ("12 kg", "450")),
        ("What is the flow of the Heron? And of the Stork?", ("40 l/min", "55 l/min")),
        ("What is the weight of the Stork and what is its flow?", ("19 kg", "55 l/min")),
        ("Which is heavier, the Heron or the Stork, and what is the price of the Heron?", ("Stork", "310")),
        ("What does the Heron weigh and what the Stork?", ("12 kg", "19 kg")),
        ("What is the price of the Stork, and when is the chamber filled with water?", ("450", "first start")),
    ],
)
async def test_each_part_is_answered(question: str, told: tuple[str, str], tmp_path: Path) -> None:
    answer = await (await agent_on(tmp_path, book=PUMPS)).ask(question)
    assert [True, True] == [value in answer.text for value in told]
    assert "complete" == answer.stop_reason
    assert len({citation.n for citation in answer.citations}) == len(answer.citations) >= 1


async def test_a_part_that_is_not_there_is_told_and_the_other_is_answered(tmp_path: Path) -> None:
    answer = await (await agent_on(tmp_path, book=PUMPS)).ask(
        "What is the weight of the Heron, and what is the warranty of the Stork?"
    )
    assert "12 kg" in answer.text
    assert "partial" == answer.stop_reason
    assert ["warranty" in each.need for each in answer.unanswered] == [True]


@pytest.mark.parametrize(
    "question",
    [
        "What is the flow of the Heron? And of the Ibis?",
        "What is the price of the Stork, and with what is the valve greased?",
        "What is the weight of the Heron and how loud is the Stork?",
    ],
)
async def test_half_an_answer_is_never_told_as_whole(question: str, tmp_path: Path) -> None:
    answer = await (await agent_on(tmp_path, book=PUMPS)).ask(question)
    assert "partial" == answer.stop_reason
