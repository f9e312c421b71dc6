"""Which end of a scale a question asks for, once it is known of which measure the values are.

Who asks for *more* or *heavier* says the end. *Better* is the high end of a measure that the question names, unless
the language knows it as one of which less is better; what a domain calls by a name of its own is left to that domain.
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
from retrieval.tables.match import is_any_told, said_words
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import phrase

_FEWEST_ROWS = 2


def end_of(question: Tagged, label: str, context: str = "", *, value: str = "", falls: bool = False) -> End | None:
    """The end that is asked for of the values of a label; "better" or "worse" where only a domain can say.

    `context` is what the table is called: the *saves* that a *breath* is one of. The unit of a `value` tells what a
    label without a measure is of. What `falls` from level to level gets better that way. What a domain knows of a
    measure it knows by the label: *better armored* by an *Armor* in millimetres is more of it. Of one that some books
    count up and others down an adjective that does not speak of it asks for the better end, *tougher*, or the worse.

    >>> from agent.understanding.question.tagged import tagged
    >>> [end_of(tagged("Which has the best one?"), label) for label in ("Accuracy", "Load time", "Armor class")]
    ['high', 'low', 'better']
    >>> [end_of(tagged(f"Which has the {word} one?"), "Armor class") for word in ("hardest", "higher")]
    ['better', 'high']
    """
    if question.end is None:
        return None
    said = said_words(label)
    measured = measures_in(value, question.language) or (question.language.years if date_of(value) else ())
    end = question.end_for(said) or question.end_for(tuple(measured))
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
    """The end that is asked for of the values that a cell is one of."""
    cell = binding.cell
    return end_of(question, binding.label, f"{cell.caption} {cell.title}", value=cell.text)


def _has_end_of(question: Tagged, label: Collection[str]) -> bool:
    """True where the word for an end is one of every measure, *higher*, or an adjective that speaks of this one."""
    adjective = question.adjective
    return adjective is None or adjective.scale.of_any or is_any_told(label, adjective.scale.measures)


def falls_by_row(grids: Collection[Grid], column: int) -> bool:
    """True for a column whose numbers only fall from the lowest row to the highest of a table by levels, which may be
    in several pieces.

    >>> from retrieval.types import Chunk, Table
    >>> throws = Table("Throws", (("Rank",), ("Venom",)), (("1-2", "14"), ("3-4", "11")))
    >>> falls_by_row(list(Grid.all_of(Chunk("c", "", "", tables=(throws,)))), 1)
    True
    """
    return _way_by_row(grids, column) == "low"


def end_here(end: End | None, question: Tagged, label: str, index: Cells) -> End | None:
    """The end that is asked for, where this book says which is the better one of what others count the other way."""
    better = end_by_levels(question, label, index) if end in ("better", "worse") else None
    if better is None:
        return end
    return "high" if (better == "high") == (end == "better") else "low"


def end_by_levels(question: Tagged, label: str, index: Cells) -> End | None:
    """The better end of a measure that some books count up and others down: the way in which its columns go in this
    book's tables by levels, where all of them go one way; None where there are none.

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
                pieces.setdefault((grid.whole, place.at), []).append(grid)
    ways = {_way_by_row(grids, column) for (_, column), grids in pieces.items()}
    return next(iter(ways)) if len(ways) == 1 else None


def _way_by_row(grids: Collection[Grid], column: int) -> End | None:
    """Where the numbers of a column go from the lowest row to the highest; None where they go both ways, or nowhere."""
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
    """What some values, and what names them, have units of.

    >>> from agent.languages.language import english
    >>> "length" in measures_held(["12"], "Reach (mm)", english())
    True
    """
    held = frozenset[str]().union(*(measures_in(text, language) for text in values))
    return held.union(*(each.measures for each in dimensions_in(named, language)))
