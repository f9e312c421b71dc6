"""A table that is called by its whole name: the rows of others do not count, even of those in a section of that name."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

GOODS = book("""# Rope goods

##### Table: Hull Rope Goods

| Name | Price | Weight |
|---|---|---|
| Hawser | 30 | 9 kg |
| Warp | 12 | 4 kg |
| Line | 3 | 1 kg |

## Hire

##### Table: Hull Hire

| Name | Price | Weight |
|---|---|---|
| Tow of a day | 90 | 40 kg |
| Buoy | 8 | 25 kg |
| Fender | 2 | 5 kg |
""")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which of the Hull rope goods has the highest weight?", "Hawser"),
        ("What is the highest price in the Hull rope goods?", "Hawser"),
        ("How many of the Hull rope goods cost more than 5?", "2"),
        ("Which of the Hull hire has the highest weight?", "Tow of a day"),
        ("Which of the rope goods has the highest weight?", "Tow of a day"),
    ],
)
def test_only_the_rows_of_the_table_count(question: str, verdict: str) -> None:
    assert verdict == answer(question, GOODS).finding.verdict
