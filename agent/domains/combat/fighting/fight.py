"""A fight of two sides: one against another, several of a kind, or a knight and a priest together against an ogre.

Each combatant is read against each foe, as armor classes and sizes differ. A side strikes at the foremost foe until it
falls, in the order in which the question names them (`agent.domains.combat.fighting.odds`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from agent.domains.combat import totals
from agent.domains.combat.fighting.odds import LARGEST, Fighter, Member, Odds, group_odds, hit_probability, is_feasible
from agent.domains.combat.rulebook.attacks import attacks_on_the_unskilled
from agent.domains.combat.rulebook.combatant import read_side
from agent.domains.combat.rulebook.level_dice import has_levels
from agent.domains.combat.rulebook.profile import Rulebook
from agent.domains.combat.rulebook.to_hit import read_to_hit
from agent.domains.combat.rulebook.weapons import read_weapon
from agent.domains.combat.types import OPTIONAL_PURPOSES, Combatant, Side
from agent.reasoning.values import dice as d
from agent.types import Step

BEYOND_ODDS = f"more than can be computed exactly: at most {LARGEST:,} hit points a side, and fewer where both are many"
Places = tuple[int, ...]
"""The members of a side, by index among the combatants of a question."""
_Against = Mapping[tuple[int, int], Side]
"""Each combatant's values against each foe, by both indexes."""


@dataclass(frozen=True, slots=True)
class Bout:
    """Two sides and the odds of their fight; `odds` is None if facts are missing."""

    names: tuple[str, str]
    counts: tuple[int, int]
    odds: Odds | None
    values: tuple[Mapping[str, Any], ...]
    steps: tuple[Step, ...]

    @property
    def chances(self) -> tuple[float | None, float | None]:
        """The chances of both sides to win."""
        return (None, None) if self.odds is None else (self.odds.first, self.odds.second)

    @property
    def winner(self) -> str | None:
        """The side that is more likely to win; None if it is even, or never ends."""
        odds = self.odds
        if odds is None or odds.unresolved > 0.5 or abs(odds.first - odds.second) <= max(odds.unresolved, 1e-9):
            return None
        return self.names[0] if odds.first > odds.second else self.names[1]


def fight(who: Sequence[Combatant], ours: Places, theirs: Places, notebook: Rulebook) -> Bout:
    """Read both sides and compute their fight if nothing is missing; ordinary values are assumed."""
    own = {place: read_side(who[place], notebook) for place in (*ours, *theirs)}
    against = _read_against(own, ours, theirs, notebook)
    names = _name(who, ours), _name(who, theirs)
    counts = sum(who[place].count for place in ours), sum(who[place].count for place in theirs)
    odds = None
    if not notebook.lacks_anything and all(map(_is_complete, against.values())):
        odds = _fight_odds(who, ours, theirs, against, notebook)
    chances = (None, None) if odds is None else (odds.first, odds.second)
    values = [merge_values([values_of(against[one, foe], chances[0]) for foe in theirs]) for one in ours]
    values += [merge_values([values_of(against[one, foe], chances[1]) for foe in ours]) for one in theirs]
    sides = [side for place in own for side in _values_against_foes(place, against)]
    return Bout(names, counts, odds, tuple(values), (*steps_of(sides), *_odds_steps(names, odds)))


def _name(who: Sequence[Combatant], places: Places) -> str:
    return " and ".join(who[place].name for place in places)


def _values_against_foes(place: int, against: _Against) -> Iterator[Side]:
    """Yield a combatant's values against each of its foes."""
    return (side for (one, _), side in against.items() if one == place)


def _read_against(own: Mapping[int, Side], ours: Places, theirs: Places, notebook: Rulebook) -> _Against:
    """Read each combatant against each foe: its own values, and those that depend on the foe."""
    against: dict[tuple[int, int], Side] = {}
    for i in ours:
        for j in theirs:
            both = [own[place].copy() for place in (i, j)]
            _read_bout(both[0], both[1], notebook)
            against[i, j], against[j, i] = both
    for place in own:
        _use_lowest_rate(list(_values_against_foes(place, against)))
    return against


def _read_bout(a: Side, b: Side, notebook: Rulebook) -> None:
    """Read the values of each of two combatants against the other."""
    for side, other in ((a, b), (b, a)):
        read_weapon(side, other, notebook)
        read_to_hit(side, other, notebook)
        _against_the_unskilled(side, other, notebook)
    _assume_the_ordinary((a, b), notebook)
    for side in (a, b):
        _need_missing_values(side, notebook)


def _against_the_unskilled(side: Side, other: Side, notebook: Rulebook) -> None:
    """Raise the attacks per round if the book gives more against creatures of less than one hit die."""
    if side.combatant.level is None or other.hit_dice is None or other.hit_dice >= 1:
        return
    found = attacks_on_the_unskilled(side.combatant.subject, side.combatant.level, notebook)
    if found and found[0] > (side.attacks or 0):
        side.attacks = found[0]
        side.note(f"{side.label} makes {found[0]} attacks a round on less than a hit die", None, found[1])


def _assume_the_ordinary(sides: Sequence[Side], notebook: Rulebook) -> None:
    """Assume one attack per round if nothing gives a class more; mark the optional needs as such."""
    notebook.do_without(OPTIONAL_PURPOSES)
    for side in sides:
        if side.attacks is None and not side.is_creature:
            side.attacks = Fraction(1)
            told = f"{side.label} attacks once a round, as nothing found gives a {side.combatant.subject} more"
            side.assumptions.append(told)


def _need_missing_values(side: Side, notebook: Rulebook) -> None:
    """Note needs for an unknown armor class, and for the level of a class that the question gives without one."""
    who = side.combatant
    is_class = not side.is_creature or (side.hit_dice is None and has_levels(who.subject, notebook))
    unsaid = ", which the question does not say" if is_class else ""
    if side.armor_class is None and who.armor is None and (notebook.chunks or not side.is_creature):
        notebook.need(f"the armor class of {who.name}{unsaid}", f"{who.name} armor class", purpose="armor class")
    if is_class and side.is_creature:
        notebook.need(f"the level of {who.name}{unsaid}", f"{who.subject} level")


def _use_lowest_rate(sides: Sequence[Side]) -> None:
    """Use the fewest attacks per round against any foe if a combatant's rates differ, with an assumption."""
    rates = {side.attacks for side in sides if side.attacks is not None}
    if len(rates) < 2:
        return
    for side in sides:
        side.attacks = min(rates)
        told = f"{side.label} has the fewest attacks that it has at any of its foes at all ({side.attacks} a round)"
        side.assumptions.append(told)


def _is_complete(side: Side) -> bool:
    """Return True if nothing that the odds depend on is missing."""
    return None not in (side.to_hit, side.attacks) and side.hit_points is not None and bool(side.damage)


def _fight_odds(
    who: Sequence[Combatant], ours: Places, theirs: Places, against: _Against, notebook: Rulebook
) -> Odds | None:
    """Return the odds of two sides, or None with a need if they are too large, which is checked first."""
    counts = [sum(who[place].count for place in places) for places in (ours, theirs)]
    if 0 < min(counts) and max(counts) <= LARGEST:
        both = _members(who, ours, theirs, against), _members(who, theirs, ours, against)
        if is_feasible(*both):
            return group_odds(*both)
    name = f"{_name(who, ours)} and {_name(who, theirs)}"
    notebook.need(f"the odds of {name} at once ({BEYOND_ODDS})", f"{name} in combat", purpose=BEYOND_ODDS)
    return None


def _members(who: Sequence[Combatant], own: Places, foes: Places, against: _Against) -> list[Member]:
    """Return the members of a side, each with how it fights each foe, in order."""
    members: list[Member] = []
    for i in own:
        member: Member = ()
        for j in foes:
            member += (_fighter(against[i, j]),) * who[j].count
        members += [member] * who[i].count
    return members


def _fighter(side: Side) -> Fighter:
    """Return the fighter for a side whose facts are complete."""
    assert side.hit_points is not None and side.to_hit is not None and side.attacks is not None
    d.require_rolls(float(side.attacks * len(side.damage)))
    return Fighter(side.hit_points, hit_probability(side.to_hit, side.hit_bonus), _damage(side), side.attacks)


def _damage(side: Side) -> tuple[totals.Distribution, ...]:
    """Return the damage of each attack of the routine when it hits, bonus included, at least 1."""
    return tuple(totals.total(d.Dice(x.count, x.sides, x.plus + side.damage_bonus), at_least=1) for x in side.damage)


def values_of(side: Side, chance: float | None) -> Mapping[str, Any]:
    """Return the known values of a combatant as data; None is not found. The probability is that its side wins."""
    who = side.combatant
    return {
        "name": who.name,
        "class": who.subject,
        "level": who.level,
        "armor_class": side.armor_class,
        "to_hit": side.to_hit,
        "hit_probability": None if side.to_hit is None else round(hit_probability(side.to_hit, side.hit_bonus), 4),
        "average_hit_points": None if side.hit_points is None else round(totals.mean(side.hit_points), 4),
        "attacks_per_round": None if side.attacks is None else float(side.attacks) * max(1, len(side.damage)),
        "average_damage": _average_damage(side),
        "win_probability": None if chance is None else round(chance, 6),
    }


def merge_values(values: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Merge the values of one combatant; a value that differs from foe to foe is None."""
    first, *others = values
    return {name: value if all(value == other[name] for other in others) else None for name, value in first.items()}


def _average_damage(side: Side) -> float | None:
    """Return the mean damage of one hit, averaged over the routine's attacks."""
    return round(sum(map(totals.mean, _damage(side))) / len(side.damage), 4) if side.damage else None


def steps_of(sides: Sequence[Side]) -> list[Step]:
    """Return the lines of working: what was read, what was assumed, what was computed."""
    steps = [Step(text, value, cites) for side in sides for text, value, cites in side.steps]
    steps += [Step(f"assumed: {text}") for side in sides for text in side.assumptions]
    for side in sides:
        if side.to_hit is not None:
            chance = hit_probability(side.to_hit, side.hit_bonus)
            bonus = f" with {side.hit_bonus:+d}" if side.hit_bonus else ""
            steps.append(Step(f"{side.label} hits on {side.to_hit}{bonus}: {chance:.0%} of attacks", round(chance, 4)))
        if (damage := _average_damage(side)) is not None:
            steps.append(Step(f"a hit by {side.label} does {damage:.3g} on average", damage))
    return list(dict.fromkeys(steps))


def _odds_steps(names: Sequence[str], odds: Odds | None) -> list[Step]:
    """Return the odds of two sides and the length of the fight as lines of working."""
    if odds is None:
        return []
    undecided = f", undecided {odds.unresolved:.1%}" if odds.unresolved >= 0.0005 else ""
    chances = f"{names[0]} {odds.first:.1%}, {names[1]} {odds.second:.1%}, both fall {odds.both:.1%}"
    steps = [Step(f"exact odds: {chances}{undecided}", round(max(odds.first, odds.second), 6))]
    if not undecided:
        rounds = round(odds.rounds, 1)
        steps.append(Step(f"the fight lasts {rounds:g} rounds on average", rounds))
    return steps
