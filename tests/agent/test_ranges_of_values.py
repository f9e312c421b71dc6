"""Ranges among values: their ends are asked for, held against limits, and ranked."""

from __future__ import annotations

import pytest

from agent.reasoning.values.quantities import quantities_of
from tests.kit import answer, book

BOOK = book(
    """# Teas

## 1A. Plain Assam

- Caffeine: 40 – 60 mg
- Steeping: 3–5 min

## 1B. Late Assam

- Caffeine: 30 – 90 mg
- Steeping: 2–4 min

## 2. White Peony

- Caffeine: 15 – 25 mg
- Steeping: 5–8 min
"""
)


def claim(question: str) -> str:
    found = answer(question, BOOK).finding
    assert found is not None
    return found.claim


def test_a_name_behind_the_number_of_its_section_is_a_name() -> None:
    assert "15 – 25 mg" == answer("What caffeine does White Peony have?", BOOK).finding.verdict


def test_a_range_may_be_called_one() -> None:
    assert "40 – 60 mg" == answer("What's the caffeine range of Plain Assam?", BOOK).finding.verdict


def test_the_highest_of_overlapping_ranges_is_that_which_reaches_highest() -> None:
    found = answer("Which tea has the highest caffeine?", BOOK).finding

    assert "1B. Late Assam" == found.verdict
    assert "assumed: ranges count by their upper ends" in [step.text for step in found.steps]


def test_two_ranges_of_which_one_lies_in_the_other_are_not_judged_by_a_comparative() -> None:
    assert answer("Which has more caffeine, Plain Assam or Late Assam?", BOOK).finding.verdict is None


def test_how_two_compare_asks_for_their_values() -> None:
    assert "Plain Assam 3–5 min, White Peony 5–8 min." == claim(
        "How do Plain Assam and White Peony compare in steeping?"
    )


def test_how_wide_a_range_is_is_not_told_by_its_ends_alone() -> None:
    assert answer("How wide is the caffeine range of Plain Assam?", BOOK).needs


@pytest.mark.parametrize("text", ["1.1/5 g", "1+9/3k", "684d02x 948", "3.0/2+.+0"])
def test_what_nobody_can_read_as_an_amount_does_no_harm(text: str) -> None:
    assert quantities_of([text]) is None or quantities_of([text])
