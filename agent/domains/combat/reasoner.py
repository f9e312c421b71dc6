"""Who wins a fight: both sides read from the book, the exact odds computed, each number with its citation.

The reasoner also says what it needs: on no evidence its needs are the plan. No verdict is given while a fact is
missing; what is missing is null in `values`. More than two fight in pairs, unless some fight together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from agent.domains.combat.bouts import BEYOND_ODDS, Bout, fight
from agent.domains.combat.combatant import read_side, with_weapons
from agent.domains.combat.combatant_state import Side
from agent.domains.combat.duel import NO_VERDICT, claim_of, notes, steps_of, values_of
from agent.domains.combat.pairs import pairwise
from agent.domains.combat.profile import Rulebook
from agent.domains.combat.types import Duel
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
