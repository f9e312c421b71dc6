"""What somebody fights with where a question names no weapon: nothing that the book forbids the class."""

from __future__ import annotations

import pytest

from tests.kit import Book, book, fight

HEAD = """# Orders

To hit, roll a d20, add the attack bonus, and reach the armour class. A higher armour class is better.

| Order | Hit die | Attack bonus 1-3 | Attack bonus 4-6 | Weapons Allowed |
| --- | --- | --- | --- | --- |
| Friar | d8 | +2 | +4 | {allowed} |
| Guard | d10 | +2 | +5 | Any |

Every order rolls one hit die per level.

## Thrown

| Missile | Damage |
| --- | --- |
| Cudgel | 1d2 |

## Hand to hand

| Weapon | Damage |
| --- | --- |
| Cudgel | 1d6 |
| Ladle | 1d4 |
| Long sword | 1d8 |
"""
QUESTION = "Who wins: a 4th level friar with AC 14 or a 4th level guard with AC 14?"


def orders(allowed: str) -> Book:
    return book(HEAD.format(allowed=allowed))


@pytest.mark.parametrize(
    ("allowed", "weapon", "average"),
    [
        ("Cudgel, ladle", "cudgel", 3.5),
        ("Blunt ones only — ladle or cudgel (never thrown)", "ladle", 2.5),
        ("Any", "long sword", 4.5),
        ("Cudgel, long sword", "long sword", 4.5),
        ("Cudgel, swords (one-handed)", "long sword", 4.5),
    ],
)
def test_who_names_no_weapon_is_given_one_that_the_class_may_use(allowed: str, weapon: str, average: float) -> None:
    result = fight(QUESTION, orders(allowed))
    friar, guard = result.finding.values["combatants"]

    assert () == result.needs
    assert (average, 4.5) == (friar["average_damage"], guard["average_damage"])
    assert any(f"4th level friar wields a {weapon}" in step.text for step in result.finding.steps)


def test_what_the_class_may_use_is_cited() -> None:
    result = fight(QUESTION, orders("Cudgel, ladle"))
    (step,) = [step for step in result.finding.steps if "wields a cudgel" in step.text]
    quotes = {citation.n: citation.quote for citation in result.citations}

    assert ["Order Friar / Weapons Allowed = Cudgel, ladle"] == [quotes[n] for n in step.cites]


def test_a_weapon_that_is_named_is_taken() -> None:
    question = "Who wins: a 4th level friar with AC 14 and a long sword or a 4th level guard with AC 14?"
    friar, _ = fight(question, orders("Cudgel, ladle")).finding.values["combatants"]

    assert 4.5 == friar["average_damage"]


@pytest.mark.parametrize(
    ("allowed", "is_told"),
    [("Cudgel, ladle", True), ("Cudgel, long sword", False), ("Any", False), ("Any, but cudgel for choice", False)],
)
def test_that_the_class_may_not_use_what_the_question_gives_it_is_told_with_its_source(
    allowed: str, is_told: bool
) -> None:
    question = "Who wins: a 4th level friar with AC 14 and a long sword or a 4th level guard with AC 14?"
    result = fight(question, orders(allowed))
    told = [step for step in result.finding.steps if "may not use a long sword" in step.text]
    quotes = {citation.n: citation.quote for citation in result.citations}

    assert is_told == bool(told)
    assert all([f"Order Friar / Weapons Allowed = {allowed}"] == [quotes[n] for n in step.cites] for step in told)


SHARP = book("""# Reach of Blades

| Weapon | Damage |
|---|---|
| Axe, felling | 1d8 |
| Axe, throwing | 1d6 |
| Long sword | 1d8 |

## Axe Beak

| | |
|---|---|
| Armor Class | 6 |
| Hit Dice | 3 |
| Damage | 1d3/1d3/2d4 |
""")


def test_a_weapon_has_no_damage_of_a_creature_that_is_called_after_it() -> None:
    result = fight("Who wins, a 2nd level reaver with AC 5 and an axe or an axe beak?", SHARP)
    assert "the damage of a axe" in [need.need for need in result.needs]
