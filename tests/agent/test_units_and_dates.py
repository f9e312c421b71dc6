"""What an adjective asks for is found by the unit of the values, and dates are ordered, subtracted and counted."""

from __future__ import annotations

import subprocess
import sys
from itertools import product

import pint
import pytest

from agent.reasoning.measures.units import unit_of
from tests.kit import answer, book

BOOK = book(
    """# Looms

| Loom | Launched | Retired | Reed | Lap |
|---|---|---|---|---|
| Heron | March 2014 | June 2021 | 900 mm | 4 s |
| Plover | November 2015 | October 2017 | 700 mm | 9 s |
| Curlew | May 2012 | May 2016 | 1200 mm | 6 s |
"""
)


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which was launched first, the Heron or the Plover?", "Heron"),
        ("Was the Heron or the Plover launched later?", "Plover"),
        ("Which loom was retired earliest?", "Curlew"),
        ("Of Heron, Plover and Curlew, which was retired last?", "Heron"),
        ("How wide is the Heron?", "900 mm"),
        ("Which is wider, the Heron or the Curlew?", "Curlew"),
        ("Which loom has the fastest lap?", "Heron"),
        ("launch date of the Plover?", "November 2015"),
        ("By how many months was the Plover launched after the Heron?", "20 month"),
    ],
)
def test_units_and_dates_tell_what_is_asked(question: str, verdict: str) -> None:
    assert verdict == answer(question, BOOK).finding.verdict


def test_the_label_that_only_a_unit_tells_is_told_as_assumed() -> None:
    steps = [step.text for step in answer("How wide is the Heron?", BOOK).finding.steps]

    assert "assumed: how wide means Reed" in steps


@pytest.mark.parametrize(
    "question", ["Which is the oldest loom?", "How long does the Heron take?", "How heavy is the Heron?"]
)
def test_what_several_labels_or_none_may_mean_is_not_assumed(question: str) -> None:
    found = answer(question, BOOK)

    assert found is None or found.finding is None or found.finding.verdict is None


RAILS = book(
    """# Modules

| Module | +12V current | -12V current |
|---|---|---|
| Wren | 30 mA | 5 mA |
| Rook | 20 mA | 9 mA |
"""
)


def test_a_label_is_told_by_its_number_whatever_verb_asks() -> None:
    assert "Rook" == answer("Which pulls more from the -12V rail: Wren or Rook?", RAILS).finding.verdict


def test_what_lasts_is_no_last_one() -> None:
    lamps = book(
        "# Lamps\n\n| Lamp | Duration | Reach |\n|---|---|---|\n| Heron | 6 h | 9 m |\n| Plover | 4 h | 7 m |\n"
    )

    assert "6 h" == answer("How long does the Heron last?", lamps).finding.verdict


STORE = book(
    """# Store

## Gear

| Tool | Extra Rigging Cost Points | Price |
|---|---|---|
| Gaff | 2 | 75 crowns |
| Winch | 4 | 200 crowns |

## Flares

| Flare | Shipping cost | Fee |
|---|---|---|
| Red | 2 crowns | 75 crowns |
| White | 4 crowns | 20 crowns |

## Lamp

A lamp is a light of brass. It has two wicks.
"""
)


@pytest.mark.parametrize(
    ("question", "price"),
    [
        ("What does a gaff cost?", "75 crowns"),
        ("How much is the winch?", "200 crowns"),
        ("How much are gaffs?", "75 crowns"),
        ("What does the white flare cost?", "20 crowns"),
    ],
)
def test_another_word_for_the_measure_comes_before_a_label_that_has_the_word_among_others(
    question: str, price: str
) -> None:
    assert price == answer(question, STORE).finding.verdict


@pytest.mark.parametrize(
    "question", ["How much is a lamp?", "When is the lamp?", "Where is the lamp?", "Why the lamp?"]
)
def test_what_something_is_answers_no_question_for_an_amount_a_time_a_place_or_a_reason(question: str) -> None:
    assert [] != list(answer(question, STORE).needs)
    assert () == answer("What is a lamp?", STORE).needs


def test_days_are_no_answer_to_how_many_years() -> None:
    boats = book("# Boats\n\n| Boat | Launched |\n|-|-|\n| Reed | 5 May 1913 |\n| Tern | 30 July 1904 |\n")

    assert answer("How many years later was the Reed launched than the Tern?", boats).needs
    in_days = answer("How many days later was the Reed launched than the Tern?", boats)
    assert in_days.finding.values["difference"] == 3201


def test_no_unit_of_the_library_is_taken_for_none_before_it_is_asked() -> None:
    units: pint.UnitRegistry[float] = pint.UnitRegistry()
    named = [name for name in units._units if name.isalpha() and len(name) <= 12]
    prefixed = [prefix + name for prefix, name in product([*units._prefixes][::5], named[::11])]
    powers = [f"{power} {name}" for power, name in product(("square", "sq", "cubic", "metre per"), named[::17])]
    asked = [*named, *(f"{name}s" for name in named), *prefixed, *powers]
    units_there = [text for text in asked if len(text) <= 16 and is_unit(units, text)]

    assert [] == [text for text in units_there if unit_of(text) is None]
    assert len(units_there) > 1000


def is_unit(units: pint.UnitRegistry[float], text: str) -> bool:
    """Whether the library reads a text as a unit with dimensions."""
    try:
        return not units.parse_units(text, as_delta=False).dimensionless
    except (pint.PintError, AssertionError, LookupError, ValueError):
        return False


def test_a_word_that_is_no_unit_does_not_load_the_library() -> None:
    code = (
        "import sys; from agent.reasoning.measures.units import unit_of; "
        "print(unit_of('sword'), unit_of('long sword'), 'pint' in sys.modules, unit_of('km'), 'pint' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "None None False kilometer True" == done.stdout.strip()


KEEPERS = book(
    """# Lighthouse keepers

| Keeper | Born | Weight of the lamp |
|-|-|-|
| Ada Holt | May 3, 1801 in Hull | 3-5 ounces |
| Olaf Tern | c. 1630, near Goole | 2 pounds (with oil) |
| Nils Marl | 1788, on board the Reed | 1 pound |
"""
)


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("Which keeper was born the earliest?", "Olaf Tern"),
        ("Which keeper was born the latest?", "Ada Holt"),
        ("Which keeper has the heaviest lamp?", "Olaf Tern"),
    ],
)
def test_values_that_go_on_behind_a_date_or_mix_ounces_and_pounds_are_ranked(question: str, who: str) -> None:
    assert who == answer(question, KEEPERS).finding.verdict
