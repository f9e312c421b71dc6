"""Rows that nobody names, but that their cells, the heads above them and the names of their table tell together.

*The memory of Mask R-CNN with an R-101 backbone on nuImages* names a head, two cells of one row, and a page. Each word
has to be told by one of them: a cell chooses rows, a head the column, a name the table. A row whose cells say no more
than the question does is meant before one whose cells say more: *Mask R-CNN* is no *Cascade Mask R-CNN*. A number
chooses by the key of its row, or with a word that stands beside it in the question.
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
from retrieval.tables.match import begins, is_any_told, is_told, said_words
from retrieval.text.normal import is_number, phrase

_MOST_TABLES = 40
"""Tables that are looked at: those that have most words of a question."""
_CODE = re.compile(r"\W*([a-z]{2,})(?=[-_. ]?\d)")
"""The letters that a code begins with."""


class Word(NamedTuple):
    """A word of the question, the measures that it speaks of, and, of a number, how it is written and the words beside
    it: *per second* may ask for what *Iterations/sec* has.
    """

    text: str
    implied: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()

    def is_of_head(self, head: Collection[str]) -> bool:
        """True where a head has it, or it speaks of its measure; a term of several words is had word by word."""
        return any(all(is_told(part, head) for part in each.split()) for each in (self.text, *self.implied))

    def is_in(self, cell: Value) -> bool:
        """True for a cell that has it; a number has to be the key of its row, or to stand with a word beside it."""
        if self.text not in cell.said:
            return False
        is_free = not cell.column or not is_number(self.text)
        return is_free or is_any_told(self.beside, (*cell.said, *cell.words))


class Row(NamedTuple):
    """A member of a kind that is a row, with all of its cells, that of its key included."""

    member: Member
    cells: tuple[Value, ...]

    @classmethod
    def of(cls, member: Member) -> Row:
        """The row that a member is."""
        (number, grid), at = member.grids[0], member.at or 0
        columns = range(min(len(grid.column_labels), len(grid.table.rows[at])))
        return cls(member, tuple(Value.of(grid.column_labels[i], number, grid, at, i) for i in columns))

    def tells(self, word: Word, *, but: int | None = None) -> bool:
        """True where a brief cell has a word, `but` for that of one column, or the name above the group of the row."""
        if any(word.is_in(cell) for cell in self.cells if cell.column != but):
            return True
        return word.text in brief_words(self.member.grid.groups[self.member.at or 0])


@dataclass(frozen=True)
class Chosen:
    """The rows of a table that some words choose, the column of what is asked, and how the words are told.

    `by_head` are those that the head of the column tells, `by_cells` those that choose rows, and `left` those that
    nothing tells; `told` counts all that are told, `extra` the words that the cells have besides.
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
        """What stands in the column, row by row."""
        return tuple(row.cells[self.column] for row in self.rows)

    @property
    def label(self) -> str:
        """The head of the column."""
        return self.values[0].label

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the values."""
        return tuple(value.text for value in self.values)

    @property
    def rank(self) -> tuple[float, ...]:
        """Larger is better: little left, much told by the head and by cells, all of the head said."""
        said = said_words(self.label)
        share = len(self.by_head) / len(said) if said else 0.0
        return (-len(self.left), len(self.by_head) + len(self.by_cells), -self.extra, share)

    @property
    def is_named_in_part(self) -> bool:
        """True where some words of a key are told, and others are not: *Protection from Missiles*, of a missile."""
        told = self.by_cells | self.by_head
        keys = (brief_words(row.cells[0].text) for row in self.rows)
        return any(not told.isdisjoint(key) and not told.issuperset(key) for key in keys)

    def name(self, row: Row) -> str:
        """The row by its name and by the cells that choose it."""
        name = row.member.name
        chosen = (cell.text.strip() for cell in row.cells[1:] if self.by_cells.intersection(cell.said))
        beside = list(dict.fromkeys(text for text in chosen if not {*phrase(text)} <= {*phrase(name)}))
        return f"{name} ({', '.join(beside)})" if beside else name


@dataclass(frozen=True)
class _Table:
    """The rows of one table, held against the words of one question."""

    rows: Sequence[Row]
    question: Tagged
    _telling: dict[Word, frozenset[Row]] = field(default_factory=dict, init=False, compare=False)

    def chosen(self, words: Sequence[Word], answer: Collection[str]) -> Iterator[Chosen]:
        """The rows that the words choose, for each column of which some word tells the head."""
        said = [word.text for word in words]
        for column, head in enumerate(self._heads):
            told = {word.text for word in words if word.is_of_head(head)}
            is_measure = column > 0 and column not in self._flags
            if not is_measure or told <= set(answer) or not self._is_said(column, words, said):
                continue
            found = self._narrowed([word for word in words if word.text not in told], answer)
            found = replace(found, column=column, by_head=frozenset(told), told=found.told + len(told))
            texts = map(str.strip, found.texts)
            is_told = all(not is_echo(text, said) or (answer and text and not phrase(text)) for text in texts)
            if found.rows and is_told and self._are_chosen_beside(column, words, found):
                yield found

    @cached_property
    def _heads(self) -> list[tuple[str, ...]]:
        return list(map(said_words, self.rows[0].member.grid.column_labels))

    @cached_property
    def _names(self) -> frozenset[str]:
        """The words of what the table, and what its things, are called."""
        grid = self.rows[0].member.grid
        return grid.context | grid.kinds

    def _is_named(self, word: str) -> bool:
        """True for a word of what the table is called, or its beginning."""
        return any(word == name or (len(name) > len(word) and begins(word, name)) for name in self._names)

    def _rows_telling(self, word: Word) -> frozenset[Row]:
        if word not in self._telling:
            self._telling[word] = frozenset(row for row in self.rows if row.tells(word))
        return self._telling[word]

    def _are_chosen_beside(self, column: int, words: Sequence[Word], found: Chosen) -> bool:
        """True where each number that chooses rows stands beside what is asked for: 7 people are no fee of 7 crowns."""
        for word in words:
            chooses = word.text in found.by_cells and is_number(word.text)
            if chooses and not all(row.tells(word, but=column) for row in found.rows):
                return False
        return True

    @cached_property
    def _flags(self) -> dict[int, frozenset[Row]]:
        """The columns that say of each row whether it is so, with the rows of which it is."""
        found: dict[int, frozenset[Row]] = {}
        for column in range(1, len(self._heads)):
            told = {row: truth_of(row.cells[column].text, self.question.language) for row in self.rows}
            if True in told.values() and None not in told.values():
                found[column] = frozenset(row for row, is_so in told.items() if is_so)
        return found

    @cached_property
    def _kinds(self) -> set[str]:
        """The words by which most of the codes of a column begin: the *area* of *Area_1*, *Area_2*."""
        found = set[str]()
        for cells in zip(*(row.cells for row in self.rows), strict=True):
            begun = [code[1] for cell in cells if (code := _CODE.match(cell.text.casefold()))]
            found |= {word for word in begun if 2 * begun.count(word) > len(begun)}
        return found

    def _narrowed(self, words: Sequence[Word], answer: Collection[str]) -> Chosen:
        """The rows that words choose, one by one; those of the own name of the table only where rows have them. The
        head of another column is told only beside a cell that chooses, or where the answer is called so.
        """
        said = frozenset(word.text for word in words)
        rows, by_cells, left = list(self.rows), set[str](), list[str]()
        for column, so in self._flags.items():
            if said.issuperset(self._heads[column]):
                rows = [row for row in rows if row in so]
                by_cells.update(self._heads[column])
        for word in sorted(words, key=lambda word: self._is_named(word.text)):
            telling = self._rows_telling(word)
            some = [row for row in rows if row in telling]
            is_kind = len(some) > 1 and is_told(word.text, self._heads[0])  # all of a *Field name* are fields
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
        least, kept = _saying_least(rows, by_cells, said)
        return Chosen(kept, frozenset(by_cells), tuple(left), least, len(said) - len(left))

    def _columns_choosing(self, rows: Sequence[Row], by_cells: set[str]) -> set[int]:
        """The column of the keys, and those in which words choose some rows."""
        found = {0}
        for cell in chain.from_iterable(row.cells for row in rows):
            if not by_cells.isdisjoint(cell.said):
                found.add(cell.column)
        return found

    def _asks_for(self, word: Word, columns: Collection[int], answer: Collection[str]) -> bool:
        """True for a word of a head where it is what is asked for, or the head is of some columns."""
        headed = [at for at, head in enumerate(self._heads) if word.is_of_head(head)]
        return bool(headed) and (word.text in answer or not set(headed).isdisjoint(columns))

    def _is_said(self, column: int, words: Sequence[Word], said: Sequence[str]) -> bool:
        """True for a head of which words say a number, or the half and every letter, its unit aside: *Vitamin C* is not
        asked for by *vitamin*; or all of which is what words mean: a *Cost*, but no *Reservation fee*, by *expensive*.
        """
        label = self.rows[0].member.grid.column_labels[column]
        head = said_words(label.partition("(")[0]) or self._heads[column]
        direct = [part for part in head if is_told(part, said)]
        if any(map(is_number, direct)):
            return True
        letters = {part for part in head if len(part) == 1}
        meant = [measure for word in words for measure in word.implied]
        is_direct = 2 * len(direct) >= len(head) and letters <= set(direct)
        return is_direct or all(is_told(part, (*meant, *direct)) for part in head)


def _saying_least(rows: Sequence[Row], told: Collection[str], said: Collection[str]) -> tuple[int, tuple[Row, ...]]:
    """The rows whose cells that choose them have the fewest words which the question does not say, and how many."""
    found: dict[int, list[Row]] = {0: []}
    for row in rows:
        cells = (set(cell.said) for cell in row.cells)
        extra = sum(len(words.difference(said)) for words in cells if not words.isdisjoint(told))
        found.setdefault(extra, []).append(row)
    least = min(filter(found.__getitem__, found), default=0)
    return least, tuple(found[least])


@dataclass(frozen=True)
class RowSearch:
    """Looks for the rows that a question tells."""

    question: Tagged
    index: Cells

    @cached_property
    def words(self) -> tuple[tuple[int, Word], ...]:
        """What has to be told, by its place: words and numbers, but for those that only ask."""
        question, language = self.question, self.question.language
        degree = None if question.end in question.scales else question.end  # an adjective speaks of a measure
        said = [(i, Word(word, question.implied_of_kind(i))) for i, word in question.words() if i != degree]
        limits = {n.place for n in question.numbers if n.limit}
        numbers = (i for i, token in enumerate(question.tokens) if is_number(token) and i not in limits)
        written = tokens_of(question.question)
        said += [(i, Word(question.tokens[i], tuple(written[i : i + 1]), self._beside(i))) for i in numbers]
        return tuple(sorted((i, word) for i, word in said if word.text not in language.idle | language.elements))

    def _beside(self, place: int) -> tuple[str, ...]:
        """The nearest words on both sides of a place, small ones left out; none beyond a comma, where others begin."""
        tokens, small = self.question.tokens, self.question.language.small
        sides = reversed(tokens[:place]), tokens[place + 1 :]
        own = (takewhile(lambda token: token != COMMA, side) for side in sides)
        return tuple(token for side in own for token in islice((each for each in side if each not in small), 1))

    @cached_property
    def answer(self) -> tuple[str, ...]:
        """The words for what is asked for behind *which* or *what*."""
        return asked_for(self.question, self.index)[0]

    def chosen(self, words: Sequence[Word], answer: Collection[str] = ()) -> Chosen | None:
        """The rows and the column that the words tell best; None where two ways to read them are as good, and where a
        word is left that the collection has. A column that is told by `answer` alone says whose the value is.
        """
        found = [each for table in self._tables for each in table.chosen(words, answer) if self._may_be(each)]
        best = max((each.rank for each in found), default=None)
        alike = [each for each in found if each.rank == best]
        return alike[0] if alike and all(each.texts == alike[0].texts for each in alike) else None

    def _may_be(self, found: Chosen) -> bool:
        return not any(is_number(word) or not is_unknown(word, self.question, self.index) for word in found.left)

    @cached_property
    def _tables(self) -> list[_Table]:
        """The tables of the kinds that may be asked for, those that have most of the words."""
        tables: dict[str, dict[tuple[int, int], Row]] = {}
        for member in rows_of(self.question, self.index):
            place = member.grids[0][0], member.at or 0
            tables.setdefault(member.grid.whole, {})[place] = Row.of(member)
        told = [(rows, self._told_in(next(iter(rows.values())).member)) for rows in tables.values()]
        best = sorted(told, key=itemgetter(1), reverse=True)[:_MOST_TABLES]
        return [_Table(tuple(rows.values()), self.question) for rows, _ in best]

    def _told_in(self, member: Member) -> int:
        grid = member.grid
        return sum(bool(grid.facts.forms.of(word.text)) or word.text in grid.context for _, word in self.words)
