"""Bind a plan step to cells: a measure of named entities, a question about a kind, or arithmetic over results.

Each step is written out as a question in the form that the rules expect, and bound by the same code, with the same
exactness. A step without a whole binding is left to prose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from agent.languages.language import language_of, languages
from agent.languages.operations import Operation
from agent.reasoning.binding.binder import Binder
from agent.reasoning.coverage.doubts import doubts_of
from agent.reasoning.kinds.member import FEWEST
from agent.reasoning.kinds.readings import best_readings
from agent.reasoning.measures.direction import end_of
from agent.reasoning.selection.selected import selected
from agent.reasoning.values.cell_text import value_of
from agent.reasoning.values.comparing import COMPUTED, computed
from agent.reasoning.values.conditions import Limit, unit_behind
from agent.reasoning.values.quantities import is_range, number_of
from agent.reasoning.values.ranges import amounts_of
from agent.understanding.linking.program import Bound, Reading, Subject
from agent.understanding.linking.stated import ENDS, StepLinker
from agent.understanding.question.numbers import Number
from agent.understanding.question.plan_step import Condition, NamedSubject, PlanStep
from agent.understanding.words.clauses import tokens_of

MOST_WAYS = 4
"""The most interpretations of a name that are tried."""
MOST_VALUES = 24
"""The most values that one step computes with; each is shown and cited."""
_OVER_VALUES: dict[str, Operation] = {each: each for each in (*COMPUTED, "list", "count")}


@dataclass(frozen=True, slots=True)
class BoundStep:
    """The bindings of a step, and in words the parts that have no cell or can't be computed."""

    bounds: tuple[Bound, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StepBinder:
    """Binds the steps of one plan to the cells of a collection."""

    binder: Binder
    stating: StepLinker

    @classmethod
    def of(cls, binder: Binder, question: str) -> StepBinder:
        """Return a binder for plan steps in the language of a question."""
        return cls(binder, StepLinker(binder.index, language_of(tokens_of(question), languages())))

    async def bind(self, step: PlanStep) -> BoundStep:
        """Bind a step whose inputs are filled in."""
        if step.is_of_kind:
            return await self._of_kind(step)
        subjects, found = list(step.subjects), list[Bound]()
        for condition in step.where:
            met = await self._meeting(subjects, condition)
            if met is None:
                return BoundStep((), (step.text,))
            subjects, found = [NamedSubject(each.subject.text) for each in met.readings], [met]
        if step.where and not (step.measures and subjects):
            return BoundStep(tuple(found))
        return await self._of_named(replace(step, subjects=tuple(subjects)))

    def joined(self, bounds: Sequence[Bound], step: PlanStep) -> Bound | None:
        """Return the results of earlier steps as the values of a step that computes or compares; None if it can't use
        them.
        """
        readings = tuple(reading for bound in bounds for reading in results_of(bound))
        if not 0 < len(readings) <= MOST_VALUES or any(bound.operation in COMPUTED for bound in bounds):
            return None
        names = [reading.subject.text for reading in readings]
        if len(set(names)) < len(names):
            readings = tuple(map(_labelled, readings))
        measure = ", ".join(dict.fromkeys(each.found[0].label for each in readings))
        linked = self.stating.of_named(measure, [each.subject for each in readings], step.operation)
        first = readings[0].found[0]
        end = end_of(linked.question, first.label, value=first.text)
        bound = _with_operation(Bound(linked, readings, measure, "compare", end), step)
        return None if _is_uncomputed(bound) else bound

    async def _of_named(self, step: PlanStep) -> BoundStep:
        """Bind each measure of all named entities. A computation over several measures of one entity takes
        all of them.
        """
        if step.operation in COMPUTED and len(step.subjects) == 1 and len(step.measures) > 1:
            values = await self._of_named(replace(step, operation="read"))
            joined = None if values.missing else self.joined(values.bounds, step)
            return replace(values, missing=(step.text,)) if joined is None else BoundStep((joined,))
        bounds: list[Bound] = []
        missing = [] if step.measures else [step.text]
        for measure in step.measures:
            bound = await self._measured(measure, step.subjects, step.operation)
            if bound is not None:
                bounds.append(bound)
                continue
            each = [(subject, await self._measured(measure, (subject,), "read")) for subject in step.subjects]
            lacking = [subject for subject, alone in each if alone is None]
            bounds += [alone for _, alone in each if alone is not None]
            if lacking or step.operation in ENDS:
                missing.append(_asked(measure, lacking or step.subjects))
        done = [_with_operation(bound, step) for bound in bounds]
        if missing or any(map(_is_uncomputed, done)):
            return BoundStep(tuple(bounds), (step.text,) if step.operation in COMPUTED else tuple(missing))
        return BoundStep(tuple(done))

    async def _measured(self, measure: str, named: Sequence[NamedSubject], operation: str) -> Bound | None:
        """Bind one measure of all named entities; None if one of them has no cell."""
        subjects: list[Subject] = []
        for each in named:
            meant = await self._meant(measure, each)
            if not meant or (len(meant) > 1 and len(named) > 1):
                return None
            subjects += meant
        return await self._bound(measure, subjects, operation)

    async def _meant(self, measure: str, named: NamedSubject) -> tuple[Subject, ...]:
        """Return the first interpretation of a name that has a cell of the measure."""
        for subjects in islice(self.stating.subjects(named), MOST_WAYS):
            if await self._bound(measure, subjects, "read") is not None:
                return subjects
        return ()

    async def _bound(self, measure: str, subjects: Sequence[Subject], operation: str) -> Bound | None:
        """Return the binding if it has no doubts and matches all words of the names."""
        bound = await self.binder.bind_linked(self.stating.of_named(measure, subjects, operation))
        if bound is None or any(doubts_of(bound)):
            return None
        left = {word for reading in bound.readings for word in reading.found[0].unmatched_words}
        said = {word for subject in subjects for word in subject.words}
        return None if left & said else bound

    async def _meeting(self, subjects: Sequence[NamedSubject], condition: Condition) -> Bound | None:
        """Return the named entities that meet a condition, with the values that were compared with it."""
        bound = await self._measured(condition.measure, subjects, "read")
        limits = self.stating.limits(condition)
        if bound is None or len(limits) != 1:
            return None
        limit = limit_of(limits[0], [each.found[0].text for each in bound.readings], condition, self.stating)
        held = [(each, limit.holds(each.found[0].text, each.found[0].label)) for each in bound.readings]
        met, rest, unsure = (tuple(each for each, is_met in held if is_met is way) for way in (True, False, None))
        return replace(bound, readings=met, without_value=rest, unsure=unsure, operation="list", end=None)

    async def _of_kind(self, step: PlanStep) -> BoundStep:
        """Bind a step about a kind; for a computation over its values, every member has to have one."""
        if step.operation in ("read", "compare"):
            step = replace(step, operation="list")
        measure = step.measures[0] if step.measures else ""
        operation = step.operation
        if measure and operation not in ENDS:
            ranked = await self._selected(replace(step, operation="highest"), measure)
            if ranked is not None and not ranked.without_value and len(ranked.readings) <= MOST_VALUES:
                return BoundStep((_with_operation(replace(ranked, end=None), replace(step, top=1)),))
        if operation not in (*ENDS, "list", "count"):
            return BoundStep((), (step.text,))
        bound = await self._selected(step, measure if operation in ENDS else "")
        is_one = bound is not None and not step.where and len(bound.readings) < FEWEST
        return BoundStep((), (step.text,)) if bound is None or is_one else BoundStep((bound,))

    async def _selected(self, step: PlanStep, measure: str) -> Bound | None:
        question = self.stating.of_kind(step, measure)
        return await self.binder.thinking.do(partial(selected, question, self.binder.index))


def results_of(bound: Bound) -> tuple[Reading, ...]:
    """Return the readings that a bound step results in: the winners if it asks for some, else all of them."""
    is_ranked = bound.operation == "best" or (bound.operation == "compare" and bound.end in ("low", "high"))
    return best_readings(bound) if is_ranked else bound.readings


def names_from(bound: Bound) -> tuple[str, ...]:
    """Return the names that a step results in: the entities it found, or the text of the cell it read."""
    readings = results_of(bound)
    if bound.operation == "read":
        return tuple(dict.fromkeys(binding.text for reading in readings for binding in reading.found))
    return tuple(dict.fromkeys(reading.subject.text for reading in readings))


def value_from(bound: Bound) -> str | None:
    """Return the value that a step results in: its one cell, or the computed number; None if there is no
    single value.
    """
    readings = results_of(bound)
    if any(len(reading.found) > 1 for reading in readings):
        return None
    texts = [value_of(reading.found[0]) for reading in readings]
    if bound.operation in COMPUTED:
        quantities = amounts_of(bound, texts)
        result = None if quantities is None else computed(bound.operation, quantities, texts)
        return None if result is None else f"{result:g}"
    if len(texts) != 1 or is_range(texts[0]):
        return None
    number = number_of(texts[0], readings[0].found[0].label)
    return texts[0] if number is None else f"{number:g}"


def can_be_ranked(bound: Bound) -> bool:
    """True for one computed number; a ratio only if the first number is not less than the second."""
    if bound.operation not in COMPUTED or value_from(bound) is None:
        return False
    texts = [value_of(reading.found[0]) for reading in bound.readings]
    numbers = [quantity.number for quantity in amounts_of(bound, texts) or ()]
    return bound.operation != "ratio" or numbers[0] >= numbers[1]


def _is_uncomputed(bound: Bound) -> bool:
    """True if the values are not numbers of one unit, or not as many as the operation takes."""
    return bound.operation in COMPUTED and value_from(bound) is None


def _with_operation(bound: Bound, step: PlanStep) -> Bound:
    """Return the binding with the operation of the step."""
    if step.operation in ENDS and step.top > 1:
        return replace(bound, operation="order")
    return replace(bound, operation=_OVER_VALUES.get(step.operation, bound.operation))


def _labelled(reading: Reading) -> Reading:
    """Return the reading with its label in the name, to distinguish it from another of the same name."""
    subject = replace(reading.subject, text=f"{reading.subject.text}, {reading.found[0].label}")
    return replace(reading, subject=subject)


def limit_of(number: Number, texts: Sequence[str], condition: Condition, stating: StepLinker) -> Limit:
    """Return the number of a condition as a limit, with the unit of the values."""
    unit = unit_behind(stating.tagged(condition.value), number, texts)
    return Limit(number, unit, condition.relation == "is not")


def _asked(measure: str, subjects: Sequence[NamedSubject]) -> str:
    """Return what is asked about entities, in words: *roll to hit of thief (level 3) and cleric (level 9)*."""
    return f"{measure} of {' and '.join(subject.described for subject in subjects)}"
