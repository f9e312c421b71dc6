"""What people tell beside their question changes no answer: neither direction nor measure nor whom it is about."""

from __future__ import annotations

import pytest

from tests.kit import answer, book, values_of

FERRIES = book("""# Ferries

| Ferry | Length (m) | Crew | Fare (€) | Speed (knots) | Built |
|---|---|---|---|---|---|
| Heron | 42 | 6 | 3.50 | 14 | 1988 |
| Plover | 31 | 4 | 2.80 | 17 | 1999 |
| Reed | 55 | 9 | 4.20 | 12 | 1975 |
| Teal | 38 | 5 | 1.90 | 11 | 1969 |
""")
ASKED = {
    "Heron or Plover, which one has fewer crew?": "Plover",
    "Which is faster, the Heron or the Plover?": "Plover",
    "Which ferry has the lowest fare?": "Teal",
    "How many ferries have a crew over 5?": "2",
    "Is the Reed longer than the Teal?": "Reed",
}
TOLD = [
    "I'm driving later. {}",
    "We had a longer trip last year. {}",
    "I just want the best for my kids. {}",
    "Yesterday I paid more than I should have. {}",
    "There was a bigger boat here when I was younger. {}",
    "Speed is what I like best. {}",
    "I don't know what to do. {}",
    "{} My sister, who is older, asked me.",
    "It's my first visit here. {}",
]


@pytest.mark.parametrize("told", TOLD)
@pytest.mark.parametrize("question", ASKED)
def test_a_sentence_that_asks_nothing_changes_no_answer(question: str, told: str) -> None:
    reasoned = answer(told.format(question), FERRIES)

    assert ((), ASKED[question]) == (tuple(reasoned.needs), reasoned.finding.verdict)


@pytest.mark.parametrize(
    "told",
    [
        "We took the Reed last year.",
        "The Teal was slower than I thought.",
        "It took longer than the Teal or the Reed took.",
    ],
)
def test_others_that_are_told_of_are_not_those_who_are_asked_about(told: str) -> None:
    assert [42] == [float(str(each)) for each in values_of(answer(f"{told} How long is the Heron?", FERRIES))]
    assert "Plover" == answer(f"{told} Which is faster, the Heron or the Plover?", FERRIES).finding.verdict


def test_a_number_of_another_limits_nothing() -> None:
    reasoned = answer("Last week the Heron had a crew of 9. How long is the Teal?", FERRIES)

    assert [38] == [float(str(each)) for each in values_of(reasoned)]


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("We have the Reed and the Teal. Which is the fastest?", "Reed"),
        ("I want a ferry that is longer than the Heron. Which ones have a crew over 5?", "1"),
    ],
)
def test_what_a_question_goes_back_to_still_counts(question: str, verdict: str) -> None:
    found = answer(question, FERRIES)

    assert found.needs or verdict == found.finding.verdict


def test_one_who_is_told_of_is_asked_about_by_a_pronoun() -> None:
    assert [42] == [
        float(str(each)) for each in values_of(answer("We took a bigger one, the Heron. How long is it?", FERRIES))
    ]


@pytest.mark.parametrize(
    "told", ["The Reed had a crew of 9 then.", "What a day!", "We took the Teal, which was a bit old."]
)
def test_a_kind_is_asked_about_whatever_is_told_of_one_of_it(told: str) -> None:
    assert "2" == answer(f"{told} How many ferries have a crew over 5?", FERRIES).finding.verdict


@pytest.mark.parametrize("aside", [", if you don't mind", ", I wonder", ", would you say"])
def test_a_clause_that_only_speaks_of_asking_is_no_part_of_it(aside: str) -> None:
    assert "Teal" == answer(f"Which ferry has the lowest fare{aside}?", FERRIES).finding.verdict


def test_what_the_asker_needs_still_limits() -> None:
    assert "Reed" == answer("I need a crew of 9. Which ferry is the fastest?", FERRIES).finding.verdict


def test_a_list_of_those_who_are_asked_about_is_not_told_besides() -> None:
    told = answer("Who has the best speed beside the Teal?\n- Heron\n- Plover", FERRIES)

    assert told.needs or told.finding.verdict in ("Heron", "Plover")
