"""The intents of combat questions (fights and look-ups), and the state of a combatant while it is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction

from agent.domains.combat import totals
from agent.languages.operations import End
from agent.reasoning.notebook import Fact
from agent.reasoning.values import dice as d
from retrieval.ingest.rules import ordinal
from retrieval.text.spelling import singular


def combatant_name(subject: str, level: int | None) -> str:
    """Return the name of a combatant: its subject, with its level if it has one.

    >>> combatant_name("thief", 2), combatant_name("orc", None)
    ('2nd level thief', 'orc')
    """
    return subject if level is None else f"{ordinal(level)} level {subject}"


def singular_name(name: str) -> str:
    """Return a name in the singular and in lower case.

    >>> [singular_name(name) for name in ("Long swords", "battle axes", "thieves", "battle axe")]
    ['long sword', 'battle axe', 'thief', 'battle axe']
    """
    *first, last = name.lower().split()
    plain = last.removesuffix("s")
    is_regular = singular(plain) == singular(last)
    return " ".join([*first, plain if is_regular else singular(last)])


@dataclass(frozen=True, slots=True)
class Combatant:
    """One side of a fight as the question describes it; a value that the question does not give is None.

    A creature (an owlbear) has no level. `subject` is the class or creature in the question's own words, `armor` the
    armor worn if no armor class is given, `count` the number of combatants of this kind, `weapon_bonus` the 2 of a
    sword +2. `left_out` lists what the question adds and the odds ignore: a second weapon.
    """

    name: str
    subject: str
    level: int | None = None
    armor_class: int | None = None
    abilities: Mapping[str, str] = field(default_factory=dict)
    weapon: str | None = None
    armor: str | None = None
    hit_points: int | None = None
    count: int = 1
    weapon_bonus: int = 0
    left_out: tuple[str, ...] = ()

    def with_overrides(self, told: Combatant) -> Combatant:
        """Return the combatant with the values of `told` in place of its own; a creature stays without a level."""
        dressed = self if told.armor is None and told.armor_class is None else told
        armor = dressed.armor if dressed.armor_class is None else None
        return replace(
            self,
            level=self.level if self.level is None or told.level is None else told.level,
            armor_class=dressed.armor_class,
            armor=armor,
            abilities={**self.abilities, **told.abilities},
            weapon=told.weapon or self.weapon,
            weapon_bonus=told.weapon_bonus if told.weapon else self.weapon_bonus,
            hit_points=self.hit_points if told.hit_points is None else told.hit_points,
        )

    @property
    def described(self) -> str:
        """The name, followed by every value that the question gives."""
        told = [
            *([f"armor class {self.armor_class}"] if self.armor_class is not None else []),
            *([self.armor] if self.armor else []),
            *(f"{ability} {score}" for ability, score in self.abilities.items()),
            *([f"{self.hit_points} hit points"] if self.hit_points is not None else []),
            *([f"{self.weapon} +{self.weapon_bonus}" if self.weapon_bonus else self.weapon] if self.weapon else []),
        ]
        name = re.sub(r" with armor class -?\d+$", "", self.name)
        return f"{name} ({', '.join(told)})" if told else name


def bare_target(armor_class: int | None) -> Combatant:
    """Return a stand-in for an opponent of whom only the armor class is known."""
    return Combatant("the target", "the target", armor_class=armor_class)


@dataclass(frozen=True, slots=True)
class Duel:
    """The question asks who wins. There are two combatants or more; more than two fight pairwise.

    If some fight together, `sides` has the indexes of the combatants of each side. `left_out` lists what the question
    says of the fight and the odds ignore: underwater. `asks_loser` is true if the question asks who is less likely to
    win. `uncounted` lists the question's numbers that the odds ignore: one of them prevents a verdict. `meant` pairs
    each short form with its expansion.
    """

    combatants: tuple[Combatant, ...]
    sides: tuple[tuple[int, ...], ...] = ()
    left_out: tuple[str, ...] = ()
    asks_loser: bool = False
    uncounted: tuple[str, ...] = ()
    meant: tuple[tuple[str, str], ...] = ()

    @property
    def described(self) -> str:
        """The question in one line."""
        told = [who.described for who in self.combatants]
        sides = [" and ".join(told[place] for place in side) for side in self.sides]
        return f"who wins: {' against '.join(sides) if sides else ' or '.join(told)}"


class Measure(StrEnum):
    """The measures that a look-up of combat can ask for."""

    TO_HIT = "roll to hit"
    CHANCE = "chance to hit"
    ARMOR_CLASS = "armor class"
    HIT_POINTS = "hit points"
    EXPERIENCE = "experience points"
    ATTACKS = "attacks per round"
    DAMAGE = "damage"
    BONUS_TO_HIT = "bonus to hit"
    BONUS_TO_DAMAGE = "bonus to damage"
    BONUS_TO_HIT_POINTS = "bonus to hit points"


@dataclass(frozen=True, slots=True)
class Lookup:
    """A measure of one or several combatants, against one opponent for all of them or one for each.

    `end` is the end of the scale that the question asks for; `left_out` lists its words that change no value.
    """

    measure: Measure
    of: tuple[Combatant, ...]
    against: tuple[Combatant, ...] = ()
    end: End | None = None
    difference: bool = False
    left_out: tuple[str, ...] = ()

    @property
    def reads_cells(self) -> bool:
        """True if a single cell may be the answer.

        False for a roll against an armor class that has to be looked up first, and for the better or worse of several
        armor classes: both are worked out.
        """
        return self.end not in ("better", "worse") and all(foe.armor_class is not None for foe in self.against)

    @property
    def described(self) -> str:
        """The question in one line.

        >>> Lookup(Measure.TO_HIT, (Combatant("2nd level thief", "thief", 2),), (Combatant("orc", "orc"),)).described
        'roll to hit of 2nd level thief against orc'
        """
        whom = " and ".join(who.described for who in self.of)
        foes = " and ".join(_foe(who) for who in self.against)
        return f"{self.measure} of {whom}{f' against {foes}' if foes else ''}"


def _foe(who: Combatant) -> str:
    return f"armor class {who.armor_class}" if who.armor_class is not None else who.described


OPTIONAL_PURPOSES = frozenset({"attacks", "attack bonus", "monster die", "dice per level", "class group"})
"""Purposes of needs that are optional, or that stand in for another need."""


def hit_points_phrase(number: float) -> str:
    """Return hit points in words.

    >>> hit_points_phrase(1), hit_points_phrase(22.5)
    ('1 hit point', '22.5 hit points')
    """
    return f"{number:g} hit point{'' if number == 1 else 's'}"


@dataclass(slots=True)
class Side:
    """The values of a combatant read so far; None is not found. `steps` are lines of working with their citations.

    With an `attack_bonus`, a roll must reach the opponent's armor class minus that bonus.
    """

    combatant: Combatant
    armor_class: int | None = None
    to_hit: int | None = None
    hit_bonus: int = 0
    attack_bonus: int | None = None
    hit_points: totals.Distribution | None = None
    attacks: Fraction | None = None
    damage: tuple[d.Dice, ...] = ()
    damage_bonus: int = 0
    hit_dice: float | None = None
    is_large: bool = False
    uses_weapon_damage: bool = False
    steps: list[tuple[str, float | str | None, tuple[int, ...]]] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)

    @property
    def is_creature(self) -> bool:
        """True for a creature, which has a stat block; a character has a class and a level."""
        return self.combatant.level is None

    @property
    def label(self) -> str:
        """The subject of a line of working about one combatant."""
        return self.combatant.name if self.combatant.count == 1 else f"each of the {self.combatant.name}"

    def copy(self) -> Side:
        """Return a copy that can be read further against one opponent."""
        return replace(self, steps=[*self.steps], assumptions=[*self.assumptions])

    def note(self, text: str, value: float | str | None, *facts: Fact | None) -> None:
        """Add a line of working."""
        self.steps.append((text, value, tuple(fact.cite for fact in facts if fact is not None)))
