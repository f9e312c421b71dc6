"""What is known of one side of a fight, with the lines of working that led there."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from agent.domains.combat.types import Combatant
from agent.reasoning import dice as d
from agent.reasoning.notebook import Fact

SOFT = frozenset({"attacks", "attack bonus", "monster die", "dice per level", "class group"})
"""Purposes of what is looked for and can be done without, or stands in for something that is a need of its own."""


def points_of(number: float) -> str:
    """Hit points in words.

    >>> points_of(1), points_of(22.5)
    ('1 hit point', '22.5 hit points')
    """
    return f"{number:g} hit point{'' if number == 1 else 's'}"


@dataclass(slots=True)
class Side:
    """What is known of a combatant so far; None is not found. `steps` are lines of working with their citations.

    With an `attack_bonus` a roll has to reach the opponent's armor class less that.
    """

    who: Combatant
    armor_class: int | None = None
    to_hit: int | None = None
    hit_bonus: int = 0
    attack_bonus: int | None = None
    hit_points: d.Distribution | None = None
    attacks: Fraction | None = None
    damage: tuple[d.Dice, ...] = ()
    damage_bonus: int = 0
    hit_dice: float | None = None
    is_large: bool = False
    by_weapon: bool = False
    steps: list[tuple[str, float | str | None, tuple[int, ...]]] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)

    @property
    def is_creature(self) -> bool:
        """A creature is described by a stat block, a character by class and level."""
        return self.who.level is None

    @property
    def label(self) -> str:
        """What a line of working says of one of them."""
        return self.who.name if self.who.count == 1 else f"each of the {self.who.name}"

    def note(self, text: str, value: float | str | None, *facts: Fact | None) -> None:
        """Add a line of working."""
        self.steps.append((text, value, tuple(fact.cite for fact in facts if fact is not None)))
