"""A creature's side of a fight: its stat block, its routine of attacks, and how its hit dice strike."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np

from agent.reasoners import dice as d
from agent.reasoners.facts import Fact, Notebook
from agent.reasoners.side import TO_HIT, Side
from agent.reasoners.two_steps import is_large
from agent.types import Combatant, Step
from retrieval.lookup import CellQuery
from retrieval.spans import read_label

MONSTER_DIE = 8
_ROUTINE = ("attacks", "no. of attacks", "number of attacks")
_ROUTINE_DAMAGE = ("damage/attack", "damage", "damage per attack")
_ORDINARY = re.compile(r"nil|none|standard|normal|-|—|", re.IGNORECASE)


def read_creature(side: Side, notebook: Notebook) -> None:
    """Read a creature's hit points, armor class and attacks from its stat block; without one, it is a need."""
    subject = side.who.subject
    dice = notebook.read(CellQuery(subject, (), ("hit dice",)))
    if dice is None:
        notebook.need(
            f"the hit dice of the {subject}",
            f"{subject} hit dice armor class attacks damage",
            purpose="stat block",
            entities=(subject,),
        )
        return
    _hit_points(side, dice)
    if side.hit_points is None:
        notebook.need(
            f"how many hit points the {subject} has (its hit dice are {dice.text!r})",
            f"{subject} hit dice",
            purpose="hp",
        )
    _armor_class(side, notebook)
    if (size := is_large(subject, notebook)) is not None:
        side.is_large = size[0]
    count, damage = (
        notebook.read(CellQuery(subject, (), _ROUTINE)),
        notebook.read(CellQuery(subject, (), _ROUTINE_DAMAGE)),
    )
    side.attacks = Fraction(1)
    if damage is not None:
        side.damage = _routine(damage.text, count.text if count else "1")
        if side.damage:
            side.note(
                f"{side.who.name} attacks for {' / '.join(map(str, side.damage))} each round", None, count, damage
            )
    _left_out(side, notebook)
    if not side.damage:
        notebook.need(
            f"the damage of the {subject}", f"{subject} damage per attack", purpose="damage", entities=(subject,)
        )


def _left_out(side: Side, notebook: Notebook) -> None:
    """Say which special abilities the odds leave out; they may decide the fight."""
    read = [notebook.read(CellQuery(side.who.subject, (), (name,))) for name in ("special attacks", "special defenses")]
    told = [f for f in read if f is not None and f.cell and not _ORDINARY.fullmatch(f.text.strip(" ."))]
    for fact in told:
        assert fact.cell is not None
        side.note(f"not counted for {side.who.name}: {fact.cell.column.lower()} ({fact.text})", None, fact)


def _routine(damage: str, count: str) -> tuple[d.Dice, ...]:
    attacks = d.parse_attacks(damage)
    number = int(m[1]) if (m := re.match(r"\s*(\d+)\s*$", count)) else len(attacks)
    return attacks * number if len(attacks) == 1 else attacks


def _hit_points(side: Side, dice: Fact) -> None:
    """Rolled hit points of *5*, *3+1*, *1-1*, *8+1d2* hit dice, or of dice that are hit points already, *1d6 hp*."""
    text = re.sub(r"[−–]", "-", dice.text.strip())
    if rolled := re.match(r"(\d*d\d+(?:\s*[+-]\s*\d+)?)\s*(?:hp|hit points?)", text):
        _rolled(side, dice, rolled[1])
        return
    more = re.match(r"(\d+)\s*\+\s*(\d*d\d+(?:\s*\+\s*\d+)?)\s*$", text)
    plain = re.match(r"(\d+)(?:\s*([+-])\s*(\d+))?\s*(?:\(.*)?$", text)
    if more is not None:
        extra = d.parse_dice(more[2])
        side.hit_dice = int(more[1]) + 0.01
        whole = d.hit_points(int(more[1]), MONSTER_DIE, 0)
        side.hit_points = np.convolve(whole, d.total(extra)) if extra else None
    elif plain is not None and not (plain[2] == "-" and int(plain[3]) > int(plain[1])):
        count, plus = int(plain[1]), int((plain[2] or "+") + (plain[3] or "0"))
        side.hit_dice = count + plus / 100
        side.hit_points = d.hit_points(count, MONSTER_DIE, 0, plus)
    if side.hit_points is not None:
        average = round(d.mean(side.hit_points), 4)
        side.assumptions.append(f"a creature's hit dice are d{MONSTER_DIE}")
        told = f"{side.who.name} has {dice.text} hit dice (d{MONSTER_DIE}), {average:g} hit points on average"
        side.note(told, average, dice)


def _rolled(side: Side, dice: Fact, text: str) -> None:
    """Less than a full hit die: hit points that are rolled as they are written."""
    roll = d.parse_dice(text)
    if roll is None:
        return
    side.hit_points = d.total(roll, at_least=1)
    side.hit_dice = 0.5 if roll.average < (MONSTER_DIE + 1) / 2 else 1.0
    average = round(d.mean(side.hit_points), 4)
    side.assumptions.append(f"{side.who.name} with {dice.text} attacks as less than one hit die")
    side.note(f"{side.who.name} has {dice.text}, {average:g} hit points on average", average, dice)


def _armor_class(side: Side, notebook: Notebook) -> None:
    if side.armor_class is None and (found := notebook.read_whole(CellQuery(side.who.subject, (), ("armor class",)))):
        side.armor_class, fact = found
        side.note(f"{side.who.name} has armor class {side.armor_class}", side.armor_class, fact)


def creature_to_hit(side: Side, opponent: Side, notebook: Notebook) -> Fact | None:
    """Creatures attack by hit dice: on a matrix of their own, or as a class of an equivalent level."""
    if side.hit_dice is None:
        return None
    target, hit_dice = str(opponent.armor_class), _key(side.hit_dice)
    whole = hit_dice.split("+")[0]
    for dice in dict.fromkeys((hit_dice, whole)):
        if fact := _on_matrix_of_monsters(dice, target, notebook):
            if dice != hit_dice:
                side.assumptions.append(f"{hit_dice} hit dice strike as {dice}, as no band holds {hit_dice}")
            return fact
    level = notebook.read(
        CellQuery("", (("hit dice", hit_dice),), ("equivalent level", "attack level", "attacks as level"))
    )
    if level is None or not level.text.isdigit():
        notebook.need(
            f"how a creature of {hit_dice} hit dice attacks",
            f"monsters attack matrix hit dice {hit_dice} opponent armor class {target}",
            purpose="to hit",
        )
        notebook.need(
            f"the attack level of {hit_dice} hit dice",
            "monster hit dice equivalent level attack table",
            purpose="attack level",
        )
        return None
    side.note(f"{side.who.name} attacks as a fighter of level {level.text}", int(level.text), level)
    keys = (("level", level.text), ("armor class", target))
    fact = notebook.read(CellQuery("fighter", keys, TO_HIT))
    if fact is None:
        notebook.need(
            f"the roll a creature of {hit_dice} hit dice needs to hit armor class {target}",
            f"level {level.text} fighter roll needed to hit opponent armor class {target}",
            purpose="to hit",
        )
    return fact


def creature_roll(creature: str, armor_class: int, notebook: Notebook) -> tuple[Fact, list[Step]] | None:
    """The roll a creature needs to hit an armor class, with the working; what is missing is a need."""
    dice = hit_dice_of(creature, notebook)
    if dice is None:
        return None
    side = Side(Combatant(creature, creature))
    _hit_points(side, dice)
    fact = creature_to_hit(side, Side(Combatant("the target", "the target"), armor_class), notebook)
    steps = [Step(text, value, cites) for text, value, cites in side.steps]
    steps += [Step(f"assumed: {text}") for text in side.assumptions if "strike" in text]
    return None if fact is None else (fact, steps)


def hit_dice_of(creature: str, notebook: Notebook) -> Fact | None:
    """A creature's hit dice from its stat block or its row; without one, it is a need."""
    dice = notebook.read(CellQuery(creature, (), ("hit dice",)))
    if dice is not None and dice.cell is not None and read_label(dice.cell.row.split(" ")[-1]).span is None:
        return dice
    notebook.need(
        f"the hit dice of the {creature}",
        f"{creature} hit dice armor class attacks damage",
        purpose="stat block",
        entities=(creature,),
    )
    return None


def _on_matrix_of_monsters(hit_dice: str, target: str, notebook: Notebook) -> Fact | None:
    for name in ("hit dice", "monster hit dice"):
        if fact := notebook.read(CellQuery("monster", ((name, hit_dice), ("armor class", target)), TO_HIT)):
            return fact
    return None


def _key(hit_dice: float) -> str:
    whole = int(hit_dice)
    pips = round((hit_dice - whole) * 100)
    if pips > 50:
        return f"{whole + 1}-{100 - pips}"
    return f"{whole}+{pips}" if pips else str(whole)
