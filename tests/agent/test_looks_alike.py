"""What is taken for something that it only looks like: a sum for one of its kind, a word for initials."""

from __future__ import annotations

from tests.kit import answer, book

REGATTA = book(
    """# Regatta

## Costs of the summer race

| Item | Cost per boat |
|---|---|
| Mooring | 40 |
| Paint | 95 |
| Sails | 310 |
| Total | 445 |

## Drain of the beacon

- GPS on: 30 mA
- Lamp on: 12 mA
"""
)


def test_the_sum_of_all_is_not_the_highest_of_them() -> None:
    found = answer("What was the biggest cost per boat of the summer race?", REGATTA)

    assert found.finding is not None
    assert "Sails" == found.finding.verdict


def test_a_word_of_the_language_is_the_initials_of_nothing() -> None:
    found = answer("Can I go swimming with the beacon?", REGATTA)

    assert found.finding is None or found.finding.verdict != "30 mA"
