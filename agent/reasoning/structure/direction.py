"""Which end of a scale a question asks for, once it is known of which measure the values are.

Who asks for *more* or *heavier* says the end. *Better* is the high end of a measure that the question names, unless
the language knows it as one of which less is better; what a domain calls by a name of its own is left to that domain.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

from agent.languages.operations import End
from agent.reasoning.quantities import is_contested, lower_is_better, number_of
from agent.reasoning.structure.dimensions import measures_in
from agent.understanding.tagged import Tagged
from retrieval.tables.cells import Grid
from retrieval.tables.match import said_words
from retrieval.text.label_ranges import read_label

_FEWEST_ROWS = 2


def end_of(question: Tagged, label: str, context: str = "", *, value: str = "", falls: bool = False) -> End | None:
    """The end that is asked for of the values of a label; "better" or "worse" where only a domain can say.

    `context` is what the table is called: the *saves* that a *breath* is one of. The unit of a `value` tells what a
    label without a measure is of. What `falls` from level to level gets better that way. What a domain knows of a
    measure it knows by the label: *better armored* by an *Armor* in millimetres is more of it.

    >>> from agent.understanding.tagged import tagged
    >>> [end_of(tagged("Which has the best one?"), label) for label in ("Accuracy", "Load time", "Armor class")]
    ['high', 'low', 'better']
    """
    said = said_words(label)
    end = question.end_for(said) or question.end_for(tuple(measures_in(value, question.language)))
    named = f"{label} {context}"
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


def falls_by_row(grids: Collection[Grid], column: int) -> bool:
    """True for a column whose numbers only fall from the lowest row to the highest of a table by levels, which may be
    in several pieces.

    >>> from retrieval.types import Chunk, Table
    >>> throws = Table("Throws", (("Rank",), ("Venom",)), (("1-2", "14"), ("3-4", "11")))
    >>> falls_by_row(list(Grid.all_of(Chunk("c", "", "", tables=(throws,)))), 1)
    True
    """
    steps: list[tuple[float, float]] = []
    for row in (row for grid in grids for row in grid.table.rows):
        span, number = read_label(row[0]).span, number_of(row[column])
        if span is None or number is None:
            return False
        steps.append((span.minimum, number))
    steps.sort()
    is_falling = all(one[1] >= other[1] for one, other in pairwise(steps))
    return is_falling and len(steps) >= _FEWEST_ROWS and steps[0][1] > steps[-1][1]
