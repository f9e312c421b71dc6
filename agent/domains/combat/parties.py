"""Several who fight together against others: a knight and a priest against an ogre. Their odds are exact too.

Each is read against each foe, for armor classes and sizes differ. The blows of a side fall on the foremost foe until it
falls, in the order in which the question names them (`agent.domains.combat.crowd_odds`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from agent.domains.combat.combatant import read_side
from agent.domains.combat.combatant_state import Side
from agent.domains.combat.crowd_odds import Member
from agent.domains.combat.duel import (
    fighter_of,
    finding_of,
    fought_out,
    is_complete,
    odds_steps,
    read_bout,
    steps_of,
    values_of,
)
from agent.domains.combat.odds import Odds
from agent.domains.combat.types import Combatant, Duel
from agent.reasoning.notebook import Notebook
from agent.types import Finding, Step

_Bouts = Mapping[tuple[int, int], Side]


def fight_parties(duel: Duel, notebook: Notebook, model: str, *, final: bool) -> Finding:
    """Let the two sides of a duel fight, each as one."""
    ours, theirs = duel.sides
    sides = [read_side(who, notebook) for who in duel.combatants]
    bouts: dict[tuple[int, int], Side] = {}
    for i in ours:
        for j in theirs:
            a, b = (replace(sides[k], steps=[], assumptions=[]) for k in (i, j))
            read_bout(a, b, notebook, final=final)
            bouts[i, j], bouts[j, i] = a, b
    for own, foes in ((ours, theirs), (theirs, ours)):
        for i in own:
            _strike_alike([bouts[i, j] for j in foes])
    odds = None
    if all(map(is_complete, bouts.values())) and not notebook.needs:
        counts = [sum(duel.combatants[i].count for i in places) for places in (ours, theirs)]
        names = " and ".join(who.name for who in duel.combatants)
        odds = fought_out(counts, partial(_both, duel, bouts), names, notebook)
    return _finding(duel, sides, bouts, odds, model)


def _strike_alike(sides: Sequence[Side]) -> None:
    """One who strikes more often at some of the foes is counted with the fewest attacks at all."""
    rates = {side.attacks for side in sides if side.attacks is not None}
    for side in sides if len(rates) > 1 else ():
        side.attacks = min(rates)
        side.assumptions.append(
            f"{side.label} has the fewest attacks that it has at any of its foes at all ({side.attacks} a round)"
        )


def _both(duel: Duel, bouts: _Bouts) -> tuple[list[Member], list[Member]]:
    ours, theirs = duel.sides
    return _members(ours, theirs, duel.combatants, bouts), _members(theirs, ours, duel.combatants, bouts)


def _members(own: Sequence[int], foes: Sequence[int], who: Sequence[Combatant], bouts: _Bouts) -> list[Member]:
    found: list[Member] = []
    for i in own:
        found += [tuple(fighter_of(bouts[i, j]) for j in foes for _ in range(who[j].count))] * who[i].count
    return found


def _names(duel: Duel, places: Sequence[int]) -> str:
    return " and ".join(duel.combatants[place].name for place in places)


def _finding(duel: Duel, sides: Sequence[Side], bouts: _Bouts, odds: Odds | None, model: str) -> Finding:
    names = [_names(duel, places) for places in duel.sides]
    chances = (odds.first, odds.second) if odds else (None, None)
    values = {
        "combatants": [
            _values(place, places, foes, bouts, chance)
            for places, foes, chance in zip(duel.sides, duel.sides[::-1], chances, strict=True)
            for place in places
        ],
        "sides": [
            {"name": name, "win_probability": None if chance is None else round(chance, 6)}
            for name, chance in zip(names, chances, strict=True)
        ],
    }
    steps: list[Step] = [step for side in sides for step in steps_of([side], None)]
    steps += [step for bout in bouts.values() for step in steps_of([bout], None)]
    steps += odds_steps(names, odds)
    counts = [sum(duel.combatants[place].count for place in places) for places in duel.sides]
    return finding_of(duel, names, counts, odds, values, model, steps)


def _values(
    place: int, own: Sequence[int], foes: Sequence[int], bouts: _Bouts, chance: float | None
) -> Mapping[str, Any]:
    """One combatant; what differs from foe to foe is None. The probability is that its side wins."""
    found = [values_of(bouts[place, foe], chance) for foe in foes]
    return {name: value if all(value == other[name] for other in found) else None for name, value in found[0].items()}
