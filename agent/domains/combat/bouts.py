"""Two sides fight: one against another, several of a kind, or a knight and a priest together against an ogre.

Each is read against each foe, for armor classes and sizes differ. The blows of a side fall on the foremost foe until it
falls, in the order in which the question names them (`agent.domains.combat.crowd_odds`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent.domains.combat.combatant import read_side
from agent.domains.combat.combatant_state import Side
from agent.domains.combat.crowd_odds import LARGEST, Member, group_odds, is_feasible
from agent.domains.combat.duel import fighter_of, is_complete, odds_steps, read_bout, steps_of, values_of
from agent.domains.combat.odds import Odds
from agent.domains.combat.profile import Rulebook
from agent.domains.combat.types import Combatant
from agent.types import Step

BEYOND_ODDS = f"more than can be computed exactly: at most {LARGEST:,} hit points a side, and fewer where both are many"
Places = tuple[int, ...]
"""Those of one side, by their places among the combatants of a question."""
_Against = Mapping[tuple[int, int], Side]
"""How each stands against each of its foes."""


@dataclass(frozen=True, slots=True)
class Bout:
    """Two sides that fought, or could not for lack of facts: then `odds` is None."""

    names: tuple[str, str]
    counts: tuple[int, int]
    odds: Odds | None
    values: tuple[Mapping[str, Any], ...]
    steps: tuple[Step, ...]

    @property
    def chances(self) -> tuple[float | None, float | None]:
        """The chances of both to win."""
        return (None, None) if self.odds is None else (self.odds.first, self.odds.second)

    @property
    def winner(self) -> str | None:
        """Who is more likely to win; nobody where it is even, or never ends."""
        odds = self.odds
        if odds is None or odds.unresolved > 0.5 or abs(odds.first - odds.second) <= max(odds.unresolved, 1e-9):
            return None
        return self.names[0] if odds.first > odds.second else self.names[1]


def fight(who: Sequence[Combatant], ours: Places, theirs: Places, notebook: Rulebook, *, final: bool) -> Bout:
    """Read both sides and let them fight, each as one, if nothing is missing."""
    own = {place: read_side(who[place], notebook) for place in (*ours, *theirs)}
    against = _read_against(own, ours, theirs, notebook, final=final)
    names = _name(who, ours), _name(who, theirs)
    counts = sum(who[place].count for place in ours), sum(who[place].count for place in theirs)
    odds = None
    if not notebook.needs and all(is_complete(side) for side in against.values()):
        odds = _fought_out(counts, lambda: _members(who, ours, theirs, against), names, notebook)
    chances = (None, None) if odds is None else (odds.first, odds.second)
    values = [_values(place, theirs, against, chances[0]) for place in ours]
    values += [_values(place, ours, against, chances[1]) for place in theirs]
    return Bout(names, counts, odds, tuple(values), _steps(own, against, names, odds))


def _read_against(
    own: Mapping[int, Side], ours: Places, theirs: Places, notebook: Rulebook, *, final: bool
) -> _Against:
    """How each stands against each foe; in a duel that is all there is of it, else it has notes of its own."""
    against: dict[tuple[int, int], Side] = {}
    for i in ours:
        for j in theirs:
            a, b = own[i], own[j]
            if len(own) > 2:
                a, b = replace(a, steps=[], assumptions=[]), replace(b, steps=[], assumptions=[])
            read_bout(a, b, notebook, final=final)
            against[i, j], against[j, i] = a, b
    for places, foes in ((ours, theirs), (theirs, ours)):
        for i in places:
            _strike_alike([against[i, j] for j in foes])
    return against


def _strike_alike(sides: Sequence[Side]) -> None:
    """One who strikes more often at some of the foes is counted with the fewest attacks at all."""
    rates = {side.attacks for side in sides if side.attacks is not None}
    if len(rates) < 2:
        return
    for side in sides:
        side.attacks = min(rates)
        told = f"{side.label} has the fewest attacks that it has at any of its foes at all ({side.attacks} a round)"
        side.assumptions.append(told)


def _fought_out(
    counts: tuple[int, int],
    members: Callable[[], tuple[Sequence[Member], Sequence[Member]]],
    names: tuple[str, str],
    notebook: Rulebook,
) -> Odds | None:
    """The odds of two sides of so many; more than can be computed is a need, and `members` are not even made."""
    if 0 < min(counts) and max(counts) <= LARGEST and is_feasible(*(both := members())):
        return group_odds(*both)
    name = " and ".join(names)
    notebook.need(f"the odds of {name} at once ({BEYOND_ODDS})", f"{name} in combat", purpose=BEYOND_ODDS)
    return None


def _members(
    who: Sequence[Combatant], ours: Places, theirs: Places, against: _Against
) -> tuple[list[Member], list[Member]]:
    return _of_side(who, ours, theirs, against), _of_side(who, theirs, ours, against)


def _of_side(who: Sequence[Combatant], own: Places, foes: Places, against: _Against) -> list[Member]:
    """Each of a side, with how it fights each of the foes in their order."""
    members: list[Member] = []
    for i in own:
        member: Member = ()
        for j in foes:
            member += (fighter_of(against[i, j]),) * who[j].count
        members += [member] * who[i].count
    return members


def _name(who: Sequence[Combatant], places: Places) -> str:
    return " and ".join(who[place].name for place in places)


def _steps(own: Mapping[int, Side], against: _Against, names: tuple[str, str], odds: Odds | None) -> tuple[Step, ...]:
    """The lines of working; in a duel those of both sides and then what follows from them."""
    if len(own) == 2:
        return (*steps_of(tuple(own.values())), *odds_steps(names, odds))
    steps: list[Step] = []
    for side in (*own.values(), *against.values()):
        steps += steps_of([side])
    return (*steps, *odds_steps(names, odds))


def _values(place: int, foes: Places, against: _Against, chance: float | None) -> Mapping[str, Any]:
    """One combatant; what differs from foe to foe is None. The probability is that its side wins."""
    first, *others = [values_of(against[place, foe], chance) for foe in foes]
    alike = {}
    for name, value in first.items():
        is_same = all(value == other[name] for other in others)
        alike[name] = value if is_same else None
    return alike
