"""Join tables of one page that list the same kind of entity with different columns: the first header is equal, and most
others are.

*Steam ferries* and *Car ferries* are ferries, and the second table has one more column; one table says *Net tons* and
another *Tons*. Only the joined table shows which of all ferries has most.

Tables may be transposed: their columns are entities and their rows attributes, as in a comparison of models. The values
in one row of such a table are alike, all lengths or all years, and those in one column are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from itertools import chain, combinations, dropwhile, permutations, starmap
from operator import itemgetter

from retrieval.tables.cells import Grid
from retrieval.tables.names import without_part
from retrieval.text.english import WEAK
from retrieval.text.normal import STOP_WORDS, is_number, phrase

_MOSTLY = 0.5
"""The share of the fewer headers, or of the fewer row names, that two tables must share."""
_FEWEST = 2
"""The fewest names that two tables share; also the fewest entities and attributes of a transposed table."""
_TURNED = 0.6
"""The share of a transposed table's rows whose values are all alike."""
_NUMBER = re.compile(r"\d[\d.,]*")
_MOST_MEASURES = 6
"""The most measures that several tables give for the same entities; with more, each table is named for its subject."""
_OF = frozenset({"of"})


Numbered = Sequence[tuple[int, Grid]]
"""Tables with their numbers."""
Heads = tuple[tuple[str, str], ...]
"""Renamed column headers of a group of tables, old and new."""


def joined(grids: Iterable[tuple[int, Grid]]) -> list[tuple[Numbered, Heads]]:
    """Return the tables grouped by kind, with the renamed headers of each group. Tables of one kind have equal headers
    anywhere, or similar ones on one page.

    >>> from retrieval.types import Chunk, Table
    >>> heads = {"Steam": ("Ferry", "Fare", "Beds"), "Motor": ("Ferry", "Fare", "Beds", "Cars"), "Crew": ("Job", "Pay")}
    >>> tables = (Table(name, tuple((each,) for each in own), (own,)) for name, own in heads.items())
    >>> chunks = (Chunk("c", "", "", "a.md", tables=(each,)) for each in tables)
    >>> grids = [(n, next(Grid.from_chunk(chunk))) for n, chunk in enumerate(chunks)]
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
    """Split tables of one kind that give different measures of the same entities, such as the visits and the seeing of
    all fields; each gets its measure behind its headers. Names that differ only in a number, such as a year, are one
    measure.
    """
    told: dict[tuple[str, ...], list[tuple[int, Grid]]] = {}
    for number, grid in grids:
        told.setdefault(_measured(grid), []).append((number, grid))
    if not (1 < len(told) <= _MOST_MEASURES and _are_of_same(told.values())):
        return [(grids, same_heads([grid for _, grid in grids]))]
    return [(some, _with_measure(measure_of(some[0][1]), some[0][1])) for some in told.values()]


def _with_measure(measure: str, grid: Grid) -> Heads:
    """Return the headers of a table with its measure appended: *u (visits)*."""
    return tuple((label, f"{label} ({measure})") for label in grid.column_labels[1:] if label and measure)


def _are_of_same(groups: Iterable[Numbered]) -> bool:
    """True if any two groups of tables share most of their row names."""
    named = [set[tuple[str, ...]]().union(*(_names(grid) for _, grid in some)) for some in groups]
    return all(starmap(_are_same, combinations(named, 2)))


def _are_same(one: set[tuple[str, ...]], two: set[tuple[str, ...]]) -> bool:
    return len(one & two) >= max(_FEWEST, _MOSTLY * min(len(one), len(two)))


def _measured(grid: Grid) -> tuple[str, ...]:
    return tuple(word for word in phrase(measure_of(grid)) if not is_number(word))


def measure_of(grid: Grid) -> str:
    """Return the measure in the name of a table: the *visits* of *Table 2: Number of visits per field*. A thing whose
    name stands before it, as the heading above, is no part of the measure.
    """
    words: list[str] = []
    name = without_part(grid.own_name.rpartition(":")[2])
    for word in reduce(str.removeprefix, grid.headings[:-1], name).split():
        if (words and words[-1].endswith((",", ";"))) or not _OF.issuperset(STOP_WORDS.intersection(phrase(word))):
            break
        words.append(word)
    said = dropwhile(lambda word: WEAK.issuperset(phrase(word)), words)
    return " ".join(said).strip(" ,;")


def _names(grid: Grid) -> set[tuple[str, ...]]:
    """Return the row names that are not numbers."""
    keys = (phrase(row[0]) for row in grid.table.rows if row)
    return {key for key in keys if any(map(str.isalpha, key))}


def _beside(
    shapes: dict[tuple[object, ...], list[tuple[int, Grid]]],
) -> Iterable[tuple[tuple[object, ...], tuple[object, ...]]]:
    """Yield the pairs of shapes on one page with the same first header."""
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
    """True if most headers of the table with fewer columns are also in the other, after renaming."""
    calls = dict(same_heads([one, two]))
    few, many = sorted(
        ({phrase(calls.get(head, head)) for head in grid.column_labels[1:]} for grid in (one, two)), key=len
    )
    return bool(few) and len(few & many) >= _MOSTLY * len(few)


def same_heads(grids: Sequence[Grid]) -> Heads:
    """Return the headers with one word more than another, *Usual value* and *Usual*, unless a table has both."""
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
    """True for a table whose rows have values of one form each, and whose columns don't."""
    rows = [row[1:] for row in grid.table.rows if any(row[1:])]
    if grid.table.is_record or len(rows) <= _FEWEST or len(rows[0]) < _FEWEST:
        return False
    columns = list(zip(*rows, strict=True))
    across, down = (sum(map(_are_alike, some)) for some in (rows, columns))
    return across >= _TURNED * len(rows) and not down and len({_form(row[0]) for row in rows}) > _FEWEST


def _are_alike(texts: Sequence[str]) -> bool:
    return len({_form(text) for text in texts if text}) == 1


def _form(text: str) -> str:
    """Return the form of a value: the text around its number; empty if it has no number."""
    return _NUMBER.sub("0", text) if _NUMBER.search(text) else ""
