"""A line that puts amounts before their labels is a record: *14 HP, 1 Armor, 8 STR*, a stock list, a specification."""

from __future__ import annotations

import pytest

from retrieval.readers.labels.statlines import amounts
from tests.agent.at_hand import answered_at_hand
from tests.kit import book

BEINGS = book("""# Lich

14 HP, 1 Armor, 8 STR, 18 WIL, soul dagger (d8) or cold touch (d6)

- It paid the last price.

# Treant

10 HP, 3 Armor, 15 STR, 12 WIL, roots (d8+d8, _wide_), slow

# Wolf

5 HP, 12 STR, 4 WIL, bite (d6)
""")


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("8 HP, 3 Armor, 15 STR", {"HP": "8", "Armor": "3", "STR": "15"}),
        ("4 ports; 2 fans (quiet); 16 GB", {"ports": "4", "fans": "2 (quiet)", "GB": "16"}),
        ("6 HP, 14 STR, 8 DEX, mace (d8)", {"HP": "6", "STR": "14", "DEX": "8", "mace": "d8"}),
    ],
)
def test_amounts_and_what_they_are_of(text: str, pairs: dict[str, str]) -> None:
    found = amounts(text)
    assert found is not None
    assert pairs == dict(found.pairs)


@pytest.mark.parametrize(
    "text",
    [
        "3 eggs and 2 cups of flour",
        "In 2019, 5 people, 3 dogs and 2 cats came",
        "2 of them sang, 3 danced, 4 slept",
        "12 ships, 12 ships, 12 ships",
        "It has 14 HP, 1 Armor, 8 STR",
        "5 men, 3 women",
        "",
    ],
)
def test_a_sentence_is_no_list_of_amounts(text: str) -> None:
    assert amounts(text) is None


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("lich WIL", "18"),
        ("How many HP does the treant have?", "10"),
        ("Which has more STR, a wolf or a lich?", "wolf"),
        ("Which of them has the most HP?", "Lich"),
        ("What is the bite of the wolf?", "d6"),
    ],
)
def test_they_are_read_compared_and_ranked(question: str, told: str) -> None:
    found = answered_at_hand(question, BEINGS.chunks)
    assert found is not None
    assert told in found.finding.claim
