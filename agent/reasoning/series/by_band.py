"""Look up a number in a table whose rows are bands of numbers: *who signs an order of £640*, *the fee for 12 cm*.

The amount stands in the question with its unit, and the words around it choose the table and the column. A word of the
collection that nothing of the table matches leaves a doubt, as the table may be about something else.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from agent.reasoning.coverage.counted_things import counts_another_thing
from agent.reasoning.coverage.heads import heads_of
from agent.reasoning.kinds.asked import is_unknown, kind_asked
from agent.reasoning.kinds.member import Value
from agent.reasoning.kinds.readings import reading_of
from agent.reasoning.measures.units import signs_by_name, unit_of
from agent.reasoning.values.comparing import asks_whether
from agent.reasoning.values.conditions import flag_of
from agent.reasoning.values.quantities import worths
from agent.understanding.linking.program import Bound, Linked
from agent.understanding.question.tagged import Tagged
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells
from retrieval.tables.match import any_matches, matches_any, measure_forms
from retrieval.text.bands import band_of, has_bands
from retrieval.text.normal import is_number, number, phrase

_AMOUNT = re.compile(
    r"(?<![\w.,])(?P<negative>[-−–]?)(?P<sign>[$£€¥₹]?)\s?(?P<number>\d[\d,]*(?:\.\d+)?)\s?(?P<percent>%?)"
)
_OPERATIONS = (None, "count", "order")
"""What a question may ask for, as its words say: an *order of £640* is to be signed, not put in order."""
_MOST_TABLES = 60
"""The most tables that are looked at."""


@dataclass(frozen=True, slots=True)
class _Amount:
    """The only number of a question, the word for its unit or the sign before it, and their places."""

    value: float
    unit: str
    places: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Found:
    """The row of a table that holds the amount, with the column that is asked for and the words that it matches."""

    grid: Grid
    number: int
    row: int
    column: int
    told: frozenset[str]


def by_band(question: Tagged, index: Cells, *, in_doubt: bool = False) -> Bound | None:
    """Return the value for the band that holds the question's only number; None without one, or if several tables fit
    equally. With `in_doubt`, words that the table does not have leave a doubt.
    """
    amount = _amount_in(question)
    if amount is None or question.negated or question.end is not None or question.operation not in _OPERATIONS:
        return None
    words = tuple(word for i, word in question.words() if i not in amount.places)
    found = sorted(_rows(amount, words, question, index), key=lambda each: -len(each.told))
    best = [each for each in found if len(each.told) == len(found[0].told)]
    if len(best) != 1 or not best[0].told:
        return None
    (one,) = best
    left = [word for word in words if word not in one.told and word not in question.language.light_words]
    known = [word for word in left if not is_unknown(word, question, index)]
    if left and not amount.unit:
        return None  # *a length of 501* is no worth, if nothing says what the number is of
    return None if known and not in_doubt else _bound(one, amount, left, known, question)


def _amount_in(question: Tagged) -> _Amount | None:
    """Return the only number of a question; None if there is none, or if it is a limit, a year or part of a name."""
    tokens = question.tokens
    named = {place for name in question.names for place in name.places}
    places = [i for i, token in enumerate(tokens) if is_number(token) and i not in named]
    limits = {n.place for n in question.numbers if n.limit is not None}
    if len(places) != 1 or limits:
        return None
    (place,) = places
    written = [
        match for match in _AMOUNT.finditer(question.question) if match["number"].replace(",", "") == tokens[place]
    ]
    sign = written[0]["sign"] or written[0]["percent"] if written else ""
    value = number(tokens[place])
    is_below = bool(written and written[0]["negative"]) and not tokens[place].startswith("-")
    behind = tokens[place + 1]
    unit = sign or (behind if _is_unit(behind, question) else "")
    taken = {place, *([place + 1] if unit and not sign else [])}
    return _Amount(-abs(value) if is_below else value, unit, frozenset(taken))


def _is_unit(word: str, question: Tagged) -> bool:
    return word in question.language.units or unit_of(word) is not None


def _rows(amount: _Amount, words: Sequence[str], question: Tagged, index: Cells) -> Iterator[_Found]:
    """Yield the rows that hold the amount, each with the column that the words ask for."""
    for number_ in _tables(words, amount, index):
        grid = index.grid(number_)
        for column in _band_columns(grid):
            texts = [row[column] for row in grid.table.rows]
            value = _in_unit_of(amount, texts, grid.column_labels[column], question)
            held = [] if value is None else [at for at, text in enumerate(texts) if _holds(text, value)]
            units = phrase(" ".join(band.unit for text in texts[:1] if (band := band_of(text)) is not None))
            around = {*grid.context, *phrase(grid.column_labels[column]), *units}
            labels = _asked_columns(grid, column, words, question)
            if len(held) == 1 and len(labels) == 1 and not _counts_another(grid, labels[0], question, index):
                told = around | {*phrase(grid.column_labels[labels[0]])}
                values = {word for row in grid.table.rows for word in phrase(row[labels[0]])}
                said = frozenset(word for word in words if word in values or _is_told(word, told, question))
                yield _Found(grid, number_, held[0], labels[0], said)


def _counts_another(grid: Grid, column: int, question: Tagged, index: Cells) -> bool:
    """True if a question counts something else than the numbers of a column: *how many toys*, by a *Charge per toy*."""
    if question.operation != "count":
        return False
    label = grid.column_labels[column]
    counted = {*heads_of(label, question.language), *phrase(label.partition("(")[2])}
    return not any_matches(kind_asked(question, index), counted) or counts_another_thing(grid, column, question)


def _is_told(word: str, told: Collection[str], question: Tagged) -> bool:
    """True for a word among those of a table, or one for a measure there: *cost*, for the *Fee*."""
    adjective = question.language.adjectives.get(word)
    measures = question.language.same_measures.get(word, ()) if adjective is None else adjective.scale.measures
    return matches_any(word, told) or bool(measure_forms(measures, told))


def _tables(words: Sequence[str], amount: _Amount, index: Cells) -> list[int]:
    """Return the numbers of the tables that have one of the words in their names, headers or values."""
    found: dict[int, None] = {}
    for word in words:
        heads = index.heads_with(index.measure_forms(word))
        for place in (place for head in heads for place in index.heads[head]):
            found |= {place.grid: None} if place.grid is not None else {}
        found |= dict.fromkeys((*sorted(index.of_kind(word)), *sorted(index.holding(word))))
    return list(found)[:_MOST_TABLES]


def _band_columns(grid: Grid) -> Iterator[int]:
    """Yield the columns whose values are bands."""
    if grid.table.is_record:
        return
    for column in range(min(2, len(grid.column_labels))):
        if has_bands(tuple("".join(row[column : column + 1]) for row in grid.table.rows)):
            yield column


def _holds(text: str, value: float) -> bool:
    band = band_of(text)
    return band is not None and value in band.span


def _in_unit_of(amount: _Amount, texts: Sequence[str], label: str, question: Tagged) -> float | None:
    """Return the amount in the unit of some bands; None if they have another one."""
    units = [band.unit for text in texts if (band := band_of(text)) is not None and band.unit]
    unit = units[0] if units else ""
    if not amount.unit:
        return amount.value
    said = phrase(unit)[:1] or (unit,)
    named = {*said, unit, *phrase(label), *signs_by_name(label).values(), *signs_by_name("".join(texts))}
    if amount.unit in named or matches_any(amount.unit, named):
        return amount.value
    for other in named:
        factors = worths({amount.unit, other}) if other else None
        if factors is not None and len(factors) > 1:
            return amount.value * factors[amount.unit] / factors[other]
    asked = unit_of(amount.unit)
    is_same = asked is not None and any(other and unit_of(other) == asked for other in (unit, *phrase(label)))
    return amount.value if is_same else None


def _asked_columns(grid: Grid, bands: int, words: Sequence[str], question: Tagged) -> list[int]:
    """Return the column that most of the words ask for: the only other one, or else one that has some of them."""
    others = [at for at, label in enumerate(grid.column_labels) if at != bands and label]
    if len(others) == 1:
        return others
    priced = [word for word in words if question.language.same_measures.get(word)]
    implied = {each for word in priced for each in question.language.same_measures[word]}
    fits = {at: _fit(grid.column_labels[at], (*words, *implied)) for at in others}
    best = max(fits.values(), default=0)
    return [at for at in others if fits[at] == best] if best else []


def _fit(label: str, words: Sequence[str]) -> int:
    """Return how many words of a label are asked for."""
    return sum(matches_any(word, words) for word in phrase(label.partition("(")[0]))


def _bound(one: _Found, amount: _Amount, left: Sequence[str], known: Sequence[str], question: Tagged) -> Bound:
    """Return the value of the row, and whether it is so if the question has one of the column's values."""
    grid, label = one.grid, one.grid.column_labels[one.column]
    value = Value.of(label, one.number, grid, one.row, one.column)
    reading = reading_of("".join(grid.row_names(one.row)[-1:]), value, one.row)
    is_so = None
    if asks_whether(question) and flag_of(value.text, question.language) is None:
        values = {phrase(row[one.column]) for row in grid.table.rows}
        asked = [words for words in values if words and set(words) <= set(question.tokens)]
        is_so = asked[0] == phrase(value.text) if len(asked) == 1 else None
    linked = Linked(question, (), tuple(sorted(one.told)))
    doubtful = known[0] if known else ""
    unknown = tuple(word for word in left if word not in known)
    return Bound(linked, (reading,), label, unmatched_question_words=unknown, doubtful_word=doubtful, yes_or_no=is_so)
