"""Columns of data by what a page beside them says that they are."""

from __future__ import annotations

import pytest

from retrieval.tables.dictionaries import described
from retrieval.tables.index import CellIndex
from tests.kit import answer, library

TRIPS = "boat,trips_all,lgth,home\nReed,41,31,Tarn\nRush,12,24,Holm\nSedge,30,28,Holm\n"
ABOUT = """# Ferries

## trips.csv

Each row is a boat.

| Header | Description | Type |
|---|---|---|
| `boat` | Name of the boat | text |
| `trips_all` | Number of crossings made (including those of winter) | number |
| `lgth` | The greatest breadth and length, in metres | number |
| `home` | Where it is kept | text |
"""
PORTS = "port;V01;V02\nTarn;7;9\nHolm;4;5\n"
CODES = 'Code,Text\nV01,"Persons who can swim, 15 to 19 years"\nV02,"Persons who can swim, 20 to 24 years"\n'
LIST = "<h2>ports</h2><dl><dt>depth</dt><dd>Mean draught at low tide (m)</dd><dt>port</dt><dd>Name</dd></dl>"
DEPTHS = "port,depth\nTarn,4\nHolm,6\n"
FERRIES = library({
    "trips.csv": TRIPS, "README.md": ABOUT, "ports.csv": PORTS, "codes.csv": CODES, "depths.csv": DEPTHS,
    "depths.html": LIST,
})  # fmt: skip


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the number of crossings made by the Reed?", "41"),
        ("Number of crossings made of the Rush", "12"),
        ("Persons who can swim, 15 to 19 years, in Holm?", "4"),
        ("What is the draught at low tide of Holm?", "6"),
        ("What are the trips_all of the Sedge?", "30"),
    ],
)
def test_a_column_is_asked_for_by_what_a_page_calls_it(question: str, value: str) -> None:
    told = answer(question, FERRIES)
    assert (value, ()) == (told.finding.verdict, tuple(told.needs))


def test_what_is_called_in_two_ways_or_not_in_every_file_is_called_in_none() -> None:
    other = "ship,trips_all\nWren,7\nRook,8\n"
    own = library({"trips.csv": TRIPS, "README.md": ABOUT, "old/other.csv": other})
    heads = set(CellIndex.build(own.chunks).described.values())

    assert {"lgth", "home"} <= heads
    assert "trips_all" not in heads


def test_a_table_of_a_book_describes_no_columns_of_another() -> None:
    book = "# Boats\n\n| Boat | Reed | Rush |\n|---|---|---|\n| Crew | 4 | 3 |\n"
    rows = "\n# Names\n\n| Name | About |\n|---|---|\n| Reed | Kept at the northern pier |\n| Rush | Kept at home |\n"

    assert [] == list(described(library({"boats.md": book + rows}).chunks))
