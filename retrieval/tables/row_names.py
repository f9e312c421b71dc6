"""The names of rows beside their keys: a column that names each row anew, and names that share a cell.

*CH | Switzerland* is a row with two names. *Dagger/knife* are two names of one row, and so are *Rook 3, Rook 4* in the
row of the motor that both have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from retrieval.tables.names import is_brief_name, is_numbered
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
_LONGEST_NAME = 10
"""The most words of a name beside a number or code."""
_DIGITS = re.compile(r"\d+")
_CODE = re.compile(r"(?:[A-Za-z]{1,4}[-_ ]?|0x)0")
_HEX = re.compile(r"0x[0-9A-Fa-f]+")
_BETWEEN = re.compile(r"\s*[,;]\s+|\s+&\s+")
_STROKE = re.compile(r"(?<=[^\W\d_])/(?=[^\W\d_])")
_FEW_NUMBERED = 0.2
"""The share of numbered keys up to which they count as names like the others."""
_MOSTLY_WORDED = 0.5
"""The share of the rows beyond which keys of one word with numbers are an axis."""
_MOSTLY_BRIEF = 0.75
"""The share of numbered rows with a brief name beside the number, for long texts there to be names too."""
_SHORTEST = 3
"""The fewest letters of a name beside a slash; *b/g/n* are not names."""
_LISTED = 3
"""The fewest names between commas; *Rat, giant* is one."""


class RowKeys:
    """The keys of a table's rows, and the names beside them. `is_cut_row` is True for a row cut from a larger table,
    where the other rows are unknown.
    """

    def __init__(self, table: Table, is_cut_row: bool) -> None:
        self._table, self._is_cut_row = table, is_cut_row

    def names(self, row: int) -> tuple[str, ...]:
        """Return the labels of a row: its key, and the name beside it if the key is only a number or a code, or shared
        by several rows.
        """
        cells = self._table.rows[row]
        return tuple(cells[:2]) if self._are_shared or self.are_codes or self._is_named_by(cells) else (cells[0],)

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """The columns whose headers say what the rows are: that of the keys, and that of the names beside them."""
        rows = self._table.rows
        if not self._table.columns or self._table.is_record:
            return (0,) if self._table.columns else ()
        if self._are_shared:
            return (1,)
        is_named = 2 * sum(len(self.names(at)) > 1 for at in range(len(rows))) > len(rows)
        return (0, 1) if is_named else (0,)

    def is_on_axis(self, key: str) -> bool:
        """True if a row's key is a number on an axis. Among names *40 Winks* is one more name."""
        return is_numbered(key) and (self._has_axis or not any(map(str.isalpha, key)))

    @cached_property
    def are_codes(self) -> bool:
        """True if the keys are codes, with names beside them."""
        return has_coded_keys(self._table)

    @cached_property
    def _are_shared(self) -> bool:
        return has_shared_keys(self._table)

    def _is_named_by(self, cells: Sequence[str]) -> bool:
        """True if the cell beside a number is the name of its row."""
        if self._table.is_record or len(cells) <= _PAIR or not self.is_on_axis(cells[0]):
            return False
        if is_brief_name(cells[1]) or (bool(cells[1]) and self._are_named_beside):
            return True
        return self._is_cut_row and is_long_name(cells[1])

    @cached_property
    def _has_axis(self) -> bool:
        """True if more than a few keys are numbers, or most are one word with numbers in even steps: all of *Level 2*,
        *Level 3*, but neither *Lark 40*, *Lark 55*, *Lark 80* nor two *Larks* among many names.
        """
        keys = [cells[0] for cells in self._table.rows if is_numbered(cells[0])]
        worded: dict[str, list[str]] = {}
        for key in keys:
            worded.setdefault("" if key[:1].isdigit() else "".join(filter(str.isalpha, key)), []).append(key)
        alone, whole = len(worded.pop("", ())), len(self._table.rows)
        series = max(map(len, filter(_are_in_steps, worded.values())), default=0)
        return alone > _FEW_NUMBERED * whole or alone + series > _MOSTLY_WORDED * whole

    @cached_property
    def _are_named_beside(self) -> bool:
        """True if most rows have a brief name beside their number, so that longer texts there are names too, or if all
        have a name of their own.
        """
        beside = [cells[1] for cells in self._table.rows if len(cells) > _PAIR and is_numbered(cells[0])]
        named = [text for text in beside if is_brief_name(text)]
        are_own = all(map(is_long_name, beside)) and len(set(beside)) == len(beside)
        return len(beside) >= _FEWEST_NAMED and (are_own or len(named) >= _MOSTLY_BRIEF * len(beside))


def _are_in_steps(keys: Sequence[str]) -> bool:
    """True for several keys whose numbers are a series with even steps, or ranges.

    >>> _are_in_steps(["Level 1", "Level 2", "Level 3"]), _are_in_steps(["Lark 40", "Lark 55", "Lark 80"])
    (True, False)
    """
    numbers = [list(map(float, _DIGITS.findall(key))) for key in keys]
    if any(len(told) != 1 for told in numbers):
        return len(keys) > 1
    told = sorted(number for own in numbers for number in own)
    return len(keys) > 1 and len({after - before for before, after in pairwise(told)}) == 1


def other_names(table: Table, *, is_cut: bool = False) -> Iterator[tuple[int, str]]:
    """Yield the rows with their names beside their keys.

    `is_cut` is True for a row cut from a larger table, where the other rows are unknown.

    >>> rows = (("V8", "Rook 3, Rook 4"), ("V9", "Rook 5, Crow 2, Daw"))
    >>> list(other_names(Table("", (("Motor",), ("Boats",)), rows)))
    [(0, 'Rook 3'), (0, 'Rook 4'), (1, 'Rook 5'), (1, 'Crow 2'), (1, 'Daw')]
    """
    for at, row in enumerate(table.rows):
        yield from ((at, name) for name in _in_key(row[0]))
    named_beside = RowKeys(table, is_cut).columns == (0, 1)
    for column in range(1, len(table.columns)):
        if column == 1 or not named_beside:  # in *6 | Bram Nance | Holm United*, the club is no name of the player
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


def has_coded_keys(table: Table) -> bool:
    """True if the keys are codes of one form, nearly each with a name of its own beside it, unless a further column
    names more of them.

    >>> heads = (("Id",), ("Title",), ("Pages",))
    >>> has_coded_keys(Table("", heads, (("B001", "Salt Road", "312"), ("B002", "Oru", "448"), ("B003", "Elm", "9"))))
    True
    >>> has_coded_keys(Table("", heads, (("D1", "GPIO4", "yes"), ("D2", "GPIO5", "no"), ("D3", "GPIO7", "no"))))
    False
    """
    rows = [row for row in table.rows if row[_PAIR:]]
    if table.is_record or len(rows) < max(len(table.rows), _FEWEST_SHARING):
        return False
    forms = {_DIGITS.sub("0", _HEX.sub("0x0", row[0])) for row in rows}
    if len(forms) > 1 or not _CODE.fullmatch(next(iter(forms))):
        return False
    _, names, *others = zip(*rows, strict=False)
    distinct = max((_distinct(texts) for texts in others if all(map(is_long_name, texts))), default=0)
    are_named = all(map(is_long_name, names)) and not any(
        is_identifier(word) for name in names for word in phrase(name)
    )
    return are_named and _distinct(names) >= max(distinct, _NEARLY_ALL * len(rows))


def _distinct(texts: Sequence[str]) -> int:
    return len(set(map(phrase, texts)))


def is_long_name(text: str) -> bool:
    """True for a cell that may name its row, though in many words: *Driving without a seat belt*."""
    return 0 < len(text.split()) <= _LONGEST_NAME and text[0].isalpha() and not text.endswith(".")


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
