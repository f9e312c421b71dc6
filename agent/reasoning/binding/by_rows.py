"""Bind a question to rows that several of its words match, if no name in the question leads to a cell.

The result is one value, a comparison of alternatives, or the best of the matching rows. Each word has to match a cell,
a column header or a name of the table; a word that the collection doesn't have leaves a doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from agent.languages.operations import End, Operation
from agent.reasoning.kinds.readings import ranked, reading_of
from agent.reasoning.measures.dimensions import asks_when, is_of_other_verb, measures_in
from agent.reasoning.measures.direction import end_of_cell
from agent.reasoning.rows.chosen_rows import Chosen, Row, RowSearch
from agent.reasoning.values.comparable import is_one_measure
from agent.reasoning.values.quantities import number_of
from agent.understanding.linking.program import Bound, Linked, Reading, Subject
from agent.understanding.question.ranking import rank_asked
from agent.understanding.question.sides import are_exclusive, joined
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import in_own_words
from retrieval.tables.index import Cells
from retrieval.tables.match import Fit, label_words
from retrieval.text.normal import is_number, phrase

_SEVERAL = 2
_FEWEST_WORDS = 2
"""The fewest matched words that identify a row."""


def by_rows(question: Tagged, index: Cells) -> Bound | None:
    """Return the binding to the rows that match the question's words; None if none match, or several tie."""
    limited = any(n.limit for n in question.numbers)
    if question.negated or question.prose or limited or rank_asked(question.question) > 1:
        return None
    search = RowSearch(question, index)
    if question.operation == "count":
        bound = _read(search)
        return bound if bound is not None and _is_amount(bound, search) else None
    for items in joined(question):
        if (bound := _compared(search, items)) is not None:
            return bound
    if question.best:
        return _best(search)
    return None if question.compares or are_exclusive(question) else _read(search)


def _is_amount(bound: Bound, search: RowSearch) -> bool:
    """True for a value that is a count: its label or its table has the counted word. In the second case another word
    and a number have to choose its row and column.
    """
    best, asked = bound.readings[0].best, set(search.answer)
    fit = best.fit
    if asked & fit.label:
        is_of_unit = bool(
            measures_in(best.text, search.question.language)
        )  # *3 TB* of *Data* doesn't answer *how many databases*
        return not is_of_unit or not asked.isdisjoint(phrase(best.label))
    return (
        bool(asked and fit.row)
        and asked.isdisjoint((*bound.unmatched_question_words, *fit.row))
        and any(map(is_number, fit.label))
    )


def _read(search: RowSearch) -> Bound | None:
    """Return the binding to one value."""
    found = search.chosen([word for _, word in search.words])
    reading = None if found is None else _reading(found, search.question)
    if found is None or reading is None:
        return None
    if asks_when(search.question) and not any(map(str.isdigit, reading.best.text)):
        return None
    return _bound(search, [found], (reading,), found.label)


def _compared(search: RowSearch, items: Sequence[range]) -> Bound | None:
    """Return the values of alternatives, each found without the words of the others."""
    question = search.question
    readings, told = list[Reading](), list[Chosen]()
    for item in items:
        others = {place for each in items if each is not item for place in each}
        found = search.chosen([word for place, word in search.words if place not in others])
        own = {question.tokens[place] for place in item}
        reading = None if found is None else _reading(found, question)
        if found is None or reading is None or own & set(found.left):
            return None
        words = question.tokens[item.start : item.stop]
        name = _as_written(found, own) or in_own_words(words, question.question)
        readings.append(replace(reading, subject=Subject(name, " ".join(words))))
        told.append(found)
    if len({reading.name for reading in readings}) < len(items) or not is_one_measure(readings):
        return None
    best = readings[0].best
    end = end_of_cell(question, best)
    asked = question.operation
    operation: Operation = asked if asked not in (None, "count") else "compare"
    return _bound(search, told, tuple(readings), best.label, operation, end)


def _best(search: RowSearch) -> Bound | None:
    """Return the best of the matching rows, named by what is asked for."""
    question = search.question
    if question.end is None or are_exclusive(question):
        return None
    found = search.chosen([word for _, word in search.words], search.answer)
    if found is None or len(found.rows) < _SEVERAL:
        return None
    readings = [_of(row, found, _called(row, found, search)) for row in found.rows]
    best = ranked(readings, question)
    if best is None:
        return None
    some, without, end = best
    return replace(_bound(search, [found], some, found.label, "best", end), without_value=without)


def _doubtful(search: RowSearch, found: Sequence[Chosen]) -> str:
    """Return the first unmatched word that is not next to a word matched by a cell. A word next to such a match is the
    asker's name for its column, as *schedule* in *the 20e schedule*.
    """
    tokens = search.question.tokens
    chosen = {word for each in found for word in each.by_cells}
    beside = set[str]()
    for one, other in pairwise(tokens):
        beside |= ({one} if other in chosen else set()) | ({other} if one in chosen else set())
    left = (word for each in found for word in each.left)
    return next((word for word in left if word not in beside), "")


def _reading(found: Chosen, question: Tagged) -> Reading | None:
    """Return the value of the matching row; None if several rows differ, or it is not the amount that is asked for."""
    if not (found.by_cells or len(found.rows) == 1):
        return None
    if found.told < _FEWEST_WORDS or found.is_named_in_part:
        return None
    text = found.texts[0]
    if len(set(found.texts)) > 1 or is_of_other_verb(text, question):
        return None
    if question.operation == "count" and number_of(text, found.label) is None:
        return None
    return _of(found.rows[0], found, found.name(found.rows[0]))


def _of(row: Row, found: Chosen, name: str) -> Reading:
    """Return the value of a row as the reading of a name."""
    fit = Fit(found.by_head, frozenset(), frozenset(), 1.0, found.by_cells)
    return reading_of(name, row.cells[found.column], row.member.at, fit)


def _called(row: Row, found: Chosen, search: RowSearch) -> str:
    """Return the cell of a row that is asked for, as the split in *on which split*; else the name of the row."""
    asked = search.answer[-1:]
    for cell in row.cells:
        is_asked = bool(asked) and cell.column != found.column and asked[0] in label_words(cell.label)
        text = cell.text.strip(" *")
        if is_asked and text and number_of(text) is None:
            return text
    return found.name(row)


def _as_written(found: Chosen, own: set[str]) -> str:
    """Return the cell of a row with the words of an alternative."""
    texts = [cell.text.strip(" *") for cell in found.rows[0].cells if own and own <= set(label_words(cell.text))]
    return min(texts, key=len, default="")


def _bound(
    search: RowSearch,
    found: Sequence[Chosen],
    readings: tuple[Reading, ...],
    label: str,
    operation: Operation = "read",
    end: End | None = None,
) -> Bound:
    """Return the binding, with the words that chose the rows and the unmatched ones."""
    chosen = frozenset[str]().union(*(each.by_head | each.by_cells for each in found))
    words = tuple(dict.fromkeys(word.text for _, word in search.words if word.text in chosen))
    left = tuple(dict.fromkeys(word for each in found for word in each.left))
    linked = Linked(search.question, (), words, " ".join(words))
    return Bound(linked, readings, label, operation, end, left, doubtful_word=_doubtful(search, found))
