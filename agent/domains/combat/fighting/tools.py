"""A tool for models: the odds of a duel whose numbers are all known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from pydantic import BaseModel, Field

from agent.domains.combat import totals
from agent.domains.combat.fighting.odds import Fighter, duel_odds, hit_probability
from agent.plugins.domain import Brief, Computed, ModelTool
from agent.reasoning.values import dice as d

_DICE = frozenset({"0", "1", "2", "3", "4", "6", "8", "10", "12", "20", "100"})
"""Numbers that need no source: the common dice, and no bonus."""
_MOST_POINTS, _MOST_DAMAGE = 500, 200
"""Most hit points of a side, and most damage of one attack."""
_RATE = re.compile(r"([1-9]|10)(?:/([1-9]|10))?")


class SideArguments(BaseModel):
    """One side of a duel: hit points such as `4d10+4` or `23`, the d20 roll it needs and its bonus, the damage of each
    attack such as `1d8+1`, and attacks a round such as `3/2`."""

    hit_points: Brief
    needs: int = Field(ge=-100, le=200)
    bonus: int = Field(default=0, ge=-100, le=100)
    damage: list[Brief] = Field(min_length=1, max_length=12)
    attacks_per_round: Brief = "1"


class OddsArguments(BaseModel):
    """The two sides of a duel."""

    first: SideArguments
    second: SideArguments


def _sourced(asked: OddsArguments) -> Iterator[str]:
    """Yield the texts whose numbers need a source."""
    for side in (asked.first, asked.second):
        yield from (side.hit_points, str(side.needs), str(side.bonus), *side.damage, side.attacks_per_round)


def _odds(asked: OddsArguments) -> Computed:
    odds = duel_odds(_fighter(asked.first), _fighter(asked.second))
    told = f"the first side wins {odds.first:.1%}, the second {odds.second:.1%}, both fall {odds.both:.1%}"
    return Computed(told, round(odds.first, 6), told)


def _fighter(side: SideArguments) -> Fighter:
    rate = _RATE.fullmatch(side.attacks_per_round.strip())
    if rate is None:
        raise ValueError("attacks_per_round must be a number from 1 to 10, or two of them such as 3/2")
    chance = hit_probability(side.needs, side.bonus)
    damage = tuple(_points(each, _MOST_DAMAGE) for each in side.damage)
    return Fighter(_points(side.hit_points, _MOST_POINTS), chance, damage, Fraction(int(rate[1]), int(rate[2] or 1)))


def _points(text: str, most: int) -> totals.Distribution:
    if text.strip().isdecimal() and len(text) < 9 and 0 < int(text) <= most:
        return totals.exactly(int(text))
    dice = d.parse_dice(text)
    if dice is None or not 0 < dice.count * dice.sides + abs(dice.plus) <= most:
        raise ValueError(f"{text!r} is no number up to {most} and no dice such as 2d6+1 that roll no more")
    return totals.total(dice, at_least=1)


DUEL_ODDS = ModelTool("duel_odds", OddsArguments, _sourced, _odds, _DICE)
