"""The value of one case: the cell that its entity, its keys and its attribute find, and none that tells something else.

What stands in no cell of its own is worked out here as well: what a creature needs to hit, how often a class attacks,
the chance that a roll gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.domains.combat.attacks import attacks_per_round
from agent.domains.combat.creature import creature_roll, hit_dice_of
from agent.domains.combat.odds import hit_probability
from agent.domains.combat.prose import HIT, ability_bonus
from agent.reasoners.cases import Case
from agent.reasoners.facts import Fact, Notebook
from agent.reasoners.judging import told_in_short
from agent.reasoners.labels import beginning
from agent.reasoners.quantities import lower_is_better
from agent.reasoners.vetoes import counts_another
from agent.types import Comparison, Step
from retrieval.lookup import CellQuery
from retrieval.lookup_words import canonical
from retrieval.spans import read_label
from retrieval.text import ABILITIES, phrase, query_words
from retrieval.types import Chunk

_ATTACKS = frozenset("attack round melee combat per number each rate bonus".split())
_TO_HIT = ("roll to hit", "to hit", "attack matrix")
_OF_ATTACKS = frozenset({"hit", "attack", "attacking"})
"""What the column of an adjustment to rolls to hit is called; *Defensive Adjustment* is another."""
_CHANGES = frozenset({"bonus", "penalty", "adjustment", "modifier"})
"""Heads of what is added to a measure; they do not tell the measure itself."""
_PERMITTED = {"wear": "armor", "wield": "weapons"}
"""What is permitted to those who may *wear* a thing."""
_MAY = frozenset({"may", "can", "allowed", "permitted"})
Valued = tuple[Case, Fact | None]


def valued(case: Case, comparison: Comparison, notebook: Notebook, steps: list[Step]) -> Iterator[Valued]:
    """The case's value; where its attribute is a list and no one column covers it, the value of each part."""
    whole = _value(case, comparison, notebook, steps)
    if len(comparison.parts) < 2 or (whole is not None and _covers(whole, comparison.parts)):
        yield case, whole
        return
    first, *_ = comparison.parts
    shared = " ".join(first.split()[:-1])
    parts = []
    for part in comparison.parts:
        worded = dict.fromkeys((f"{shared} {part}".strip() if part != first else part, part))
        facts = (_value(replace(case, attribute=words), comparison, notebook, steps) for words in worded)
        parts.append((replace(case, attribute=part), next((fact for fact in facts if fact is not None), None)))
    columns = {(fact.cell.chunk.id, fact.cell.row, fact.cell.column) for _, fact in parts if fact and fact.cell}
    if len(columns) < 2:
        yield case, whole
    else:
        yield from parts


def _covers(fact: Fact, parts: Sequence[str]) -> bool:
    """True when one cell's head has something of every part: *death, paralysis and poison* is one column."""
    if fact.cell is None:
        return True
    head = {beginning(word) for word in phrase(f"{fact.cell.column} {fact.cell.row}")}
    words = [phrase(part) for part in parts]
    letters = all(word in head for part in words for word in part if len(word) == 1)
    return letters and all(any(beginning(word) in head for word in part) for part in words)


def _value(case: Case, comparison: Comparison, notebook: Notebook, steps: list[Step]) -> Fact | None:
    to_hit, keys = asks_to_hit(case.attribute), dict(case.keys)
    if comparison.target is not None:
        if to_hit and "level" not in keys:
            hit_dice_of(case.entity, notebook)
        return None
    if _asks_attacks(case):
        return _attacks(case, notebook)
    if to_hit and "level" not in keys and "armor class" in keys:
        fact = _creature_roll(case, notebook, steps)
    else:
        fact = _read(case, wordings(case.attribute, comparison.question), notebook, steps)
        cell = fact.cell if fact is not None else None
        if fact and (_is_any_row(fact, case) or (cell is not None and counts_another(comparison.question, cell))):
            fact = None  # it tells something else than what was asked
    if fact is not None and to_hit and "armor class" in keys and _asks_chance(case.attribute):
        return _as_chance(case, fact, steps)
    return fact


def _read(case: Case, want: tuple[str, ...], notebook: Notebook, steps: list[Step]) -> Fact | None:
    scores = tuple(key for key in case.keys if key[0] in ABILITIES)
    others = tuple(key for key in case.keys if key[0] not in ABILITIES)
    fact = notebook.read(CellQuery(case.entity, case.keys, want))
    if fact is None and case.keys:
        fact = notebook.read(CellQuery("", case.keys, want), among=telling_of(case.entity, notebook.chunks))
    if fact is None and scores and others:
        # An ability score adjusts a roll; it does not select the row.
        fact = notebook.read(CellQuery(case.entity, others, want))
        if fact is not None and lower_is_better(case.attribute):
            steps += _adjustments(scores, notebook)
    if fact is None and scores and not others:
        # The table of an ability is everybody's.
        fact = notebook.read(CellQuery("", scores, want))
    return fact


def _adjustments(scores: Sequence[tuple[str, str]], notebook: Notebook) -> Iterator[Step]:
    """What the scores of abilities change in a roll; the number that it has to reach is told without them."""
    for ability, score in scores:
        fact = ability_bonus(ability, score, HIT, notebook)
        if fact is None or (fact.cell is not None and not _OF_ATTACKS & set(phrase(fact.cell.column))):
            yield Step(f"not counted in: what {ability} {score} adds to the roll")
        elif fact.text == "0":
            yield Step(f"{ability} {score} adds nothing to the roll", 0, (fact.cite,))
        else:
            yield Step(f"not counted in: what {ability} {score} adds to the roll, {fact.text}", fact.text, (fact.cite,))


def telling_of(entity: str, chunks: Sequence[Chunk]) -> list[Chunk]:
    """The chunks whose prose names the entity where their titles do not: *what a cutpurse can do*."""
    wanted = phrase(entity)
    return [chunk for chunk in chunks if chunk.tables and wanted and query_words(_prose(chunk)).has(wanted)]


def _prose(chunk: Chunk) -> str:
    cells = {cell for table in chunk.tables for row in table.rows for cell in row}
    lines = [line for line in chunk.text.split("\n") if not any(cell and cell in line for cell in cells)]
    return "\n".join(lines)[:2000]


def asks_to_hit(attribute: str) -> bool:
    """True where what is asked is a roll to hit."""
    return bool({"hit", "roll"} & set(phrase(attribute)))


def wordings(attribute: str, question: str = "") -> tuple[str, ...]:
    """The wordings of what is asked; *what weapons a druid may use* are the *weapons permitted*."""
    if asks_to_hit(attribute):
        return (attribute, *_TO_HIT)
    if attribute in ("length", "last"):  # *how long does it last*
        return (attribute, "duration", "time")
    *words, last = attribute.split() or [""]
    verb = next((word for word in (*words, last) if word in _PERMITTED), "")
    what = _PERMITTED[verb] if verb else " ".join(words)
    return (attribute, f"{what} permitted") if what and _MAY & set(phrase(question)) else (attribute,)


def _asks_chance(attribute: str) -> bool:
    return "chance" in map(canonical, phrase(attribute))


def _as_chance(case: Case, roll: Fact, steps: list[Step]) -> Fact | None:
    """The chance of a roll on a d20, by the rule that fights are fought by; None where the roll is no number."""
    if not roll.text.lstrip("-").isdigit():
        return None
    chance = f"{hit_probability(int(roll.text)):.0%}"
    steps.append(Step(told_in_short(case, roll), roll.text, (roll.cite,)))
    steps.append(Step(f"{roll.text} or more on a d20: (21 - {roll.text}) / 20 is {chance}", chance))
    return Fact(chance, roll.cite)


def _asks_attacks(case: Case) -> bool:
    words = set(phrase(case.attribute))
    return "attack" in words and words <= _ATTACKS and dict(case.keys).get("level", "").isdigit()


def _attacks(case: Case, notebook: Notebook) -> Fact | None:
    """How often a class attacks at a level stands in a table, or in a sentence about its levels."""
    found = attacks_per_round(case.entity, int(dict(case.keys)["level"]), notebook)
    return None if found is None else Fact(str(found[0]), found[1].cite)


def _is_any_row(fact: Fact, case: Case) -> bool:
    """True for a cell that only tells a change, or that no key chose in a table whose rows are levels or bands."""
    cell = fact.cell
    if cell is None:
        return False
    of_ability = case.entity in ABILITIES or not case.entity
    if set(phrase(cell.column)) & _CHANGES and not set(phrase(case.attribute)) & _CHANGES and not of_ability:
        return True
    if case.keys or cell.table.is_record:
        return False
    rows = [row for row in cell.table.rows if cell.row.endswith(row[0])]
    named = set(phrase(case.entity)) & set(phrase(cell.row))
    return not named and any(read_label(row[0]).span is not None for row in rows)


def _creature_roll(case: Case, notebook: Notebook, steps: list[Step]) -> Fact | None:
    """What a creature needs to hit an armor class: by its hit dice."""
    found = creature_roll(case.entity, int(float(dict(case.keys)["armor class"])), notebook)
    if found is None:
        return None
    fact, notes = found
    steps += notes
    return fact
