"""Amounts of what has a value for each: *what do two nights at Wick cost*, *what do three Kites and a Tern weigh*."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from agent.reasoning.derived.derivation import Derivation, for_question
from agent.reasoning.derived.numbers.counted_out import without_portions
from agent.reasoning.kinds.asked import is_unknown
from agent.reasoning.measures.dimensions import rated_by
from agent.reasoning.values.dates import date_of
from agent.understanding.linking.mentions import THINGS
from agent.understanding.linking.program import Bound, Reading
from agent.understanding.question.conditions import free_numbers
from agent.understanding.question.numbers import Number
from agent.understanding.question.tagged import Tagged
from retrieval.tables.index import Cells
from retrieval.tables.match import matches_any
from retrieval.tables.names import name_keys
from retrieval.tables.writing import Kind
from retrieval.text.normal import number, phrase

_DIGITS = 3
"""The most digits of a number that counts; longer ones may be years."""


def amounts(question: Tagged, index: Cells) -> Iterable[Derivation]:
    """Yield the questions for one of each, with the amounts that multiply them.

    >>> from agent.understanding.question.tagged import tagged
    >>> from retrieval.tables.index import CellIndex
    >>> [each.questions for each in amounts(tagged("What do two nights in Wick cost?"), CellIndex.build([]))]
    [('what do per night in wick cost',)]
    """
    numbers = free_numbers(question)
    free = [n for n in numbers if n.limit is None]
    if question.negated or question.end is not None or len(free) < len(numbers) or not free:
        return
    if not all(_counts(n, question) for n in free):
        return
    if len(free) == 1 and question.operation in (None, "total"):
        yield from _by_rate(question, free[0], index)
    counted = _counted(question, free, index)
    if len(free) == 1 and len(question.names) > 1 and _adds_up(question):
        places = [i for i in range(len(question.tokens) - 1) if i != free[0].place]
        yield Derivation(
            (" ".join(without_portions(places, question, index)),), partial(_of_one, question, free[0], index)
        )
    if len(counted) == len(free) and question.operation in (None, "total") and _adds_up(question):
        taken = {n.place for n in free}
        places = [i for i in range(len(question.tokens) - 1) if i not in taken]
        text = " ".join(without_portions(places, question, index))
        yield Derivation((text,), partial(_of_several, question, counted, index))
        yield Derivation((_priced(question, list(counted)),), partial(_of_several, question, counted, index))


def counted_names(question: Tagged, index: Cells) -> Sequence[Derivation]:
    """Return the questions without their numbers, if each counts the name behind it in a sum: *two adults and a child*.
    Without a word for a sum, several things are named, and of one there are several: *a sword and two daggers*.
    """
    free = free_numbers(question)
    starts = {name.start for name in question.names}
    is_counted = bool(free) and all(n.limit is None and n.place + 1 in starts for n in free)
    if not is_counted or question.negated or question.end is not None or not _adds_up(question):
        return ()
    things = {each.start for each in question.names if index.places([each.key], THINGS)}
    is_sum = len(things) > 1 and question.operation is None and any(number(n.value) > 1 for n in free)
    found = amounts(question, index)
    return tuple(found) if is_sum else tuple(islice(found, 1)) if question.operation == "total" else ()


def _priced(question: Tagged, keys: Sequence[str]) -> str:
    """Return the question what some named entities cost, together if they are several."""
    language = question.language
    names = [" ".join(question.tokens[name.start : name.end]) for name in question.names if name.key in keys]
    text = language.wordings["cost"].format(name=language.wordings["both"].join(names))
    return f"{text} {language.wordings['together']}" if len(names) > 1 else text


def _counts(n: Number, question: Tagged) -> bool:
    """True for a number before what it counts: not for a year, nor for one behind a preposition, *a child of 13*."""
    language, tokens = question.language, question.tokens
    before, behind = tokens[n.place - 1] if n.place else "", tokens[n.place + 1]
    is_noun = behind.isalpha() and behind not in language.asking | language.function_words | language.helpers
    is_year = date_of(n.value) is not None and len(n.value) > _DIGITS
    return is_noun and not is_year and before not in language.partitive | language.statement_words("places")


def _counted(question: Tagged, free: Sequence[Number], index: Cells) -> dict[str, Number]:
    """Return the number of each named entity: that before it, *three Kites* or *three pieces of the Kite*."""
    found: dict[str, Number] = {}
    things = [name for name in question.names if index.places([name.key], (Kind.ROW, Kind.TITLE, Kind.SUBJECT))]
    beside = {name.start: name for name in question.names}
    if all(n.place + 1 in beside for n in free):
        return {beside[n.place + 1].key: n for n in free}
    for n in free:
        name = next((name for name in things if name.start > n.place), None)
        others = [other for other in free if name is not None and n.place < other.place < name.start]
        if name is not None and not others:
            found[name.key] = n
    return found


def _by_rate(question: Tagged, asked: Number, index: Cells) -> Iterable[Derivation]:
    """Yield the question for the value per unit: *per night* instead of *two nights*."""
    language, tokens = question.language, question.tokens[:-1]
    unit = "".join(tokens[asked.place + 1 : asked.place + 2])
    if not any(unit in each.units for each in language.dimensions):
        return
    start = asked.place - (tokens[asked.place - 1] in language.of_each) if asked.place else 0
    behind = asked.place + 2 + (tokens[asked.place + 2 : asked.place + 3] in [(of,) for of in language.partitive])
    text = " ".join((*tokens[:start], language.wordings["rate"], unit, *tokens[behind:]))
    yield Derivation((text,), partial(_times, question, number(asked.value), unit, index))


def _adds_up(question: Tagged) -> bool:
    """True if the question asks what things cost or weigh, which several of them do together."""
    language = question.language
    told = language.prices.union(*(each.verbs for each in language.dimensions))
    return question.operation == "total" or not told.isdisjoint(question.tokens)


def _times(question: Tagged, amount: float, unit: str, index: Cells, bounds: Sequence[Bound]) -> Bound | None:
    """Return the value for each unit with the amount; None if its label says that it is for something else."""
    (bound,) = bounds
    if not bound.is_one_value:
        return None
    best = bound.readings[0].best
    told = (best.label, best.text, best.grid.table.caption, best.grid.title)
    rates = rated_by(next((text for text in told if rated_by(text, question.language)), ""), question.language)
    if rates != {unit} and phrase(best.label) != (unit,):  # under *Night*
        return None
    return _accounted(replace(for_question(question, bound), operation="total", factors=(amount,)), index)


def _of_one(question: Tagged, n: Number, index: Cells, bounds: Sequence[Bound]) -> Bound | None:
    """Return one value with the amount of it."""
    (bound,) = bounds
    if not bound.is_one_value or not _is_unit_of(bound, n, question):
        return None
    return _accounted(replace(for_question(question, bound), operation="total", factors=(number(n.value),)), index)


def _of_several(question: Tagged, counted: dict[str, Number], index: Cells, bounds: Sequence[Bound]) -> Bound | None:
    """Return the values of the named entities, each with its amount."""
    (bound,) = bounds
    if bound.operation not in ("read", "compare", "total") or any(len(each.found) > 1 for each in bound.readings):
        return None
    if not all(_is_unit_of(bound, n, question) for n in counted.values()):
        return None
    factors = tuple(_amount(reading, counted) for reading in bound.readings)
    if sum(factor != 1 for factor in factors) < sum(number(n.value) != 1 for n in counted.values()):
        return None
    return _accounted(replace(for_question(question, bound), operation="total", factors=factors, end=None), index)


def _accounted(bound: Bound, index: Cells) -> Bound:
    """Return the amounts with a doubt about a word of the collection that nothing of them matches: *with a crane*."""
    question, language = bound.linked.question, bound.linked.question.language
    told = {word for reading in bound.readings for word in _words_around(reading)}
    idle = language.light_words | language.buying | language.prices | language.asking
    verbs = frozenset().union(*(each.verbs | each.units for each in language.dimensions))
    left = [word for _, word in question.words() if word not in idle | verbs and not matches_any(word, told)]
    known = [word for word in left if not is_unknown(word, question, index)]
    unmatched = tuple(dict.fromkeys((*bound.unmatched_question_words, *(word for word in left if word not in known))))
    return replace(bound, doubtful_word=next(iter(known), bound.doubtful_word), unmatched_question_words=unmatched)


def _words_around(reading: Reading) -> set[str]:
    """Return the words of a value's row, column and table, and of its subject."""
    best, cell = reading.best, reading.best.cell
    texts = best.label, reading.subject.text, *cell.row_path, cell.column_label, cell.caption, cell.title
    return {*best.grid.context, *(word for text in texts for word in phrase(text))}


def _is_unit_of(bound: Bound, n: Number, question: Tagged) -> bool:
    """False if a unit follows the number and the values are no rates by it: *three nights* of a price per week."""
    unit = question.tokens[n.place + 1]
    if unit not in question.language.units:
        return True
    best = bound.readings[0].best
    told = (best.label, best.text, best.grid.table.caption, best.grid.title)
    return any(unit in rated_by(text, question.language) for text in told)


def _amount(reading: Reading, counted: dict[str, Number]) -> float:
    keys = {reading.subject.key, *name_keys(reading.name)}
    return next((number(n.value) for key, n in counted.items() if key in keys), 1.0)
