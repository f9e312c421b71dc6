"""A creature's attacks in one round, from the first format in which its book has them.

A line may have one attack with its bonus to hit (*Claw: +7 to hit. Hit: 11 (2d6+4) damage*); another line may count the
attacks of a round. A cell may have the bonus of each attack (*2 claws +4 (1d8+2)*), or count attacks whose damage
stands in another cell. A roll with a bonus must reach the armor class, so in such a book a higher class is better.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from agent.domains.combat.rulebook.armor import armor_class_direction, need_direction
from agent.domains.combat.rulebook.profile import Labels, Rulebook
from agent.domains.combat.types import Side
from agent.reasoning.notebook import Fact
from agent.reasoning.values import dice as d
from retrieval.tables.reading import CellQuery
from retrieval.text.normal import normal, phrase, title_key
from retrieval.text.sentences import sentences
from retrieval.types import Chunk

_DICE = r"\d+d\d+(?:\s*[+−-]\s*\d+)?"
_DAMAGE = re.compile(rf"(?P<dice>{_DICE})|(?P<points>\d+)\s+(?:[a-z]+\s+){{0,2}}damage\b")
"""*11 (2d6+4) piercing damage*, *1 piercing damage*."""
_AT_LENGTH = 8
"""A text of this many words is a sentence about an ability, not a value."""
_BRACKET = re.compile(r"\s*\([^()]*\)")
_END = re.compile(r"[.;]\s*$")
_RIDER = re.compile(
    r"(?i)\bplus\s+[a-z]|poison|paraly|drain|disease|swallow|petrif|charm|breath|constrict|web|acid|energy|special"
    r"|see below"
)


class Line(NamedTuple):
    """A label of a creature's record with its text."""

    chunk: Chunk
    label: str
    text: str

    def cited(self, notebook: Rulebook) -> Fact:
        """Return the line as a cited fact."""
        return Fact(self.text, notebook.cite(self.chunk, f"{self.label}: {self.text}"))


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack: its name, bonus to hit, damage, and how often it is made.

    An attack from a line also has the line, the text after its damage, and whether it is made hand to hand.
    """

    name: str
    bonus: int
    damage: d.Dice
    times: int = 1
    line: Line | None = None
    rest: str = ""
    is_by_hand: bool = False

    @property
    def does_more(self) -> bool:
        """True if a hit has an effect besides the damage: *plus 7 (2d6) fire damage*, or a second sentence."""
        return re.search(_DICE, self.rest) is not None or "." in _END.sub("", self.rest)


def read_attacks(side: Side, notebook: Rulebook, *, has_lines: bool) -> None:
    """Read the attacks of one round or note needs; `has_lines` is false for a creature with hit dice."""
    subject = side.combatant.subject
    lines = lines_of(subject, notebook) if has_lines else []
    attacks = attacks_in(lines, notebook)
    if attacks:
        _by_lines(side, lines, attacks, notebook)
        return
    _by_cells(side, notebook)
    if side.damage or (side.uses_weapon_damage and side.combatant.weapon):
        return
    if has_lines:
        side.attacks = None
        look_for_lines(subject, f"the attacks of the {subject}", notebook)
    else:
        why = " (it goes by its weapon, and the question names none)" if side.uses_weapon_damage else ""
        text = f"{subject} damage per attack"
        notebook.need(f"the damage of the {subject}{why}", text, purpose="damage", entities=(subject,))


def look_for_lines(subject: str, need: str, notebook: Rulebook) -> None:
    """Note a need for the lines with a creature's attacks."""
    text = f"{subject} actions attack {notebook.labels['to_hit'][0]} damage"
    notebook.need(need, text, purpose="damage", entities=(subject,))


def lines_of(subject: str, notebook: Rulebook) -> list[Line]:
    """Return the record lines of the section with the creature's hit points, and of the sections below it."""
    cell = notebook.peek(CellQuery(subject, (), notebook.labels["hit_points"]))
    chunks = [chunk for chunk in notebook.chunks if cell is not None and _is_within(chunk, cell.chunk)]
    records = [(chunk, table) for chunk in chunks for table in chunk.tables if table.is_record]
    return [Line(chunk, row[0], row[1]) for chunk, table in records for row in table.rows]


def _is_within(chunk: Chunk, own: Chunk) -> bool:
    """Return True for a chunk of the same section or below it, if the section is titled as the chunk is."""
    if chunk.source != own.source:
        return False
    if own.headings and title_key(own.headings[-1]) == title_key(own.title):
        return chunk.headings[: len(own.headings)] == own.headings
    return chunk.title == own.title


def attacks_in(lines: Sequence[Line], notebook: Rulebook) -> list[Attack]:
    """Return the attacks that have a line each, in the order of the book."""
    found = (_attack_in(line, notebook.labels) for line in lines)
    return [attack for attack in found if attack is not None]


def _attack_in(line: Line, known: Labels) -> Attack | None:
    """Return the attack of a line that has a bonus to hit and damage behind it."""
    behind, before = ("|".join(map(re.escape, words)) for words in (known["to_hit"], known["attack_rolls"]))
    bonus = re.search(rf"([+−-]\s?\d+)\s+(?:{behind})\b|\b(?:{before})\W+([+−-]\s?\d+)", line.text, re.IGNORECASE)
    damage = _DAMAGE.search(line.text, bonus.end()) if bonus else None
    dice = d.parse_dice(damage["dice"] or damage["points"]) if damage else None
    if bonus is None or damage is None or dice is None:
        return None
    said = set(phrase(line.text[: bonus.end()]))
    by_hand = any(said.issuperset(phrase(word)) for word in known["by_hand"])
    return Attack(line.label, _signed(bonus[1] or bonus[2]), dice, 1, line, line.text[damage.end() :], by_hand)


def _signed(text: str) -> int:
    return int(text.replace("−", "-").replace(" ", ""))


def _by_lines(side: Side, lines: Sequence[Line], attacks: Sequence[Attack], notebook: Rulebook) -> None:
    """Read the attacks that the routine counts; without one, the hand-to-hand attack with the most damage."""
    names = set(map(phrase, notebook.labels["routine"]))
    routines = [line for line in lines if phrase(line.label) in names]
    routine = _counted(side, routines[0].text, attacks) if routines else _most(side, attacks, 1)
    if not routine:
        look_for_lines(side.combatant.subject, f"how often the {side.combatant.subject} attacks in a round", notebook)
        return
    if routines:
        told = routines[0].cited(notebook)
        side.note(f"{side.label} attacks {len(routine)} times a round", len(routine), told)
        if len(list(sentences(routines[0].text))) > 1:
            side.note(f"not counted for {side.label}: what else its {routines[0].label} allows", None, told)
    for attack in dict.fromkeys(routine) if _take(side, routine, notebook) else ():
        fact = attack.line.cited(notebook) if attack.line else None
        does = f"{side.label} attacks with {attack.name} at {attack.bonus:+d} for {attack.damage}"
        side.note(does, attack.bonus, fact)
        if attack.does_more:
            side.note(f"not counted for {side.label}: what else its {attack.name} does", None, fact)
    counted = {*routines, *(attack.line for attack in attacks)}
    _leave_out(side, [line for line in lines if line not in counted], notebook)


def _most(side: Side, attacks: Sequence[Attack], times: int) -> list[Attack]:
    """Return the hand-to-hand attack with the most damage, `times` times; note an assumption if there is a choice."""
    by_hand = [attack for attack in attacks if attack.is_by_hand]
    if not by_hand:
        return []
    best = max(by_hand, key=lambda attack: attack.damage.average)
    if len(by_hand) > 1:
        side.assumptions.append(f"{side.label} attacks with what does most damage, {best.name}")
    return [best] * times


def _counted(side: Side, text: str, attacks: Sequence[Attack]) -> list[Attack]:
    """Return the attacks that a sentence counts: *three: one with its bite, two with …*, *two Rend attacks*.

    Their number must match the stated total. If the sentence names no attack, the strongest is taken. Alternatives in
    other sentences are ignored.
    """
    said = [" ".join(normal(sentence)) for sentence in sentences(text)]
    words, whole = next(((words, found) for words in said if (found := _WHOLE.search(words))), ("", None))
    if whole is None:
        return []
    ways = [[each for each in attacks for _ in range(_times(each, way))] for way in words.split(" or ")]
    routine = max(ways, key=lambda way: sum(attack.damage.average for attack in way))
    if len(list(filter(None, ways))) > 1:
        side.assumptions.append(f"{side.label} attacks in the way of its routine that does most damage")
    if any(whole[2] in phrase(attack.name) for attack in attacks):
        return routine
    if not any(ways):
        return _most(side, attacks, d.times(whole[1]))
    return routine if len(routine) == int(whole[1]) else []


_WHOLE = re.compile(r"\bmake (\d+) (?:(\w+) )?attack")


def _times(attack: Attack, words: str) -> int:
    """Return how often a sentence makes an attack: *2 with its claw*, *2 claw attack*; a name's last word suffices."""
    name = phrase(_BRACKET.sub("", attack.name))
    for said in dict.fromkeys((" ".join(name), *name[-1:])):
        known = re.escape(said)
        if found := re.search(rf"\b(\d+) (?:with (?:\w+ )?{known}\b|{known} attack)", words):
            return d.times(found[1])
    return 0


def _take(side: Side, attacks: Sequence[Attack], notebook: Rulebook) -> bool:
    """Set the attacks of one round; different bonuses are a need, as the odds have one chance to hit."""
    if len({each.bonus for each in attacks}) > 1:
        names = " and ".join(dict.fromkeys(each.name for each in attacks))
        notebook.need(f"the odds of attacks with unlike bonuses ({names})", f"{side.combatant.subject} attack bonus")
        return False
    side.attack_bonus, side.attacks = attacks[0].bonus, Fraction(1)
    side.damage = tuple(each.damage for each in attacks for _ in range(each.times))
    return True


def _leave_out(side: Side, lines: Sequence[Line], notebook: Rulebook) -> None:
    """Note the creature's long lines, which the odds ignore: they may decide the fight."""
    long = [line for line in lines if len(line.text.split()) >= _AT_LENGTH]
    for chunk in {line.chunk.id: line.chunk for line in long}.values():
        labels = [line.label for line in long if line.chunk is chunk]
        fact = Fact(", ".join(labels), notebook.cite(chunk, "; ".join(labels)))
        side.note(f"not counted for {side.label}: {fact.text}", None, fact)


def _by_cells(side: Side, notebook: Rulebook) -> None:
    """Read the routine of the stat block, or how often a creature strikes with its weapon."""
    subject, weapon = side.combatant.subject, side.combatant.weapon
    count = notebook.read(CellQuery(subject, (), notebook.labels["attacks"]))
    damage = notebook.read(CellQuery(subject, (), notebook.labels["damage_of_attacks"]))
    if count is not None and _by_strikes(side, count, notebook):
        _leave_out_riders(side, count)
        return
    side.attacks = Fraction(1)
    if damage is None and count is not None and d.parse_rolls(count.text) and re.search(r"\dd\d|\d-\d", count.text):
        damage = count  # the cell has the attacks with their damage: 1 x bite (1d6)
    if damage is None:
        return
    side.uses_weapon_damage = "weapon" in phrase(damage.text)
    if side.uses_weapon_damage and weapon:
        times = re.fullmatch(r"\s*([1-9]\d*)\s*", count.text) if count else None
        side.attacks = Fraction(d.times(times[1]) if times else 1)
        side.note(f"{side.label} does damage by its weapon ({damage.text})", None, damage)
        return
    side.damage = _rolls(damage.text, count.text if count else "1")
    if side.damage:
        told = " / ".join(map(str, side.damage))
        side.note(f"{side.label} attacks for {told} each round", None, count, damage)
    _leave_out_riders(side, damage)
    if weapon and side.damage:
        side.assumptions.append(f"{side.label} does the damage of its stat block, whatever it wields")


def _leave_out_riders(side: Side, told: Fact) -> None:
    """Note additional effects of the attacks, which the odds ignore: *1d6 plus poison*."""
    if _RIDER.search(told.text):
        side.note(f"not counted for {side.label}: what else its attacks do ({told.text})", None, told)


def _rolls(damage: str, count: str) -> tuple[d.Dice, ...]:
    """Return the damage of each attack; a single roll is repeated for *2 claws* or *3*."""
    attacks = d.parse_rolls(damage)
    number = d.times(m[1]) if (m := re.match(r"\s*(\d+)(?:\s+\(?[^\W\d]+\)?)?\s*$", count)) else 1
    return attacks * number if len(attacks) == 1 else attacks


_STRIKE = re.compile(
    r"(?:(?P<times>\d+)\s*[x×]?\s+)?(?:(?P<name>[^\W\d_][^\d+,;()/]*?)\s*)?"
    rf"(?<!\d)(?<!\d )(?P<bonus>[+−-]\s?\d+)(?!\s*d|\d)[^()\d;]*?\(?\s*(?P<dice>{_DICE})"
)
_SEVERAL_BONUSES = re.compile(r"[+−-]\d+/[+−-]\d+")
_JOINED = re.compile(r"^(?:and|with|plus)\s+")


def _by_strikes(side: Side, told: Fact, notebook: Rulebook) -> bool:
    """Read the attacks of a cell that has a bonus for each; return False if it has none.

    If a lower armor class is better, such a bonus belongs to a weapon and counts as damage.
    """
    more = _standing_behind(told, notebook)
    ways = strikes_in(", ".join((told.text, *(fact.text for fact in more))))
    up = armor_class_direction(notebook) if ways else None
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


def strikes_in(text: str) -> list[list[Attack]]:
    """Return the attacks of a cell that have a bonus each, one list for each alternative.

    >>> [[(one.times, one.name, one.bonus, str(one.damage)) for one in way] for way in strikes_in("2 claws +6 (1d4+4)")]
    [[(2, 'claws', 6, '1d4+4')]]
    >>> strikes_in("2 claws (1d4), bite (1d6+2)"), strikes_in("club +1")
    ([], [])
    """
    if _SEVERAL_BONUSES.search(text):
        return []
    ways = [list(_strikes(way)) for way in re.split(r"\bor\b", text)]
    return [way for way in ways if way]


def _strikes(text: str) -> Iterator[Attack]:
    for match in _STRIKE.finditer(text):
        dice, name = d.parse_dice(match["dice"]), _JOINED.sub("", match["name"] or "its attack")
        assert dice is not None
        yield Attack(name, _signed(match["bonus"]), dice, d.times(match["times"] or "1"))


def _standing_behind(told: Fact, notebook: Rulebook) -> list[Fact]:
    """Return attacks of the routine under labels of their own: *Melee 2 claws +4 (1d6), bite +4 (1d8)*."""
    if told.cell is None or not told.cell.table.is_record:
        return []
    known, chunk, rows = notebook.labels, told.cell.chunk, told.cell.table.rows
    place = next((i for i, row in enumerate(rows) if row[0] == told.cell.column and row[1] == told.text), len(rows))
    ways = {phrase(name)[:1] for name in (*known["attacks"], *known["attack_rolls"])}
    facts: list[Fact] = []
    for label, value in rows[place + 1 :]:
        if phrase(label)[:1] in ways or not _STRIKE.match(value):
            break
        facts.append(Fact(f"{label} {value}", notebook.cite(chunk, f"{label}: {value}")))
    return facts
