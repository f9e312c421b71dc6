"""One fight in many wordings, none of which has a verb that decides: two who are described, and nothing else asked."""

from __future__ import annotations

import pytest

from agent.domains.combat.types import Duel
from agent.understanding.question.intent import Lookup
from tests.kit import duel, fight, sample_book, understand


@pytest.mark.parametrize(
    "question",
    [
        "A 4th level fighter with AC 3 squared up to a 7th level druid with AC 9. Who is still breathing afterwards?",
        "A level 4 fighter (armor class 3) and a level 7 druid (armor class 9) come to grips; who lives?",
        "Which is the stronger: a fighter of the fourth level in armor class 3, or a druid of the seventh in class 9?",
        "Simulate a 4th-level fighter, AC 3, versus a 7th-level druid, AC 9.",
        "Place your bets: level 4 fighter, AC 3. Level 7 druid, AC 9.",
        "My money is on the 4th level fighter (AC 3) rather than the 7th level druid (AC 9). Am I right?",
        "fighter lvl 4 AC 3, druid lvl 7 AC 9",
        "Fighter 4, AC3 / Druid 7, AC9",
        "An AC 3, 4th-level fighter bumps into an AC 9, 7th-level druid in an alley. How does that go?",
        "Ftr 4 (AC 3) x Drd 7 (AC 9): result?",
        "Who'd eat whose lunch, the AC 9 level 7 druid or the AC 3 level 4 fighter?",
        "A druid of level seven wearing AC 9 and a fighter of level four wearing AC 3. Only one leaves the pit.",
        "Give me the likelier survivor of 4th level fighter AC 3 and 7th level druid AC 9",
        "Fighter: level 4, armour class 3. Druid: level 7, armour class 9. Go!",
        "Should I be more afraid of a fighter (L4, AC3) or a druid (L7, AC9)?",
        "In the red corner, a fighter, 4th level, AC 3; in the blue corner, a druid, 7th level, AC 9",
        "Resolve this: 7th level druid AC 9 and 4th level fighter AC 3 will not let each other pass.",
        "Two heroes quarrel. The first is a fighter of level 4 with AC 3, the second a druid of level 7 with AC 9.",
        "Whom would the gods of war smile upon, a fourth-level fighter in AC 3 or a seventh-level druid in AC 9?",
        "a level 4 AC 3 fighter, a level 7 AC 9 druid, one arena",
        "If a 7th level druid of armour class 9 annoyed a 4th level fighter of armour class 3, who would regret it?",
        "What becomes of a 7th level druid (AC 9) that a 4th level fighter (AC 3) has it in for?",
        "Is a 4th level fighter with AC 3 a match for, or rather more than, a 7th level druid with AC 9?",
        "Let a 4th level, AC 3 fighter and a 7th level, AC 9 druid sort it out with fists and clubs.",
        "- fighter: lvl 4, ac 3\n- druid: lvl 7, ac 9\nwho has the upper hand?",
    ],
)  # fmt: skip
def test_two_who_are_described_are_a_fight_in_any_wording(question: str) -> None:
    asked = duel(question, sample_book())
    described = {who.subject: (who.level, who.armor_class) for who in asked.combatants}
    assert ({"fighter": (4, 3), "druid": (7, 9)}, ()) == (described, asked.uncounted)


@pytest.mark.parametrize(
    "question",
    [
        "Which has more hit points, a 4th level fighter with AC 3 or a 7th level druid with AC 9?",
        "Which of a 4th level fighter and a 7th level druid needs more experience points?",
        "Does a 4th level fighter or a 7th level druid have the better saving throw against poison?",
        "A 4th level fighter and a 7th level druid: how many attacks per round does each get?",
        "Who rolls the bigger hit die, a level 4 fighter with AC 3 or a level 7 druid with AC 9?",
        "What do a 4th level fighter and a 7th level druid need to hit AC 3?",
        "Compare the experience points of a level 4 fighter and a level 7 druid.",
        "Which armor may a fighter wear that a druid may not?",
        "Is a fighter's THAC0 lower at level 4 than a druid's at level 7?",
        "List the saving throws of a level 4 fighter and a level 7 druid",
        "How many rounds does an ogre need to kill a 4th level fighter with AC 3?",
        "Which monster would a 4th level fighter with AC 3 lose to?",
    ],
)
def test_two_who_are_asked_for_a_measure_are_none(question: str) -> None:
    assert not isinstance(understand(question, sample_book()), Duel)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("A 4th level fighter fights a 7th level druid. AC 5. Who wins?", ("5",)),
        ("Who wins, a 4th level fighter with AC 3 and AC 9 or a 7th level druid with AC 9?", ("9",)),
        ("Who wins, a 4th level fighter with AC 3 or a 7th level druid with AC 9 who carries 3 torches?", ("3",)),
        ("Who wins, a fighter 4/thief 5 with AC 3 or an ogre?", ("5",)),
        ("A 4th level fighter with AC 3, who has lost 10 hit points, fights an ogre. Who wins?", ("10",)),
        ("A 4th level fighter at half hit points with AC 3 against an orc, who wins?", ("half",)),
    ],
)
def test_a_number_that_may_be_anybodys_or_is_nobodys_decides_nothing(question: str, told: tuple[str, ...]) -> None:
    result = fight(question, sample_book())
    assert (told, None) == (duel(question, sample_book()).uncounted, result.finding.verdict)


def test_as_many_numbers_as_combatants_are_theirs_in_their_order() -> None:
    asked = duel("A 4th level fighter fights a 7th level druid. AC 3 and AC 9. Who wins?", sample_book())
    assert ([3, 9], ()) == ([who.armor_class for who in asked.combatants], asked.uncounted)


def test_a_number_of_a_measure_counts_nobody() -> None:
    asked = duel("An AC 3 level 4 fighter, 16 strength, takes on an AC 9 level 7 druid.", sample_book())
    fighter, druid = asked.combatants
    assert ((3, 1, {"strength": "16"}), (9, 1, {})) == (
        (fighter.armor_class, fighter.count, fighter.abilities),
        (druid.armor_class, druid.count, druid.abilities),
    )
    assert () == asked.uncounted


def test_what_one_is_told_to_have_is_not_given_to_a_creature_because_another_has_none() -> None:
    asked = duel("Who wins, a 2nd level fighter in plate mail, a 5th level thief with AC 6 or an ogre?", sample_book())
    assert [None, 6, None] == [who.armor_class for who in asked.combatants]


@pytest.mark.parametrize(
    "question",
    [
        "How many hit points does a 4th level fighter with AC 3 lose against an ogre?",
        "A 4th level fighter with AC 3 kills an ogre. What happens to his experience?",
    ],
)
def test_a_measure_that_is_asked_for_is_no_fight(question: str) -> None:
    assert not isinstance(understand(question, sample_book()), Duel)


@pytest.mark.parametrize(
    "question",
    [
        "Who hits harder, an ogre or a troll?",
        "Who strikes first, an orc or a 4th level fighter?",
        "How many rounds would an ogre need to kill a 4th level fighter with AC 3?",
    ],
)
def test_what_is_no_roll_to_hit_is_not_read_as_one(question: str) -> None:
    assert isinstance(understand(question, sample_book()), Lookup)


def test_each_of_several_who_are_chosen_from_fights_alone() -> None:
    asked = "Of a 4th level fighter with AC 3 and a 5th level thief with AC 6, who beats an ogre?"
    assert () == duel(asked, sample_book()).sides


def test_gear_behind_a_level_is_no_name() -> None:
    fighter, druid = duel("fighter lvl 4 plate mail shield vs druid lvl 7 AC 9 who wins", sample_book()).combatants
    assert ("4th level fighter", "plate mail shield", "7th level druid") == (fighter.name, fighter.armor, druid.name)


def test_a_people_is_no_weapon() -> None:
    asked = "A dwarf fighter of level 4 with AC 3 vs an elf magic-user of level 6 with AC 8"
    assert [None, None] == [who.weapon for who in duel(asked, sample_book()).combatants]


def test_facts_lead_one_whose_level_follows() -> None:
    asked = (
        "With a mace, strength 15 and AC 4, a druid who is only 3rd level meets a thief with a dagger, strength 11 and "
        "AC 6 who is 9th level. Who has the upper hand?"
    )
    druid, thief = duel(asked, sample_book()).combatants
    assert [(3, 4, "15"), (9, 6, "11")] == [
        (who.level, who.armor_class, who.abilities["strength"]) for who in (druid, thief)
    ]


def test_what_is_short_for_a_class_is_told() -> None:
    steps = [step.text for step in fight("Ftr 4 AC 3 vs MU 7 AC 9", sample_book()).finding.steps]
    assert {"assumed: ftr is short for fighter", "assumed: mu is short for magic user"} <= set(steps)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("An ogre, a troll or an owlbear: who wins a free-for-all?", ["ogre", "troll", "owlbear"]),
        ("A grue against a 4th level fighter with AC 3: who wins?", ["grue", "4th level fighter"]),
        ("Three grues vs an ogre", ["3 grues", "ogre"]),
    ],
)
def test_what_one_wins_is_no_opponent_and_a_stranger_may_come_first(question: str, names: list[str]) -> None:
    assert names == [who.name for who in duel(question, sample_book()).combatants]


@pytest.mark.parametrize(
    "question",
    [
        "Two 5th level fighters, one with AC 2 and one with AC 5. Who wins?",
        "Two 5th level fighters fight: one has AC 2, the other AC 5.",
    ],
)
def test_one_and_one_are_two_of_a_kind_told_apart(question: str) -> None:
    asked = duel(question, sample_book())
    names = [f"5th level fighter with armor class {armor_class}" for armor_class in (2, 5)]
    assert (names, ()) == ([who.name for who in asked.combatants], asked.uncounted)


def test_a_pack_of_so_many_is_nobody_besides_them() -> None:
    asked = duel("Who'd survive: a 7th level druid with AC 9 or a pack of five wolves?", sample_book())
    assert ["7th level druid", "5 wolves"] == [who.name for who in asked.combatants]


def test_the_odds_that_are_asked_for_are_nothing_that_the_odds_leave_out() -> None:
    asked = duel("If a 2nd level fighter with AC 6 met three goblins, what are the odds?", sample_book())
    assert [()] * 2 == [who.left_out for who in asked.combatants]
