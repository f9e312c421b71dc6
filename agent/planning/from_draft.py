"""A model's draft becomes a plan: its steps are checked, put in order, capped, and made whole.

Nothing of a draft is taken on trust: ids are given anew; what depends on nothing known, or on itself, is an error that
the model is shown once; what the reasoner needs and no step asks for is added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

from agent.planning.catalog_context import Offer
from agent.planning.draft_check import intended, restated
from agent.planning.drafts import PlanDraft, SubQueryDraft
from agent.planning.references import names_in, renamed
from agent.planning.rules import ByRules
from agent.reasoning import first_needs
from agent.types import Plan, Reading
from agent.understanding.intent import Intent, Lookup
from retrieval.text.normal import normal
from retrieval.types import SubQuery

MAX_SUB_QUERIES = 24


def planned(draft: PlanDraft, by_rules: ByRules, offered: Offer) -> Plan:
    """Return the plan of a draft; `ValueError` says, for the model to read, what is wrong with it."""
    by_rules = restated(draft, by_rules)
    intent, notes = intended(draft, by_rules)
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
    asked, understood, unread = by_rules.question, by_rules.understood, by_rules.unread(intent)
    return Plan(asked, run, intent, "llm", by_rules.effort, readings, notes, understood, unread=unread)


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
    if not any(step.depends_on for step in steps):
        return list(steps)
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
    if isinstance(intent, Lookup):
        return []
    asked = [frozenset(normal(sub_query.text)) for sub_query in sub_queries]
    needs = (need.sub_query for need in first_needs(intent))
    lacking = [each for each in needs if not any(frozenset(normal(each.text)) <= words for words in asked)]
    return [replace(each, id=f"r{number}") for number, each in enumerate(lacking[:MAX_SUB_QUERIES], start=1)]
