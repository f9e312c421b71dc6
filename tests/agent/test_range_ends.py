"""A measure whose two ends have a label each: held against each other, things count by the upper one."""

from __future__ import annotations

from tests.kit import answer, book

PLANTS = book(
    """
# Leek

| key | value |
|-|-|
| height_cm_min | 50 |
| height_cm_max | 80 |
| days | 120 |

# Chard

| key | value |
|-|-|
| height_cm_min | 60 |
| height_cm_max | 70 |
| days | 55 |
"""
)


def test_things_are_compared_by_the_upper_ends_of_their_ranges() -> None:
    told = answer("Which grows taller, leek or chard?", PLANTS)

    assert (told.finding.verdict, ()) == ("leek", told.needs)
    assert "80" in told.finding.claim and "70" in told.finding.claim


def test_the_end_that_is_asked_for_counts() -> None:
    assert answer("Which has the higher minimum height, leek or chard?", PLANTS).finding.verdict == "chard"
