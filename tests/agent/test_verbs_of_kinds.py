"""What is asked of a kind with verbs, particles and words that select nothing: they are no part of its name."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

QUAYS = book("""# Harbour Guide

## Winter quays

| Quay | Berths | Toll | Crane |
|---|---|---|---|
| Elm Quay | 40 | $12 | steam |
| Fern Quay | 25 | $9 | hand |
| Gull Quay | 60 | $30 | steam |
| Holm Quay | 10 | $11 | none |

## Hire of gear

| Hire | Fee |
|---|---|
| Drop net | $4 |
| Rope | $1 |
| Model ship | $8 |

## Salted hides

| Beast | Hides |
|---|---|
| Ox | 3 |
| Seal | 1 |

## Boats for hire

| Name | Engine | Berths |
|---|---|---|
| Tern A | diesel | 2 |
| Tern B | steam | 4 |
| Tern C | diesel | 6 |
| Rook A | diesel | 9 |
""")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which winter quay can drop the most berths?", "Gull Quay"),
        ("Which winter quay allows the most berths?", "Gull Quay"),
        ("Which winter quay uses up the most berths?", "Gull Quay"),
        ("How many different winter quays have a steam crane?", "2"),
        ("How many Tern models have a diesel engine?", "2"),
    ],
)
def test_a_verb_beside_a_kind_is_no_part_of_it(question: str, told: str) -> None:
    reasoned = answer(question, QUAYS)

    assert (told, ()) == (reasoned.finding.verdict, reasoned.needs)


def test_a_verb_that_alone_would_say_what_is_so_leaves_a_list_in_doubt() -> None:
    reasoned = answer("Which beasts drop salted hides?", QUAYS)

    assert {"Ox", "Seal"} == {value["name"] for value in reasoned.finding.values["values"]}
    assert ["whether these are what drop means"] == [need.need for need in reasoned.needs]


CREWS = book("""# Ferry Guide

## Steam Ferry Safety

| Company | Mishaps | Fee |
|---|---|---|
| Ash Line | 3 | $100 |
| Birch Line | 1 | $40 |
| Cedar Line | 7 | $100 |

## Launch fees

| Item | Fee |
|---|---|
| Slip | $100 |
| Crane | $15 |
| Tug | $100 |

## Tolls

| Item | Fee |
|---|---|
| Barge | $7 |
| Punt | $2 |

## Old tolls

| Item | Fee |
|---|---|
| Raft | $7 |
| Cog | $9 |

## Sheds

### Grey Shed

Data on the doors of the shed, a list of a part.

| Door | Width |
|---|---|
| North | 4 m |
| South | 2 m |

### Red Shed

| Door | Width |
|---|---|
| North | 5 m |
| East | 3 m |
""")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How many companies are in the steam ferry safety data?", "3"),
        ("In the launch fees part of the guide, how many items cost $100?", "2"),
    ],
)
def test_where_something_stands_and_money_by_its_sign(question: str, told: str) -> None:
    reasoned = answer(question, CREWS)

    assert (told, ()) == (reasoned.finding.verdict, reasoned.needs)


def test_a_table_that_is_called_just_so_comes_before_one_with_more_to_its_name() -> None:
    reasoned = answer("Which tolls cost $7?", CREWS)

    assert {"Barge"} == {value["name"] for value in reasoned.finding.values["values"]}
    assert ["whether these are what toll means"] == [need.need for need in reasoned.needs]
    assert ("Punt", ()) == ((best := answer("Which is the cheapest of the tolls?", CREWS)).finding.verdict, best.needs)


@pytest.mark.parametrize(
    ("question", "told", "open_"),
    [
        ("Which winter quays come with a mighty crane?", "Elm Quay, Fern Quay, Gull Quay", "mighty"),
        ("Which winter quays come without a mighty crane?", "Holm Quay", "mighty"),
    ],
)
def test_a_word_that_is_known_for_nothing_leaves_a_doubt(question: str, told: str, open_: str) -> None:
    reasoned = answer(question, QUAYS)

    assert told == reasoned.finding.verdict
    assert [f"whether these are what {open_} means"] == [need.need for need in reasoned.needs]


def test_of_whom_it_is_doubtful_the_number_is_not_told() -> None:
    assert QUAYS.binder.bind_by_words("How many beasts drop salted hides?") is None
