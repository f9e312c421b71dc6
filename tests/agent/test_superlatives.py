"""The best of all there are, values that look alike and are not, and questions that name nobody."""

from __future__ import annotations

import pytest

from agent.reasoning.values.quantities import lower_is_better, number_of, quantities_of
from tests.kit import answer, book, values_of

BOOK = book("""# Almanac

## Alloys

| Alloy | Density (g/cm3) | Strength (MPa) | Cost (cr/kg) |
|---|---|---|---|
| Hardsteel | 7.9 | 980 | 4 |
| Softsteel | 7.9 | 310 | 2 |
| Foam | 0.9 | 35 | 2 |

## Blades

| Blade | Damage | Price |
|---|---|---|
| Knife | 1d4 | 2 sp |
| Sabre | 1d8 | 15 gp |
| Falchion | 2d4 | 18 gp |
| Ceremonial | 1d2 | not sold |

## Callings

### Warden

**Warden Saves**

| Level | Poison | Fear |
|---|---|---|
| 1-4 | 13 | 12 |
| 5-8 | 11 | 10 |

### Hexer

**Hexer Saves**

| Level | Poison | Fear |
|---|---|---|
| 1-4 | 14 | 13 |
| 5-8 | 13 | 11 |
""")


@pytest.mark.parametrize(
    ("question", "best", "value"),
    [
        ("Which alloy is the lightest?", "Foam", "0.9"),
        ("Which alloy is the least dense?", "Foam", "0.9"),
        ("Which alloy has the highest strength?", "Hardsteel", "980"),
        ("What is the weakest alloy in strength?", "Foam", "35"),
        ("What is the cheapest blade?", "Knife", "2 sp"),
        ("Which blade costs the most?", "Falchion", "18 gp"),
    ],
)
def test_the_best_of_a_table_is_found_by_reading_all_of_it(question: str, best: str, value: str) -> None:
    result = answer(question, BOOK)
    assert (best, [value]) == (result.finding.verdict, [v["value"] for v in result.finding.values["values"]])
    assert () == result.needs


def test_equals_are_all_named_and_none_is_the_best() -> None:
    result = answer("Which alloy is the cheapest?", BOOK)
    assert ["Softsteel", "Foam"] == [value["name"] for value in result.finding.values["values"]]
    assert result.finding.verdict is None
    assert result.finding.claim.startswith("Softsteel and Foam share the lowest Cost")


def test_what_has_no_number_is_said_to_be_left_out() -> None:
    steps = [step.text for step in answer("What is the cheapest blade?", BOOK).finding.steps]
    assert "left out, for lack of a number: Ceremonial (not sold)" in steps


def test_the_best_is_not_told_while_something_is_unread() -> None:
    result = answer("Which alloy is the least dense?", BOOK, BOOK.only(lambda c: c.title != "Alloys"))
    assert result.finding.verdict is None
    assert result.needs


def test_what_a_kind_is_ranked_by_instead_is_told() -> None:
    steps = [step.text for step in answer("Which alloy is the lightest?", BOOK).finding.steps]
    assert "assumed: lightest is by Density (g/cm3)" in steps


def test_of_a_kind_with_tables_of_its_own_every_one_is_looked_up() -> None:
    finding = answer("Which calling has the best save against poison at level 6?", BOOK).finding
    assert ["13", "11"] == [value["value"] for value in finding.values["values"]]
    assert "warden" == finding.values["better"]


def test_where_a_class_is_not_named_none_is_guessed_and_each_is_told() -> None:
    result = answer("What is the save against poison at level 6?", BOOK)
    assert ["11", "13"] == sorted(map(str, values_of(result)))
    assert result.finding.verdict is None


@pytest.mark.parametrize(
    ("question", "better"),
    [
        ("Which does more damage, a knife or a sabre?", "sabre"),
        ("Is a knife or a sabre cheaper?", "knife"),
        ("Which does more damage, a falchion or a sabre?", "falchion"),
    ],
)
def test_dice_and_coins_are_ranked_by_what_they_are_worth(question: str, better: str) -> None:
    assert better == answer(question, BOOK).finding.values["better"]


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("What are the damage and price of a sabre?", ["1d8", "15 gp"]),
        ("What are the damage and the price of a knife and a sabre?", ["1d4", "2 sp", "1d8", "15 gp"]),
        ("What does a 5th level warden need to save against poison and fear?", ["11", "10"]),
        ("What save against poison do a warden and a hexer have at levels 3 and 5 respectively?", ["13", "13"]),
        ("What save against fear do a warden and a hexer have at levels 3 and 5?", ["12", "10", "13", "11"]),
        ("What is a hexer's save against fear at 3rd and 5th level?", ["13", "11"]),
    ],
)
def test_lists_are_dealt_out_or_crossed(question: str, values: list[str]) -> None:
    found = answer(question, BOOK).finding.values["values"]
    assert values == [entry["value"] for entry in found]


@pytest.mark.parametrize(
    ("text", "attribute", "number"),
    [
        ("1d6 hp", "hit dice", 3.5 / 4.5),
        ("1-8", "damage", 4.5),
        ("Large (9-ft)", "size", 3.0),
        ("50+ gp", "cost", 50.0),
        ("Free", "cost", 0.0),
        ("1 1/2", "share", 1.5),
        ("8½", "rating", 8.5),
        ("2¼kg", "weight", 2.25),
        ("-1½", "tilt", -1.5),
        ("-½", "tilt", -0.5),
        ("1–1½ kg", "weight", 1.0),
        ("see below", "", None),
    ],
)
def test_a_cell_is_worth_its_number(text: str, attribute: str, number: float | None) -> None:
    assert number == (None if number is None else pytest.approx(number_of(text, attribute)))
    assert (number is None) is (number_of(text, attribute) is None)


def test_measures_that_differ_are_not_ranked() -> None:
    assert quantities_of(["3 kg", "40 lbs"], "weight") is None


def test_one_and_several_of_a_unit_are_one_unit() -> None:
    assert [1.0, 3.0] == [quantity.number for quantity in quantities_of(["1 lb", "3 lbs"], "weight") or ()]
    assert [1.0, 10.0] == [quantity.number for quantity in quantities_of(["1 day", "10 days"], "time") or ()]


@pytest.mark.parametrize(
    ("attribute", "low"), [("hits", True), ("bonus to hit", False), ("hit dice", False), ("hit points", False)]
)
def test_a_roll_to_hit_is_better_low_and_a_bonus_high(attribute: str, low: bool) -> None:
    assert low is lower_is_better(attribute)


CAMPS = book("""# Camps

| Camp | Grade | Beds |
|---|---|---|
| Alder | 3 | 12 |
| Birch | 4 | 20 |
| Cedar | 4 | 8 |

# Pumps

| Pump | Voltage | Flow | Weight |
|---|---|---|---|
| Heron | 12 V | 40 l/min | 12 kg |
| Stork | 24 V | 55 l/min | 19 kg |
| Ibis | 12 V | 60 l/min | 21 kg |
""")


@pytest.mark.parametrize(
    "question",
    ["What grade is the heaviest pump?"],
)
def test_who_is_the_best_is_no_answer_to_what_is_asked_of_them(question: str) -> None:
    assert [] != list(answer(question, CAMPS).needs)
