"""Tables of one page that tell of one kind of thing, though their columns differ: those under one first head, most of
whose other heads are the same.

*Steam ferries* and *Car ferries* are ferries, and the second have a column more; one calls *Net tons* what another
calls *Tons*. Which of all of them has most is told only where they are read as one.

Tables may be turned: their columns are things, and their rows what is told of each, as in a comparison of models. What
stands in one row of such a table is alike, all lengths or all years, and what stands in one column is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, combinations, dropwhile, permutations, starmap
from operator import itemgetter

from retrieval.tables.cells import Grid
from retrieval.tables.names import without_part
from retrieval.text.english import WEAK
from retrieval.text.normal import STOP_WORDS, is_number, phrase

_MOSTLY = 0.5
"""The share of the fewer heads, or of the fewer rows, that two tables have to have in common."""
_FEWEST = 2
"""Names that two tables share; things in a table that is turned, and facts of each."""
_TURNED = 0.6
"""The share of the rows of such a table in which all values are alike."""
_NUMBER = re.compile(r"\d[\d.,]*")
_MOST_MEASURES = 6
"""What several tables tell of the same things; of more each is named for whom it is about."""
_OF = frozenset({"of"})


Numbered = Sequence[tuple[int, Grid]]
"""Tables with their numbers."""
Heads = tuple[tuple[str, str], ...]
"""What heads are called in a group of tables."""


def joined(grids: Iterable[tuple[int, Grid]]) -> list[tuple[Numbered, Heads]]:
    """The tables with their numbers, those of one kind together: of the same heads wherever they stand, or alike on one
    page; and what their heads are called there.

    >>> from retrieval.types import Chunk, Table
    >>> heads = {"Steam": ("Ferry", "Fare", "Beds"), "Motor": ("Ferry", "Fare", "Beds", "Cars"), "Crew": ("Job", "Pay")}
    >>> tables = (Table(name, tuple((each,) for each in own), (own,)) for name, own in heads.items())
    >>> grids = [(n, next(Grid.all_of(Chunk("c", "", "", "a.md", tables=(each,))))) for n, each in enumerate(tables)]
    >>> [[number for number, _ in some] for some, _ in joined(grids)]
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
    found: list[tuple[Numbered, Heads]] = []
    for group in distinct.values():
        found += _by_measure(sorted(chain.from_iterable(map(shapes.__getitem__, group)), key=itemgetter(0)))
    return found


def _by_measure(grids: Numbered) -> Iterable[tuple[Numbered, Heads]]:
    """Tables of one kind, but each by itself, with what it tells behind its heads, of those that tell other things of
    the same: the visits of all fields, and their seeing. What differs by a number only, as a year, is one kind.
    """
    told: dict[tuple[str, ...], list[tuple[int, Grid]]] = {}
    for number, grid in grids:
        told.setdefault(_measured(grid), []).append((number, grid))
    if not (1 < len(told) <= _MOST_MEASURES and _are_of_same(told.values())):
        return [(grids, same_heads([grid for _, grid in grids]))]
    return [(some, _with_measure(measure_of(some[0][1]), some[0][1])) for some in told.values()]


def _with_measure(measure: str, grid: Grid) -> Heads:
    """The heads of a table before what it tells: *u (visits)*."""
    return tuple((label, f"{label} ({measure})") for label in grid.column_labels[1:] if label and measure)


def _are_of_same(groups: Iterable[Numbered]) -> bool:
    """True where any two of some groups of tables have most of their names in common."""
    named = [set[tuple[str, ...]]().union(*(_names(grid) for _, grid in some)) for some in groups]
    return all(starmap(_are_same, combinations(named, 2)))


def _are_same(one: set[tuple[str, ...]], two: set[tuple[str, ...]]) -> bool:
    return len(one & two) >= max(_FEWEST, _MOSTLY * min(len(one), len(two)))


def _measured(grid: Grid) -> tuple[str, ...]:
    return tuple(word for word in phrase(measure_of(grid)) if not is_number(word))


def measure_of(grid: Grid) -> str:
    """What the name of a table says that is told in it: the *visits* of *Table 2: Number of visits per field*."""
    words: list[str] = []
    for word in without_part(grid.own_name.rpartition(":")[2]).split():
        if (words and words[-1].endswith((",", ";"))) or not _OF.issuperset(STOP_WORDS.intersection(phrase(word))):
            break
        words.append(word)
    said = dropwhile(lambda word: WEAK.issuperset(phrase(word)), words)
    return " ".join(said).strip(" ,;")


def _names(grid: Grid) -> set[tuple[str, ...]]:
    """The names of the rows that are no numbers."""
    keys = (phrase(row[0]) for row in grid.table.rows if row)
    return {key for key in keys if any(map(str.isalpha, key))}


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
    return tuple(map(phrase, grid.column_labels))


def _is_alike(one: Grid, two: Grid) -> bool:
    """True where most heads of the table that has fewer are those of the other, as it calls them."""
    calls = dict(same_heads([one, two]))
    few, many = sorted(
        ({phrase(calls.get(head, head)) for head in grid.column_labels[1:]} for grid in (one, two)), key=len
    )
    return bool(few) and len(few & many) >= _MOSTLY * len(few)


def same_heads(grids: Sequence[Grid]) -> Heads:
    """The heads that say one word more than another, *Usual value* and *Usual*, where no table has two of them."""
    together = {frozenset(grid.column_labels) for grid in grids}
    heads = sorted({head for own in together for head in own if head})
    longer: dict[str, set[str]] = {}
    for short, long in permutations(heads, 2):
        if set(phrase(short)) < set(phrase(long)) and len(set(phrase(long)) - set(phrase(short))) == 1:
            longer.setdefault(short, {short}).add(long)
    apart = {short: every for short, every in longer.items() if all(len(every & own) <= 1 for own in together)}
    return tuple((long, short) for short, every in apart.items() for long in sorted(every - {short}))


@lru_cache(maxsize=4096)
def is_turned(grid: Grid) -> bool:
    """True for a table whose rows have values of one form each, and whose columns have none."""
    rows = [row[1:] for row in grid.table.rows if any(row[1:])]
    if grid.table.is_record or len(rows) <= _FEWEST or len(rows[0]) < _FEWEST:
        return False
    columns = list(zip(*rows, strict=True))
    across, down = (sum(map(_are_alike, some)) for some in (rows, columns))
    return across >= _TURNED * len(rows) and not down and len({_form(row[0]) for row in rows}) > _FEWEST


def _are_alike(texts: Sequence[str]) -> bool:
    return len({_form(text) for text in texts if text}) == 1


def _form(text: str) -> str:
    """What a value looks like: its unit and what else stands around its number, or a word."""
    return _NUMBER.sub("0", text) if _NUMBER.search(text) else ""
