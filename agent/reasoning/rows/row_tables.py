"""A table as rows that words of a question choose: by their cells, the heads of columns and the names of the table.

A row whose cells say no more than the question does is meant before one whose cells say more: *Mask R-CNN* is no
*Cascade Mask R-CNN*. A number chooses by the key of its row, or with a word that stands beside it in the question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from agent.languages.language import Language
from agent.reasoning.values.conditions import truth_of
from retrieval.tables.cells import Grid
from retrieval.tables.match import begins, is_any_told, is_told, said_words
from retrieval.text.normal import is_number, phrase

_BRIEF = 6
"""Words of a cell that chooses its row; more are prose."""
_TABLES, _WORDS = 256, 128
"""Tables that are remembered from question to question, and words that each of them was held against."""
_CODE = re.compile(r"\W*([a-z]{2,})(?=[-_. ]?\d)")
"""The letters that a code begins with."""


class Word(NamedTuple):
    """A word of the question, the measures that it speaks of, and, of a number, how it is written and the words beside
    it: *per second* may ask for what *Iterations/sec* has.
    """

    text: str
    implied: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


class Line(NamedTuple):
    """A row of a table, or a column of it, by its place in a piece."""

    number: int
    grid: Grid
    at: int

    @property
    def cells(self) -> tuple[str, ...]:
        """What stands in a row."""
        return self.grid.table.rows[self.at]


@dataclass(frozen=True)
class Fitted:
    """The rows of a table that some words choose, the column of what is asked, and how the words are told.

    `by_head` are those that the head of the column tells, `by_cells` those that choose rows, and `left` those that
    nothing tells; `told` counts all that are told, `extra` the words that the cells have besides.
    """

    rows: tuple[Line, ...]
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
    def values(self) -> tuple[str, ...]:
        """What stands in the column, row by row."""
        return tuple(row.cells[self.column or 0] for row in self.rows)

    @property
    def is_named_in_part(self) -> bool:
        """True where some words of a key are told, and others are not: *Protection from Missiles*, of a missile."""
        keys = (brief(row.cells[0]) for row in self.rows)
        said = self.by_cells | self.by_head
        return any(not said.isdisjoint(key) and not said.issuperset(said_words(" ".join(key))) for key in keys)

    def name(self, row: Line) -> str:
        """The row by its key and by the cells that choose it."""
        key = row.grid.row_names(row.at)[-1].strip(" *")
        chosen = (text.strip() for text in row.cells[1:] if self.by_cells.intersection(brief(text)))
        own = set(phrase(key))
        beside = list(dict.fromkeys(text for text in chosen if not set(phrase(text)) <= own))
        return f"{key} ({', '.join(beside)})" if beside else key


class RowTable:
    """One table of the collection, in one piece or several, held against words of questions.

    Each column, each of alternatives, and many a question ask for the same words again, so what a word tells is found
    once, as long as there are not too many.
    """

    def __init__(self, pieces: Sequence[tuple[int, Grid]], language: Language) -> None:
        self._pieces, self._language = pieces, language
        self._telling: Callable[[Word], frozenset[tuple[int, int]]] = lru_cache(maxsize=_WORDS)(self._rows_telling)
        self._headed_by: Callable[[Word], frozenset[int]] = lru_cache(maxsize=_WORDS)(self._columns_headed_by)
        self._is_named: Callable[[str], bool] = lru_cache(maxsize=_WORDS)(self._is_in_name)
        self._brief_cells: dict[tuple[int, int], tuple[frozenset[str], ...]] = {}
        self._labels = pieces[0][1].column_labels
        self._heads = list(map(said_words, self._labels))
        self._rows = [
            Line(number, grid, at)
            for number, grid in pieces
            for at, cells in enumerate(grid.table.rows)
            if len(cells) == len(self._heads) and any(cells[1:])
        ]

    def untold(self, words: Sequence[Word]) -> list[str]:
        """The words that nothing here tells, whichever rows and column are chosen."""
        here = (each for each in words if not (self._headed_by(each) or self._telling(each)))
        return [each.text for each in here if not self._is_named(each.text) and each.text not in self._kinds]

    def fitted(self, words: Sequence[Word], answer: Collection[str]) -> Iterator[Fitted]:
        """The rows that the words choose, for each column of which some word tells the head."""
        said = frozenset(word.text for word in words)
        headed, texts = list(map(self._headed_by, words)), [word.text for word in words]
        for column in sorted(frozenset[int]().union(*headed)):
            told = {text for text, columns in zip(texts, headed, strict=True) if column in columns}
            is_measure = column > 0 and column not in self._flags
            if not is_measure or told <= set(answer) or not self._is_said(column, words, texts):
                continue
            chosen = self._chosen([word for word in words if word.text not in told], answer)
            cells = ((row, row.cells[column].strip()) for row in chosen.rows)
            rows = tuple(
                row for row, cell in cells if not is_echo(cell, said) or (answer and cell and not phrase(cell))
            )
            if rows and len(rows) == len(chosen.rows) and self._are_chosen_beside(column, words, chosen):
                yield replace(chosen, rows=rows, column=column, by_head=frozenset(told), told=chosen.told + len(told))

    def _are_chosen_beside(self, column: int, words: Sequence[Word], chosen: Fitted) -> bool:
        """True where each number that chooses rows stands beside what is asked for: 7 people are no fee of 7 crowns."""
        for word in words:
            chooses = word.text in chosen.by_cells and is_number(word.text)
            if chooses and not all(self._is_told_beside(column, word, row) for row in chosen.rows):
                return False
        return True

    def _is_told_beside(self, column: int, word: Word, row: Line) -> bool:
        return any(cell[0] != column and self._tells(word, cell) for cell in _cells(row.grid, row.at))

    @cached_property
    def _flags(self) -> dict[int, frozenset[Line]]:
        """The columns that say of each row whether it is so, with the rows of which it is."""
        found: dict[int, frozenset[Line]] = {}
        for column in range(1, len(self._heads)):
            told = self._truths(column)
            if told is not None and any(told):
                found[column] = frozenset(row for row, is_so in zip(self._rows, told, strict=True) if is_so)
        return found

    def _truths(self, column: int) -> list[bool] | None:
        """Whether a column says of each row that it is so; None where it says something else of one."""
        told: list[bool] = []
        for row in self._rows:
            is_so = truth_of(row.cells[column], self._language)
            if is_so is None:
                return None
            told.append(is_so)
        return told

    @cached_property
    def _kinds(self) -> set[str]:
        """The words by which most of the codes of a column begin: the *area* of *Area_1*, *Area_2*."""
        columns = zip(*(row.cells for row in self._rows), strict=True)
        begun = ([code[1] for text in texts if (code := _CODE.match(text.casefold()))] for texts in columns)
        return {word for words in begun for word, many in Counter(words).items() if 2 * many > len(words)}

    def _chosen(self, words: Sequence[Word], answer: Collection[str] = ()) -> Fitted:
        """The rows that words choose, one by one; those of the own name of the table only where rows have them. The
        head of another column is told only beside a cell that chooses, or where the answer is called so.
        """
        said = frozenset(word.text for word in words)
        rows, by_cells = self._flagged(said)
        left: list[str] = []
        for word in sorted(words, key=lambda word: self._is_named(word.text)):
            some = self._telling(word)
            narrowed = [row for row in rows if row[::2] in some]
            is_kind = len(narrowed) > 1 and is_told(word.text, self._heads[0])  # all of a *Field name* are fields
            if word.text in by_cells or is_kind or (self._is_named(word.text) and not narrowed):
                continue
            if some:
                rows = narrowed
                by_cells.add(word.text)
            elif word.text not in self._kinds:
                left.append(word.text)
        columns = self._columns_of(rows, by_cells)
        asked = {word.text for word in words if word.text in answer and self._headed_by(word)}
        asked |= {word.text for word in words if not columns.isdisjoint(self._headed_by(word))}
        left = [text for text in left if text not in asked]
        extras = [self._extra(row, by_cells, said) for row in rows]
        least = min(extras, default=0)
        kept = tuple(row for row, extra in zip(rows, extras, strict=True) if extra == least)
        return Fitted(kept, None, frozenset(), frozenset(by_cells), tuple(left), least, len(said) - len(left))

    def _is_said(self, column: int, words: Sequence[Word], texts: Sequence[str]) -> bool:
        """True for a head of which words say a number, or the half and every letter, its unit aside: *Vitamin C* is not
        asked for by *vitamin*; or all of which is what words mean: a *Cost*, but no *Reservation fee*, by *expensive*.
        """
        head = said_words(self._labels[column].partition("(")[0]) or self._heads[column]
        direct = [word for word in head if is_told(word, texts)]
        if any(map(is_number, direct)):
            return True
        meant = [measure for word in words for measure in word.implied]
        letters = [word for word in head if len(word) == 1]
        is_direct = 2 * len(direct) >= len(head) and set(letters) <= set(direct)
        return is_direct or all(is_told(word, (*meant, *direct)) for word in head)

    def _columns_of(self, rows: Sequence[Line], by_cells: set[str]) -> set[int]:
        """The column of the keys, and those in which words choose some rows."""
        chosen = rows if by_cells else ()
        return {0, *(at for row in chosen for at, said in enumerate(self._brief(row)) if not said.isdisjoint(by_cells))}

    def _columns_headed_by(self, word: Word) -> frozenset[int]:
        """The columns whose heads a word tells."""
        return frozenset(at for at, head in enumerate(self._heads) if is_head(word, head))

    def _brief(self, row: Line) -> tuple[frozenset[str], ...]:
        """The words of each brief cell of a row."""
        place = (row.number, row.at)
        if place not in self._brief_cells:
            self._brief_cells[place] = tuple(map(_brief_words, row.cells))
        return self._brief_cells[place]

    def _extra(self, row: Line, told: Collection[str], said: Collection[str]) -> int:
        """How many words the cells that choose a row have which the question does not say."""
        cells = self._brief(row) if told else ()
        return sum(len(words.difference(said)) for words in cells if not words.isdisjoint(told))

    def _flagged(self, said: Collection[str]) -> tuple[list[Line], set[str]]:
        """The rows of which all is so whose head is said, and the words of these heads."""
        rows, told = self._rows, set[str]()
        for column, so in self._flags.items():
            if set(self._heads[column]) <= set(said):
                rows = [row for row in rows if row in so]
                told.update(self._heads[column])
        return rows, told

    def _rows_telling(self, word: Word) -> frozenset[tuple[int, int]]:
        """The rows in which a brief cell has a word, and not only its beginning."""
        found = set[tuple[int, int]]()
        for number, grid in self._pieces:
            rows = set(grid.facts.rows_with((word.text,)))
            rows |= {at for at, group in enumerate(grid.groups) if word.text in phrase(group)}
            found |= {(number, at) for at in rows if any(self._tells(word, cell) for cell in _cells(grid, at))}
        return frozenset(found)

    def _tells(self, word: Word, cell: tuple[int, frozenset[str]]) -> bool:
        """True for a cell that has a word; a number has to be the key of its row, or to stand with a word beside it."""
        column, said = cell
        if word.text not in said:
            return False
        is_free = not column or not is_number(word.text)
        return is_free or is_any_told(word.beside, (*said, *self._heads[column]))

    def _is_in_name(self, word: str) -> bool:
        """True for a word of what the table is called, or its beginning."""
        longer = (name for name in self._names if len(name) > len(word))
        return word in self._names or any(begins(word, name) for name in longer)

    @cached_property
    def _names(self) -> frozenset[str]:
        """The words of what the table, and what its things, are called."""
        return self._pieces[0][1].context | self._pieces[0][1].kinds


@lru_cache(maxsize=_TABLES)
def row_table(pieces: tuple[tuple[int, Grid], ...], language: Language) -> RowTable:
    """A table held against words; the same few are held against many questions."""
    return RowTable(pieces, language)


def _cells(grid: Grid, at: int) -> Iterator[tuple[int, frozenset[str]]]:
    """The words of the brief cells of a row by their columns, and of the name above its group."""
    yield from enumerate(map(_brief_words, grid.table.rows[at]))
    yield 0, _brief_words(grid.groups[at])


@lru_cache(maxsize=16384)
def _brief_words(text: str) -> frozenset[str]:
    return frozenset(brief(text))


def brief(text: str) -> tuple[str, ...]:
    """The words of a cell that may choose its row."""
    said = phrase(text)
    return said if len(said) <= _BRIEF else ()


@lru_cache(maxsize=16384)
def is_head(word: Word, head: tuple[str, ...]) -> bool:
    """True for a word that a head has, or that speaks of its measure; a term of several words is had word by word.

    The same heads stand above many tables that a question is held against.
    """
    return any(all(is_told(part, head) for part in each.split()) for each in (word.text, *word.implied))


def is_echo(text: str, said: Collection[str]) -> bool:
    """True for an empty cell, and for one that says no more than the question, or nothing: a dash."""
    return frozenset(said).issuperset(phrase(text))
