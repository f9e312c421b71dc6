"""The exact odds of one against several of a kind, as a Markov chain like that of a duel.

The model is the duel's (`agent.reasoners.odds`): each round both sides roll a d6 for initiative. The several are alike,
each with hit points of its own roll; those that live all attack the one, at their side's initiative. The one strikes
at one of them until it falls, then at the next, with the next of its attacks; what a blow does beyond is lost.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from agent.reasoners.odds import Fighter, Odds, attacks_in_round, can_hurt

_Matrix = npt.NDArray[np.float64]
_FIRST, _TIE = 15 / 36, 6 / 36
_SETTLED = 1e-10
_MAX_ROUNDS = 20_000
LARGEST = 1500
"""A crowd of more hit points than this together is not computed."""


def is_feasible(each: Fighter, count: int) -> bool:
    """True when the chain is small enough to be followed to its end."""
    return count * (len(each.hit_points) - 1) <= LARGEST


def crowd_odds(one: Fighter, each: Fighter, count: int) -> Odds:
    """Return the exact odds of `one` against `count` of `each`: `first` is that the one wins."""
    with threadpool_limits(limits=1, user_api="blas"):
        return _play(one, each, count)


def _play(one: Fighter, each: Fighter, count: int) -> Odds:
    size = len(each.hit_points) - 1
    start = np.zeros(1 + count * size)
    start[1 + (count - 1) * size :] = each.hit_points[1:]
    state = np.outer(one.hit_points, start)
    wins_one = wins_crowd = both = 0.0
    blows: dict[tuple[int, int], tuple[_Matrix, list[_Matrix]]] = {}
    for number in range(1, _MAX_ROUNDS + 1):
        rates = attacks_in_round(one.attacks_per_round, number), attacks_in_round(each.attacks_per_round, number)
        if rates not in blows:
            blows[rates] = _on_crowd(one, rates[0], each.hit_points, count), _on_one(each, rates[1], count, len(state))
        state, gains = _round(state, *blows[rates], size)
        wins_one, wins_crowd, both = wins_one + gains[0], wins_crowd + gains[1], both + gains[2]
        if float(state.sum()) < _SETTLED or not (can_hurt(one) or can_hurt(each)):
            break
    return Odds(wins_one, wins_crowd, both, max(0.0, float(state.sum())))


def _on_crowd(one: Fighter, times: int, hit_points: npt.NDArray[np.float64], count: int) -> _Matrix:
    """The transition of the crowd under the one's attacks; place 0 is none left, then k-1 whole ones and hit points."""
    size = len(hit_points) - 1
    matrix: _Matrix = np.eye(1 + count * size)
    for damage in one.damage * times:
        blow = np.eye(1 + count * size) * (1 - one.hit_probability)
        blow[0, 0] = 1.0
        for alive in range(1, count + 1):
            for points in range(1, size + 1):
                row = (alive - 1) * size + points
                for dealt, p in enumerate(damage):
                    chance = one.hit_probability * p
                    if dealt < points:
                        blow[row, row - dealt] += chance
                    elif alive == 1:
                        blow[row, 0] += chance
                    else:
                        below = 1 + (alive - 2) * size
                        blow[row, below : below + size] += chance * hit_points[1:]
        matrix = matrix @ blow
    return matrix


def _on_one(each: Fighter, times: int, count: int, size: int) -> list[_Matrix]:
    """The transition of the one's hit points under the attacks of 0, 1, … of the crowd; 0 is absorbing."""
    single: _Matrix = np.eye(size)
    for damage in each.damage * times:
        blow = np.eye(size) * (1 - each.hit_probability)
        for dealt, p in enumerate(damage):
            for before in range(size):
                blow[before, max(before - dealt, 0)] += each.hit_probability * p
        single = single @ blow
    powers: list[_Matrix] = [np.eye(size)]
    for _ in range(count):
        powers.append(powers[-1] @ single)
    return powers


def _struck(state: _Matrix, by_crowd: Sequence[_Matrix], size: int) -> _Matrix:
    """The state after all that live have struck at the one."""
    out = state.copy()
    for alive in range(1, len(by_crowd)):
        columns = slice(1 + (alive - 1) * size, 1 + alive * size)
        out[:, columns] = by_crowd[alive].T @ state[:, columns]
    return out


def _round(
    state: _Matrix, by_one: _Matrix, by_crowd: Sequence[_Matrix], size: int
) -> tuple[_Matrix, tuple[float, float, float]]:
    """One round: rows are the one's hit points, columns the crowd. Returns the living and what was decided."""
    hit_crowd, hit_one = state @ by_one, _struck(state, by_crowd, size)
    one_wins, crowd_wins = _FIRST * hit_crowd[:, 0].sum(), _FIRST * hit_one[0].sum()
    hit_crowd[:, 0], hit_one[0] = 0, 0
    answered, followed = _struck(hit_crowd, by_crowd, size), hit_one @ by_one
    together = _struck(state, by_crowd, size) @ by_one
    crowd_wins += _FIRST * answered[0].sum() + _TIE * together[0, 1:].sum()
    one_wins += _FIRST * followed[:, 0].sum() + _TIE * together[1:, 0].sum()
    left = _FIRST * (answered + followed) + _TIE * together
    left[0], left[:, 0] = 0, 0
    return left, (float(one_wins), float(crowd_wins), float(_TIE * together[0, 0]))
