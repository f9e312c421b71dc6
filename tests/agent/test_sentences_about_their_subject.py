"""Whom a sentence is about: what is asked for is no subject, and a line that begins with a name is about it."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

MANUAL = book("""# Rowing club

## Fuel

Fuel is kept in the locked shed.

## Launch

In rough water, you only need 7 litres of fuel for the whole course, and the rest stays ashore.

## Lockers

We ask you to give up lockers in time. This is the notice for a locker:

- For 2 weeks you must give at least 3 days notice
- For 2 months you must give at least 10 days notice

## Hulls

- Weekly - hulls are washed every 7 days, records kept for 1 month
- Monthly - hulls are oiled every 30 days, records kept for 6 months

| Hull part | Rated Temperature Min | Rated Temperature Max | Rated Temperature Unit |
|---|---|---|---|
| Bow cap | 5 | 60 | ℃ |
| Keel | 2 | 45 | ℃ |
""")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How much fuel does a launch need in rough water?", "7 litres"),  # Fuel has a section, and is what is asked
        ("How much notice must I give for 2 months of a locker?", "10 days notice"),  # 2 weeks are another 2
    ],
)
def test_a_sentence_that_tells_every_word_answers(question: str, told: str) -> None:
    found = answer(question, MANUAL)

    assert [] == list(found.needs)
    assert told in found.finding.claim


def test_a_line_that_begins_with_a_name_is_about_it() -> None:
    found = answer("Are the weekly or the monthly hull records kept longer?", MANUAL)

    assert "monthly" == found.finding.verdict


def test_a_unit_beside_its_values_is_no_doubt() -> None:
    found = answer("What is the rated temperature of the keel?", MANUAL)

    assert [] == list(found.needs)
    assert "2" in found.finding.claim
    assert "45" in found.finding.claim
