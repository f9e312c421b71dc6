"""Values are ranked and limited in each of the ways that people write them, or not at all."""

from __future__ import annotations

import pytest

from tests.kit import answer, book

_RISING = {
    "iso dates": ("Launched", ("2019-05-12", "2020-01-03", "2021-11-30")),
    "dates with points": ("Launched", ("12.05.2019", "03.01.2020", "30.11.2021")),
    "dates with strokes": ("Launched", ("12/05/2019", "03/01/2020", "30/11/2021")),
    "times": ("Crossing time", ("45 min", "1 h 10 min", "2 h")),
    "times with colons": ("Crossing time", ("0:45", "1:10", "2:00")),
    "bounds": ("Range", ("up to 5 km", "up to 8 km", "up to 12 km")),
    "least values": ("Length", ("≥ 5 m", "≥ 8 m", "≥ 12 m")),
    "about": ("Length", ("~5 m", "c. 8 m", "about 12 m")),
    "thousands": ("Visitors", ("900", "1.2k", "3k")),
    "money": ("Cost", ("$900K", "$1.2M", "$3M")),
    "feet": ("Length", ("5'10\"", "6'2\"", "7'1\"")),
    "feet in words": ("Length", ("5 ft 10 in", "6 ft 2 in", "7 ft 1 in")),
    "words": ("Crew", ("five", "eight", "twelve")),
    "stars": ("Rating", ("★★☆☆☆", "★★★☆☆", "★★★★★")),
    "powers of ten": ("Count", ("3×10⁵", "2×10⁶", "1.5×10⁷")),
    "exponents": ("Count", ("3e5", "2e6", "1.5e7")),
    "bits": ("Speed", ("512 kbit/s", "2 Mbit/s", "1 Gbit/s")),
}
_ABOVE = {
    "dates with points": "Which boats were launched after 2020?",
    "dates with strokes": "Which boats were launched after 2020?",
    "thousands": "Which boats have more than 2000 visitors?",
    "money": "Which boats have a cost above $2M?",
    "feet in words": "Which boats have a length above 7 feet?",
    "powers of ten": "Which boats have a count above 5000000?",
    "exponents": "Which boats have a count above 5000000?",
    "bits": "Which boats have a speed above 4 Mbit/s?",
}


def boats(form: str) -> str:
    label, (least, more, most) = _RISING[form]
    heads = f"# Boats\n\n| Boat | {label} | Port |\n|-|-|-|\n"
    return f"{heads}| Reed | {least} | York |\n| Holm | {most} | Hull |\n| Tarn | {more} | Leith |\n"


@pytest.mark.parametrize("form", _RISING)
def test_the_highest_and_the_lowest_are_told(form: str) -> None:
    label = _RISING[form][0].lower()
    ends = ("latest launch", "earliest launch") if label == "launched" else (f"highest {label}", f"lowest {label}")

    found = [answer(f"Which boat has the {end}?", book(boats(form))) for end in ends]
    assert [each.finding.verdict for each in found] == ["Holm", "Reed"]
    assert not any(each.needs for each in found)


@pytest.mark.parametrize("form", _ABOVE)
def test_a_limit_is_in_plain_numbers(form: str) -> None:
    found = answer(_ABOVE[form], book(boats(form)))
    assert found.finding.verdict == "Holm" or found.finding.claim.startswith("1: Holm")
    assert not found.needs


@pytest.mark.parametrize("values", [("1:10", "1:20", "1:64"), ("3/5/2021", "4/5/2021", "6/5/2021"), ("A3", "A4", "A5")])
def test_what_nobody_can_rank_is_not_ranked(values: tuple[str, ...]) -> None:
    rows = "".join(f"| {name} | {value} | x |\n" for name, value in zip(("Reed", "Tarn", "Holm"), values, strict=True))
    found = answer("Which model has the highest scale?", book(f"# Models\n\n| Model | Scale | Kit |\n|-|-|-|\n{rows}"))
    assert found.needs
