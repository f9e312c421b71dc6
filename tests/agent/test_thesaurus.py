"""Words that a book does not have: a thesaurus relates them to its labels, and knows which only relate others."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

YARDS = book("""# Barges

| Barge | Builder | Selling price | Speed | Height |
|-|-|-|-|-|
| Heron | Aldous | 900 crowns | 8 knots | 4 m |
| Plover | Brandt | 700 crowns | 9 knots | 6 m |
| Tern | Corbet | 650 crowns | 7 knots | 5 m |
| Swift | Dacre | 720 crowns | 11 knots | 3 m |
""")
FLEET = book("""# Fleet list

| Lvl | Ship | Home | Toll |
|-|-|-|-|
| 3 | grey gull | Aldmoor | 12 |
| 3 | marsh hen | Brigg | 15 |
| 5 | old otter | Corby | 11 |
| 7 | red kite | Dunster | 19 |
""")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who built the Heron?", "Aldous"),
        ("How tall is the Plover?", "6 m"),
        ("What speed does the Tern typically attain?", "7 knots"),
    ],
)
def test_a_label_is_told_by_a_word_of_its_meaning(question: str, told: str) -> None:
    reasoned = answer(question, YARDS)
    assert told == reasoned.finding.verdict
    assert not reasoned.needs


@pytest.mark.parametrize("question", ["What is the purchase price of the Tern?"])
def test_the_contrary_of_a_label_is_not_told(question: str) -> None:
    reasoned = answer(question, YARDS)
    assert reasoned is None or reasoned.needs or not reasoned.finding.verdict


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Is the old otter or the red kite the higher-level ship?", "red kite"),
        ("Which has the lower toll, Aldmoor or Brigg?", "Aldmoor"),
        ("What level is the marsh hen?", "3"),
    ],
)
def test_a_row_is_named_by_any_column_that_names_each(question: str, told: str) -> None:
    assert told == answer(question, FLEET).finding.verdict


def test_at_most_asks_for_no_end() -> None:
    assert "6 m" == answer("How tall may the Plover be at most?", YARDS).finding.verdict


def test_a_bracket_says_which_measure_is_meant() -> None:
    reasoned = answer("Which one rises further above the water, the Heron or the Plover (height)?", YARDS)
    assert "Plover" == reasoned.finding.verdict
    assert not reasoned.needs


GUARDS = book("""# Hired help

| Help | Price |
|-|-|
| Bearer | 3 crowns |
| Lantern boy | 1 crown |
| Scout | 9 crowns |
""")


def test_what_is_paid_is_the_price() -> None:
    assert "9 crowns" == answer("How much would I have to pay a scout?", GUARDS).finding.verdict
