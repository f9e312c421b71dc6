"""What a collection tells about its own words: which are those of its subject, and which way its measures go."""

from __future__ import annotations

import pytest

from tests.kit import answer, book, library

HARBOURS = """# Harbours

| Harbour | Draught limit (m) | Fee |
|---|---|---|
| Norway north | 9 | 40 |
| Dover 48MHz | 7 | 30 |
| Dover 52MHz | 6 | 35 |
| Cork | 5 | 20 |
"""
DOVER = "# Dover\n\nDover is a town with two harbours.\n"


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("What is the draught limit in the Norwegian north?", "9"),
        ("Fee in Cork and Dover (52): where is it the lowest?", "Cork"),
        ("What is the fee of Dover (48)?", "30"),
    ],
)
def test_a_row_is_named_by_the_adjective_of_its_place_and_by_a_number_behind_it(question: str, verdict: str) -> None:
    told = answer(question, library({"harbours.md": HARBOURS, "dover.md": DOVER}))
    assert (verdict, ()) == (told.finding.verdict, tuple(told.needs))


def _kinds_of_buoys(number: int) -> str:
    return "".join(f"# Buoy {chr(97 + n)}{chr(98 + n)}k\n\nA buoy of the coast.\n\n" for n in range(number))


ROLES = (
    "# Roles\n\n| Role | Power draw |\n|---|---|\n| Beacon | low |\n| Relay | high |\n\n# Buoy\n\nA buoy floats.\n\n"
)


def test_a_word_of_very_many_names_is_no_other_thing() -> None:
    told = answer("What is the power draw of a buoy with the beacon role?", book(ROLES + _kinds_of_buoys(22)))
    assert ("low", ()) == (told.finding.verdict, tuple(told.needs))


def test_a_word_of_few_names_may_be_what_is_asked_for() -> None:
    told = answer("What is the power draw of a buoy with the beacon role?", book(ROLES + _kinds_of_buoys(3)))
    assert told.finding is None or told.needs or told.finding.verdict != "low"


ARMOR = """# Guard levels

| Level | Hits | Armor class |
|---|---|---|
| 1 | 5 | {0} |
| 2 | 9 | {1} |
| 3 | 12 | {2} |

# Warden

| Armor | Base armor class |
|---|---|
| Light | 13 |
| Heavy | 15 |

# Stalker

| Armor | Base armor class |
|---|---|
| Light | 12 |
| Heavy | 14 |
"""


@pytest.mark.parametrize(("classes", "better"), [((12, 13, 15), "warden"), ((8, 6, 5), "stalker")])
def test_the_better_end_is_the_way_in_which_levels_go(classes: tuple[int, ...], better: str) -> None:
    question = "In light armor, does a warden or a stalker have the better base armor class?"
    told = answer(question, book(ARMOR.format(*classes)))
    assert (better, ()) == (told.finding.verdict, tuple(told.needs))


MARKS = """# Marks

The Main Draught (MD) is that of the keel.

| Level | MD | Colour |
|---|---|---|
| 1 | 9 | red |
| 2 | 8 | blue |
"""


def test_initials_that_the_book_explains_stand_for_nothing_else() -> None:
    told = answer("At level 2, how much do I multiply its damage?", book(MARKS))
    assert told.finding is None or told.finding.verdict != "8"


CRATES = """# Cranes

| Level | Load |
|---|---|
| 1 | 9 t |
| 2 | 8 t |

| Beams added | Load multiplier |
|---|---|
| one | x 2 |
| two | x 3 |
"""


def test_a_longer_head_that_tells_what_is_left_over_is_another_measure() -> None:
    told = answer("At level 2, by how much do I multiply the load?", book(CRATES))
    assert told.finding is None or told.needs or told.finding.verdict != "8 t"


def _lamps(number: int) -> str:
    lamps = (
        f"# {'Harbour' if n % 2 else 'River'} lamps {n}\n\n## {chr(97 + n)}{chr(98 + n)}k lamp\n\nHeight: {n + 3} m\n"
        f"Glass: {'clear' if n else 'of the old lamp make'}\n"
        for n in range(number)
    )
    return "\n".join(lamps)


@pytest.mark.parametrize(
    ("question", "verdict"),
    [("Which lamp has the highest height?", "xyk lamp"), ("Which lamp has the lowest height?", "abk lamp")],
)
def test_the_best_of_what_the_book_is_about_is_that_of_all(question: str, verdict: str) -> None:
    told = answer(question, book(_lamps(24)))
    assert (verdict, ()) == (told.finding.verdict, tuple(told.needs))


TOLLS = """# Rules

## Toll List

| Rank | Cost | Rank | Cost |
|---|---|---|---|
| 18 | 16 | 13 | 5 |
| 17 | 13 | 12 | 4 |
| 16 | 10 | 11 | 3 |
"""


def test_a_word_of_the_name_again_asks_for_nothing_else() -> None:
    told = answer("Toll list: how many tolls do I have to spend to get a rank of 16?", book(TOLLS))
    assert ("10", ()) == (told.finding.verdict, tuple(told.needs))
