"""The damage of a weapon: the one that the question gives, else an ordinary one, which is stated as assumed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from agent.domains.combat.rulebook.profile import Rulebook
from agent.domains.combat.rulebook.sayings import rule_sentences
from agent.domains.combat.types import Combatant, Duel, Side, singular_name
from agent.reasoning.notebook import Fact
from agent.reasoning.values import dice as d
from retrieval.tables.names import same_name, without_part
from retrieval.tables.reading import CellQuery
from retrieval.text.normal import phrase
from retrieval.types import Chunk

DEFAULT_WEAPON = "long sword"

_BRACKETS = re.compile(r"\([^)]*\)")
_BETWEEN = re.compile(r"\s*[,;:—–]\s*|\s+(?:and|or)\s+")
"""Separators of a list in a cell."""
_IS_DICE = re.compile(r"\s*\d*d\d+(?:\s*[+-]\s*\d+)?\s*$")


def read_weapon(side: Side, opponent: Side, notebook: Rulebook) -> None:
    """Read a weapon's damage in the column of the opponent's size; a creature has its own damage."""
    who = side.combatant
    if side.is_creature and not (side.uses_weapon_damage and who.weapon):
        return
    want = notebook.labels["damage_to_large"] if opponent.is_large else notebook.labels["damage"]
    if who.weapon:
        weapon = singular_name(who.weapon)
        fact = damage_of_weapon(weapon, want, notebook)
        if fact is not None:
            _note_forbidden(weapon, fact, side, notebook)
    else:
        weapon, fact = _ordinary_weapon(side, want, notebook)
    dice = d.parse_dice(fact.text) if fact else None
    if fact is None or dice is None:
        need_weapon(weapon, notebook)
        return
    side.damage = (dice,)
    against = f" to the large {opponent.combatant.subject}" if opponent.is_large and _is_for_large(fact) else ""
    side.note(f"a {weapon} does {dice}{against}, {dice.average:g} on average", dice.average, fact)


def _note_forbidden(weapon: str, fact: Fact, side: Side, notebook: Rulebook) -> None:
    """Note that the class may not use the weapon, if the book lists its weapons and the list has only known weapons."""
    permitted = CellQuery(side.combatant.subject, (), notebook.labels["weapons"])
    told = notebook.peek(permitted) if fact.cell is not None and not side.is_creature else None
    if fact.cell is None or told is None or any(_is_one_of(weapon, {name}) for name in _listed(told.text)):
        return
    weapons = {
        row[0] for chunk in _pieces_of(fact.cell.chunk, notebook) for table in chunk.tables for row in table.rows
    }
    if all(_is_one_of(name, weapons) for name in _listed(told.text)):
        text = f"the class of {side.label} may not use a {weapon}, which is counted as the question gives it"
        side.note(text, None, notebook.read(permitted))


def _is_one_of(name: str, others: Iterable[str]) -> bool:
    """Return True if a name shares a word with another: *hammer* with *Hammer, war*."""
    return any(not set(phrase(name)).isdisjoint(phrase(other)) for other in others)


def _pieces_of(chunk: Chunk, notebook: Rulebook) -> list[Chunk]:
    """Return the chunks with the rows of the same table as this chunk."""
    table = without_part(chunk.title)
    return [each for each in notebook.chunks if without_part(each.title) == table]


def need_weapon(weapon: str, notebook: Rulebook) -> None:
    """Note a need for the table with a weapon."""
    notebook.need(f"the damage of a {weapon}", f"{weapon} weapon damage table", purpose="weapon")


def _ordinary_weapon(side: Side, want: tuple[str, ...], notebook: Rulebook) -> tuple[str, Fact | None]:
    """Return the weapon to assume and its damage: the usual one, or if a book lists others for the class, the first of
    them that stands in the table of the usual one.
    """
    usual = damage_of_weapon(DEFAULT_WEAPON, want, notebook)
    permitted = CellQuery(side.combatant.subject, (), notebook.labels["weapons"])
    told = notebook.peek(permitted)
    if told is not None and usual is not None and usual.cell is not None and not _lists_usual(told.text):
        among = _pieces_of(usual.cell.chunk, notebook)
        for weapon in _listed(told.text):
            if fact := notebook.read(CellQuery(weapon, (), want), among=among):
                text = (
                    f"assumed: {side.label} wields a {weapon}, which the class may use, as the question names no weapon"
                )
                side.note(text, None, notebook.read(permitted))
                return weapon, fact
    side.assumptions.append(f"{side.label} wields a {DEFAULT_WEAPON}, as the question names no weapon")
    return DEFAULT_WEAPON, usual


def _lists_usual(cell: str) -> bool:
    """Return True if the list has the usual weapon or its kind: *sword (not two-handed)*."""
    return any(set(phrase(name)) <= set(phrase(DEFAULT_WEAPON)) for name in _listed(cell))


def _listed(cell: str) -> list[str]:
    """Return the names that a cell lists.

    >>> _listed("Blunt only—club, mace or staff (not iron)")
    ['blunt only', 'club', 'mace', 'staff']
    """
    return [singular_name(name) for name in _BETWEEN.split(_BRACKETS.sub("", cell)) if name.strip()]


def attach_weapons(duel: Duel, notebook: Rulebook) -> Duel:
    """Attach words that the book lists as weapons to the combatant that they describe or follow.

    The *knife* of *a 5th level thief, AC 7 knife*; the *axe* of *a 5th level thief with AC 7 and an axe*.
    """
    who: list[Combatant] = []
    places: list[int] = []
    for each in duel.combatants:
        last = who[-1] if who else None
        if last and each.level is None and _lacks_weapon(last) and _is_weapon(each.subject, notebook):
            who[-1] = replace(last, weapon=each.subject)
        else:
            told = [text for text in each.left_out if _lacks_weapon(each) and _is_weapon(text, notebook)][:1]
            kept = tuple(text for text in each.left_out if text not in told)
            who.append(replace(each, weapon=told[0], left_out=kept) if told else each)
        places.append(len(who) - 1)
    sides = tuple(tuple(dict.fromkeys(places[place] for place in side)) for side in duel.sides)
    return replace(duel, combatants=tuple(who), sides=sides if len(who) > 2 else ())


def _lacks_weapon(who: Combatant) -> bool:
    return who.weapon is None and who.level is not None


def _is_weapon(name: str, notebook: Rulebook) -> bool:
    known = notebook.labels
    if any(notebook.peek(CellQuery(name, (), want)) for want in (known["hit_dice"][:1], known["defense"])):
        return False
    return damage_of_weapon(singular_name(name), notebook.labels["damage"], notebook) is not None


def damage_of_weapon(weapon: str, want: tuple[str, ...], notebook: Rulebook) -> Fact | None:
    """Return a weapon's damage from its row, the only dice of its table, or a sentence; an axe is no *Axe Beak*."""
    for query in (CellQuery(weapon, (), want), CellQuery("", (("weapon", weapon),), want)):
        cell = notebook.peek(query)
        if cell is not None and (not cell.table.is_record or same_name(cell.chunk.title, weapon)):
            return notebook.fact(cell)
    return _only_dice(weapon, notebook) or _in_prose(weapon, notebook)


def _only_dice(weapon: str, notebook: Rulebook) -> Fact | None:
    """Return a weapon's damage from the only column of its table that holds dice throughout, whatever its header."""
    for chunk in notebook.chunks:
        for table in chunk.tables:
            named = [row for row in table.rows if not table.is_record and same_name(row[0], weapon)]
            columns = [c for c in range(1, len(table.columns)) if all(_IS_DICE.match(row[c]) for row in table.rows)]
            if len(named) == len(columns) == 1:
                text = named[0][columns[0]]
                quote = f"{named[0][0]} / {' '.join(table.columns[columns[0]])} = {text}"
                return Fact(text, notebook.cite(chunk, quote))
    return None


def _is_for_large(fact: Fact) -> bool:
    return fact.cell is not None and bool({"large", "l"} & set(phrase(fact.cell.column)))


def _in_prose(weapon: str, notebook: Rulebook) -> Fact | None:
    """Return the dice of *a knife does 1d4 points of damage, a spear 1d6*."""
    for each in rule_sentences("damage_of_weapon", notebook, re.escape(" ".join(phrase(weapon)))):
        if "damage" in each.normalised:
            return each.fact(each.match[1], notebook)
    return None
