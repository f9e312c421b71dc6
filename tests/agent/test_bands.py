"""A number chooses the row whose key covers it, in each of the ways that people write such keys."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

_KEYS = {
    "dashes": ("Age", ("0-15", "16–64", "65+"), "a 30 year old"),
    "words": ("Age", ("under 16", "16 to 64", "65 and over"), "someone aged 30"),
    "units": ("Weight", ("up to 5 kg", "5-20 kg", "over 20 kg"), "a parcel of 12 kg"),
    "signs": ("Weight", ("≤ 5 kg", "> 5 – 20 kg", "> 20 kg"), "a parcel of 12 kg"),
    "the unit above": ("Weight (kg)", ("0-5", "6-20", "21-50"), "12 kg"),
    "thousands": ("Income", ("0-10,000", "10,001-50,000", "50,001+"), "an income of 30,000"),
    "thousands apart": ("Income", ("0 – 10 000", "10 001 – 50 000", "50 001 and more"), "an income of 30 000"),
    "thousands by a letter": ("Income", ("0-10k", "10k-50k", "50k+"), "an income of 30,000"),
    "money": ("Income", ("$0–$10,000", "$10,001–$50,000", "over $50,000"), "an income of $30,000"),
    "levels": ("Level", ("Level 1-3", "Level 4-6", "Level 7+"), "level 5"),
    "ordinals": ("Level", ("1st-3rd", "4th-6th", "7th-9th"), "5th level"),
    "years": ("Year", ("1990-1999", "2000-2009", "2010-2019"), "2005"),
    "hours": ("Stay", ("up to 2 hours", "2-4 hours", "4-24 hours"), "a stay of 3 hours"),
    "percents": ("Score", ("0-49%", "50-79%", "80-100%"), "a score of 65%"),
    "degrees": ("Temperature", ("below 0 °C", "0-20 °C", "above 20 °C"), "a temperature of 12 °C"),
}
_ASKED = ("What is the fee for {}?", "ferry fee {}")


def fees(form: str) -> str:
    head, (low, middle, high), _ = _KEYS[form]
    rows = f"| {low} | 7 crowns | north |\n| {middle} | 9 crowns | south |\n| {high} | 4 crowns | lee |\n"
    return f"# Ferry fees\n\n| {head} | Fee | Desk |\n|-|-|-|\n{rows}"


@pytest.mark.parametrize("asked", _ASKED)
@pytest.mark.parametrize("form", _KEYS)
def test_the_row_that_covers_a_number_is_told(form: str, asked: str) -> None:
    found = answer(asked.format(_KEYS[form][2]), book(fees(form)))

    assert not found.needs
    assert found.finding.verdict == "9 crowns"


def test_a_number_chooses_no_row_by_what_is_asked_for() -> None:
    groups = "| Group size | Fee | Desk |\n|-|-|-|\n| 1-4 | 7 crowns | north |\n| 5-10 | 9 crowns | south |\n"
    found = answer("What is the fee for 7 people?", book(f"# Ferry fees\n\n{groups}"))

    assert found.finding.verdict != "7 crowns"


def test_which_key_has_a_value_asks_for_the_key() -> None:
    groups = "| Group size | Fee | Desk |\n|-|-|-|\n| 1-4 | 7 crowns | north |\n| 5-10 | 9 crowns | south |\n"
    found = answer("Which group size has a fee of 7 crowns?", book(f"# Ferry fees\n\n{groups}"))

    assert not found.needs
    assert found.finding.verdict == "1-4"


@pytest.mark.parametrize("question", ["What is the fee for the 2000s?", "ferry fee the 2000s"])
def test_a_decade_that_is_a_key_chooses_its_row(question: str) -> None:
    rows = "| 1990s | 7 crowns | north |\n| 2000s | 9 crowns | south |\n| 2010s | 4 crowns | lee |\n"
    found = answer(question, book(f"# Ferry fees\n\n| Decade | Fee | Desk |\n|-|-|-|\n{rows}"))

    assert not found.needs
    assert found.finding.verdict == "9 crowns"


LOADS = book(
    "# Tolls\n\n| Load | Toll |\n|-|-|\n| Up to 5 tons | 3 |\n| Over 5 tons | 7 |\n| More than 10 tons | 12 |\n"
)


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("What is the toll of Over 5 tons?", "7"),
        ("Which has the lower toll, Over 5 tons or More than 10 tons?", "Over 5 tons"),
        ("Which loads have a toll over 5?", "Over 5 tons, More than 10 tons"),
    ],
)
def test_a_name_that_has_a_limit_is_a_name(question: str, verdict: str) -> None:
    assert verdict == answer(question, LOADS).finding.verdict
