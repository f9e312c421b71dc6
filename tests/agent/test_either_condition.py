"""Two conditions joined by *or*, a superlative with a limit, rows that a number names, and a unit beside labels."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

HARBOUR = book("""# Harbour

## Boats

| Boat | Hull | Crew | Length | Engine | Home port | Launched |
|---|---|---|---|---|---|---|
| Kite | red | 4 | 9 m | yes | Hull | 1988 |
| Rush | green | 6 | 12 m | no | Wick | 1992 |
| Wren | red | 3 | 7 m | no | Hull | 2001 |
| Alder | blue | 8 | 15 m | yes | Arran | 1979 |
| Moth | white | 2 | 6 m | yes | Wick | 2010 |
""")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which boats have less than 4 crew or no engine?", {"Wren", "Moth", "Rush"}),
        ("Which boats are longer than 12 m or shorter than 7 m?", {"Alder", "Moth"}),
        ("Which boats have an engine or a crew of more than 5?", {"Kite", "Alder", "Moth", "Rush"}),
        ("Which boats are red or longer than 10 m?", {"Kite", "Wren", "Rush", "Alder"}),
        ("Which boats are from Wick or over 14 m long?", {"Rush", "Moth", "Alder"}),
        ("Which boats have a crew under 3 or over 7?", {"Moth", "Alder"}),
        ("Which boats have at most 3 crew or at least 8?", {"Wren", "Moth", "Alder"}),
        ("Which boats were launched before 1985 or after 2000?", {"Alder", "Wren", "Moth"}),
        ("Which boats are over 14 m long or red?", {"Alder", "Kite", "Wren"}),
        ("Which boats have a crew of 3 or 4?", {"Kite", "Wren"}),
        ("Which boats have a crew of 4 or fewer?", {"Kite", "Wren", "Moth"}),
        ("Which boats with a crew of 4 or more are red?", {"Kite"}),
        ("Which boats have a red hull but no engine?", {"Wren"}),
    ],
)
def test_either_condition_is_enough(question: str, told: set[str]) -> None:
    found = answer(question, HARBOUR)
    assert (set((found.finding.verdict or "").split(", ")), list(found.needs)) == (told, [])


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the shortest boat longer than 8 m?", "Kite"),
        ("What is the longest boat under 12 m?", "Kite"),
        ("Which boat's crew is smaller than 3?", "Moth"),
        ("When was the longest boat launched?", "1979"),
        ("When was the boat with the largest crew launched?", "1979"),
    ],
)
def test_a_measure_may_limit_and_rank_at_once(question: str, told: str) -> None:
    found = answer(question, HARBOUR)
    assert (found.finding.verdict, list(found.needs)) == (told, [])


def test_a_share_of_all_is_not_told_as_a_list() -> None:
    found = answer("What percentage of boats have an engine?", HARBOUR)
    assert (found.finding.verdict, list(found.needs)) == ("60 %", [])


def test_a_label_without_values_ends_no_question() -> None:
    assert answer("Which is the longest boat launched?", HARBOUR).finding.claim


STAGES = book("""# Ridgeway

## Stages

| Stage | From | To | Distance | Hours |
|---|---|---|---|---|
| 1 | Crane Ford | Ashcombe | 14 km | 4.5 |
| 2 | Ashcombe | Dun Mill | 11 km | 3 |
| 3 | Dun Mill | Barrow Top | 17 km | 6 |
""")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which stage ends at Barrow Top?", "Stage 3"),
        ("Which stage has the most hours?", "Stage 3"),
        ("Which stages take more than 4 hours?", "Stage 1, Stage 3"),
        ("What is the distance of stage 2?", "11 km"),
    ],
)
def test_a_row_is_called_by_the_number_that_is_asked_for(question: str, told: str) -> None:
    found = answer(question, STAGES)
    assert (found.finding.verdict, list(found.needs)) == (told, [])


def test_the_number_alone_is_no_answer() -> None:
    assert answer("Where does stage 2 end?", STAGES).needs


HOSTELS = book("""# Hostels

## Ashcombe

- Beds: 24
- Altitude: 210 m
- Open: March to October
- Heating: stove

## Crane Ford

- Beds: 40
- Altitude: 95 m
- Open: all year
- Heating: gas

## Dun Mill

- Beds: 18
- Altitude: 180 m
- Open: April to September
- Heating: gas
""")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which hostels under 200 m have gas heating?", "Crane Ford, Dun Mill"),
        ("Which hostels are above 200 m or open all year?", "Ashcombe, Crane Ford"),
        ("Which hostels are not open all year?", "Ashcombe, Dun Mill"),
    ],
)
def test_a_unit_limits_beside_other_labels(question: str, told: str) -> None:
    found = answer(question, HOSTELS)
    assert (found.finding.verdict, list(found.needs)) == (told, [])


MONITORS = book("""# Monitors

| Feature | L20 | L40 | L40 Pro | L90 |
|---|---|---|---|---|
| Weight | 3.1 kg | 5.4 kg | 5.9 kg | 9.8 kg |
| Power | 18 W | 27 W | 34 W | 61 W |

## Accessories

| Accessory | Fits | Price |
|---|---|---|
| Mount | all models | 39 |
| Clamp | L20, L40, L40 Pro | 59 |
| Hood | L40 Pro, L90 | 79 |
| Cable | all models | 12 |
""")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the weight of the L40?", "5.4 kg"),
        ("Which is heavier, the L40 or the L90?", "L90"),
        ("Which accessories fit the L90?", "Mount, Hood, Cable"),
        ("Which accessories fit the L40?", "Mount, Clamp, Cable"),
        ("How many accessories fit the L40 Pro?", "4"),
    ],
)
def test_a_code_is_a_name_and_what_fits_all_fits_each(question: str, told: str) -> None:
    found = answer(question, MONITORS)
    said = found.finding.verdict or ""
    assert (sorted(said.split(", ")), list(found.needs)) == (sorted(told.split(", ")), [])


@pytest.mark.parametrize(("question", "is_so"), [
    ("Does the mount fit the L20?", "Yes"), ("Does the hood fit the L40?", "No"), ("Does the hood fit the L90?", "Yes"),
])  # fmt: skip
def test_whether_it_fits(question: str, is_so: str) -> None:
    assert answer(question, MONITORS).finding.claim.startswith(is_so)


MACHINES = book("""# Machines

| Instance | vCPU | Memory (GiB) | Price per hour ($) |
|---|---|---|---|
| g2.large | 2 | 8 | 0.084 |
| g2.xlarge | 4 | 16 | 0.168 |
| k3.4xlarge | 16 | 32 | 0.616 |
""")


@pytest.mark.parametrize(
    ("question", "is_told"),
    [
        ("What is the price per hour of g2.large?", True),
        ("What is the price of g2.large?", True),
        ("What is the price per month of g2.large?", False),
        ("What is the memory of g2.large?", True),
    ],
)
def test_a_price_per_hour_is_none_per_month(question: str, is_told: bool) -> None:
    assert is_told is not bool(answer(question, MACHINES).needs)


def test_a_number_of_a_thing_or_another() -> None:
    assert answer("Which instances have 2 vCPUs or 4 vCPUs?", MACHINES).finding.verdict == "g2.large, g2.xlarge"
