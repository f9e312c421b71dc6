"""Whether all tables that tell as much of a question agree about its answer, and each tells a name in one text.

Words of a name that stand in several texts are not told: the *mask* of a *Mask AP* and an *R-50* are no *Mask R-CNN*.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from agent.reasoning.kinds.member import Label
from agent.reasoning.kinds.ranking import best_readings
from agent.reasoning.measures.dimensions import of_each
from agent.understanding.linking.program import Bound, Reading
from retrieval.tables.match import is_told
from retrieval.text.normal import phrase

BY_WORDS = 5
"""How many of the things that `told_exactly` counts tell a kind, before how the words are written."""


def agreed(found: Sequence[Bound]) -> Bound | None:
    """The answer of the largest table, if all tables that tell as much of the question agree with it."""
    if not found:
        return None
    widest = max(found, key=lambda bound: len(names_of(bound.judged)))
    everybody, answers = names_of(widest.judged), names_of(widest.readings)
    for bound in found:
        some = names_of(bound.judged)
        is_same = bound.operation != "best" or phrase(bound.measure) == phrase(widest.measure)
        agrees = some <= everybody and names_of(bound.readings) == answers & some
        if not is_same or not (agrees or _stays_best(widest, bound)):
            return None
    return widest


def _stays_best(widest: Bound, other: Bound) -> bool:
    """True where the best of the largest table is so beside those of another one too, which tells the same words of the
    question and may call them otherwise: the pages of all boats, and a list of some.
    """
    if other.operation != "best" or (widest.rank, widest.top, other.rank, other.top) != (1, 1, 1, 1):
        return False
    end = widest.linked.question.end
    degree = () if end is None else widest.linked.question.tokens[end : end + 1]
    kind = {word for word in widest.linked.words if not is_told(word, (*phrase(widest.measure), *degree))}
    winners = best_readings(widest)
    together = best_readings(replace(widest, readings=(*widest.readings, *other.readings)))
    is_same_kind = bool(kind) and set(widest.linked.words) == set(other.linked.words)
    return is_same_kind and bool(winners) and all(each in together for each in winners)


def names_of(readings: Iterable[Reading]) -> frozenset[str]:
    """The names of those who are told."""
    return frozenset(map(_name, readings))


def _name(reading: Reading) -> str:
    """Who it is of, without the mark of a footnote."""
    return reading.subject.text.rstrip(" *†‡")


def told_exactly(bound: Bound, asked: Label) -> tuple[float, ...]:
    """How many words of the question are told, how many of them by the measure, whether a column of the sort that is
    asked for has the names, whether what is `asked` for is what their table is called, whether it is no measure of each
    of something unsaid, *visits/night*, how many words are told word by word; and how much of the measure is said.

    The word for the end is told by every measure, and does not count.
    """
    question = bound.linked.question
    degree = question.degree
    words = [word for word in bound.linked.words if word != degree]
    grid_words = {word for reading in bound.readings[:1] for word in _said_of(reading)}
    is_measured = bound.operation == "best" or bool(question.numbers)
    head, measure = (phrase(each) if is_measured else () for each in (bound.measure.partition("(")[0], bound.measure))
    said = sum(is_told(word, words) for word in head) / max(1, len(head))
    by_measure = sum(is_told(word, measure) for word in words)
    axes = [phrase(reading.best.cell.axis) for reading in bound.readings[:1]]
    is_of_sort = any(bool(axis) and asked[-len(axis) :] == axis for axis in axes)
    told = bound.readings or bound.without
    is_called = bool(asked and told) and all(asked in map(phrase, reading.best.grid.names) for reading in told)
    each = of_each(bound.measure)
    exactly = len(grid_words.intersection(words))
    return len(words), by_measure, is_of_sort, is_called, set(words).issuperset(each), exactly, said


def _said_of(reading: Reading) -> set[str]:
    cell, headings = reading.best.cell, reading.best.grid.headings
    return set(phrase(" ".join((cell.title, *headings, cell.caption, cell.source, *cell.row_path, cell.column_label))))
