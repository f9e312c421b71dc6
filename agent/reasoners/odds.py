"""The exact odds of a duel, as a Markov chain over both sides' hit points; no simulation.

Model: both start at rolled hit points. Each round both roll a d6 for initiative; the higher acts first, a tie is
simultaneous, so both may fall. All of a side's attacks come at its initiative. 3/2 attacks mean two in odd rounds,
the first included, and one in even rounds. A hit needs roll + bonus of at least the table's number; there is no
automatic hit or miss.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from agent.reasoners.dice import Distribution

_Matrix = npt.NDArray[np.float64]
_FIRST, _TIE = 15 / 36, 6 / 36
_SETTLED = 1e-10
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


def duel_odds(a: Fighter, b: Fighter) -> Odds:
    """Return the exact odds of `a` against `b`."""
    # On matrices of a hundred rows, the threads of a BLAS cost fifty times what they compute.
    with threadpool_limits(limits=1, user_api="blas"):
        return _play(a, b)


def _play(a: Fighter, b: Fighter) -> Odds:
    state = np.outer(a.hit_points, b.hit_points)
    wins_a = wins_b = both = rounds = 0.0
    moves: dict[tuple[int, int], tuple[_Matrix, _Matrix]] = {}
    for number in range(1, _MAX_ROUNDS + 1):
        counts = attacks_in_round(a.attacks_per_round, number), attacks_in_round(b.attacks_per_round, number)
        if counts not in moves:
            moves[counts] = _attack(a, counts[0], state.shape[1]), _attack(b, counts[1], state.shape[0])
        rounds += float(state.sum())
        state, gains = _round(state, *moves[counts])
        wins_a, wins_b, both = wins_a + gains[0], wins_b + gains[1], both + gains[2]
        if float(state.sum()) < _SETTLED or not (can_hurt(a) or can_hurt(b)):
            break
    return Odds(wins_a, wins_b, both, max(0.0, float(state.sum())), rounds)


def can_hurt(side: Fighter) -> bool:
    """True when an attack of this side may do damage."""
    return side.hit_probability > 0 and any(damage[1:].sum() > 0 for damage in side.damage)


def _attack(side: Fighter, times: int, size: int) -> _Matrix:
    """The transition matrix of the target's hit points under `times` routines; 0 is absorbing."""
    matrix: _Matrix = np.eye(size)
    for damage in side.damage * times:
        matrix = matrix @ _one_attack(side.hit_probability, damage, size)
    return matrix


def _one_attack(chance: float, damage: Distribution, size: int) -> _Matrix:
    matrix = np.eye(size) * (1 - chance)
    for dealt, p in enumerate(damage):
        for before in range(size):
            matrix[before, max(before - dealt, 0)] += chance * p
    return matrix


def _round(state: _Matrix, by_a: _Matrix, by_b: _Matrix) -> tuple[_Matrix, Sequence[float]]:
    """One round: rows are a's hit points, columns b's. Returns the state of the living and what was decided."""
    hit_b, hit_a = state @ by_a, by_b.T @ state
    a_wins, b_wins = _FIRST * hit_b[:, 0].sum(), _FIRST * hit_a[0].sum()
    hit_b[:, 0], hit_a[0] = 0, 0
    answered, followed = by_b.T @ hit_b, hit_a @ by_a
    together = by_b.T @ state @ by_a
    b_wins += _FIRST * answered[0].sum() + _TIE * together[0, 1:].sum()
    a_wins += _FIRST * followed[:, 0].sum() + _TIE * together[1:, 0].sum()
    left = _FIRST * (answered + followed) + _TIE * together
    left[0], left[:, 0] = 0, 0
    return left, (float(a_wins), float(b_wins), float(_TIE * together[0, 0]))
