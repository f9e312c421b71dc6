"""What rows are called beside their keys: a column that names each anew, and the names that share a cell.

*CH | Switzerland* is a row of two names; *Dagger/knife* are two of one row, and so is each of *Rook 3, Rook 4* in the
line of the motor that they have.
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
"""Rows of a table of which a column can be told to name each; names that a column of lists has in all."""
_NEARLY_ALL = 0.8
"""The share of the rows that have a name of their own in a column."""
_MOSTLY = 0.5
"""The share of rows that share keys, of lists with several names, and of names alone that stand above other rows."""
_PAIR = 2
"""Cells of a row of a label and its value."""
_BETWEEN = re.compile(r"\s*[,;]\s+|\s+&\s+")
_STROKE = re.compile(r"(?<=[^\W\d_])/(?=[^\W\d_])")
_SHORTEST = 3
"""Letters of a name beside a stroke: *b/g/n* are none."""
_LISTED = 3
"""Names between commas; *Rat, giant* is one."""


def other_names(table: Table, *, is_cut: bool = False) -> Iterator[tuple[int, str]]:
    """The rows with what they are called beside their keys, each once. One row that is cut out of a table tells nothing
    of the others.

    >>> rows = (("V8", "Rook 3, Rook 4"), ("V9", "Rook 5, Crow 2, Daw"))
    >>> list(other_names(Table("", (("Motor",), ("Boats",)), rows)))
    [(0, 'Rook 3'), (0, 'Rook 4'), (1, 'Rook 5'), (1, 'Crow 2'), (1, 'Daw')]
    """
    for at, row in enumerate(table.rows):
        yield from ((at, name) for name in _in_key(row[0]))
    for column in range(1, len(table.columns)):
        yield from _named_anew(table, column)
        if _lists_names(table, column, fewest=2 if is_cut else _FEWEST_NAMED):
            yield from ((at, name) for at, row in enumerate(table.rows) for name in _BETWEEN.split(row[column]))


def has_shared_keys(table: Table) -> bool:
    """Whether most keys of a table are those of several rows, each with a name of its own beside it.

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
    """The places of the rows that name those below them: of nothing but one text, which is called as no row is.

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
        return frozenset()  # most have nothing below them: values that nobody has filled in
    return frozenset(at for at in alone if not (_is_called_as_rows(rows, at) or _is_in_order(rows, at)))


def _is_in_order(rows: Sequence[Sequence[str]], at: int) -> bool:
    """True for a name in its place among rows in the order of the alphabet: nothing is told of it, and of what stands
    below it something is.
    """
    keys = [row[0].casefold() for row in rows if row and row[0]]
    in_order = sum(one <= other for one, other in pairwise(keys))
    if len(keys) < _FEWEST_NAMED or in_order < _NEARLY_ALL * (len(keys) - 1) or not 0 < at < len(rows) - 1:
        return False
    return rows[at - 1][0].casefold() <= rows[at][0].casefold() <= rows[at + 1][0].casefold()


def _is_called_as_rows(rows: Sequence[Sequence[str]], at: int) -> bool:
    """True for a name between two that begin with the same word, or are coined in one word, as it is; but for a name
    that the next one goes on with: *Horse* above *Horse, war*.
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
    """The column of a row that has a name, alone or in a list; the first where none has it as it is.

    >>> column_of("Rook 4", ("V8", "Rook 3, Rook 4")), column_of("knife", ("Dagger/knife", "1d4"))
    (1, 0)
    """
    values = [value.strip() for value in row]
    if name.strip() in values:
        return values.index(name.strip())
    return next((at for at, value in enumerate(values) if name.strip() in _BETWEEN.split(value)), 0)


def _in_key(key: str) -> Sequence[str]:
    """The names of a key that has several."""
    listed, stroked = _BETWEEN.split(key), _STROKE.split(key)
    if len(listed) >= _LISTED and all(map(is_brief_name, listed)):
        return listed
    if len(listed) > 1 and all(is_identifier(fold(name)) for name in listed):
        return listed
    is_several = len(stroked) > 1 and all(map(is_brief_name, stroked))
    return stroked if is_several and all(len(name) >= _SHORTEST for name in stroked) else ()


def _named_anew(table: Table, column: int) -> Iterator[tuple[int, str]]:
    """The rows with the names that a column has for nearly each of them: *Alt name*, *Country*.

    Of a few rows nobody can tell, and what two are called is the name of neither. Where an item of one value comes back
    in another, *trout, pike* and *trout*, they are what rows have.
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
    """True for a column of lists of models, each of them in one row only."""
    lists = [_BETWEEN.split(row[column].strip()) for row in table.rows if row[column:]]
    names = [name for own in lists for name in own]
    if len(lists) < len(table.rows) or len(names) < fewest or not all(map(is_brief_name, names)):
        return False
    once = max(Counter(map(phrase, names)).values()) == 1
    several = sum(len(own) > 1 for own in lists) > _MOSTLY * len(lists)
    coined = sum(any(map(str.isdigit, name)) or is_identifier(fold(name)) for name in names)
    return once and several and coined > _MOSTLY * len(names)
