"""More than two combatants: every pair fights on its own, and who wins most of the pairs is said to, no more.

The odds of a pair are exact. How a fight of all against all would end is another question, and is not answered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.domains.combat.combatant_state import Side
from agent.domains.combat.odds import Odds
from agent.types import Combatant, Finding, Step

_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sides that fought, or could not for lack of facts: then `odds` is None."""

    sides: tuple[Side, Side]
    odds: Odds | None
    winner: str | None
    values: tuple[Mapping[str, Any], Mapping[str, Any]]
    steps: tuple[Step, ...]


def pairwise(combatants: Sequence[Combatant], pairs: Sequence[Pair], model: str) -> Finding:
    """The finding of several pairs: most pairs won counts first, then the sum of the probabilities."""
    names = [who.name for who in combatants]
    complete = all(pair.odds is not None for pair in pairs)
    ranking = sorted(names, key=lambda name: _score(name, pairs), reverse=True)
    best = _score(ranking[0], pairs)
    winner = ranking[0] if complete and not _equal(best, _score(ranking[1], pairs)) else None
    values: dict[str, Any] = {
        "combatants": [_values(name, pairs) for name in names],
        "pairs": [_pair_values(pair) for pair in pairs],
        "draw_probability": None,
        "winner": winner,
        "model": f"each pair apart: {model}",
    }
    steps = dict.fromkeys(step for pair in pairs for step in pair.steps)
    return Finding("combat", _claim(names, pairs, winner, complete), tuple(steps), values, winner)


def _score(name: str, pairs: Sequence[Pair]) -> tuple[int, float]:
    """Pairs won, and the sum of the probabilities to win."""
    wins = sum(pair.winner == name for pair in pairs)
    return wins, sum(_chance(name, pair) for pair in pairs)


def _equal(a: tuple[int, float], b: tuple[int, float]) -> bool:
    return a[0] == b[0] and abs(a[1] - b[1]) < _EQUAL


def _chance(name: str, pair: Pair) -> float:
    if pair.odds is None:
        return 0.0
    first, second = (side.who.name for side in pair.sides)
    return pair.odds.first * (name == first) + pair.odds.second * (name == second)


def _values(name: str, pairs: Sequence[Pair]) -> Mapping[str, Any]:
    """What does not depend on the opponent; rolls, damage and odds are those of a pair."""
    own = next(value for pair in pairs for value in pair.values if value["name"] == name)
    return dict(own) | {"to_hit": None, "hit_probability": None, "average_damage": None, "win_probability": None}


def _pair_values(pair: Pair) -> Mapping[str, Any]:
    first, second = pair.values
    return {
        "first": first["name"],
        "second": second["name"],
        "win_first": first["win_probability"],
        "win_second": second["win_probability"],
        "draw": round(pair.odds.both, 6) if pair.odds else None,
        "to_hit_first": first["to_hit"],
        "to_hit_second": second["to_hit"],
    }


def _claim(names: Sequence[str], pairs: Sequence[Pair], winner: str | None, complete: bool) -> str:
    if not complete:
        return "No verdict: facts are missing."
    if winner is None:
        return "Pair by pair, none comes out ahead."
    wins, total = _score(winner, pairs)[0], len(names) - 1
    tied = [name for name in names if name != winner and _score(name, pairs)[0] == wins]
    if tied:
        others = " and ".join(tied)
        return (
            f"Pair by pair, {winner} and {others} win equally many ({wins} of {total} each); the probabilities of "
            f"{winner} are the higher in sum."
        )
    return f"Pair by pair, the {winner} wins most: {wins} of {total}."
