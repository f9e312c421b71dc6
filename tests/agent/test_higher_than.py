"""*Higher* is said of every amount; alone, it is said of the height that a collection has."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

MASTS = """\
# Masts

| Mast | Height (m) | Stays | Fee |
|---|---|---|---|
| Fore | 17.0 | 4 | 9 p |
| Main | 21.5 | 6 | 5 p |
| Mizzen | 12.5 | 8 | 7 p |
"""


@pytest.mark.parametrize(
    ("question", "mast"),
    [
        ("Which mast is higher, Fore or Main?", "Main"),
        ("Which mast is the highest?", "Main"),
        ("Which mast is the lowest?", "Mizzen"),
        ("Which mast is lower, Fore or Mizzen?", "Mizzen"),
        ("Which mast has the higher fee, Fore or Main?", "Fore"),
        ("Which mast has the highest fee?", "Fore"),
    ],
)
def test_what_is_higher_has_the_greater_height(question: str, mast: str) -> None:
    finding = answer(question, book(MASTS)).finding
    assert finding is not None
    assert finding.verdict == mast


@pytest.mark.parametrize(
    "question", ["Which mast has the higher toll, Fore or Main?", "Which mast has the highest price of oak?"]
)
def test_another_measure_that_is_missing_is_no_height(question: str) -> None:
    reasoned = answer(question, book(MASTS))
    assert reasoned.finding is None or not reasoned.finding.verdict or reasoned.needs
