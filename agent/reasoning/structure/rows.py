"""Rows by their cells: a row that nobody names, but that its cells, its heads and the names of its table tell together.

*The memory of Mask R-CNN with an R-101 backbone on nuImages* names a head, two cells of one row, and a page. Each word
has to be told by one of them: a cell chooses rows, a head the column, a name the table. A row whose cells say no more
than the question does is meant before one whose cells say more: *Mask R-CNN* is no *Cascade Mask R-CNN*.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from agent.languages.language import Language
from agent.reasoning.structure.asked import asked_for, is_unknown
from agent.reasoning.structure.conditions import truth_of
from agent.understanding.clauses import COMMA, tokens_of
from agent.understanding.tagged import Tagged
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells, grids_of
from retrieval.tables.match import begins, is_any_told, is_told, said_words
from retrieval.tables.names import name_keys, without_part
from retrieval.tables.writing import Kind
from retrieval.text.normal import is_number, phrase

_MOST_TABLES = 40
"""Tables that are looked at: those that have most words of a question."""
_MOST_PIECES = 400
_MOST_OF_WORD = 2000
"""Tables that a word may be in and tell one of them from others."""
_BRIEF = 6
"""Words of a cell that chooses its row; more are prose."""


_CODE = re.compile(r"\W*([a-z]{2,})(?=[-_. ]?\d)")
"""The letters that a code begins with."""


class Word(NamedTuple):
    """A word of the question, the measures that it speaks of, and, of a number, how it is written and the words beside
    it: *per second* may ask for what *Iterations/sec* has.
    """

    text: str
    implied: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


class Row(NamedTuple):
    """A row by reference."""

    number: int
    grid: Grid
    at: int

    @property
    def cells(self) -> tuple[str, ...]:
        return self.grid.table.rows[self.at]


@dataclass(frozen=True)
class Fitted:
    """The rows of a table that some words choose, the column of what is asked, and how the words are told.

    `by_head` are those that the head of the column tells, `by_cells` those that choose rows, and `left` those that
    nothing tells; `told` counts all that are told, `extra` the words that the cells have besides.
    """

    rows: tuple[Row, ...]
    column: int | None
    by_head: frozenset[str]
    by_cells: frozenset[str]
    left: tuple[str, ...]
    extra: int = 0
    told: int = 0

    @property
    def label(self) -> str:
        """The head of the column."""
        return "" if self.column is None else self.rows[0].grid.column_labels[self.column]

    @property
    def rank(self) -> tuple[float, ...]:
        """Larger is better: little left, much told by the head and by cells, all of the head said."""
        said = said_words(self.label)
        share = len(self.by_head) / len(said) if said else 0.0
        return (-len(self.left), len(self.by_head) + len(self.by_cells), -self.extra, share)

    @property
    def is_named_in_part(self) -> bool:
        """True where some words of a key are told, and others are not: *Protection from Missiles*, of a missile."""
        keys = (brief(row.cells[0]) for row in self.rows)
        said = self.by_cells | self.by_head
        return any(not said.isdisjoint(key) and not said.issuperset(said_words(" ".join(key))) for key in keys)

    def name(self, row: Row) -> str:
        """The row by its key and by the cells that choose it."""
        key = row.grid.row_names(row.at)[-1].strip(" *")
        chosen = (text.strip() for text in row.cells[1:] if self.by_cells.intersection(brief(text)))
        own = set(phrase(key))
        beside = list(dict.fromkeys(text for text in chosen if not set(phrase(text)) <= own))
        return f"{key} ({', '.join(beside)})" if beside else key


@dataclass(frozen=True)
class RowSearch:
    """Looks for the rows that a question tells."""

    question: Tagged
    index: Cells

    @cached_property
    def words(self) -> tuple[tuple[int, Word], ...]:
        """What has to be told, by its place: words and numbers, but for those that only ask."""
        question, language = self.question, self.question.language
        limits = {n.place for n in question.numbers if n.limit}
        said = [(i, Word(word, question.implied_of_kind(i))) for i, word in question.words() if i != self._degree]
        numbers = (i for i, token in enumerate(question.tokens) if is_number(token) and i not in limits)
        written = tokens_of(question.question)
        said += [(i, Word(question.tokens[i], tuple(written[i : i + 1]), self._beside(i))) for i in numbers]
        return tuple(sorted((i, word) for i, word in said if word.text not in language.idle | language.elements))

    def _beside(self, place: int) -> tuple[str, ...]:
        """The nearest words on both sides of a place, small ones left out."""
        tokens, small = self.question.tokens, self.question.language.small | {COMMA}
        before = (tokens[i] for i in range(place - 1, -1, -1) if tokens[i] not in small)
        behind = (token for token in tokens[place + 1 :] if token not in small)
        return (*islice(before, 1), *islice(behind, 1))

    @property
    def _degree(self) -> int | None:
        """The place of a word that asks for an end of any scale; an adjective speaks of a measure."""
        end = self.question.end
        return None if end is None or end in self.question.scales else end

    def fitted(self, words: Sequence[Word], answer: Collection[str] = ()) -> Fitted | None:
        """The rows and the column that the words tell best; None where two ways to read them are as good.

        A column that is told by `answer` alone says whose the value is.
        """
        found = [each for table in self.tables(words) for each in table.fitted(words, answer)]
        found = [each for each in found if all(self._may_be_left(word) for word in each.left)]
        best = max((each.rank for each in found), default=None)
        alike = [each for each in found if each.rank == best]
        texts = {tuple(_values(each)) for each in alike}
        return alike[0] if len(texts) == 1 else None

    def counted(self, words: Sequence[Word]) -> Fitted | None:
        """The rows that the words tell, of a table that is told too; None where two tables are told alike, where cells
        say more than the question, for who else says so is open, or where nothing tells what is counted.
        """
        found = [each for table in self.tables(words) if (each := table.chosen(words)) and not each.extra]
        found = [each for each in found if all(self._may_be_left(word) for word in each.left)]
        found = [each for each in found if each.by_cells or not set(self.answer[-1:]) & {*each.left}]
        best = max((each.rank for each in found), default=None)
        alike = [each for each in found if each.rank == best]
        return alike[0] if len(alike) == 1 else None

    def _may_be_left(self, word: str) -> bool:
        return not is_number(word) and is_unknown(word, self.question, self.index)

    def tables(self, words: Sequence[Word]) -> Iterator[_Table]:
        """The tables that have most of the words, the best first."""
        counts: Counter[int] = Counter()
        for word in words:
            numbers = self._with(word)
            counts.update(numbers if len(numbers) <= _MOST_OF_WORD else ())
        wholes: dict[str, list[tuple[int, Grid]]] = {}
        for number, _ in counts.most_common(_MOST_PIECES):
            if len(wholes) == _MOST_TABLES:
                break
            grid = self.index.grid(number)
            if grid.whole not in wholes and not grid.table.is_record:
                wholes[grid.whole] = self._pieces(number, grid)
        yield from (_Table(pieces, self.question.language) for pieces in wholes.values())

    def _with(self, word: Word) -> set[int]:
        """The numbers of the tables that have a word in a name, a head or a cell."""
        index = self.index
        heads = (name for name in index.heads if _is_head(word, said_words(name)))
        return {
            *index.of_kind(word.text),
            *index.holding(word.text),
            *grids_of(place for name in heads for place in index.heads[name]),
        }

    def _pieces(self, number: int, grid: Grid) -> list[tuple[int, Grid]]:
        """A table with its other pieces, where it was cut, be it into rows."""
        name = without_part(grid.title)
        if grid.is_cut_row:
            name = grid.table.caption or next(reversed(grid.headings), name)
        elif name == grid.title:
            return [(number, grid)]
        places = self.index.places(name_keys(name)[:1], (Kind.TITLE, Kind.CAPTION, Kind.HEADING))
        numbers = sorted({number, *grids_of(places)})
        return [(each, piece) for each in numbers if (piece := self.index.grid(each)).whole == grid.whole]

    @cached_property
    def answer(self) -> tuple[str, ...]:
        """The words for what is asked for behind *which* or *what*."""
        return asked_for(self.question, self.index)[0]


class _Table:
    """One table of the collection, in one piece or several."""

    def __init__(self, pieces: Sequence[tuple[int, Grid]], language: Language) -> None:
        self._pieces, self._language = pieces, language
        self._heads = [said_words(label) for label in pieces[0][1].column_labels]
        self._rows = [
            Row(number, grid, at)
            for number, grid in pieces
            for at, cells in enumerate(grid.table.rows)
            if len(cells) == len(self._heads) and any(cells[1:])
        ]

    def fitted(self, words: Sequence[Word], answer: Collection[str]) -> Iterator[Fitted]:
        """The rows that the words choose, for each column of which some word tells the head."""
        said = frozenset(word.text for word in words)
        for column, head in enumerate(self._heads):
            told = {word.text for word in words if _is_head(word, head)}
            if not column or column in self._flags or not told or told <= set(answer):
                continue
            chosen = self._chosen([word for word in words if word.text not in told])
            rows = tuple(row for row in chosen.rows if not _is_echo(row.cells[column], said))
            if rows and len(rows) == len(chosen.rows):
                yield Fitted(rows, column, frozenset(told), chosen.by_cells, chosen.left, chosen.extra, len(said) - len(chosen.left))

    def chosen(self, words: Sequence[Word]) -> Fitted | None:
        """The rows that the words choose."""
        found = self._chosen(words)
        return found if found.rows and (found.by_cells or found.told) else None

    def column_of(self, words: Collection[str]) -> int | None:
        """The column whose head some words tell in whole."""
        return next((at for at, head in enumerate(self._heads) if head and set(head) <= set(words)), None)

    @cached_property
    def _flags(self) -> dict[int, frozenset[Row]]:
        """The columns that say of each row whether it is so, with the rows of which it is."""
        found: dict[int, frozenset[Row]] = {}
        for column in range(1, len(self._heads)):
            told = {row: truth_of(row.cells[column], self._language) for row in self._rows}
            if True in told.values() and set(told.values()) <= {True, False}:
                found[column] = frozenset(row for row in self._rows if told[row])
        return found

    @cached_property
    def _kinds(self) -> set[str]:
        """The words by which most of the codes of a column begin: the *area* of *Area_1*, *Area_2*."""
        columns = zip(*(row.cells for row in self._rows), strict=True)
        begun = ([code[1] for text in texts if (code := _CODE.match(text.casefold()))] for texts in columns)
        return {word for words in begun for word, many in Counter(words).items() if 2 * many > len(words)}

    def _chosen(self, words: Sequence[Word]) -> Fitted:
        rows, by_cells, left, soft = self._rows, set[str](), list[str](), list[str]()
        for column, so in self._flags.items():
            if set(self._heads[column]) <= {word.text for word in words}:
                rows = [row for row in rows if row in so]
                by_cells.update(self._heads[column])
        for word in (each for each in words if each.text not in by_cells):
            some = self._telling(word)
            if self._is_named(word.text):
                soft.append(word)
            elif some:
                rows = [row for row in rows if row[::2] in some]
                by_cells.add(word.text)
            elif not any(_is_head(word, head) for head in self._heads) and word.text not in self._kinds:
                left.append(word.text)
        for word in soft:  # a word of the table's own name chooses rows where some of these have it
            some = self._telling(word)
            if narrowed := [row for row in rows if row[::2] in some]:
                rows = narrowed
                by_cells.add(word.text)
        said = frozenset(word.text for word in words)
        extras = [_extra(row, by_cells, said) for row in rows]
        least = min(extras, default=0)
        kept = tuple(row for row, extra in zip(rows, extras, strict=True) if extra == least)
        return Fitted(kept, None, frozenset(), frozenset(by_cells), tuple(left), least, len(said) - len(left))

    def _telling(self, word: Word) -> set[tuple[int, int]]:
        """The rows in which a brief cell has a word, and not only its beginning."""
        rows = ((number, grid, at) for number, grid in self._pieces for at in grid.facts.rows_with((word.text,)))
        return {(number, at) for number, grid, at in rows if any(self._tells(word, cell) for cell in _cells(grid, at))}

    def _tells(self, word: Word, cell: tuple[int, tuple[str, ...]]) -> bool:
        """True for a cell that has a word; a number has to be the key of its row, or to stand with a word beside it."""
        column, said = cell
        if word.text not in said:
            return False
        is_free = not column or not is_number(word.text)
        return is_free or is_any_told(word.beside, (*said, *self._heads[column]))

    def _is_named(self, word: str) -> bool:
        """True for a word of what the table is called, or its beginning."""
        names = self._pieces[0][1].context | self._pieces[0][1].kinds
        return word in names or any(len(name) > len(word) and begins(word, name) for name in names)


def _cells(grid: Grid, at: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The brief cells of a row by their columns."""
    yield from enumerate(map(brief, grid.table.rows[at]))


def brief(text: str) -> tuple[str, ...]:
    """The words of a cell that may choose its row."""
    said = phrase(text)
    return said if len(said) <= _BRIEF else ()


def _is_head(word: Word, head: Sequence[str]) -> bool:
    """True for a word that a head has, or that speaks of its measure; a term of several words is had word by word."""
    return any(all(is_told(part, head) for part in each.split()) for each in (word.text, *word.implied))


def _is_echo(text: str, said: Collection[str]) -> bool:
    """True for an empty cell, and for one that says no more than the question."""
    return not text.strip() or set(phrase(text)) <= set(said)


def _extra(row: Row, told: Collection[str], said: Collection[str]) -> int:
    """How many words the cells that choose a row have which the question does not say."""
    chosen: Iterable[Sequence[str]] = (brief(text) for text in row.cells)
    return sum(len(set(words).difference(said)) for words in chosen if not set(words).isdisjoint(told))


def _values(fitted: Fitted) -> Iterator[str]:
    """What stands in the column, row by row."""
    for row in fitted.rows:
        yield row.cells[fitted.column or 0]
