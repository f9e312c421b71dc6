"""Bind a linked question to cells, and check that no word of it is unaccounted for.

A *whole* binding promises that the subject is the one asked about, that the cell is chosen by every number of the
question, that its label was asked for, that no word contradicts it, and that the answer has the kind asked for. The
structure of the collection decides: a word that the collection knows as something else is a contradiction, an unknown
word is a note. A partial binding is left to other reasoners, or shown as partial.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice

from agent.languages.operations import SUMS, Operation
from agent.reasoning.binding.by_lines import by_lines
from agent.reasoning.binding.by_rows import by_rows
from agent.reasoning.binding.checks import (
    falls,
    is_crossed,
    is_in_other_unit,
    is_no_price,
    is_number,
    is_of_nothing,
    is_one_cell,
    is_one_each,
    leaves_alternatives,
    leaves_operation,
    meaning,
    reads_range,
)
from agent.reasoning.binding.of_all import all_of, of_all
from agent.reasoning.binding.plain_forms import plain_forms
from agent.reasoning.binding.ranked_by_label import ranked_by_label
from agent.reasoning.binding.restated import restated, said_first
from agent.reasoning.binding.unticked import unticked
from agent.reasoning.coverage.accounting import Coverage
from agent.reasoning.derived.both_questions import both_questions
from agent.reasoning.derived.forms import derived, derived_else
from agent.reasoning.kinds.asked import kind_asked
from agent.reasoning.measures.direction import end_here, end_of
from agent.reasoning.selection.among import is_among
from agent.reasoning.selection.another_kind import lists_another_kind, reads_no_member
from agent.reasoning.selection.apart import all_but, beyond, exclusion_in, same_as, those_beyond, with_value
from agent.reasoning.selection.both import halves_of_both, met_by_both
from agent.reasoning.selection.by_value import by_value
from agent.reasoning.selection.distinct import distinct
from agent.reasoning.selection.either import either_condition, halves, united
from agent.reasoning.selection.nearest_kind import by_nearest_kind
from agent.reasoning.selection.of_best import of_best
from agent.reasoning.selection.of_those import of_those
from agent.reasoning.selection.selected import selected
from agent.reasoning.series.along import along_axis
from agent.reasoning.subjects.candidates import candidates_of
from agent.reasoning.subjects.nearest import by_nearest_label, takes_another_measure
from agent.reasoning.subjects.nearest_cell import by_nearest_cell, is_in_doubt, is_same
from agent.reasoning.subjects.nearest_measure import by_nearest_measure
from agent.reasoning.subjects.reading import reading_of
from agent.reasoning.values.comparable import comparable, is_one_measure
from agent.reasoning.values.ranges import upper_ends
from agent.understanding.linking.background import ComputeQueue
from agent.understanding.linking.linkings import linkings
from agent.understanding.linking.lists import are_nested, each_measure
from agent.understanding.linking.mentions import THINGS, mentions_of
from agent.understanding.linking.nearness import LabelRequests, with_model, without_model
from agent.understanding.linking.program import Bound, Linked, Reading
from agent.understanding.question.conditions import numbers_of
from agent.understanding.question.explained import with_bracketed_measure
from agent.understanding.question.tagged import Tagged, tagged, without_context
from agent.understanding.rewording.for_best import for_first, for_highest, is_counted
from agent.understanding.rewording.rewordings import Reworded, rewordings
from agent.understanding.rewording.singles import answers_first_only, without_value_question
from agent.understanding.words.clauses import tokens_of, written
from retrieval.embedding.protocol import Embedder
from retrieval.tables.index import Cells

MOST_WAYS = 16
"""The most interpretations of a question that are tried; a question with more of them asks for no cell."""
MOST_NEAR = 2
"""The most interpretations that are tried to find the nearest label."""
_SEVERAL = 2
_OF_SEVERAL: tuple[Operation | None, ...] = (*SUMS, "difference", "ratio", "order")
"""The operations on values of several subjects."""


@dataclass(frozen=True, slots=True)
class Binder:
    """Binds questions to the cells of one collection; without an `embedder`, labels match by words only."""

    index: Cells
    embedder: Embedder | None = None
    thinking: ComputeQueue = field(default_factory=ComputeQueue)
    """Where bindings are computed: several at once would not be faster, and would all hold up the event loop."""

    @property
    def coverage(self) -> Coverage:
        """The check whether cells account for a question."""
        return Coverage(self.index)

    async def bind(self, question: str) -> Bound | None:
        """Return the best whole binding of a question, by words alone if they leave no doubt; None if there is none."""
        bound = await self.thinking.do(partial(self.bind_by_words, question))
        if self.embedder is None or (bound is not None and not is_in_doubt(bound)):
            return bound
        return await with_model(self._binding(question), self.embedder, self.thinking)

    async def bind_linked(self, linked: Linked) -> Bound | None:
        """Return the cells of the subjects of a linked question; None if it has no whole binding."""
        if self.embedder is None:
            return await self.thinking.do(partial(without_model, self._bound(linked)))
        return await with_model(self._bound(linked), self.embedder, self.thinking)

    def bind_by_words(self, question: str) -> Bound | None:
        """Return the best binding of a question by its words alone, without a model. This blocks."""
        return without_model(self._binding(question))

    def _binding(self, question: str) -> LabelRequests[Bound | None]:
        """Return the binding by words, or by similarity if that is missing or in doubt; for two questions, of both."""
        if (both := both_questions(self._tagged(question), self.index)) is not None:
            return (yield from both.bound(self._binding))
        bound = yield from self._by_words(question)
        if self.embedder is None or (bound is not None and not is_in_doubt(bound)):
            return bound
        asked = self._tagged(without_value_question(question))
        for by_nearest in (by_nearest_cell, by_nearest_kind, by_nearest_measure):
            near = yield from by_nearest(asked, self.index)
            if near is not None and not takes_another_measure(near, asked, self.index):
                return near if bound is None or is_same(near, bound) else bound
        return bound

    def _by_words(self, question: str) -> LabelRequests[Bound | None]:
        text, taken = yield from self._restated(without_value_question(question))
        forms = list(plain_forms(text, self.index))
        ways = list[Reworded]()
        for way in chain.from_iterable(rewordings(form, self.index) for form in forms):
            bound = yield from self._worded(way.text)
            if bound is not None and not answers_first_only(bound, way.text):
                return meaning(bound, {**taken, **way.replacements})
            ways += [way] if way.replacements else []
        text = forms[0]
        bound = yield from self._in_one_table((Reworded(text, {}), *ways))
        bound = bound or (yield from self._by_nearest_label(text))
        return None if bound is None or answers_first_only(bound, question) else bound

    def _restated(self, text: str) -> LabelRequests[Reworded]:
        """Return the question as its second part restates it, if its first part alone leaves a word unmatched; else as
        it is.
        """
        again = restated(text, self._tagged, self.index)
        bound = (yield from self._worded(said_first(text))) if again.replacements else None
        return again if bound is None or bound.unmatched_question_words else Reworded(text, {})

    def _in_one_table(self, ways: Iterable[Reworded]) -> LabelRequests[Bound | None]:
        """Return the binding to rows or lines of one table, of the first wording that has one."""
        for reworded, taken in ways:
            whole = self._tagged(reworded, heeding_all=True)
            bound = by_rows(whole, self.index)
            if bound is None or bound.doubtful_word:
                told = yield from by_lines(whole, self.index)
                bound = told if bound is None or (told is not None and not told.doubtful_word) else bound
            if bound is not None:
                return meaning(bound, taken)
        return None

    def _by_nearest_label(self, text: str) -> LabelRequests[Bound | None]:
        """Return the values of the subjects under the label nearest to what is asked, if no binding by words exists."""
        if self.embedder is None:
            return None
        question = self._tagged(text)
        if question.negated or question.prose or any(number.limit for number in question.numbers):
            return None
        plain = [question.as_words()] if question.operation in _OF_SEVERAL else []
        for asked in (question, *plain):
            for linked in islice(linkings(asked, self.index), MOST_NEAR):
                bound = yield from self._near(linked)
                if bound is None or (asked is not question and leaves_operation(bound, question)):
                    continue
                if not takes_another_measure(bound, question, self.index):
                    return bound
        return None

    def _near(self, linked: Linked) -> LabelRequests[Bound | None]:
        """Return the values of the subjects under the nearest label."""
        alone = len(linked.subjects) < _SEVERAL
        if not linked.subjects or linked.is_ambiguous or (alone and linked.question.compares):
            return None
        found = [candidates_of(linked, subject, self.index) for subject in linked.subjects]
        readings = (yield from by_nearest_label(linked, comparable(found))) if all(found) else None
        return None if readings is None else (yield from self._whole(linked, readings))

    def _worded(self, text: str) -> LabelRequests[Bound | None]:
        """Return the binding of one wording of the question: by its asking part, or else by the measure in
        its bracket.
        """
        found = self._tagged(text)
        bind = partial(self._in_any_words, text)
        told = yield from derived(found, self.index, self._tagged, bind)
        told = told or (yield from self._plain(found))
        return told or (yield from derived_else(found, self.index, bind))

    def _in_any_words(self, whole: str, text: str) -> LabelRequests[Bound | None]:
        """Return the binding of the first rewording that has one, of a plainer question for a whole one."""
        ways = list(rewordings(written(text.split(), whole), self.index))
        for way in ways:
            bound = yield from self._worded(way.text)
            if bound is not None:
                return meaning(bound, way.replacements)
        told = yield from self._in_one_table(ways)
        return None if told is None or told.doubtful_word else told

    def _plain(self, found: Tagged) -> LabelRequests[Bound | None]:
        """Return the binding of one wording without a computation over plainer questions."""
        if (exclusion := exclusion_in(found)) is not None:
            return (yield from exclusion.bound(self._worded))
        if halves := halves_of_both(found, self.index):
            bounds = []
            for half in halves:
                bounds.append((yield from self._worded(half)))
            if (both := met_by_both(bounds, found)) is not None:
                return both
        told = along_axis(found, self.index) or unticked(found, self.index)
        told = told or by_value(found, self.index, self._tagged)
        if told is not None:
            return told
        bound = yield from self._read(found)
        in_bracket = with_bracketed_measure(found, self.index.measure_words) if bound is None else None
        bound = bound if in_bracket is None else (yield from self._read(in_bracket))
        bound = bound or by_value(found, self.index, self._tagged, in_doubt=True)
        if bound is None and (ranking := ranked_by_label(found)):
            bound = yield from self._read(ranking)
        return bound

    def _read(self, question: Tagged) -> LabelRequests[Bound | None]:
        """Return the binding of a parsed question: values of named entities, or else members of a kind."""
        if question.prose and not question.numbers:
            return None  # *what happens if …*; a row answers *what happens on a roll of 50*
        if (than := beyond(question)) is not None:
            best = self._of_kind(self._tagged(than.text), limited=False)
            if (told := those_beyond(than, best, question)) is not None:
                return told
        if (same := same_as(question, self.index)) is not None:
            own = yield from self._of_named(self._tagged(same.own))
            others = with_value(same, own)
            return all_but(same, self._of_kind(self._tagged(others), limited=False), question) if others else None
        if (told := is_among(question, self.index, self._tagged)) is not None:
            return told
        limited = any(number.limit for number in numbers_of(question))
        bound = None if limited or question.negated else (yield from self._of_named(question))
        return bound or self._of_kind(without_context(question), limited=limited)

    def _of_named(self, question: Tagged) -> LabelRequests[Bound | None]:
        """Return the values of the entities that a question names; None if it asks which members of a kind they are."""
        bound = yield from self._linked(question)
        if bound is None and question.operation in _OF_SEVERAL:
            bound = self._of_kind(question, limited=False) if for_highest(question) else None
            if bound is not None:
                return bound
            bound = yield from self._linked(question.as_words())
            if bound is not None and leaves_operation(bound, question):
                return None
        if bound is None and question.soft:
            bound = yield from self._linked(replace(question, soft=frozenset()))
        if bound is None or reads_no_member(bound, question, self.index):
            return None
        return None if leaves_alternatives(bound, question, self.index) else bound

    def _of_kind(self, question: Tagged, *, limited: bool) -> Bound | None:
        """Return the members of a kind that are asked for."""
        if highest := for_highest(question):
            told = of_all(self._of_kind(self._tagged(highest), limited=limited), question)
            if told is not None or not is_counted(question):
                return told
        if first := for_first(question):
            return all_of(self._of_kind(self._tagged(first), limited=False), question)
        if (asked := of_best(question, self.index)) is not None:
            best = selected(self._tagged(" ".join(asked.best)), self.index, asked.measure)
            best = best if best is not None and best.operation == "best" else None
            if best is not None or asked.is_sure:
                return best
        if question.end is not None and not (question.best or limited):
            return selected(question.without_end(), self.index) if question.has_plain_end else None
        chosen = of_those(question, self.index, self._tagged, self._selected) or self._selected(question)
        if chosen is None or lists_another_kind(chosen, question, self.index):
            return distinct(question, self.index)
        return chosen

    def _selected(self, question: Tagged) -> Bound | None:
        """Return the members of a kind that are asked for; of two kinds or conditions joined by *or*, those of both."""
        own = either_condition(question, self.index)
        bounds = [selected(self._tagged(text), self.index) for text in own or halves(question, self.index)]
        return united(bounds, question, is_of_conditions=bool(own)) if bounds else selected(question, self.index)

    def _linked(self, found: Tagged) -> LabelRequests[Bound | None]:
        """Return the first interpretation of the question's names that gives one value each, or else the first that
        binds.
        """
        several: Bound | None = None
        listed = set[str]()
        for linked in islice(linkings(found, self.index), MOST_WAYS):
            if self._is_of_measures(linked):
                listed.update(subject.key for subject in linked.subjects)
                continue
            measures = each_measure(linked)
            bound = yield from self._each_measure(linked, measures)
            if bound is None and not are_nested(measures):
                bound = yield from self._bound(linked)
            if bound is not None and len(bound.readings) == 1 and bound.readings[0].subject.key in listed:
                continue  # one of the measures in a list, without the others
            if bound is not None and is_one_each(bound):
                return bound
            several = several or bound
        return several

    def _is_of_measures(self, linked: Linked) -> bool:
        """True if the supposed subjects are measures of another subject: *the cost and reach of a spear*."""
        keys = [subject.key for subject in linked.subjects]
        is_pinned = any(subject.keys for subject in linked.subjects)
        if len(keys) < _SEVERAL or is_pinned or linked.question.compares or not linked.others:
            return False
        return not self.index.places(keys, THINGS)

    def _each_measure(self, linked: Linked, measures: Sequence[Linked]) -> LabelRequests[Bound | None]:
        """Bind the question for each of the `measures` that it lists; None if one of them has no value."""
        is_judged = linked.question.end is not None or linked.question.operation not in (None, "count", "compare")
        bounds: list[Bound] = []
        for one in () if is_judged else measures:
            bound = yield from self._bound(one)
            if bound is None or not is_one_each(bound):
                return None
            bounds.append(bound)
        if len({bound.measure for bound in bounds}) < _SEVERAL:
            return None
        readings = tuple(bound.readings[n] for n in range(len(linked.subjects)) for bound in bounds)
        unmatched = tuple(dict.fromkeys(word for bound in bounds for word in bound.unmatched_question_words))
        told = ", ".join(bound.measure for bound in bounds)
        return Bound(linked, readings, told, "read", unmatched_question_words=unmatched)

    def _tagged(self, question: str, *, heeding_all: bool = False) -> Tagged:
        """Return the question parsed with the names in it; with `heeding_all`, no part of it is set aside as
        context.
        """
        tokens = tuple(tokens_of(question))
        return tagged(question, mentions_of(tokens, self.index), self.index.measure_words, heeding_all=heeding_all)

    def _bound(self, linked: Linked) -> LabelRequests[Bound | None]:
        """Return the cells of the subjects; for one subject in a question that compares, the end of one value."""
        alone = len(linked.subjects) < _SEVERAL or linked.is_ambiguous
        if alone and linked.question.compares and linked.subjects:
            return (yield from self._end_of_one(linked))
        if not linked.subjects:
            return None
        found = [candidates_of(linked, subject, self.index) for subject in linked.subjects]
        if not all(found):
            return None
        found = comparable(upper_ends(found, linked.question))
        readings: list[Reading] = []
        for subject, some in zip(linked.subjects, found, strict=True):
            readings.append((yield from reading_of(linked, subject, some, self.coverage)))
        return (yield from self._whole(linked, readings)) if all(each.found for each in readings) else None

    def _end_of_one(self, linked: Linked) -> LabelRequests[Bound | None]:
        """Return the value that is a range and has the asked end: *the lowest temperature of the aster*, 5 to 18 °C."""
        question = linked.question
        asks_which = not question.language.kinds.isdisjoint(question.tokens[:1]) and bool(
            kind_asked(question, self.index)
        )
        if question.operation is not None or question.end is None or linked.is_ambiguous or asks_which:
            return None
        bound = yield from self._bound(replace(linked, question=question.without_end()))
        return replace(bound, linked=linked) if bound is not None and reads_range(bound) else None

    def _whole(self, linked: Linked, readings: Sequence[Reading]) -> LabelRequests[Bound | None]:
        """Return the question with its readings if each of them is whole."""
        notes: list[str] = []
        wrong = is_no_price, is_crossed, is_in_other_unit
        if any(is_wrong(each, linked.question) for is_wrong in wrong for each in readings):
            return None
        for reading in readings:
            left = yield from self.coverage.left_over(linked, reading)
            if left is None or (len(readings) > 1 and len(reading.found) > 1 and not linked.is_ambiguous):
                return None
            notes += left
        if any(len(reading.found) > 1 for reading in readings[1:]):
            return None
        if not is_one_measure([reading for reading in readings if not is_number(reading)]) or is_one_cell(readings):
            return None
        label = readings[0].best.label
        cell = readings[0].best.cell
        is_falling = falls(linked, readings[0], self.index)
        end = end_of(linked.question, label, f"{cell.caption} {cell.title}", value=cell.text, falls=is_falling)
        end = end_here(end, linked.question, label, self.index)
        if end is not None and is_of_nothing(label, cell.text, linked.question):
            return None
        operation: Operation = "read" if len(readings) < _SEVERAL else "compare"
        asked = linked.question.operation
        is_judged = end is not None and asked in SUMS  # *who is heavier on average*
        if operation == "compare" and asked is not None and asked in _OF_SEVERAL and not is_judged:
            operation = asked
        return Bound(linked, tuple(readings), label, operation, end, tuple(dict.fromkeys(notes)))
