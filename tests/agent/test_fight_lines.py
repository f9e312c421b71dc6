"""Fights over books that tell attacks line by line: a bonus to hit, and armor classes of which the higher is better."""

from __future__ import annotations

import pytest

from agent.domains.combat import totals
from agent.domains.combat.fighting.odds import Fighter, duel_odds, hit_probability
from agent.planning.rules import recognised
from agent.reasoning import reason
from agent.reasoning.values import dice as d
from agent.types import Reasoned
from agent.understanding.words.lexicon import Lexicon
from retrieval.catalogs.catalog import Catalog
from retrieval.ingest.read import read_sources
from retrieval.types import Chunk
from tests.kit import book, fight

BOOK = """# Gloom Stag

*Large beast*

**Armor Class** 13 (thick hide)

**Hit Points** 22 (4d8+4)

**Speed** 50 ft.

***Night Eyes***. The stag sees in the dark as well as others do in the light of day.

### Actions

***Antlers***. *Melee Weapon Attack:* +5 to hit, reach 5 ft., one target. *Hit:* 8 (1d10+3) piercing damage.

***Hooves***. *Melee Weapon Attack:* +5 to hit, reach 5 ft., one target. *Hit:* 6 (1d6+3) bludgeoning damage.

# Mire Crab (Shore)

**Armor Class** 15 (shell)

**Hit Points** 26 (4d8+8)

**Speed** 20 ft.

### Actions

***Multiattack***. The crab may hide first. It then makes two attacks with its claws.

***Claw***. *Melee Weapon Attack:* +4 to hit, reach 5 ft., one target. *Hit:* 5 (1d6+2) damage plus 2 (1d4) poison.

# Ash Wisp

**Armor Class** 12

**Hit Points** 9 (2d8)

**Speed** 0 ft.

### Actions

***Multiattack***. The wisp makes as many attacks as it has foes.

***Spark***. *Melee Spell Attack:* +4 to hit, reach 5 ft., one target. *Hit:* 3 (1d6) fire damage.
"""


@pytest.fixture(scope="module")
def chunks(tmp_path_factory: pytest.TempPathFactory) -> list[Chunk]:
    path = tmp_path_factory.mktemp("lines") / "beasts.md"
    path.write_text(BOOK, encoding="utf-8")
    return list(read_sources([path]).chunks)


def fought(question: str, chunks: list[Chunk]) -> Reasoned:
    return reason(recognised(question, Lexicon.from_catalog(Catalog.from_chunks(chunks))), chunks)


def steps(found: Reasoned) -> list[str]:
    return [step.text for step in found.finding.steps]


def test_the_odds_are_exact(chunks: list[Chunk]) -> None:
    found = fought("Who wins, a gloom stag or a mire crab?", chunks)
    stag = Fighter(
        totals.total(d.Dice(4, 8, 4)), hit_probability(15 - 5), (totals.total(d.Dice(1, 10, 3), at_least=1),)
    )
    claw = totals.total(d.Dice(1, 6, 2), at_least=1)
    crab = Fighter(totals.total(d.Dice(4, 8, 8)), hit_probability(13 - 4), (claw, claw))
    odds = duel_odds(stag, crab)
    values = found.finding.values["combatants"]
    assert ([10, 9], [13, 15]) == ([side["to_hit"] for side in values], [side["armor_class"] for side in values])
    assert [round(odds.first, 6), round(odds.second, 6)] == [side["win_probability"] for side in values]
    assert not found.needs


def test_each_number_is_cited(chunks: list[Chunk]) -> None:
    found = fought("Who wins, a gloom stag or a mire crab?", chunks)
    quotes = {citation.n: citation.quote for citation in found.citations}
    cited = {step.text: [quotes[n] for n in step.cites] for step in found.finding.steps}
    assert ["Hit Points = 22 (4d8+4)"] == cited["gloom stag has 22 (4d8+4) hit points, 22 where they are rolled"]
    (line,) = cited["mire crab attacks with Claw at +4 for 1d6+2"]
    assert line.startswith("Claw: Melee Weapon Attack: +4 to hit")


def test_without_a_routine_the_attack_that_does_most_is_assumed(chunks: list[Chunk]) -> None:
    told = steps(fought("Who wins, a gloom stag or a mire crab?", chunks))
    assert "assumed: gloom stag attacks with what does most damage, Antlers" in told


def test_what_no_odds_count_is_told(chunks: list[Chunk]) -> None:
    told = steps(fought("Who wins, a gloom stag or a mire crab?", chunks))
    assert "not counted for gloom stag: Night Eyes" in told
    assert "not counted for mire crab: what else its Claw does" in told


def test_a_routine_that_can_not_be_read_is_a_need_and_no_verdict(chunks: list[Chunk]) -> None:
    found = fought("Who wins, an ash wisp or a mire crab?", chunks)
    assert (None, ["how often the ash wisp attacks in a round"]) == (
        found.finding.verdict,
        [need.need for need in found.needs],
    )


def test_a_roll_to_hit_is_the_armor_class_less_the_bonus(chunks: list[Chunk]) -> None:
    found = fought("What does a mire crab need to roll to hit armor class 18?", chunks)
    assert ("14", []) == (found.finding.verdict, list(found.needs))


PENS = book("""# Beast Pens

A higher armor class is better: an attack hits when d20 and its bonus reach it.

## Reed Viper

**Armor Class** 12

**Hit Points** 2 (1d4)

***Bite***. *Melee Weapon Attack:* +4 to hit, reach 5 ft., one target. *Hit:* 1 piercing damage plus 7 (2d6) poison.

## Clay Warden

**Armor Class** 14

**Hit Points** 20

***Multiattack***. The warden makes two melee attacks.

***Fist***. *Melee Weapon Attack:* +5 to hit, reach 5 ft., one target. *Hit:* 5 (1d6+2) bludgeoning damage.

***Maul***. *Melee Weapon Attack:* +5 to hit, reach 5 ft., one target. *Hit:* 9 (2d6+2) bludgeoning damage.

## Barrow Knight

**Armor Class** 14

**Hit Points** 20

***Multiattack***. It makes two blade attacks or two bow attacks. Its Chill may come in place of one blade attack.

***Grave Blade (Mounted Only)***. *Melee Weapon Attack:* +5 to hit, reach 5 ft., one target. *Hit:* 7 (1d10+2) damage.

***Bow***. *Ranged Weapon Attack:* +5 to hit, range 60 ft., one target. *Hit:* 6 (1d8+2) damage.

## Ember Jinn

**Armor Class** 14

**Hit Points** 20

***Multiattack***. The jinn makes two sabre attacks or uses its Flame Bolt twice.

***Sabre***. *Melee Weapon Attack:* +5 to hit, reach 5 ft., one target. *Hit:* 7 (1d10+2) slashing damage.

***Flame Bolt***. *Ranged Spell Attack:* +7 to hit, range 60 ft., one target. *Hit:* 10 (3d6) fire damage.
""")


def test_damage_that_is_not_rolled_is_read_and_what_comes_behind_it_is_told_to_be_left_out() -> None:
    found = fight("Who wins, a reed viper or a clay warden?", PENS)
    assert [1.0, 9.0] == [side["average_damage"] for side in found.finding.values["combatants"]]
    assert "not counted for reed viper: what else its Bite does" in steps(found)


@pytest.mark.parametrize(
    ("creature", "attacks", "damage"),
    [("clay warden", 2, 9.0), ("ember jinn", 2, 7.5)],
)
def test_of_attacks_that_a_routine_leaves_open_the_one_that_does_most_is_made(
    creature: str, attacks: int, damage: float
) -> None:
    side = fight(f"Who wins, a {creature} or a reed viper?", PENS).finding.values["combatants"][0]
    assert (attacks, damage) == (side["attacks_per_round"], side["average_damage"])


def test_what_a_routine_allows_in_place_of_an_attack_is_told_and_not_added() -> None:
    found = fight("Who wins, a barrow knight or a reed viper?", PENS)
    side = found.finding.values["combatants"][0]
    assert (2, 7.5) == (side["attacks_per_round"], side["average_damage"])
    assert "not counted for barrow knight: what else its Multiattack allows" in steps(found)
