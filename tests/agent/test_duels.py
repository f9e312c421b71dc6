"""Fights in many wordings: who fights, at what level, in which armor, with what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.domains.combat.types import Combatant
from agent.planning.rules import ByRules
from agent.understanding.words.lexicon import Lexicon
from retrieval.text.normal import title_key
from tests.kit import parse_duel

NAMES = ("fighters", "druids", "magic-users", "clerics", "thieves", "Owlbear", "Lizard Man", "Troll")
BOOK = Lexicon({title_key(name): name for name in NAMES})


def sides(question: str, lexicon: Lexicon = BOOK) -> list[Combatant]:
    duel = parse_duel(question, lexicon)
    assert duel is not None
    return list(duel.combatants)


@pytest.mark.parametrize(
    "question",
    [
        "Who wins: a 4th level fighter with an armor class of 3 or a 7th level druid with an armor class of 9?",
        "Would a fourth-level fighter (AC3) beat a seventh-level druid (A.C. 9)?",
        "A level 4 fighter in AC 3 fights a druid of 7th level whose armour class is 9. Who prevails?",
        "4th level fighter, AC 3 versus 7th level druid, AC 9",
        "Can a 4th-level human fighter with AC 3 kill a 7th-level druid with AC 9?",
        "If a 4th level fighter (armor class 3) and a 7th level druid (armor class 9) duel, who is the winner?",
        "A 4th level fighter meets a 7th level druid. The fighter has AC 3, the druid AC 9. Who would win the fight?",
    ],
)
def test_every_wording_binds_class_level_and_armor(question: str) -> None:
    assert [("fighter", 4, 3), ("druid", 7, 9)] == [(s.subject, s.level, s.armor_class) for s in sides(question)]


def test_swapping_the_sides_swaps_the_combatants() -> None:
    first = sides("Who wins: a 4th level fighter with AC 3 or a 7th level druid with AC -2?")
    second = sides("Who wins: a 7th level druid with AC -2 or a 4th level fighter with AC 3?")
    assert first == second[::-1]
    assert [3, -2] == [side.armor_class for side in first]


def test_what_both_have_is_theirs_and_what_one_has_is_not_the_others() -> None:
    fighter, druid = sides(
        "Who wins, a 4th level fighter or a 7th level druid? Both have a strength of 16 and a constitution of 15. "
        "The fighter has AC 3 and wields a halberd; the druid has AC 9 and uses a staff."
    )
    assert {"strength": "16", "constitution": "15"} == fighter.abilities == druid.abilities
    assert ("halberd", "staff") == (fighter.weapon, druid.weapon)
    assert (3, 9) == (fighter.armor_class, druid.armor_class)


@pytest.mark.parametrize(
    ("words", "weapon"),
    [
        ("wielding a battle axe", "battle axe"),
        ("armed with a long sword", "long sword"),
        ("with a two-handed sword", "two-handed sword"),
        ("using a quarter staff", "quarter staff"),
        ("who wields a scimitar", "scimitar"),
    ],
)
def test_a_weapon_is_found_wherever_it_is_said(words: str, weapon: str) -> None:
    fighter, _ = sides(
        f"Who wins: a 4th level fighter with AC 3 {words} or a 7th level druid with AC 9 wielding a club?"
    )
    assert weapon == fighter.weapon


def test_exceptional_strength_keeps_its_percentage() -> None:
    fighter, _ = sides("Who wins, a 4th level fighter with AC 3 and strength 18/51 or a 7th level druid with AC 9?")
    assert "18/51" == fighter.abilities["strength"]


def test_twins_are_told_apart_by_their_armor() -> None:
    one, two = sides("Who wins: a 4th level fighter with AC 3 or a 4th level fighter with AC 5?")
    assert ("4th level fighter with armor class 3", "4th level fighter with armor class 5") == (one.name, two.name)


def test_creatures_need_no_level() -> None:
    assert ["owlbear", "lizard man"] == [
        s.subject for s in sides("Who would win in a fight, an owlbear or a lizard man?")
    ]


def test_an_unknown_opponent_is_still_an_opponent() -> None:
    mage, blob = sides("Can a 9th level magic-user beat a gelatinous blob?")
    assert ("magic-user", 9) == (mage.subject, mage.level)
    assert ("gelatinous blob", None) == (blob.subject, blob.level)


def test_a_class_that_the_book_lacks_keeps_its_words() -> None:
    assert ["samurai", "druid"] == [s.subject for s in sides("Who wins: a 4th level samurai or a 7th level druid?")]


@pytest.mark.parametrize(
    "question",
    [
        "What does a 7th level cleric need to roll to hit an opponent with armor class 6?",
        "What is the difference between an owlbear and a troll?",
        "Who has the better saving throw against spells at 5th level, a cleric or a thief?",
        "How does initiative work?",
        "What chance does a 5th level thief have to hide from an owlbear versus a troll?",
        "What is the chance that a cleric turns an owlbear versus a troll?",
        "Compare a 5th level fighter versus a 5th level cleric",
        "",
    ],
)
def test_what_is_no_fight_is_no_duel(question: str) -> None:
    assert parse_duel(question, BOOK) is None


@pytest.mark.parametrize(
    "question",
    [
        "A 4th level fighter battling an owlbear",
        "A 4th level fighter takes on an owlbear. Which one comes out on top?",
        "What chance does a 4th level fighter have against an owlbear?",
        "A 4th level fighter versus an owlbear",
        "Chance that a 4th level fighter defeats an owlbear",
        "Is a level-4 fighter likely to bring down an owlbear?",
        "Who is victorious when a fighter of 4th level meets an owlbear?",
        "Fighter lvl 4 w/ spear squares off against an owlbear",
    ],
)
def test_a_fight_is_asked_for_in_many_words(question: str) -> None:
    assert [("fighter", 4), ("owlbear", None)] == [(side.subject, side.level) for side in sides(question)]


def test_a_verb_is_no_weapon() -> None:
    assert [None, None] == [side.weapon for side in sides("Who would win if an owlbear met a troll in a corridor?")]


def test_armor_that_stands_apart_counts_together() -> None:
    fighter, _ = sides("Can a 4th level fighter in plate mail, with a long sword and a shield, beat an owlbear?")
    assert ("plate mail and shield", "long sword") == (fighter.armor, fighter.weapon)


def test_an_attacker_is_paired_with_the_opponents_armor_class() -> None:
    made = ByRules("Who wins: a 4th level fighter with AC 3 or a 7th level druid with AC 9?", BOOK).plan
    rolls = [s.text for s in made.sub_queries if s.purpose == "to hit"]
    assert [
        "level 4 fighter roll needed to hit opponent armor class 9",
        "level 7 druid roll needed to hit opponent armor class 3",
    ] == rolls


@given(st.text(max_size=300))
def test_no_text_breaks_the_planner(text: str) -> None:
    assert text == ByRules(text, BOOK).plan.question


def test_a_question_that_is_wrapped_is_the_same_question() -> None:
    question = (
        "Who wins: a 4th level fighter with an armor class of 3 or a 7th level druid with an armor class of 9? "
        "Both have a strength of 16 and a dexterity of 12."
    )
    wrapped = question.replace(" level druid", "\n  level druid").replace("of 12", "of\n  12")
    assert parse_duel(question, Lexicon()) == parse_duel(wrapped, Lexicon())
