"""A label that has only some words of a measure in the question is another measure."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

STOCK = book("""# Stock

| Substance | Formula | Melting point (°C) | Boiling point (°C) | Density |
|-|-|-|-|-|
| Acetone | C3H6O | -94.7 | 56.1 | 0.784 |
| Urea | CH4N2O | 133.0 | | 1.32 |
| Toluene | C7H8 | -95.0 | 110.6 | 0.867 |
""")


@pytest.mark.parametrize(
    "question",
    [
        "What is the boiling point of urea?",
        "Which has the higher boiling point, urea or acetone?",
        "Is the boiling point of urea above 100?",
    ],
)
def test_an_empty_cell_is_not_replaced_by_its_neighbour(question: str) -> None:
    told = answer(question, STOCK)

    assert told.needs
    assert "133" not in told.finding.claim


def test_what_has_both_is_told() -> None:
    assert "110.6" == answer("What is the boiling point of toluene?", STOCK).finding.verdict
    assert "Acetone" not in (
        answer("Which has the higher boiling point, toluene or acetone?", STOCK).finding.verdict or ""
    )
