"""Run the steps of a model's plan: bind them one after the other, each with the results of the earlier ones.

Bound steps become the parts of the plan, as when the rules split a question. A step that binds to no cell is searched
for by its own words. A step without its input is reported, and one that depends on a name in prose waits until that was
searched.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from agent.languages.operations import End
from agent.planning.by_table import bound_by_table, named_in_table, transposed
from agent.reasoning import first_needs
from agent.reasoning.binding.binder import Binder
from agent.reasoning.binding.stepwise import BoundStep, StepBinder, can_be_ranked, names_from, value_from
from agent.reasoning.execution.execute import sub_queries_of
from agent.types import Plan
from agent.understanding.linking.program import Bound
from agent.understanding.question.intent import Lacking, Lookup
from agent.understanding.question.plan_step import PlanStep
from agent.understanding.question.references import filled, names_in
from retrieval.types import SubQuery

_ENDS = ("highest", "lowest")
_MOST_FOUND = 8
"""Most names of one result that are searched for in prose."""


@dataclass
class Program:
    """Binds the steps of a plan. `plan_by_rules` plans a text if a step binds to nothing. Without a `binder` none does.

    `found` are the names that search steps found in prose. After `run`, `parts` are the plans of the steps by id, and
    `waiting` the ids of search steps whose results other steps need.
    """

    plan: Plan
    binder: StepBinder | None
    plan_by_rules: Callable[[str], Awaitable[Plan]]
    found: Mapping[str, Sequence[str]] = field(default_factory=dict)
    parts: dict[str, tuple[Plan, ...]] = field(default_factory=dict)
    waiting: set[str] = field(default_factory=set)
    _bounds: dict[str, tuple[Bound, ...]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        plan: Plan,
        binder: Binder | None,
        alone: Callable[[str], Awaitable[Plan]],
        found: Mapping[str, Sequence[str]] | None = None,
    ) -> Program:
        """Return the program of a plan with steps."""
        steps = None if binder is None else StepBinder.of(binder, plan.understood or plan.question)
        return cls(plan, steps, alone, found or {})

    async def run(self) -> tuple[Plan, ...]:
        """Return the parts of the plan in the order of its steps."""
        held_back: set[str] = set()
        for step in self.plan.steps:
            finding = {id_ for id_ in step.inputs if self._is_in_prose(id_) and id_ not in self.found}
            if finding or held_back & step.inputs:
                self.waiting |= finding
                held_back.add(step.id)
            else:
                await self._add(step)
        return tuple(part for step in self.plan.steps for part in self.parts.get(step.id, ()))

    @property
    def is_done(self) -> bool:
        """True if every step is bound to cells, or computed by a domain."""
        parts = [part for parts in self.parts.values() for part in parts]
        return not self.waiting and not any(part.is_open or isinstance(part.intent, Lacking) for part in parts)

    def _step(self, id_: str) -> PlanStep:
        return next(step for step in self.plan.steps if step.id == id_)

    def _is_in_prose(self, id_: str) -> bool:
        """True for a search step that no cell answers."""
        return self._step(id_).is_prose_search and id_ not in self._bounds

    async def _add(self, step: PlanStep) -> None:
        if step.intent is not None:
            needs = tuple(need.sub_query for need in first_needs(step.intent))
            self.parts[step.id] = (Plan(step.text, needs, step.intent, "llm"),)
        elif step.is_prose_search:
            await self._find(step)
        elif step.of:
            self._over_results(step)
        else:
            await self._bind_or_lack(step, await self._filled(step))

    async def _find(self, step: PlanStep) -> None:
        """Search prose, once for each name that an earlier step found."""
        try:
            names, values = self._results(step)
            in_prose = {id_: tuple(self.found[id_]) for id_ in step.inputs if len(self.found.get(id_, ())) == 1}
            texts = step.search_texts({**names, **in_prose}, values)
        except KeyError:
            self._report_missing(step)
            return
        parts = [await self.plan_by_rules(text) for text in texts[:_MOST_FOUND]]
        self.parts[step.id] = tuple(parts)
        if len(parts) == 1 and parts[0].bound is not None:
            self._bounds[step.id] = (parts[0].bound,)

    def _results(self, step: PlanStep) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
        """Return the names and the values that the inputs of a step found."""
        bounds = {id_: self._bounds.get(id_, ()) for id_ in step.inputs}
        names = {id_: names for id_, some in bounds.items() if (names := tuple(_names(some)))}
        values = {id_: value for id_, some in bounds.items() if (value := _value(some)) is not None}
        return names, values

    def _report_missing(self, step: PlanStep) -> None:
        """Report that a step failed, because its input was not found or cannot be computed with."""
        text = filled(step.text, dict.fromkeys(names_in(step.text), "what was found"))
        self.parts[step.id] = (Plan(text, (SubQuery("q1", text),), Lacking(text), "llm"),)

    async def _bind_or_lack(self, step: PlanStep, ready: PlanStep | None) -> None:
        if ready is None:
            self._report_missing(step)
        else:
            await self._bind(ready)

    async def _bind(self, step: PlanStep) -> None:
        bound = await self._bound(step)
        self._bounds[step.id] = () if bound.missing else bound.bounds
        looked_for = [await self.plan_by_rules(text) for text in bound.missing]
        self.parts[step.id] = (*(part_of(each, step.text) for each in bound.bounds), *looked_for)

    async def _bound(self, step: PlanStep) -> BoundStep:
        """Bind a step: by whole names in one table, as the rules bind a question, by its kind, or transposed."""
        if self.binder is None:
            return BoundStep((), (step.text,))
        thinking = self.binder.binder.thinking
        exact = None if step.is_of_kind else await thinking.do(partial(named_in_table, step, self.binder))
        if exact is not None:
            return exact
        found = await self.binder.bind(step)
        if not found.missing:
            return found
        if step.is_of_kind:
            by_table = await thinking.do(partial(bound_by_table, step, self.binder))
            return found if by_table is None else BoundStep((by_table,))
        other_way = None if found.bounds else transposed(step)
        turned_round = found if other_way is None else await self.binder.bind(other_way)
        return found if turned_round.missing else turned_round

    async def _filled(self, step: PlanStep) -> PlanStep | None:
        """Return the step with the results of earlier ones; None if one has no result, or if that is ambiguous.

        Of several names found in prose, the only one with which the whole step binds is used.
        """
        names, values = self._results(step)
        in_prose = [id_ for id_ in step.inputs if self._is_in_prose(id_)]
        try:
            if not in_prose:
                return step.filled(names, values)
            ways = [step.filled({**names, in_prose[0]: (name,)}, values) for name in self.found[in_prose[0]]]
        except KeyError:
            return None
        bound = [(ready, await self._bound(ready)) for ready in ways]
        whole = [ready for ready, found in bound if found.bounds and not found.missing]
        return whole[0] if len(whole) == 1 else None

    def _over_results(self, step: PlanStep) -> None:
        """Compute with the results of earlier steps, which are merged into this one, or rank those of a domain."""
        inputs = [part for id_ in step.of for part in self.parts.get(id_, ())]
        bounds = [bound for id_ in step.of for bound in self._bounds.get(id_, ())]
        is_of_domain = all(self._step(id_).intent is not None for id_ in step.of)
        is_of_numbers = step.operation in _ENDS and len(bounds) == len(step.of) and all(map(can_be_ranked, bounds))
        if is_of_domain or is_of_numbers:
            order: End = "low" if step.operation in ("lowest", "worst") else "high"
            self.parts[step.id] = (Plan(step.text, (), Lookup(step.text), "llm", parts=tuple(inputs), order=order),)
        else:
            is_whole = all(self._bounds.get(id_) for id_ in step.of)
            joined = self.binder.joined(bounds, step) if self.binder is not None and is_whole else None
            if joined is None:
                self._report_missing(step)
                return
            self._bounds[step.id] = (joined,)
            self.parts[step.id] = (part_of(joined, step.text),)
        for id_ in step.of:
            self.parts[id_] = ()


def part_of(bound: Bound, text: str) -> Plan:
    """Return the part of a plan that some cells answer."""
    return Plan(text, sub_queries_of(bound), Lookup(text), "llm", bound=bound)


def with_parts(plan: Plan, parts: Sequence[Plan]) -> Plan:
    """Return the plan of a question that consists of others, with their distinct sub-queries."""
    before = plan.sub_queries if plan.planner == "llm" else ()
    known = {replace(each, id="", purpose="") for each in before}
    found = dict.fromkeys(replace(each, id="", purpose="") for part in parts for each in _sub_queries(part))
    new = [each for each in found if each not in known]
    own = tuple(replace(each, id=f"p{n}") for n, each in enumerate(new, start=len(before) + 1))
    return replace(plan, parts=tuple(parts), sub_queries=(*before, *own))


def _sub_queries(plan: Plan) -> Iterator[SubQuery]:
    yield from plan.sub_queries
    for part in plan.parts:
        yield from _sub_queries(part)


def _names(bounds: Sequence[Bound]) -> Iterator[str]:
    for bound in bounds:
        yield from names_from(bound)


def _value(bounds: Sequence[Bound]) -> str | None:
    return value_from(bounds[0]) if len(bounds) == 1 else None
