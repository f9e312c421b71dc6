"""Numbers that choose a row by themselves, several of one key, and several measures of one thing."""

from __future__ import annotations

import pytest

from agent.reasoning.execution.execute import execute
from agent.types import Reasoned
from tests.kit import book, values_of

BOOK = book("""# The Ferry Office

## Night Crossings

| Passenger | One way | Pass |
|---|---|---|
| Child (4-11) | €6 | €40 |
| Adult (12-64) | €11 | €90 |
| Elder (65 and over) | €7 | €60 |

## Weather Omens

| d20 | Omen |
|---|---|
| 1-7 | Calm |
| 8-15 | Squall |
| 16-20 | Waterspout |

## Duty

Goods from the marshes pay half of the duty.

| Declared value | Duty |
|---|---|
| up to 500 | 3% |
| 501-2,000 | 8% |
| over 2,000 | 15% |

## Pilot Fees

| Grade | Harbour | Open sea |
|---|---|---|
| 1-2 | 10 | 14 |
| 3-4 | 16 | 21 |

## Bells

| Rank | Warning in fog | Warning in storm |
|---|---|---|
| 1-2 | 14 | 11 |
| 3-5 | 9 | 8 |

## Signals

| Signal | Warning |
|---|---|
| Flare | 4 |
| Lamp | 6 |

## Ropes

| Rope | Breaking load | Price |
|---|---|---|
| Hemp | 900 kg | €12 |
| Sisal | 650 kg | €8 |

## Hooks

| Hook | Load, wet | Load, dry |
|---|---|---|
| Hook, brass | 12 kg | 15 kg |
| Hook, steel | 30 kg | 34 kg |
""")


def told(question: str) -> Reasoned | None:
    bound = BOOK.binder.bind_by_words(question)
    return None if bound is None else execute(bound, BOOK.chunks)


def values(question: str) -> list[object] | None:
    found = told(question)
    return None if found is None else values_of(found)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("what happens on a weather omens roll of 9?", "Squall"),
        ("What duty is paid on goods worth 501?", "8%"),
    ],
)
def test_a_number_alone_chooses_on_the_only_axis_of_numbers(question: str, value: str) -> None:
    assert [value] == values(question)


@pytest.mark.parametrize(
    "question",
    [
        "What duty is paid on a length of 501?",  # a measure that nothing here is of
        "What duty is paid on marsh goods worth 501?",  # the passage says of the marshes that they pay half
        "What duty is paid on 501 barrels?",  # a unit that no label has
        "What is the price of hemp in 1999?",  # no axis of numbers
    ],
)
def test_a_number_of_something_else_chooses_nothing(question: str) -> None:
    assert told(question) is None


def test_numbers_of_a_list_count_for_each_name_unless_they_go_one_by_one() -> None:
    assert ["10", "16"] == values("What is the harbour fee of a pilot at grades 1 and 3?")
    assert ["10", "16", "14", "21"] == values("What are the pilot fees for harbour and open sea at grades 1 and 3?")
    assert ["10", "21"] == values("What are the pilot fees for harbour and open sea at grades 1 and 3 respectively?")


def test_one_thing_is_compared_with_itself_under_two_numbers() -> None:
    result = told("How much higher is the harbour fee at grade 3 than at grade 1?")
    assert result is not None
    assert "6" == result.finding.verdict


def test_a_number_of_another_key_counts_for_both() -> None:
    assert told("How much higher is the harbour fee at grade 3 than at grade 1 in month 2?") is None


def test_measures_of_a_list_are_told_for_each_thing_and_never_subtracted() -> None:
    assert ["900 kg", "€12"] == values("What are the breaking load and the price of hemp?")
    result = told("breaking load and price of hemp and sisal")
    assert result is not None
    assert ["900 kg", "€12", "650 kg", "€8"] == values_of(result)
    assert result.finding.values["difference"] is None


def test_each_value_of_each_that_may_be_meant_is_told() -> None:
    assert ["12 kg", "15 kg", "30 kg", "34 kg"] == values("how much load does a hook take?")


def test_who_is_named_is_no_answer_to_which() -> None:
    modules = book("""# Reed

| Parameter | Value |
|---|---|
| Codec | WX31 |
| Width | 12 |

# Heron

| Parameter | Value |
|---|---|
| Released | August |
| Width | 14 |
""")
    for question in ("Which codec does the Heron use?", "How many of the modules use the WX31 codec?"):
        assert modules.binder.bind_by_words(question) is None


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("bells rank 1 warning in fog", ["14"]),
        ("bells rank 4 warning in fog", ["9"]),
        ("Which has more warning, one flare or one lamp?", ["4", "6"]),
    ],
)
def test_the_one_behind_a_name_is_a_number_of_it_and_counts_no_name_that_follows(
    question: str, found: list[object]
) -> None:
    assert found == values(question)
