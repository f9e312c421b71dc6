"""The names of rows beside their keys: a column that names each row anew, and names that share a cell.

*CH | Switzerland* is a row with two names. *Dagger/knife* are two names of one row, and so are *Rook 3, Rook 4* in the
row of the motor that both have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from retrieval.tables.names import is_brief_name
from retrieval.text.identifiers import is_identifier
from retrieval.text.normal import phrase
from retrieval.text.spelling import fold
from retrieval.types import Table

_FEWEST_SHARING = 3
_FEWEST_NAMED = 4
"""The fewest rows for a column to name each of them, and the fewest names in all of a column of lists."""
_NEARLY_ALL = 0.8
"""The share of rows that have a name of their own in a column."""
_MOSTLY = 0.5
"""The share of rows that share keys, of lists with several names, and of lone names that stand above other rows."""
_PAIR = 2
"""The cells of a row that is a label and its value."""
_BETWEEN = re.compile(r"\s*[,;]\s+|\s+&\s+")
_STROKE = re.compile(r"(?<=[^\W\d_])/(?=[^\W\d_])")
_SHORTEST = 3
"""The fewest letters of a name beside a slash; *b/g/n* are not names."""
_LISTED = 3
"""The fewest names between commas; *Rat, giant* is one."""


def other_names(table: Table, *, is_cut: bool = False) -> Iterator[tuple[int, str]]:
    """Yield the rows with their names beside their keys.

    `is_cut` is True for a row cut from a larger table, where the other rows are unknown.

    >>> rows = (("V8", "Rook 3, Rook 4"), ("V9", "Rook 5, Crow 2, Daw"))
    >>> list(other_names(Table("", (("Motor",), ("Boats",)), rows)))
    [(0, 'Rook 3'), (0, 'Rook 4'), (1, 'Rook 5'), (1, 'Crow 2'), (1, 'Daw')]
    """
    for at, row in enumerate(table.rows):
        yield from ((at, name) for name in _in_key(row[0]))
    for column in range(1, len(table.columns)):
        yield from _unique_names(table, column)
        if _lists_names(table, column, fewest=2 if is_cut else _FEWEST_NAMED):
            yield from ((at, name) for at, row in enumerate(table.rows) for name in _BETWEEN.split(row[column]))


def has_shared_keys(table: Table) -> bool:
    """True if most keys belong to several rows, each with a name of its own beside the key.

    >>> rows = (("Hull", "Reed", "9 m"), ("Hull", "Rush", "7 m"), ("York", "Tern", "15 m"))
    >>> has_shared_keys(Table("", (("Port",), ("Boat",), ("Length",)), rows))
    True
    """
    if table.is_record:
        return False
    rows = [row for row in table.rows if row[2:]]
    keys = Counter(row[0] for row in rows)
    shared = sum(count for count in keys.values() if count > 1)
    if shared <= _MOSTLY * len(rows) or not all(is_brief_name(text) for row in rows for text in row[:2]):
        return False
    return len({phrase(row[1]) for row in rows}) >= max(len(table.rows), _FEWEST_SHARING)


def group_rows(rows: Sequence[Sequence[str]]) -> frozenset[int]:
    """Return the positions of the rows that name the group below them: they have only one text, unlike a row's name.

    >>> sorted(group_rows((("Flat wagons", "", ""), ("Wren", "31", "2"), ("Tanks", "", ""), ("Rook", "24", "3"))))
    [0, 2]
    >>> sorted(group_rows((("Lark L1", "31", "2"), ("Lark L2", "", ""), ("Lark L3", "24", "3"))))
    []
    >>> sorted(group_rows((("Hull", "31", "2"), ("Leith", "", ""), ("Perth", "24", "3"), ("York", "8", "1"))))
    []
    """
    alone = [at for at, row in enumerate(rows) if len(row) > _PAIR and row[0] and not any(row[1:])]
    over = [at for at in alone if at + 1 < len(rows) and at + 1 not in alone]
    if len(over) < _MOSTLY * len(alone):
        return frozenset()  # most have no row below them: they are rows with blank values
    return frozenset(at for at in alone if not (_resembles_row_names(rows, at) or _is_in_order(rows, at)))


def _is_in_order(rows: Sequence[Sequence[str]], at: int) -> bool:
    """True for a name in its alphabetical place among sorted rows: it is a row without values, not a group name."""
    keys = [row[0].casefold() for row in rows if row and row[0]]
    in_order = sum(one <= other for one, other in pairwise(keys))
    if len(keys) < _FEWEST_NAMED or in_order < _NEARLY_ALL * (len(keys) - 1) or not 0 < at < len(rows) - 1:
        return False
    return rows[at - 1][0].casefold() <= rows[at][0].casefold() <= rows[at + 1][0].casefold()


def _resembles_row_names(rows: Sequence[Sequence[str]], at: int) -> bool:
    """True for a name between two that share its first word or are coined in one word like it.

    It is not if the next name extends it: *Horse* above *Horse, war*.
    """
    if not 0 < at < len(rows) - 1:
        return False
    before, name, behind = (phrase(rows[place][0]) for place in (at - 1, at, at + 1))
    if not before or not behind or " ".join(behind).startswith(" ".join(name)):
        return False
    return before[:1] == name[:1] == behind[:1] or all(map(_is_coined, (before, name, behind)))


def _is_coined(key: Sequence[str]) -> bool:
    """True for a key that is one identifier."""
    return len(key) == 1 and is_identifier(key[0])


def column_of(name: str, row: Sequence[str]) -> int:
    """Return the column of a row that has a name, alone or in a list; the first if none has it verbatim.

    >>> column_of("Rook 4", ("V8", "Rook 3, Rook 4")), column_of("knife", ("Dagger/knife", "1d4"))
    (1, 0)
    """
    values = [value.strip() for value in row]
    if name.strip() in values:
        return values.index(name.strip())
    return next((at for at, value in enumerate(values) if name.strip() in _BETWEEN.split(value)), 0)


def _in_key(key: str) -> Sequence[str]:
    """Return the names in a key that holds several; else empty."""
    listed, stroked = _BETWEEN.split(key), _STROKE.split(key)
    if len(listed) >= _LISTED and all(map(is_brief_name, listed)):
        return listed
    if len(listed) > 1 and all(is_identifier(fold(name)) for name in listed):
        return listed
    is_several = len(stroked) > 1 and all(map(is_brief_name, stroked))
    return stroked if is_several and all(len(name) >= _SHORTEST for name in stroked) else ()


def _unique_names(table: Table, column: int) -> Iterator[tuple[int, str]]:
    """Yield the rows with their names from a column that names nearly each row: *Alt name*, *Country*.

    A table of few rows yields none, and a value that two rows share names neither. If an item recurs in another value,
    *trout, pike* and *trout*, the values are attributes of the rows.
    """
    values = {at: row[column].strip() for at, row in enumerate(table.rows) if row[column:] and row[column].strip()}
    names = {at: value for at, value in values.items() if is_brief_name(value)}
    listed = [phrase(item) for value in values.values() for item in _BETWEEN.split(value)]
    if len(listed) > len(values) and len(listed) > len(set(listed)):
        return
    least = _NEARLY_ALL * len(table.rows)
    times = Counter(map(phrase, names.values()))
    if len(table.rows) >= _FEWEST_NAMED and min(len(names), len(times)) >= least:
        yield from ((at, name) for at, name in names.items() if times[phrase(name)] == 1)


def _lists_names(table: Table, column: int, *, fewest: int) -> bool:
    """True for a column of lists of models, each model in one row only."""
    lists = [_BETWEEN.split(row[column].strip()) for row in table.rows if row[column:]]
    names = [name for own in lists for name in own]
    if len(lists) < len(table.rows) or len(names) < fewest or not all(map(is_brief_name, names)):
        return False
    once = max(Counter(map(phrase, names)).values()) == 1
    several = sum(len(own) > 1 for own in lists) > _MOSTLY * len(lists)
    coined = sum(any(map(str.isdigit, name)) or is_identifier(fold(name)) for name in names)
    return once and several and coined > _MOSTLY * len(names)
