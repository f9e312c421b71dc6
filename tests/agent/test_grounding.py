"""Tables whose labels say what is asked, word by word: bands, columns of one kind, things side by side, conditions."""

from __future__ import annotations

import pytest

from agent.planning.rules import next_intent
from tests.kit import answer, book, understand, values_of

BOOK = book("""# Township Handbook

## Income Tax

| Taxable income | Rate | Base amount |
|---|---|---|
| up to 10,000 | 0% | 0 |
| 10,001–25,000 | 12% | 0 |
| over 25,000 | 24% | 1,800 |

Income from forestry is taxed at half the rate.

## Fare Zones

| Town | Zone | Distance (km) |
|---|---|---|
| Brenna | B | 17 |
| Hallstadt | C | 38 |
| Norby | B | 21 |

## Bus Fares

| Ticket | Zone A | Zone B | Zone C |
|---|---|---|---|
| Single | 2.20 | 3.60 | 5.40 |
| Day ticket | 5.50 | 9.00 | – |

## Parking

| Hours parked | Centre | Harbour | Reservation Fee |
|---|---|---|---|
| 1 | 2.50 | 1.50 | 1.00 |
| 2 | 4.50 | 2.50 | 1.00 |
| 3–5 | 9.00 | 5.00 | 1.50 |

## Phone Plans

| Plan | Monthly Fee | Data | Minutes |
|---|---|---|---|
| Pebble | €7.99 | 3 GB | 200 |
| Brook | €12.49 | 12 GB | unlimited |
| River | €19.99 | 40 GB | unlimited |

## Herbs

| Herb | Height | Days to Harvest |
|---|---|---|
| Sage | 60 cm | 60–70 |
| Rosemary | 1.2 m | 65–80 |
| Cress | 8 cm | 68–69 |

## Hardiness

| Herb | Hardy to | Repotting | Vitamin C |
|---|---|---|---|
| Sage | −15 °C | every 2 years | 32 mg |
| Rosemary | −8 °C | every 3 years | 22 mg |

## Museum

| Visitor | Weekday | Weekend |
|---|---|---|
| Adult | $12 | $15 |
| Senior | $9 | $11 |

## Bicycles

| | Finch | Swift |
|---|---|---|
| Weight | 19.5 kg | 17.2 kg |
| Range | 60 km | 95 km |
""")


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the income tax rate at an income of 10,000?", "0%"),
        ("What rate of income tax does a person who earns 10,001 pay?", "12%"),
        ("Which tax rate applies to a taxable income of 75,000?", "24%"),
        ("What does it cost to park for 4 hours in the centre?", "9.00"),
        ("How much is 2 hours of parking at the harbour?", "2.50"),
        ("What does a day ticket in zone B cost?", "9.00"),
        ("How much data comes with Brook?", "12 GB"),
        ("What does Pebble cost a month?", "€7.99"),
        ("What is the range of the Swift?", "95 km"),
        ("How tall does sage grow?", "60 cm"),
    ],
)
def test_labels_that_say_every_word_lead_to_the_cell(question: str, value: str) -> None:
    result = answer(question, BOOK)
    assert ([value], ()) == (values_of(result), result.needs)


@pytest.mark.parametrize(
    "question",
    [
        "What is the roaming fee of the River plan?",
        "What is the tax rate on forestry income of 30,000?",
        "What does it cost to park for 48 hours in the centre?",
        "What does a month pass in zone B cost?",
        "What does a day ticket in zone C cost?",
        "What does a day ticket in zone D cost?",
        "What does a day ticket cost?",
        "What does it cost to park for 2 hours?",
        "What is the range of the Plover?",
        "How much does the data of the Brook plan weigh?",
        "What was the monthly fee of River in 2019?",
        "What do the minutes of Pebble cost?",
        "What does a day ticket for a dog in zone B cost?",
        "How much vitamin A is in sage?",
        "What does the repotting of sage cost?",
    ],
)
def test_one_word_that_no_label_says_leaves_the_question_open(question: str) -> None:
    result = answer(question, BOOK)
    assert result.needs
    assert (None, None) == (result.finding.values["better"], result.finding.verdict)


@pytest.mark.parametrize(
    ("question", "values", "better", "apart"),
    [
        ("Is parking for 2 hours cheaper in the centre or at the harbour?", ["4.50", "2.50"], "Harbour", 2.0),
        ("How much dearer is a single ticket in zone C than in zone A?", ["2.20", "5.40"], None, 3.2),
        ("How much more does River cost per month than Brook?", ["€12.49", "€19.99"], None, 7.5),
        ("Which is lighter, the Finch or the Swift?", ["19.5 kg", "17.2 kg"], "Swift", 2.3),
        ("Is rosemary taller than sage?", ["1.2 m", "60 cm"], "rosemary", None),
    ],
)
def test_several_labels_are_compared(question: str, values: list[str], better: str | None, apart: float | None) -> None:
    result = answer(question, BOOK)
    found = result.finding.values
    told = [value for value in values_of(result) if isinstance(value, str)]
    assert (sorted(values), apart) == (sorted(told), found["difference"])
    assert better is None or better == found["better"]


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("What does a single ticket to Norby cost?", ["3.60"]),
        ("Which zone is Norby in, and what does a day ticket there cost?", ["B", "9.00"]),
    ],
)
def test_a_value_of_one_table_leads_to_another(question: str, values: list[str]) -> None:
    result = answer(question, BOOK)
    assert (values, ()) == (values_of(result), result.needs)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which plans cost less than €15 a month?", ["Pebble", "Brook"]),
        ("How many of the phone plans have unlimited minutes?", ["Brook", "River"]),
        ("Which towns are in zone B?", ["Brenna", "Norby"]),
        ("How many towns have a distance of at least 21 km?", ["Hallstadt", "Norby"]),
        ("Which herbs are taller than 50 cm?", ["Sage", "Rosemary"]),
        ("Which plans cost more than €50 a month?", []),
    ],
)
def test_all_that_meet_a_condition_are_told(question: str, names: list[str]) -> None:
    result = answer(question, BOOK)
    found = result.finding.values
    assert (names, ()) == ([value["name"] for value in found["values"]], result.needs)
    assert found.get("count", len(names)) == len(names)


def test_what_can_not_be_held_against_the_number_is_named() -> None:
    result = answer("How many plans have more than 100 minutes?", BOOK)
    assert result.finding.verdict is None
    assert ["whether these meet it: Brook (unlimited), River (unlimited)"] == [need.need for need in result.needs]


def test_a_condition_is_judged_on_all_of_the_kind_or_not_at_all() -> None:
    result = answer("Which towns are in zone B?", BOOK, BOOK.only(lambda c: c.title != "Fare Zones"))
    assert [] == values_of(result)
    assert result.needs


def test_ranges_that_overlap_are_neither_ranked_nor_subtracted() -> None:
    found = answer("Which has more days to harvest, sage or cress?", BOOK).finding.values
    assert (None, None) == (found["better"], found["difference"])


def test_a_follow_up_may_change_no_more_than_a_number() -> None:
    before = understand("What is the income tax rate at an income of 12,000?", BOOK)
    intent = next_intent(before, "And at 61,000?", BOOK.lexicon)
    assert intent is not None
    assert ["24%"] == values_of(answer(intent.described, BOOK))


def test_a_follow_up_with_another_attribute_keeps_no_preference() -> None:
    before = understand("Which has the lower monthly fee, Brook or River?", BOOK)
    intent = next_intent(before, "And which has more data?", BOOK.lexicon)
    assert intent is not None
    assert "River" == answer(intent.described, BOOK).finding.verdict


def test_a_letter_that_the_label_has_is_no_other() -> None:
    result = answer("How much vitamin C is in sage?", BOOK)
    assert (["32 mg"], ()) == (values_of(result), result.needs)


def test_a_comparative_that_does_not_say_its_end_leaves_the_values_unjudged() -> None:
    result = answer("Which is hardier, sage or rosemary?", BOOK)
    assert ["-15 °C", "-8 °C"] == sorted(map(str, values_of(result)))
    assert (None, ["which of these values is the hardier"]) == (
        result.finding.values["better"],
        [need.need for need in result.needs],
    )


def test_all_amounts_are_told_where_none_is_asked_for() -> None:
    result = answer("What does an adult pay?", BOOK)
    assert ["Weekday: Adult $12", "Weekend: Adult $15"] == [step.text for step in result.finding.steps]
    assert result.finding.verdict is None
