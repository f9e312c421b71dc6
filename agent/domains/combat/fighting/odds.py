"""The exact odds of a fight; no simulation.

Model: each combatant starts at its own rolled hit points. Each round both sides roll a d6 for initiative; the higher
acts first, a tie is simultaneous, so both may fall. All of a side's attacks come at its initiative. 3/2 attacks mean
two in odd rounds, the first included, and one in even rounds. A hit needs roll + bonus of at least the table's number;
there is no automatic hit or miss.

In a duel the two rounds of falling are independent: only the round in which each would fall counts, and who acted first
if it is the same. Several combatants are a Markov chain over both sides' hit points: all living members strike one
after the other, at the foremost foe until it falls, then at the next; excess damage is lost. The members of a side
stand in the order of the question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, islice

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from agent.domains.combat.totals import Distribution

FIRST, TIE = 15 / 36, 6 / 36
"""The chances that a given side acts first, and that both act at once."""
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

    `rounds` is the average length of the fight.
    """

    first: float
    second: float
    both: float
    unresolved: float = 0.0
    rounds: float = 0.0


def hit_probability(needs: float, bonus: float = 0) -> float:
    """Return the chance that a d20 plus `bonus` reaches `needs`.

    >>> hit_probability(11, 1)
    0.55
    """
    return float(min(max((21 - (needs - bonus)) / 20, 0.0), 1.0))


def attacks_in_round(rate: Fraction, number: int) -> int:
    """Return the number of routines in round `number` (counted from 1): at 3/2, two in odd rounds, one in even.

    >>> [attacks_in_round(Fraction(3, 2), n) for n in (1, 2, 3)]
    [2, 1, 2]
    """
    top, bottom = rate.numerator, rate.denominator
    return -top * (number - 1) // bottom - -top * number // bottom


def can_hurt(side: Fighter) -> bool:
    """Return whether a hit is possible and can do damage."""
    return side.hit_probability > 0 and any(damage[1:].sum() > 0 for damage in side.damage)


def duel_odds(a: Fighter, b: Fighter) -> Odds:
    """Return the exact odds of `a` against `b`, from the round in which each would fall to the other's blows."""
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
    """Yield the chance that the target still stands after each round of the attacker's blows."""
    points = target.hit_points[:0:-1]  # from the most hit points down to one
    known: dict[int, Distribution] = {}
    for number in count(1):
        times = attacks_in_round(attacker.attacks_per_round, number)
        if times not in known:
            known[times] = _damage(attacker, times, len(points))
        points = np.convolve(points, known[times])[: len(points)]
        yield float(points.sum())


def _damage(fighter: Fighter, times: int, enough: int) -> Distribution:
    """Return the total damage of `times` routines, below `enough`: that much fells any target."""
    whole = np.ones(1)
    for damage in fighter.damage * times:
        one = fighter.hit_probability * damage[:enough]
        one[0] += 1 - fighter.hit_probability
        whole = np.convolve(whole, one)[:enough]
    return whole


Member = tuple[Fighter, ...]
"""A member of a side: how it fights each of the foes, in their order."""
_Matrix = npt.NDArray[np.float64]
LARGEST = 1500
"""The most hit points of a side, all members together, that are computed."""
_MOST_A_ROUND, _MOST_BEFORE, _MOST = 1e9, 2e10, 1e11
"""Multiplications of a round, of all before the first, and of a fight: about ten seconds of one core."""


def is_feasible(a: Sequence[Member], b: Sequence[Member]) -> bool:
    """Return True if the chain is small enough to be followed to its end."""
    if not (a and b) or any(member[0].hit_points[0] > 0 for member in (*a, *b)):
        return False
    # Counted before anything is built: ten thousand orcs are refused at once.
    sizes = [sum(len(member[0].hit_points) - 1 for member in side) for side in (a, b)]
    if len(a) == len(b) == 1:
        return max(sizes) <= LARGEST
    before = len({id(m) for m in a}) * sizes[1] ** 3 + len({id(m) for m in b}) * sizes[0] ** 3
    before += len(a) * sizes[1] ** 3 * (len(a) > 1) + len(b) * sizes[0] ** 3 * (len(b) > 1)
    return max(sizes) <= LARGEST and before <= _MOST_BEFORE and _work(a, b, *sizes) <= _MOST_A_ROUND


def _work(a: Sequence[Member], b: Sequence[Member], rows: int, columns: int) -> float:
    """Return roughly the multiplications of a round."""
    blocks = min(len(a), len(b))
    return float(rows * columns * (rows + columns)) * (1 + blocks / 2)


def group_odds(a: Sequence[Member], b: Sequence[Member]) -> Odds:
    """Return the exact odds of side `a` against side `b`; `unresolved` never ends, or exceeds the time budget."""
    if len(a) == len(b) == 1:
        return duel_odds(a[0][0], b[0][0])
    # On matrices of a hundred rows, the threads of a BLAS cost fifty times what they compute.
    with threadpool_limits(limits=1, user_api="blas"):
        if len(a) > len(b):
            found = _play(b, a)
            return Odds(found.second, found.first, found.both, found.unresolved, found.rounds)
        return _play(a, b)


def _play(a: Sequence[Member], b: Sequence[Member]) -> Odds:
    places = _Places.of(a), _Places.of(b)
    state = np.outer(places[0].start, places[1].start)
    if not any(can_hurt(fighter) for member in (*a, *b) for fighter in member):
        return Odds(0.0, 0.0, 0.0, 1.0)
    budget = _MOST / max(_work(a, b, *state.shape), 1.0)
    wins_a = wins_b = both = rounds = 0.0
    known: dict[tuple[int, ...], tuple[list[_Matrix], list[_Matrix]]] = {}
    number, left = 0, 1.0
    while left >= SETTLED and number < budget:
        number += 1
        rates = tuple(attacks_in_round(member[0].attacks_per_round, number) for member in (*a, *b))
        if rates not in known:
            known[rates] = _turns(a, rates[: len(a)], places[1]), _turns(b, rates[len(a) :], places[0])
        rounds += left
        state, gains = _round(state, places, *known[rates])
        wins_a, wins_b, both = wins_a + gains[0], wins_b + gains[1], both + gains[2]
        left = float(state.sum())
    return Odds(wins_a, wins_b, both, max(0.0, left), rounds)


@dataclass(frozen=True, slots=True)
class _Places:
    """The states of a side: 0 if all fell; each member has a block of its hit points while it is foremost."""

    blocks: tuple[slice, ...]
    fresh: tuple[_Matrix, ...]
    size: int

    @classmethod
    def of(cls, members: Sequence[Member]) -> _Places:
        sizes = [len(member[0].hit_points) - 1 for member in members]
        ends = [1 + sum(sizes[k:]) for k in range(len(sizes))]
        blocks = tuple(slice(end - size, end) for end, size in zip(ends, sizes, strict=True))
        fresh = [np.zeros(ends[0]) for _ in range(len(members) + 1)]
        for vector, block, member in zip(fresh, blocks, members, strict=False):
            vector[block] = member[0].hit_points[1:]
        fresh[-1][0] = 1.0
        return cls(blocks, tuple(fresh), ends[0])

    @property
    def start(self) -> _Matrix:
        """The initial state: all stand, the first is foremost."""
        return self.fresh[0]


def _turns(members: Sequence[Member], rates: Sequence[int], foes: _Places) -> list[_Matrix]:
    """Return, for each member, the foes' transition in a round in which it and the members behind it strike."""
    single: dict[tuple[int, int], _Matrix] = {}
    found: list[_Matrix] = []
    for member, rate in zip(reversed(members), reversed(rates), strict=True):
        key = id(member), rate
        if key not in single:
            single[key] = _turn(member, rate, foes)
        found.append(single[key] @ found[-1] if found else single[key])
    return found[::-1]


def _turn(member: Member, times: int, foes: _Places) -> _Matrix:
    matrix: _Matrix = np.eye(foes.size)
    for blow in _blows(member, foes) * times:
        matrix = matrix @ blow
    return matrix


def _blows(member: Member, foes: _Places) -> list[_Matrix]:
    """Return the foes' transition under each attack of a routine."""
    attacks = min(len(fighter.damage) for fighter in member)
    return [_blow([(s.hit_probability, s.damage[n]) for s in member], foes) for n in range(attacks)]


def _blow(strikes: Sequence[tuple[float, Distribution]], foes: _Places) -> _Matrix:
    matrix = np.zeros((foes.size, foes.size))
    matrix[0, 0] = 1.0
    for k, (chance, damage) in enumerate(strikes):
        rows = np.arange(foes.blocks[k].start, foes.blocks[k].stop)
        matrix[rows, rows] += 1 - chance
        for dealt in np.flatnonzero(damage):
            p = chance * damage[dealt]
            matrix[rows[dealt:], rows[dealt:] - dealt] += p
            matrix[rows[:dealt]] += p * foes.fresh[k + 1]
    return matrix


def _round(
    state: _Matrix, places: tuple[_Places, _Places], by_a: Sequence[_Matrix], by_b: Sequence[_Matrix]
) -> tuple[_Matrix, tuple[float, float, float]]:
    """Return the state after one round and the chances decided in it; rows are states of side a, columns of side b."""
    hit_b, hit_a = _struck(state, places, by_a), _struck(state.T, places[::-1], by_b).T
    a_wins, b_wins = FIRST * hit_b[:, 0].sum(), FIRST * hit_a[0].sum()
    hit_b[:, 0], hit_a[0] = 0, 0
    answered, followed = _struck(hit_b.T, places[::-1], by_b).T, _struck(hit_a, places, by_a)
    together = sum(_together(state, places, by_a, by_b), np.zeros(state.shape))
    b_wins += FIRST * answered[0].sum() + TIE * together[0, 1:].sum()
    a_wins += FIRST * followed[:, 0].sum() + TIE * together[1:, 0].sum()
    left = FIRST * (answered + followed) + TIE * together
    left[0], left[:, 0] = 0, 0
    return left, (float(a_wins), float(b_wins), float(TIE * together[0, 0]))


def _struck(state: _Matrix, places: Sequence[_Places], turns: Sequence[_Matrix]) -> _Matrix:
    """Return the state after all living members of the rows' side have struck."""
    out = np.zeros(state.shape)
    for block, turn in zip(places[0].blocks, turns, strict=True):
        out[block] = state[block] @ turn
    return out


def _together(
    state: _Matrix, places: tuple[_Places, _Places], by_a: Sequence[_Matrix], by_b: Sequence[_Matrix]
) -> Iterator[_Matrix]:
    """Yield the state after both sides strike at once, for each member of a: all alive at the round's start strike."""
    for rows, turn in zip(places[0].blocks, by_a, strict=True):
        out = np.zeros(state.shape)
        for columns, answer in zip(places[1].blocks, by_b, strict=True):
            out[:, columns] = answer[rows].T @ state[rows, columns]
        yield out @ turn
