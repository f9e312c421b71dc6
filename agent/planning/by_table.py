"""Bind a step over a kind to the one table that has all its headers, in either orientation.

A model that was shown a table's headers and rows copies them into a step. So if the words of the step match no kind of
the collection, its members are the rows of the one table whose columns are the measures, or the columns of the one
whose rows are the measures. The table's names or its rows must have the words of the kind. A word that the collection
knows and this table lacks belongs to another table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from agent.languages.operations import End, Operation
from agent.reasoning.binding.stepwise import BoundStep, StepBinder, limit_of
from agent.reasoning.kinds.member import FEWEST, Value
from agent.reasoning.kinds.readings import numbered, reading_of
from agent.reasoning.measures.direction import end_of
from agent.understanding.linking.program import Bound, Reading
from agent.understanding.linking.stated import ENDS
from agent.understanding.question.plan_step import Condition, NamedSubject, PlanStep
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells, Place, grids_of
from retrieval.tables.match import same_word
from retrieval.tables.names import key_of
from retrieval.tables.writing import Kind
from retrieval.text.normal import content_words, phrase

_MOST = 120
"""Most tables with a header that are considered."""
_COUNTED: Mapping[str, Operation] = {"count": "count", "list": "list", "read": "list", "compare": "list"}


@dataclass(frozen=True, slots=True)
class _Member:
    """A row, or a column of a transposed table, with the cell of each measure."""

    name: str
    words: frozenset[str]
    values: tuple[Value, ...]

    def reading(self, place: int = 0) -> Reading | None:
        """Return its reading of one of the measures; None if the cell is empty."""
        value = self.values[place]
        return reading_of(self.name, value, value.row) if value.text.strip() else None


def bound_by_table(step: PlanStep, steps: StepBinder) -> Bound | None:
    """Return the cells of a step over a kind in the one table with its measures; None if it is not exactly one."""
    asked = (*step.measures[:1], *(condition.measure for condition in step.where))
    if not asked or step.operation not in (*ENDS, *_COUNTED):
        return None
    by_words: dict[int, list[list[_Member]]] = {}
    for told, members in _tables(asked, step.kind, steps.binder.index):
        by_words.setdefault(told, []).append(members)
    telling = by_words[max(by_words)] if by_words else []
    return _bound(step, telling[0], steps) if len(telling) == 1 else None


def named_in_table(step: PlanStep, steps: StepBinder) -> BoundStep | None:
    """Return the cells of named subjects in the one table with all of them and all measures, by their whole names; None
    if it is not exactly one. A whole name is not matched with a part of another.
    """
    names = [phrase(subject.name) for subject in step.subjects]
    has_keys = any(subject.keys for subject in step.subjects)
    if has_keys or step.where or step.of or not step.measures or step.operation in ("list", "count"):
        return None
    found = []
    for pieces in _tables_with_measure(step.measures, steps.binder.index):
        members = _all_members(pieces, step.measures)
        own = {phrase(member.name): member for member in members}
        if own.keys() >= set(names) and len(own) == len(members):
            found.append(list(map(own.__getitem__, names)))
    return _of_members(found[0], step, steps) if len(found) == 1 and len(set(names)) == len(names) else None


def _of_members(members: Sequence[_Member], step: PlanStep, steps: StepBinder) -> BoundStep | None:
    """Bind the step to its members: each measure of all of them, or a computation over the values of one."""
    bounds = []
    for place in range(len(step.measures)):
        readings = tuple(filter(None, (member.reading(place) for member in members)))
        if len(readings) < len(members):
            return None
        label = readings[0].best.label
        linked = steps.stating.of_named(label, [reading.subject for reading in readings], step.operation)
        bounds.append(Bound(linked, readings, label))
    if step.operation == "read":
        return BoundStep(tuple(bounds))
    together = [bounds] if len(members) == 1 else [[bound] for bound in bounds]
    joined = tuple(filter(None, (steps.joined(some, step) for some in together)))
    return BoundStep(joined) if len(joined) == len(together) else None


def transposed(step: PlanStep) -> PlanStep | None:
    """Return a step of named subjects transposed: row labels for column headers, or the name of a table for one of its
    headers. None if that asks for something else.
    """
    keys = {subject.keys for subject in step.subjects}
    if len(keys) != 1 or not step.measures or step.where or step.operation in (*ENDS, "list", "count"):
        return None
    subjects = tuple(NamedSubject(measure, *keys) for measure in step.measures)
    return replace(step, subjects=subjects, measures=tuple(subject.name for subject in step.subjects))


def _tables(asked: Sequence[str], kind: str, index: Cells) -> Iterator[tuple[int, list[_Member]]]:
    """Yield the members of each table with all measures, and how many words of the kind name the table."""
    words = content_words(kind)
    for pieces in _tables_with_measure(asked, index):
        called = frozenset().union(*(grid.context | grid.kinds for _, grid in pieces))
        left = {word for word in words if not any(same_word(word, other) for other in called)}
        members = _all_members(pieces, asked)
        some = [member for member in members if left <= member.words]
        if len(some) >= FEWEST:
            yield len(words) - len(left), some
        elif members and not any(index.of_kind(word) or index.names_with_words([word]) for word in left):
            yield len(words) - len(left), members


def _tables_with_measure(asked: Sequence[str], index: Cells) -> Iterable[list[tuple[int, Grid]]]:
    """Return the tables with the first measure, or the end of its name, as a column or row, with all their pieces."""
    words, places = phrase(asked[0]), list[Place]()
    while words and not places:
        places, words = index.places([key_of(words)], (Kind.COLUMN, Kind.ROW)), words[1:]
    whole: dict[str, list[tuple[int, Grid]]] = {}
    for number in grids_of(places)[:_MOST]:
        grid = index.grid(number)
        if not grid.table.is_record and not grid.is_cut_row:
            whole.setdefault(grid.table_id, []).append((number, grid))
    return whole.values()


def _all_members(pieces: Iterable[tuple[int, Grid]], asked: Sequence[str]) -> list[_Member]:
    """Return the members of all pieces of a table."""
    return list(chain.from_iterable(_members(number, grid, asked) for number, grid in pieces))


def _members(number: int, grid: Grid, asked: Sequence[str]) -> Iterator[_Member]:
    """Yield the rows of a table with the measures as columns; else the columns of one with the measures as rows."""
    columns = _places(asked, list(map(phrase, grid.column_labels)), grid)
    rows = _places(asked, [phrase(path[-1]) if path else () for path in grid.row_paths], grid)
    if columns and 0 not in columns:
        for row in dict.fromkeys(row for row, _ in grid.places()):
            values = tuple(Value.of(grid.column_labels[at], number, grid, row, at) for at in columns)
            yield _Member(grid.row_names(row)[-1], frozenset(phrase(" ".join(grid.row_paths[row]))), values)
    elif rows:
        for column, head in enumerate(grid.column_labels[1:], start=1):
            values = tuple(Value.of(grid.row_names(at)[-1], number, grid, at, column) for at in rows)
            yield _Member(head, frozenset(phrase(head)), values)


def _places(asked: Sequence[str], names: Sequence[Sequence[str]], grid: Grid) -> list[int]:
    """Return the place of each measure among some headers or rows; a measure may begin with words of the table's name.
    Return nothing if a measure is missing.
    """
    places = []
    for words in map(phrase, asked):
        ends = [at for at, name in enumerate(names) if name and words[-len(name) :] == tuple(name)]
        place = max(ends, key=lambda at: len(names[at]), default=None)
        if place is None or not grid.context.issuperset(words[: len(words) - len(names[place])]):
            return []
        places.append(place)
    return places


def _bound(step: PlanStep, members: Sequence[_Member], steps: StepBinder) -> Bound | None:
    """Return the binding of the members that meet the conditions."""
    unsure = list[Reading]()
    for place, condition in enumerate(step.where, start=len(step.measures[:1])):
        judged = _judged(members, place, condition, steps)
        if not judged:
            return None
        members = [member for member, _, is_met in judged if is_met]
        unsure += [reading for _, reading, is_met in judged if is_met is None]
    readings = tuple(filter(None, (member.reading() for member in members)))
    every = (*readings, *unsure)
    if not every:
        return None
    label = every[0].best.label
    linked = steps.stating.of_named(label, [each.subject for each in readings], "read")
    linked = replace(linked, question=steps.stating.of_kind(step, label))
    bound = Bound(linked, readings, label, _COUNTED.get(step.operation, "best"), unsure=tuple(unsure))
    return bound if step.operation in _COUNTED else _ranked(bound, step, steps)


def _judged(
    members: Sequence[_Member], place: int, condition: Condition, steps: StepBinder
) -> list[tuple[_Member, Reading, bool | None]]:
    """Return the members with a value, the value, and whether it meets a condition; empty if the condition cannot be
    compared with values.
    """
    held = [(member, reading) for member in members if (reading := member.reading(place)) is not None]
    limits = steps.stating.limits(condition)
    if len(limits) != 1:
        return []
    limit = limit_of(limits[0], [reading.best.text for _, reading in held], condition, steps.stating)
    return [(each, reading, limit.holds(reading.best.text, reading.best.label)) for each, reading in held]


def _ranked(bound: Bound, step: PlanStep, steps: StepBinder) -> Bound | None:
    """Return the best members, if enough of them have a number."""
    ranked, without = numbered(bound.readings, steps.stating.language)
    if len(ranked) < (1 if step.where else FEWEST):
        return None
    end: End | None = ENDS[step.operation]
    if end in ("better", "worse"):
        end = end_of(bound.linked.question, bound.measure, value=ranked[0].best.text)
    if end not in ("low", "high"):
        return None
    return replace(bound, readings=ranked, without_value=without, end=end, top=step.top)
