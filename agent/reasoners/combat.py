"""Who wins a fight: both sides read from the book, the exact odds computed, each number with its citation.

The reasoner also says what it needs: on no evidence its needs are the plan. No verdict is given while a fact is
missing; what is missing is null in `values`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from agent.reasoners import dice as d
from agent.reasoners.combatant import read_side, read_to_hit
from agent.reasoners.facts import Notebook, Reasoned
from agent.reasoners.odds import Fighter, Odds, duel_odds, hit_probability
from agent.reasoners.side import Side
from agent.types import Duel, Finding, Step
from retrieval.types import Chunk

MODEL = (
    "full rolled hit points; d6 initiative each round, ties simultaneous; all attacks at the side's initiative; "
    "3/2 attacks are two in odd rounds; no automatic hit or miss"
)


def reason(duel: Duel, chunks: Sequence[Chunk], prefix: str = "q", *, final: bool = True) -> Reasoned:
    """Fight the duel on what `chunks` say; `final` allows to assume one attack a round where no more is said."""
    notebook = Notebook(chunks, prefix)
    sides = [read_side(who, notebook) for who in duel.combatants]
    if len(sides) == 2:
        a, b = sides
        read_to_hit(a, b, notebook)
        read_to_hit(b, a, notebook)
    if final:
        _assume_one_attack(sides, notebook)
    for side in sides:
        if side.armor_class is None and not side.is_creature:
            notebook.need(f"the armor class of {side.who.name}", f"{side.who.name} armor class", purpose="armor class")
    _refuse_crowds(sides, notebook)
    ready = len(sides) == 2 and all(map(_complete, sides)) and not notebook.needs
    odds = duel_odds(*map(_fighter, sides)) if ready else None
    return notebook.reasoned(_finding(sides, odds))


def _assume_one_attack(sides: Sequence[Side], notebook: Notebook) -> None:
    """What no class table or paragraph raises is one attack; it was looked for, so it is no longer a need."""
    notebook.needs = {text: need for text, need in notebook.needs.items() if need.sub_query.purpose != "attacks"}
    for side in sides:
        if side.attacks is None:
            side.attacks = Fraction(1)
            side.assumptions.append(
                f"{side.who.name} attacks once a round, as nothing found gives a {side.who.subject} more"
            )


def _refuse_crowds(sides: Sequence[Side], notebook: Notebook) -> None:
    """The odds are those of one against one; more of a side is said, not counted as one."""
    for side in sides:
        if side.who.count != 1:
            name = side.who.name
            notebook.need(f"the odds of {name} at once (only one against one is computed)", f"{name} in combat")
    if len(sides) > 2:
        names = ", ".join(side.who.name for side in sides)
        notebook.need(f"the odds of more than two ({names}); ask for each pair", f"{names} in combat")


def _complete(side: Side) -> bool:
    return None not in (side.to_hit, side.attacks) and side.hit_points is not None and bool(side.damage)


def _fighter(side: Side) -> Fighter:
    assert side.hit_points is not None and side.to_hit is not None and side.attacks is not None
    return Fighter(side.hit_points, hit_probability(side.to_hit, side.hit_bonus), _damage(side), side.attacks)


def _damage(side: Side) -> tuple[d.Distribution, ...]:
    """What each attack of the routine does when it hits, bonus included, at least 1."""
    return tuple(d.total(d.Dice(x.count, x.sides, x.plus + side.damage_bonus), at_least=1) for x in side.damage)


def _finding(sides: Sequence[Side], odds: Odds | None) -> Finding:
    steps = [Step(text, value, cites) for side in sides for text, value, cites in side.steps]
    steps += [Step(f"assumed: {text}") for side in sides for text in dict.fromkeys(side.assumptions)]
    chances = [odds.first, odds.second] if odds else [None] * len(sides)
    winner = _winner(sides, odds)
    steps += _computed(sides, odds)
    values: dict[str, Any] = {
        "combatants": [_values(side, chance) for side, chance in zip(sides, chances, strict=True)],
        "draw_probability": round(odds.both, 6) if odds else None,
        "winner": winner,
        "model": MODEL,
    }
    return Finding("combat", _claim(sides, odds, winner), tuple(dict.fromkeys(steps)), values, winner)


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
    return f"The {winner} is more likely to win, with a probability of {chance:.1%}."
