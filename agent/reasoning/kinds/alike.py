"""Tables of one page that tell of one kind of thing, though their columns differ: those under one first head, most of
whose other heads are the same.

*Steam ferries* and *Car ferries* are ferries, and the second have a column more; one calls *Net tons* what another
calls *Tons*. Which of all of them has most is told only where they are read as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, permutations

from retrieval.tables.cells import Grid
from retrieval.text.normal import phrase

_MOSTLY = 0.5
"""The share of the fewer heads that two tables have to have in common."""


def joined(grids: Iterable[tuple[int, Grid]]) -> list[list[tuple[int, Grid]]]:
    """The tables with their numbers, those of one kind together: of the same heads wherever they stand, or alike on one
    page.

    >>> from retrieval.types import Chunk, Table
    >>> heads = {"Steam": ("Ferry", "Fare", "Beds"), "Motor": ("Ferry", "Fare", "Beds", "Cars"), "Crew": ("Job", "Pay")}
    >>> tables = (Table(name, tuple((each,) for each in own), (own,)) for name, own in heads.items())
    >>> grids = [(n, next(Grid.all_of(Chunk("c", "", "", "a.md", tables=(each,))))) for n, each in enumerate(tables)]
    >>> [[number for number, _ in some] for some in joined(grids)]
    [[0, 1], [2]]
    """
    shapes: dict[tuple[object, ...], list[tuple[int, Grid]]] = {}
    for number, grid in grids:
        shapes.setdefault(_shape(grid), []).append((number, grid))
    groups = {shape: [shape] for shape in shapes}
    for one, two in _beside(shapes):
        if groups[one] is not groups[two] and _is_alike(shapes[one][0][1], shapes[two][0][1]):
            groups[one] += groups[two]
            groups |= dict.fromkeys(groups[two], groups[one])
    distinct = {id(group): group for group in groups.values()}
    return [sorted((each for shape in group for each in shapes[shape]), key=_number) for group in distinct.values()]


def _number(numbered: tuple[int, Grid]) -> int:
    return numbered[0]


def _beside(
    shapes: dict[tuple[object, ...], list[tuple[int, Grid]]],
) -> Iterable[tuple[tuple[object, ...], tuple[object, ...]]]:
    """The pairs of shapes that stand on one page under one first head."""
    beside: dict[tuple[str, object], dict[tuple[object, ...], None]] = {}
    for shape, some in shapes.items():
        for source in {grid.source for _, grid in some}:
            if shape and shape[0]:
                beside.setdefault((source, shape[0]), {})[shape] = None
    for own in beside.values():
        yield from combinations(own, 2)


def _shape(grid: Grid) -> tuple[object, ...]:
    return tuple(phrase(label) for label in grid.column_labels)


def _is_alike(one: Grid, two: Grid) -> bool:
    """True where most heads of the table that has fewer are those of the other, as it calls them."""
    calls = dict(same_heads([one, two]))
    few, many = sorted(
        ({phrase(calls.get(head, head)) for head in grid.column_labels[1:]} for grid in (one, two)), key=len
    )
    return bool(few) and len(few & many) >= _MOSTLY * len(few)


def same_heads(grids: Sequence[Grid]) -> tuple[tuple[str, str], ...]:
    """The heads that say one word more than another, *Usual value* and *Usual*, where no table has two of them."""
    together = {frozenset(grid.column_labels) for grid in grids}
    heads = sorted({head for own in together for head in own if head})
    longer: dict[str, set[str]] = {}
    for short, long in permutations(heads, 2):
        if set(phrase(short)) < set(phrase(long)) and len(set(phrase(long)) - set(phrase(short))) == 1:
            longer.setdefault(short, {short}).add(long)
    apart = {short: every for short, every in longer.items() if all(len(every & own) <= 1 for own in together)}
    return tuple((long, short) for short, every in apart.items() for long in sorted(every - {short}))
