"""The values of look-ups of combat, by the same rules as in a fight."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.domains.combat import totals
from agent.domains.combat.fighting.odds import hit_probability
from agent.domains.combat.rulebook.abilities import DAMAGE, HIT, HIT_POINTS, ability_bonus
from agent.domains.combat.rulebook.armor import armor_class_direction, armor_class_of, need_direction
from agent.domains.combat.rulebook.attacks import attacks_per_round
from agent.domains.combat.rulebook.combatant import read_hit_points
from agent.domains.combat.rulebook.creature import is_large, need_die, read_hit_dice, read_striking
from agent.domains.combat.rulebook.profile import Rulebook
from agent.domains.combat.rulebook.to_hit import read_to_hit
from agent.domains.combat.rulebook.weapons import damage_of_weapon, need_weapon
from agent.domains.combat.types import Combatant, Lookup, Measure, Side, bare_target, singular_name
from agent.reasoning.notebook import Fact
from agent.types import Finding, Reasoned, Row, Step
from retrieval.tables.reading import CellQuery
from retrieval.text.normal import phrase
from retrieval.types import Chunk


@dataclass(frozen=True, slots=True)
class Value:
    """A looked-up value: its text, its number, its citations, and its row and column."""

    text: str
    number: float
    cites: tuple[int, ...]
    place: str = ""


Read = Callable[[Combatant, Combatant | None, Rulebook, list[Step]], Value | None]


def look_up(lookup: Lookup, chunks: Sequence[Chunk], prefix: str) -> Reasoned:
    """Return the values asked for, side by side; a missing value is a need."""
    notebook, steps = Rulebook(chunks, prefix), list[Step]()
    foes: Sequence[Combatant | None] = lookup.against or (None,)
    foes = foes if len(foes) == len(lookup.of) else tuple(foes) * len(lookup.of)
    names = _names(lookup.of, foes)
    values = [_READ[lookup.measure](who, foe, notebook, steps) for who, foe in zip(lookup.of, foes, strict=True)]
    steps += dict.fromkeys(_adjustments(lookup, notebook))
    for name, value in zip(names, values, strict=True):
        if value is not None:
            told = f"{name}: {value.text}{f' ({value.place})' if value.place else ''}"
            steps.append(Step(told, value.text, value.cites, Row(lookup.measure, ((name, value.text),))))
        elif not notebook.lacks_anything:
            notebook.need(f"the {lookup.measure} of {name}", f"{name} {lookup.measure}")
    if lookup.left_out:
        what = ", ".join(dict.fromkeys(lookup.left_out))
        notebook.need(f"what this changes, of which no account was taken: {what}", lookup.described, purpose="left out")
    return notebook.reasoned(_finding(lookup, names, values, steps, notebook))


def _names(of: Sequence[Combatant], foes: Sequence[Combatant | None]) -> list[str]:
    """Return a distinct name for each: the class alone, else with its level, else with its target."""
    subjects = [who.subject for who in of]
    names = [who.subject if subjects.count(who.subject) == 1 else who.name for who in of]
    against = [f" against armor class {foe.armor_class}" if foe is not None else "" for foe in foes]
    return [f"{name}{said}" if names.count(name) > 1 else name for name, said in zip(names, against, strict=True)]


def _finding(
    lookup: Lookup, names: Sequence[str], values: Sequence[Value | None], steps: list[Step], notebook: Rulebook
) -> Finding:
    found = [(name, value) for name, value in zip(names, values, strict=True) if value is not None]
    better, why = _best(lookup, found, notebook, steps) if len(found) == len(names) > 1 else (None, "")
    apart = abs(found[0][1].number - found[1][1].number) if len(found) == len(names) == 2 else None
    listing = ", ".join(f"{name} {value.text}" for name, value in found)
    if not found:
        claim = f"Not found: {lookup.measure} of {' and '.join(names)}."
    elif len(names) == 1:
        claim = steps[-1].text
    else:
        claim = f"{better} ({listing}; {why})." if better else f"{why}{listing}."
    if lookup.difference and apart is not None:
        claim += f" The difference is {apart:g}."
        steps.append(Step(f"the difference is {apart:g}", f"{apart:g}"))
    data: Mapping[str, Any] = {
        "attribute": str(lookup.measure),
        "values": [_data(name, value) for name, value in zip(names, values, strict=True)],
        "better": better,
        "difference": apart,
    }
    verdict = better or (found[0][1].text if len(found) == len(names) == 1 else None)
    return Finding("compare", claim, tuple(dict.fromkeys(steps)), data, verdict)


def _data(name: str, value: Value | None) -> Mapping[str, Any]:
    return {"name": name, "value": value.text if value else None, "number": value.number if value else None}


def _best(
    lookup: Lookup, found: Sequence[tuple[str, Value]], notebook: Rulebook, steps: list[Step]
) -> tuple[str | None, str]:
    """Return the name at the end of the scale asked for, and which end that is."""
    if lookup.end is None:
        return None, ""
    is_low = _is_low(lookup, notebook, steps)
    if is_low is None:
        need_direction(notebook, "which is better")
        return None, ""
    numbers = [value.number for _, value in found]
    best = min(numbers) if is_low else max(numbers)
    if numbers.count(best) > 1:
        equal = " and ".join(name for name, value in found if value.number == best)
        return None, f"{equal} are equal: "
    asked = lookup.end if lookup.end in ("better", "worse") else "asked for"
    return found[numbers.index(best)][0], f"{'lower' if is_low else 'higher'} is {asked}"


def _is_low(lookup: Lookup, notebook: Rulebook, steps: list[Step]) -> bool | None:
    """Return whether the lowest value is asked for, or None if the direction of armor classes is unknown."""
    if lookup.end in ("low", "high"):
        return lookup.end == "low"
    is_low = lookup.measure is Measure.TO_HIT
    if lookup.measure is Measure.ARMOR_CLASS:
        up = armor_class_direction(notebook)
        if up is None:
            return None
        is_low = not up[0]
        steps.append(Step(f"{'higher' if up[0] else 'lower'} is better", None, (notebook.cite(up[1], up[2]),)))
    return is_low if lookup.end == "better" else not is_low


def _roll(who: Combatant, foe: Combatant | None, notebook: Rulebook, steps: list[Step]) -> Value | None:
    """Return the roll to hit; a creature's hit dice are read, or searched, even if the target's class is missing."""
    side, armor_class = Side(who), None if foe is None else _armor_class_of(foe, notebook, steps)
    if side.is_creature:
        read_striking(side, notebook)
    if armor_class is None:
        return None
    read_to_hit(side, Side(bare_target(armor_class), armor_class), notebook)
    if side.to_hit is None:
        return None
    before = [Step(*each) for each in side.steps[:-1]]
    if side.attack_bonus is not None:
        before = [Step(f"armor class {armor_class} less {each.text}", side.to_hit, each.cites) for each in before]
    steps += [*before, *(Step(f"assumed: {text}") for text in side.assumptions if "strike" in text)]
    cites = next((cites for *_, cites in reversed(side.steps) if cites), ())
    place, is_cell, _ = notebook.citations[cites[-1] - 1].quote.partition(" = ") if cites else ("", "", "")
    return Value(str(side.to_hit), side.to_hit, cites, place.replace(" / ", ", ") if is_cell else "")


def _armor_class_of(who: Combatant, notebook: Rulebook, steps: list[Step]) -> int | None:
    """Return the armor class of a target: given, by its armor, or from its stat block."""
    if who.armor_class is not None:
        return who.armor_class
    value = _armor_class(who, None, notebook, steps)
    if value is None:
        return None
    armor_class = int(value.number)
    if who.armor is None:
        steps.append(Step(f"{who.subject} has armor class {armor_class}", armor_class, value.cites))
    return armor_class


def _need_of(subject: str, what: str, words: str, notebook: Rulebook) -> None:
    notebook.need(f"the {what} of the {subject}", f"{subject} {words}", purpose=what, entities=(subject,))


def _value(fact: Fact | None) -> Value | None:
    """Return a fact as a value if it begins with a number."""
    number = re.match(r"\s*([+-]?[\d,]*\.?\d+)", fact.text) if fact else None
    if fact is None or number is None:
        return None
    place = ", ".join(part for part in (fact.cell.row, fact.cell.column) if part) if fact.cell else ""
    return Value(fact.text, float(number[1].replace(",", "")), (fact.cite,), place)


def _chance(who: Combatant, foe: Combatant | None, notebook: Rulebook, steps: list[Step]) -> Value | None:
    """Return the chance of the roll on a d20, by the rule that fights use."""
    roll = _roll(who, foe, notebook, steps)
    if roll is None:
        return None
    chance = hit_probability(roll.number)
    steps.append(Step(f"{who.subject}: {roll.text} ({roll.place})" if roll.place else roll.text, roll.text, roll.cites))
    steps.append(Step(f"{roll.text} or more on a d20: (21 - {roll.text}) / 20 is {chance:.0%}", f"{chance:.0%}"))
    return Value(f"{chance:.0%}", chance, roll.cites)


def _armor_class(who: Combatant, foe: Combatant | None, notebook: Rulebook, steps: list[Step]) -> Value | None:
    """Return the armor class of worn armor, with dexterity if given, or of a creature."""
    if who.armor is None:
        found = notebook.read_whole(CellQuery(who.subject, (), notebook.labels["defense"]))
        if found is None:
            _need_of(who.subject, "armor class", "armor class hit dice", notebook)
        return _value(found[1]) if found else None
    worn = armor_class_of(who.armor, who.abilities.get("dexterity"), notebook)
    if worn is None:
        return None
    steps.append(Step(worn.text, worn.armor_class, worn.cites))
    return Value(str(worn.armor_class), worn.armor_class, worn.cites)


def _hit_points(who: Combatant, foe: Combatant | None, notebook: Rulebook, steps: list[Step]) -> Value | None:
    """Return average hit points: of a class by its level, die and constitution, of a creature by its hit dice."""
    side = Side(who)
    if side.is_creature:
        read_hit_dice(side, notebook)
    else:
        read_hit_points(side, notebook)
    if side.hit_points is None:
        return None
    steps += [Step(*each) for each in side.steps]
    if side.is_creature:
        need_die(notebook)
        steps += [Step(f"assumed: {text}") for text in side.assumptions]
    return Value(f"{totals.mean(side.hit_points):.4g}", round(totals.mean(side.hit_points), 4), side.steps[-1][2])


def _experience(who: Combatant, foe: Combatant | None, notebook: Rulebook, steps: list[Step]) -> Value | None:
    fact = notebook.read(CellQuery(who.subject, (("level", str(who.level)),), (Measure.EXPERIENCE,)))
    if fact is None:
        text = f"{who.subject} experience points level {who.level}"
        notebook.need(f"the experience points of a {who.name}", text, entities=(who.subject,))
    return _value(fact)


def _attacks(who: Combatant, foe: Combatant | None, notebook: Rulebook, steps: list[Step]) -> Value | None:
    found = attacks_per_round(who.subject, who.level or 0, notebook)
    if found is None:
        text = f"level {who.level} {who.subject} bonus attacks per melee round"
        notebook.need(f"attacks per round of a {who.name}", text, entities=(who.subject,))
        return None
    rate, fact = found
    return Value(fact.text if fact.cell else str(rate), float(rate), (fact.cite,))


def _bonus(kind: str) -> Read:
    """Return the reader of an ability's bonus to `kind`."""

    def read(who: Combatant, foe: Combatant | None, notebook: Rulebook, steps: list[Step]) -> Value | None:
        ((ability, score),) = who.abilities.items()
        fact = ability_bonus(ability, score, kind, notebook)
        if fact is None:
            text = f"{ability} {score} bonus ability score table"
            notebook.need(f"what {who.name} adds to {kind}", text, purpose=ability)
        return _value(fact)

    return read


def _damage(who: Combatant, foe: Combatant | None, notebook: Rulebook, steps: list[Step]) -> Value | None:
    """Return a weapon's damage, in the column of the target's size if the book has several."""
    weapon, want = singular_name(who.subject), notebook.labels["damage"]
    columns = _columns_of_damage(weapon, notebook)
    if columns == 0:
        need_weapon(weapon, notebook)
    if foe is not None and columns != 1:
        large = is_large(foe.subject, notebook)
        if large is None:
            _need_of(foe.subject, "size", "size", notebook)
            return None
        steps.append(Step(f"{foe.subject} is of size {large[1].text}", large[1].text, (large[1].cite,)))
        want = notebook.labels["damage_to_large"] if large[0] else want
    fact = damage_of_weapon(weapon, want, notebook)
    if fact is None:
        need_weapon(weapon, notebook)
    return _value(fact)


def _columns_of_damage(weapon: str, notebook: Rulebook) -> int:
    """Return how many columns of damage the weapon's table has, 0 if there is no such table."""
    cell = notebook.peek(CellQuery(weapon, (), ("damage",)))
    return sum("damage" in phrase(" ".join(path)) for path in cell.table.columns) if cell else 0


def _adjustments(lookup: Lookup, notebook: Rulebook) -> Iterator[Step]:
    """Yield lines about ability bonuses to the roll, which the number to reach does not include."""
    if lookup.measure not in (Measure.TO_HIT, Measure.CHANCE):
        return
    for ability, score in lookup.of[0].abilities.items():
        fact = ability_bonus(ability, score, HIT, notebook)
        if fact is None:
            text = f"{lookup.of[0].subject} {ability} {score} bonus to hit ability score table"
            notebook.need(f"what {ability} {score} adds to the roll", text, purpose=ability)
            notebook.do_without((ability,))
            yield Step(f"not counted in: what {ability} {score} adds to the roll")
        elif fact.text == "0":
            yield Step(f"{ability} {score} adds nothing to the roll", 0, (fact.cite,))
        else:
            yield Step(f"not counted in: what {ability} {score} adds to the roll, {fact.text}", fact.text, (fact.cite,))


_READ: Mapping[Measure, Read] = {
    Measure.TO_HIT: _roll,
    Measure.CHANCE: _chance,
    Measure.ARMOR_CLASS: _armor_class,
    Measure.HIT_POINTS: _hit_points,
    Measure.EXPERIENCE: _experience,
    Measure.ATTACKS: _attacks,
    Measure.DAMAGE: _damage,
    Measure.BONUS_TO_HIT: _bonus(HIT),
    Measure.BONUS_TO_DAMAGE: _bonus(DAMAGE),
    Measure.BONUS_TO_HIT_POINTS: _bonus(HIT_POINTS),
}
