"""Labels that are asked for in other words: the nearest by its embedding, its variants, its unit by another name."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.ask import Agent
from tests.agent.shelf import reading
from tests.kit import answer, book, library

TOWN = """# {name}

**Median age:**
**total:** {total} years
**male:** {male} years
**female:** {female} years

**Railways:**
**total:** {rails} km
**narrow gauge:** {narrow} km

**Area:**
**total:** {area} sq km
**land:** {land} sq km

**Birth rate:**
{births} births/1,000 population

**Physicians density:**
{doctors} physicians/1,000 population

**Bordering towns:**
{border}

**Life expectancy at birth:**
**total:** {life} years

**Highest point:**
Mount {name} {high} m
"""
KEYS = (
    "name",
    "total",
    "male",
    "female",
    "rails",
    "narrow",
    "area",
    "land",
    "births",
    "doctors",
    "border",
    "life",
    "high",
)
ROWS = (
    ("Aldmoor", 44, 41, 46, 120, 30, 95, 90, "9.1", "2.5", "Brigg 3 km, Corby 1,204 km, Dunster 5 km", 79, 812),
    ("Brigg", 39, 38, 40, 240, 10, 75, 61, "12.4", "3.1", "Aldmoor 3 km, Corby 8 km", 81, 230),
    ("Corby", 41, 40, 43, 60, 20, 35, 34, "10.2", "1.9", "none", 77, 1204),
)
TOWNS = {f"{row[0].lower()}.md": TOWN.format(**dict(zip(KEYS, row, strict=True))) for row in ROWS}
BOOK = library(TOWNS)


@pytest.fixture(scope="module")
async def towns(tmp_path_factory: pytest.TempPathFactory) -> Agent:
    return await reading("\n".join(TOWNS.values()), tmp_path_factory.mktemp("towns"))


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("What is the median age of women in Aldmoor?", "46 years"),
        ("How old are the men of Corby, by median age?", "40 years"),
    ],
)
async def test_the_nearest_label_is_meant(question: str, verdict: str, towns: Agent) -> None:
    told = await towns.ask(question)
    assert ("complete", verdict) == (told.stop_reason, told.verdict)
    assert "assumed: " in told.text


async def test_a_name_that_nobody_has_is_no_variant(tmp_path: Path) -> None:
    """*Women* is near to *female*; a name in capitals is near to something too, and is none of them."""
    seeing = {"Low Ecliptic Latitude Field": 1.16, "Fornax Dwarf Galaxy": 0.83, "Low Galactic Latitude Field": 1.13}
    rows = "\n".join(f"| {name} | {r} |" for name, r in seeing.items())
    sky = await reading(f"# Seeing\n\n**Average seeing**\n\n| Field name | r |\n|---|---|\n{rows}", tmp_path)
    told = await sky.ask("What is the r seeing of the Cosmos field?")
    assert "complete" != told.stop_reason


async def test_a_label_that_is_only_near_is_told_in_part(towns: Agent) -> None:
    told = await towns.ask("How much track do the trains of Corby have?")
    assert "complete" != told.stop_reason


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("What is the median age in Aldmoor?", "44 years"),
        ("How many kilometres of railway does Aldmoor have in total?", "120 km"),
        ("How much of Brigg is land, in square kilometres?", "61 sq km"),
        ("What is the highest point of Brigg?", "Mount Brigg 230 m"),
        ("How many bordering towns does Aldmoor have?", "3"),
        ("Which has the older population by median age, Aldmoor or Corby?", "Aldmoor"),
    ],
)
def test_units_sums_rates_and_lists_are_told(question: str, verdict: str) -> None:
    told = answer(question, BOOK)
    assert (verdict, ()) == (told.finding.verdict, tuple(told.needs))


def test_what_is_no_list_is_not_counted() -> None:
    told = answer("How many bordering towns does Corby have?", BOOK)
    assert told.needs


EVENTS = book(
    """# Report

## Table 2: Courses by Town by Year

| Town | 2015 | 2016 | 2017 | row total |
|---|---|---|---|---|
| Aldmoor | 3 | 5 | 11 | 19 |
| New Brigg | 7 | 6 | 4 | 17 |
| Corby | 1 | 2 | 3 | 6 |
"""
)


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("How many courses were held in Aldmoor in 2017?", "11"),
        ("courses new brigg 2016", "6"),
        ("Where were more courses run in 2015, in Aldmoor or in New Brigg?", "New Brigg"),
        ("Which town held the most courses in 2017: Corby, Aldmoor or New Brigg?", "Aldmoor"),
    ],
)
def test_the_name_of_a_table_tells_what_its_values_count(question: str, verdict: str) -> None:
    told = answer(question, EVENTS)
    assert (verdict, ()) == (told.finding.verdict, tuple(told.needs))


@pytest.mark.parametrize("question", ["How many failed courses had Aldmoor in 2017?", "What did Aldmoor cost in 2017?"])
def test_a_word_that_may_be_what_is_asked_is_not_passed_over(question: str) -> None:
    told = answer(question, EVENTS)
    assert told.needs or not told.finding.verdict


SUITS = book(
    """# Gear

## Diving suits and armour

| Armour | Weight | Cost |
|---|---|---|
| Hull suit | 40 kg | 90 |
| Sea suit | 8 kg | 30 |
| Brigandine | 60 kg | 70 |
"""
)


def test_what_a_kind_is_counted_in_chooses_none_of_it() -> None:
    assert "Brigandine" == answer("What is the heaviest suit of armour?", SUITS).finding.verdict


DECKS = library(
    {
        "decks.md": """# Cyberdecks

| Deck | Rating | Cost |
|---|---|---|
| Kite One | 1 | 49,500 kr |
| Heron 200 | 2 | 110,250 kr |
| Swift | 3 | 93,000 kr |
""",
        "programs.md": """# Programs

## What runs on a cyberdeck

| Program | Cost |
|---|---|
| Armor | 250 kr |
| Edit | 80 kr |
| Toolbox | 120 kr |
""",
        "peoples.md": """# Peoples

| People | Average Height | Average Weight |
|---|---|---|
| Elf | 190 cm | 80 kg |
| Dwarf | 120 cm | 72 kg |
""",
    }
)


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which cyberdeck is the most expensive?", "Heron 200"),
        ("By how many kroner is the Heron 200 more expensive than the Swift?", "17,250 kr"),
        ("Who is heavier on average, an elf or a dwarf?", "elf"),
    ],
)
def test_the_table_that_is_called_as_what_is_asked_has_the_kind(question: str, verdict: str) -> None:
    assert verdict == answer(question, DECKS).finding.verdict


CURED = book(
    """# First aid

| Divide the effect in half (rounded up) | Add two dice |
|---|---|
| if the victim wears any kind of armour | if the healer has a kit |
| if the healer is in a hurry | if it rains |
"""
)


def test_what_is_no_amount_does_not_say_how_long() -> None:
    told = answer("Up to how long after an injury may first aid be applied?", CURED)
    assert told.needs or not told.finding.verdict


def test_what_is_counted_for_each_is_no_number_of_them() -> None:
    bears = book(
        "# Bear\n\n| Bear | |\n|---|---|\n| Frequency | Rare |\n| Level/XP | 3/225+8/paw |\n| Size | 7 ft. tall |\n"
    )
    assert answer("How many paws has a bear on average?", bears).needs
    assert "7 ft. tall" == answer("How many ft is a bear?", bears).finding.verdict


def test_what_a_plug_is_of_is_no_price() -> None:
    boards = book("# Bee F4\n\nThe Bee F4 is a small board. It is sold alone. It has a 6-pin plug for the camera.\n")
    assert answer("What does the Bee F4 cost?", boards).needs


TAXES = book(
    """# Motor tax

## Rates of Budget 2009

| Band | New annual rate |
|---|---|
| Band A | 104 |
| Band B | 156 |
| Band G | 2100 |
"""
)


@pytest.mark.parametrize(
    "question",
    [
        "What was the motor tax for Band H in Budget 2009?",
        "Which is charged more motor tax by the rates of Budget 2009?",
    ],
)
def test_one_cell_by_two_names_is_no_comparison_and_a_letter_names_a_row(question: str) -> None:
    told = answer(question, TAXES)
    assert told.needs or not told.finding.verdict


HILLS = book(
    """# Hills

| Hill | Height | Length | Longitude |
|------|--------|--------|-----------|
| Grey Hill |  | 9 miles | 20° W |
| Red Hill | 700 feet | 4 miles | 31° W |
| Low Hill | 90 feet | 2 miles | 32° W |
"""
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How long is the Grey Hill?", "9 miles"),
        ("How tall is the Red Hill?", "700 feet"),
        ("How tall is the Grey Hill?", ""),
    ],
)
def test_what_is_left_blank_is_not_told_by_another_measure(question: str, told: str) -> None:
    said = answer(question, HILLS)
    assert told in said.finding.claim
    assert bool(said.needs) == (not told)
