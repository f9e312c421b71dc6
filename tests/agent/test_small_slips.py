"""Questions in easy words that were read wrong: their verbs, dotted names, ordinals, letters and doses."""

from __future__ import annotations

import pytest

from tests.kit import Book, answer, book

FLEET = book("""# Fleet

## Eider

- **Builder:** Orrin Yard
- **Length:** 12.5 m

## Fearnley

- **Builder:** Nakskov Dock
- **Length:** 171.9 m

## Voyages

| Voyage | Ship | Days |
|-|-|-|
| I | Eider | 92 |
| II | Eider | 77 |
| III | Fearnley | 19 |

## Prices in Oslo

| Berth | Price per night |
|-|-|
| c.large | 17 |
| c.small | 5 |
| m.large | 22 |

## Prices in Bergen

| Berth | Price per night |
|-|-|
| c.large | 15 |
| c.small | 6 |
| m.large | 21 |
""")
DOSES = book("""# Pradelin

## Doses

| Condition | Dose | How often | Duration |
|-|-|-|-|
| Asthma | 40 mg | once a day | 7 days |
| Gout | 30 mg | once a day | 5 days |

## Meals

| Drug | Take with food |
|-|-|
| Dorvasil | Either |
| Ibrafen | Yes |
| Nuvocil | No |
""")
SPELLS = book("""# Spells

##### All Lesser Spells (Tier 1)

| Spell | Cost |
|-|-|
| Spark | 1 |
| Gust | 2 |

##### All Greater Spells (Tier 3)

| Spell | Cost |
|-|-|
| Inferno | 7 |
| Tempest | 8 |
| Silence | 6 |
""")
LINE = book("""# The line

The line opened in 1888. Its longest tunnel, the Raven Tunnel, is 1.9 km long. The catalogue was begun by Henrike Aske.
""")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Who built the Fearnley?", "Nakskov Dock"),
        ("How many voyages did the Eider make?", "2"),
        ("Is c.large cheaper in Oslo or in Bergen?", "Prices in Bergen"),
        ("How much more does m.large cost in Oslo than in Bergen?", "1"),
    ],
)
def test_verbs_and_dotted_names(question: str, verdict: str) -> None:
    assert verdict == answer(question, FLEET).finding.verdict


def test_two_measures_of_one_row_are_both_told() -> None:
    claim = answer("What are the dose and the duration of Pradelin for gout?", DOSES).finding.claim

    assert "30 mg" in claim
    assert "5 days" in claim


def test_either_is_no_yes() -> None:
    assert "Ibrafen" == answer("Which drugs must be taken with food?", DOSES).finding.verdict


@pytest.mark.parametrize(
    ("question", "verdict"),
    [("How many Tier 3 spells are there?", "3"), ("Which Tier 3 spell has the highest cost?", "Tempest")],
)
def test_the_number_of_a_table_is_no_value(question: str, verdict: str) -> None:
    assert verdict == answer(question, SPELLS).finding.verdict


@pytest.mark.parametrize(
    ("question", "told"),
    [("How long is the Raven Tunnel?", "1.9 km"), ("Who began the catalogue?", "Henrike Aske")],
)
def test_sentences(question: str, told: str) -> None:
    reasoned = answer(question, LINE)

    assert not reasoned.needs
    assert told in reasoned.finding.claim


MUSEUM = book("""# Jars

## Blue dragon jar

- **Accession number:** 1902.5
- **Material:** porcelain
- **Made:** about 1610

## Station clock

- **Accession number:** 1911.2
- **Material:** oak
- **Made:** 1897
""")
COURSES = book("""# Courses

| Drug | Longest course (days) |
|-|-|
| Dormitol | 1 |
| Pruvicel | 28 |
| Vermizan | 1 |

## Modes

| Mode | Text size |
|-|-|
| 0 | 80x60 |
| 1 | 80x30 |
| 11 | 20x15 |

## Services

| Service | Price |
|-|-|
| Test a meter | £62.50 |
| Reconnect a supply | £39.00 |
""")


@pytest.mark.parametrize(
    ("question", "shelf"),
    [
        ("Who made the blue dragon jar?", MUSEUM),
        ("What is the lowest mode resolution?", COURSES),
    ],
)
def test_what_is_not_told_is_not_made_up(question: str, shelf: Book) -> None:
    assert answer(question, shelf).needs


def test_a_sum_is_of_both() -> None:
    told = answer("What do testing a meter and reconnecting a supply cost together?", COURSES)

    assert told.needs or "101.5" in told.finding.claim


def test_a_one_is_no_yes_in_a_column_of_days() -> None:
    told = answer("Which drug has the longest course?", COURSES)

    assert told.needs or "Pruvicel" == told.finding.verdict
