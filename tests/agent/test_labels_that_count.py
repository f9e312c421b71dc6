"""Labels that say themselves that they count: *Number of wicks* is all that *how many wicks* asks for."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

LAMPS = book("""# Lamps

| Lamp | Wick Distance | Number of wicks | Hours per wick |
|------|---------------|-----------------|----------------|
| Ash  | -             | 3               | 40             |
| Elm  | 9             | 12              | 30             |
| Yew  | 30            | 1               | 20             |
""")


@pytest.mark.parametrize(
    "question",
    [
        "Which lamp has the largest number of wicks?",
        "Which lamp has the most wicks?",
        "What is the number of wicks of the Elm?",
        "How many wicks does the Elm have?",
    ],
)
def test_what_counts_is_told_and_nothing_beside_it(question: str) -> None:
    said = answer(question, LAMPS)

    told = {word.rstrip(".:") for word in said.finding.claim.split()}
    assert {"Elm", "12"} == told & {"Elm", "Yew", "12", "9", "30"}
    assert not said.needs


def test_another_measure_of_the_counted_is_told_by_its_own_words() -> None:
    assert "Yew" in answer("Which lamp has the largest wick distance?", LAMPS).finding.claim
