"""The roll that a side needs to hit, from the first of several sources that the book has.

The sources are a matrix of rolls by armor class, a skill that is rolled under, THAC0 (the roll that hits armor class
0), and an attack bonus, which is added to the die and must reach the armor class. Each applies to the class itself, to
a group of classes, or to all creatures of so many hit dice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from agent.domains.combat.rulebook.armor import armor_class_direction, need_direction
from agent.domains.combat.rulebook.groups import Group, groups_by_first_word, groups_of, names_of
from agent.domains.combat.rulebook.profile import Rulebook
from agent.domains.combat.rulebook.sayings import rule_pattern, rule_sentences
from agent.domains.combat.types import Side
from agent.reasoning.notebook import Fact
from retrieval.tables.names import same_name
from retrieval.tables.reading import CellQuery, Reading
from retrieval.text.normal import phrase
from retrieval.text.spelling import fold

_ARMOR_CLASS = ("armor class", "armor")
"""Names of the axis of armor classes, and of a creature's own armor class."""
_SIDES = 20
_WHOLE = re.compile(r"-?\d+")
_SIGNED = re.compile(r"\s*([+-]?\s*\d+)(?!\s*[d/\d])")
_USUAL = frozenset({"ac", "armor class", "armour class", "attack bonus"})
"""Labels that every question for a roll has already."""
_ALTERNATIVE_PURPOSE = "attack bonus"
"""The purpose of needs that stand in for a matrix; if they fail too, only the roll is reported as missing."""


def read_to_hit(side: Side, opponent: Side, notebook: Rulebook) -> None:
    """Read the roll that the side needs against the opponent's armor class; note needs for what is missing."""
    target = opponent.armor_class
    if target is None:
        return
    if side.attack_bonus is not None:
        side.to_hit = target - side.attack_bonus
        told_by = f"armor class {target} less its bonus of {side.attack_bonus:+d}"
        side.note(f"{side.label} needs {side.to_hit} to hit: {told_by}", side.to_hit)
        return
    sources: tuple[Callable[[Side, int, Rulebook], int | None], ...] = (_by_matrix, _by_skill, _by_thac0, _by_bonus)
    side.to_hit = next((roll for source in sources if (roll := source(side, target, notebook)) is not None), None)
    if side.to_hit is None:
        _need_matrix(side, str(target), notebook)
        _need_others(side, notebook)


@dataclass(frozen=True, slots=True)
class _AttackTableKey:
    """A name and key under which a table may list a side, with the reason if they are not the side's own."""

    name: str
    key: tuple[str, str]
    group: Group | None = None
    level: Fact | None = None
    assumed: str = ""

    def note(self, side: Side, notebook: Rulebook) -> None:
        """Add the reason to the side's working."""
        if self.group is not None:
            text = f"{side.label} fights as one of the {fold(self.group.name)}"
            side.note(text, None, self.group.cited(notebook))
        if self.level is not None:
            text = f"{side.label} attacks as a fighter of level {self.level.text}"
            side.note(text, int(self.level.text), self.level)
        if self.assumed:
            side.assumptions.append(self.assumed)


def _strikers(side: Side, notebook: Rulebook) -> Iterator[Sequence[_AttackTableKey]]:
    """Yield the strikers of a side in tiers, the surest first; those of one tier are equally sure."""
    if not side.is_creature:
        key = "level", str(side.combatant.level)
        yield [_AttackTableKey(side.combatant.subject, key)]
        groups = groups_of(side.combatant.subject, notebook)
        for tier in (groups, groups_by_first_word(groups)):
            yield [_AttackTableKey(group.name, key, group) for group in tier]
    elif side.hit_dice is not None:
        dice, *whole = _bands(side.hit_dice)
        for axis in ("hit dice", "monster hit dice"):
            yield [_AttackTableKey("monster", (axis, dice))]
        for band in whole:
            why = f"{dice} hit dice strike as {band}, as no band holds {dice}"
            yield [_AttackTableKey("monster", ("hit dice", band), assumed=why)]
        if level := _equivalent_level(dice, notebook):
            yield [_AttackTableKey("fighter", ("level", level.text), level=level)]


def _bands(hit_dice: float) -> list[str]:
    """Return hit dice as books write them, then without the addition: *4+1* and *4*."""
    whole = int(hit_dice)
    pips = round((hit_dice - whole) * 100)
    if pips > 50:
        return [f"{whole + 1}-{100 - pips}"]
    return [f"{whole}+{pips}", str(whole)] if pips else [str(whole)]


def _equivalent_level(hit_dice: str, notebook: Rulebook) -> Fact | None:
    """Return the fighter level that these hit dice attack as, if the book has one; a count of attacks is no level."""
    query = CellQuery("", (("hit dice", hit_dice),), notebook.labels["equivalent_level"])
    cell = notebook.peek(query)
    return notebook.read(query) if cell and cell.text.isdigit() and "level" in phrase(cell.column) else None


def _by_matrix(side: Side, target: int, notebook: Rulebook) -> int | None:
    """Read the matrix of the attacker at the *opponent's* armor class."""
    for tier in _strikers(side, notebook):
        found = [(one, cell) for one in tier if (cell := _matrix_cell(one, str(target), notebook))]
        if len({cell.text for _, cell in found}) > 1:
            return None  # the members of a list need not fight alike
        if found:
            striker, cell = found[0]
            striker.note(side, notebook)
            return _needs(side, int(_WHOLE.findall(cell.text)[0]), f" armor class {target}", notebook.fact(cell))
    return None


def _matrix_cell(striker: _AttackTableKey, target: str, notebook: Rulebook) -> Reading | None:
    """Return the matrix cell of a striker, in its own table or one shared by several, against an armor class."""
    tables = (table for chunk in notebook.chunks for table in chunk.tables if table.columns)
    is_short = any(phrase(" ".join(table.columns[0])) == _ARMOR_CLASS[1:] for table in tables)
    for axis in _ARMOR_CLASS[: 1 + is_short]:
        own = CellQuery(striker.name, (striker.key, (axis, target)), notebook.labels["roll_to_hit"])
        of_many = CellQuery("", ((striker.name, striker.key[1]), (axis, target)), notebook.labels["roll_to_hit"])
        cell = notebook.peek(own) or notebook.peek(of_many)
        if cell is not None and _is_roll(cell) and _WHOLE.search(cell.text):
            return cell
    return None


def _is_roll(cell: Reading) -> bool:
    """Return False for a cell in a row with an armor class and hit dice: it is a creature's own value."""
    heads = [set(phrase(" ".join(path))) for path in cell.table.columns]
    listed = any(head & set(_ARMOR_CLASS) for head in heads) and any("hit dice" in head for head in heads)
    one_each = any({name} in heads for name in _ARMOR_CLASS) and {"hit dice"} in heads
    return not (listed and one_each) or bool({"hit", "roll"} & set(phrase(cell.column)))


def _needs(side: Side, roll: int, why: str, *facts: Fact | None) -> int:
    """Note a roll as a line of working and return it."""
    side.note(f"{side.label} needs {roll} to hit{why}", roll, *facts)
    return roll


def _by_skill(side: Side, target: int, notebook: Rulebook) -> int | None:
    """Read a d20 rolled under a skill, as the equally likely roll that must be reached.

    The target's armor class is subtracted from the skill if the sentence with the rule says so.
    """
    skill = _number_for_side(side, notebook.labels["roll_under"], notebook)
    if skill is None:
        return None
    value, fact = skill
    label = " ".join(phrase(fact.cell.column)) if fact.cell else ""
    for each in rule_sentences("of_name", notebook, label):
        if "1d20" not in each.normalised or not rule_pattern("or_less").search(each.normalised):
            continue
        names_armor = any(term in phrase(each.text) for term in notebook.labels["defense"])
        lessened = names_armor and rule_pattern("lessened").search(each.normalised) is not None
        highest = value - target if lessened else value
        what = f"its {label} of {value}{f' less armor class {target}' if lessened else ''}"
        roll = _SIDES + 1 - highest
        text = f"{side.label} hits on {highest} or less, {what}: as likely as {roll} or more"
        side.note(text, roll, fact, each.fact(each.text, notebook))
        return roll
    text = f"roll d20 equal to or less than {label} to hit"
    notebook.need(f"how a roll against {label} hits", text, purpose="to hit")
    return None


def _by_thac0(side: Side, target: int, notebook: Rulebook) -> int | None:
    """Subtract the armor class from THAC0, unless a higher armor class is better."""
    thac0 = _number_for_side(side, notebook.labels["thac0"], notebook) or _by_another_name(side, notebook)
    up = armor_class_direction(notebook) if thac0 else None
    if thac0 is None or (up and up[0]):
        return None
    return _needs(side, thac0[0] - target, f": THAC0 {thac0[0]} less armor class {target}", thac0[1])


def _by_bonus(side: Side, target: int, notebook: Rulebook) -> int | None:
    """Subtract the attack bonus from the armor class, if the book shows that a higher armor class is better."""
    bonus = _number_for_side(side, notebook.labels["attack_bonus"], notebook)
    up = armor_class_direction(notebook) if bonus else None
    if bonus is None or up is None or not up[0]:
        return None
    why = f": armor class {target} less an attack bonus of {bonus[0]:+d}"
    return _needs(side, target - bonus[0], why, bonus[1], Fact(up[2], notebook.cite(up[1], up[2])))


def _number_for_side(side: Side, want: tuple[str, ...], notebook: Rulebook) -> tuple[int, Fact] | None:
    """Return the number under this label: from the side's own record, else by level or hit dice."""
    for number, cell, striker in _numbers(side, want, notebook):
        if striker is not None:
            striker.note(side, notebook)
        return number, notebook.fact(cell)
    return None


def _numbers(
    side: Side, want: tuple[str, ...], notebook: Rulebook
) -> Iterator[tuple[int, Reading, _AttackTableKey | None]]:
    subject = side.combatant.subject
    own = notebook.peek(CellQuery(subject, (), want)) if side.is_creature else None
    if own and (number := _number_of(own, want, subject)) is not None:
        yield number, own, None
    for striker in chain.from_iterable(_strikers(side, notebook)):
        for cell in filter(None, map(notebook.peek, _queries(striker, want))):
            if (number := _number_of(cell, want, striker.name)) is not None:
                yield number, cell, striker


def _queries(striker: _AttackTableKey, want: tuple[str, ...]) -> Iterator[CellQuery]:
    """Yield the queries for a label: by class and level, or under a header that names the levels."""
    name, key = striker.name, striker.key
    yield CellQuery(name, (key,), want)
    yield CellQuery("", (key, ("", name)), want)
    yield CellQuery("", (("", name), key), want)
    yield from (CellQuery(name, ((wording, key[1]),), want) for wording in want)  # *Attack bonus 4-6*


def _number_of(cell: Reading, want: tuple[str, ...], name: str) -> int | None:
    """Return a cell's number if its column names the label, or its table does and the columns are classes or levels."""
    column = _words(cell.column)
    of_it = any(same_name(part, name) for part in names_of(cell.column))
    across = of_it or column <= _words(name) or not any(word.isalpha() and word != "level" for word in column)
    said = column | (_words(f"{cell.caption} {cell.chunk.title}") if across else set())
    number = _SIGNED.match(re.sub("[−–]", "-", cell.text))
    is_it = any(_words(label) <= said for label in want)
    return int(number[1].replace(" ", "")) if number and is_it else None


def _words(text: str) -> set[str]:
    """Return the words of a text, with terms split into their words."""
    return set(" ".join(phrase(text)).split())


def _by_another_name(side: Side, notebook: Rulebook) -> tuple[int, Fact] | None:
    """Return THAC0 under the book's own name (*is the roll that hits armor class 0*): a creature's, or by level."""
    subject, level = side.combatant.subject, side.combatant.level or 0
    for name in [each.match[1] for each in rule_sentences("thac0", notebook)]:
        own = CellQuery(subject, (), (name,)), CellQuery("", (("", name), ("", subject)))
        cell = next(filter(None, map(notebook.peek, own)), None) if side.is_creature else None
        if cell and cell.text.isdigit() and phrase(name) in (phrase(cell.column), phrase(cell.row)):
            return int(cell.text), notebook.fact(cell)
        for each in rule_sentences("thac0_by_level", notebook, name) if level else ():
            if set(phrase(subject)) <= set(each.normalised.split()):
                base, less, step = (int(each.match[part] or 0) for part in ("base", "less", "each"))
                roll = base - less * (level // (step or 1))
                return roll, each.fact(str(roll), notebook)
    return None


def _need_matrix(side: Side, target: str, notebook: Rulebook) -> None:
    """Note needs for a matrix of the class, of its groups, or of creatures by hit dice."""
    if not side.is_creature:
        _need_of_class(side, target, notebook)
        return
    if side.hit_dice is None:
        if side.damage:
            text = f"{side.combatant.subject} roll needed to hit opponent armor class {target}"
            notebook.need(
                f"the roll the {side.combatant.subject} needs to hit armor class {target}", text, purpose="to hit"
            )
        return
    bands = _bands(side.hit_dice)
    level = _equivalent_level(bands[0], notebook)
    if level is None:
        dice = " or ".join(f"hit dice {each}" for each in bands)
        text = f"monster attack rolls table or matrix: {dice} to hit opponent armor class {target}"
        notebook.need(f"how a creature of {bands[0]} hit dice attacks", text, purpose="to hit")
        text = "monster hit dice equivalent level attack table"
        notebook.need(f"the attack level of {bands[0]} hit dice", text, purpose="attack level")
    else:
        text = f"level {level.text} fighter roll needed to hit opponent armor class {target}"
        need = f"the roll a creature of {bands[0]} hit dice needs to hit armor class {target}"
        notebook.need(need, text, purpose="to hit")


def _need_of_class(side: Side, target: str, notebook: Rulebook) -> None:
    """Note needs for the class and its known groups; ask for its group only on a later round: most books have none."""
    subject, level = side.combatant.subject, side.combatant.level
    need = f"the roll a level {level} {subject} needs to hit armor class {target}"
    text = f"level {level} {{}} roll needed to hit opponent armor class {target}"
    groups = groups_of(subject, notebook)
    for group in (*groups, *groups_by_first_word(groups)):
        notebook.need(need, text.format(group.name), purpose="class group")
    notebook.need(need, text.format(subject), purpose="to hit")
    if notebook.chunks:
        text = f"which group of classes the {subject} belongs to and fights with"
        notebook.need(f"the group of the {subject}", text, purpose="class group")


def _need_others(side: Side, notebook: Rulebook) -> None:
    """Note needs for a bonus or THAC0, only on a later round: most books have a matrix."""
    if not notebook.chunks:
        return
    subject, level, labels = side.combatant.subject, side.combatant.level, notebook.labels
    if level is not None and not any(any(_numbers(side, labels[name], notebook)) for name in ("attack_bonus", "thac0")):
        text = f"attack bonus by level THAC0 table {subject} level {level}"
        notebook.need(f"the attack bonus of a level {level} {subject}", text, purpose=_ALTERNATIVE_PURPOSE)
    text = "attack roll d20 plus attack bonus equal or exceed armor class, higher armor class is better"
    own = _own_labels(subject, notebook)
    notebook.need("how an attack roll hits an armor class", f"{text}{own}", purpose=_ALTERNATIVE_PURPOSE)
    need_direction(notebook, _ALTERNATIVE_PURPOSE)


def _own_labels(subject: str, notebook: Rulebook) -> str:
    """Return the book's own labels for armor class and attack bonus, if it has any: *, guard, strike*."""
    wanted = (notebook.labels["defense"], notebook.labels["attack_bonus"])
    cells = [cell for want in wanted if (cell := notebook.peek(CellQuery(subject, (), want)))]
    labels = [cell.column.lower() for cell in cells if cell.column.lower() not in _USUAL]
    return "".join(f", {label}" for label in labels)
