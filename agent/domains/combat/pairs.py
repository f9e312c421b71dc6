"""More than two combatants: every pair fights on its own, and who wins most of the pairs is said to, no more.

The odds of a pair are exact. How a fight of all against all would end is another question, and is not answered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent.domains.combat.bouts import Bout
from agent.domains.combat.duel import NO_VERDICT
from agent.domains.combat.types import Combatant
from agent.types import Finding, Step

_EQUAL = 1e-9


def pairwise(combatants: Sequence[Combatant], pairs: Sequence[Bout], model: str, *, loser: bool) -> Finding:
    """The finding of several pairs: most pairs won counts first, then the sum of the probabilities."""
    names = [who.name for who in combatants]
    scores = {name: _score(name, pairs) for name in names}
    best, second, *_ = sorted(scores.values(), reverse=True)
    is_complete = all(pair.odds is not None for pair in pairs)
    is_decided = is_complete and (best[0] != second[0] or best[1] - second[1] >= _EQUAL)
    winner = max(names, key=scores.__getitem__) if is_decided else None
    values: dict[str, Any] = {
        "combatants": [_values(name, pairs) for name in names],
        "pairs": [_pair_values(pair) for pair in pairs],
        "draw_probability": None,
        "winner": winner,
        "model": f"each pair apart: {model}",
    }
    steps: dict[Step, None] = {}
    for pair in pairs:
        steps.update(dict.fromkeys(pair.steps))
    claim = _claim(scores, winner) if is_complete else NO_VERDICT
    finding = Finding("combat", claim, tuple(steps), values, winner)
    return _with_loser(finding, scores) if loser and winner is not None else finding


def _score(name: str, pairs: Sequence[Bout]) -> tuple[int, float]:
    """Pairs won, and the sum of the probabilities to win."""
    wins, total = 0, 0.0
    for pair in pairs:
        wins += pair.winner == name
        if pair.odds is not None and name in pair.names:
            total += pair.odds.first if name == pair.names[0] else pair.odds.second
    return wins, total


def _with_loser(finding: Finding, scores: Mapping[str, tuple[int, float]]) -> Finding:
    """Who wins fewest of the pairs, where one alone does."""
    fewest = min(wins for wins, _ in scores.values())
    losers = [name for name, (wins, _) in scores.items() if wins == fewest]
    if len(losers) > 1:
        return replace(finding, verdict=None)
    claim = f"Pair by pair, the {losers[0]} wins least: {fewest} of {len(scores) - 1}."
    return replace(finding, claim=claim, verdict=losers[0])


def _values(name: str, pairs: Sequence[Bout]) -> Mapping[str, Any]:
    """What does not depend on the opponent; rolls, damage and odds are those of a pair."""
    own = next(value for pair in pairs for value in pair.values if value["name"] == name)
    return {**own, "to_hit": None, "hit_probability": None, "average_damage": None, "win_probability": None}


def _pair_values(pair: Bout) -> Mapping[str, Any]:
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


def _claim(scores: Mapping[str, tuple[int, float]], winner: str | None) -> str:
    if winner is None:
        return "Pair by pair, none comes out ahead."
    wins, total = scores[winner][0], len(scores) - 1
    tied = [name for name, (won, _) in scores.items() if name != winner and won == wins]
    if not tied:
        return f"Pair by pair, the {winner} wins most: {wins} of {total}."
    others = " and ".join(tied)
    return (
        f"Pair by pair, {winner} and {others} win equally many ({wins} of {total} each); the probabilities of "
        f"{winner} are the higher in sum."
    )
