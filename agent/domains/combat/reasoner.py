"""Who wins a fight: both sides read from the book, the exact odds computed, each number with its citation.

The reasoner also says what it needs: on no evidence its needs are the plan. No verdict is given while a fact is
missing; what is missing is null in `values`. More than two fight in pairs, unless some fight together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations

from agent.domains.combat.combatant import read_side, with_weapons
from agent.domains.combat.combatant_state import Side
from agent.domains.combat.crowd_odds import alike
from agent.domains.combat.duel import (
    BEYOND_ODDS,
    fighter_of,
    finding_of,
    fought_out,
    is_complete,
    notes,
    read_bout,
    steps_of,
    values_of,
    winner_of,
)
from agent.domains.combat.pairs import Pair, pairwise
from agent.domains.combat.parties import fight_parties
from agent.domains.combat.types import Combatant, Duel
from agent.reasoning.notebook import Notebook
from agent.types import Finding, Reasoned
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
    if duel.uncounted:
        names, numbers = " and ".join(who.name for who in duel.combatants), ", ".join(duel.uncounted)
        notebook.need(f"how {numbers} counts in this fight", f"{names} in combat", purpose="what no odds count")
    duel = with_weapons(duel, notebook)
    finding = _fought(duel, notebook, final)
    claim = _undecided(duel, notebook) or finding.claim
    return notebook.reasoned(replace(finding, claim=claim, steps=(*finding.steps, *notes(duel))))


def _undecided(duel: Duel, notebook: Notebook) -> str:
    """Why there is no verdict, where it is not for a fact that the book lacks."""
    if duel.uncounted:
        return f"No verdict: the question says {', '.join(duel.uncounted)}, which no odds count."
    if any(need.sub_query.purpose == BEYOND_ODDS for need in notebook.needs.values()):
        return f"No verdict: this fight is {BEYOND_ODDS}."
    return ""


def _fought(duel: Duel, notebook: Notebook, final: bool) -> Finding:
    if len(duel.combatants) > MOST:
        names = ", ".join(who.name for who in duel.combatants)
        notebook.need(f"the odds of more than {MOST} at once ({names}); ask for fewer", f"{names} in combat")
        return _alone(duel, [Side(who) for who in duel.combatants])
    if len(duel.sides) == 2:
        return fight_parties(duel, notebook, MODEL + CROWD, final=final)
    fought = [_fight(pair, notebook, final) for pair in combinations(duel.combatants, 2)]
    if not fought:
        return _alone(duel, [read_side(who, notebook) for who in duel.combatants])
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
        several = " and ".join(who.name for who in pair if who.count != 1)
        name, counts = several or f"{a.who.name} and {b.who.name}", (a.who.count, b.who.count)
        members = partial(alike, fighter_of(a), a.who.count, fighter_of(b), b.who.count)
        odds = fought_out(counts, members, name, notebook)
    chances = (odds.first, odds.second) if odds else (None, None)
    values = tuple(values_of(side, chance) for side, chance in zip((a, b), chances, strict=True))
    winner = winner_of([who.name for who in pair], odds)
    return Pair((a, b), odds, winner, (values[0], values[1]), tuple(steps_of((a, b), odds)))


def _finding(pair: Pair, duel: Duel) -> Finding:
    names, counts = [side.who.name for side in pair.sides], [side.who.count for side in pair.sides]
    model = MODEL if set(counts) == {1} else MODEL + CROWD
    return finding_of(duel, names, counts, pair.odds, {"combatants": list(pair.values)}, model, pair.steps)


def _alone(duel: Duel, sides: Sequence[Side]) -> Finding:
    """No fight at all: what is known of each, and no verdict."""
    values = {"combatants": [values_of(side, None) for side in sides]}
    steps = [step for side in sides for step in steps_of([side], None)]
    return finding_of(duel, [side.who.name for side in sides], [1], None, values, MODEL, steps)
