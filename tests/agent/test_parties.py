"""Several against several: who stands together, and odds that a simulation and the odds of a duel bear out."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from agent.domains.combat.fighting.odds import Fighter, group_odds, is_feasible
from agent.domains.combat.totals import exactly, rolled_points, total
from agent.domains.combat.types import Duel
from agent.reasoning.values.dice import Dice
from agent.understanding.words.lexicon import Lexicon
from retrieval.text.normal import title_key
from tests.agent.test_crowds import BEASTS
from tests.kit import alike, fight, parse_duel

NAMES = ("knights", "priests", "Troll", "Kiln Ogre", "Soot Goblin")
KNOWN = Lexicon({title_key(name): name for name in NAMES})
SOLDIER = Fighter(rolled_points(1, 6, 0), 0.5, (total(Dice(1, 6)),))
BRUTE = Fighter(rolled_points(2, 6, 0), 0.4, (total(Dice(1, 8)),))


def parsed(question: str) -> Duel:
    duel = parse_duel(question, KNOWN)
    assert duel is not None
    return duel


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("A 4th level knight and a 3rd level priest against a troll: who wins?", ((0, 1), (2,))),
        ("Who wins, a troll or a 4th level knight and a 3rd level priest?", ((0,), (1, 2))),
        (
            "Can a knight of 4th level, a priest of 3rd level and a priest of 5th level beat two trolls?",
            ((0, 1, 2), (3,)),
        ),
        ("A troll and a kiln ogre fight a 4th level knight and a 4th level priest", ((0, 1), (2, 3))),
        ("Who wins: a troll, a kiln ogre or a 4th level knight?", ()),
        ("Which of a troll, a kiln ogre and a soot goblin would win a fight?", ()),
        ("A 4th level knight and a troll fight. Who wins?", ()),
    ],
)
def test_who_stands_together_is_told_by_what_stands_between(question: str, sides: tuple[tuple[int, ...], ...]) -> None:
    assert sides == parsed(question).sides


@pytest.mark.parametrize(
    ("question", "subjects"),
    [
        ("A 4th level knight and a 4th level priest versus a flumph", ["knight", "priest", "flumph"]),
        ("A 4th level knight with AC 3 and a gelatinous blob against a troll", ["knight", "gelatinous blob", "troll"]),
        ("A 4th level knight with a spear and a lantern against a troll", ["knight", "troll"]),
        ("Who wins a fair fight: a 4th level knight, AC 3, or a troll?", ["knight", "troll"]),
    ],
)
def test_one_whom_the_book_does_not_know_is_not_left_out(question: str, subjects: list[str]) -> None:
    assert subjects == [who.subject for who in parsed(question).combatants]


@pytest.mark.parametrize(
    ("question", "counts"),
    [
        ("three 2nd level knights with AC 4 versus two trolls", [3, 2]),
        ("A party of four 2nd level knights in chain mail against two kiln ogres", [4, 2]),
        ("Two 4th level knights against a troll: who wins?", [2, 1]),
        ("2 level 3 priests vs 1 level 6 knight with AC 2", [2, 1]),
        ("Can a lone 8th level knight with AC 0 hold off six soot goblins?", [1, 6]),
        ("Could 20 soot goblins bring down a 6th level knight with AC 3?", [20, 1]),
        ("Do three trolls beat one dread bear?", [3, 1]),
    ],
)
def test_how_many_fight_is_read_with_and_without_a_level(question: str, counts: list[int]) -> None:
    assert counts == [who.count for who in parsed(question).combatants]


def simulated(a: Fighter, count_a: int, b: Fighter, count_b: int, runs: int = 4000) -> float:
    """How often side a is left standing, by rolling the dice of the model."""
    random, wins = np.random.default_rng(11), 0

    def roll(distribution: object) -> int:
        return int(random.choice(len(distribution), p=distribution))  # type: ignore[arg-type, call-overload]

    def strike(times: int, by: Fighter, foes: list[int]) -> None:
        for _ in range(times):
            if foes and random.random() < by.hit_probability:
                foes[0] -= roll(by.damage[0])
                if foes[0] <= 0:
                    foes.pop(0)

    for _ in range(runs):
        ours = [roll(a.hit_points) for _ in range(count_a)]
        theirs = [roll(b.hit_points) for _ in range(count_b)]
        while ours and theirs:
            mine, other = random.integers(1, 7, 2)
            first, second = len(ours), len(theirs)
            if mine >= other:
                strike(first, a, theirs)
                strike(second if mine == other else len(theirs), b, ours)
            else:
                strike(second, b, ours)
                strike(len(ours), a, theirs)
        wins += bool(ours)
    return wins / runs


@pytest.mark.parametrize(("count_a", "count_b"), [(2, 2), (3, 2), (4, 3), (1, 3)])
def test_odds_of_two_sides_agree_with_a_simulation(count_a: int, count_b: int) -> None:
    odds = group_odds(*alike(SOLDIER, count_a, BRUTE, count_b))
    assert simulated(SOLDIER, count_a, BRUTE, count_b) == pytest.approx(odds.first, abs=0.03)


def test_swapping_sides_swaps_their_odds() -> None:
    odds, other = group_odds(*alike(SOLDIER, 4, BRUTE, 2)), group_odds(*alike(BRUTE, 2, SOLDIER, 4))
    assert (odds.first, odds.second, odds.both) == pytest.approx((other.second, other.first, other.both), abs=1e-9)


def test_two_unlike_members_are_counted_by_hand() -> None:
    """Everyone has 1 hit point and always hits, but the first of the two can't hit the foe.

    In the first round the second fells the foe, whoever begins: the foe's one blow is spent on the first.
    """
    foe = (Fighter(exactly(1), 1.0, (exactly(1),)),) * 2
    pair = [(Fighter(exactly(1), chance, (exactly(1),)),) for chance in (0.0, 1.0)]
    odds = group_odds(pair, [foe])
    assert 1.0 == pytest.approx(odds.first)
    assert 1.0 == pytest.approx(odds.rounds)


def test_who_strikes_every_other_round_is_followed_to_the_end() -> None:
    slow = Fighter(exactly(3), 1.0, (exactly(1),), Fraction(1, 2))
    odds = group_odds(*alike(slow, 2, slow, 2))
    assert 0.0 == pytest.approx(odds.unresolved, abs=1e-9)
    assert odds.first == pytest.approx(odds.second)


def test_what_can_not_be_followed_in_time_is_refused_before_it_is_begun() -> None:
    assert not is_feasible(*alike(BRUTE, 10_000, SOLDIER, 10_000))
    assert is_feasible(*alike(BRUTE, 10, SOLDIER, 10))


def test_several_against_several_are_computed_and_the_model_says_how() -> None:
    values = fight("Who wins: 3 imps or 2 bog cats?", BEASTS).finding.values
    imps, cats = values["combatants"]
    assert 1.0 == pytest.approx(
        imps["win_probability"] + cats["win_probability"] + values["draw_probability"], abs=1e-5
    )
    assert "2 bog cats" == values["winner"]
    assert "each side at the foremost of the other" in values["model"]


def test_help_makes_a_side_more_likely_to_win() -> None:
    alone = fight("Who wins: a 4th level reaver with AC 3 or a marsh giant?", BEASTS).finding.values
    helped = fight("A 4th level reaver with AC 3 and a bog cat against a marsh giant: who wins?", BEASTS).finding
    assert alone["combatants"][0]["win_probability"] < helped.values["sides"][0]["win_probability"]
    assert ["4th level reaver and bog cat", "marsh giant"] == [side["name"] for side in helped.values["sides"]]


def test_what_differs_from_foe_to_foe_is_null_and_told_in_the_steps() -> None:
    finding = fight("A 4th level reaver with AC 3 and a bog cat against a marsh giant: who wins?", BEASTS).finding
    reaver, cat, giant = finding.values["combatants"]
    assert (12, 13, None) == (reaver["to_hit"], cat["to_hit"], giant["to_hit"])
    told = [step.text for step in finding.steps]
    assert {"marsh giant needs 13 to hit armor class 3", "marsh giant needs 10 to hit armor class 6"} <= set(told)
    assert any(text.startswith("exact odds: 4th level reaver and bog cat") for text in told)


def test_a_side_whose_facts_are_missing_gets_no_verdict() -> None:
    result = fight("A 4th level reaver with AC 3 and a basilisk against a marsh giant: who wins?", BEASTS)
    assert result.finding.verdict is None
    assert {None} == {side["win_probability"] for side in result.finding.values["sides"]}
    assert any("basilisk" in need.need for need in result.needs)


def test_more_than_can_be_computed_is_said() -> None:
    result = fight("Who wins: 400 imps or 300 bog cats?", BEASTS)
    assert result.finding.verdict is None
    assert any("more than can be computed exactly" in need.need for need in result.needs)
