"""Find rows that no name leads to, by words that match their cells, the headers above and the names of their table.

*The memory of Mask R-CNN with an R-101 backbone on nuImages* names a header, two cells of one row, and a page. Each
word has to match one of them: a cell chooses rows, a header the column, a name the table. Rows whose matching cells
have no other words come first: *Mask R-CNN* is not *Cascade Mask R-CNN*. A number has to match the key of its row, or a
cell together with a word next to it in the question.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice, takewhile
from operator import itemgetter
from typing import NamedTuple

from agent.reasoning.kinds.asked import asked_for, is_unknown
from agent.reasoning.kinds.member import Member, Value, brief_words
from agent.reasoning.kinds.members import rows_of
from agent.reasoning.values.cell_text import is_echo
from agent.reasoning.values.conditions import truth_of
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA, tokens_of
from retrieval.tables.index import Cells
from retrieval.tables.match import any_matches, begins, label_words, matches_any
from retrieval.text.normal import is_number, phrase

_MOST_TABLES = 40
"""The most tables that are searched: those with the most words of a question."""
_CODE = re.compile(r"\W*([a-z]{2,})(?=[-_. ]?\d)")
"""The letters that a code begins with."""


class Word(NamedTuple):
    """A word of the question, the measures that it implies, and for a number its spelling and the words next to it:
    *per second* may ask for *Iterations/sec*.
    """

    text: str
    implied: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()

    def is_of_head(self, head: Collection[str]) -> bool:
        """True if a header has the word or a measure that it implies; a term of several words matches word by word."""
        return any(all(matches_any(part, head) for part in each.split()) for each in (self.text, *self.implied))

    def is_in(self, cell: Value) -> bool:
        """True if a cell has the word. A number has to be in the row's key, or next to a word of the cell or
        its label.
        """
        if self.text not in cell.said:
            return False
        is_free = not cell.column or not is_number(self.text)
        return is_free or any_matches(self.beside, (*cell.said, *cell.words))


class Row(NamedTuple):
    """A member of a kind that is a table row, with all of its cells, including its key."""

    member: Member
    cells: tuple[Value, ...]

    @classmethod
    def of(cls, member: Member) -> Row:
        """Return the row of a member."""
        (number, grid), at = member.grids[0], member.at or 0
        columns = range(min(len(grid.column_labels), len(grid.table.rows[at])))
        return cls(member, tuple(Value.of(grid.column_labels[i], number, grid, at, i) for i in columns))

    def tells(self, word: Word, *, but: int | None = None) -> bool:
        """True if a short cell, except that in column `but`, or the name of the row's group has a word."""
        if any(word.is_in(cell) for cell in self.cells if cell.column != but):
            return True
        return word.text in brief_words(self.member.grid.groups[self.member.at or 0])


@dataclass(frozen=True)
class Chosen:
    """The rows of a table that match some words, and the column that is asked for.

    `by_head` are the words that match the column's header, `by_cells` those that choose rows, and `left` the unmatched
    ones. `told` counts the matched words, `extra` the other words in the matching cells.
    """

    rows: tuple[Row, ...]
    by_cells: frozenset[str]
    left: tuple[str, ...]
    extra: int = 0
    told: int = 0
    column: int = 0
    by_head: frozenset[str] = frozenset()

    @property
    def values(self) -> tuple[Value, ...]:
        """The value of each row in the column."""
        return tuple(row.cells[self.column] for row in self.rows)

    @property
    def label(self) -> str:
        """The header of the column."""
        return self.values[0].label

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the values."""
        return tuple(value.text for value in self.values)

    @property
    def rank(self) -> tuple[float, ...]:
        """The sort key, larger is better: fewest unmatched words, most matches, fewest extra words, share of the
        header.
        """
        said = label_words(self.label)
        share = len(self.by_head) / len(said) if said else 0.0
        return (-len(self.left), len(self.by_head) + len(self.by_cells), -self.extra, share)

    @property
    def is_named_in_part(self) -> bool:
        """True if a row's key has both matched and unmatched words: *Protection from Missiles*, for a missile."""
        told = self.by_cells | self.by_head
        keys = (brief_words(row.cells[0].text) for row in self.rows)
        return any(not told.isdisjoint(key) and not told.issuperset(key) for key in keys)

    def name(self, row: Row) -> str:
        """Return the name of a row, with the cells that chose it."""
        name = row.member.name
        chosen = (cell.text.strip() for cell in row.cells[1:] if self.by_cells.intersection(cell.said))
        beside = list(dict.fromkeys(text for text in chosen if not {*phrase(text)} <= {*phrase(name)}))
        return f"{name} ({', '.join(beside)})" if beside else name


@dataclass(frozen=True)
class _Table:
    """Compares the rows of one table with the words of one question."""

    rows: Sequence[Row]
    question: Tagged
    _telling: dict[Word, frozenset[Row]] = field(default_factory=dict, init=False, compare=False)

    def chosen(self, words: Sequence[Word], answer: Collection[str]) -> Iterator[Chosen]:
        """Yield the rows that match the words, for each column whose header matches some."""
        said = [word.text for word in words]
        for column, head in enumerate(self._heads):
            told = {word.text for word in words if word.is_of_head(head)}
            is_measure = column > 0 and column not in self._flags
            if not is_measure or told <= set(answer) or not self._is_said(column, words, said):
                continue
            found = self._narrowed([word for word in words if word.text not in told], answer, column)
            found = replace(found, by_head=frozenset(told), told=found.told + len(told))
            texts = map(str.strip, found.texts)
            asked = self.question.tokens
            is_told = all(not is_echo(text, asked) or (answer and text and not phrase(text)) for text in texts)
            if found.rows and is_told and self._are_chosen_beside(column, words, found):
                yield found

    @cached_property
    def _heads(self) -> list[tuple[str, ...]]:
        return list(map(label_words, self.rows[0].member.grid.column_labels))

    @cached_property
    def _names(self) -> frozenset[str]:
        """The words that name the table and its entities."""
        grid = self.rows[0].member.grid
        return grid.context | grid.kinds

    def _is_named(self, word: str) -> bool:
        """True if a word is in a name of the table, or begins a word of it."""
        return any(word == name or (len(name) > len(word) and begins(word, name)) for name in self._names)

    def _rows_telling(self, word: Word) -> frozenset[Row]:
        if word not in self._telling:
            self._telling[word] = frozenset(row for row in self.rows if row.tells(word))
        return self._telling[word]

    def _are_chosen_beside(self, column: int, words: Sequence[Word], found: Chosen) -> bool:
        """True if each number that chooses rows does so outside of the column asked for: 7 people are no fee of 7
        crowns.
        """
        for word in words:
            chooses = word.text in found.by_cells and is_number(word.text)
            if chooses and not all(row.tells(word, but=column) for row in found.rows):
                return False
        return True

    @cached_property
    def _flags(self) -> dict[int, frozenset[Row]]:
        """The yes-no columns, each with the rows whose value is yes."""
        found: dict[int, frozenset[Row]] = {}
        for column in range(1, len(self._heads)):
            told = {row: truth_of(row.cells[column].text, self.question.language) for row in self.rows}
            if True in told.values() and None not in told.values():
                found[column] = frozenset(row for row, is_so in told.items() if is_so)
        return found

    @cached_property
    def _kinds(self) -> set[str]:
        """The words with which most codes of a column begin: the *area* of *Area_1*, *Area_2*."""
        found = set[str]()
        for cells in zip(*(row.cells for row in self.rows), strict=True):
            begun = [code[1] for cell in cells if (code := _CODE.match(cell.text.casefold()))]
            found |= {word for word in begun if 2 * begun.count(word) > len(begun)}
        return found

    def _narrowed(self, words: Sequence[Word], answer: Collection[str], column: int) -> Chosen:
        """Filter the rows word by word, for the value of a column.

        A word of the table's own name filters only if rows have it. A word of another column's header counts as
        matched only if that column chooses rows, or if it is in `answer`.
        """
        said = frozenset(word.text for word in words)
        rows, by_cells, left = list(self.rows), set[str](), list[str]()
        for flag, so in self._flags.items():
            if said.issuperset(self._heads[flag]):
                rows = [row for row in rows if row in so]
                by_cells.update(self._heads[flag])
        for word in sorted(words, key=lambda word: self._is_named(word.text)):
            telling = self._rows_telling(word)
            some = [row for row in rows if row in telling]
            is_kind = len(some) > 1 and matches_any(word.text, self._heads[0])  # all of a *Field name* are fields
            if word.text in by_cells or is_kind or (self._is_named(word.text) and not some):
                continue
            if telling:
                rows = some
                by_cells.add(word.text)
            elif word.text not in self._kinds:
                left.append(word.text)
        columns = self._columns_choosing(rows, by_cells)
        asked = {word.text for word in words if self._asks_for(word, columns, answer)}
        left = [text for text in left if text not in asked]
        least, kept = _saying_least(rows, by_cells, said, column)
        return Chosen(kept, frozenset(by_cells), tuple(left), least, len(said) - len(left), column)

    def _columns_choosing(self, rows: Sequence[Row], by_cells: set[str]) -> set[int]:
        """Return the key column, and the columns in which words choose rows."""
        found = {0}
        for cell in chain.from_iterable(row.cells for row in rows):
            if not by_cells.isdisjoint(cell.said):
                found.add(cell.column)
        return found

    def _asks_for(self, word: Word, columns: Collection[int], answer: Collection[str]) -> bool:
        """True for a header word that is in the answer's words, or whose header is that of one of the columns."""
        headed = [at for at, head in enumerate(self._heads) if word.is_of_head(head)]
        return bool(headed) and (word.text in answer or not set(headed).isdisjoint(columns))

    def _is_said(self, column: int, words: Sequence[Word], said: Sequence[str]) -> bool:
        """True if the question asks for a header: it has a number of it, or at least half of its words, with all single
        letters: *vitamin* does not ask for *Vitamin C*. Or the words imply all of it: *expensive* asks for a *Cost*,
        but not for a *Reservation fee*.
        """
        label = self.rows[0].member.grid.column_labels[column]
        head = label_words(label.partition("(")[0]) or self._heads[column]
        direct = [part for part in head if matches_any(part, said)]
        if any(map(is_number, direct)):
            return True
        letters = {part for part in head if len(part) == 1}
        meant = [measure for word in words for measure in word.implied]
        is_direct = 2 * len(direct) >= len(head) and letters <= set(direct)
        return is_direct or all(matches_any(part, (*meant, *direct)) for part in head)


def _saying_least(
    rows: Sequence[Row], told: Collection[str], said: Collection[str], column: int
) -> tuple[int, tuple[Row, ...]]:
    """Return the rows whose matching cells, except those in a column, have the fewest words besides those of the
    question, and that number.
    """
    found: dict[int, list[Row]] = {0: []}
    for row in rows:
        cells = (set(cell.said) for cell in row.cells if cell.column != column)
        extra = sum(len(words.difference(said)) for words in cells if not words.isdisjoint(told))
        found.setdefault(extra, []).append(row)
    least = min(filter(found.__getitem__, found), default=0)
    return least, tuple(found[least])


@dataclass(frozen=True)
class RowSearch:
    """Searches for the rows that a question's words match."""

    question: Tagged
    index: Cells

    @cached_property
    def words(self) -> tuple[tuple[int, Word], ...]:
        """The words and numbers that have to match, by their places, without question words."""
        question, language = self.question, self.question.language
        degree = None if question.end in question.scales else question.end  # an adjective names a measure
        said = [(i, Word(word, question.implied_of_kind(i))) for i, word in question.words() if i != degree]
        limits = {n.place for n in question.numbers if n.limit}
        numbers = (i for i, token in enumerate(question.tokens) if is_number(token) and i not in limits)
        written = tokens_of(question.question)
        said += [(i, Word(question.tokens[i], tuple(written[i : i + 1]), self._beside(i))) for i in numbers]
        return tuple(sorted((i, word) for i, word in said if word.text not in language.idle | language.elements))

    def _beside(self, place: int) -> tuple[str, ...]:
        """Return the nearest words on both sides of a place, without function words; a comma is a border."""
        tokens, small = self.question.tokens, self.question.language.function_words
        sides = reversed(tokens[:place]), tokens[place + 1 :]
        own = (takewhile(lambda token: token != COMMA, side) for side in sides)
        return tuple(token for side in own for token in islice((each for each in side if each not in small), 1))

    @cached_property
    def answer(self) -> tuple[str, ...]:
        """The noun phrase that is asked for behind *which* or *what*."""
        return asked_for(self.question, self.index)[0]

    def chosen(self, words: Sequence[Word], answer: Collection[str] = ()) -> Chosen | None:
        """Return the rows and the column that match best; None if two different results tie, or if a word of the
        collection is unmatched. A column that matches only `answer` says which entity has the value.
        """
        found = [each for table in self._tables for each in table.chosen(words, answer) if self._may_be(each)]
        best = max((each.rank for each in found), default=None)
        alike = [each for each in found if each.rank == best]
        return alike[0] if alike and all(each.texts == alike[0].texts for each in alike) else None

    def _may_be(self, found: Chosen) -> bool:
        return not any(is_number(word) or not is_unknown(word, self.question, self.index) for word in found.left)

    @cached_property
    def _tables(self) -> list[_Table]:
        """The tables of possible kinds, those with the most words of the question first."""
        tables: dict[str, dict[tuple[int, int], Row]] = {}
        for member in rows_of(self.question, self.index):
            place = member.grids[0][0], member.at or 0
            tables.setdefault(member.grid.table_id, {})[place] = Row.of(member)
        told = [(rows, self._told_in(next(iter(rows.values())).member)) for rows in tables.values()]
        best = sorted(told, key=itemgetter(1), reverse=True)[:_MOST_TABLES]
        return [_Table(tuple(rows.values()), self.question) for rows, _ in best]

    def _told_in(self, member: Member) -> int:
        grid = member.grid
        return sum(bool(grid.facts.forms.of(word.text)) or word.text in grid.context for _, word in self.words)
