"""Questions whose answer is computed from plainer questions: shares, tallies, amounts, spans, orders."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

BOATS = book("""# Boats

| Boat | Length (m) | Weight (kg) | Built | Colour | Port | Crane | Hire per day (€) |
|---|---|---|---|---|---|---|---|
| Kite | 8.2 | 2,100 | 1998 | red | Hull | yes | 120 |
| Tern | 11.5 | 3,400 | 2005 | blue | York | no | 180 |
| Reed | 6.4 | 1,250 | 2011 | red | Hull | no | 75 |
| Rush | 9.1 | 2,800 | 1987 | green | Wick | yes | 140 |
| Sedge | 14.0 | 5,600 | 2016 | blue | Wick | yes | 260 |
| Wren | 5.2 | 900 | 2020 | white | Hull | no | 60 |
| Heron | 12.3 | 4,100 | 1993 | blue | York | yes | 210 |

## Moorings

| Port | Fee per night (€) | Depth (m) | Visits 2023 | Visits 2024 |
|---|---|---|---|---|
| Hull | 12.50 | 3.2 | 410 | 455 |
| York | 9.80 | 2.1 | 120 | 98 |
| Wick | 15.00 | 4.5 | 300 | 333 |
""")
NUMBERS = {
    "What percentage of boats have a crane?": "57.14 %",
    "How many percent of the boats belong to Hull?": "42.86 %",
    "By how many percent did the visits to Hull rise from 2023 to 2024?": "10.98 %",
    "What do two nights at Wick cost?": "30",
    "How much are 5 days with the Tern?": "900",
    "What is the cost of 4 nights in Hull?": "50",
    "I have 300 €, how many days can I hire the Wren?": "5",
    "What is the weight per metre of the Kite?": "256.1",
    "What do the Reed and two Wrens cost per day?": "195",
    "How old was the Kite in 2010?": "12",
    "How many years after the Kite was the Reed built?": "13",
    "How much longer is the longest boat than the shortest?": "8.8",
    "What is the difference between the heaviest and the lightest boat?": "4,700",
    "What is the median length of the boats?": "9.1",
    "How many boats are there altogether?": "7",
    "What do the Kite and the Reed cost together per day?": "195",
    "How many times as heavy as the Wren is the Heron?": "4.56",
}
MEMBERS = {
    "Which port has the most boats?": "Hull",
    "What is the most common colour of the boats?": "blue",
    "Which port has the highest average boat length?": "York",
    "Which boat is closest to 10 m long?": "Rush",
    "Which boats share a port with the Tern?": "Heron",
    "List the boats with the same port as the Sedge.": "Rush",
    "Which boats are neither red nor blue?": "Rush, Wren",
    "Among the boats from Wick, which is the longest?": "Sedge",
    "Is the Kite red or green?": "red",
    "Do all blue boats have a crane?": "No",
    "List the boats from longest to shortest.": "Sedge, Heron, Tern, Rush, Kite, Reed, Wren",
    "Which boats are blue or belong to Wick?": "Tern, Sedge, Heron, Rush",
    "Which boats lie in York or cost less than 70 a day?": "Tern, Heron, Wren",
    "Which boats belong to Hull or to York?": "Kite, Reed, Wren, Tern, Heron",
    "Name a boat that is longer than 12 m.": "Sedge, Heron",
    "Which boats were built in the year 1998?": "Kite",
}
BOTH = {
    "How long is the Kite and is it red?": "Kite: 8.2 (Length (m)); Kite: red (Colour)",
    "What colour is the Kite and what colour is the Tern?": "colour: red (Kite); colour: blue (Tern)",
    "How heavy is the Kite, and what is its port?": "Kite: 2,100 (Weight (kg)); port: Hull (Kite)",
    "What is the oldest boat, and in which port is it?": (
        "Rush (Port: Wick). Rush has the lowest Built: 1987 (of all 7 in Boats)."
    ),
}
NOT_ALL = {
    "What is the total weight of the blue boats and how many are there?": "one of two questions",
    "How many days of hire of the Wren can I pay?": "no price is a number of days",
    "How heavy is the Kite and who is its captain?": "a second question without an answer",
    "What is the hire of the Reed for a week?": "a price for each day is none for a week",
    "What percentage of the visits in 2025 went to Hull?": "no such year",
    "How old was the Robin in 2010?": "no such boat",
    "What do two nights at Leith cost?": "no such port",
    "Which harbour master has the most boats?": "a column that is not there",
    "How many days can I hire the Wren with a crew of 4?": "nothing to spend",
    "Which boats are blue or carry coal?": "what they carry is not there",
}


@pytest.mark.parametrize("question", [*NUMBERS, *MEMBERS])
def test_plainer_questions_answer_a_question(question: str) -> None:
    found = answer(question, BOATS)

    assert found.finding.verdict == {**NUMBERS, **MEMBERS}[question]
    assert not found.needs


@pytest.mark.parametrize("question", NOT_ALL, ids=list(NOT_ALL.values()))
def test_a_question_with_a_part_that_is_not_there_is_not_wholly_answered(question: str) -> None:
    assert answer(question, BOATS).needs


def test_a_value_of_another_row_is_told_with_the_way_there() -> None:
    claim = answer("What is the fee at the port of the Sedge?", BOATS).finding.claim

    assert claim == "port: Wick (Sedge); Wick: 15.00 (Fee per night (€))"


@pytest.mark.parametrize("question", BOTH)
def test_two_questions_in_one_are_both_answered(question: str) -> None:
    found = answer(question, BOATS)

    assert found.finding.claim == BOTH[question]
    assert not found.needs


DOGS = book("""# Dogs

| Dog | Breed | Age (years) | Coat | Bath |
|---|---|---|---|---|
| Pogo | terrier | 1 | wire | yes |
| Tansy | spaniel | 12 | silky | no |
| Major | hound | 8 | silky | yes |
""")


def test_an_age_in_years_is_no_year() -> None:
    assert answer("Of what breed is the oldest dog?", DOGS).finding.verdict == "spaniel"
    assert answer("Which is the youngest dog?", DOGS).finding.verdict == "Pogo"


def test_some_members_of_a_kind_are_not_told_for_it() -> None:
    found = answer("dogs with a silky coat and bath", DOGS)

    assert found.needs or found.finding.verdict == "Major"


def test_a_tally_tells_every_group() -> None:
    claim = answer("How many boats does each port have?", BOATS).finding.claim

    assert claim == "Hull 3, York 2, Wick 2 (of all 7)."
