"""The roll to hit in books without a matrix: an attack bonus against an armor class, a THAC0, or a skill rolled under.

A THAC0 is the roll that hits armor class 0, so the roll is THAC0 less the armor class. An attack bonus is added to the
die, which has to reach the armor class; that holds only where the book's armor classes go up, which has to be read.
A skill is the highest roll that hits, where the book says that a roll has to be equal to it or less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.domains.combat.armor import goes_up
from agent.domains.combat.combatant_state import Side
from agent.domains.combat.groups import Group, fights_as, groups_of, heads_of, names_of
from agent.domains.combat.profile import Rulebook
from agent.domains.combat.sayings import saying, told
from agent.reasoning.notebook import Fact
from retrieval.tables.names import same_name
from retrieval.tables.reading import CellQuery, Reading
from retrieval.text.normal import phrase

_SIGNED = re.compile(r"\s*([+-]?\s*\d+)(?!\s*[d/\d])")
_USUAL = frozenset({"ac", "armor class", "armour class", "attack bonus"})
"""Labels that every question for a roll says already."""


def roll_by_bonus(side: Side, opponent: Side, notebook: Rulebook) -> int | None:
    """The roll that a side needs by its attack bonus or THAC0; what is missing is a need that is no more than tried."""
    target = opponent.armor_class
    if target is None:
        return None
    if (skill := _read(side, notebook.labels["roll_under"], notebook)) is not None:
        return _rolled_under(side, target, skill, notebook)
    thac0 = _read(side, notebook.labels["thac0"], notebook) or _by_another_name(side, notebook)
    bonus = _read(side, notebook.labels["attack_bonus"], notebook)
    up = goes_up(notebook) if thac0 or bonus else None
    if thac0 is not None and not (up and up[0]):
        roll = thac0[0] - target
        text = f"{side.label} needs {roll} to hit: THAC0 {thac0[0]} less armor class {target}"
        side.note(text, roll, thac0[1])
        return roll
    if bonus is not None and up is not None and up[0]:
        roll = target - bonus[0]
        text = f"{side.label} needs {roll} to hit: armor class {target} less an attack bonus of {bonus[0]:+d}"
        side.note(text, roll, bonus[1], Fact(up[2], notebook.cite(up[1], up[2])))
        return roll
    _look_further(side, bonus is None and thac0 is None, notebook)
    return None


_SIDES = 20


def _rolled_under(side: Side, target: int, skill: tuple[int, Fact], notebook: Rulebook) -> int | None:
    """The roll of a book that rolls a d20 under a skill, told as the equal chance of a roll that has to be reached.

    The armor class of the target lessens the skill where the sentence with the rule says so.
    """
    value, fact = skill
    label = " ".join(phrase(fact.cell.column)) if fact.cell else ""
    for each in told("of_name", notebook, label):
        if "1d20" not in each.read or not saying("or_less").search(each.read):
            continue
        names_armor = any(term in phrase(each.text) for term in notebook.labels["defense"])
        lessened = names_armor and saying("lessened").search(each.read) is not None
        highest = value - target if lessened else value
        what = f"its {label} of {value}{f' less armor class {target}' if lessened else ''}"
        roll = _SIDES + 1 - highest
        text = f"{side.label} hits on {highest} or less, {what}: as likely as {roll} or more"
        side.note(text, roll, fact, each.fact(each.text, notebook))
        return roll
    notebook.need(
        f"how a roll against {label} hits", f"roll d20 equal to or less than {label} to hit", purpose="to hit"
    )
    return None


def _look_further(side: Side, lacks_bonus: bool, notebook: Rulebook) -> None:
    """Look for them only where something was looked for before: most books have a matrix."""
    if not notebook.chunks:
        return
    who = side.who
    if lacks_bonus and who.level is not None:
        text = f"attack bonus by level THAC0 table {who.subject} level {who.level}"
        notebook.need(f"the attack bonus of a level {who.level} {who.subject}", text, purpose=LOOKED_FOR)
    text = "attack roll d20 plus attack bonus equal or exceed armor class, higher armor class is better"
    notebook.need(
        "how an attack roll hits an armor class", f"{text}{_own_labels(who.subject, notebook)}", purpose=LOOKED_FOR
    )
    notebook.need("which way armor classes go", "armor table armor class leather plate", purpose=LOOKED_FOR)


def _own_labels(subject: str, notebook: Rulebook) -> str:
    """What the book calls an armor class and an attack bonus, where it has names of its own: *, guard, strike*."""
    wanted = (notebook.labels["defense"], notebook.labels["attack_bonus"])
    cells = [cell for want in wanted if (cell := notebook.peek(CellQuery(subject, (), want)))]
    labels = [cell.column.lower() for cell in cells if cell.column.lower() not in _USUAL]
    return "".join(f", {label}" for label in labels)


LOOKED_FOR = "attack bonus"
"""The purpose of what is tried in place of a matrix; where nothing is found, it is the roll that is missing."""


def _read(side: Side, want: tuple[str, ...], notebook: Rulebook) -> tuple[int, Fact] | None:
    for query, name, group in _queries(side, want, notebook):
        cell = notebook.peek(query)
        number = _SIGNED.match(re.sub("[−–]", "-", cell.text)) if cell else None
        if cell and number and _is_it(cell, want, name):
            if group is not None:
                side.note(fights_as(group, side.label), None, group.cited(notebook))
            return int(number[1].replace(" ", "")), notebook.fact(cell)
    return None


def _by_another_name(side: Side, notebook: Rulebook) -> tuple[int, Fact] | None:
    """What *is the roll that hits armor class 0*, whatever a book calls it: a creature's own, or by level in prose."""
    subject, level = side.who.subject, side.who.level or 0
    for name in [each.found[1] for each in told("thac0", notebook)]:
        own = CellQuery(subject, (), (name,)), CellQuery("", (("", name), ("", subject)))
        cell = next(filter(None, map(notebook.peek, own)), None) if side.is_creature else None
        if cell and cell.text.isdigit() and phrase(name) in (phrase(cell.column), phrase(cell.row)):
            return int(cell.text), notebook.fact(cell)
        for each in told("thac0_by_level", notebook, name) if level else ():
            if set(phrase(subject)) <= set(each.read.split()):
                base, less, step = (int(each.found[part] or 0) for part in ("base", "less", "each"))
                roll = base - less * (level // (step or 1))
                return roll, each.fact(str(roll), notebook)
    return None


def _queries(side: Side, want: tuple[str, ...], notebook: Rulebook) -> Iterator[tuple[CellQuery, str, Group | None]]:
    """Where it may stand, each with the name by which a column would be called: the class, or its group."""
    subject, level = side.who.subject, str(side.who.level)
    if side.is_creature:
        yield CellQuery(subject, (), want), subject, None
        if side.hit_dice is not None and float(side.hit_dice).is_integer():
            yield CellQuery("monster", (("hit dice", str(int(side.hit_dice))),), want), subject, None
        return
    groups = groups_of(subject, notebook)
    for group in (None, *groups, *heads_of(groups)):
        name = group.name if group else subject
        for query in (
            CellQuery(name, (("level", level),), want),
            CellQuery("", (("level", level), ("", name)), want),
            CellQuery("", (("", name), ("level", level)), want),
            *(CellQuery(name, ((wording, level),), want) for wording in want),  # *Attack bonus 4-6*
        ):
            yield query, name, group


def _is_it(cell: Reading, want: tuple[str, ...], name: str) -> bool:
    """A column that says so; where columns are classes or levels, the table does."""
    column = _words(cell.column)
    of_it = any(same_name(part, name) for part in names_of(cell.column))
    across = of_it or column <= _words(name) or not any(word.isalpha() and word != "level" for word in column)
    told = column | (_words(f"{cell.caption} {cell.chunk.title}") if across else set())
    return any(_words(label) <= told for label in want)


def _words(text: str) -> set[str]:
    """The words of a text, those of its terms too."""
    return set(" ".join(phrase(text)).split())
