"""Who wins a fight: both sides read from the book, the exact odds computed, each number with its citation.

The reasoner also says what it needs: on no evidence its needs are the plan. No verdict is given while a fact is
missing; what is missing is null in `values`. More than two fight in pairs, unless some fight together.
Of pairs, who wins most is said to: how a fight of all against all would end is another question, and is not answered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from agent.domains.combat.bouts import BEYOND_ODDS, Bout, fight
from agent.domains.combat.combatant import read_side, with_weapons
from agent.domains.combat.combatant_state import Side
from agent.domains.combat.duel import NO_VERDICT, claim_of, notes, steps_of, values_of
from agent.domains.combat.profile import Rulebook
from agent.domains.combat.types import Combatant, Duel
from agent.types import Finding, Reasoned, Step
from retrieval.types import Chunk

MODEL = (
    "full rolled hit points; d6 initiative each round, ties simultaneous; all attacks at the side's initiative; "
    "3/2 attacks are two in odd rounds; no automatic hit or miss"
)
CROWD = "; of several all strike, each side at the foremost of the other until it falls, in the order of the question"
MOST = 6
"""More combatants than this are not fought pairwise."""


def reason(duel: Duel, chunks: Sequence[Chunk], prefix: str = "q", *, final: bool = True) -> Reasoned:
    """Fight the duel on what `chunks` say; `final` allows to assume one attack a round where no more is said."""
    notebook = Rulebook(chunks, prefix)
    if duel.uncounted:
        names, numbers = " and ".join(who.name for who in duel.combatants), ", ".join(duel.uncounted)
        notebook.need(f"how {numbers} counts in this fight", f"{names} in combat", purpose="what no odds count")
    duel = with_weapons(duel, notebook)
    finding = _fought(duel, notebook, final)
    claim = _undecided(duel, notebook) or finding.claim
    return notebook.reasoned(replace(finding, claim=claim, steps=(*finding.steps, *notes(duel))))


def _undecided(duel: Duel, notebook: Rulebook) -> str:
    """Why there is no verdict, where it is not for a fact that the book lacks."""
    if duel.uncounted:
        return f"No verdict: the question says {', '.join(duel.uncounted)}, which no odds count."
    if any(need.sub_query.purpose == BEYOND_ODDS for need in notebook.needs.values()):
        return f"No verdict: this fight is {BEYOND_ODDS}."
    return ""


def _fought(duel: Duel, notebook: Rulebook, final: bool) -> Finding:
    who = duel.combatants
    if len(who) > MOST:
        names = ", ".join(each.name for each in who)
        notebook.need(f"the odds of more than {MOST} at once ({names}); ask for fewer", f"{names} in combat")
        return _unfought([Side(each) for each in who])
    if len(duel.sides) == 2:
        return _finding(fight(who, duel.sides[0], duel.sides[1], notebook, final=final), duel)
    places = combinations(range(len(who)), 2)
    bouts = [fight(who, (one,), (other,), notebook, final=final) for one, other in places]
    if not bouts:
        return _unfought([read_side(each, notebook) for each in who])
    return _finding(bouts[0], duel) if len(bouts) == 1 else pairwise(who, bouts, MODEL, loser=duel.asks_loser)


def _finding(bout: Bout, duel: Duel) -> Finding:
    """The verdict on two sides: the winner, or the other of two where the loser is asked for."""
    winner, (first, second) = bout.winner, bout.names
    other = second if winner == first else first
    sides = []
    for name, chance in zip(bout.names, bout.chances, strict=True):
        sides.append({"name": name, "win_probability": None if chance is None else round(chance, 6)})
    values = {
        "combatants": list(bout.values),
        **({"sides": sides} if duel.sides else {}),
        "draw_probability": round(bout.odds.both, 6) if bout.odds else None,
        "winner": winner,
        "model": MODEL if bout.counts == (1, 1) else MODEL + CROWD,
    }
    claim = claim_of(bout.names, bout.counts, bout.odds, winner, loser=duel.asks_loser)
    verdict = other if winner and duel.asks_loser else winner
    return Finding("combat", claim, tuple(dict.fromkeys(bout.steps)), values, verdict)


def _unfought(sides: Sequence[Side]) -> Finding:
    """No fight at all: what is known of each, and no verdict."""
    known = [values_of(side, None) for side in sides]
    steps: list[Step] = []
    for side in sides:
        steps += steps_of([side])
    values = {"combatants": known, "draw_probability": None, "winner": None, "model": MODEL}
    return Finding("combat", NO_VERDICT, tuple(dict.fromkeys(steps)), values, None)


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
