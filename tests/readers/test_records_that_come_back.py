"""Tables of labels and values without any mark are told by the labels that come back in several of them."""

from __future__ import annotations

import pytest

from tests.kit import Book, answer, book

_LABELS = ("Length", "Built", "Crew", "Home port", "Harbour fee", "Sails")
_FACTS = {
    "Reed": ("9 m", "1912", "3", "Hull", "40 crowns", "2"),
    "Sedge": ("12 m", "1931", "8", "York", "75 crowns", "5"),
    "Rush": ("7 m", "1898", "2", "Hull", "25 crowns", "1"),
    "Tern": ("15 m", "1904", "11", "Leith", "90 crowns", "4"),
}


def harbour(pairs: int, *, has_heads: bool) -> Book:
    """A table for each boat, with some pairs to a row; its first row stands where heads do, or blanks stand there."""
    told = []
    for name, values in _FACTS.items():
        rows = [
            "| " + " | ".join(f"{_LABELS[at]} | {values[at]}" for at in range(first, first + pairs)) + " |"
            for first in range(0, len(_LABELS), pairs)
        ]
        heads = rows[:1] if has_heads else ["|" + " |" * 2 * pairs]
        told.append("\n".join([f"## {name}\n", *heads, "|" + "---|" * 2 * pairs, *rows[has_heads:], ""]))
    return book("# Boats\n\n" + "\n".join(told))


@pytest.mark.parametrize("boats", [harbour(1, has_heads=True), harbour(2, has_heads=False), harbour(2, has_heads=True)])
@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the length of the Tern?", "15 m"),
        ("What is the home port of the Sedge?", "York"),
        ("Which has the higher harbour fee, the Reed or the Sedge?", "Sedge"),
        ("How many boats have Hull as their home port?", "2"),
    ],
)
def test_labels_that_come_back_make_records(question: str, told: str, boats: Book) -> None:
    said = answer(question, boats)

    assert told in said.finding.claim
    assert not said.needs


def test_tables_of_one_measure_each_are_no_records() -> None:
    lists = [
        f"## {label}\n\n| Boat | {label} |\n|---|---|\n"
        + "\n".join(f"| {name} | {values[at]} |" for name, values in _FACTS.items())
        for at, label in enumerate(_LABELS)
    ]
    boats = book("# Boats\n\n" + "\n\n".join(lists))

    assert [] == [chunk.title for chunk in boats.chunks if any(table.is_record for table in chunk.tables)]


def test_the_same_table_of_several_years_is_no_record() -> None:
    years = [
        f"## {year}\n\n| Boat | Fee | Port | Crew |\n|---|---|---|---|\n"
        + "\n".join(f"| {name} | {fee + year} crowns | {port} | few |" for name, (fee, port) in _BY_YEAR.items())
        for year in (1901, 1902, 1903)
    ]

    found = [table for chunk in book("# Boats\n\n" + "\n\n".join(years)).chunks for table in chunk.tables]

    assert {4} == {len(table.columns) for table in found}


_BY_YEAR = {"Reed": (1, "Hull"), "Sedge": (5, "York"), "Rush": (9, "Leith")}
