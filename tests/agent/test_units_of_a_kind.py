"""What the values of a label have units of tells what is asked for of a kind, whatever the label says."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.kit import answer, book

_GATES = """# Canal guide

## Locks

| Lock | {head} | Toll |
|-|-|-|
| High Lock | 31 m | $4 |
| Mill Lock | 12 m | $9 |
| Stone Lock | 45 m | $2 |
| New Lock | 20 m | $6 |
"""


@pytest.mark.parametrize("head", ["Chamber", "Extent", "m", "Rise and run"])
@pytest.mark.parametrize(("question", "told"), [
    ("Which lock is the longest?", {"Stone Lock"}),
    ("Which lock is the shortest?", {"Mill Lock"}),
    ("Which locks are longer than 25 m?", {"High Lock", "Stone Lock"}),
    ("Which lock costs the most?", {"Mill Lock"}),
    ("Which locks cost less than $5?", {"High Lock", "Stone Lock"}),
])  # fmt: skip
def test_a_measure_is_told_by_its_unit(head: str, question: str, told: set[str]) -> None:
    found = answer(question, book(_GATES.format(head=head)))

    assert () == tuple(found.needs)
    assert told == {*str(found.finding.verdict).split(", ")}


@pytest.mark.parametrize(
    "question", ["Which lock is the heaviest?", "Which lock is the oldest?", "Which locks weigh more than 2 t?"]
)
def test_no_unit_of_it_tells_nothing(question: str) -> None:
    assert answer(question, book(_GATES.format(head="Chamber"))).needs


def test_what_is_called_another_measure_is_none() -> None:
    told = book("# Boats\n\n| Boat | Speed |\n|-|-|\n| Reed | 30 ft. |\n| Rush | 50 ft. |\n| Tern | 20 ft. |\n")

    assert answer("Which boat is the longest?", told).needs


def test_from_end_to_end_asks_for_all() -> None:
    days = (
        "# Boats\n\n| Boat | Afloat |\n|-|-|\n| Reed | 5 May 1913 |\n| Rush | 2 June 1890 |\n| Tern | 1 July 1931 |\n"
    )

    assert "Tern" != answer("List the boats from oldest to newest", book(days)).finding.verdict
    assert "Rush" == answer("Which boat is the oldest?", book(days)).finding.verdict


@pytest.mark.parametrize(("question", "total"), [
    ("How many seats do all boats have together?", "15"),
    ("How many seats do the boats have in total?", "15"),
])  # fmt: skip
def test_how_many_all_have_together_is_a_total(question: str, total: str) -> None:
    told = book("# Boats\n\n| Boat | Seats |\n|-|-|\n| Reed | 3 |\n| Rush | 8 |\n| Tern | 4 |\n")

    assert total == answer(question, told).finding.verdict
    assert "3" == answer("How many boats are there in total?", told).finding.claim.split(":")[0]


def _strikes(name: str, rows: Sequence[Sequence[int]]) -> str:
    heads = "<tr><th rowspan=2>Grade</th><th colspan=3>Roll required to strike notch</th></tr>"
    numbers = "<tr><th>2</th><th>3</th><th>4</th></tr>"
    told = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"## {name} strike table\n\n<table>{heads}{numbers}{told}</table>\n\n"


def test_more_of_what_nothing_says_is_not_judged() -> None:
    low, high = [(3, 14, 15, 16), (4, 13, 14, 15)], [(3, 18, 19, 20), (4, 17, 18, 19)]
    told = book("# Strikes\n\n" + _strikes("Miller", low) + _strikes("Smith", high) + _strikes("Glazier", high))

    found = answer("On notch 3, who strikes more easily at grade 4, the miller or the smith?", told)

    assert "smith" not in str(found.finding.verdict).casefold()
