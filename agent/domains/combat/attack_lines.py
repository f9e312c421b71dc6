"""Creatures whose attacks are told each with a bonus: *Claw: +7 to hit. Hit: 11 (2d6+4) damage*, *club +4 (1d8+2)*.

The roll plus the bonus has to reach the armor class, so in such a book a higher class is better. Hit points are told
with the dice they are rolled by. How often it strikes tells a line of its own, where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from agent.domains.combat.armor import goes_up, need_direction
from agent.domains.combat.profile import Labels, Rulebook
from agent.domains.combat.types import Side, points_of
from agent.reasoning import dice as d
from agent.reasoning.notebook import Fact
from retrieval.tables.reading import CellQuery
from retrieval.text.normal import normal, phrase, title_key
from retrieval.types import Chunk

_DICE = re.compile(r"\d+d\d+(?:\s*[+−-]\s*\d+)?")
"""The dice of *84 (8d10 + 40)*."""
_AT_LENGTH = 8
"""So many words are a sentence about what a creature can do, and no value."""
_END = re.compile(r"[.;]\s*$")


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack: what it is called, its bonus to hit, its damage, and how often it is made.

    Of one with a line of its own also what else it does, and where it stands.
    """

    name: str
    bonus: int
    damage: d.Dice
    times: int = 1
    rest: str = ""
    is_by_hand: bool = False
    chunk: Chunk | None = None
    quote: str = ""

    @property
    def does_more(self) -> bool:
        """Whether a hit does something besides the damage: *plus 7 (2d6) fire damage*, or a second sentence."""
        return _DICE.search(self.rest) is not None or "." in _END.sub("", self.rest)


def read_by_lines(side: Side, notebook: Rulebook) -> bool:
    """Read a creature that has hit points of its own and no hit dice; False where the book tells it in no such way."""
    subject = side.who.subject
    points = notebook.read(CellQuery(subject, (), notebook.labels["hit_points"]))
    if points is None or not _has_points(side, points):
        return False
    read_defense(side, notebook)
    lines = list(attack_lines(subject, notebook))
    routine = _routine(side, lines, notebook)
    if routine:
        _attack(side, routine, notebook)
        _leave_out(side, lines, notebook)
    elif lines:
        look_for_attacks(side, f"how often the {subject} attacks in a round", notebook)
    return True


def _has_points(side: Side, points: Fact) -> bool:
    """Take the hit points: those that its dice roll, else the whole number; False where the cell has neither."""
    rolled, whole = _DICE.search(points.text), re.fullmatch(r"\s*(\d{1,4})\s*", points.text)
    if rolled is not None and (dice := d.parse_dice(rolled[0])):
        side.hit_points = d.total(dice, at_least=1)
        average = round(d.mean(side.hit_points), 4)
        side.note(f"{side.label} has {points.text} hit points, {average:g} where they are rolled", average, points)
    elif whole is not None:
        side.hit_points = d.exactly(int(whole[1]))
        side.note(f"{side.label} has {points_of(int(whole[1]))}", int(whole[1]), points)
    return side.hit_points is not None


def read_defense(side: Side, notebook: Rulebook) -> None:
    """Take a creature's own armor class, where the question tells it none."""
    if side.armor_class is not None:
        return
    found = notebook.read_whole(CellQuery(side.who.subject, (), notebook.labels["defense"]))
    if found is not None:
        side.armor_class = found[0]
        side.note(f"{side.label} has armor class {found[0]}", found[0], found[1])


def attack_lines(subject: str, notebook: Rulebook) -> Iterator[Attack]:
    """The attacks of a creature, in the order of the book."""
    for chunk, label, text in _lines(subject, notebook):
        if (line := _read(chunk, label, text, notebook.labels)) is not None:
            yield line


def _lines(subject: str, notebook: Rulebook) -> Iterator[tuple[Chunk, str, str]]:
    """The lines of the section that has the creature's hit points, and of those below it, each with its label."""
    cell = notebook.peek(CellQuery(subject, (), notebook.labels["hit_points"]))
    for chunk in notebook.chunks if cell is not None else ():
        if cell is not None and _is_within(chunk, cell.chunk):
            rows = (row for table in chunk.tables if table.is_record for row in table.rows)
            yield from ((chunk, row[0], row[1]) for row in rows)


def _is_within(chunk: Chunk, own: Chunk) -> bool:
    """True for a chunk of the same section or below it, where the section is called as the chunk is."""
    if chunk.source != own.source:
        return False
    if own.headings and title_key(own.headings[-1]) == title_key(own.title):
        return chunk.headings[: len(own.headings)] == own.headings
    return chunk.title == own.title


def _read(chunk: Chunk, label: str, text: str, known: Labels) -> Attack | None:
    """A line with a bonus to hit and dice of damage behind it."""
    behind, before = ("|".join(map(re.escape, words)) for words in (known["to_hit"], known["attack_rolls"]))
    found = re.search(rf"([+−-]\s?\d+)\s+(?:{behind})\b|\b(?:{before})\W+([+−-]\s?\d+)", text, re.IGNORECASE)
    dice = _DICE.search(text, found.end()) if found else None
    damage = d.parse_dice(dice[0]) if dice else None
    if found is None or dice is None or damage is None:
        return None
    said = set(phrase(text[: found.end()]))
    by_hand = any(said.issuperset(phrase(word)) for word in known["by_hand"])
    bonus = _signed(found[1] or found[2])
    return Attack(label, bonus, damage, 1, text[dice.end() :], by_hand, chunk, f"{label}: {text}")


_STRIKE = re.compile(
    r"(?:(?P<times>\d+)\s*[x×]?\s+)?(?:(?P<name>[^\W\d_][^\d+,;()/]*?)\s*)?"
    r"(?<!\d)(?<!\d )(?P<bonus>[+−-]\s?\d+)(?!\s*d|\d)[^()\d;]*?\(?\s*(?P<dice>\d+d\d+(?:\s*[+−-]\s*\d+)?)"
)
_SEVERAL_BONUSES = re.compile(r"[+−-]\d+/[+−-]\d+")
_JOINED = re.compile(r"^(?:and|with|plus)\s+")


def strikes_in(text: str) -> list[list[Attack]]:
    """The attacks of a cell that have a bonus each, by the ways among which it has the choice.

    >>> [[(one.times, one.name, one.bonus, str(one.damage)) for one in way] for way in strikes_in("2 claws +6 (1d4+4)")]
    [[(2, 'claws', 6, '1d4+4')]]
    >>> strikes_in("2 claws (1d4), bite (1d6+2)"), strikes_in("club +1")
    ([], [])
    """
    if _SEVERAL_BONUSES.search(text):
        return []
    ways = [[_strike(match) for match in _STRIKE.finditer(way)] for way in re.split(r"\bor\b", text)]
    return [way for way in ways if way]


def _strike(match: re.Match[str]) -> Attack:
    dice, name = d.parse_dice(match["dice"]), _JOINED.sub("", match["name"] or "its attack")
    assert dice is not None
    return Attack(name, _signed(match["bonus"]), dice, d.times(match["times"] or "1"))


def read_strikes(side: Side, told: Fact, notebook: Rulebook) -> bool:
    """Take the attacks of a cell that has a bonus for each; False where it has none.

    Where a lower armor class is the better, such a bonus is of a weapon, and is part of what it does.
    """
    more = _standing_behind(told, notebook)
    ways = strikes_in(", ".join((told.text, *(fact.text for fact in more))))
    up = goes_up(notebook) if ways else None
    if not ways or (up is not None and not up[0]):
        return False
    if up is None:
        need_direction(notebook, "to hit")
        return True
    strikes = max(ways, key=lambda way: sum(one.times * one.damage.average for one in way))
    names = " and ".join(one.name for one in strikes)
    if len(ways) > 1:
        side.assumptions.append(f"{side.label} attacks with what does most damage, {names}")
    if _take(side, strikes, notebook):
        damage, way = " / ".join(map(str, side.damage)), Fact(up[2], notebook.cite(up[1], up[2]))
        text = f"{side.label} attacks with {names} at {strikes[0].bonus:+d} for {damage}"
        side.note(text, side.attack_bonus, told, *more, way)
    return True


def _take(side: Side, attacks: Sequence[Attack], notebook: Rulebook) -> bool:
    """Take the attacks of one round; those of unlike bonuses are a need, for the odds know one chance to hit."""
    if len({each.bonus for each in attacks}) > 1:
        names = " and ".join(dict.fromkeys(each.name for each in attacks))
        notebook.need(f"the odds of attacks with unlike bonuses ({names})", f"{side.who.subject} attack bonus")
        return False
    side.attack_bonus, side.attacks = attacks[0].bonus, Fraction(1)
    side.damage = tuple(each.damage for each in attacks for _ in range(each.times))
    return True


def take_bonus(side: Side, attack: Attack, notebook: Rulebook) -> None:
    """Take the bonus to hit of a line alone."""
    side.attack_bonus = attack.bonus
    side.note(f"the bonus of {attack.bonus:+d} to hit with {attack.name}", attack.bonus, _cited(attack, notebook))


def _cited(line: Attack, notebook: Rulebook) -> Fact | None:
    return Fact(line.quote, notebook.cite(line.chunk, line.quote)) if line.chunk else None


def _standing_behind(told: Fact, notebook: Rulebook) -> list[Fact]:
    """The attacks of a routine that a record has as labels of their own: *Melee 2 claws +4 (1d6), bite +4 (1d8)*."""
    if told.cell is None or not told.cell.table.is_record:
        return []
    known, rows = notebook.labels, told.cell.table.rows
    place = next((i for i, row in enumerate(rows) if row[0] == told.cell.column and row[1] == told.text), None)
    facts: list[Fact] = []
    for label, value in rows[place + 1 :] if place is not None else ():
        is_another_way = phrase(label)[:1] in [phrase(name)[:1] for name in (*known["attacks"], *known["attack_rolls"])]
        if is_another_way or not _STRIKE.match(value):
            break
        facts.append(Fact(f"{label} {value}", notebook.cite(told.cell.chunk, f"{label}: {value}")))
    return facts


def _signed(text: str) -> int:
    return int(text.replace("−", "-").replace(" ", ""))


def _routine(side: Side, lines: Sequence[Attack], notebook: Rulebook) -> list[Attack]:
    """The attacks of one round; empty where that is not known."""
    for chunk, label, text in _routines(side.who.subject, notebook):
        routine = _told(text, lines)
        if routine:
            fact = Fact(text, notebook.cite(chunk, f"{label}: {text}"))
            side.note(f"{side.label} attacks {len(routine)} times a round", len(routine), fact)
        return routine
    by_hand = [line for line in lines if line.is_by_hand]
    best = max(by_hand, key=lambda line: line.damage.average, default=None)
    if best is not None and len(by_hand) > 1:
        side.assumptions.append(f"{side.label} attacks with what does most damage, {best.name}")
    return [best] if best is not None else []


def _routines(subject: str, notebook: Rulebook) -> Iterator[tuple[Chunk, str, str]]:
    """The lines that tell how often a creature attacks."""
    names = set(map(phrase, notebook.labels["routine"]))
    return (line for line in _lines(subject, notebook) if phrase(line[1]) in names)


def _told(text: str, lines: Sequence[Attack]) -> list[Attack]:
    """The attacks that a sentence counts: *three: one with its bite, two with …*, *two Rend attacks*.

    Where it says how many they are together, they have to be as many.
    """
    words = " ".join(normal(text))
    whole = re.search(r"\bmake (\d+) (?:(\w+) )?attack", words)
    if whole is None:
        return []
    routine = [line for line in lines for _ in range(_times(line, words))]
    if any(whole[2] in phrase(line.name) for line in lines):
        return [] if " or " in words else routine
    if routine:
        return routine if len(routine) == int(whole[1]) else []
    by_hand = [line for line in lines if line.is_by_hand]
    return by_hand * int(whole[1]) if len(by_hand) == 1 else []


def _times(line: Attack, words: str) -> int:
    """How often a sentence says that an attack is made: *2 with its claw*, *2 claw attack*."""
    name = re.escape(" ".join(phrase(line.name)))
    found = re.search(rf"\b(\d+) (?:with (?:\w+ )?{name}\b|{name} attack)", words)
    return int(found[1]) if found else 0


def _attack(side: Side, routine: Sequence[Attack], notebook: Rulebook) -> None:
    for line in dict.fromkeys(routine) if _take(side, routine, notebook) else ():
        fact = _cited(line, notebook)
        side.note(f"{side.label} attacks with {line.name} at {line.bonus:+d} for {line.damage}", line.bonus, fact)
        if line.does_more:
            side.note(f"not counted for {side.label}: what else its {line.name} does", None, fact)


def _leave_out(side: Side, lines: Sequence[Attack], notebook: Rulebook) -> None:
    """Say what else its lines tell at length, which no odds count: it may decide the fight."""
    told = list(_lines(side.who.subject, notebook))
    counted = {line.name for line in lines} | {label for _, label, _ in _routines(side.who.subject, notebook)}
    for chunk in {chunk.id: chunk for chunk, _, _ in told}.values():
        long = [label for other, label, text in told if other is chunk and len(text.split()) >= _AT_LENGTH]
        labels = [label for label in long if label not in counted]
        if labels:
            fact = Fact(", ".join(labels), notebook.cite(chunk, "; ".join(labels)))
            side.note(f"not counted for {side.label}: {fact.text}", None, fact)


def look_for_attacks(side: Side, need: str, notebook: Rulebook) -> None:
    """Look for the lines that tell what a creature attacks with."""
    subject = side.who.subject
    text = f"{subject} actions attack {notebook.labels['to_hit'][0]} damage"
    notebook.need(need, text, purpose="damage", entities=(subject,))
