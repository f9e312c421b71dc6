"""Which numbers of a sentence a table supports: each in a cell of the row and column that the sentence names.

- Rows are named by their labels, in full or by a number in their range; else by another cell that only they have; else
  in part; else by the question. Columns with a number in their header, as *level 4-6*, are named by that number. If no
  row is named, all numbers must stand in one row, or in one column.
- A column with a worded header must hold a number next to its name, before it or behind it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import chain, pairwise, product

from agent.languages.language import english
from agent.writing.cells.heads import (
    Column,
    Heads,
    bracketed,
    in_order,
    named_spans,
    without_brackets,
    without_strays,
)
from agent.writing.cells.holding import held
from agent.writing.cells.positions import Position, columns_of, every_cell, rows_of
from agent.writing.texts.claims import (
    Mention,
    ParsedSentence,
    in_full,
    label_mentions,
    label_mentions_by_clause,
    meant_by,
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
from agent.writing.texts.numbers import Number, every_reading, numbers_of_plain
from agent.writing.texts.offered import SourceNumbers
from agent.writing.texts.plain import plain
from agent.writing.texts.reworded import share_akin
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
        self._heads = list(map(" ".join, table.columns))
        self._spans = [c for c, head in enumerate(self._heads) if c and is_span(head)]
        self._labels = list(self._read_labels())
        self._codes = list(self._read_codes())
        cells = dict(self._read_cells())
        every = list(chain.from_iterable(cells.values()))
        self._cells = {place: SourceNumbers(numbers, among=every) for place, numbers in cells.items()}
        self._aliases = self._unique_cells()
        self._units_of_rows = units_of_rows(table)
        self._columns = Heads(table, {0, *self._spans} - named_spans(self._heads, self._spans), self._aliases)
        self._columns_by_unit: dict[str, set[int]] = {}
        for (_, column), numbers in cells.items():
            for each in numbers:
                if each.unit:
                    self._columns_by_unit.setdefault(each.unit, set()).add(column)

    def _read_labels(self) -> Iterator[tuple[int, str, str]]:
        """Yield the names of the rows, each with its row and the header above it."""
        for r, row in enumerate(self._table.rows):
            for name in row_names(row[0], self._table):
                yield r, self._heads[0], name

    def _read_codes(self) -> Iterator[tuple[int, str, str]]:
        """Yield the codes that name rows, each with its row and the header above it."""
        for c in naming_columns(self._table):
            for r, row in enumerate(self._table.rows):
                if is_code(row[c]):
                    yield r, self._heads[c], row[c]

    def _read_cells(self) -> Iterator[tuple[Position, list[Number]]]:
        """Yield the cells with numbers."""
        for r, c in product(range(len(self._table.rows)), range(len(self._heads))):
            if numbers := self._read(r, c):
                yield (r, c), numbers

    def _read(self, row: int, column: int) -> list[Number]:
        """Return the numbers of a cell in all readings; under a header with a die, a number counts dice as well."""
        cell, head = self._table.rows[row][column], self._heads[column]
        if column == 0:
            return every_reading(plain(f"{head} {cell}"))
        found = every_reading(plain(cell))
        if column not in self._spans:
            for own in dict.fromkeys((head, without_brackets(head))):
                found += [each for each in every_reading(plain(f"{own} {cell}")) if each.measure]
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
        return [(places[0], cell) for cell, places in at.items() if len(rows_of(places)) == 1]

    def supported_places(self, sentence: ParsedSentence, question: ParsedSentence) -> frozenset[int]:
        """Return the places of the sentence's numbers that the table supports."""
        found = {each[0].place: self._cells_with_number(each, sentence) for each in sentence.numbers}
        within = rows_of(every_cell(found))
        asked = [e for e in self.rows_named(question, within) if e.is_whole or not e.meant.isdisjoint(within)]
        rows = self._with_numbers(self.rows_named(sentence, within) or asked)
        spans = [(c, "", self._heads[c]) for c in self._spans]
        columns = label_mentions(spans, sentence) or label_mentions(spans, question)
        keys = {*self._keys(rows, sentence), *(each.place for each in _keyed(columns))} & found.keys()
        for others in (self._in_own_rows, self._in_names, self._in_own_words):
            keys |= others(sentence, rows)
        keys |= self._extremes(sentence)
        labels = frozenset(product(meant_by(_keyed(rows)), [0]))
        values: dict[int, frozenset[Position]] = {}
        for place in sorted(found.keys() - keys):
            if cells := found[place] - labels:
                values[place] = cells
        best = held(values, rows, columns, self._spans)
        each_own = self._with_numbers(label_mentions_by_clause(self._labels, sentence))
        if meant_by(rows) < meant_by(each_own):
            best = max(best, held(values, each_own, columns, self._spans), key=len)
        return frozenset(keys | self._under_named_headers(sentence, question, best).keys())

    def keys_of(self, sentence: ParsedSentence) -> frozenset[int]:
        """Return the places of the numbers of a sentence that select rows, or are the extremes of a column."""
        return frozenset({*self._keys(self.rows_named(sentence), sentence), *self._extremes(sentence)})

    def _keys(self, rows: Iterable[Mention], sentence: ParsedSentence) -> Iterator[int]:
        """Yield the places of the numbers that select rows, unless the words of their clause fit another row better."""
        is_alone = len(sentence.numbers) == 1
        for each in _keyed(rows):
            told = sentence.words if is_alone else sentence.words_around(each.place)
            if any(self._is_told_best(r, told) for r in each.meant):
                yield each.place

    def _is_told_best(self, row: int, clause: frozenset[str]) -> bool:
        """True if no other row has all words of the clause that this row has, and more: several, or a whole cell."""
        own, denials = clause & self._words_of_rows[row], clause & english().negations
        for other, words in zip(self._table.rows, self._words_of_rows, strict=True):
            shared = clause & words
            is_better = own < shared and denials <= words and not shared.isdisjoint(self._unshared)
            if is_better and (len(shared) > 1 or shared in map(words_in, other[1:])):
                return False
        return True

    @cached_property
    def _unshared(self) -> frozenset[str]:
        """The words that only one cell has, and no header."""
        cells = chain.from_iterable(self._table.rows)
        counted = Counter(chain.from_iterable(map(words_in, cells)))
        return frozenset(word for word, times in counted.items() if times == 1) - words_in(" ".join(self._heads))

    @cached_property
    def _words_of_rows(self) -> Sequence[frozenset[str]]:
        """The words of the rows besides their labels, with their negations."""
        return [words_in(" ".join(row[1:])) for row in self._table.rows]

    def _extremes(self, sentence: ParsedSentence) -> set[int]:
        """Return the places of ranges that span a whole column: *built from 1961 to 1963*."""
        if _THAN in sentence.words:
            return set()
        ends = [each for each in sentence.told if each.is_end]
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
            values = sorted(filter(is_number, _last_values(column)), key=number)
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
        aliased |= meant_by(label_mentions(self._codes, sentence))
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
        return found & sentence.places

    def _in_own_rows(self, sentence: ParsedSentence, _: Sequence[Mention]) -> set[int]:
        """Return the places of numbers in row labels whose clauses have words of the row: *422 says that it failed*."""
        found = set()
        for each in sentence.told:
            is_bare = is_number(each.value) and not each.unit
            if is_bare and self._is_told_of_own_row(each, sentence.words_around(each.place)):
                found.add(each.place)
        return found

    def _is_told_of_own_row(self, wanted: Number, clause: frozenset[str]) -> bool:
        """True if a clause has words of a row whose label is a number."""
        for r, row in enumerate(self._table.rows):
            span = read_label(row[0]).span
            if span is None or words_of(row[0]) or number(wanted.value) not in span:
                continue
            if self._shares_row_words(r, clause, self._unshared) and self._is_told_best(r, clause):
                return True
        return False

    def _in_own_words(self, sentence: ParsedSentence, rows: Sequence[Mention]) -> set[int]:
        """Return the places of numbers whose cells share a word with their clauses that no other cell has."""
        named_there = meant_by(in_full(rows))
        found = set()
        for each in sentence.numbers:
            telling = sentence.words_around(each[0].place) & self._unshared
            for r, c in self._places_of(each, sentence):
                is_meant = c and (not named_there or r in named_there)
                if is_meant and not telling.isdisjoint(words_in(self._table.rows[r][c])):
                    found.add(each[0].place)
        return found

    def _shares_row_words(self, row: int, told: frozenset[str], within: frozenset[str] | None = None) -> bool:
        """True if some words are akin to those of a row besides its label: *422 says that it failed*."""
        words = self._words_of_rows[row] if within is None else self._words_of_rows[row] & within
        return share_akin(words, told)

    def _is_label_named(self, row: int, sentence: ParsedSentence) -> bool:
        own = {*read_label(self._table.rows[row][0]).name, *words_of(self._heads[0])}
        return not own or not own.isdisjoint(sentence.words)

    def rows_named_in_full(self, sentence: ParsedSentence) -> frozenset[int]:
        """Return the rows that a sentence names in full, by their labels or by cells that only they have."""
        by_labels = label_mentions(self._labels, sentence)
        return meant_by(in_full([*by_labels, *label_mentions(self._cells_as_labels(), sentence)]))

    def _cells_as_labels(self, within: Set[int] | None = None) -> list[tuple[int, str, str]]:
        """Return the cells that name rows, as labels; only those of rows `within` the given ones."""
        return [(r, "", cell) for (r, _), cell in self._aliases if within is None or r in within]

    def rows_named(self, sentence: ParsedSentence, within: Set[int] | None = None) -> list[Mention]:
        """Return the mentions of rows in a sentence; cells other than labels name only rows `within` the given ones."""
        own = label_mentions(self._labels, sentence)
        if own and own[0].is_whole:
            return own
        return in_full(label_mentions([*self._cells_as_labels(within), *self._codes], sentence)) or own

    def _with_numbers(self, rows: Sequence[Mention]) -> list[Mention]:
        """Return the rows with numbers, if any, without mere group headings: *Lodging* above *~ poor* and *~ rich*."""
        having = {r for r, c in self._cells if c}
        return [each for each in rows if not each.meant.isdisjoint(having)] or list(rows)

    def _under_named_headers(
        self, sentence: ParsedSentence, question: ParsedSentence, found: dict[int, frozenset[Position]]
    ) -> dict[int, frozenset[Position]]:
        """Return the supported numbers without those that the sentence gives to a named column that lacks them."""
        rows = rows_of(every_cell(found))
        names = [each for each in self._columns_named(sentence) if not self._is_worded(each, rows)]
        if not names:
            asked = frozenset().union(*(each.columns for each in self._columns.named(question) if each.is_alone))
            asked &= columns_of(self._cells)
            is_told = any(each.measure and each.place in found for each in sentence.told)
            is_asked = not asked or is_told or not asked.isdisjoint(columns_of(every_cell(found)))
            return found if is_asked else {}
        worded = {}
        for place, cells in list(found.items()):
            if self._has_word_behind(place, cells, sentence):
                worded[place] = found.pop(place)
        return worded | without_strays(in_order(found, names, sentence.clauses), names, sentence.clauses)

    def _has_word_behind(self, place: int, cells: Iterable[Position], sentence: ParsedSentence) -> bool:
        """True if the word behind a number stands in its cells, as *GPUs* in *4 GPUs*: no header need name it."""
        words = frozenset(filter(is_content_word, sentence.tokens[place + 1 : place + 2])) - known_units()
        return bool(words) and all(words <= words_in(self._table.rows[r][c]) for r, c in cells)

    def _columns_named(self, sentence: ParsedSentence) -> Iterator[Column]:
        """Yield the mentions of columns, except within row labels, and except by a word of another named row."""
        rows = meant_by(in_full(label_mentions(self._labels, sentence)))
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
        cells = list(product(rows, name.columns))
        if name.row is not None or not cells or not self._cells.keys().isdisjoint(cells):
            return False
        return all(any(map(str.isalpha, self._table.rows[r][c])) for r, c in cells)


def _keyed(mentions: Iterable[Mention]) -> list[Mention]:
    """Return the mentions by numbers that select their entities."""
    return [each for each in mentions if each.key is not None]


def _last_values(cells: Iterable[str]) -> Iterator[str]:
    """Yield the last number of each cell that has one."""
    for cell in cells:
        if numbers := numbers_of_plain(plain(cell)):
            yield numbers[-1].value
