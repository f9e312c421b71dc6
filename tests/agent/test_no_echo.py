"""What only repeats the question, or tells nothing of what it asks, is no answer."""

from __future__ import annotations

import pytest

from agent.reasoning.lookup import look_up
from agent.understanding.question.intent import Lookup
from tests.kit import answer, book

GARDEN = book(
    """
# Leek

| Property | Value |
|-|-|
| family | Onions |
| use | Leaves |

## Leek common names

| pt | sv |
|-|-|
| alho | purjo |

# Chard

| Property | Value |
|-|-|
| family | Beets |
| rent | 4 coins |

# Rent

| Property | Value |
|-|-|
| paid | in spring |
| unit | coins |

# Charms

## School of fire magic

| Charm | Level |
|-|-|
| Ember | Basic |
| Cinder | Expert |
"""
)


@pytest.mark.parametrize(
    "question",
    [
        "How wide does a leek pt get at most?",
        "How tall do leek plants grow?",
        "Which school of magic does Ember come from?",
    ],
)
def test_what_tells_nothing_of_what_is_asked_is_no_answer(question: str) -> None:
    told = answer(question, GARDEN)

    assert told is None or told.needs or told.finding is None or told.finding.verdict is None


def test_two_that_are_named_are_held_side_by_side_where_they_are_joined() -> None:
    def claim(question: str) -> str:
        return look_up(Lookup(question, ("rent", "chard")), GARDEN.chunks).finding.claim

    assert "side by side" in claim("Compare rent and chard")
    assert "side by side" not in claim("What rent does chard need?")
