"""Who wins a fight: both sides read from the book, the exact odds computed, each number with its citation.

The reasoner also returns its needs: without evidence, its needs are the plan. There is no verdict while a fact is
missing; a missing fact is null in `values`. More than two combatants fight in pairs, unless some fight together. Of
pairs, the finding names who wins most: how a fight of all against all would end is another question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from agent.domains.combat.fighting.fight import BEYOND_ODDS, Bout, fight, merge_values, steps_of, values_of
from agent.domains.combat.fighting.odds import Odds
from agent.domains.combat.rulebook.combatant import read_side
from agent.domains.combat.rulebook.profile import Rulebook
from agent.domains.combat.rulebook.weapons import attach_weapons
from agent.domains.combat.types import Duel, Side
from agent.types import Finding, Reasoned, Step
from retrieval.types import Chunk

MODEL = (
    "full rolled hit points; d6 initiative each round, ties simultaneous; all attacks at the side's initiative; "
    "3/2 attacks are two in odd rounds; no automatic hit or miss"
)
CROWD = "; of several all strike, each side at the foremost of the other until it falls, in the order of the question"
NO_VERDICT = "No verdict: facts are missing."
MOST = 6
"""Most combatants that are fought pairwise."""
_ABOUT_EVEN = 0.01
"""Largest difference of chances that is reported as about even."""
_EQUAL = 1e-9


def reason(duel: Duel, chunks: Sequence[Chunk], prefix: str = "q") -> Reasoned:
    """Return the finding on the duel by what `chunks` say; one attack a round is assumed if nothing gives more."""
    notebook = Rulebook(chunks, prefix)
    if duel.uncounted:
        names, numbers = " and ".join(who.name for who in duel.combatants), ", ".join(duel.uncounted)
        notebook.need(f"how {numbers} counts in this fight", f"{names} in combat", purpose="what no odds count")
    duel = attach_weapons(duel, notebook)
    finding = _fight_finding(duel, notebook)
    claim = _undecided(duel, notebook) or finding.claim
    return notebook.reasoned(replace(finding, claim=claim, steps=(*finding.steps, *_notes(duel))))


def _undecided(duel: Duel, notebook: Rulebook) -> str:
    """Return why there is no verdict, if the reason is not a missing fact."""
    if duel.uncounted:
        return f"No verdict: the question says {', '.join(duel.uncounted)}, which no odds count."
    if any(need.sub_query.purpose == BEYOND_ODDS for need in notebook.needs.values()):
        return f"No verdict: this fight is {BEYOND_ODDS}."
    return ""


def _notes(duel: Duel) -> list[Step]:
    """Return lines for the expanded short forms and for what the odds leave out."""
    read = [Step(f"assumed: {word} is short for {name}") for word, name in duel.meant]
    told = [f"{text} (of {who.name})" for who in duel.combatants for text in who.left_out]
    told += duel.left_out
    return [*read, Step(f"the odds leave out: {', '.join(told)}")] if told else read


def _fight_finding(duel: Duel, notebook: Rulebook) -> Finding:
    who = duel.combatants
    if len(who) > MOST:
        names = ", ".join(each.name for each in who)
        notebook.need(f"the odds of more than {MOST} at once ({names}); ask for fewer", f"{names} in combat")
        return _finding_without_fight([Side(each) for each in who])
    if len(who) < 2:
        return _finding_without_fight([read_side(each, notebook) for each in who])
    sides = [duel.sides] if duel.sides else [((one,), (other,)) for one, other in combinations(range(len(who)), 2)]
    bouts = [fight(who, ours, theirs, notebook) for ours, theirs in sides]
    return _finding_of_pairs(bouts, loser=duel.asks_loser) if len(bouts) > 1 else _finding_of_two_sides(bouts[0], duel)


def _finding_without_fight(sides: Sequence[Side]) -> Finding:
    """Return a finding without a fight: the known values of each combatant, and no verdict."""
    known = [values_of(side, None) for side in sides]
    values = {"combatants": known, "draw_probability": None, "winner": None, "model": MODEL}
    return Finding("combat", NO_VERDICT, tuple(steps_of(sides)), values, None)


def _finding_of_two_sides(bout: Bout, duel: Duel) -> Finding:
    """Return the finding on two sides; the verdict is the winner, or the loser if the question asks for it."""
    winner, (first, second) = bout.winner, bout.names
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
    other = second if winner == first else first
    return Finding("combat", claim, bout.steps, values, other if winner and duel.asks_loser else winner)


def claim_of(names: Sequence[str], counts: Sequence[int], odds: Odds | None, winner: str | None, *, loser: bool) -> str:
    """Return who is more likely to win, or less if `loser`; both with their chances if these are about even."""
    if odds is None:
        return NO_VERDICT
    if odds.unresolved > 0.5:
        return "Neither can hurt the other: the fight never ends."
    chances = odds.first, odds.second
    if winner is None:
        first, second = map("{:.1%}".format, chances)
        return f"Neither is more likely to win: {f'{first} each' if first == second else f'{first} and {second}'}."
    best = names.index(winner)
    if abs(odds.first - odds.second) < _ABOUT_EVEN:
        told = [
            f"the {names[place]} {'wins' if counts[place] == 1 else 'win'} with {chances[place]:.2%}"
            for place in (best, 1 - best)
        ]
        return f"It is about even: {', '.join(told)}."
    place = 1 - best if loser else best
    verb, more = "are" if counts[place] > 1 else "is", "less" if loser else "more"
    return f"The {names[place]} {verb} {more} likely to win, with a probability of {chances[place]:.1%}."


def _finding_of_pairs(pairs: Sequence[Bout], *, loser: bool) -> Finding:
    """Return the finding on several pairs: the most pairs won come first, then the sum of the probabilities."""
    names = list(dict.fromkeys(name for pair in pairs for name in pair.names))
    scores = {name: _score(name, pairs) for name in names}
    best, second, *_ = sorted(scores.values(), reverse=True)
    is_complete = all(pair.odds is not None for pair in pairs)
    is_decided = is_complete and (best[0] != second[0] or best[1] - second[1] >= _EQUAL)
    winner = max(names, key=scores.__getitem__) if is_decided else None
    own = {name: [value for pair in pairs for value in pair.values if value["name"] == name] for name in names}
    values: dict[str, Any] = {
        "combatants": [merge_values(own[name]) for name in names],
        "pairs": [_pair_values(pair) for pair in pairs],
        "draw_probability": None,
        "winner": winner,
        "model": f"each pair apart: {MODEL}",
    }
    steps = tuple(dict.fromkeys(step for pair in pairs for step in pair.steps))
    claim, verdict = (_claim(scores, winner), winner) if is_complete else (NO_VERDICT, None)
    if loser and winner is not None:
        claim, verdict = _loser(scores, claim)
    return Finding("combat", claim, steps, values, verdict)


def _score(name: str, pairs: Sequence[Bout]) -> tuple[int, float]:
    """Return the number of pairs won, and the sum of the probabilities to win."""
    own = [(pair, pair.chances[pair.names.index(name)]) for pair in pairs if name in pair.names]
    return sum(pair.winner == name for pair, _ in own), sum(chance or 0.0 for _, chance in own)


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


def _loser(scores: Mapping[str, tuple[int, float]], claim: str) -> tuple[str, str | None]:
    """Return the claim and verdict on who wins fewest pairs, if there is only one."""
    fewest = min(wins for wins, _ in scores.values())
    losers = [name for name, (wins, _) in scores.items() if wins == fewest]
    if len(losers) > 1:
        return claim, None
    return f"Pair by pair, the {losers[0]} wins least: {fewest} of {len(scores) - 1}.", losers[0]
