"""Look-ups of what fights are computed from: rolls to hit, attacks a round, hit points of a level, what abilities add.

Most of it stands in cells; what stands in none is worked out here as a fight works it out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.domains.combat.armor import armor_class_of
from agent.domains.combat.attacks import attacks_per_round
from agent.domains.combat.combatant import average_hit_points
from agent.domains.combat.creature import creature_hit_points, creature_roll, hit_dice_of
from agent.domains.combat.odds import hit_probability
from agent.domains.combat.profile import profile
from agent.domains.combat.prose import HIT, ability_bonus
from agent.domains.combat.targets import resolved
from agent.domains.combat.types import Combatant, CombatLookup
from agent.domains.combat.words import ABILITIES, TERMS
from agent.reasoning.case_values import ValueReader
from agent.reasoning.cases import Case
from agent.reasoning.judging import told_in_short
from agent.reasoning.notebook import Fact, Notebook
from agent.reasoning.quantities import lower_is_better
from agent.types import Finding, Reasoned, Step
from agent.understanding.intent import Comparison
from retrieval.tables.measures import canonical
from retrieval.tables.reading import CellQuery
from retrieval.text.normal import phrase

_ATTACKS = frozenset("attack round melee combat per number each rate bonus".split())
_OF_ATTACKS = frozenset({"hit", "attack", "attacking"})
"""What the column of an adjustment to rolls to hit is called; *Defensive Adjustment* is another."""
_PERMITTED = {"wear": "armor", "wield": "weapons"}
_AVERAGES = frozenset({"average", "mean", "expected", "typical"})
_MEASURES = frozenset({*TERMS, *ABILITIES, "level"})


def is_of_combat(comparison: Comparison) -> bool:
    """Return whether a look-up asks for a measure of fights, or by one."""
    words = set(phrase(comparison.attribute))
    measured = words & (_MEASURES - {"level"}) or words & {"attack", *_PERMITTED} or asks_to_hit(comparison.attribute)
    return bool(measured) or not {name for name, _ in comparison.keys}.isdisjoint(ABILITIES)


def asks_to_hit(attribute: str) -> bool:
    """True where what is asked is a roll to hit."""
    return bool({"hit", "roll"} & set(phrase(attribute)))


class CombatValues(ValueReader):
    """Reads the values of such look-ups."""

    measures = _MEASURES
    permitted = _PERMITTED

    def resolved(self, comparison: Comparison, notebook: Notebook, steps: list[Step]) -> Comparison:
        """The look-up with the target's armor class or size, or what is worn, looked up first."""
        return resolved(comparison, notebook, steps) if isinstance(comparison, CombatLookup) else comparison

    def answered(self, comparison: Comparison, notebook: Notebook) -> Reasoned | None:
        """The armor class that armor gives, where nothing else is named."""
        worn = comparison.worn if isinstance(comparison, CombatLookup) else None
        return _worn(comparison, worn, notebook) if worn and comparison.entities == (worn,) else None

    def worked_out(
        self, cases: Sequence[Case], comparison: Comparison, notebook: Notebook, steps: list[Step]
    ) -> Sequence[Fact | None] | None:
        """Hit points that stand in no cell: those of a class are its hit dice at a level, its die and its constitution,
        those of a creature what its hit dice roll.
        """
        words = set(phrase(comparison.attribute)) - _AVERAGES
        if words != {"hit points"}:
            return None
        if "level" in dict(comparison.keys):
            return [_hit_points(case, notebook, steps) for case in cases]
        stated = [notebook.peek(CellQuery(case.entity, (), ("hit points",))) for case in cases]
        told = [creature_hit_points(case.entity, notebook) for case in cases] if not any(stated) else []
        if comparison.keys or not told or None in told:
            return None
        steps += [step for each in told if each for step in each[1]]
        return [each[0] for each in told if each]

    def value(self, case: Case, comparison: Comparison, notebook: Notebook, steps: list[Step]) -> Fact | None:
        """The value of one case; nothing while somebody's armor class is still looked for."""
        to_hit, keys = asks_to_hit(case.attribute), dict(case.keys)
        if isinstance(comparison, CombatLookup) and comparison.target is not None:
            if to_hit and "level" not in keys:
                hit_dice_of(case.entity, notebook)
            return None
        if _asks_attacks(case):
            return _attacks(case, notebook)
        if to_hit and "level" not in keys and "armor class" in keys:
            fact = _creature_roll(case, notebook, steps)
        else:
            fact = super().value(case, comparison, notebook, steps)
        if fact is not None and to_hit and "armor class" in keys and _asks_chance(case.attribute):
            return _as_chance(case, fact, steps)
        return fact

    def read(self, case: Case, want: tuple[str, ...], notebook: Notebook, steps: list[Step]) -> Fact | None:
        """The cell of a case. An ability score adjusts a roll, and does not select its row."""
        fact = super().read(case, want, notebook, steps)
        scores = tuple(key for key in case.keys if key[0] in ABILITIES)
        others = tuple(key for key in case.keys if key[0] not in ABILITIES)
        if fact is not None or not scores:
            return fact
        if not others:
            return notebook.read(CellQuery("", scores, want))  # the table of an ability is everybody's
        fact = notebook.read(CellQuery(case.entity, others, want))
        if fact is not None and lower_is_better(case.attribute):
            steps += _adjustments(scores, notebook)
        return fact

    def wordings(self, attribute: str, question: str = "") -> tuple[str, ...]:
        """The wordings of what is asked, with those of matrices for a roll."""
        return (attribute, *profile().roll_to_hit) if asks_to_hit(attribute) else super().wordings(attribute, question)

    def tells_changes(self, case: Case) -> bool:
        """Of an ability, a bonus is what is asked."""
        return case.entity in ABILITIES or super().tells_changes(case)


def _worn(comparison: Comparison, worn: str, notebook: Notebook) -> Reasoned:
    """The armor class that armor gives."""
    found = armor_class_of(worn, dict(comparison.keys).get("dexterity"), notebook)
    value = found.armor_class if found else None
    steps = (Step(found.text, found.armor_class, found.cites),) if found else ()
    values = [{"name": worn, "value": None if value is None else str(value), "number": value}]
    data = {"attribute": comparison.attribute, "values": values, "better": None, "difference": None}
    claim = f"{found.text}." if found else f"Not found: the armor class of {worn}."
    return notebook.reasoned(Finding("compare", claim, steps, data, None if value is None else str(value)))


def _hit_points(case: Case, notebook: Notebook, steps: list[Step]) -> Fact | None:
    keys = dict(case.keys)
    scores = {ability: keys[ability] for ability in ABILITIES if ability in keys}
    who = Combatant(case.name, case.entity, int(float(keys["level"])), abilities=scores)
    found = average_hit_points(who, notebook)
    if found is None:
        return None
    average, cites, text = found
    steps.append(Step(text, average, cites))
    return Fact(f"{average:g}", cites[0])


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


def _creature_roll(case: Case, notebook: Notebook, steps: list[Step]) -> Fact | None:
    """What a creature needs to hit an armor class: by its hit dice."""
    found = creature_roll(case.entity, int(float(dict(case.keys)["armor class"])), notebook)
    if found is None:
        return None
    fact, notes = found
    steps += notes
    return fact
