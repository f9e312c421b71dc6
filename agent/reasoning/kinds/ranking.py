"""Who is best of a kind, from its values: one, several that share it, or so many from an end of the scale."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from agent.reasoning.kinds.member import Label, Member
from agent.reasoning.kinds.readings import readings_of
from agent.reasoning.values.cell_text import value_of
from agent.reasoning.values.quantities import Quantity, best_of
from agent.reasoning.values.ranges import amounts_of
from agent.understanding.linking.program import Bound, Reading

MOST_NAMED = 3
"""Winners of a rank, and tables, that are told by name."""


def best_readings(bound: Bound) -> tuple[Reading, ...]:
    """Of the members of a kind those that are best, or next, or the first of them; none where that is not certain."""
    texts = [value_of(reading.best) for reading in bound.readings]
    quantities = amounts_of(bound, texts)
    if quantities is None:
        return ()
    places = _first(bound.top, quantities, bound.is_low) if bound.top > 1 else _at(bound.rank, quantities, bound)
    return tuple(bound.readings[place] for place in places)


def answering(bound: Bound) -> tuple[Reading, ...]:
    """Those that answer a question: the best of a kind where that is asked for, else all that were found."""
    return best_readings(bound) if bound.operation == "best" else bound.readings


def telling(bound: Bound, members: Iterable[Member], label: Label) -> Bound | None:
    """The best with what stands under a label of theirs, as that is asked for; None where not all of them have it."""
    winners = {reading.name for reading in best_readings(bound)}
    told = readings_of((member for member in members if member.name in winners), label)
    return replace(bound, told=told) if winners and len(told) == len(winners) else None


def is_namesake(bound: Bound) -> bool:
    """True where the best is called as another one of its table is, so that the name does not tell who it is, or has
    another value in another table, so that which of the two is asked for is open.
    """
    told = [(reading.name, reading.best.grid.whole, reading.best.text) for reading in bound.readings]
    for winner in best_readings(bound):
        same = [each[1:] for each in told if each[0] == winner.name]
        if len(same) > 1 and (len({whole for whole, _ in same}) < len(same) or len({text for _, text in same}) > 1):
            return True
    return False


def best_elsewhere(bound: Bound, winners: Sequence[Reading]) -> tuple[Reading, ...]:
    """The best of each further table, where the kind stands in a few: what shows that these were read as well."""
    own = {reading.best.cell.chunk_id for reading in winners}
    others: dict[str, list[Reading]] = {}
    for reading in bound.readings if bound.rank == bound.top == 1 else ():
        if reading.best.cell.chunk_id not in own:
            others.setdefault(reading.best.cell.chunk_id, []).append(reading)
    if len(others) > MOST_NAMED:
        return ()
    found = (best_readings(replace(bound, readings=tuple(some))) for some in others.values())
    return tuple(best[0] for best in found if best)


def _at(rank: int, quantities: Sequence[Quantity], bound: Bound) -> list[int]:
    """The places of those at a rank; none where equals above it leave open which is next."""
    left = list(range(len(quantities)))
    for _ in range(1, rank):
        best = best_of([quantities[place] for place in left], bound.is_low)
        if len(best) != 1:
            return []
        left.pop(best[0])
    return [left[place] for place in best_of([quantities[place] for place in left], bound.is_low)]


def _first(number: int, quantities: Sequence[Quantity], low: bool) -> list[int]:
    """The places of the first so many in their order, with all that share the last; none where no order is certain."""
    left, found = list(range(len(quantities))), list[int]()
    while left and len(found) < number:
        best = [left[place] for place in best_of([quantities[place] for place in left], low)]
        if not best:
            return []
        found += best
        left = [place for place in left if place not in best]
    return found
