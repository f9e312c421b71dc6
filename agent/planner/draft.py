"""The plan as a model writes it, and what becomes of it: checked, put in order, capped, and made whole.

Nothing of a draft is taken on trust. A fight or a comparison counts only with numbers that the question holds; ids are
given anew; what depends on nothing known, or on itself, is an error that the model is shown once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

from agent.planner.offers import Offer
from agent.planner.references import names_in, renamed
from agent.planner.rules import ByRules
from agent.reasoners import first_needs
from agent.types import Combatant, Comparison, Duel, Intent, Plan, Reading
from retrieval.ingest.rules import ordinal
from retrieval.text import ABILITIES, Words, is_number, normal, number, title_key
from retrieval.types import SubQuery

MAX_SUB_QUERIES = 24
LONGEST_TEXT = 300
"""Characters of a sub-query; a longer one is no focused query."""

_Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST_TEXT)]


class AbilityDraft(BaseModel):
    """An ability score of a combatant."""

    name: _Text
    score: _Text


class CombatantDraft(BaseModel):
    """One kind of combatant, as far as the question describes it; `side` is 1 or 2 where several fight together."""

    subject: _Text
    level: int | None = None
    armor_class: int | None = None
    armor: _Text | None = None
    weapon: _Text | None = None
    hit_points: int | None = None
    count: int = 1
    weapon_bonus: int = 0
    side: Literal[0, 1, 2] = 0
    abilities: list[AbilityDraft] = Field(default_factory=list, max_length=12)


class KeyDraft(BaseModel):
    """What selects a row or a column: `level`, `7`."""

    name: _Text
    value: _Text


class ReadingDraft(BaseModel):
    """The value that later sub-queries take from this one."""

    subject: _Text
    attribute: _Text
    type: Literal["integer", "text"] = "text"


class SubQueryDraft(BaseModel):
    """One focused query."""

    id: _Text
    text: _Text
    purpose: _Text = ""
    entities: list[_Text] = Field(default_factory=list)
    depends_on: list[_Text] = Field(default_factory=list)
    reads: ReadingDraft | None = None
    chunk_types: list[_Text] = Field(default_factory=list)
    tags: list[_Text] = Field(default_factory=list)
    collection: _Text | None = None


class PlanDraft(BaseModel):
    """A whole plan: what kind of question it is, who or what it is about, and what to search for."""

    kind: Literal["fight", "compare", "open"] = "open"
    combatants: list[CombatantDraft] = Field(default_factory=list, max_length=12)
    entities: list[_Text] = Field(default_factory=list, max_length=24)
    attribute: _Text = ""
    keys: list[KeyDraft] = Field(default_factory=list, max_length=24)
    sub_queries: list[SubQueryDraft] = Field(default_factory=list)


def planned(draft: PlanDraft, by_rules: ByRules, offered: Offer, before: str = "") -> Plan:
    """Return the plan of a draft; `ValueError` says, for the model to read, what is wrong with it.

    What the rules understood stands where the draft's own intent has numbers that neither the question holds nor the
    one `before` it.
    """
    asked = by_rules.understood or by_rules.question
    intent = _intent(draft, f"{asked} {before}", by_rules) or _open(draft, asked, by_rules)
    steps = _in_order(_distinct([step for step in draft.sub_queries if step.text]))
    if not steps:
        raise ValueError("sub_queries is empty; there must be at least one with a text")
    steps = _renumbered(_capped(steps))
    sub_queries = [_sub_query(step, offered) for step in steps]
    needed = _lacking(intent, sub_queries)
    room = max(0, MAX_SUB_QUERIES - len(needed))
    readings = {step.id: Reading(step.reads.subject, step.reads.attribute, step.reads.type)
                for step in steps[:room] if step.reads}  # fmt: skip
    run = (*sub_queries[:room], *needed)
    return Plan(by_rules.question, run, intent, "llm", by_rules.effort, readings, understood=by_rules.understood)


def _distinct(steps: Sequence[SubQueryDraft]) -> list[SubQueryDraft]:
    """Each text once; who depends on the second of two alike depends on the first."""
    twice = [id_ for id_, count in Counter(step.id for step in steps).items() if count > 1]
    if twice:
        raise ValueError(f"the sub-query id {twice[0]!r} is used more than once")
    first: dict[tuple[str, ...], SubQueryDraft] = {}
    for step in steps:
        first.setdefault(normal(step.text), step)
    same = {step.id: first[normal(step.text)].id for step in steps}
    return [_pointing(step, same) for step in first.values()]


def _pointing(step: SubQueryDraft, names: Mapping[str, str]) -> SubQueryDraft:
    """The step with other names for what it depends on; that includes whatever its text takes a value from."""
    needed = (*step.depends_on, *names_in(step.text))
    if not needed:
        return step
    unknown = [name for name in needed if name not in names]
    if unknown:
        raise ValueError(f"sub-query {step.id!r} depends on {unknown[0]!r}, which is not in the plan")
    wanted = dict.fromkeys(names[name] for name in needed)
    return step.model_copy(update={"depends_on": list(wanted), "text": renamed(step.text, names)})


def _in_order(steps: Sequence[SubQueryDraft]) -> list[SubQueryDraft]:
    """Each after those it depends on; otherwise as they were written."""
    by_id = {step.id: step for step in steps}
    try:
        order = list(TopologicalSorter({step.id: step.depends_on for step in steps}).static_order())
    except CycleError as error:
        raise ValueError(f"sub-queries depend on each other in a circle: {' -> '.join(error.args[1])}") from None
    for step in steps:
        for name in names_in(step.text):
            if by_id[name].reads is None:
                raise ValueError(f"sub-query {step.id!r} takes a value from {name!r}, which has no reads")
    place = {id_: number for number, id_ in enumerate(order)}
    depth: dict[str, int] = {}
    for id_ in sorted(by_id, key=place.__getitem__):
        depth[id_] = 1 + max((depth[name] for name in by_id[id_].depends_on), default=-1)
    return sorted(steps, key=lambda step: depth[step.id])


def _capped(steps: Sequence[SubQueryDraft]) -> list[SubQueryDraft]:
    """As many as may run; they are in order, so none of them lacks what it depends on."""
    return list(steps[:MAX_SUB_QUERIES])


def _renumbered(steps: Sequence[SubQueryDraft]) -> list[SubQueryDraft]:
    names = {step.id: f"q{number}" for number, step in enumerate(steps, start=1)}
    return [_pointing(step, names).model_copy(update={"id": names[step.id]}) for step in steps]


def _sub_query(step: SubQueryDraft, offered: Offer) -> SubQuery:
    """The sub-query; it may narrow only to what the collection has, and never widens."""
    return SubQuery(
        step.id,
        step.text,
        step.purpose,
        tuple(step.depends_on),
        tuple(filter(None, step.entities))[:8],
        tuple(kind for kind in step.chunk_types if kind in offered.chunk_types),
        tuple(tag for tag in step.tags if tag in offered.tags)[:4],
        collection=step.collection if step.collection in offered.collections else "",
    )


def _lacking(intent: Intent, sub_queries: Iterable[SubQuery]) -> list[SubQuery]:
    """What the reasoner needs and no sub-query asks for: every word of it, numbers and all."""
    if isinstance(intent, Comparison) and not intent.entities:
        return []
    asked = [frozenset(normal(sub_query.text)) for sub_query in sub_queries]
    needs = (need.sub_query for need in first_needs(intent))
    lacking = [each for each in needs if not any(frozenset(normal(each.text)) <= words for words in asked)]
    return [replace(each, id=f"r{number}") for number, each in enumerate(lacking[:MAX_SUB_QUERIES], start=1)]


def _intent(draft: PlanDraft, question: str, by_rules: ByRules) -> Intent | None:
    """What the draft takes the question for; `None` where it is open, or says numbers that the question does not."""
    if draft.kind == "fight" and len(draft.combatants) > 1:
        asked, scores = Words(question), [normal(a.score) for each in draft.combatants for a in each.abilities]
        known = _grounded(_numbers_of_fight(draft.combatants), question) and all(map(asked.has, scores))
        return _duel(draft.combatants, by_rules.fight) if known else None
    if draft.kind == "compare" and draft.entities and draft.attribute:
        keys = tuple((" ".join(normal(key.name)), key.value) for key in draft.keys if key.name and key.value)
        numbers = (float(number(token)) for _, value in keys for token in normal(value) if is_number(token))
        entities = tuple(dict.fromkeys(filter(None, draft.entities)))
        return Comparison(entities, draft.attribute, keys) if _grounded(numbers, question) else None
    return None


def _open(draft: PlanDraft, asked: str, by_rules: ByRules) -> Intent:
    """What a question is that the draft calls open: a fight stays one, for its odds are computed; else it is open."""
    is_open = draft.kind == "open" and by_rules.fight is None
    return Comparison((), asked, question=asked) if is_open else by_rules.plan.intent


def _grounded(numbers: Iterable[float | None], question: str) -> bool:
    held = set(Words(question).numbers())
    return all(value in held for value in numbers if value is not None)


def _numbers_of_fight(drafts: Sequence[CombatantDraft]) -> Iterator[float | None]:
    for each in drafts:
        yield from (each.level, each.armor_class, each.hit_points, each.count if each.count != 1 else None)
        yield each.weapon_bonus or None


def _sides(drafts: Sequence[CombatantDraft]) -> tuple[tuple[int, ...], ...]:
    """Who fights together, where that is said of everybody and it is no duel."""
    sides = tuple(tuple(place for place, each in enumerate(drafts) if each.side == side) for side in (1, 2))
    return sides if len(drafts) > 2 and all(sides) and sum(map(len, sides)) == len(drafts) else ()


def _duel(drafts: Sequence[CombatantDraft], read: Duel | None) -> Duel:
    """The fight of a draft. What the model left out of a description the rules fill in, where they read of the same."""
    same = [_same(each, drafts, read) for each in drafts]
    whole = [each if told is None else _filled(each, told) for each, told in zip(drafts, same, strict=True)]
    left_out = [told.left_out if told is not None else () for told in same]
    combatants = tuple(replace(who, left_out=left) for who, left in zip(_combatants(whole), left_out, strict=True))
    return Duel(combatants, _sides(whole), *((read.left_out, read.asks_loser) if read is not None else ()))


def _same(each: CombatantDraft, drafts: Sequence[CombatantDraft], read: Duel | None) -> Combatant | None:
    """The combatant that the rules read where the draft has this one; None where nothing tells it from another."""
    same = [who for who in (read.combatants if read is not None else ()) if _is_same(each, who)]
    alone = sum((d.subject.lower(), d.level) == (each.subject.lower(), each.level) for d in drafts) == 1
    return same[0] if alone and len(same) == 1 else None


def _is_same(each: CombatantDraft, who: Combatant) -> bool:
    return title_key(each.subject) == title_key(who.subject) and each.level in (None, who.level)


def _filled(each: CombatantDraft, told: Combatant) -> CombatantDraft:
    plain = ("level", "armor_class", "armor", "hit_points", "weapon")
    abilities = [AbilityDraft(name=name, score=score) for name, score in told.abilities.items()]
    left_out = {name: getattr(told, name) for name in plain if getattr(each, name) is None}
    return each.model_copy(update=left_out | ({} if each.abilities else {"abilities": abilities}))


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
