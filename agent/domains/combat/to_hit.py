"""The roll that a side needs to hit, by the attack matrices of a book: of classes, their groups, and hit dice."""

from __future__ import annotations

import re

from agent.domains.combat.attack_bonus import roll_by_bonus
from agent.domains.combat.combatant_state import Side
from agent.domains.combat.groups import fights_as, groups_of, heads_of, look_for_groups
from agent.domains.combat.profile import Rulebook
from agent.reasoning.notebook import Fact
from retrieval.tables.reading import CellQuery, Reading
from retrieval.text.normal import phrase

_ARMOR_CLASS = ("armor class", "armor")
"""What books call the axis of armor classes, and a creature's own."""


def read_to_hit(side: Side, opponent: Side, notebook: Rulebook) -> None:
    """The roll the side needs against the opponent's armor class: the attacker's table, the *opponent's* class."""
    if opponent.armor_class is None:
        return
    if side.attack_bonus is not None:
        side.to_hit = opponent.armor_class - side.attack_bonus
        told = f"armor class {opponent.armor_class} less its bonus of {side.attack_bonus:+d}"
        side.note(f"{side.label} needs {side.to_hit} to hit: {told}", side.to_hit)
        return
    before = dict(notebook.needs)
    fact = creature_to_hit(side, opponent, notebook) if side.is_creature else _class_to_hit(side, opponent, notebook)
    number = re.search(r"-?\d+", fact.text) if fact else None
    if fact and number:
        side.to_hit = int(number[0])
        side.note(f"{side.label} needs {number[0]} to hit armor class {opponent.armor_class}", side.to_hit, fact)
    elif (roll := roll_by_bonus(side, opponent, notebook)) is not None:
        side.to_hit, notebook.needs = roll, before
    elif side.is_creature and side.hit_dice is None and side.damage:
        text = f"{side.who.subject} roll needed to hit opponent armor class {opponent.armor_class}"
        need = f"the roll the {side.who.subject} needs to hit armor class {opponent.armor_class}"
        notebook.need(need, text, purpose="to hit")


def _class_to_hit(side: Side, opponent: Side, notebook: Rulebook) -> Fact | None:
    who, target = side.who, str(opponent.armor_class)
    need = f"the roll a level {who.level} {who.subject} needs to hit armor class {target}"
    text = f"level {who.level} {{}} roll needed to hit opponent armor class {target}"
    key = "level", str(who.level)
    if fact := _roll(who.subject, key, target, notebook):
        return fact
    groups = groups_of(who.subject, notebook)
    for names in (groups, heads_of(groups)):
        rolls = {group: fact for group in names if (fact := _roll(group.name, key, target, notebook))}
        if len({fact.text for fact in rolls.values()}) == 1:
            group, fact = next(iter(rolls.items()))
            side.note(fights_as(group, side.label), None, group.cited(notebook))
            return fact
        if rolls:
            break  # a list that has the class need not be of those who fight alike
        for group in names:
            notebook.need(need, text.format(group.name), purpose="class group")
    notebook.need(need, text.format(who.subject), purpose="to hit")
    look_for_groups(who.subject, notebook)
    return None


def creature_to_hit(side: Side, opponent: Side, notebook: Rulebook) -> Fact | None:
    """Creatures attack by hit dice: on a matrix of their own, or as a class of an equivalent level."""
    if side.hit_dice is None:
        return None
    target, hit_dice = str(opponent.armor_class), _key(side.hit_dice)
    whole = hit_dice.split("+")[0]
    for dice in dict.fromkeys((hit_dice, whole)):
        for axis in ("hit dice", "monster hit dice"):
            if fact := _roll("monster", (axis, dice), target, notebook):
                if dice != hit_dice:
                    side.assumptions.append(f"{hit_dice} hit dice strike as {dice}, as no band holds {hit_dice}")
                return fact
    level = _equivalent_level(hit_dice, notebook)
    if level is None:
        dice = " or ".join(f"hit dice {each}" for each in dict.fromkeys((hit_dice, whole)))
        text = f"monster attack rolls table or matrix: {dice} to hit opponent armor class {target}"
        notebook.need(f"how a creature of {hit_dice} hit dice attacks", text, purpose="to hit")
        text = "monster hit dice equivalent level attack table"
        notebook.need(f"the attack level of {hit_dice} hit dice", text, purpose="attack level")
        return None
    side.note(f"{side.label} attacks as a fighter of level {level.text}", int(level.text), level)
    fact = _roll("fighter", ("level", level.text), target, notebook)
    if fact is None:
        text = f"level {level.text} fighter roll needed to hit opponent armor class {target}"
        need = f"the roll a creature of {hit_dice} hit dice needs to hit armor class {target}"
        notebook.need(need, text, purpose="to hit")
    return fact


def _equivalent_level(hit_dice: str, notebook: Rulebook) -> Fact | None:
    """The level of a fighter that strikes like these hit dice; a mere count of attacks is none."""
    query = CellQuery("", (("hit dice", hit_dice),), notebook.labels["equivalent_level"])
    cell = notebook.peek(query)
    return notebook.read(query) if cell and cell.text.isdigit() and "level" in phrase(cell.column) else None


def _roll(name: str, key: tuple[str, str], target: str, notebook: Rulebook) -> Fact | None:
    """What the matrix of `name`, or its columns in one of many, says for a level or hit dice against an armor class."""
    tables = (table for chunk in notebook.chunks for table in chunk.tables if table.columns)
    is_short = any(phrase(" ".join(table.columns[0])) == _ARMOR_CLASS[1:] for table in tables)
    for axis in _ARMOR_CLASS[: 1 + is_short]:
        queries = (
            CellQuery(name, (key, (axis, target)), notebook.labels["roll_to_hit"]),
            CellQuery("", ((name, key[1]), (axis, target)), notebook.labels["roll_to_hit"]),
        )
        cell = next(filter(None, map(notebook.peek, queries)), None)
        if cell is not None and _is_roll(cell):
            return notebook.fact(cell)
    return None


def _is_roll(cell: Reading) -> bool:
    """False for a number out of a row with an armor class and hit dice: a creature's own."""
    heads = [set(phrase(" ".join(path))) for path in cell.table.columns]
    listed = any(head & set(_ARMOR_CLASS) for head in heads) and any("hit dice" in head for head in heads)
    one_each = any({name} in heads for name in _ARMOR_CLASS) and {"hit dice"} in heads
    return not (listed and one_each) or bool({"hit", "roll"} & set(phrase(cell.column)))


def _key(hit_dice: float) -> str:
    whole = int(hit_dice)
    pips = round((hit_dice - whole) * 100)
    if pips > 50:
        return f"{whole + 1}-{100 - pips}"
    return f"{whole}+{pips}" if pips else str(whole)
