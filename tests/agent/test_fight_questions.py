"""What a fight is asked about: who wins, who loses, and what no odds can count, on the bundled sample book."""

from __future__ import annotations

from typing import Any

import pytest

from agent.domains.combat.fighting.odds import Odds
from agent.domains.combat.fighting.reasoner import claim_of
from tests.kit import duel, fight, parse_duel, sample_book


@pytest.mark.parametrize(
    "question",
    [
        "Who is better at hitting AC 5, a 4th level fighter or a 4th level cleric?",
        "Who misses AC 5 more often, a 4th level fighter or a 4th level cleric?",
        "Who strikes AC 5 more easily, a 4th level fighter or a 4th level cleric?",
        "Who hits more often in combat, a 4th level fighter against AC 5 or a 4th level cleric against AC 5?",
        "In a battle, who needs a lower roll against AC 2: a 7th level thief or a 5th level cleric?",
        "Who saves against poison more often, a 4th level fighter with AC 3 or a 4th level cleric with AC 3?",
        "How many attacks per melee round does a level 9 fighter get?",
    ],
)
def test_a_question_about_a_roll_is_no_fight(question: str) -> None:
    assert parse_duel(question, sample_book().lexicon) is None


@pytest.mark.parametrize(
    ("question", "theirs", "of_all"),
    [
        ("Who wins: a blind owlbear or an orc?", {"owlbear": ("blind",)}, ()),
        ("Can my hasted level 4 fighter beat an orc?", {"fighter": ("hasted",)}, ()),
        ("Who wins: an orc or a sleeping owlbear?", {"owlbear": ("sleeping",)}, ()),
        ("Can a 5th level fighter with AC 4 beat an ogre underwater?", {}, ("underwater",)),
        ("Who wins at night: an owlbear or an orc?", {}, ("night",)),
        ("Can a prone level 4 fighter beat a stunned ogre?", {"fighter": ("prone",), "ogre": ("stunned",)}, ()),
        ("Who wins: an orc with surprise or a 2nd level thief with AC 6?", {"orc": ("surprise",)}, ()),
        ("Who wins: an orc or a 5th level cleric who casts a fireball?", {"cleric": ("casts a fireball",)}, ()),
        ("Can a 4th level fighter with AC 3 and his dog beat an ogre?", {"fighter": ("dog",)}, ()),
        ("Who wins: a 4th level fighter with AC 3 wielding two long swords or an ogre?", {"fighter": ("two",)}, ()),
        ("Can a level 5 fighter riding a moa in the rain beat orcs?", {"fighter": ("riding a moa in the rain",)}, ()),
    ],
)  # fmt: skip
def test_what_no_odds_count_is_told_with_whom_it_stands(
    question: str, theirs: dict[str, tuple[str, ...]], of_all: tuple[str, ...]
) -> None:
    asked = duel(question, sample_book())
    assert theirs == {who.subject: who.left_out for who in asked.combatants if who.left_out}
    assert of_all == asked.left_out


@pytest.mark.parametrize(
    "question",
    [
        "Please tell me the odds of a 5th level cleric in plate mail and shield beating an ogre",
        "Suppose a 4th level fighter wearing chain mail encounters an orc. Who is likely to survive?",
        "Who do you think would win in a fair fight to the death, a 4th level fighter with AC 3 or an owlbear?",
        "Say a level 6 thief (AC 5, dex 17, short sword) duels a level 3 fighter (AC 2, 18 strength). Who prevails?",
        "Can a 4th level fighter with AC 3 and a long sword +2 beat two orcs?",
        "My brother says that an owlbear can kill a 3rd level druid with AC 7. Do you reckon it can?",
    ],
)
def test_ordinary_words_are_not_told_to_be_left_out(question: str) -> None:
    asked = duel(question, sample_book())
    assert ((), [()] * 2) == (asked.left_out, [who.left_out for who in asked.combatants])


@pytest.mark.parametrize("opponent", ["an orc", "a gelatinous blob"])
def test_an_adjective_is_no_combatant(opponent: str) -> None:
    asked = duel(f"Would {opponent} beat a frightened 1st level fighter with AC 5?", sample_book())
    assert [opponent.split(" ", 1)[1], "1st level fighter"] == [who.name for who in asked.combatants]
    assert ("frightened",) == asked.combatants[1].left_out


@pytest.mark.parametrize(
    ("question", "counts"),
    [
        ("Two drunk orcs fight a 4th level fighter with AC 3: who wins?", [2, 1]),
        ("Who wins: three drunk orcs or an ogre?", [3, 1]),
        ("Two tired 2nd level clerics fight an ogre: who wins?", [2, 1]),
        ("A 4th level fighter with AC 3 drunk orcs fight?", [1, 1]),
    ],
)
def test_an_adjective_does_not_hide_how_many_there_are(question: str, counts: list[int]) -> None:
    assert counts == [who.count for who in duel(question, sample_book()).combatants]


def test_what_is_left_out_is_in_the_working() -> None:
    finding = fight("Who wins: a blind owlbear or an orc, underwater?", sample_book()).finding
    assert "the odds leave out: blind (of owlbear), underwater" in [step.text for step in finding.steps]


@pytest.mark.parametrize(
    "question",
    [
        "Who wins if the owlbear is asleep: an owlbear or an orc?",
        "If the orc has AC 4, who wins: an owlbear or an orc?",
        "Who wins, an owlbear or an orc, if the owlbear is asleep?",
    ],
)
def test_the_one_is_he_who_is_named_as_one(question: str) -> None:
    assert {"owlbear", "orc"} == {who.name for who in duel(question, sample_book()).combatants}


def test_what_is_said_ahead_is_said_of_him() -> None:
    asked = duel("If the ogre has AC 4, can a 1st level thief with AC 8 beat an ogre?", sample_book())
    assert {"ogre": 4, "1st level thief": 8} == {who.name: who.armor_class for who in asked.combatants}


@pytest.mark.parametrize(
    ("question", "asks_loser"),
    [
        ("Who is more likely to win: an owlbear or an orc?", False),
        ("Who is less likely to win: an owlbear or an orc?", True),
        ("Who has the smaller chance of winning, an owlbear or an orc?", True),
        ("Who loses: an owlbear or an orc?", True),
        ("An owlbear fights an orc. Who is likely to lose?", True),
        ("Who is less likely to lose: an owlbear or an orc?", False),
        ("Who loses the fight, an ogre, an owlbear or an orc?", True),
    ],
)
def test_it_is_known_whether_the_winner_or_the_loser_is_asked_for(question: str, asks_loser: bool) -> None:
    assert asks_loser == duel(question, sample_book()).asks_loser


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Who is more likely to win: an owlbear or an orc?", "owlbear"),
        ("Who loses: an owlbear or an orc?", "orc"),
        ("Who loses the fight, an ogre, an owlbear or an orc?", "orc"),
    ],
)
def test_the_loser_is_the_verdict_where_he_is_asked_for(question: str, verdict: str) -> None:
    finding = fight(question, sample_book()).finding
    assert (verdict, "owlbear") == (finding.verdict, finding.values["winner"])
    assert verdict in finding.claim


@pytest.mark.parametrize("person", ["fighter", "druid"])
def test_what_the_question_does_not_say_is_asked_of_the_asker(person: str) -> None:
    needs = {need.need for need in fight("Who wins: a fighter or a druid?", sample_book()).needs}
    assert {f"the {what} of {person}, which the question does not say" for what in ("level", "armor class")} <= needs


@pytest.mark.parametrize(
    "question",
    ["Who wins: a -2 level fighter with AC 3 or an orc?", "Who wins: a 4th level fighter or a gelatinous blob?"],
)
def test_what_is_null_has_a_need(question: str) -> None:
    result = fight(question, sample_book())
    needs = " / ".join(need.need for need in result.needs)
    for side in result.finding.values["combatants"]:
        assert side["armor_class"] is not None or f"the armor class of {side['name']}" in needs
        assert side["average_hit_points"] is not None or "hit points of" in needs or "hit dice of" in needs


@pytest.mark.parametrize(
    ("odds", "claim"),
    [
        (Odds(0.4996, 0.492, 0.0084), "It is about even: the hound wins with 49.96%, the elk wins with 49.20%."),
        (Odds(0.6, 0.39, 0.01), "The hound is more likely to win, with a probability of 60.0%."),
    ],
)
def test_odds_that_are_about_even_are_said_to_be(odds: Odds, claim: str) -> None:
    assert claim == claim_of(["hound", "elk"], [1, 1], odds, "hound", loser=False)


def test_one_hit_point_is_one() -> None:
    finding: Any = fight(
        "Who wins: an orc with 1 hit point or a 4th level fighter with AC 3 and 20 hp?", sample_book()
    ).finding
    assert "orc has 1 hit point, as the question says" in [step.text for step in finding.steps]


@pytest.mark.parametrize("mount", ["5th level fighter riding an owlbear", "fighter of 5th level mounted on an owlbear"])
def test_what_a_combatant_rides_is_not_the_combatant(mount: str) -> None:
    asked = duel(f"Who wins: a {mount} or a 5th level cleric?", sample_book())
    assert [("fighter", 5), ("cleric", 5)] == [(who.subject, who.level) for who in asked.combatants]
    assert any("owlbear" in left_out for left_out in asked.combatants[0].left_out)
