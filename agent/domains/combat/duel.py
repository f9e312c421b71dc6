"""Two combatants read against each other: what each needs, does and can take, as lines of working and as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from agent.domains.combat.attacks import attacks_on_the_unskilled
from agent.domains.combat.combatant import read_weapon
from agent.domains.combat.combatant_state import SOFT, Side
from agent.domains.combat.level_dice import has_levels
from agent.domains.combat.odds import Fighter, Odds, hit_probability
from agent.domains.combat.profile import Rulebook
from agent.domains.combat.to_hit import read_to_hit
from agent.domains.combat.types import Duel
from agent.reasoning import dice as d
from agent.types import Step

NO_VERDICT = "No verdict: facts are missing."
_ABOUT_EVEN = 0.01
"""Chances that are less apart than this are told as about even."""


def read_bout(a: Side, b: Side, notebook: Rulebook, *, final: bool) -> None:
    """Read what either does to the other; `final` takes the ordinary where nothing more is said."""
    for side, other in ((a, b), (b, a)):
        read_weapon(side, other, notebook)
        read_to_hit(side, other, notebook)
        _against_the_unskilled(side, other, notebook)
    if final:
        _assume_the_ordinary((a, b), notebook)
    for side in (a, b):
        _need_what_is_not_said(side, notebook, final=final)


def _against_the_unskilled(side: Side, other: Side, notebook: Rulebook) -> None:
    """More attacks where the book gives them against those of less than a hit die."""
    if side.who.level is None or other.hit_dice is None or other.hit_dice >= 1:
        return
    found = attacks_on_the_unskilled(side.who.subject, side.who.level, notebook)
    if found and found[0] > (side.attacks or 0):
        side.attacks = found[0]
        side.note(f"{side.label} makes {found[0]} attacks a round on less than a hit die", None, found[1])


def _need_what_is_not_said(side: Side, notebook: Rulebook, *, final: bool) -> None:
    """An armor class that neither the question nor the book gives; the level of one that is no creature of the book."""
    who = side.who
    is_class = not side.is_creature or (side.hit_dice is None and has_levels(who.subject, notebook))
    unsaid = ", which the question does not say" if is_class else ""
    if side.armor_class is None and who.armor is None and (notebook.chunks or not side.is_creature):
        notebook.need(f"the armor class of {who.name}{unsaid}", f"{who.name} armor class", purpose="armor class")
    if is_class and side.is_creature and final:
        notebook.need(f"the level of {who.name}{unsaid}", f"{who.subject} level")


def _assume_the_ordinary(sides: Sequence[Side], notebook: Rulebook) -> None:
    """What no class table or paragraph raises is one attack; it was looked for, so it is no longer a need."""
    notebook.needs = {text: need for text, need in notebook.needs.items() if need.sub_query.purpose not in SOFT}
    for side in sides:
        if side.attacks is None and not side.is_creature:
            side.attacks = Fraction(1)
            told = f"{side.label} attacks once a round, as nothing found gives a {side.who.subject} more"
            side.assumptions.append(told)


def is_complete(side: Side) -> bool:
    """True when nothing that the odds rest on is missing."""
    return None not in (side.to_hit, side.attacks) and side.hit_points is not None and bool(side.damage)


def fighter_of(side: Side) -> Fighter:
    """A side whose facts are complete, as the odds take it."""
    assert side.hit_points is not None and side.to_hit is not None and side.attacks is not None
    d.require_rolls(float(side.attacks * len(side.damage)))
    return Fighter(side.hit_points, hit_probability(side.to_hit, side.hit_bonus), damage_of(side), side.attacks)


def damage_of(side: Side) -> tuple[d.Distribution, ...]:
    """What each attack of the routine does when it hits, bonus included, at least 1."""
    return tuple(d.total(d.Dice(x.count, x.sides, x.plus + side.damage_bonus), at_least=1) for x in side.damage)


def steps_of(sides: Sequence[Side]) -> list[Step]:
    """The lines of working: what was read, what was assumed, what was computed."""
    steps = [Step(text, value, cites) for side in sides for text, value, cites in side.steps]
    steps += [Step(f"assumed: {text}") for side in sides for text in dict.fromkeys(side.assumptions)]
    return [*steps, *_computed(sides)]


def values_of(side: Side, chance: float | None) -> Mapping[str, Any]:
    """What is known of a side as data; what was not found is None."""
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
    return round(sum(map(d.mean, damage_of(side))) / len(side.damage), 4)


def _computed(sides: Sequence[Side]) -> list[Step]:
    steps = []
    for side in sides:
        if side.to_hit is not None:
            chance = hit_probability(side.to_hit, side.hit_bonus)
            bonus = f" with {side.hit_bonus:+d}" if side.hit_bonus else ""
            steps.append(Step(f"{side.label} hits on {side.to_hit}{bonus}: {chance:.0%} of attacks", round(chance, 4)))
        if (damage := _average_damage(side)) is not None:
            steps.append(Step(f"a hit by {side.label} does {damage:.3g} on average", damage))
    return steps


def odds_steps(names: Sequence[str], odds: Odds | None) -> list[Step]:
    """The odds of two sides, and how long they fight."""
    if odds is None:
        return []
    undecided = f", undecided {odds.unresolved:.1%}" if odds.unresolved >= 0.0005 else ""
    text = (
        f"exact odds: {names[0]} {odds.first:.1%}, {names[1]} {odds.second:.1%}, both fall {odds.both:.1%}{undecided}"
    )
    steps = [Step(text, round(max(odds.first, odds.second), 6))]
    if odds.unresolved < 0.0005:
        rounds = round(odds.rounds, 1)
        steps.append(Step(f"the fight lasts {rounds:g} rounds on average", rounds))
    return steps


def claim_of(names: Sequence[str], counts: Sequence[int], odds: Odds | None, winner: str | None, *, loser: bool) -> str:
    """Who is more likely to win, or, where `loser` is asked for, who is less; both where hardly anything is between."""
    if odds is None:
        return NO_VERDICT
    if odds.unresolved > 0.5:
        return "Neither can hurt the other: the fight never ends."
    if winner is None:
        first, second = f"{odds.first:.1%}", f"{odds.second:.1%}"
        return f"Neither is more likely to win: {f'{first} each' if first == second else f'{first} and {second}'}."
    chances = odds.first, odds.second
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


def notes(duel: Duel) -> list[Step]:
    """What was read as something else, and what the question says of the fight and no odds count."""
    read = [Step(f"assumed: {word} is short for {name}") for word, name in duel.meant]
    return [*read, *_left_out(duel)]


def _left_out(duel: Duel) -> list[Step]:
    told = [f"{text} (of {who.name})" for who in duel.combatants for text in who.left_out]
    told += duel.left_out
    return [Step(f"the odds leave out: {', '.join(told)}")] if told else []
