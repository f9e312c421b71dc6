"""Labels of initials that the collection explains in its prose, asked for by these words, or by others for them."""

from __future__ import annotations

import pytest

from tests.kit import answer, book, library

SHIP = """# {name}

A ship of the northern line.

LW: {length} m
GRT: {tons}
ICC: {cargo}
FCC: {left}
"""
ABOUT = """# About

The sheets tell the Length at Waterline (LW), the size in gross register tons (GRT), the Initial Coal Charge (ICC)
and the Final Coal Charge (FCC) of each ship.
"""
ROWS = (("Heron", "31 - 40", 210, 90, 12), ("Plover", "28 - 36", 260, 70, 9), ("Tern", "19 - 22", 80, 30, 4))
KEYS = ("name", "length", "tons", "cargo", "left")
PAGES = {f"{row[0].lower()}.md": SHIP.format(**dict(zip(KEYS, row, strict=True))) for row in ROWS}
SHIPS = library({**PAGES, "about.md": ABOUT})


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("What is the final coal charge of the Heron?", "12"),
        ("starting charge of the Plover", "70"),
        ("How much length does the Tern have?", "19 - 22 m"),
        ("Which has more length, the Heron or the Plover?", "Heron"),
        ("Which ship has the most length?", "Heron"),
    ],
)
def test_a_label_of_initials_is_told_by_what_the_book_explains_it_with(question: str, verdict: str) -> None:
    told = answer(question, SHIPS)
    assert (verdict, ()) == (told.finding.verdict, tuple(told.needs))


def test_what_may_be_two_labels_is_none() -> None:
    told = answer("How much charge does the Plover have?", SHIPS)
    assert told.finding is None or told.needs


TANKS = """# Water

| Boat | Water tank |
|---|---|
| Otter | Oak cask, 40 l |
| Stoat | 24 bottles, 900 l (2 m high) |
| Marten | 120 l, removable |
"""


def test_values_are_compared_in_the_unit_that_all_have() -> None:
    told = answer("Which has the biggest water tank: Otter, Stoat or Marten?", book(TANKS))
    assert ("Stoat", ()) == (told.finding.verdict, tuple(told.needs))


LINKS = """# Radio links

| Radio link | Data rate | Coding rate |
|---|---|---|
| Short | 21 kbps | 4/5 |
| Middle | 9 kbps | 4/5 |
| Long | 2 kbps | 4/8 |
"""


FEES = """# Ports

**Mooring of ships by harbour, fiscal year 2023**

| Harbour | Ships moored | Fees paid |
|---|---|---|
| Cork | 153 | 312 |
| Dover | 590 | 472 |

## Keys of the old lock

| Gate | Gate code |
|---|---|
| North | 4614 |
| South | 5565 |
"""


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("How many ships were moored in Cork in FY 2023?", "153"),
        ("What first four digits does the code of the North gate have?", "4614"),
    ],
)
def test_initials_before_a_number_and_what_a_value_is_made_of(question: str, verdict: str) -> None:
    told = answer(question, book(FEES))
    assert (verdict, ()) == (told.finding.verdict, tuple(told.needs))


def test_another_fiscal_year_is_not_told() -> None:
    told = answer("How many ships were moored in Cork in FY 2022?", book(FEES))
    assert told.finding is None or told.needs or told.finding.verdict != "153"
