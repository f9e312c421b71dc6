"""What of a sentence a table bears out: each number in a cell of the row and column that the sentence names.

- Rows are named by their labels, in full or by a number in their range; else by another cell that only they have; else
  in part; else by the question. Columns with a number for their head, as *level 4-6*, are named by that number. Where
  nothing names a row, all numbers stand in one row, or in one column.
- A column with words for its head has to hold a number next to its name, before it or behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from agent.understanding.measures import selecting
from agent.writing.claims import Mention, Said, named, owners, windows, words_of
from agent.writing.columns import apart, is_code, naming_columns
from agent.writing.facts import unit_of
from agent.writing.numbers import TIMES, Number, numbers_of_plain, plain, readings
from agent.writing.offered import Offered
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import STOP_WORDS, is_number, normal
from retrieval.types import Table

Position = tuple[int, int]
_DIE_IN_HEAD = re.compile(r"\bd(\d{1,3})\b")
_AGAINST = ("against", "to", "vs", "versus")
_BRACKETED = re.compile(r"\(([^()]*)\)")
_PATH = re.compile(r"(?:[a-z]\w*\.)+([a-z]\w*)", re.IGNORECASE)
"""Names within names: *door.wait_time*."""
_LONGEST_ALIAS = 4
"""Words of a cell that may name its row."""


@lru_cache(maxsize=128)
def claims_of(table: Table) -> TableClaims:
    """The claims of a table; a table is read once."""
    return TableClaims(apart(table))


class TableClaims:
    """The cells of one table, by what they hold and by what names them."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._heads = [" ".join(head) for head in table.columns]
        columns = range(len(self._heads))
        self._spans = [c for c in columns if c and _is_span(self._heads[c])]
        self._labels = [
            (r, self._heads[0], label) for r, row in enumerate(table.rows) for label in _names(row[0], table)
        ]
        self._codes = [
            (r, self._heads[c], row[c])
            for c in naming_columns(table)
            for r, row in enumerate(table.rows)
            if is_code(row[c])
        ]
        cells = {(r, c): self._read(r, c) for r in range(len(table.rows)) for c in columns}
        every = [each for numbers in cells.values() for each in numbers]
        self._cells = {place: Offered(numbers, among=every) for place, numbers in cells.items() if numbers}
        self._aliases = self._unique_cells()
        self._columns_by_unit: dict[str, set[int]] = {}
        for (_, column), numbers in cells.items():
            for unit in {each.unit for each in numbers} - {""}:
                self._columns_by_unit.setdefault(unit, set()).add(column)

    def _read(self, row: int, column: int) -> list[Number]:
        """The numbers of a cell in all readings; a number of dice under a head that names the die is dice as well."""
        cell, head = self._table.rows[row][column], self._heads[column]
        if column == 0:
            return [each for one in readings(plain(f"{head} {cell}")) for each in one]
        found = [each for one in readings(plain(cell)) for each in one]
        if column not in self._spans:
            named = dict.fromkeys((head, _without_brackets(head)))
            found += [e for own in named for one in readings(plain(f"{own} {cell}")) for e in one if e.measure]
        die = _DIE_IN_HEAD.search(head)
        if die is not None and cell.strip().isdecimal():
            found.append(Number(f"{cell.strip()}d{die[1]}"))
        return found

    def _unique_cells(self) -> list[tuple[Position, str]]:
        """Cells that may name their row or column: words that no other cell has."""
        at: dict[str, list[Position]] = {}
        for r, row in enumerate(self._table.rows):
            for c, cell in enumerate(row):
                is_short = 0 < len(words_of(cell)) <= _LONGEST_ALIAS and len(cell.split()) <= _LONGEST_ALIAS
                if c and is_short and not any(map(is_number, normal(cell))):
                    at.setdefault(cell.lower(), []).append((r, c))
        return [(places[0], cell) for cell, places in at.items() if len(places) == 1]

    def borne_out(self, sentence: Said, question: Said) -> frozenset[int]:
        """The places of the sentence's numbers that the table has where the sentence says."""
        found = {each[0].place: self._told(each, sentence) for each in sentence.numbers}
        within = frozenset(r for cells in found.values() for r, _ in cells)
        rows = self._with_numbers(self.rows_named(sentence, within) or self.rows_named(question, within))
        spans = [(c, "", self._heads[c]) for c in self._spans]
        columns = named(spans, sentence) or named(spans, question)
        keys = {each.key for each in (*rows, *columns) if each.key is not None} & found.keys()
        keys |= self._in_labels(sentence, rows)
        values = sorted(place for place, cells in found.items() if cells and place not in keys)
        held = self._held({place: found[place] for place in values}, rows, columns)
        return frozenset(keys | self._beside_their_heads(sentence, question, held).keys())

    def keys_of(self, sentence: Said) -> frozenset[int]:
        """The places of the numbers of a sentence that choose rows."""
        return frozenset(each.key for each in self.rows_named(sentence) if each.key is not None)

    def _in_labels(self, sentence: Said, rows: Sequence[Mention]) -> set[int]:
        """The places of the ends of ranges that are the labels of rows which a number in them names."""
        labels = [
            self._cells[row, 0]
            for each in rows
            if each.key is not None
            for row in each.meant
            if (row, 0) in self._cells
        ]
        return {one[0].place for one in sentence.numbers if one[0].is_end and any(label.hold(one) for label in labels)}

    def _places_of(self, wanted: Sequence[Number], sentence: Said) -> frozenset[Position]:
        """Where a number stands; one whose unit columns have, in their cells or in brackets of heads, in those."""
        having = self._columns_by_unit.get(wanted[0].unit)
        behind = unit_of(sentence.tokens, wanted[0])
        bracketed = {c for c, head in enumerate(self._heads) if behind and behind in _bracketed(head)}
        having = having | bracketed if having is not None else bracketed or None
        return frozenset(
            place
            for place, offered in self._cells.items()
            if offered.hold(wanted) and (having is None or place[1] in having)
        )

    def _told(self, wanted: Sequence[Number], sentence: Said) -> frozenset[Position]:
        """Where a number stands that a sentence tells: in a label only if that, its head or row is named besides."""
        aliased = {r for (r, _), cell in self._aliases if words_of(cell) <= sentence.words}
        aliased |= {r for each in named(self._codes, sentence) for r in each.meant}
        return frozenset(
            (r, c)
            for r, c in self._places_of(wanted, sentence)
            if c or r in aliased or self._is_label_named(r, sentence) or wanted[0].measure
        )

    def _is_label_named(self, row: int, sentence: Said) -> bool:
        own = {*read_label(self._table.rows[row][0]).name, *words_of(self._heads[0])}
        return not own or not own.isdisjoint(sentence.words)

    def rows_named(self, sentence: Said, within: Set[int] | None = None) -> list[Mention]:
        """Where a sentence names rows: by other cells than their labels only those `within` the given ones."""
        own = named(self._labels, sentence)
        if own and own[0].is_whole:
            return own
        cells = [(r, "", cell) for (r, _), cell in self._aliases if within is None or r in within]
        levels = [(r, self._heads[c], row[c]) for r, row in enumerate(self._table.rows) for c in self._levels]
        others = [each for each in named([*cells, *levels, *self._codes], sentence) if each.is_whole]
        return others or own

    def _with_numbers(self, rows: Sequence[Mention]) -> list[Mention]:
        """The rows but those that only lead others, where there are others: *Lodging* above *~ poor* and *~ rich*."""
        having = {r for r, c in self._cells if c}
        return [each for each in rows if not each.meant.isdisjoint(having)] or list(rows)

    @property
    def _levels(self) -> list[int]:
        """The columns whose numbers choose a row as its label does."""
        measures = selecting()
        numbers = ((c, numbers_of_plain(plain(f"{head} 1"))) for c, head in enumerate(self._heads) if c)
        return [c for c, found in numbers if found and found[-1].measure in measures and c not in self._spans]

    def _held(
        self, found: Mapping[int, frozenset[Position]], rows: Sequence[Mention], columns: Sequence[Mention]
    ) -> dict[int, frozenset[Position]]:
        """The numbers that stand where they should, in that way to read the sentence in which most do."""
        best: dict[int, frozenset[Position]] = {}
        by_rows = list(_allowed(rows, {place: {r for r, _ in cells} for place, cells in found.items()}))
        by_columns = list(_allowed(columns, {place: {c for _, c in cells} for place, cells in found.items()})) or [{}]
        for of_rows, of_columns in product(by_rows or self._lines(found), by_columns):
            held = {}
            for place, cells in found.items():
                kept = {(r, c) for r, c in cells if self._is_within(place, (r, c), of_rows, of_columns, bool(by_rows))}
                if kept:
                    held[place] = frozenset(kept)
            best = max(best, held, key=len)
        return best

    def _is_within(
        self,
        place: int,
        cell: Position,
        rows: Mapping[int, frozenset[int]],
        columns: Mapping[int, frozenset[int]],
        is_named: bool,
    ) -> bool:
        row, column = cell
        in_row = row in rows[place] if is_named else (row in rows.get(0, ()) or column in rows.get(1, ()))
        return in_row and (column not in self._spans or not columns or column in columns[place])

    def _lines(self, found: Mapping[int, frozenset[Position]]) -> Iterator[dict[int, frozenset[int]]]:
        """Where no row is named: each row (as 0) and each column (as 1) that has a number."""
        cells = {cell for each in found.values() for cell in each}
        yield from ({0: frozenset({row})} for row in sorted({row for row, _ in cells}))
        yield from ({1: frozenset({column})} for column in sorted({column for _, column in cells}))

    def _beside_their_heads(
        self, sentence: Said, question: Said, held: dict[int, frozenset[Position]]
    ) -> dict[int, frozenset[Position]]:
        """What is held, without numbers that are said of a column, by its name, that has them not."""
        names = list(self._columns_named(sentence))
        if not names:
            asked = frozenset().union(*(each.columns for each in self._columns_named(question)))
            asked &= {c for _, c in self._cells}
            is_measured = any(each[0].measure and each[0].place in held for each in sentence.numbers)
            is_asked = not asked or is_measured or any(c in asked for cells in held.values() for _, c in cells)
            return held if is_asked else {}
        return _without_strays(_in_order(held, names, sentence.clauses), names)

    def _columns_named(self, sentence: Said) -> Iterator[_Column]:
        """Where heads in words are named, or cells that stand for their column."""
        axes = {0, *self._spans, *self._levels}
        own = {c: _alternatives(head) for c, head in enumerate(self._table.columns) if c not in axes}
        said_words = sentence.words - {each[0].unit for each in sentence.numbers if each[0].unit == TIMES}
        for c, words in own.items():
            others = frozenset(word for other, each in own.items() if other != c for part in each for word in part)
            for part in words:
                shared = part & said_words
                is_hidden = any(part < longer <= said_words for each in own.values() for longer in each)
                is_named = bool(part) and shared == part and not is_hidden
                if is_named or (shared - others and 2 * len(shared) >= len(part)):
                    same = frozenset(o for o, each in own.items() if is_named and any(part <= other for other in each))
                    yield from (_Column(place, same | {c}) for place in windows(sentence.tokens, shared))
        yield from self._by_initials(sentence)
        for (row, column), cell in self._aliases:
            for mention in named([(0, "", cell)], sentence):
                if mention.is_whole:
                    yield _Column(mention.place, frozenset({column}), row)

    def _by_initials(self, sentence: Said) -> Iterator[_Column]:
        """Heads that are initials, *AV* of *armor value*, or are set against letters: *Damage vs L*, *large foes*."""
        for c, path in enumerate(self._table.columns):
            own, against, behind = "".join(path[-1:]).partition(" vs ")
            letters = {token for token in normal(behind) if len(token) == 1 and token.isalpha()} if against else set()
            short = own.lower() if own.isalpha() and own.isupper() and len(own) > 1 else ""
            for i, token in enumerate(sentence.tokens[1:], start=1):
                words = sentence.tokens[max(0, i + 1 - len(short)) : i + 1]
                is_short = bool(short) and short == "".join(word[0] for word in words)
                is_short = is_short and (token == short or STOP_WORDS.isdisjoint(words))
                is_against = token[0] in letters and sentence.tokens[i - 1] in _AGAINST
                if is_against or is_short:
                    yield _Column(i, frozenset({c}))


def _names(label: str, table: Table) -> list[str]:
    """What a row is called: by its label, and by those parts of it that no other row has for its own: by how it begins,
    as *pump3* of *pump3_8xb_eu*, by what stands before brackets, and by the end of a path, as *wait* of *door.wait*.
    """
    own = [part for part in _parts(label) if sum(part in (row[0], *_parts(row[0])) for row in table.rows) == 1]
    return [label, *own]


def _parts(label: str) -> tuple[str, ...]:
    """Parts of a label that may stand for it.

    >>> _parts("pump3_8xb"), _parts("Smith (Bellows)"), _parts("door.wait_time"), _parts("half plate")
    (('pump3',), ('Smith',), ('wait time', 'door.wait'), ())
    """
    path = _PATH.fullmatch(label)
    begin, underscore, _ = label.partition("_")
    before, bracket, _ = label.partition("(")
    found = (path[1].replace("_", " ") if path else "", begin if underscore else "", before.strip() if bracket else "")
    return tuple(part for part in found if part)


@dataclass(frozen=True, slots=True)
class _Column:
    """Where a sentence names a column, or one of several that have the name; or a cell, which has a row besides."""

    place: int
    columns: frozenset[int]
    row: int | None = None

    def has(self, cells: frozenset[Position]) -> bool:
        return any(c in self.columns or r == self.row for r, c in cells)


def _in_order(
    held: dict[int, frozenset[Position]], names: Sequence[_Column], clauses: Sequence[int]
) -> dict[int, frozenset[Position]]:
    """What is held, each number of a column that is named in one that it is said of, where several are: that which it
    counts, *4 rooms*, or by their order.
    """
    telling = [place for place, cells in held.items() if 0 < sum(each.has(cells) for each in names) < len(names)]
    counted = {place for place in telling if any(each.place == place + 1 and each.has(held[place]) for each in names)}
    telling = [place for place in telling if place not in counted]
    mentions = [Mention(each.place, frozenset({i})) for i, each in enumerate(names)]
    best = {place for place in telling if _is_of_its_clause(place, held[place], names, clauses)}
    for way in owners(mentions, telling):
        meant = [names[i] for each in way for i in each.meant]
        fitting = {place for place, name in zip(telling, meant, strict=True) if name.has(held[place])}
        best = max(best, fitting, key=len)
    return {place: cells for place, cells in held.items() if place in best or place not in telling}


def _is_of_its_clause(place: int, cells: frozenset[Position], names: Sequence[_Column], clauses: Sequence[int]) -> bool:
    """Whether the one column that a clause names has its number; a clause may name none: *and does 1d6*."""
    starts = sorted({0, *clauses})
    start = max(each for each in starts if each <= place)
    end = min((each for each in starts if each > place), default=place + 1 + max(each.place for each in names))
    own = [each for each in names if start <= each.place < end]
    return all(each.has(cells) for each in own)


def _without_strays(held: dict[int, frozenset[Position]], names: Sequence[_Column]) -> dict[int, frozenset[Position]]:
    """What is held, without the numbers next to the name of a column that has none of them."""
    sure: set[int] = set()
    unsure: set[int] = set()
    for each in names:
        before = max((place for place in held if place < each.place), default=None)
        behind = min((place for place in held if place > each.place), default=None)
        beside = [place for place in (before, behind) if place is not None]
        holding = [place for place in beside if each.has(held[place])]
        (sure if holding else unsure).update(holding or beside)
    return {place: cells for place, cells in held.items() if place in sure or place not in unsure}


def _alternatives(head: tuple[str, ...]) -> list[frozenset[str]]:
    """The words of a head, or of each of the things that it lists; what stands in brackets is none of its name.

    >>> [sorted(each) for each in _alternatives(("Saving Throw", "Death, Paralysis, Poison"))]
    [['death', 'paralysis', 'poison'], ['death'], ['paralysis'], ['poison']]
    """
    own = _without_brackets(head[-1]) if head else ""
    listed = re.split(r"[,;]", own)
    return [words_of(own or "".join(head)), *(words_of(each) for each in listed if len(listed) > 1)]


@lru_cache(maxsize=1024)
def _bracketed(head: str) -> frozenset[str]:
    """The words that a head has in brackets, of which the first may be a unit: *Speed (km/h)*.

    >>> sorted(_bracketed("Rate (MHz)")), sorted(_bracketed("Rate"))
    (['mhz'], [])
    """
    return frozenset(next(iter(normal(each)), "") for each in _BRACKETED.findall(head)) - {""}


def _without_brackets(text: str) -> str:
    return re.sub(r"\([^)]*\)", " ", text)


def _is_span(head: str) -> bool:
    return read_label(head).span is not None and _DIE_IN_HEAD.search(head) is None


def _allowed(mentions: Sequence[Mention], found: Mapping[int, Set[int]]) -> Iterator[dict[int, frozenset[int]]]:
    """The ways to read which rows, or columns, each number may stand in; one that all have may stand in any, but where
    there is one number for each.
    """
    every = frozenset().union(*(each.meant for each in mentions))
    one_each = len(found) == len({each.meant for each in mentions})
    shared = {
        place: every for place, lines in found.items() if not one_each and all(each.meant & lines for each in mentions)
    }
    telling = [place for place in found if place not in shared]
    for way in owners(mentions, telling):
        yield shared | {place: mention.meant for place, mention in zip(telling, way, strict=True)}
