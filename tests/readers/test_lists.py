"""What stands below an item of a list is told of that item."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.ingest.read import read_sources
from retrieval.types import Chunk, Table
from tests.kit import answer, book_of

STOPS = """\
# The northern tour

## Stops

*   **Reed House (Kiel)**:
    *   **Nights**: 2
    *   **Price**: 232 Mark
*   **Lodge Sedge** [quiet]
    *   *Price*: **90 Mark** a night
    *   *Way*: on foot
*   **Ferry**: the Rush
    *   **Depart**: 9:00
        *   **Check-in**: 8:15
    *   **Arrive**: 10:30
*   **Money**: bring *coins*
"""


def read(text: str, tmp_path: Path) -> list[Chunk]:
    path = tmp_path / "tour.md"
    path.write_text(text, encoding="utf-8")
    return list(read_sources([path]).chunks)


def records(text: str, tmp_path: Path) -> dict[str, tuple[tuple[str, ...], ...]]:
    tables: list[Table] = [table for chunk in read(text, tmp_path) for table in chunk.tables]
    return {table.caption: table.rows for table in tables}


def test_labels_below_an_item_are_told_of_it(tmp_path: Path) -> None:
    assert {
        "": (("Lodge Sedge", "[quiet]"), ("Ferry", "the Rush"), ("Money", "bring coins")),
        "Reed House (Kiel)": (("Nights", "2"), ("Price", "232 Mark")),
        "Lodge Sedge": (("Price", "90 Mark a night"), ("Way", "on foot")),
        "Ferry": (("Depart", "9:00"), ("Arrive", "10:30")),
        "Ferry: Depart": (("Check-in", "8:15"),),
    } == records(STOPS, tmp_path)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the price of the Reed House?", "232 Mark"),
        ("Price of Lodge Sedge?", "90 Mark a night"),
        ("When does the ferry arrive?", "10:30"),
    ],
)
def test_who_asks_for_the_item_is_told_its_value(question: str, value: str, tmp_path: Path) -> None:
    assert value == answer(question, book_of(read(STOPS, tmp_path))).finding.verdict


def test_below_a_sentence_labels_are_of_what_the_list_is_about(tmp_path: Path) -> None:
    text = "# Reed\n\n- It is a boat that was built in Kiel for us.\n    - Crew: 3\n    - Fee: 5 Mark\n    - Speed: 9 kn\n"

    assert {"": (("Crew", "3"), ("Fee", "5 Mark"), ("Speed", "9 kn"))} == records(text, tmp_path)
