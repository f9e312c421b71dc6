"""Of several tables with the same columns, a word of the question chooses one."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

_HEAD = """| Box | Hire (£) | Deposit (£) | Enough for (children) | Weight (kg) | Balloons |
|---|---|---|---|---|---|"""
BOXES = book(f"""# Party boxes

A box is hired for one day.

## Summer, April to September

Party boxes in summer

{_HEAD}
| Pirate Deck | 18.00 | 30.00 | 12 | 9.5 | yes |
| Jungle Camp | 16.50 | 25.00 | 10 | 7.8 | no |
| Tea Party | 12.00 | 20.00 | 8 | 6.2 | yes |
| Garden Games | 22.00 | 40.00 | 16 | 15.4 | no |
| Circus Ring | 24.00 | 45.00 | 14 | 13.0 | yes |

## Winter, October to March

Party boxes in winter

{_HEAD}
| Pirate Deck | 15.00 | 35.00 | 11 | 9.9 | no |
| Snow Palace | 21.00 | 35.00 | 12 | 10.4 | yes |
| Tea Party | 10.00 | 20.00 | 9 | 6.0 | yes |
| Circus Ring | 20.00 | 45.00 | 12 | 13.0 | no |
""")
VERDICTS = {
    "Which winter boxes have balloons?": "Snow Palace, Tea Party",
    "How many summer boxes have balloons?": "3",
    "How many boxes are there in winter?": "4",
    "Which boxes are enough for at least 12 children in winter?": "Snow Palace, Circus Ring",
    "Circus Ring hire: how much cheaper is it in winter than in summer?": "4",
    "Is the hire of the Pirate Deck lower in summer or in winter?": "Winter, October to March",
    "What is the average hire of the boxes in winter?": "16.5",
    "Which has the higher hire in winter, the Pirate Deck or the Circus Ring?": "Circus Ring",
    "What percentage of the winter boxes have balloons?": "50 %",
    "List the winter boxes by hire, cheapest first.": "Tea Party, Pirate Deck, Circus Ring, Snow Palace",
    "Does the Pirate Deck come with balloons in winter?": "no",
    "What is the deposit on the heaviest box in winter?": "45.00",
    "Which winter boxes are heavier than the Pirate Deck?": "Snow Palace, Circus Ring",
    "Which summer boxes do not have balloons?": "Jungle Camp, Garden Games",
    "What is the difference between the highest and the lowest hire in winter?": "11",
    "Which box has the second highest hire in summer?": "Garden Games",
    "Of the winter boxes, which is the lightest?": "Tea Party",
    "Which box can I hire in winter for £15?": "Pirate Deck",
}


@pytest.mark.parametrize("question", VERDICTS)
def test_the_named_table_is_read(question: str) -> None:
    found = answer(question, BOXES)
    assert found.finding.verdict == VERDICTS[question]
    assert not found.needs


@pytest.mark.parametrize(
    "question", ["What is the hire of the Jungle Camp in winter?", "What is the hire of the Snow Palace in summer?"]
)
def test_the_other_table_is_no_answer(question: str) -> None:
    assert answer(question, BOXES).needs


def test_without_the_word_both_are_told() -> None:
    claim = answer("What is the hire of the Tea Party?", BOXES).finding.claim

    assert "12.00 (Summer, April to September" in claim
    assert "10.00 (Winter, October to March" in claim
