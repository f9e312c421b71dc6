"""A book that calls everything otherwise is fought over by one file of words, and no code.

Both denizens roll their Vigor once; the odds are those that `agent.domains.combat.fighting.odds` gives for the numbers
that are read from the book by hand.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from agent.domains.combat.fighting.odds import Fighter, duel_odds, hit_probability
from agent.domains.combat.totals import total
from agent.reasoning.values.dice import Dice
from tests.extending.conftest import Site, site_in

VOCABULARY = """
stat_lines = [["armor class", "hit points"]]
synonyms = [["attacks", "blows"], ["damage", "harm"]]

[[terms]]
name = "armor class"
forms = ["guard"]

[[terms]]
name = "hit points"
forms = ["vigor"]

[[terms]]
name = "attack bonus"
forms = ["strike"]
"""
BOOK = """
# Marrowgate

## Making a Blow

Roll a d20 and add your Strike. The blow lands when the total is equal to or above the Guard of the foe.

## Denizens

| Denizen | Guard | Vigor | Strike | Blows | Harm |
|---|---|---|---|---|---|
| Fen stalker | 13 | 3d8 | +4 | 1 | 1d8+1 |
| Ash knave | 11 | 2d6 | +2 | 2 | 1d4 |
| Lamp eater | 15 | 1d6 | +1 | 1 | 1d10 |
"""


@pytest.fixture(scope="module")
def marrowgate(tmp_path_factory: pytest.TempPathFactory) -> Site:
    site = site_in(tmp_path_factory.mktemp("marrowgate"))
    site.declare("versus-marrowgate", "versus.vocabularies", "marrowgate", "marrowgate")
    (site.folder / "marrowgate").mkdir()
    (site.folder / "marrowgate" / "vocabulary.toml").write_text(VOCABULARY)
    (site.work / "marrowgate.md").write_text(BOOK)
    done = site.versus("ingest", "marrowgate.md")
    assert 0 == done.returncode, done.stderr
    return site


def fought(site: Site, question: str) -> dict[str, Any]:
    answer = json.loads(site.versus("ask", question, "--planner", "rules", "--json").stdout)
    assert "complete" == answer["stop_reason"], answer["text"]
    (finding,) = answer["findings"]
    values: dict[str, Any] = finding["values"]
    return values


@pytest.mark.slow
def test_a_fight_in_the_words_of_another_book_comes_out_exactly(marrowgate: Site) -> None:
    stalker = Fighter(total(Dice(3, 8)), hit_probability(11 - 4), (total(Dice(1, 8, 1)),), Fraction(1))
    knave = Fighter(total(Dice(2, 6)), hit_probability(13 - 2), (total(Dice(1, 4)),) * 2, Fraction(1))
    odds = duel_odds(stalker, knave)

    sides = fought(marrowgate, "Who wins, a fen stalker or an ash knave?")["combatants"]

    assert [(13, 7, 13.5), (11, 11, 7.0)] == [
        (side["armor_class"], side["to_hit"], side["average_hit_points"]) for side in sides
    ]
    assert [odds.first, odds.second] == pytest.approx([side["win_probability"] for side in sides], abs=1e-6)


@pytest.mark.slow
def test_what_the_question_says_in_the_words_of_the_book_counts(marrowgate: Site) -> None:
    knave, eater = fought(marrowgate, "ash knave with Guard 12 and 9 Vigor versus a lamp eater")["combatants"]

    assert (12, 9.0, 13) == (knave["armor_class"], knave["average_hit_points"], knave["to_hit"])
    assert (15, 11) == (eater["armor_class"], eater["to_hit"])
