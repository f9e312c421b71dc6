"""A creature's side of a fight: hit dice or hit points, armor class, size, and what the odds ignore."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from agent.domains.combat import totals
from agent.domains.combat.rulebook.profile import Rulebook
from agent.domains.combat.rulebook.routine import attacks_in, lines_of, look_for_lines, read_attacks
from agent.domains.combat.rulebook.sayings import rule_pattern, rule_sentences
from agent.domains.combat.types import Side, hit_points_phrase
from agent.reasoning.notebook import Fact
from agent.reasoning.side_by_side import stat_block
from agent.reasoning.values import dice as d
from retrieval.tables.reading import CellQuery, Reading, read_cells
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import phrase, title_key

MONSTER_DIE = 8
_LARGE = frozenset({"large", "l", "huge", "gigantic", "giant"})
_SMALLER = frozenset({"small", "medium", "man", "s", "m", "tiny", "human"})
_ORDINARY = re.compile(r"nil|none|standard|normal|-|—|", re.IGNORECASE)


def read_creature(side: Side, notebook: Rulebook) -> None:
    """Read a creature from its stat block; a missing stat block is a need."""
    subject = side.combatant.subject
    dice = notebook.read(_hit_dice_query(subject, notebook))
    dice = None if dice is None or not _is_one_of_its_kind(side, dice, notebook) else dice
    if dice is not None:
        _by_dice(side, dice, notebook)
    elif not _by_points(side, notebook):
        _need_block(subject, ", its attacks and its damage", notebook)
        take_given_points(side)
        _whole_block(side, notebook)
        return
    take_given_points(side)
    if dice is not None:
        need_die(notebook)
        if side.hit_points is None:
            need = f"how many hit points the {subject} has (its hit dice are {dice.text!r})"
            notebook.need(need, f"{subject} hit dice", purpose="hp")
    _defense(side, notebook)
    if (size := is_large(subject, notebook)) is not None:
        side.is_large = size[0]
    read_attacks(side, notebook, has_lines=dice is None)
    _leave_out(side, notebook)


def _hit_dice_query(subject: str, notebook: Rulebook) -> CellQuery:
    return CellQuery(subject, (), notebook.labels["hit_dice"][:1])


def _is_one_of_its_kind(side: Side, dice: Fact, notebook: Rulebook) -> bool:
    """Return False, with a need that lists them, if the book has several of the kind and none is the ordinary one."""
    if dice.cell is None:
        return True
    subject, best = side.combatant.subject, dice.cell
    if title_key(best.chunk.title) == title_key(subject) or not best.table.is_record:
        return True
    rivals = _equals(best, read_cells(_hit_dice_query(subject, notebook), notebook.chunks))
    if len({cell.text for cell in rivals}) > 1:
        names = ", ".join(dict.fromkeys(cell.chunk.title for cell in rivals))
        notebook.need(f"which {subject} is meant ({names})", f"{subject} hit dice", purpose="stat block")
        return False
    side.assumptions.append(f"{subject} is what the book calls {best.chunk.title}")
    return True


def _equals(best: Reading, cells: Sequence[Reading]) -> list[Reading]:
    return [cell for cell in cells if abs(cell.score - best.score) < 1e-9 and cell.table.is_record]


def _need_block(creature: str, more: str, notebook: Rulebook) -> None:
    text = f"{creature} hit dice armor class attacks damage"
    notebook.need(f"the hit dice of the {creature}{more}", text, purpose="stat block", entities=(creature,))


def _whole_block(side: Side, notebook: Rulebook) -> None:
    """Note the stat block of a creature without hit dice: it is shown, not computed with."""
    found = stat_block(side.combatant.subject, notebook)
    if found is None:
        return
    chunk, table = found
    quote = "; ".join(f"{label}: {value}" for label, value in table.rows)
    side.note(f"the book says of {side.label}: {quote}", None, Fact(quote, notebook.cite(chunk, quote)))


def take_given_points(side: Side) -> None:
    """Set the hit points that the question gives, as they are."""
    if (points := side.combatant.hit_points) is not None:
        side.hit_points = totals.exactly(points)
        side.note(f"{side.label} has {hit_points_phrase(points)}, as the question says", points)


def _defense(side: Side, notebook: Rulebook) -> None:
    """Read the creature's own armor class, unless the question gives one."""
    if side.armor_class is None:
        found = notebook.read_whole(CellQuery(side.combatant.subject, (), notebook.labels["defense"]))
        if found is not None:
            side.armor_class = found[0]
            side.note(f"{side.label} has armor class {found[0]}", found[0], found[1])


def is_large(creature: str, notebook: Rulebook) -> tuple[bool, Fact] | None:
    """Return whether a creature is larger than a man by its stat block, or None if the stat block does not say."""
    fact = notebook.read(CellQuery(creature, (), notebook.labels["size"]))
    first = next((word for word in phrase(fact.text) if word in _LARGE | _SMALLER), None) if fact else None
    return (first in _LARGE, fact) if fact is not None and first is not None else None


def _leave_out(side: Side, notebook: Rulebook) -> None:
    """Note the special abilities, which the odds ignore: they may decide the fight."""
    for name in notebook.labels["specials"] if side.hit_dice is not None else ():
        fact = notebook.read(CellQuery(side.combatant.subject, (), (name,)))
        if fact is not None and fact.cell and not _ORDINARY.fullmatch(fact.text.strip(" .")):
            side.note(f"not counted for {side.label}: {fact.cell.column.lower()} ({fact.text})", None, fact)


_ROLLED = re.compile(r"\d+d\d+(?:\s*[+−-]\s*\d+)?")
"""The dice of *84 (8d10 + 40)*."""
_IN_HIT_POINTS = re.compile(r"(\d*d\d+(?:\s*[+-]\s*\d+)?)\s*(?:hp|hit points?)")
_HIT_DICE = re.compile(
    r"(?P<count>\d+)(?:d(?P<sides>\d+))?(?:\s*(?P<plus>\+\s*\d*d\d+(?:\s*\+\s*\d+)?|[+-]\s*\d+))?[\s*†]*(?:\(.*)?$"
)
_SPAN = re.compile(r"(\d+)\s*(?:to|or|-)\s*(\d+)")
_NARROW = 0.4
"""The widest range of hit dice whose middle is assumed, as a share of that middle."""
_STATED = re.compile(r"\(\s*(\d+)\s*(?:hp|hit points?)\b", re.IGNORECASE)
"""The hit points of *4+1 (24 hp)*."""
_WHOLE = re.compile(r"(?:hits|hit points|hp)\b[^:]*: (\d+)$", re.IGNORECASE)


def _by_points(side: Side, notebook: Rulebook) -> bool:
    """Read the creature's own hit points: those its dice roll, else the whole number; return False without either."""
    points = notebook.read(CellQuery(side.combatant.subject, (), notebook.labels["hit_points"]))
    if points is None:
        return False
    rolled, whole = _ROLLED.search(points.text), re.fullmatch(r"\s*(\d{1,4})\s*", points.text)
    if rolled is not None and (dice := d.parse_dice(rolled[0])):
        side.hit_points = totals.total(dice, at_least=1)
        average = round(totals.mean(side.hit_points), 4)
        side.note(f"{side.label} has {points.text} hit points, {average:g} where they are rolled", average, points)
    elif whole is not None:
        side.hit_points = totals.exactly(int(whole[1]))
        side.note(f"{side.label} has {hit_points_phrase(int(whole[1]))}", int(whole[1]), points)
    return side.hit_points is not None


def _by_dice(side: Side, dice: Fact, notebook: Rulebook) -> None:
    """Read hit dice such as *5*, *3+1*, *1-1*, *3d8*, *8+1d2*, or dice that are hit points, *1d6 hp*."""
    text = _middle(side, re.sub(r"[−–]", "-", dice.text.strip()))
    if text.rstrip(" *†") in ("½", "1/2"):  # half a die has half its sides
        _set_fractional_hit_dice(side, dice, f"1d{_die(notebook)[0] // 2}")
    elif rolled := _IN_HIT_POINTS.match(text):
        _set_fractional_hit_dice(side, dice, rolled[1])
    elif read := _HIT_DICE.match(text):
        count, plus = d.whole(read["count"]), re.sub(r"\s", "", read["plus"] or "+0")
        sides, fact = (d.whole(read["sides"]), dice) if read["sides"] else _die(notebook)
        if extra := d.parse_dice(plus) if "d" in plus else None:
            side.hit_dice = count + 0.01
            side.hit_points = np.convolve(totals.rolled_points(count, sides, 0), totals.total(extra))
        elif int(plus) >= -count:  # *7-12* may be a range
            side.hit_dice = count + int(plus) / 100
            side.hit_points = totals.rolled_points(count, sides, 0, int(plus))
        _note_hit_points(side, dice, sides, fact, notebook)


def _middle(side: Side, text: str) -> str:
    """Return the middle of a narrow range of hit dice, *9 to 11*, with an assumption; else the text unchanged."""
    span = _SPAN.fullmatch(text)
    low, high = (d.whole(span[1]), d.whole(span[2])) if span else (0, 0)
    middle = (low + high) // 2
    if not low < high <= low + _NARROW * middle:
        return text
    side.assumptions.append(f"{side.label} has {middle} hit dice, the middle of {text}")
    return str(middle)


def _note_hit_points(side: Side, dice: Fact, sides: int, fact: Fact | None, notebook: Rulebook) -> None:
    """Note the average roll of the dice, or the hit points that the book states beside them."""
    if side.hit_points is None:
        return
    told = _STATED.search(dice.text)
    own = None if told else notebook.read(CellQuery(side.combatant.subject, (), notebook.labels["hit_points"]))
    if told := told or (_WHOLE.match(f"{own.cell.column}: {own.text}") if own and own.cell else None):
        points = d.whole(told[1])
        side.hit_points = totals.exactly(points)
        side.note(
            f"{side.label} has {dice.text} hit dice, {hit_points_phrase(points)} as the book says", points, dice, own
        )
        return
    if fact is None:
        side.assumptions.append(f"a creature's hit dice are d{sides}")
    average = round(totals.mean(side.hit_points), 4)
    line = f"{side.label} has {dice.text} hit dice (d{sides}), {hit_points_phrase(average)} on average"
    side.note(line, average, dice, fact)


def _set_fractional_hit_dice(side: Side, dice: Fact, text: str) -> None:
    """Set hit points that are rolled as written, such as *1d6 hp*."""
    roll = d.parse_dice(text)
    if roll is None:
        return
    side.hit_points = totals.total(roll, at_least=1)
    side.hit_dice = 0.5 if roll.average < (MONSTER_DIE + 1) / 2 else 1.0
    average = round(totals.mean(side.hit_points), 4)
    side.assumptions.append(f"{side.label} with {dice.text} attacks as less than one hit die")
    side.note(f"{side.label} has {dice.text}, {hit_points_phrase(average)} on average", average, dice)


def _die(notebook: Rulebook) -> tuple[int, Fact | None]:
    """Return the sides of a creature's hit die: the book's, if one sentence gives them, else a d8 without a fact."""
    for each in rule_sentences("hit_die", notebook):
        sizes = set(d.sides_of(each.match[0])) if rule_pattern("monsters").search(each.normalised) else ()
        if len(sizes) == 1:
            return next(iter(sizes)), each.fact(each.text, notebook)
    return MONSTER_DIE, None


def need_die(notebook: Rulebook) -> None:
    """Note a need for the book's rule about creatures' hit dice; without it the die is assumed."""
    if _die(notebook)[1] is None:
        text = "monster hit dice are rolled with which sided die"
        notebook.need("the die of a creature's hit dice", text, purpose="monster die")


def read_striking(side: Side, notebook: Rulebook) -> None:
    """Read what a creature's roll to hit depends on: the one bonus of all its attacks, else its hit dice."""
    subject = side.combatant.subject
    if notebook.peek(_hit_dice_query(subject, notebook)) is None:
        lines = lines_of(subject, notebook)
        attacks = attacks_in(lines, notebook)
        if lines and not attacks:
            look_for_lines(subject, f"the attacks of the {subject}", notebook)
            return
        if len({attack.bonus for attack in attacks}) == 1:
            first = attacks[0]
            side.attack_bonus = first.bonus
            fact = first.line.cited(notebook) if first.line else None
            side.note(f"the bonus of {first.bonus:+d} to hit with {first.name}", first.bonus, fact)
            return
    read_hit_dice(side, notebook)


def read_hit_dice(side: Side, notebook: Rulebook) -> None:
    """Read a creature's hit dice, from its stat block or its row, and its hit points."""
    dice = notebook.read(_hit_dice_query(side.combatant.subject, notebook))
    if dice is None or dice.cell is None or read_label(dice.cell.row.split(" ")[-1]).span is not None:
        _need_block(side.combatant.subject, "", notebook)
    elif _is_one_of_its_kind(side, dice, notebook):
        _by_dice(side, dice, notebook)
