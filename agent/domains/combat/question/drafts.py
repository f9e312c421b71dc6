"""A fight as a model drafts it, checked against the question.

A model sometimes gets wrong what the rules read exactly: armor classes change sides. So the rules' values of a
combatant stand, and the model fills the rest; numbers, weapons and armor that the question lacks are rejected.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from pydantic import Field

from agent.domains.combat.question.facts import ABILITIES
from agent.domains.combat.question.said import CombatQuestion
from agent.domains.combat.question.uncounted import with_unused_numbers
from agent.domains.combat.types import Combatant, Duel, combatant_name
from agent.planning.drafts import Draft, Text
from agent.plugins.domain import Drafted, Drafting
from retrieval.text.normal import Words, normal, phrase, title_key

_PLAIN = ("level", "armor_class", "armor", "hit_points", "weapon")


class AbilityDraft(Draft):
    """An ability score of a combatant."""

    name: Text
    score: Text


class CombatantDraft(Draft):
    """One kind of combatant, as far as the question describes it; `side` is 1 or 2 if several fight together."""

    subject: Text
    level: int | None = None
    armor_class: int | None = None
    armor: Text | None = None
    weapon: Text | None = None
    hit_points: int | None = None
    count: int = 1
    weapon_bonus: int = 0
    side: Literal[0, 1, 2] = 0
    abilities: list[AbilityDraft] = Field(default_factory=list, max_length=12)


class FightDraft(Draft):
    """A fight as a step of the model's draft has it."""

    combatants: list[CombatantDraft] = Field(default_factory=list, max_length=12)


FIGHT = Drafting(
    "fight",
    FightDraft,
    """\
- fight: who wins; fill in `combatants` with what the question says, null for what it does not; those who fight together
  have the same `side`, 1 or 2. Fights in `of` are ranked by the chance of their first combatant.""",
)


def drafted_fight(drafted: Drafted) -> tuple[Duel, tuple[str, ...]] | None:
    """Return a draft's fight with notes on its rejected values, or None if it has numbers that the question lacks."""
    draft, read = drafted.draft, drafted.read
    combatants = draft.combatants if isinstance(draft, FightDraft) else []
    if len(combatants) < 2 or not _has_numbers(combatants, drafted.words):
        return None
    fight, notes = _fight(combatants, read if isinstance(read, Duel) else None, drafted.words)
    return with_unused_numbers(fight, CombatQuestion.normalise(drafted.asked, drafted.lexicon)), notes


def _has_numbers(drafts: Sequence[CombatantDraft], words: Words) -> bool:
    """Return True if the question has every number of the drafts."""
    held = set(words.numbers())
    scores = [normal(ability.score) for each in drafts for ability in each.abilities]
    return all(value in held for value in _numbers(drafts) if value is not None) and all(map(words.has, scores))


def _numbers(drafts: Sequence[CombatantDraft]) -> Iterator[float | None]:
    for each in drafts:
        yield from (each.level, each.armor_class, each.hit_points, each.count if each.count != 1 else None)
        yield each.weapon_bonus or None


def _fight(drafts: Sequence[CombatantDraft], read: Duel | None, words: Words) -> tuple[Duel, tuple[str, ...]]:
    """Return the fight of a draft, in which the rules' values of its combatants stand."""
    told = [_matching_combatant(each, drafts, read) for each in drafts]
    whole = [_combatant(each, who, words) for each, who in zip(drafts, told, strict=True)]
    notes = tuple(note for each, who in zip(drafts, whole, strict=True) for note in _changes(each, who))
    besides = (read.left_out, read.asks_loser) if read is not None else ()
    return Duel(tuple(_with_unique_names(whole)), _sides(drafts), *besides), notes


def _matching_combatant(each: CombatantDraft, drafts: Sequence[CombatantDraft], read: Duel | None) -> Combatant | None:
    """Return the combatant that the rules read for this draft: of its level, if there are several of its kind."""
    kind = title_key(each.subject)
    same = [who for who in (read.combatants if read is not None else ()) if title_key(who.subject) == kind]
    twins = [other for other in drafts if title_key(other.subject) == kind]
    if len(same) > 1 or len(twins) > 1:
        same = [who for who in same if who.level == each.level]
        twins = [other for other in twins if other.level == each.level]
    return same[0] if len(same) == len(twins) == 1 else None


def _combatant(each: CombatantDraft, read: Combatant | None, words: Words) -> Combatant:
    """Return the drafted combatant with the rules' values on top; gear that the question lacks is rejected."""
    subject, scores = each.subject.lower(), {normal(ability.name): ability.score for ability in each.abilities}
    weapon, armor = (gear if gear and words.has(phrase(gear)) else None for gear in (each.weapon, each.armor))
    who = Combatant(
        subject,
        subject,
        each.level,
        each.armor_class,
        {ability: scores[ability,] for ability in ABILITIES if (ability,) in scores},
        weapon,
        armor,
        each.hit_points,
        max(1, each.count),
        max(0, each.weapon_bonus) if weapon else 0,
    )
    if read is None:
        return who
    level = who.level if read.level is None else read.level
    return replace(who.with_overrides(read), level=level, count=read.count, left_out=read.left_out)


def _changes(draft: CombatantDraft, taken: Combatant) -> Iterator[str]:
    for name in _PLAIN:
        said, read = getattr(draft, name), getattr(taken, name)
        if said is not None and normal(str(said)) != normal(str(read)):
            what = f"{name.replace('_', ' ')} of the {draft.subject.lower()}"
            yield f"the question says {read or 'nothing'} of the {what}, the language model {said}; the question stands"


def _sides(drafts: Sequence[CombatantDraft]) -> tuple[tuple[int, ...], ...]:
    """Return the combatants of each side, if there are more than two and each has a side."""
    sides = tuple(tuple(place for place, each in enumerate(drafts) if each.side == side) for side in (1, 2))
    return sides if len(drafts) > 2 and all(sides) and sum(map(len, sides)) == len(drafts) else ()


def _with_unique_names(combatants: Sequence[Combatant]) -> Iterator[Combatant]:
    """Yield the combatants with unique names: by level, and twins by armor class or number."""
    names = [combatant_name(who.subject, who.level) for who in combatants]
    for place, (who, name) in enumerate(zip(combatants, names, strict=True), start=1):
        if names.count(name) > 1:
            name = f"{name} ({place})" if who.armor_class is None else f"{name} with armor class {who.armor_class}"
        yield replace(who, name=name, armor=who.armor if who.armor_class is None else None)
