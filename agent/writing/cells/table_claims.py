"""Which numbers of a sentence a table supports: each in a cell of the row and column that the sentence names.

- Rows are named by their labels, in full or by a number in their range; else by another cell that only they have; else
  in part; else by the question. Columns with a number in their header, as *level 4-6*, are named by that number. If no
  row is named, all numbers must stand in one row, or in one column.
- A column with a worded header must hold a number next to its name, before it or behind it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import pairwise, product

from agent.languages.language import english
from agent.writing.cells.heads import (
    Column,
    Heads,
    Position,
    bracketed,
    in_order,
    named_spans,
    without_brackets,
    without_strays,
)
from agent.writing.texts.claims import (
    Mention,
    ParsedSentence,
    label_mentions,
    label_mentions_by_clause,
    mention_assignments,
    places_of,
    words_of,
)
from agent.writing.texts.columns import (
    DIE_IN_HEAD,
    is_code,
    is_span,
    naming_columns,
    row_names,
    units_of_rows,
    with_divided_columns,
)
from agent.writing.texts.facts import is_content_word, unit_of, words_in
from agent.writing.texts.numbers import Number, numbers_of_plain, readings
from agent.writing.texts.offered import SourceNumbers
from agent.writing.texts.plain import plain
from agent.writing.texts.reworded import is_akin
from agent.writing.texts.units import known_units
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import is_number, normal, number
from retrieval.types import Table

_THAN = "than"
_SEVERAL = 2
_LONGEST_ALIAS = 4
"""Most words of a cell that may name its row."""


@lru_cache(maxsize=128)
def claims_of(table: Table) -> TableClaims:
    """Return the claims of a table; cached."""
    return TableClaims(with_divided_columns(table))


class TableClaims:
    """The cells of one table, by their numbers and by their names."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._heads = [" ".join(head) for head in table.columns]
        columns = range(len(self._heads))
        self._spans = [c for c in columns if c and is_span(self._heads[c])]
        self._labels = [
            (r, self._heads[0], label) for r, row in enumerate(table.rows) for label in row_names(row[0], table)
        ]
        self._codes = [
            (r, self._heads[c], row[c])
            for c in naming_columns(table)
            for r, row in enumerate(table.rows)
            if is_code(row[c])
        ]
        cells = {(r, c): self._read(r, c) for r in range(len(table.rows)) for c in columns}
        every = [each for numbers in cells.values() for each in numbers]
        self._cells = {place: SourceNumbers(numbers, among=every) for place, numbers in cells.items() if numbers}
        self._aliases = self._unique_cells()
        self._units_of_rows = units_of_rows(table)
        self._columns = Heads(table, {0, *self._spans} - named_spans(self._heads, self._spans), self._aliases)
        self._columns_by_unit: dict[str, set[int]] = {}
        for (_, column), numbers in cells.items():
            for unit in {each.unit for each in numbers} - {""}:
                self._columns_by_unit.setdefault(unit, set()).add(column)

    def _read(self, row: int, column: int) -> list[Number]:
        """Return the numbers of a cell in all readings; under a header with a die, a number counts dice as well."""
        cell, head = self._table.rows[row][column], self._heads[column]
        if column == 0:
            return [each for one in readings(plain(f"{head} {cell}")) for each in one]
        found = [each for one in readings(plain(cell)) for each in one]
        if column not in self._spans:
            named = dict.fromkeys((head, without_brackets(head)))
            found += [e for own in named for one in readings(plain(f"{own} {cell}")) for e in one if e.measure]
        die = DIE_IN_HEAD.search(head)
        if die is not None and cell.strip().isdecimal():
            found.append(Number(f"{cell.strip()}d{die[1]}"))
        return found

    def _unique_cells(self) -> list[tuple[Position, str]]:
        """Return the cells that may name their row or column: short texts that stand in only one row."""
        at: dict[str, list[Position]] = {}
        for r, row in enumerate(self._table.rows):
            for c, cell in enumerate(row):
                is_short = 0 < len(words_of(cell)) <= _LONGEST_ALIAS and len(cell.split()) <= _LONGEST_ALIAS
                is_short = is_short and not words_of(cell) <= known_units()
                if c and is_short and not any(map(is_number, normal(cell))):
                    at.setdefault(cell.lower(), []).append((r, c))
        return [(places[0], cell) for cell, places in at.items() if len({r for r, _ in places}) == 1]

    def supported_places(self, sentence: ParsedSentence, question: ParsedSentence) -> frozenset[int]:
        """Return the places of the sentence's numbers that the table supports."""
        found = {each[0].place: self._cells_with_number(each, sentence) for each in sentence.numbers}
        within = frozenset(r for cells in found.values() for r, _ in cells)
        asked = [e for e in self.rows_named(question, within) if e.is_whole or not e.meant.isdisjoint(within)]
        rows = self._with_numbers(self.rows_named(sentence, within) or asked)
        spans = [(c, "", self._heads[c]) for c in self._spans]
        columns = label_mentions(spans, sentence) or label_mentions(spans, question)
        keys = {*self._keys(rows, sentence), *(each.key for each in columns if each.key is not None)} & found.keys()
        for others in (self._in_own_rows, self._in_names, self._in_own_words):
            keys |= others(sentence, rows)
        keys |= self._extremes(sentence)
        keyed = {(r, 0) for each in rows if each.key is not None for r in each.meant}
        found = {place: cells - keyed for place, cells in found.items() if place not in keys}
        values = sorted(place for place, cells in found.items() if cells)
        each_own = self._with_numbers(label_mentions_by_clause(self._labels, sentence))
        meant, meant_by_clause = ({r for each in way for r in each.meant} for way in (rows, each_own))
        ways = [rows, each_own] if meant < meant_by_clause else [rows]
        held = max((self._held({place: found[place] for place in values}, way, columns) for way in ways), key=len)
        return frozenset(keys | self._under_named_headers(sentence, question, held).keys())

    def keys_of(self, sentence: ParsedSentence) -> frozenset[int]:
        """Return the places of the numbers of a sentence that select rows, or are the extremes of a column."""
        return frozenset({*self._keys(self.rows_named(sentence), sentence), *self._extremes(sentence)})

    def _keys(self, rows: Iterable[Mention], sentence: ParsedSentence) -> Iterator[int]:
        """Yield the places of the numbers that select rows, unless the words of their clause fit another row better."""
        is_alone = len(sentence.numbers) == 1
        for each in (each for each in rows if each.key is not None):
            told = sentence.words if is_alone else sentence.words_around(each.place)
            if any(self._is_told_best(r, told) for r in each.meant):
                yield each.place

    def _is_told_best(self, row: int, clause: frozenset[str]) -> bool:
        """True if no other row has all words of the clause that this row has, and more: several, or a whole cell."""
        own, denials = clause & self._words_of_rows[row], clause & english().negations
        for other, words in zip(self._table.rows, self._words_of_rows, strict=True):
            shared = clause & words
            is_better = own < shared and denials <= words and not shared.isdisjoint(self._unshared)
            if is_better and (len(shared) > 1 or any(words_in(cell) == shared for cell in other[1:])):
                return False
        return True

    @cached_property
    def _unshared(self) -> frozenset[str]:
        """The words that only one cell has, and no header."""
        counted = Counter(word for row in self._table.rows for cell in row for word in words_in(cell))
        return frozenset(word for word, times in counted.items() if times == 1) - words_in(" ".join(self._heads))

    @cached_property
    def _words_of_rows(self) -> Sequence[frozenset[str]]:
        """The words of the rows besides their labels, with their negations."""
        return [words_in(" ".join(row[1:])) for row in self._table.rows]

    def _extremes(self, sentence: ParsedSentence) -> set[int]:
        """Return the places of ranges that span a whole column: *built from 1961 to 1963*."""
        ends = [one[0] for one in sentence.numbers if one[0].is_end and _THAN not in sentence.words]
        found: set[int] = set()
        for first, last in pairwise(ends):
            for low, high in self._ranges if last.place == first.place + 2 else ():
                found |= {first.place, last.place} if (first.value, last.value) == (low, high) else set()
        return found

    @cached_property
    def _ranges(self) -> frozenset[tuple[str, str]]:
        """The minimum and maximum of each column, by the last number of each cell; of dates, of their years."""
        found = set()
        for column in list(zip(*self._table.rows, strict=True))[1:]:
            last = [numbers[-1].value for cell in column if (numbers := numbers_of_plain(plain(cell)))]
            values = sorted((each for each in last if is_number(each)), key=number)
            found |= {(values[0], values[-1])} if len(values) > 1 else set()
        return frozenset(found)

    def _places_of(self, wanted: Sequence[Number], sentence: ParsedSentence) -> frozenset[Position]:
        """Return the cells with a number; if some columns or rows are known to have its unit, only theirs."""
        having = self._columns_by_unit.get(wanted[0].unit)
        behind = unit_of(sentence.tokens, wanted[0])
        in_heads = {c for c, head in enumerate(self._heads) if behind and behind in bracketed(head)}
        having = having | in_heads if having is not None else in_heads or None
        rows = {r for r, unit in self._units_of_rows.items() if unit == behind}
        return frozenset(
            (r, c)
            for (r, c), offered in self._cells.items()
            if offered.hold(wanted) and (having is None or c in having) and (not rows or r in rows)
        )

    def _cells_with_number(self, wanted: Sequence[Number], sentence: ParsedSentence) -> frozenset[Position]:
        """Return the cells with a number; a label only if its row or header is named too, or the number has a
        measure.
        """
        aliased = {r for (r, _), cell in self._aliases if words_of(cell) <= sentence.words}
        aliased |= {r for each in label_mentions(self._codes, sentence) for r in each.meant}
        return frozenset(
            (r, c)
            for r, c in self._places_of(wanted, sentence)
            if c
            or r in aliased
            or self._is_label_named(r, sentence)
            or wanted[0].measure
            or self._shares_row_words(r, sentence.words)
        )

    def _in_names(self, sentence: ParsedSentence, _: Sequence[Mention]) -> set[int]:
        """Return the places of the numbers in labels that a sentence has verbatim: *on 27 May 1978*."""
        found: set[int] = set()
        for name in {normal(plain(row[0])) for row in self._table.rows}:
            for start in places_of(name, sentence.tokens) if len(name) > 1 else ():
                found.update(range(start, start + len(name)))
        return {each[0].place for each in sentence.numbers} & found

    def _in_own_rows(self, sentence: ParsedSentence, _: Sequence[Mention]) -> set[int]:
        """Return the places of numbers in row labels whose clauses have words of the row: *422 says that it failed*."""
        found = set()
        for each in (one[0] for one in sentence.numbers if is_number(one[0].value) and not one[0].unit):
            clause = sentence.words_around(each.place)
            spans = ((r, read_label(row[0]).span) for r, row in enumerate(self._table.rows) if not words_of(row[0]))
            rows = [r for r, span in spans if span is not None and number(each.value) in span]
            is_told = (
                self._shares_row_words(r, clause, self._unshared) and self._is_told_best(r, clause) for r in rows
            )
            found |= {each.place} if any(is_told) else set()
        return found

    def _in_own_words(self, sentence: ParsedSentence, rows: Sequence[Mention]) -> set[int]:
        """Return the places of numbers whose cells share a word with their clauses that no other cell has."""
        named_there = {r for each in rows if each.is_whole for r in each.meant}
        found = set()
        for each in sentence.numbers:
            clause = sentence.words_around(each[0].place)
            cells = [(r, c) for r, c in self._places_of(each, sentence) if c and (not named_there or r in named_there)]
            own = frozenset().union(*(words_in(self._table.rows[r][c]) for r, c in cells)) & self._unshared
            found |= {each[0].place} if not own.isdisjoint(clause) else set()
        return found

    def _shares_row_words(self, row: int, told: frozenset[str], within: frozenset[str] | None = None) -> bool:
        """True if some words are akin to those of a row besides its label: *422 says that it failed*."""
        words = self._words_of_rows[row] if within is None else self._words_of_rows[row] & within
        return any(is_akin(word, other) for word in words for other in told)

    def _is_label_named(self, row: int, sentence: ParsedSentence) -> bool:
        own = {*read_label(self._table.rows[row][0]).name, *words_of(self._heads[0])}
        return not own or not own.isdisjoint(sentence.words)

    def rows_named_in_full(self, sentence: ParsedSentence) -> set[int]:
        """Return the rows that a sentence names in full, by their labels or by cells that only they have."""
        every = [
            *label_mentions(self._labels, sentence),
            *label_mentions([(r, "", cell) for (r, _), cell in self._aliases], sentence),
        ]
        return {r for each in every if each.is_whole for r in each.meant}

    def rows_named(self, sentence: ParsedSentence, within: Set[int] | None = None) -> list[Mention]:
        """Return the mentions of rows in a sentence; cells other than labels name only rows `within` the given ones."""
        own = label_mentions(self._labels, sentence)
        if own and own[0].is_whole:
            return own
        cells = [(r, "", cell) for (r, _), cell in self._aliases if within is None or r in within]
        others = [each for each in label_mentions([*cells, *self._codes], sentence) if each.is_whole]
        return others or own

    def _with_numbers(self, rows: Sequence[Mention]) -> list[Mention]:
        """Return the rows with numbers, if any, without mere group headings: *Lodging* above *~ poor* and *~ rich*."""
        having = {r for r, c in self._cells if c}
        return [each for each in rows if not each.meant.isdisjoint(having)] or list(rows)

    def _held(
        self, found: Mapping[int, frozenset[Position]], rows: Sequence[Mention], columns: Sequence[Mention]
    ) -> dict[int, frozenset[Position]]:
        """Return the numbers in the right cells, by the reading of the sentence that supports most."""
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
        return max(best, self._by_columns(found, rows), key=len)

    def _by_columns(
        self, found: Mapping[int, frozenset[Position]], rows: Sequence[Mention]
    ) -> dict[int, frozenset[Position]]:
        """Return the numbers that stand in the rows in the order of their names, column by column: *A has 2 oars more
        than B, 9 instead of 7*.
        """
        if len({each.meant for each in rows}) != len(rows) or len(rows) < _SEVERAL:
            return {}
        held: dict[int, set[Position]] = {}
        ordered = sorted(rows, key=lambda each: each.place)
        for column in {c for cells in found.values() for _, c in cells} - set(self._spans):
            places = sorted(place for place, cells in found.items() if any(c == column for _, c in cells))
            named_by = ordered if len(places) == len(ordered) else ordered[:1] if len(places) == 1 else []
            for place, name in zip(places, named_by, strict=True) if named_by else ():
                held.setdefault(place, set()).update((r, c) for r, c in found[place] if c == column and r in name.meant)
        return {place: frozenset(cells) for place, cells in held.items() if cells}

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
        """Yield each row (as 0) and each column (as 1) that has a number, for sentences that name no row."""
        cells = {cell for each in found.values() for cell in each}
        yield from ({0: frozenset({row})} for row in sorted({row for row, _ in cells}))
        yield from ({1: frozenset({column})} for column in sorted({column for _, column in cells}))

    def _under_named_headers(
        self, sentence: ParsedSentence, question: ParsedSentence, held: dict[int, frozenset[Position]]
    ) -> dict[int, frozenset[Position]]:
        """Return the supported numbers without those that the sentence gives to a named column that lacks them."""
        names = list(self._columns_named(sentence))
        rows = {r for cells in held.values() for r, _ in cells}
        names = [each for each in names if not self._is_worded(each, rows)]
        if not names:
            asked = frozenset().union(*(each.columns for each in self._columns.named(question) if each.is_alone))
            asked &= {c for _, c in self._cells}
            is_told = any(each[0].measure and each[0].place in held for each in sentence.numbers)
            is_asked = not asked or is_told or any(c in asked for cells in held.values() for _, c in cells)
            return held if is_asked else {}
        worded = {place: held.pop(place) for place in list(held) if self._has_word_behind(place, held[place], sentence)}
        return worded | without_strays(in_order(held, names, sentence.clauses), names, sentence.clauses)

    def _has_word_behind(self, place: int, cells: Iterable[Position], sentence: ParsedSentence) -> bool:
        """True if the word behind a number stands in its cells, as *GPUs* in *4 GPUs*: no header need name it."""
        words = frozenset(filter(is_content_word, sentence.tokens[place + 1 : place + 2])) - known_units()
        return bool(words) and all(words <= words_in(self._table.rows[r][c]) for r, c in cells)

    def _columns_named(self, sentence: ParsedSentence) -> Iterator[Column]:
        """Yield the mentions of columns, except within row labels, and except by a word of another named row."""
        rows = {r for each in label_mentions(self._labels, sentence) if each.is_whole for r in each.meant}
        words = frozenset().union(*(self._words_of_rows[r] for r in rows))
        for each in self._columns.named(self.beside_labels(sentence)):
            if not english().negations.isdisjoint(sentence.tokens[max(0, each.place - 2) : each.place]):
                continue  # *it has no oars* gives no number of oars
            if each.row in rows or each.row is None or sentence.tokens[each.place] not in words:
                yield each

    def beside_labels(self, sentence: ParsedSentence) -> ParsedSentence:
        """Return the sentence without the row labels that it has in full: the *Ferry* of *Red Ferry* is no column."""
        tokens = list(sentence.tokens)
        for name in {normal(plain(label)) for _, _, label in self._labels}:
            for start in places_of(name, sentence.tokens):
                tokens[start : start + len(name)] = [""] * len(name)
        return replace(sentence, tokens=tuple(tokens))

    def _is_worded(self, name: Column, rows: Set[int]) -> bool:
        """True if a column has words in all of some rows, and no number that might be stated: *Refunded | no*."""
        cells = [(r, c) for r in rows for c in name.columns]
        words = (self._table.rows[r][c] for r, c in cells)
        return (
            name.row is None
            and bool(cells)
            and all(any(map(str.isalpha, each)) for each in words)
            and not any(cell in self._cells for cell in cells)
        )


def _allowed(mentions: Sequence[Mention], found: Mapping[int, Set[int]]) -> Iterator[dict[int, frozenset[int]]]:
    """Yield the ways to assign the numbers to rows or columns. A number that all of them have may stand in any, unless
    there is one number for each.
    """
    every = frozenset().union(*(each.meant for each in mentions))
    one_each = len(found) == len({each.meant for each in mentions})
    shared = {
        place: every for place, lines in found.items() if not one_each and all(each.meant & lines for each in mentions)
    }
    telling = [place for place in found if place not in shared]
    for way in mention_assignments(mentions, telling):
        yield shared | {place: mention.meant for place, mention in zip(telling, way, strict=True)}
