"""Turn a model's draft into a plan: check, order, cap and complete its steps.

Nothing in a draft is trusted. Ids are assigned anew. An unknown dependency or a cycle is an error that the model is
shown once. What the reasoner needs and no step asks for is added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

from agent.planning.catalog_context import Offer
from agent.planning.draft_check import checked_draft, restated
from agent.planning.drafts import PlanDraft, StepDraft, SubQueryDraft
from agent.planning.rules import ByRules
from agent.reasoning import first_needs
from agent.types import Plan, Reading
from agent.understanding.question.intent import Intent, Lookup
from agent.understanding.question.references import names_in, renamed
from retrieval.text.normal import normal
from retrieval.types import SubQuery

MAX_SUB_QUERIES, MAX_STEPS = 24, 24
MOST_TOLD = 3


def planned(draft: PlanDraft, by_rules: ByRules, offered: Offer) -> Plan:
    """Return the plan of a draft; the `ValueError` for an invalid one is written for the model to read."""
    by_rules = restated(draft, by_rules)
    stated = _steps_in_order(draft.steps)
    read = checked_draft(stated[:MAX_STEPS], by_rules)
    queries = _in_order(_distinct([step for step in draft.sub_queries if step.text]))
    if not queries and not stated:
        raise ValueError("sub_queries is empty, and so is steps; there must be at least one of either")
    queries = _renumbered(queries)
    searched = [_sub_query(step, offered) for step in queries]
    if not searched and not read.steps:
        searched = list(by_rules.plan.sub_queries)
    needed = _lacking(read.intent, searched)
    room = max(0, MAX_SUB_QUERIES - len(needed))
    readings = {step.id: Reading(step.reads.subject, step.reads.attribute, step.reads.type)
                for step in queries[:room] if step.reads}  # fmt: skip
    return Plan(
        by_rules.question,
        (*searched[:room], *needed),
        read.intent,
        "llm",
        by_rules.effort,
        readings,
        (*read.notes, *_assumed(draft), *_cut(queries[room:])),
        by_rules.understood,
        unplanned=read.unplanned,
        unread=(*by_rules.unread(read.intent), *read.unread, *(step.text or step.do for step in stated[MAX_STEPS:])),
        steps=read.steps,
    )


def _assumed(draft: PlanDraft) -> tuple[str, ...]:
    """Return the model's assumptions, for the reader to judge."""
    return tuple(f"assumed by the language model: {each}" for each in dict.fromkeys(draft.assumed) if each)


def _cut(left: Sequence[SubQueryDraft]) -> tuple[str, ...]:
    """Return a note on the sub-queries that are not run."""
    if not left:
        return ()
    named = "; ".join(step.text for step in left[:MOST_TOLD])
    more = f" and {len(left) - MOST_TOLD} more" if len(left) > MOST_TOLD else ""
    return (f"only {MAX_SUB_QUERIES} sub-queries are run; left out: {named}{more}",)


def _steps_in_order(steps: Sequence[StepDraft]) -> list[StepDraft]:
    """Return the steps, each after those whose results it uses."""
    by_id = {step.id: step for step in steps}
    if len(by_id) < len(steps):
        raise ValueError("an id of steps is used more than once")
    inputs = {step.id: [*step.of, *(id_ for text in _filled_texts(step) for id_ in names_in(text))] for step in steps}
    for id_, needed in inputs.items():
        unknown = [name for name in needed if name not in by_id]
        if unknown:
            raise ValueError(f"step {id_!r} takes the result of {unknown[0]!r}, which is no step of the plan")
    depth = _depths(inputs, "steps")
    return sorted(steps, key=lambda step: depth[step.id])


def _depths(needed: Mapping[str, Sequence[str]], what: str) -> dict[str, int]:
    """Return the length of the longest chain of dependencies before each id."""
    try:
        order = list(TopologicalSorter(needed).static_order())
    except CycleError as error:
        raise ValueError(f"{what} depend on each other in a circle: {' -> '.join(error.args[1])}") from None
    depth: dict[str, int] = {}
    for id_ in order:
        depth[id_] = 1 + max((depth[name] for name in needed[id_]), default=-1)
    return depth


def _filled_texts(step: StepDraft) -> Iterator[str]:
    """Yield the texts of a step that may refer to the results of others."""
    for subject in step.subjects:
        yield from (subject.name, *(key.value for key in subject.keys))
    yield from (condition.value for condition in step.where)
    yield from step.measures
    yield from (step.text,) if step.do == "find" else ()


def _distinct(steps: Sequence[SubQueryDraft]) -> list[SubQueryDraft]:
    """Return the distinct sub-queries; a dependency on a duplicate becomes one on the first."""
    twice = [id_ for id_, count in Counter(step.id for step in steps).items() if count > 1]
    if twice:
        raise ValueError(f"the sub-query id {twice[0]!r} is used more than once")
    first: dict[tuple[str, ...], SubQueryDraft] = {}
    for step in steps:
        first.setdefault(normal(step.text), step)
    same = {step.id: first[normal(step.text)].id for step in steps}
    return [_with_renamed_inputs(step, same) for step in first.values()]


def _with_renamed_inputs(step: SubQueryDraft, names: Mapping[str, str]) -> SubQueryDraft:
    """Return the sub-query with renamed dependencies, including those that its text refers to."""
    needed = (*step.depends_on, *names_in(step.text))
    if not needed:
        return step
    unknown = [name for name in needed if name not in names]
    if unknown:
        raise ValueError(f"sub-query {step.id!r} depends on {unknown[0]!r}, which is not in the plan")
    wanted = dict.fromkeys(names[name] for name in needed)
    return step.model_copy(update={"depends_on": list(wanted), "text": renamed(step.text, names)})


def _in_order(steps: Sequence[SubQueryDraft]) -> list[SubQueryDraft]:
    """Return the sub-queries, each after those it depends on, otherwise in their given order."""
    if not any(step.depends_on for step in steps):
        return list(steps)
    by_id = {step.id: step for step in steps}
    depth = _depths({step.id: step.depends_on for step in steps}, "sub-queries")
    for step in steps:
        for name in names_in(step.text):
            if by_id[name].reads is None:
                raise ValueError(f"sub-query {step.id!r} takes a value from {name!r}, which has no reads")
    return sorted(steps, key=lambda step: depth[step.id])


def _renumbered(steps: Sequence[SubQueryDraft]) -> list[SubQueryDraft]:
    names = {step.id: f"q{number}" for number, step in enumerate(steps, start=1)}
    return [_with_renamed_inputs(step, names).model_copy(update={"id": names[step.id]}) for step in steps]


def _sub_query(step: SubQueryDraft, offered: Offer) -> SubQuery:
    """Return the sub-query; its filters are limited to those that the collection has, and never widen it."""
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
    """Return what the reasoner needs and no sub-query asks for with every word, numbers included."""
    if isinstance(intent, Lookup):
        return []
    asked = [frozenset(normal(sub_query.text)) for sub_query in sub_queries]
    needs = (need.sub_query for need in first_needs(intent))
    lacking = [each for each in needs if not any(frozenset(normal(each.text)) <= words for words in asked)]
    return [replace(each, id=f"r{number}") for number, each in enumerate(lacking[:MAX_SUB_QUERIES], start=1)]
