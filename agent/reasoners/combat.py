"""Who wins a fight: both sides read from the book, the exact odds computed, each number with its citation.

The reasoner also says what it needs: on no evidence its needs are the plan. No verdict is given while a fact is
missing; what is missing is null in `values`. More than two fight in pairs; several of a kind fight one at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from agent.reasoners import dice as d
from agent.reasoners.combatant import read_side, read_to_hit, read_weapon
from agent.reasoners.crowd import crowd_odds, is_feasible
from agent.reasoners.facts import Notebook, Reasoned
from agent.reasoners.odds import Fighter, Odds, duel_odds, hit_probability
from agent.reasoners.pairs import Pair, pairwise
from agent.reasoners.side import Side
from agent.types import Combatant, Duel, Finding, Step
from retrieval.types import Chunk

MODEL = (
    "full rolled hit points; d6 initiative each round, ties simultaneous; all attacks at the side's initiative; "
    "3/2 attacks are two in odd rounds; no automatic hit or miss"
)
CROWD = "; all of several attack the one, who strikes at one of them until it falls"
MOST = 6
"""More combatants than this are not fought pairwise."""


def reason(duel: Duel, chunks: Sequence[Chunk], prefix: str = "q", *, final: bool = True) -> Reasoned:
    """Fight the duel on what `chunks` say; `final` allows to assume one attack a round where no more is said."""
    notebook = Notebook(chunks, prefix)
    if len(duel.combatants) > MOST:
        names = ", ".join(who.name for who in duel.combatants)
        notebook.need(f"the odds of more than {MOST} at once ({names}); ask for fewer", f"{names} in combat")
        return notebook.reasoned(_alone([Side(who) for who in duel.combatants]))
    fought = [_fight(pair, notebook, final) for pair in combinations(duel.combatants, 2)]
    if not fought:
        return notebook.reasoned(_alone([read_side(who, notebook) for who in duel.combatants]))
    finding = _finding(fought[0]) if len(fought) == 1 else pairwise(duel.combatants, fought, MODEL)
    return notebook.reasoned(finding)


def _fight(pair: Sequence[Combatant], notebook: Notebook, final: bool) -> Pair:
    """Read two sides and let them fight, if nothing is missing."""
    a, b = (read_side(who, notebook) for who in pair)
    for side, other in ((a, b), (b, a)):
        read_weapon(side, other, notebook)
        read_to_hit(side, other, notebook)
    if final:
        _assume_one_attack((a, b), notebook)
    for side in (a, b):
        if side.armor_class is None and not side.is_creature and side.who.armor is None:
            notebook.need(f"the armor class of {side.who.name}", f"{side.who.name} armor class", purpose="armor class")
    odds = None
    if _complete(a) and _complete(b) and not notebook.needs and _is_computed(a, b, notebook):
        odds = _odds(a, b)
    chances = (odds.first, odds.second) if odds else (None, None)
    values = tuple(_values(side, chance) for side, chance in zip((a, b), chances, strict=True))
    return Pair((a, b), odds, _winner((a, b), odds), (values[0], values[1]), tuple(_steps((a, b), odds)))


def _assume_one_attack(sides: Sequence[Side], notebook: Notebook) -> None:
    """What no class table or paragraph raises is one attack; it was looked for, so it is no longer a need."""
    notebook.needs = {text: need for text, need in notebook.needs.items() if need.sub_query.purpose != "attacks"}
    for side in sides:
        if side.attacks is None:
            side.attacks = Fraction(1)
            side.assumptions.append(
                f"{side.who.name} attacks once a round, as nothing found gives a {side.who.subject} more"
            )


def _is_computed(a: Side, b: Side, notebook: Notebook) -> bool:
    """One against one, or one against several of a kind; anything else is said, not counted as one."""
    crowd = next((side for side in (a, b) if side.who.count != 1), None)
    if crowd is None:
        return True
    name = crowd.who.name
    if a.who.count != 1 and b.who.count != 1:
        notebook.need(f"the odds of several against several ({a.who.name}, {b.who.name})", f"{name} in combat")
        return False
    if crowd.who.count < 1 or not is_feasible(_fighter(crowd), crowd.who.count):
        notebook.need(f"the odds of {name} at once (more than can be computed exactly)", f"{name} in combat")
        return False
    return True


def _odds(a: Side, b: Side) -> Odds:
    if a.who.count == b.who.count == 1:
        return duel_odds(_fighter(a), _fighter(b))
    if b.who.count != 1:
        return crowd_odds(_fighter(a), _fighter(b), b.who.count)
    found = crowd_odds(_fighter(b), _fighter(a), a.who.count)
    return Odds(found.second, found.first, found.both, found.unresolved)


def _complete(side: Side) -> bool:
    return None not in (side.to_hit, side.attacks) and side.hit_points is not None and bool(side.damage)


def _fighter(side: Side) -> Fighter:
    assert side.hit_points is not None and side.to_hit is not None and side.attacks is not None
    return Fighter(side.hit_points, hit_probability(side.to_hit, side.hit_bonus), _damage(side), side.attacks)


def _damage(side: Side) -> tuple[d.Distribution, ...]:
    """What each attack of the routine does when it hits, bonus included, at least 1."""
    return tuple(d.total(d.Dice(x.count, x.sides, x.plus + side.damage_bonus), at_least=1) for x in side.damage)


def _steps(sides: Sequence[Side], odds: Odds | None) -> list[Step]:
    steps = [Step(text, value, cites) for side in sides for text, value, cites in side.steps]
    steps += [Step(f"assumed: {text}") for side in sides for text in dict.fromkeys(side.assumptions)]
    return [*steps, *_computed(sides, odds)]


def _finding(pair: Pair) -> Finding:
    crowded = any(side.who.count != 1 for side in pair.sides)
    values: dict[str, Any] = {
        "combatants": list(pair.values),
        "draw_probability": round(pair.odds.both, 6) if pair.odds else None,
        "winner": pair.winner,
        "model": MODEL + CROWD if crowded else MODEL,
    }
    claim = _claim(pair.sides, pair.odds, pair.winner)
    return Finding("combat", claim, tuple(dict.fromkeys(pair.steps)), values, pair.winner)


def _alone(sides: Sequence[Side]) -> Finding:
    """No fight at all: what is known of each, and no verdict."""
    values = {"combatants": [_values(side, None) for side in sides], "draw_probability": None, "winner": None}
    steps = tuple(dict.fromkeys(step for side in sides for step in _steps([side], None)))
    return Finding("combat", _claim(sides, None, None), steps, values | {"model": MODEL}, None)


def _values(side: Side, chance: float | None) -> Mapping[str, Any]:
    who = side.who
    return {
        "name": who.name,
        "class": who.subject,
        "level": who.level,
        "armor_class": side.armor_class,
        "to_hit": side.to_hit,
        "hit_probability": None if side.to_hit is None else round(hit_probability(side.to_hit, side.hit_bonus), 4),
        "average_hit_points": None if side.hit_points is None else round(d.mean(side.hit_points), 4),
        "attacks_per_round": _attacks(side),
        "average_damage": _average_damage(side),
        "win_probability": None if chance is None else round(chance, 6),
    }


def _attacks(side: Side) -> float | None:
    """Attacks a round, all of a routine's counted: claw/claw/bite are three."""
    return None if side.attacks is None else float(side.attacks) * max(1, len(side.damage))


def _average_damage(side: Side) -> float | None:
    """The mean damage of one hit, averaged over the routine's attacks."""
    if not side.damage:
        return None
    return round(sum(map(d.mean, _damage(side))) / len(side.damage), 4)


def _computed(sides: Sequence[Side], odds: Odds | None) -> list[Step]:
    steps = []
    for side in sides:
        if side.to_hit is not None:
            chance = hit_probability(side.to_hit, side.hit_bonus)
            bonus = f" with {side.hit_bonus:+d}" if side.hit_bonus else ""
            steps.append(
                Step(f"{side.who.name} hits on {side.to_hit}{bonus}: {chance:.0%} of attacks", round(chance, 4))
            )
        if (damage := _average_damage(side)) is not None:
            steps.append(Step(f"a hit by {side.who.name} does {damage:.3g} on average", damage))
    if odds is not None:
        a, b = (side.who.name for side in sides)
        text = f"exact odds: {a} {odds.first:.1%}, {b} {odds.second:.1%}, both fall {odds.both:.1%}"
        steps.append(Step(text, round(max(odds.first, odds.second), 6)))
    return steps


def _winner(sides: Sequence[Side], odds: Odds | None) -> str | None:
    if odds is None or odds.unresolved > 0.5 or abs(odds.first - odds.second) < 1e-9:
        return None
    return sides[0].who.name if odds.first > odds.second else sides[1].who.name


def _claim(sides: Sequence[Side], odds: Odds | None, winner: str | None) -> str:
    if odds is None:
        return "No verdict: facts are missing."
    if odds.unresolved > 0.5:
        return "Neither can hurt the other: the fight never ends."
    if winner is None:
        return f"Neither is more likely to win: {odds.first:.1%} each."
    chance = max(odds.first, odds.second)
    verb = "is" if next(side.who.count for side in sides if side.who.name == winner) == 1 else "are"
    return f"The {winner} {verb} more likely to win, with a probability of {chance:.1%}."
