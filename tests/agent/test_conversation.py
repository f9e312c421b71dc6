"""Follow-up questions: what they change of the question before, and which questions stand alone."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent.domains.combat.types import Duel
from agent.planning.rules import ByRules, next_intent, recognised
from agent.types import Turn
from agent.understanding.question.intent import Lookup
from agent.understanding.words.lexicon import Lexicon
from retrieval.text.normal import title_key
from tests.agent.lookups import lookup_of
from tests.kit import parse_duel

NAMES = ("fighters", "druids", "clerics", "thieves", "Owlbear", "Troll", "Orc")
THINGS = ("Long sword", "Halberd", "Plate mail")
BOOK = Lexicon(
    {title_key(n): n for n in NAMES},
    {title_key(n): n for n in THINGS},
    described=frozenset(map(title_key, ("Owlbear", "Troll", "Orc"))),
    labels={"owlbear": frozenset({"armor class", "hit dice", "price"})},
)
FIGHT = "Who wins: a 4th level fighter with AC 3 and strength 16 or a 7th level druid with AC 9?"


def fight(follow_up: str, first: str = FIGHT) -> Duel:
    before = parse_duel(first, BOOK)
    assert before is not None
    after = next_intent(before, follow_up, BOOK)
    assert isinstance(after, Duel)
    return after


def lookup(follow_up: str, first: str) -> Lookup:
    after = next_intent(lookup_of(first, BOOK), follow_up, BOOK)
    assert isinstance(after, Lookup)
    return after


def test_armor_replaces_the_armor_class_of_its_wearer_alone() -> None:
    fighter, druid = fight("and if the druid had plate mail?").combatants
    assert (3, None) == (fighter.armor_class, fighter.armor)
    assert (None, "plate mail") == (druid.armor_class, druid.armor)


@pytest.mark.parametrize(
    ("follow_up", "whole"),
    [
        ("what about a cleric instead of the druid?", ("7th level cleric", 7, 9)),
        ("And a 9th level cleric instead of the druid?", ("9th level cleric", 9, 9)),
        ("What if it were an owlbear instead of a druid?", ("owlbear", None, None)),
    ],
)
def test_one_takes_the_place_of_another(follow_up: str, whole: tuple[str, int | None, int | None]) -> None:
    fighter, other = fight(follow_up).combatants
    assert ("4th level fighter", 3) == (fighter.name, fighter.armor_class)
    assert whole == (other.name, other.level, other.armor_class)


def test_what_was_said_of_the_whole_fight_stays_with_a_new_opponent() -> None:
    asked = "Who is less likely to win underwater: a 4th level fighter with AC 3 or a 7th level druid with AC 9?"
    after = fight("And against an owlbear?", asked)
    assert (("underwater",), True) == (after.left_out, after.asks_loser)


def test_what_both_have_changes_both() -> None:
    scores = [who.abilities["strength"] for who in fight("what if both had a strength of 17?").combatants]
    assert ["17", "17"] == scores


@pytest.mark.parametrize(
    ("follow_up", "fighter", "druid"),
    [
        ("What if the fighter were 9th level?", (9, 3), (7, 9)),
        ("And with the druid at AC 4?", (4, 3), (7, 4)),
        ("what if the first had AC 0?", (4, 0), (7, 9)),
        ("And if the other was level 12?", (4, 3), (12, 9)),
    ],
)
def test_one_side_changes_and_the_other_stays(follow_up: str, fighter: tuple[int, int], druid: tuple[int, int]) -> None:
    assert [fighter, druid] == [(who.level, who.armor_class) for who in fight(follow_up).combatants]


def test_a_weapon_changes_hands() -> None:
    fighter, druid = fight("and if the fighter wielded a halberd?").combatants
    assert ("halberd", None) == (fighter.weapon, druid.weapon)


def test_a_new_opponent_takes_the_place_of_the_last() -> None:
    assert ["4th level fighter", "owlbear"] == [who.name for who in fight("And against an owlbear?").combatants]


PARTY = "Who wins: a 4th level fighter with AC 3 and a 2nd level cleric with AC 5 against a troll?"


def test_who_fights_together_stays_together() -> None:
    changed = fight("and if the fighter had AC 0?", PARTY)
    assert (((0, 1), (2,)), [0, 5, None]) == (changed.sides, [who.armor_class for who in changed.combatants])
    assert "4th level fighter (armor class 0) and 2nd level cleric (armor class 5) against troll" in changed.described

    other = fight("And against an owlbear?", PARTY)
    assert (((0, 1), (2,)), "owlbear") == (other.sides, other.combatants[2].subject)


def test_the_bonus_of_a_weapon_comes_and_goes_with_it() -> None:
    with_bonus = fight("and if the fighter wielded a halberd +2?")
    assert 2 == with_bonus.combatants[0].weapon_bonus
    assert "halberd +2" in with_bonus.described
    again = next_intent(with_bonus, "and if the fighter wielded a long sword?", BOOK)
    assert isinstance(again, Duel)
    assert 0 == again.combatants[0].weapon_bonus


WEIGHT = "What is the weight of an owlbear?"
HEAVIER = "Which is heavier, a long sword or a halberd?"
SAVE = "What is a 5th level thief's saving throw against breath?"
ROLL = "What does a 7th level cleric need to roll to hit an orc?"


@pytest.mark.parametrize(
    ("first", "follow_up", "together"),
    [
        (SAVE, "what about level 9?", "What is a level 9 thief's saving throw against breath?"),
        (SAVE, "and the cleric?", "What is a 5th level cleric's saving throw against breath?"),
        (SAVE, "And a 3rd level druid?", "What is a 3rd level druid's saving throw against breath?"),
        (WEIGHT, "and its hit dice?", "owlbear's hit dice?"),
        (WEIGHT, "and the price?", "the price of owlbear"),
        (WEIGHT, "How many hit dice does it have?", "How many hit dice does the owlbear have?"),
        (WEIGHT, "Is it heavier than a troll?", "Is the owlbear heavier than a troll?"),
        (WEIGHT, "and a beholder?", "What is the weight of an beholder?"),
        (HEAVIER, "and the plate mail?", "Which is heavier, a long sword or a plate mail?"),
        (HEAVIER, "and which is cheaper?", "which is cheaper, long sword or halberd?"),
        (HEAVIER, "Which of them costs more?", "which costs more, long sword or halberd?"),
        ("What is the tax at an income of 12,000?", "And at 61,000?", "What is the tax at an income of 61,000?"),
        (WEIGHT, "What a troll?", "What is the weight of an troll?"),
        (WEIGHT, "why?", WEIGHT),
    ],
)
def test_what_a_follow_up_does_not_say_stays(first: str, follow_up: str, together: str) -> None:
    assert together == lookup(follow_up, first).question


@pytest.mark.parametrize(
    ("follow_up", "described"),
    [
        ("and at 10th level?", "roll to hit of 10th level cleric against orc"),
        ("and against a troll?", "roll to hit of 7th level cleric against troll"),
        ("and against AC 3?", "roll to hit of 7th level cleric against armor class 3"),
        ("what about a 2nd level druid?", "roll to hit of 2nd level druid against orc"),
    ],
)
def test_a_roll_goes_on_with_another_level_or_target(follow_up: str, described: str) -> None:
    after = next_intent(recognised(ROLL, BOOK), follow_up, BOOK)
    assert after is not None
    assert described == after.described


@pytest.mark.parametrize(
    "question",
    [
        "How does initiative work?",
        "Who wins: a 2nd level cleric with AC 5 or an orc?",
        "And who wins: a 2nd level cleric with AC 5 or an orc?",
        "What is the armor class of a troll?",
        "",
    ],
)
def test_what_stands_alone_starts_anew(question: str) -> None:
    before = parse_duel(FIGHT, BOOK)
    assert before is not None
    assert next_intent(before, question, BOOK) is None


def test_what_was_understood_is_told() -> None:
    told = fight("and if the druid had plate mail?").described
    assert "who wins: 4th level fighter (armor class 3, strength 16) or 7th level druid (plate mail)" == told
    assert "What is a level 9 thief's saving throw against breath?" == lookup("what about level 9?", SAVE).described


def test_a_question_that_goes_on_is_planned_as_what_it_means() -> None:
    first = ByRules(ROLL, BOOK).plan
    second = ByRules("and against a troll?", BOOK, after=(Turn(first),)).plan
    assert "roll to hit of 7th level cleric against troll" == second.understood
    assert ["troll armor class hit dice"] == [each.text for each in second.sub_queries]
    assert "and against a troll?" == second.question


def test_a_question_that_stands_alone_is_planned_as_if_it_were_the_first() -> None:
    question = "How does initiative work?"
    assert ByRules(question, BOOK).plan == ByRules(question, BOOK, after=(Turn(ByRules(FIGHT, BOOK).plan),)).plan


@example("0\\")
@given(st.text(max_size=200))
def test_no_text_breaks_a_conversation(text: str) -> None:
    for before in (parse_duel(FIGHT, BOOK), lookup_of(SAVE, BOOK)):
        assert before is not None
        after = next_intent(before, f"and {text}", BOOK)
        assert after is None or after.described
