"""A creature's side of a fight: its stat block and its routine of attacks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from agent.domains.combat.attack_lines import (
    attack_lines,
    look_for_attacks,
    read_by_lines,
    read_defense,
    read_strikes,
    take_bonus,
)
from agent.domains.combat.profile import Rulebook
from agent.domains.combat.sayings import saying, told
from agent.domains.combat.types import Side, points_of
from agent.reasoning import dice as d
from agent.reasoning.notebook import Fact
from agent.reasoning.side_by_side import stat_block
from retrieval.tables.reading import CellQuery, Reading, read_cells
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import phrase, title_key

MONSTER_DIE = 8
_LARGE = frozenset({"large", "l", "huge", "gigantic", "giant"})
_SMALLER = frozenset({"small", "medium", "man", "s", "m", "tiny", "human"})
_RIDER = re.compile(
    r"(?i)\bplus\s+[a-z]|poison|paraly|drain|disease|swallow|petrif|charm|breath|constrict|web|acid|energy|special"
    r"|see below"
)
_ORDINARY = re.compile(r"nil|none|standard|normal|-|—|", re.IGNORECASE)


def read_creature(side: Side, notebook: Rulebook) -> None:
    """Read a creature's hit points, armor class and attacks from its stat block; without one, it is a need."""
    subject = side.who.subject
    dice = notebook.read(CellQuery(subject, (), notebook.labels["hit_dice"][:1]))
    dice = None if dice is None or not _is_one_of_its_kind(side, dice, notebook) else dice
    if dice is None and read_by_lines(side, notebook):
        _hit_points_given(side)
        _attacks_in_cells(side, notebook)
        return
    if dice is None:
        _need_block(subject, ", its attacks and its damage", notebook)
        _hit_points_given(side)
        _whole_block(side, notebook)
        return
    _hit_points(side, dice, notebook)
    _hit_points_given(side)
    need_die(notebook)
    if side.hit_points is None:
        need = f"how many hit points the {subject} has (its hit dice are {dice.text!r})"
        notebook.need(need, f"{subject} hit dice", purpose="hp")
    read_defense(side, notebook)
    if (size := is_large(subject, notebook)) is not None:
        side.is_large = size[0]
    _attacks(side, notebook)
    _left_out(side, notebook)
    if not side.damage and not (side.by_weapon and side.who.weapon):
        why = " (it goes by its weapon, and the question names none)" if side.by_weapon else ""
        text = f"{subject} damage per attack"
        notebook.need(f"the damage of the {subject}{why}", text, purpose="damage", entities=(subject,))


def _attacks_in_cells(side: Side, notebook: Rulebook) -> None:
    """The routine of one that has hit points of its own and no lines of attacks."""
    subject = side.who.subject
    if side.damage or any(attack_lines(subject, notebook)):
        return
    _attacks(side, notebook)
    if not side.damage:
        side.attacks = None
        look_for_attacks(side, f"the attacks of the {subject}", notebook)


def _is_one_of_its_kind(side: Side, dice: Fact, notebook: Rulebook) -> bool:
    """False where the book has several of the kind and none is the ordinary: a need says which there are."""
    if dice.cell is None:
        return True
    subject = side.who.subject
    own = title_key(dice.cell.chunk.title) == title_key(subject) or not dice.cell.table.is_record
    rivals = (
        []
        if own
        else _equals(dice.cell, read_cells(CellQuery(subject, (), notebook.labels["hit_dice"][:1]), notebook.chunks))
    )
    if len({cell.text for cell in rivals}) > 1:
        names = ", ".join(dict.fromkeys(cell.chunk.title for cell in rivals))
        notebook.need(f"which {subject} is meant ({names})", f"{subject} hit dice", purpose="stat block")
        return False
    if not own:
        side.assumptions.append(f"{subject} is what the book calls {dice.cell.chunk.title}")
    return True


def _equals(best: Reading, cells: Sequence[Reading]) -> list[Reading]:
    return [cell for cell in cells if abs(cell.score - best.score) < 1e-9 and cell.table.is_record]


def _whole_block(side: Side, notebook: Rulebook) -> None:
    """What the book does say of one without hit dice, to be shown and not computed with."""
    found = stat_block(side.who.subject, notebook)
    if found is None:
        return
    chunk, table = found
    quote = "; ".join(f"{label}: {value}" for label, value in table.rows)
    side.note(f"the book says of {side.label}: {quote}", None, Fact(quote, notebook.cite(chunk, quote)))


def is_large(creature: str, notebook: Rulebook) -> tuple[bool, Fact] | None:
    """Whether a creature is larger than a man by its stat block; None when that does not say."""
    fact = notebook.read(CellQuery(creature, (), notebook.labels["size"]))
    first = next((word for word in phrase(fact.text) if word in _LARGE | _SMALLER), None) if fact else None
    return (first in _LARGE, fact) if fact is not None and first is not None else None


def _hit_points_given(side: Side) -> None:
    if (points := side.who.hit_points) is not None:
        side.hit_points = d.exactly(points)
        side.note(f"{side.label} has {points_of(points)}, as the question says", points)


def _attacks(side: Side, notebook: Rulebook) -> None:
    """The routine of the stat block; of one that fights by its weapon, how often it strikes."""
    subject, weapon = side.who.subject, side.who.weapon
    count, damage = (
        notebook.read(CellQuery(subject, (), notebook.labels["attacks"])),
        notebook.read(CellQuery(subject, (), notebook.labels["damage_of_attacks"])),
    )
    if count is not None and read_strikes(side, count, notebook):
        _leave_out_riders(side, count)
        return
    side.attacks = Fraction(1)
    if damage is None and count is not None and d.parse_rolls(count.text) and re.search(r"\dd\d|\d-\d", count.text):
        damage = count  # the attacks are told with what they do: 1 x bite (1d6)
    if damage is None:
        return
    side.by_weapon = "weapon" in phrase(damage.text)
    times = re.match(r"\s*(\d+)\s*$", count.text) if count else None
    if side.by_weapon and weapon:
        side.attacks = Fraction(d.times(times[1]) if times and times[1] != "0" else 1)
        side.note(f"{side.label} does damage by its weapon ({damage.text})", None, damage)
        return
    side.damage = _routine(damage.text, count.text if count else "1")
    if side.damage:
        told = " / ".join(map(str, side.damage))
        side.note(f"{side.label} attacks for {told} each round", None, count, damage)
    _leave_out_riders(side, damage)
    if weapon and side.damage:
        side.assumptions.append(f"{side.label} does the damage of its stat block, whatever it wields")


def _leave_out_riders(side: Side, told: Fact) -> None:
    """Say what else the attacks do: *1d6 plus poison*."""
    if _RIDER.search(told.text):
        side.note(f"not counted for {side.label}: what else its attacks do ({told.text})", None, told)


def _left_out(side: Side, notebook: Rulebook) -> None:
    """Say which special abilities the odds leave out; they may decide the fight."""
    if side.hit_dice is None:
        return
    read = [notebook.read(CellQuery(side.who.subject, (), (name,))) for name in notebook.labels["specials"]]
    told = [f for f in read if f is not None and f.cell and not _ORDINARY.fullmatch(f.text.strip(" ."))]
    for fact in told:
        assert fact.cell is not None
        side.note(f"not counted for {side.label}: {fact.cell.column.lower()} ({fact.text})", None, fact)


def _routine(damage: str, count: str) -> tuple[d.Dice, ...]:
    """The damage of each attack; of one alone that all of *2 claws* or *3* do."""
    attacks = d.parse_rolls(damage)
    number = d.times(m[1]) if (m := re.match(r"\s*(\d+)(?:\s+\(?[^\W\d]+\)?)?\s*$", count)) else 1
    return attacks * number if len(attacks) == 1 else attacks


_IN_HIT_POINTS = re.compile(r"(\d*d\d+(?:\s*[+-]\s*\d+)?)\s*(?:hp|hit points?)")
_HIT_DICE = re.compile(
    r"(?P<count>\d+)(?:d(?P<sides>\d+))?(?:\s*(?P<plus>\+\s*\d*d\d+(?:\s*\+\s*\d+)?|[+-]\s*\d+))?[\s*†]*(?:\(.*)?$"
)
_STATED = re.compile(r"\(\s*(\d+)\s*(?:hp|hit points?)\b", re.IGNORECASE)
"""The hit points of *4+1 (24 hp)*."""
_WHOLE = re.compile(r"(?:hits|hit points|hp)\b[^:]*: (\d+)$", re.IGNORECASE)


def _hit_points(side: Side, dice: Fact, notebook: Rulebook) -> None:
    """Rolled hit points of *5*, *3+1*, *1-1*, *3d8*, *8+1d2* hit dice, or of dice that are hit points, *1d6 hp*."""
    text = re.sub(r"[−–]", "-", dice.text.strip())
    if text.rstrip(" *†") in ("½", "1/2"):  # half a die has half its sides
        _rolled(side, dice, f"1d{_die(notebook)[0] // 2}")
    elif rolled := _IN_HIT_POINTS.match(text):
        _rolled(side, dice, rolled[1])
    elif read := _HIT_DICE.match(text):
        count, plus = d.whole(read["count"]), re.sub(r"\s", "", read["plus"] or "+0")
        sides, fact = (d.whole(read["sides"]), dice) if read["sides"] else _die(notebook)
        if extra := d.parse_dice(plus) if "d" in plus else None:
            side.hit_dice = count + 0.01
            side.hit_points = np.convolve(d.rolled_points(count, sides, 0), d.total(extra))
        elif int(plus) >= -count:  # *7-12* is either
            side.hit_dice = count + int(plus) / 100
            side.hit_points = d.rolled_points(count, sides, 0, int(plus))
        _tell_hit_points(side, dice, sides, fact, notebook)


def _tell_hit_points(side: Side, dice: Fact, sides: int, fact: Fact | None, notebook: Rulebook) -> None:
    """What the dice roll on average, or the hit points that the book states beside them."""
    if side.hit_points is None:
        return
    told = _STATED.search(dice.text)
    own = None if told else notebook.read(CellQuery(side.who.subject, (), notebook.labels["hit_points"]))
    if told := told or (_WHOLE.match(f"{own.cell.column}: {own.text}") if own and own.cell else None):
        points = d.whole(told[1])
        side.hit_points = d.exactly(points)
        side.note(f"{side.label} has {dice.text} hit dice, {points_of(points)} as the book says", points, dice, own)
        return
    if fact is None:
        side.assumptions.append(f"a creature's hit dice are d{sides}")
    average = round(d.mean(side.hit_points), 4)
    line = f"{side.label} has {dice.text} hit dice (d{sides}), {points_of(average)} on average"
    side.note(line, average, dice, fact)


def _die(notebook: Rulebook) -> tuple[int, Fact | None]:
    """The sides of a creature's hit die where the book says it of all, else those of most books."""
    for each in told("hit_dice", notebook):
        sizes = set(d.sides_of(each.read)) if saying("monsters").search(each.read) else ()
        if len(sizes) == 1:
            return next(iter(sizes)), each.fact(each.text, notebook)
    return MONSTER_DIE, None


def _rolled(side: Side, dice: Fact, text: str) -> None:
    """Less than a full hit die: hit points that are rolled as they are written."""
    roll = d.parse_dice(text)
    if roll is None:
        return
    side.hit_points = d.total(roll, at_least=1)
    side.hit_dice = 0.5 if roll.average < (MONSTER_DIE + 1) / 2 else 1.0
    average = round(d.mean(side.hit_points), 4)
    side.assumptions.append(f"{side.label} with {dice.text} attacks as less than one hit die")
    side.note(f"{side.label} has {dice.text}, {points_of(average)} on average", average, dice)


def read_striking(side: Side, notebook: Rulebook) -> None:
    """Read what a creature's roll to hit hangs on: the bonus that all its attacks have, or its hit dice."""
    subject = side.who.subject
    if notebook.peek(CellQuery(subject, (), notebook.labels["hit_dice"][:1])) is None:
        lines = list(attack_lines(subject, notebook))
        if len({line.bonus for line in lines}) == 1:
            take_bonus(side, lines[0], notebook)
            return
    read_hit_dice(side, notebook)


def read_hit_dice(side: Side, notebook: Rulebook) -> None:
    """Read a creature's hit dice, from its stat block or its row, and the hit points that they roll."""
    dice = notebook.read(CellQuery(side.who.subject, (), notebook.labels["hit_dice"][:1]))
    if dice is None or dice.cell is None or read_label(dice.cell.row.split(" ")[-1]).span is not None:
        _need_block(side.who.subject, "", notebook)
    elif _is_one_of_its_kind(side, dice, notebook):
        _hit_points(side, dice, notebook)


def need_die(notebook: Rulebook) -> None:
    """Look for what the book says of all creatures' hit dice; without it their die is assumed."""
    if _die(notebook)[1] is None:
        text = "monster hit dice are rolled with which sided die"
        notebook.need("the die of a creature's hit dice", text, purpose="monster die")


def _need_block(creature: str, more: str, notebook: Rulebook) -> None:
    text = f"{creature} hit dice armor class attacks damage"
    notebook.need(f"the hit dice of the {creature}{more}", text, purpose="stat block", entities=(creature,))
