"""Who wins a fight: both sides read from the book, the exact odds computed, each number with its citation.

The reasoner also says what it needs: on no evidence its needs are the plan. No verdict is given while a fact is
missing; what is missing is null in `values`. More than two fight in pairs, unless some fight together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from agent.reasoners.bout import (
    NO_VERDICT,
    claim_of,
    fighter_of,
    is_complete,
    left_out,
    read_bout,
    steps_of,
    values_of,
    verdict_of,
)
from agent.reasoners.combatant import read_side, with_weapons
from agent.reasoners.facts import Notebook, Reasoned
from agent.reasoners.odds import Odds, alike, group_odds, is_feasible
from agent.reasoners.pairs import Pair, pairwise
from agent.reasoners.parties import fight_parties
from agent.reasoners.side import Side
from agent.types import Combatant, Duel, Finding
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
    notebook = Notebook(chunks, prefix)
    duel = with_weapons(duel, notebook)
    finding = _fought(duel, notebook, final)
    return notebook.reasoned(replace(finding, steps=(*finding.steps, *left_out(duel))))


def _fought(duel: Duel, notebook: Notebook, final: bool) -> Finding:
    if len(duel.combatants) > MOST:
        names = ", ".join(who.name for who in duel.combatants)
        notebook.need(f"the odds of more than {MOST} at once ({names}); ask for fewer", f"{names} in combat")
        return _alone([Side(who) for who in duel.combatants])
    if len(duel.sides) == 2:
        return fight_parties(duel, notebook, MODEL + CROWD, final=final)
    fought = [_fight(pair, notebook, final) for pair in combinations(duel.combatants, 2)]
    if not fought:
        return _alone([read_side(who, notebook) for who in duel.combatants])
    if len(fought) == 1:
        return _finding(fought[0], duel)
    finding = pairwise(duel.combatants, fought, MODEL)
    return _least(finding, fought) if duel.asks_loser and finding.verdict else finding


def _least(finding: Finding, fought: Sequence[Pair]) -> Finding:
    """Who wins fewest of the pairs, where one alone does."""
    names = [side.who.name for pair in fought for side in pair.sides]
    wins = {name: sum(pair.winner == name for pair in fought) for name in names}
    fewest = min(wins.values())
    (name, *others) = [name for name, won in wins.items() if won == fewest]
    if others:
        return replace(finding, verdict=None)
    return replace(finding, claim=f"Pair by pair, the {name} wins least: {fewest} of {len(wins) - 1}.", verdict=name)


def _fight(pair: Sequence[Combatant], notebook: Notebook, final: bool) -> Pair:
    """Read two sides and let them fight, if nothing is missing."""
    a, b = (read_side(who, notebook) for who in pair)
    read_bout(a, b, notebook, final=final)
    odds = None
    if is_complete(a) and is_complete(b) and not notebook.needs:
        odds = _odds(a, b, notebook)
    chances = (odds.first, odds.second) if odds else (None, None)
    values = tuple(values_of(side, chance) for side, chance in zip((a, b), chances, strict=True))
    return Pair((a, b), odds, _winner((a, b), odds), (values[0], values[1]), tuple(steps_of((a, b), odds)))


def _odds(a: Side, b: Side, notebook: Notebook) -> Odds | None:
    """The odds of one or several of a kind against one or several of another; more than can be computed is a need."""
    members = alike(fighter_of(a), a.who.count, fighter_of(b), b.who.count)
    if is_feasible(*members):
        return group_odds(*members)
    name = " and ".join(side.who.name for side in (a, b) if side.who.count != 1) or f"{a.who.name} and {b.who.name}"
    notebook.need(f"the odds of {name} at once (more than can be computed exactly)", f"{name} in combat")
    return None


def _finding(pair: Pair, duel: Duel) -> Finding:
    crowded = any(side.who.count != 1 for side in pair.sides)
    values: dict[str, Any] = {
        "combatants": list(pair.values),
        "draw_probability": round(pair.odds.both, 6) if pair.odds else None,
        "winner": pair.winner,
        "model": MODEL + CROWD if crowded else MODEL,
    }
    names = [side.who.name for side in pair.sides]
    counts = [side.who.count for side in pair.sides]
    claim = claim_of(names, counts, pair.odds, pair.winner, loser=duel.asks_loser)
    verdict = verdict_of(names, pair.winner, loser=duel.asks_loser)
    return Finding("combat", claim, tuple(dict.fromkeys(pair.steps)), values, verdict)


def _alone(sides: Sequence[Side]) -> Finding:
    """No fight at all: what is known of each, and no verdict."""
    values = {"combatants": [values_of(side, None) for side in sides], "draw_probability": None, "winner": None}
    steps = tuple(dict.fromkeys(step for side in sides for step in steps_of([side], None)))
    return Finding("combat", NO_VERDICT, steps, values | {"model": MODEL}, None)


def _winner(sides: Sequence[Side], odds: Odds | None) -> str | None:
    if odds is None or odds.unresolved > 0.5 or abs(odds.first - odds.second) <= max(odds.unresolved, 1e-9):
        return None
    return sides[0].who.name if odds.first > odds.second else sides[1].who.name
