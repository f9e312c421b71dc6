"""One side of a fight, fact by fact: hit dice, hit points, attacks, damage and the roll it needs to hit.

Each fact is read from the evidence and cited. What is not there becomes a need with a sub-query to look for it; what
the question leaves open (a weapon, an ability score) is assumed to be ordinary, and the assumption is stated.
"""

from __future__ import annotations

import re
from fractions import Fraction

from agent.reasoners import dice as d
from agent.reasoners.armor import armor_class_of
from agent.reasoners.attacks import attacks_per_round
from agent.reasoners.bonus import roll_by_bonus
from agent.reasoners.creature import creature_to_hit, is_roll, read_creature
from agent.reasoners.facts import Fact, Notebook
from agent.reasoners.groups import Group, groups_of, heads_of, look_for_groups
from agent.reasoners.level_dice import one_a_level, rolled_each_level
from agent.reasoners.passages import sentences
from agent.reasoners.side import TO_HIT, Side, points_of
from agent.types import Combatant
from retrieval.lookup import Cell, CellQuery, same_name
from retrieval.spelling import fold, singular
from retrieval.text import normal, phrase

DEFAULT_WEAPON = "long sword"

_HIT_BONUS = (
    "bonus to hit",
    "hit probability",
    "to hit bonus",
    "to hit",
    "hit adjustment",
    "melee hit",
    "attack bonus",
)
_DAMAGE_BONUS = ("bonus to damage", "damage adjustment", "damage bonus", "damage")
_HIT_POINT_BONUS = (
    "hit point adjustment",
    "hit point bonus per die",
    "hit point bonus",
    "hit points",
    "hit point modifier",
)
_HIT_DICE = ("hit dice", "dice for accumulated hit points", "sided dice for accumulated hit points", "hd")
_DIE_TYPE = ("hit die type", "hit die", "hit dice type", "hit dice")
_DAMAGE = ("damage vs small or medium", "damage vs s or m", "damage vs s-m", "damage s-m", "damage")
_DAMAGE_LARGE = ("damage vs large", "damage vs l", "damage large", "damage")
_DIE = re.compile(r"\b1?d\s*(\d+)\b|\b(\d+)[- ]sided\b|\b(four|six|eight|ten|twelve)[- ]sided\b", re.IGNORECASE)
_SIDES = {"four": 4, "six": 6, "eight": 8, "ten": 10, "twelve": 12}


def read_side(who: Combatant, notebook: Notebook) -> Side:
    """Read everything about one side that does not depend on its opponent."""
    side = Side(who, armor_class=who.armor_class)
    if who.armor is not None and who.armor_class is None:
        _worn_armor(side, who.armor, notebook)
    if side.is_creature:
        read_creature(side, notebook)
    else:
        _character_hit_points(side, notebook)
        _character_attacks(side, notebook)
        _strength(side, notebook)
    _weapon_bonus(side)
    return side


def _weapon_bonus(side: Side) -> None:
    """The bonus of a weapon counts to hit and for damage."""
    if bonus := side.who.weapon_bonus:
        side.hit_bonus, side.damage_bonus = side.hit_bonus + bonus, side.damage_bonus + bonus
        side.assumptions.append(f"the +{bonus} of {side.label}'s weapon counts to hit and for damage")


def read_to_hit(side: Side, opponent: Side, notebook: Notebook) -> None:
    """The roll the side needs against the opponent's armor class: the attacker's table, the *opponent's* class."""
    if opponent.armor_class is None:
        return
    before = dict(notebook.needs)
    fact = creature_to_hit(side, opponent, notebook) if side.is_creature else _class_to_hit(side, opponent, notebook)
    number = re.search(r"-?\d+", fact.text) if fact else None
    if fact and number:
        side.to_hit = int(number[0])
        side.note(f"{side.label} needs {number[0]} to hit armor class {opponent.armor_class}", side.to_hit, fact)
    elif (roll := roll_by_bonus(side, opponent, notebook)) is not None:
        side.to_hit, notebook.needs = roll, before


def _worn_armor(side: Side, armor: str, notebook: Notebook) -> None:
    """The armor class of what is worn, with dexterity where the question gives it."""
    dexterity = side.who.abilities.get("dexterity")
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


def _class_to_hit(side: Side, opponent: Side, notebook: Notebook) -> Fact | None:
    who, target = side.who, opponent.armor_class
    keys = (("level", str(who.level)), ("armor class", str(target)))
    fact = notebook.read(CellQuery(who.subject, keys, TO_HIT))
    if fact is not None and is_roll(fact):
        return fact
    groups = groups_of(who.subject, notebook)
    for names in (groups, heads_of(groups)):
        rolls = {group: cell for group in names if (cell := _roll_of(group, keys, notebook))}
        if len({cell.text for cell in rolls.values()}) == 1:
            group = next(iter(rolls))
            side.note(group.told(side.label), None, group.cited(notebook))
            return notebook.read(CellQuery(group.name, keys, TO_HIT))
        if rolls:
            break  # a list that has the class need not be of those who fight alike
        for group in names:
            _need_roll(side, opponent, group.name, notebook, purpose="class group")
    _need_roll(side, opponent, who.subject, notebook, purpose="to hit")
    look_for_groups(who.subject, notebook)
    return None


def _roll_of(group: Group, keys: tuple[tuple[str, str], ...], notebook: Notebook) -> Cell | None:
    cell = notebook.peek(CellQuery(group.name, keys, TO_HIT))
    return cell if cell and is_roll(Fact(cell.text, 0, cell)) else None


def _need_roll(side: Side, opponent: Side, name: str, notebook: Notebook, *, purpose: str) -> None:
    who, target = side.who, opponent.armor_class
    need = f"the roll a level {who.level} {who.subject} needs to hit armor class {target}"
    text = f"level {who.level} {name} roll needed to hit opponent armor class {target}"
    notebook.need(need, text, purpose=purpose)


def _character_hit_points(side: Side, notebook: Notebook) -> None:
    """Rolled hit points: dice by level, a die by class, a bonus by constitution. Given ones are taken as they are."""
    who = side.who
    if who.hit_points is not None:
        side.hit_points = d.exactly(who.hit_points)
        side.note(f"{side.label} has {points_of(who.hit_points)}, as the question says", who.hit_points)
        return
    if rolled := rolled_each_level(who, notebook):
        _roll_each_level(side, *rolled, notebook)
        return
    by_level = notebook.read(CellQuery(who.subject, (("level", str(who.level)),), _HIT_DICE))
    read = (by_level,) if by_level else one_a_level(who, notebook)
    dice = read[0] if read else None
    bonus, fact = _ability_bonus(side, "constitution", _HIT_POINT_BONUS, "hit point bonus", notebook)
    die = _die_type(side, dice, notebook)
    if dice is None:
        notebook.need(
            f"hit dice of a level {who.level} {who.subject}",
            f"level {who.level} {who.subject} hit dice experience points",
            purpose="hit dice",
            entities=(who.subject,),
        )
        if notebook.chunks:
            notebook.need("hit dice per level", "characters roll one hit die per level", purpose="dice per level")
    found = re.match(r"(\d+)(?:d\d+)?(?:\s*\+\s*(\d+))?", dice.text) if dice else None
    if dice is not None and found is None:
        notebook.need(
            f"the hit points of a level {who.level} {who.subject}", f"level {who.level} {who.subject} hit dice"
        )
    if dice is None or die is None or found is None:
        return
    count, extra = int(found[1]), int(found[2] or 0)
    each = f" with {bonus:+d} each" if bonus else ""
    more = f" and {extra} more" if extra else ""
    side.hit_points = d.hit_points(count, die[0], bonus, extra)
    average = round(d.mean(side.hit_points), 4)
    text = f"{side.label} has {count}d{die[0]}{each}{more}: {points_of(average)} on average"
    side.note(text, average, *read, die[1], fact)


def _roll_each_level(side: Side, sides: int, plus: int, rolled: Fact, notebook: Notebook) -> None:
    level = side.who.level or 0
    bonus, fact = _ability_bonus(side, "constitution", _HIT_POINT_BONUS, "hit point bonus", notebook)
    side.hit_points = d.hit_points(level, sides, plus + bonus)
    average = round(d.mean(side.hit_points), 4)
    each = f" with {plus + bonus:+d} each" if plus + bonus else ""
    side.note(f"{side.label} has {level}d{sides}{each}: {points_of(average)} on average", average, rolled, fact)


def average_hit_points(who: Combatant, notebook: Notebook) -> tuple[float, tuple[int, ...], str] | None:
    """A character's average hit points with the citations and the working, or None; what is missing is a need."""
    side = Side(who)
    _character_hit_points(side, notebook)
    if side.hit_points is None:
        return None
    text, _, cites = side.steps[-1]
    return round(d.mean(side.hit_points), 4), cites, text


def _die_type(side: Side, dice: Fact | None, notebook: Notebook) -> tuple[int, Fact] | None:
    """The sides of the hit die: in the head of the hit dice column, in the class's record, or in its prose."""
    subject = side.who.subject
    if dice is not None and (written := re.match(r"\d+d(\d+)\b", dice.text)):
        return int(written[1]), dice
    if dice is not None and dice.cell is not None and (sides := _sides(dice.cell.column)):
        return sides, dice
    record = notebook.read(CellQuery(subject, (), _DIE_TYPE))
    if record is not None and (sides := _sides(record.text)):
        return sides, record
    for chunk in notebook.chunks:
        if set(phrase(subject)) <= set(normal(chunk.title)) | set(normal(chunk.headings[-1] if chunk.headings else "")):
            for sentence in sentences(chunk.text):
                if re.search(r"hit (die|dice|point)", fold(sentence)) and (sides := _sides(sentence)):
                    return sides, Fact(f"d{sides}", notebook.cite(chunk, sentence))
    notebook.need(
        f"the hit die of a {subject}",
        f"{subject} hit die type hit points per level",
        purpose="hit die",
        entities=(subject,),
    )
    return None


def _sides(text: str) -> int | None:
    match = _DIE.search(text)
    return None if match is None else int(match[1] or match[2] or _SIDES[match[3].lower()])


def _strength(side: Side, notebook: Notebook) -> None:
    side.hit_bonus, hit = _ability_bonus(side, "strength", _HIT_BONUS, "hit and damage bonus", notebook)
    side.damage_bonus, damage = _ability_bonus(side, "strength", _DAMAGE_BONUS, "hit and damage bonus", notebook)
    if hit is not None and damage is not None:
        score = side.who.abilities["strength"]
        side.note(
            f"{side.label}: strength {score} gives {side.hit_bonus:+d} to hit, {side.damage_bonus:+d} damage",
            None,
            hit,
            damage,
        )


def _ability_bonus(
    side: Side, ability: str, want: tuple[str, ...], what: str, notebook: Notebook
) -> tuple[int, Fact | None]:
    score = side.who.abilities.get(ability)
    if score is None:
        side.assumptions.append(f"{side.label} has no bonus for {ability}, which the question does not give")
        return 0, None
    fact = notebook.read(CellQuery("", ((ability, score),), want)) or notebook.read(
        CellQuery(ability, (("score", score),), want)
    )
    if fact is None:
        notebook.need(
            f"the {what} of {ability} {score}", f"{ability} {score} {what} ability score table", purpose=ability
        )
        return 0, None
    return _signed(fact, side.who.subject), fact


def _signed(fact: Fact, subject: str) -> int:
    """*+2 (+3 for fighters and rangers)*: the bracket counts for those it names, or whom a footnote names."""
    plain = re.sub(r"[−–]", "-", fact.text)
    main, bracket = re.match(r"\s*([+-]?\s*\d+)?", plain), re.search(r"\(([+-]?\d+)([^)]*)\)", plain)
    notes = " ".join(fact.cell.table.notes) if fact.cell else ""
    if bracket and set(phrase(subject)) <= set(normal(bracket[2] or notes)):
        return int(bracket[1])
    return int(main[1].replace(" ", "")) if main and main[1] else 0


def _character_attacks(side: Side, notebook: Notebook) -> None:
    who = side.who
    assert who.level is not None
    found = attacks_per_round(who.subject, who.level, notebook)
    if found is None:
        notebook.need(
            f"attacks per round of a level {who.level} {who.subject}",
            f"level {who.level} {who.subject} bonus attacks per melee round",
            purpose="attacks",
            entities=(who.subject,),
        )
        return
    side.attacks, fact = found
    side.note(f"{side.label} makes {_rate(side.attacks)} a round", float(side.attacks), fact)


def _rate(rate: Fraction) -> str:
    return "1 attack" if rate == 1 else f"{rate} attacks" if rate.denominator > 1 else f"{rate.numerator} attacks"


def singular_name(name: str) -> str:
    """A weapon as one says it of one: *long swords* is *long sword*."""
    *first, last = name.lower().split()
    return " ".join([*first, singular(last)])


def read_weapon(side: Side, opponent: Side, notebook: Notebook) -> None:
    """What the side's weapon does to its opponent, in the column for the opponent's size; a creature has its own."""
    who = side.who
    if side.is_creature and not (side.by_weapon and who.weapon):
        return
    weapon = singular_name(who.weapon) if who.weapon else DEFAULT_WEAPON
    if who.weapon is None:
        side.assumptions.append(f"{side.label} wields a {DEFAULT_WEAPON}, as the question names no weapon")
    want = _DAMAGE_LARGE if opponent.is_large else _DAMAGE
    fact = notebook.read(CellQuery(weapon, (), want)) or notebook.read(CellQuery("", (("weapon", weapon),), want))
    fact = fact or _only_dice(weapon, notebook)
    dice = d.parse_dice(fact.text) if fact else None
    if fact is None or dice is None:
        notebook.need(f"the damage of a {weapon}", f"{weapon} weapon damage table", purpose="weapon")
        return
    side.damage = (dice,)
    against = f" to the large {opponent.who.subject}" if opponent.is_large and _is_for_large(fact) else ""
    side.note(f"a {weapon} does {dice}{against}, {dice.average:g} on average", dice.average, fact)


def _only_dice(weapon: str, notebook: Notebook) -> Fact | None:
    """What a weapon does where no head says damage: the one column of its table that has dice, and nothing else."""
    for chunk in notebook.chunks:
        for table in chunk.tables:
            named = [row for row in table.rows if not table.is_record and same_name(row[0], weapon)]
            columns = [c for c in range(1, len(table.columns)) if all(_IS_DICE.match(row[c]) for row in table.rows)]
            if len(named) == len(columns) == 1:
                text = named[0][columns[0]]
                quote = f"{named[0][0]} / {' '.join(table.columns[columns[0]])} = {text}"
                return Fact(text, notebook.cite(chunk, quote))
    return None


_IS_DICE = re.compile(r"\s*\d*d\d+(?:\s*[+-]\s*\d+)?\s*$")


def _is_for_large(fact: Fact) -> bool:
    return fact.cell is not None and bool({"large", "l"} & set(phrase(fact.cell.column)))
