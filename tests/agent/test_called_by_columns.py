"""What the columns of a collection call its things, and small conditions in words."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

MUSEUM = book("""# Clocks

## Bracket clock

- Accession number: 1911.34
- Material: ebony, brass
- Acquired: 1911, gift of the Lowe family
- Height: 46 cm

## Pocket sundial

- Accession number: 1938.7
- Material: silver
- Acquired: 1938, bought at auction
- Height: 2 cm

## Brass orrery

- Accession number: 1964.112
- Material: brass, mahogany
- Acquired: 1964, gift of the Lowe family
- Height: 61 cm

# Loans

| Loan | Object | Borrower |
|-|-|-|
| L-1 | Bracket clock | Holt Observatory |
| L-2 | Brass orrery | City Gallery |

# Blades

| Blade | Two-handed | Edge | Price |
|-|-|-|-|
| Bill hook | ✓ | single | 9 (7 used) |
| Falchion | | single | 8 |
| Greatsword | ✓ | double edge | 55 |

# Error codes

| Code | Meaning | Retry |
|-|-|-|
| E12 | Queue full | yes |
| E17 | Too large | no |

# Routes

| Route | From | To |
|-|-|-|
| 12 | Skerry Bay | Olsness |
| 14 | Skerry Bay | Hamna |
| 21 | Olsness | Tarrow |
""")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which object has the accession number 1938.7?", "Pocket sundial"),
        ("Which objects were given by the Lowe family?", "Bracket clock, Brass orrery"),
        ("How many blades are two-handed?", "2"),
        ("Which blades cost more than 8 coins?", "Bill hook, Greatsword"),
        ("Which of the three blades is the cheapest?", "Falchion"),
        ("Which error codes can be retried?", "E12"),
        ("What does the error code E17 mean?", "Too large"),
    ],
)
def test_a_thing_is_called_as_a_column_calls_it(question: str, verdict: str) -> None:
    told = answer(question, MUSEUM)

    assert verdict in (told.finding.verdict or "")
    assert not told.needs


def test_several_are_asked_for_and_told() -> None:
    told = answer("Which routes start from Skerry Bay?", MUSEUM)

    assert all(route in told.finding.claim for route in ("12", "14"))
    assert not told.needs


@pytest.mark.parametrize(
    "question", ["Which blades cost more than 8 miles?", "Which of the five blades is the cheapest?"]
)
def test_another_unit_or_number_stays_open(question: str) -> None:
    assert answer(question, MUSEUM).needs


def test_a_sentence_in_a_cell_counts_nothing() -> None:
    rows = "| Works | Your lanterns need two hoods to snuff |\n| Pit | Light is free |\n"
    cards = book(f"# Cards\n\n| Card | Effect |\n|-|-|\n{rows}")

    assert answer("How many cards carry a hood?", cards).needs
