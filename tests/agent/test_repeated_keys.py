"""Rows that have the key of the row above: by a mark, by its name, or by nothing at all."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

KILNS = """# Kilns

| Kiln | Burner | Gain | Heat |
|---|---|---|---|
| Clinker | 1 | 14 | 900 |
| {mark} | 2 | 17 | 950 |
| {mark} | 3 | 19 | 970 |
| Ember | 1 | 11 | 800 |
| Scoria | 1 | 12 | 850 |
| {mark} | 2 | 15 | 870 |
"""


@pytest.mark.parametrize("mark", ["...", "…", '"', "″", "〃", ""])
def test_a_row_without_a_key_of_its_own_has_that_of_the_row_above(mark: str) -> None:
    kilns = book(KILNS.format(mark=mark))
    assert "17" == answer("What is the gain of burner 2 of the Clinker?", kilns).finding.verdict
    assert "Clinker has the highest Gain: 19" in answer("Which kiln has the highest gain?", kilns).finding.claim
    several = answer("What is the gain of the Clinker?", kilns).finding
    assert several.is_doubted
    assert all(value in several.claim for value in ("14", "17", "19"))


@pytest.mark.parametrize(
    "rows",
    [
        ["| Clinker | 14 | 900 |", "| ... | ... | ... |", "| Ember | 11 | 800 |"],
        ["| Clinker | 14 | 900 |", "| | | with its lid |", "| Ember | 11 | 800 |"],
        ["| Clinker | 14 | 900 |", "| | 15 | 950 |", "| | 16 | 970 |"],
    ],
    ids=["rows left out", "a line that goes on", "a list that ends"],
)
def test_a_row_of_marks_or_with_gaps_has_no_key(rows: list[str]) -> None:
    kilns = book("\n".join(["# Kilns", "", "| Kiln | Gain | Heat |", "|---|---|---|", *rows]))
    assert "14" == answer("What is the gain of the Clinker?", kilns).finding.verdict
