"""What a question leaves open is told as a doubt, or read as it is meant: never a value beside what was asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agent.shelf import reading
from tests.kit import answer, book

HIRE = book("""# Lamps for hire

| Lamp | Per day | Per weekend | Per week | Burns for |
|---|---|---|---|---|
| Moth lamp | £9 | £12 | £31 | 7:30 min |
| Storm lamp | £8 | £19 | £30 | 8:20 min |
| Miner's lamp | £11 | £14 | £44 | 12:05 min |
""")

CHEESE = book("""# Prices

| Cheese | shop_price_per_kg | hotel_price_per_kg |
|---|---|---|
| Tarn Blue | £36 | £29 |
| Fell White | £22 | £19 |
""")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which lamp has the lowest price per week?", "Storm lamp has the lowest Per week: £30"),
        ("Which lamp has the lowest price per weekend?", "Moth lamp has the lowest Per weekend: £12"),
        ("What does the storm lamp cost per week?", "£30 (Per week)"),
    ],
)
def test_a_word_is_taken_for_itself_before_it_is_the_beginning_of_another(question: str, told: str) -> None:
    found = answer(question, HIRE)

    assert told in found.finding.claim
    assert not found.needs


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which burns longer, the moth lamp or the storm lamp?", "storm lamp"),
        ("Which lamp burns the shortest?", "Moth lamp"),
        ("What is the difference between how long the miner's lamp and the moth lamp burn?", "4.5833 min"),
    ],
)
def test_a_time_in_two_parts_is_one_amount(question: str, verdict: str) -> None:
    found = answer(question, HIRE)

    assert verdict == found.finding.verdict
    assert not found.needs


def test_a_difference_of_two_measures_is_computed() -> None:
    found = answer("What is the difference between the shop price and the hotel price of Tarn Blue?", CHEESE)

    assert "7 £" == found.finding.verdict


@pytest.mark.parametrize(
    "question",
    [
        "What is the difference between the shop price and the cellar price of Tarn Blue?",
        "What is the difference in the shop price of Tarn Blue?",
    ],
)
def test_one_value_is_no_difference(question: str) -> None:
    found = answer(question, CHEESE)

    assert found.finding.verdict is None
    assert found.needs


def test_what_the_last_owner_has_is_what_the_first_has() -> None:
    found = answer("What is the difference between the moth lamp's price per day and the storm lamp's?", HIRE)

    assert "1 £" == found.finding.verdict


async def test_a_kind_and_a_measure_that_nobody_named_are_a_doubt(tmp_path: Path) -> None:
    agent = await reading(
        """# Air luggage

## Special items

| Item | Fee each way | Book ahead |
|---|---|---|
| Bicycle | £25 | 48 hours |
| Cello | £64 | 96 hours |
| Fishing rods | £11 | 12 hours |
""",
        tmp_path,
    )

    told = await agent.ask("Which connection spends the least time in the air?")

    assert "partial" == told.stop_reason


async def test_a_single_value_near_to_the_words_is_no_total(tmp_path: Path) -> None:
    agent = await reading(
        "# Pontoons\n\n| Pontoon | Berths | Built |\n|---|---|---|\n| A | 64 | 1998 |\n| B | 58 | 2004 |\n", tmp_path
    )

    told = await agent.ask("How many berths do pontoons A and B have together?")

    assert "58" != told.verdict
    assert "partial" == told.stop_reason or "122" in told.text
