"""Tables of ticks: the rows have the columns as the columns have the rows."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

LOOMS = book("""# Looms

## Features of the looms

| Feature | Heddle 1 | Heddle 2 | Heddle 2 Pro | Heddle Mini |
|---|---|---|---|---|
| Motor | – | ✓ | ✓ | – |
| Wheels | ✓ | ✓ | ✓ | ✓ |
| Raddle | – | – | ✓ | – |
| CAN bus | ✓ | – | ✓ | – |
""")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which looms have a motor?", "Heddle 2, Heddle 2 Pro"),
        ("Which looms have a CAN bus?", "Heddle 1, Heddle 2 Pro"),
        ("Which looms do not have a motor?", "Heddle 1, Heddle Mini"),
        ("How many looms have a motor?", "2"),
        ("Which loom has a raddle?", "Heddle 2 Pro"),
    ],
)
def test_a_row_of_ticks_chooses_columns(question: str, verdict: str) -> None:
    assert verdict == answer(question, LOOMS).finding.verdict


@pytest.mark.parametrize(
    ("question", "claim"),
    [("Does the Heddle 2 Pro have a raddle?", "Yes: "), ("Does the Heddle 1 have a motor?", "No: ")],
)
def test_a_tick_says_whether_it_is_so(question: str, claim: str) -> None:
    told = answer(question, LOOMS)

    assert not told.needs
    assert told.finding.claim.startswith(claim)
