"""The questions that anybody asks of a table first, each in one plain wording, over one book of no game.

Each case is the only reason for some rule of reading: a rule that neither a case here nor another test needs may go.
"""

from __future__ import annotations

import pytest

from agent.reasoning.execution.execute import execute
from agent.types import Finding
from tests.kit import book

YARD = book(
    """\
# Boats of the yard

| Boat | Length | Weight (kg) | Galley | Sail | Built | Note |
|---|---|---|---|---|---|---|
| Heron | 9 m | 3,000 | yes | gaff | 1978 | wooden |
| Curlew | 11 m | 4,200 | no | lug | 1990 | steel |
| Tern | 7 m | 1,900 | yes | gaff | 2003 | wooden |
| Avocet | 6 m | 900 | no | lug | 1965 | sank 1999 |

# Apprentices

| Grade | Months | Knots | Splices |
|---|---|---|---|
| 1 | 0 | 30% | 10% |
| 2 | 15 | 40% | 20% |
| 3 | 30 | 50% | 35% |
| 4 | 60 | 55% | 50% |

# Tools

| Tool | Blade | Price (crowns) |
|---|---|---|
| Adze | 12 cm | 3 |
| Gouge | 4 cm | 2 |
| Drawknife | 25 cm | 8 |
"""
)


def told(question: str) -> Finding:
    """What the cells alone say of a question."""
    bound = YARD.binder.bind_by_words(question)
    assert bound is not None
    reasoned = execute(bound, YARD.chunks)
    assert reasoned is not None and not reasoned.needs
    return reasoned.finding


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("How long is the Heron?", "9 m"),
        ("How heavy is one Heron?", "3,000"),
        ("When was the Tern built?", "2003"),
        ("What is the price of a gouge?", "2"),
        ("What does a drawknife cost?", "8"),
        ("How many knots does grade 3 ask for?", "50%"),
        ("What is the share of splices of a grade 4 apprentice?", "50%"),
    ],
)
def test_a_value_of_one_thing(question: str, verdict: str) -> None:
    assert verdict == told(question).verdict


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which of the two is heavier, the Heron or the Curlew?", "Curlew"),
        ("Is the Heron longer than the Tern?", "Heron"),
        ("Which is longer, the Heron or the Tern, and by how much?", "2 m"),
        ("How much longer is the Heron than the Tern?", "2 m"),
        ("What is the total weight of the Heron and the Tern?", "4,900"),
    ],
)
def test_two_held_against_each_other(question: str, verdict: str) -> None:
    assert verdict == told(question).verdict


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which tool is the cheapest?", "Gouge"),
        ("Which is the second longest boat?", "Heron"),
        ("Which two boats are the longest?", "Curlew, Heron"),
        ("Which boat with a gaff sail is the longest?", "Heron"),
        ("Which wooden boat is heaviest?", "Heron"),
    ],
)
def test_the_best_of_a_kind(question: str, verdict: str) -> None:
    assert verdict == told(question).verdict


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which boats have a galley?", "Heron, Tern"),
        ("Which boats have no galley?", "Curlew, Avocet"),
        ("How many boats have a galley?", "2"),
        ("Which boats are wooden?", "Heron, Tern"),
        ("Which boats are not wooden?", "Curlew, Avocet"),
        ("List all boats with lug sails.", "Curlew, Avocet"),
        ("Which boats do not have a gaff sail?", "Curlew, Avocet"),
        ("Which boats are longer than 8 m?", "Heron, Curlew"),
        ("Which boats are not longer than 8 m?", "Tern, Avocet"),
        ("Which boats weigh less than 2,000 kg?", "Tern, Avocet"),
        ("Which boats were built in 1978?", "Heron"),
        ("Which boats are wooden and longer than 8 m?", "Heron"),
        ("How many tools cost more than 2 crowns?", "2"),
        ("How many boats sank?", "1"),
    ],
)
def test_those_of_a_kind_that_meet_a_condition(question: str, verdict: str) -> None:
    assert verdict == told(question).verdict


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("At what grade does an apprentice reach 30 months?", "3"),
        ("Which grade has 50% splices?", "4"),
    ],
)
def test_the_row_of_a_value(question: str, verdict: str) -> None:
    assert verdict == told(question).verdict


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What are the splices at grades 2 and 3?", ["20%", "35%"]),
        ("What are the splices at grades 2 and 4?", ["20%", "50%"]),
    ],
)
def test_each_of_two_rows(question: str, expected: list[str]) -> None:
    values = told(question).values["values"]
    assert isinstance(values, list)
    assert expected == [value["value"] for value in values]


@pytest.mark.parametrize(
    "question",
    [
        "Which boats leak?",
        "Which wooden boats leak?",
        "How many wooden boats leak?",
        "How long are boats 2 and 3?",
        "What are the splices at grade 7?",
    ],
)
def test_what_no_cell_tells_is_not_told(question: str) -> None:
    assert YARD.binder.bind_by_words(question) is None
