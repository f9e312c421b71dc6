"""A table that is called by its whole name: the rows of others do not count, not even in a section of that name."""

from __future__ import annotations

import pytest

from tests.kit import answer, book, library

GOODS = book("""# Rope goods

##### Table: Hull Rope Goods

| Name | Price | Weight |
|---|---|---|
| Hawser | 30 | 9 kg |
| Warp | 12 | 4 kg |
| Line | 3 | 1 kg |

## Hire

##### Table: Hull Hire

| Name | Price | Weight |
|---|---|---|
| Tow of a day | 90 | 40 kg |
| Buoy | 8 | 25 kg |
| Fender | 2 | 5 kg |
""")


FLEET = book("""# Hull ferries

##### Table: Steam ferries

| Name | Fare | Crew |
|---|---|---|
| Reed | 30 sp | 9 |
| Rush | 12 sp | 4 |

##### Table: Car ferries

| Name | Fare | Crew |
|---|---|---|
| Sedge | 70 sp | 12 |
| Fern | 15 sp | 7 |

##### Table: Tickets and passes

| Name | Fare | Ferry |
|---|---|---|
| Year pass | 5 c | Reed |
| Month pass | 90 sp | Reed, Sedge |

# Items

##### Table: Items lost

| Item | Fare |
|---|---|
| Hat | 2 sp |
| Bag | 3 sp |
""")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which of the Hull rope goods has the highest weight?", "Hawser"),
        ("What is the highest price in the Hull rope goods?", "Hawser"),
        ("How many of the Hull rope goods cost more than 5?", "2"),
        ("Which item in the Hull rope goods has the highest weight?", "Hawser"),
        ("Which of the Hull hire has the highest weight?", "Tow of a day"),
        ("Which of the rope goods has the highest weight?", "Tow of a day"),
    ],
)
def test_only_the_rows_of_the_table_count(question: str, verdict: str) -> None:
    assert verdict == answer(question, GOODS).finding.verdict


def test_a_table_of_another_name_in_their_section_holds_none_of_them() -> None:
    assert "Sedge" == answer("Which ferry has the highest fare?", FLEET).finding.verdict
    assert "Sedge" == answer("Which of the Hull ferries has the largest crew?", FLEET).finding.verdict


SPELLS = book("""# Magic

##### Table: All Greater Spells (Tier 3 Spells)

| Spell | Range |
|---|---|
| Arc | 3 m |
| Bolt | 5 m |
| Cone | 9 m |

##### Table: All Lesser Spells (Tier 2 Spells)

| Spell | Range |
|---|---|
| Dart | 2 m |
| Echo | 12 m |
""")


def test_a_word_for_an_end_may_be_part_of_a_name() -> None:
    assert "3" == answer("How many greater spells are there?", SPELLS).finding.verdict
    assert "2" == answer("How many lesser spells are there?", SPELLS).finding.verdict
    assert "Cone" == answer("Which greater spell has the longest range?", SPELLS).finding.verdict
    assert "Echo" == answer("Which spell has the longest range?", SPELLS).finding.verdict


BOATS = library(
    {
        f"{kind}.md": f"# {kind.title()} boats\n\nBoats of the Hull yard.\n\n## Figures\n\n"
        + "| Boat | Crew | Deck |\n|---|---|---|\n"
        + "".join(f"| {name} | {crew} | {deck} m |\n" for name, crew, deck in rows)
        for kind, rows in (
            ("canal", (("Reed", 4, 31), ("Rush", 6, 45))),
            ("deck", (("Sedge", 9, 28), ("Fern", 3, 19))),
        )
    }
)


def test_a_measure_that_is_also_a_word_of_the_tables_name_is_a_measure() -> None:
    assert "Sedge" == answer("What is the largest deck of any deck boat?", BOATS).finding.verdict
    assert "Rush" == answer("What is the largest deck of any boat?", BOATS).finding.verdict
