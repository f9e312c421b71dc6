"""What numbers of a fight come to on average: the chance of a roll, the hit points of a creature's hit dice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.domains.combat.creature import MONSTER_DIE

_HIT_DICE = re.compile(r"(\d{1,3})([+-]\d{1,3})?$")
_SIDES = 20


def expected_values(value: str, measure: str) -> Iterator[float]:
    """The average hit points of hit dice; of another number, the chance in percent to roll it or more on a d20.

    >>> list(expected_values("6+6", "hit dice")), list(expected_values("11", ""))
    ([33.0], [50.0])
    """
    dice = _HIT_DICE.match(value)
    if dice is not None and measure == "hit dice":
        yield int(dice[1]) * (MONSTER_DIE + 1) / 2 + int(dice[2] or 0)
    elif not measure and value.isdecimal() and len(value) < 3 and 1 <= int(value) <= _SIDES:
        yield (_SIDES + 1 - int(value)) * 100 / _SIDES
