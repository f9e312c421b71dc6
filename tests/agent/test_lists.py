"""Names that share a word which is said once, and names with a comma in a list."""

from __future__ import annotations

import pytest

from tests.agent.at_hand import answered_at_hand
from tests.kit import Book, book

SHIPS = book("""# Ships

| Name | Cost | Crew |
|---|---|---|
| Galley, large | 30000 | 80 |
| Galley, small | 10000 | 30 |
| Galley, war | 60000 | 100 |
| Longship | 15000 | 75 |
""")
LAMPS = book("""# Red Lamp

- Power: 18 W
- Reach: 12 m

# Green Lamp

- Power: 12 W
- Reach: 15 m

# Blue Lamp

- Power: 14 W
- Reach: 16 m
""")


@pytest.mark.parametrize(
    ("question", "asked", "claim"),
    [
        (
            "Rank the large galley, the small galley and the longship by cost",
            SHIPS,
            "Ranked from the highest: large galley 30000, longship 15000, small galley 10000.",
        ),
    ],
)
def test_each_name_of_the_list_is_meant(question: str, asked: Book, claim: str) -> None:
    found = answered_at_hand(question, asked.chunks)
    assert found is not None
    assert found.finding.claim.startswith(claim)


def test_a_word_that_is_no_name_with_the_shared_one_is_not_made_one() -> None:
    found = answered_at_hand("Which has more power, the purple or the blue lamp?", LAMPS.chunks)
    assert found is None
