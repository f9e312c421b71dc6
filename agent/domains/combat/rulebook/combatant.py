"""One side of a fight, fact by fact: hit dice, hit points, attacks, damage.

Each fact is read from the evidence and cited. A missing fact becomes a need with a sub-query; what the question leaves
open (a weapon, an ability score) is assumed to be ordinary, and the assumption is stated.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from agent.domains.combat import totals
from agent.domains.combat.rulebook.abilities import DAMAGE, HIT, HIT_POINTS, ability_bonus, unconditional_bonus
from agent.domains.combat.rulebook.armor import armor_class_of
from agent.domains.combat.rulebook.attacks import attacks_per_round
from agent.domains.combat.rulebook.creature import read_creature
from agent.domains.combat.rulebook.groups import shared_table_value
from agent.domains.combat.rulebook.level_dice import (
    beyond_the_table,
    dice_by_level_rule,
    levels_before,
    rolled_each_level,
)
from agent.domains.combat.rulebook.profile import Rulebook
from agent.domains.combat.rulebook.sayings import rule_sentences
from agent.domains.combat.types import Combatant, Side, hit_points_phrase
from agent.reasoning.notebook import Fact
from agent.reasoning.values import dice as d
from retrieval.tables.reading import CellQuery
from retrieval.text.normal import normal, phrase

_OF_HIT_DICE = re.compile(r"(?i)(?:.*\b)?hit dic?e\b")


def read_side(who: Combatant, notebook: Rulebook) -> Side:
    """Read everything about one side that does not depend on its opponent."""
    side = Side(who, armor_class=who.armor_class)
    if who.armor is not None and who.armor_class is None:
        _worn_armor(side, who.armor, notebook)
    if side.is_creature:
        read_creature(side, notebook)
    else:
        read_hit_points(side, notebook)
        _character_attacks(side, notebook)
        _strength(side, notebook)
    _weapon_bonus(side)
    return side


def _weapon_bonus(side: Side) -> None:
    """Add the bonus of a magic weapon to hit and to damage, with an assumption."""
    if bonus := side.combatant.weapon_bonus:
        side.hit_bonus, side.damage_bonus = side.hit_bonus + bonus, side.damage_bonus + bonus
        side.assumptions.append(f"the +{bonus} of {side.label}'s weapon counts to hit and for damage")


def _worn_armor(side: Side, armor: str, notebook: Rulebook) -> None:
    """Read the armor class of worn armor, with dexterity if the question gives it."""
    dexterity = side.combatant.abilities.get("dexterity")
    found = armor_class_of(armor, dexterity, notebook)
    if found is None:
        return
    if dexterity is None:
        side.assumptions.append(
            f"{side.label} has no armor class bonus for dexterity, which the question does not give"
        )
    side.armor_class = found.armor_class
    text = f"{side.label} in {armor} has armor class {found.armor_class}"
    side.note(text if found.is_plain else f"{text}: {found.text}", side.armor_class, *found.facts)


def read_hit_points(side: Side, notebook: Rulebook) -> None:
    """Read rolled hit points: dice by level, a die by class, a bonus by constitution; given ones stay as they are."""
    who = side.combatant
    if who.hit_points is not None:
        side.hit_points = totals.exactly(who.hit_points)
        side.note(f"{side.label} has {hit_points_phrase(who.hit_points)}, as the question says", who.hit_points)
        return
    kind = f"level {who.level} {who.subject}"
    bonus, ability = _ability_bonus(side, "constitution", HIT_POINTS, "hit point bonus", notebook)
    if rolled := rolled_each_level(who, notebook):
        sides, plus, fact = rolled
        _set_rolled_hit_points(side, who.level or 0, sides, plus + bonus, 0, (fact, ability))
        return
    by_level = _dice_by_level(who, notebook)
    read = (
        (by_level,)
        if by_level
        else beyond_the_table(who, notebook.labels["hit_dice"], notebook) or dice_by_level_rule(who, notebook)
    )
    dice = read[0] if read else None
    die = _die_type(side, dice, notebook)
    if dice is None:
        text = f"{kind} hit dice experience points"
        notebook.need(f"hit dice of a {kind}", text, purpose="hit dice", entities=(who.subject,))
        if notebook.chunks:
            notebook.need("hit dice per level", "characters roll one hit die per level", purpose="dice per level")
            text = f"{who.subject} hit dice, {', '.join(f'level {n}' for n in levels_before(who))}"
            notebook.need("hit dice of earlier levels", text, purpose="dice per level", entities=(who.subject,))
    found = re.match(r"(\d+)(?:d\d+)?(?:\s*\+\s*(\d+))?", dice.text) if dice else None
    if dice is not None and found is None:
        notebook.need(f"the hit points of a {kind}", f"{kind} hit dice")
    if die is not None and found is not None:
        _set_rolled_hit_points(side, int(found[1]), die[0], bonus, int(found[2] or 0), (*read, die[1], ability))


def _dice_by_level(who: Combatant, notebook: Rulebook) -> Fact | None:
    """Return the class's own hit dice, or its cell in a table of hit dice with the classes side by side."""
    own = notebook.read(CellQuery(who.subject, (("level", str(who.level)),), notebook.labels["hit_dice"]))
    return own or shared_table_value(who.subject, str(who.level), notebook.labels["hit_dice"], _OF_HIT_DICE, notebook)


def _set_rolled_hit_points(
    side: Side, count: int, sides: int, bonus: int, extra: int, read: Sequence[Fact | None]
) -> None:
    side.hit_points = totals.rolled_points(count, sides, bonus, extra)
    average = round(totals.mean(side.hit_points), 4)
    each = f" with {bonus:+d} each" if bonus else ""
    more = f" and {extra} more" if extra else ""
    side.note(f"{side.label} has {count}d{sides}{each}{more}: {hit_points_phrase(average)} on average", average, *read)


def _die_type(side: Side, dice: Fact | None, notebook: Rulebook) -> tuple[int, Fact] | None:
    """Return the sides of the hit die: from the header of the hit dice, the class's record, or its prose."""
    subject = side.combatant.subject
    if dice is not None and (written := re.match(r"\d+d(\d+)\b", dice.text)):
        return int(written[1]), dice
    if dice is not None and dice.cell is not None and (sides := d.sides_of(dice.cell.column)):
        return sides[0], dice
    record = notebook.read(CellQuery(subject, (), notebook.labels["hit_die"]))
    if record is not None and (sides := d.sides_of(record.text)):
        return sides[0], record
    for each in rule_sentences("hit_points", notebook):
        names = set(normal(" ".join((each.chunk.title, *each.chunk.headings[-1:]))))
        if set(phrase(subject)) <= names and (sides := d.sides_of(each.normalised)):
            return sides[0], each.fact(f"d{sides[0]}", notebook)
    text = f"{subject} hit die type hit points per level"
    notebook.need(f"the hit die of a {subject}", text, purpose="hit die", entities=(subject,))
    return None


def _strength(side: Side, notebook: Rulebook) -> None:
    side.hit_bonus, hit = _ability_bonus(side, "strength", HIT, "hit and damage bonus", notebook)
    side.damage_bonus, damage = _ability_bonus(side, "strength", DAMAGE, "hit and damage bonus", notebook)
    if hit is not None and damage is not None:
        score = side.combatant.abilities["strength"]
        side.note(
            f"{side.label}: strength {score} gives {side.hit_bonus:+d} to hit, {side.damage_bonus:+d} damage",
            None,
            hit,
            damage,
        )
    for kind in (HIT, DAMAGE):
        if fact := unconditional_bonus(side.combatant.subject, kind, notebook):
            more = int(fact.text)
            side.hit_bonus += more * (kind == HIT)
            side.damage_bonus += more * (kind == DAMAGE)
            side.note(f"{side.label} adds {more} to {kind}", more, fact)


def _ability_bonus(side: Side, ability: str, kind: str, what: str, notebook: Rulebook) -> tuple[int, Fact | None]:
    score = side.combatant.abilities.get(ability)
    if score is None:
        side.assumptions.append(f"{side.label} has no bonus for {ability}, which the question does not give")
        return 0, None
    fact = ability_bonus(ability, score, kind, notebook)
    if fact is None:
        text = f"{ability} {score} {what} ability score table"
        notebook.need(f"the {what} of {ability} {score}", text, purpose=ability)
        return 0, None
    return _signed(fact, side.combatant.subject), fact


def _signed(fact: Fact, subject: str) -> int:
    """Return the bonus of *+2 (+3 for fighters and rangers)*: the bracket's for those it or a footnote names."""
    plain = re.sub(r"[−–]", "-", fact.text)
    main, bracket = re.match(r"\s*([+-]?\s*\d+)?", plain), re.search(r"\(([+-]?\d+)([^)]*)\)", plain)
    notes = " ".join(fact.cell.table.notes) if fact.cell else ""
    if bracket and set(phrase(subject)) <= set(normal(bracket[2] or notes)):
        return int(bracket[1])
    return int(main[1].replace(" ", "")) if main and main[1] else 0


def _character_attacks(side: Side, notebook: Rulebook) -> None:
    who = side.combatant
    assert who.level is not None
    found = attacks_per_round(who.subject, who.level, notebook)
    if found is None:
        kind = f"level {who.level} {who.subject}"
        text = f"{kind} bonus attacks per melee round"
        notebook.need(f"attacks per round of a {kind}", text, purpose="attacks", entities=(who.subject,))
        return
    side.attacks, fact = found
    side.note(f"{side.label} makes {_rate(side.attacks)} a round", float(side.attacks), fact)


def _rate(rate: Fraction) -> str:
    return "1 attack" if rate == 1 else f"{rate} attacks" if rate.denominator > 1 else f"{rate.numerator} attacks"
