"""Facts that a look-up leaves to be looked up first: a target's armor class, its size, the class that armor gives."""

from __future__ import annotations

from dataclasses import replace

from agent.domains.combat.armor import armor_class_of
from agent.domains.combat.profile import profile
from agent.domains.combat.types import CombatLookup
from agent.reasoning.notebook import Fact, Notebook
from agent.types import Step
from retrieval.tables.reading import CellQuery
from retrieval.text.normal import phrase

_LARGE = frozenset({"large", "l", "huge", "gigantic", "giant"})
_SMALLER = frozenset({"small", "medium", "man", "s", "m", "tiny", "human"})
_SIZED = {True: "damage vs large", False: "damage vs small or medium"}


def resolved(comparison: CombatLookup, notebook: Notebook, steps: list[Step]) -> CombatLookup:
    """The comparison with what had to be looked up first made a key or an attribute; `target` stays where it failed."""
    if comparison.worn is not None and comparison.entities != (comparison.worn,):
        return _with_worn(comparison, comparison.worn, notebook, steps)
    if comparison.target is None:
        return comparison
    if "damage" in phrase(comparison.attribute):
        return _with_size(comparison, comparison.target, notebook, steps)
    return _with_armor_class(comparison, comparison.target, notebook, steps)


def _with_worn(comparison: CombatLookup, worn: str, notebook: Notebook, steps: list[Step]) -> CombatLookup:
    found = armor_class_of(worn, dict(comparison.keys).get("dexterity"), notebook)
    if found is None:
        return replace(comparison, target=worn)
    steps.append(Step(found.text, found.armor_class, found.cites))
    keys = tuple(key for key in comparison.keys if key[0] != "dexterity")
    return replace(comparison, keys=(*keys, ("armor class", str(found.armor_class))), worn=None)


def _with_armor_class(comparison: CombatLookup, target: str, notebook: Notebook, steps: list[Step]) -> CombatLookup:
    found = notebook.read_whole(CellQuery(target, (), profile().defense))
    if found is None:
        notebook.need(
            f"the armor class of the {target}",
            f"{target} armor class hit dice",
            purpose="armor class",
            entities=(target,),
        )
        return comparison
    armor_class, fact = found
    steps.append(Step(f"{target} has armor class {armor_class}", armor_class, (fact.cite,)))
    return replace(comparison, keys=(*comparison.keys, ("armor class", str(armor_class))), target=None)


def _with_size(comparison: CombatLookup, target: str, notebook: Notebook, steps: list[Step]) -> CombatLookup:
    """The damage column that a creature's size chooses; where the book has but one, no size is needed."""
    if comparison.entities and all(_columns_of_damage(name, notebook) == 1 for name in comparison.entities):
        return replace(comparison, target=None)
    large = is_large(target, notebook)
    if large is None:
        notebook.need(f"the size of the {target}", f"{target} size", purpose="size", entities=(target,))
        return comparison
    is_big, fact = large
    steps.append(Step(f"{target} is of size {fact.text}", fact.text, (fact.cite,)))
    return replace(comparison, attribute=_SIZED[is_big], target=None)


def _columns_of_damage(weapon: str, notebook: Notebook) -> int:
    """How many kinds of damage the weapon's table tells apart; 0 when there is no such table."""
    fact = notebook.peek(CellQuery(weapon, (), ("damage",)))
    return sum("damage" in phrase(" ".join(path)) for path in fact.table.columns) if fact else 0


def is_large(creature: str, notebook: Notebook) -> tuple[bool, Fact] | None:
    """Whether a creature is larger than a man by its stat block; None when that does not say."""
    fact = notebook.read(CellQuery(creature, (), profile().size))
    first = next((word for word in phrase(fact.text) if word in _LARGE | _SMALLER), None) if fact else None
    return (first in _LARGE, fact) if fact is not None and first is not None else None
