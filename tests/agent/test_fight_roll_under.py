"""A book that rolls under: a blow hits where a d20 shows no more than a skill, less the armor of the one struck at."""

from __future__ import annotations

import pytest

from agent.domains.combat.fighting.odds import hit_probability
from tests.kit import book, combatants, fight

RULES = """# Fighting

To strike a blow, roll a d20: the blow hits if the roll is equal to or less than the fighting skill less the armour \
class of the foe. The higher the armour class, the better.

# Pikeman

Pikemen roll a d8 for hit points and have one hit die per level.

| Level | Hit Dice | Fighting Skill |
|---|---|---|
| 1 | 1 | 11 |
| 3 | 3 | 13 |

# Weapons

| Weapon | Damage |
|---|---|
| Pike | 1d8 |
| Long sword | 1d8 |

# Fen Drake

|||
|---|---|
| Armor Class | 4 |
| Hit Dice | 2 |
| Fighting Skill | 12 |
| Attacks | 1 |
| Damage | 1d6 |
"""
BOOK = book(RULES)
ASKED = "Who wins: a 3rd level pikeman with AC 2 and a pike or a fen drake?"


def test_a_skill_less_the_armor_of_the_foe_is_the_highest_roll_that_hits() -> None:
    pikeman, drake = combatants(ASKED, BOOK)
    assert [(13 - 4) / 20, (12 - 2) / 20] == [pikeman["hit_probability"], drake["hit_probability"]]
    assert hit_probability(pikeman["to_hit"]) == pikeman["hit_probability"]


def test_the_working_says_what_is_rolled() -> None:
    result = fight(ASKED, BOOK)
    told = "hits on 9 or less, its fighting skill of 13 less armor class 4: as likely as 12 or more"
    assert [] == [need.need for need in result.needs]
    assert any(told in step.text for step in result.finding.steps)


@pytest.mark.parametrize("without", ["equal to or less than", "roll a d20:"])
def test_a_skill_is_not_rolled_under_where_the_book_does_not_say_so(without: str) -> None:
    result = fight(ASKED, book(RULES.replace(without, "")))
    assert result.finding.verdict is None
    assert any("fighting skill" in need.need for need in result.needs)
