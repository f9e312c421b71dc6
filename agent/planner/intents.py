"""What a model takes a question for, held against the question: what it says of numbers and names has to stand there.

A model understands wordings that the rules don't, and gets what they read exactly wrong at times: armor classes change
sides, a fighter stands in for a cleric. So what the rules read of a combatant stands, and the model fills the rest;
numbers that the question does not have of what they are said of, and weapons and names that it lacks, are not taken.
Whatever was not taken is told in a note.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.domains.combat.words import ABILITIES
from agent.planner.drafts import AbilityDraft, CombatantDraft, KeyDraft, PlanDraft
from agent.planner.rules import ByRules
from agent.types import Combatant, Comparison, Duel, Intent
from retrieval.ingest.rules import ordinal
from retrieval.text import Words, is_number, normal, number, phrase, title_key

_BY_RULES = "the question is taken as the rules read it: the language model's reading has what the question does not"
_PLAIN = ("level", "armor_class", "armor", "hit_points", "weapon")


def intended(draft: PlanDraft, by_rules: ByRules, before: str = "") -> tuple[Intent, tuple[str, ...]]:
    """Return what the question is, with notes on what of the draft was not taken.

    The question may take numbers and names from the one `before` it. One that the draft calls open is open, but for a
    fight that the rules see: its odds are computed.
    """
    asked = by_rules.understood or by_rules.question
    if draft.kind == "open" and by_rules.fight is None:
        return Comparison((), asked, question="" if by_rules.is_long else asked), ()
    words = Words(by_rules.with_before(before))
    if draft.kind == "fight" and len(draft.combatants) > 1 and _has_numbers(draft.combatants, words):
        fight, notes = _duel(draft.combatants, by_rules.fight, words)
        return by_rules.counted(fight), notes
    if draft.kind == "compare" and draft.entities and draft.attribute:
        keys = tuple((" ".join(normal(key.name)), key.value) for key in draft.keys if key.name and key.value)
        entities = tuple(dict.fromkeys(filter(None, draft.entities)))
        if all(_is_said(key, words) for key in draft.keys) and _are_meant(entities, words, by_rules):
            return Comparison(entities, draft.attribute, keys), ()
    return by_rules.plan.intent, () if draft.kind == "open" else (_BY_RULES,)


def _is_said(key: KeyDraft, words: Words) -> bool:
    """True for a value whose numbers the question has, of the same name where it has numbers of that."""
    known = words.numbers_of(phrase(key.name)) or words.numbers()
    return all(number(token) in known for token in normal(key.value) if is_number(token))


def _are_meant(entities: Sequence[str], words: Words, by_rules: ByRules) -> bool:
    """False where a name that the question lacks stands in the place of one that it has: a *fighter* for *the cleric*.

    A *mage* may well be the book's *magic-user*: then the rules know nothing of a mage.
    """
    if all(words.has(phrase(name)) for name in entities):
        return True
    read = by_rules.plan.intent
    missed = {title_key(name) for name in read.entities} if isinstance(read, Comparison) else set()
    return missed <= {title_key(name) for name in entities}


def _has_numbers(drafts: Sequence[CombatantDraft], words: Words) -> bool:
    """True where all numbers of a fight are the question's."""
    held = set(words.numbers())
    scores = [normal(ability.score) for each in drafts for ability in each.abilities]
    return all(value in held for value in _numbers(drafts) if value is not None) and all(map(words.has, scores))


def _numbers(drafts: Sequence[CombatantDraft]) -> Iterator[float | None]:
    for each in drafts:
        yield from (each.level, each.armor_class, each.hit_points, each.count if each.count != 1 else None)
        yield each.weapon_bonus or None


def _duel(drafts: Sequence[CombatantDraft], read: Duel | None, words: Words) -> tuple[Duel, tuple[str, ...]]:
    """The fight of a draft; what the rules read of its combatants stands."""
    told = [_told(each, drafts, read) for each in drafts]
    pairs = list(zip(drafts, told, strict=True))
    whole = [_armed(each, words) if who is None else _as_read(each, who, words) for each, who in pairs]
    left_out = [who.left_out if who is not None else () for who in told]
    combatants = tuple(replace(who, left_out=left) for who, left in zip(_combatants(whole), left_out, strict=True))
    notes = tuple(note for one, other in zip(drafts, whole, strict=True) for note in _changes(one, other))
    return Duel(combatants, _sides(whole), *((read.left_out, read.asks_loser) if read is not None else ())), notes


def _told(each: CombatantDraft, drafts: Sequence[CombatantDraft], read: Duel | None) -> Combatant | None:
    """The combatant that the rules read where the draft has this one: of this level, where several are of a kind."""
    kind = title_key(each.subject)
    same = [who for who in (read.combatants if read is not None else ()) if title_key(who.subject) == kind]
    twins = [other for other in drafts if title_key(other.subject) == kind]
    if len(same) > 1 or len(twins) > 1:
        same = [who for who in same if who.level == each.level]
        twins = [other for other in twins if other.level == each.level]
    return same[0] if len(same) == len(twins) == 1 else None


def _as_read(each: CombatantDraft, who: Combatant, words: Words) -> CombatantDraft:
    """The draft's combatant with all that the rules read of it."""
    read = {name: getattr(who, name) for name in _PLAIN if getattr(who, name) is not None}
    scores = {normal(ability.name): ability for ability in each.abilities}
    scores |= {normal(name): AbilityDraft(name=name, score=score) for name, score in who.abilities.items()}
    counted = {"count": who.count, "weapon_bonus": who.weapon_bonus} if who.weapon else {"count": who.count}
    return _armed(each, words).model_copy(update=read | counted | {"abilities": list(scores.values())})


def _armed(each: CombatantDraft, words: Words) -> CombatantDraft:
    """The combatant without a weapon or armor that the question does not name."""
    invented = [name for name in ("weapon", "armor") if (gear := getattr(each, name)) and not words.has(phrase(gear))]
    return each.model_copy(update=dict.fromkeys(invented)) if invented else each


def _changes(draft: CombatantDraft, taken: CombatantDraft) -> Iterator[str]:
    for name in _PLAIN:
        said, read = getattr(draft, name), getattr(taken, name)
        if said is not None and normal(str(said)) != normal(str(read)):
            what = f"{name.replace('_', ' ')} of the {draft.subject.lower()}"
            yield f"the question says {read or 'nothing'} of the {what}, the language model {said}; the question stands"


def _sides(drafts: Sequence[CombatantDraft]) -> tuple[tuple[int, ...], ...]:
    """Who fights together, where that is said of everybody and it is no duel."""
    sides = tuple(tuple(place for place, each in enumerate(drafts) if each.side == side) for side in (1, 2))
    return sides if len(drafts) > 2 and all(sides) and sum(map(len, sides)) == len(drafts) else ()


def _combatants(drafts: Sequence[CombatantDraft]) -> Iterator[Combatant]:
    names = [_name(each) for each in drafts]
    for place, (each, name) in enumerate(zip(drafts, names, strict=True), start=1):
        twin = names.count(name) > 1
        told = f"{name} with armor class {each.armor_class}" if each.armor_class is not None else f"{name} ({place})"
        scores = {normal(ability.name): ability.score for ability in each.abilities}
        yield Combatant(
            told if twin else name,
            each.subject.lower(),
            each.level,
            each.armor_class,
            {ability: scores[ability,] for ability in ABILITIES if (ability,) in scores},
            each.weapon,
            each.armor if each.armor_class is None else None,
            each.hit_points,
            max(1, each.count),
            max(0, each.weapon_bonus) if each.weapon else 0,
        )


def _name(each: CombatantDraft) -> str:
    return f"{ordinal(each.level)} level {each.subject.lower()}" if each.level is not None else each.subject.lower()
