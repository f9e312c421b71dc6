"""Each who fights may have a label, and each value of his: *Side one: …*, *2) …*, *level: 7, AC: 4, weapon: dagger*."""

from __future__ import annotations

import pytest

from agent.domains.combat.types import Combatant
from tests.kit import duel, sample_book


def told(who: Combatant) -> tuple[object, ...]:
    """What is known of one, but for what he is called."""
    return who.subject, who.level, who.armor_class, who.abilities.get("strength"), who.weapon


FIGHTER = ("fighter", 5, 4, "12", "halberd")
DRUID = ("druid", 7, 6, "15", "scimitar")
PLAIN = (
    "a 5th level fighter with AC 4, strength 12 and a halberd",
    "a 7th level druid with AC 6, strength 15 and a scimitar",
)


@pytest.mark.parametrize(
    "question",
    [
        "Work out the winner. Side one: {0}. Side two: {1}.",
        "Who wins?\n- A: {0}\n- B: {1}",
        "Who wins?\n1) {0}\n2) {1}",
        "Arena match:\n* Red corner - {0}\n* Blue corner - {1}\nWho wins?",
        "Cleric one is {0}. Cleric two is {1}. Who wins the fight?",
        "The first is {0}; the second is {1}. Which of the two wins the duel?",
    ],
)
def test_the_label_of_a_side_is_nobody(question: str) -> None:
    fight = duel(question.format(*PLAIN), sample_book())

    assert [FIGHTER, DRUID] == [told(who) for who in fight.combatants]
    assert () == fight.uncounted


@pytest.mark.parametrize(
    "one, other",
    [
        ("fighter, level: 5, AC: 4, Str: 12, weapon: halberd", "druid, level: 7, AC: 6, Str: 15, weapon: scimitar"),
        ("fighter level=5 AC=4 Str=12 weapon=halberd", "druid level=7 AC=6 Str=15 weapon=scimitar"),
        ("Ftr5 (AC 4, Str 12, halberd)", "Drd7 (AC 6, Str 15, scimitar)"),
        ("lvl 5 fighter, AC 4, Str 12, halberd", "lvl 7 druid, AC 6, Str 15, scimitar"),
        (
            "a halberd-wielding level 5 fighter with AC 4 and Str 12",
            "a scimitar-wielding level 7 druid with AC 6 and Str 15",
        ),
        ("with a halberd, AC 4 and Str 12, a level 5 fighter", "with a scimitar, AC 6 and Str 15, a level 7 druid"),
    ],
)
@pytest.mark.parametrize("frame", ["Who wins a fight: {} or {}?", "{} vs {} who wins", "Who would win?\n- {}\n- {}"])
def test_each_has_what_is_told_of_him_however_it_is_written(frame: str, one: str, other: str) -> None:
    fight = duel(frame.format(one, other), sample_book())

    assert [FIGHTER, DRUID] == [told(who) for who in fight.combatants]
    assert () == fight.uncounted


@pytest.mark.parametrize(
    "question",
    [
        "I have a fighter (5th level, AC 4, halberd). My friend has a fighter (7th level, AC 6, dagger). Who wins?",
        "Side one: fighter 5, AC 4, halberd. Side two: fighter 7, AC 6, dagger. Who wins?",
    ],
)
def test_two_of_one_class_are_two(question: str) -> None:
    fight = duel(question, sample_book())

    assert [(5, 4, "halberd"), (7, 6, "dagger")] == [
        (who.level, who.armor_class, who.weapon) for who in fight.combatants
    ]


def test_what_all_of_them_are_called_is_nobody() -> None:
    question = "Which of these two druids would kill the other?\n- Druid A: level 5, AC 4\n- Druid B: level 7, AC 6"

    assert [(5, 4), (7, 6)] == [(who.level, who.armor_class) for who in duel(question, sample_book()).combatants]


def test_gear_that_may_be_of_either_decides_nothing() -> None:
    fight = duel("fighter lvl5 AC 4 Str 12 halberd x druid lvl7 AC 6 Str 15 scimitar, winner?", sample_book())

    assert ("halberd",) == fight.uncounted
