"""Sentences of a model that convert, count or raise what they cite are right; false superlatives are not."""

from __future__ import annotations

import pytest

from agent.writing.checking.support import Support
from tests.kit import chunks_of

BOOK = """
# Bikes

| Bike | Kind | Motor (Nm) | Price in euro |
|-|-|-|-|
| Elk | city | 95 | 2400 |
| Fox | city | 120 | 2600 |
| Hare | cargo | 60 | 2200 |
| Mole | cargo | 85 | 4100 |
| Wren | cargo | 70 | 3000 |

The warranty runs for 36 months. It takes tyres of up to 60 mm. A used bike costs 35 percent of its price.
In Turin every bike costs 8 percent more.
"""
CHUNKS = dict(enumerate(chunks_of(BOOK), 1))


def lacking(sentence: str) -> list[str]:
    return Support([], CHUNKS, "What is there to know of the bikes?").lacking(sentence, CHUNKS)


@pytest.mark.parametrize(
    "sentence",
    [
        "The warranty runs for 36 months, which is three years.",
        "It takes tyres of up to 60 mm, i.e. 6 cm.",
        "A used bike costs 35 percent of its price, which saves 65 percent.",
        "Three of the five bikes are cargo bikes.",
        "With 120 Nm, the Fox has the strongest motor of all.",
        "With 60 Nm, the Hare has the weakest motor of all.",
        "With 70 Nm, the Wren has the strongest motor but one of the cargo bikes.",
        "At 2200 euro the Hare is cheaper than the Elk at 2400 euro.",
    ],
)
def test_what_follows_from_what_is_cited_is_right(sentence: str) -> None:
    assert [] == lacking(sentence)


@pytest.mark.parametrize(
    ("sentence", "number"),
    [
        ("The warranty runs for 36 months, which is four years.", "4"),
        ("It takes tyres of up to 60 mm, i.e. 16 cm.", "16"),
        ("A used bike costs 35 percent of its price, which saves 75 percent.", "75"),
        ("Four of the five bikes are cargo bikes.", "4"),
        ("With 95 Nm, the Elk has the strongest motor of all.", "95"),
        ("At 2400 euro the Elk is thus cheaper than the Hare at 2200 euro.", "2400"),
    ],
)
def test_what_does_not_is_told_with_its_number(sentence: str, number: str) -> None:
    assert number in lacking(sentence)
