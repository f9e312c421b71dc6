"""The exact odds of two who fight alone; no simulation.

Model: both start at rolled hit points, each of its own roll. Each round both sides roll a d6 for initiative; the
higher acts first, a tie is simultaneous, so both may fall. All of a side's attacks come at its initiative. 3/2 attacks
mean two in odd rounds, the first included, and one in even rounds. A hit needs roll + bonus of at least the table's
number; there is no automatic hit or miss.

Two wear each other down without regard to each other, until one falls: what counts is in which round either would, and
who acted first where it is the same. Of several, see `agent.domains.combat.crowd_odds`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, islice

import numpy as np

from agent.reasoning.dice import Distribution

FIRST, TIE = 15 / 36, 6 / 36
"""The chances that a certain side acts first, and that both act at once."""
SETTLED = 1e-10
_MAX_ROUNDS = 50_000


@dataclass(frozen=True, slots=True)
class Fighter:
    """One side: hit points, the chance to hit, the damage of each attack of its routine, and routines a round."""

    hit_points: Distribution
    hit_probability: float
    damage: tuple[Distribution, ...]
    attacks_per_round: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class Odds:
    """Probabilities that the first side wins, the second wins, both fall together; `unresolved` never ends.

    `rounds` is how many the fight lasts on average.
    """

    first: float
    second: float
    both: float
    unresolved: float = 0.0
    rounds: float = 0.0


def hit_probability(needs: float, bonus: float = 0) -> float:
    """The chance that a d20 plus `bonus` reaches `needs`.

    >>> hit_probability(11, 1)
    0.55
    """
    return float(min(max((21 - (needs - bonus)) / 20, 0.0), 1.0))


def attacks_in_round(rate: Fraction, number: int) -> int:
    """How many routines a rate gives in round `number` (counted from 1): 3/2 is two in odd rounds, one in even.

    >>> [attacks_in_round(Fraction(3, 2), n) for n in (1, 2, 3)]
    [2, 1, 2]
    """
    done = -((-rate * (number - 1)) // 1)
    return int(-((-rate * number) // 1) - done)


def can_hurt(side: Fighter) -> bool:
    """Return whether a hit is possible and would cost something."""
    return side.hit_probability > 0 and any(damage[1:].sum() > 0 for damage in side.damage)


def duel_odds(a: Fighter, b: Fighter) -> Odds:
    """Return the exact odds of `a` against `b`, by the rounds in which each would fall if nobody stopped the other."""
    wins_a = wins_b = both = rounds = 0.0
    stands_a = stands_b = 1.0
    most = _MAX_ROUNDS if can_hurt(a) or can_hurt(b) else 1
    for left_a, left_b in islice(zip(_standing(b, a), _standing(a, b), strict=False), most):
        rounds += stands_a * stands_b
        falls_a, falls_b = max(stands_a - left_a, 0.0), max(stands_b - left_b, 0.0)
        wins_a += falls_b * (left_a + FIRST * falls_a)
        wins_b += falls_a * (left_b + FIRST * falls_b)
        both += TIE * falls_a * falls_b
        stands_a, stands_b = left_a, left_b
        if stands_a * stands_b < SETTLED:
            break
    return Odds(wins_a, wins_b, both, stands_a * stands_b, rounds)


def _standing(attacker: Fighter, target: Fighter) -> Iterator[float]:
    """The chance that the target still stands after each round that the attacker strikes at it."""
    points = target.hit_points[:0:-1]  # from the most hit points down to one
    known: dict[int, Distribution] = {}
    for number in count(1):
        times = attacks_in_round(attacker.attacks_per_round, number)
        if times not in known:
            known[times] = _damage(attacker, times, len(points))
        points = np.convolve(points, known[times])[: len(points)]
        yield float(points.sum())


def _damage(fighter: Fighter, times: int, enough: int) -> Distribution:
    """What so many routines do together, below `enough`: who has fewer hit points falls of more in any case."""
    whole = np.ones(1)
    for damage in fighter.damage * times:
        one = fighter.hit_probability * damage[:enough]
        one[0] += 1 - fighter.hit_probability
        whole = np.convolve(whole, one)[:enough]
    return whole
