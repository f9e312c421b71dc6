"""Which end of a scale a question asks for, given the measure of the values.

*More* or *heavier* name the end. *Better* is the high end of a measure, unless the language lists it among those where
less is better; measures that a domain knows are left to that domain.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import pairwise

from agent.languages.language import Language
from agent.languages.operations import End
from agent.reasoning.measures.dimensions import dimensions_in, measures_in
from agent.reasoning.values.dates import date_of
from agent.reasoning.values.quantities import is_contested, lower_is_better, number_of
from agent.understanding.question.tagged import Tagged
from retrieval.tables.bind import Binding
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells
from retrieval.tables.match import any_matches, label_words
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import phrase

_FEWEST_ROWS = 2


def end_of(question: Tagged, label: str, context: str = "", *, value: str = "", falls: bool = False) -> End | None:
    """Return the end of a label's values that is asked for; "better" or "worse" if only a domain can decide.

    `context` is the name of the table: a *breath* is one of the *saves*. If the label names no measure, the unit of
    `value` does. A measure that `falls` from level to level is better when low. Domains know measures by their label:
    *better armored* by an *Armor* in millimetres is the high end. If some books count a measure up and others down, an
    adjective of another measure, such as *tougher*, asks for the better or worse end.

    >>> from agent.understanding.question.tagged import tagged
    >>> [end_of(tagged("Which has the best one?"), label) for label in ("Accuracy", "Load time", "Armor class")]
    ['high', 'low', 'better']
    >>> [end_of(tagged(f"Which has the {word} one?"), "Armor class") for word in ("hardest", "higher")]
    ['better', 'high']
    """
    if question.end is None:
        return None
    said = label_words(label)
    units = tuple(measures_in(value, question.language))
    years = question.language.years if not units and date_of(value) else ()
    begun = () if question.language.since.isdisjoint(phrase(label)) else question.language.dates
    end = question.end_for((*said, *begun)) or question.end_for(units or tuple(years))
    named = f"{label} {context}"
    if end in ("high", "low") and is_contested(label) and not _has_end_of(question, said):
        end = "better" if end == "high" else "worse"
    if end not in ("better", "worse") or is_contested(named):
        return end
    is_paid = not question.language.prices.isdisjoint(question.tokens)
    is_added = value.startswith("+")  # a bonus, whatever it is added to
    low = (
        falls
        or is_paid
        or (lower_is_better(named) and not is_added)
        or not question.language.low_is_better.isdisjoint(said)
    )
    return "low" if low ^ (end == "worse") else "high"


def end_of_cell(question: Tagged, binding: Binding) -> End | None:
    """Return the end that is asked for of the values that a cell belongs to."""
    cell = binding.cell
    return end_of(question, binding.label, f"{cell.caption} {cell.title}", value=cell.text)


def _has_end_of(question: Tagged, label: Collection[str]) -> bool:
    """True if the word for an end fits every measure, *higher*, or is an adjective for this one."""
    adjective = question.adjective
    return adjective is None or adjective.scale.of_any or any_matches(label, adjective.scale.measures)


def falls_by_row(grids: Collection[Grid], column: int) -> bool:
    """True if the numbers of a column only decrease from the lowest level to the highest. The table may be split into
    several pieces.

    >>> from retrieval.types import Chunk, Table
    >>> throws = Table("Throws", (("Rank",), ("Venom",)), (("1-2", "14"), ("3-4", "11")))
    >>> falls_by_row(list(Grid.from_chunk(Chunk("c", "", "", tables=(throws,)))), 1)
    True
    """
    return _way_by_row(grids, column) == "low"


def end_here(end: End | None, question: Tagged, label: str, index: Cells) -> End | None:
    """Return the end that is asked for; if books disagree on which end is better, the tables of this one decide."""
    better = end_by_levels(question, label, index) if end in ("better", "worse") else None
    if better is None:
        return end
    return "high" if (better == "high") == (end == "better") else "low"


def end_by_levels(question: Tagged, label: str, index: Cells) -> End | None:
    """Return the better end of a measure that some books count up and others down: the direction of its columns in
    tables by level. None if there are none, or if they disagree.

    >>> from agent.understanding.question.tagged import tagged
    >>> from retrieval.tables.index import CellIndex
    >>> from retrieval.types import Chunk, Table
    >>> guards = Table("Guards", (("Level",), ("Armor class",)), (("1", "12"), ("2", "13")))
    >>> end_by_levels(tagged("Who has it?"), "Armor class", CellIndex.build([Chunk("c", "", "", tables=(guards,))]))
    'high'
    """
    if not is_contested(label):
        return None
    pieces: dict[tuple[str, int], list[Grid]] = {}
    for name in index.heads_with(phrase(label)):
        is_same = is_contested(name) and {*phrase(name)} <= {*phrase(label)}
        for place in index.heads[name] if is_same else ():
            grid = None if place.grid is None else index.grid(place.grid)
            if grid is not None and place.at and not question.language.levels.isdisjoint(phrase(grid.column_labels[0])):
                pieces.setdefault((grid.table_id, place.at), []).append(grid)
    ways = {_way_by_row(grids, column) for (_, column), grids in pieces.items()}
    return next(iter(ways)) if len(ways) == 1 else None


def _way_by_row(grids: Collection[Grid], column: int) -> End | None:
    """Return the direction of a column's numbers from the lowest row to the highest; None if it is mixed or
    constant.
    """
    steps: list[tuple[float, float]] = []
    for row in (row for grid in grids for row in grid.table.rows):
        span, number = read_label(row[0]).span, number_of(row[column]) if row[column:] else None
        if span is None or number is None:
            return None
        steps.append((span.minimum, number))
    steps.sort()
    if len(steps) < _FEWEST_ROWS or steps[0][1] == steps[-1][1]:
        return None
    if all(one[1] >= other[1] for one, other in pairwise(steps)):
        return "low"
    return "high" if all(one[1] <= other[1] for one, other in pairwise(steps)) else None


def measures_held(values: Iterable[str], named: str, language: Language) -> frozenset[str]:
    """Return the measures of the units in some values and in their name.

    >>> from agent.languages.language import english
    >>> "length" in measures_held(["12"], "Reach (mm)", english())
    True
    """
    held = frozenset[str]().union(*(measures_in(text, language) for text in values))
    return held.union(*(each.measures for each in dimensions_in(named, language)))
