"""The cells of a few chunks answer as those of a collection do, without a model."""

from __future__ import annotations

import pytest

from agent.understanding.linking.background import ComputeQueue
from agent.understanding.linking.nearness import LabelRequests, Wording, label_for, with_model, without_model
from tests.agent.at_hand import answered_at_hand, bind_at_hand
from tests.kit import book
from tests.retrieval.doubles import BagOfWords

BOATS = book("""# Boats

| Boat | Fare | Crew |
|---|---|---|
| Reed | 3 | 2 |
| Heron | 5 | 4 |
| Otter | 4 | 4 |
""")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("What is the fare of the Reed?", "3"),
        ("Which has the higher fare, the Reed or the Otter?", "Otter"),
        ("Which boat has the highest fare?", "Heron"),
        ("How many boats have a crew of 4?", "2"),
    ],
)
def test_the_chunks_at_hand_answer(question: str, verdict: str) -> None:
    found = answered_at_hand(question, BOATS.chunks)

    assert found is not None
    assert verdict == found.finding.verdict
    assert all(citation.cell is not None for citation in found.citations)


def test_what_no_word_leads_to_is_not_bound() -> None:
    assert bind_at_hand("How heavy is the Reed?", BOATS.chunks) is None
    assert bind_at_hand("What is the fare of the Reed?", []) is None


def _work() -> LabelRequests[str]:
    label = yield from label_for(Wording("the fare", ("fare", "a crew of oarsmen")))
    return label or "nothing assumed"


async def test_a_model_tells_the_nearest_label() -> None:
    assert "fare" == await with_model(_work(), BagOfWords(), ComputeQueue())
    assert "nothing assumed" == without_model(_work())
