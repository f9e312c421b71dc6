"""What stands in the lines of a cell, label by label, are columns of the table."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

BOATS = book("""# Boats

| Boat  | Facts                                     | Remarks          |
|-------|-------------------------------------------|------------------|
| Reed  | Length: 9 m<br>Port: Hull<br>**Crew:** 3  | Leaks.<br>Often. |
| Sedge | Length: 12 m<br/>Port: York<br />Crew: 8  | Note: is sold    |
| Rush  | Length: 7 m<br>Port: Hull                 |                  |
""")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the length of the Sedge?", "12 m"),
        ("Which boat has the largest crew?", "Sedge"),
        ("How many boats have Hull as their port?", "2"),
    ],
)
def test_lines_of_labels_are_columns(question: str, told: str) -> None:
    said = answer(question, BOATS)

    assert told in said.finding.claim
    assert not said.needs


def test_other_lines_stay_a_cell() -> None:
    [table] = [table for chunk in BOATS.chunks for table in chunk.tables]

    assert ["Boat", "Length", "Port", "Crew", "Remarks"] == [path[-1] for path in table.columns]
    assert ("Reed", "9 m", "Hull", "3", "Leaks. Often.") == table.rows[0]
