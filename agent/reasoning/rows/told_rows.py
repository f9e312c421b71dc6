"""Rows by their cells: a row that nobody names, but that its cells, its heads and the names of its table tell together.

*The memory of Mask R-CNN with an R-101 backbone on nuImages* names a head, two cells of one row, and a page. Each word
has to be told by one of them: a cell chooses rows, a head the column, a name the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, takewhile
from operator import itemgetter

from agent.reasoning.kinds.asked import asked_for, is_unknown
from agent.reasoning.rows.row_tables import Fitted, RowTable, Word, is_head, row_table
from agent.understanding.question.tagged import Tagged
from agent.understanding.words.clauses import COMMA, tokens_of
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells, grids_of
from retrieval.tables.match import said_words
from retrieval.tables.names import name_keys, without_part
from retrieval.tables.remembered import once_a_collection
from retrieval.tables.writing import Kind
from retrieval.text.normal import is_number

_MOST_TABLES = 40
"""Tables that are looked at: those that have most words of a question."""
_MOST_PIECES = 400
"""Pieces of tables that are looked at for them."""
_MOST_KEYS = 40
"""Names of rows that a word may be in and tell one table from others."""
_MOST_OF_WORD = 2000
"""Tables that a word may be in and tell one of them from others."""


@dataclass(frozen=True)
class RowSearch:
    """Looks for the rows that a question tells."""

    question: Tagged
    index: Cells
    _having: dict[Word, frozenset[int]] = field(default_factory=dict, init=False, compare=False)
    _unknown: dict[str, bool] = field(default_factory=dict, init=False, compare=False)
    _whole: dict[str, RowTable] = field(default_factory=dict, init=False, compare=False)
    _wholes: dict[int, str | None] = field(default_factory=dict, init=False, compare=False)
    """Alternatives share most of their words, and the tables that have them."""

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
        """The nearest words on both sides of a place, small ones left out; none beyond a comma, where others begin."""
        tokens, small = self.question.tokens, self.question.language.small
        sides = reversed(tokens[:place]), tokens[place + 1 :]
        own = (takewhile(lambda token: token != COMMA, side) for side in sides)
        return tuple(token for side in own for token in islice((each for each in side if each not in small), 1))

    @property
    def _degree(self) -> int | None:
        """The place of a word that asks for an end of any scale; an adjective speaks of a measure."""
        end = self.question.end
        return None if end is None or end in self.question.scales else end

    def fitted(self, words: Sequence[Word], answer: Collection[str] = ()) -> Fitted | None:
        """The rows and the column that the words tell best; None where two ways to read them are as good.

        A column that is told by `answer` alone says whose the value is.
        """
        telling = (table for table in self.tables(words) if all(map(self._may_be_left, table.untold(words))))
        alike = self._best(each for table in telling for each in table.fitted(words, answer))
        return alike[0] if alike and all(each.values == alike[0].values for each in alike) else None

    def _best(self, found: Iterable[Fitted]) -> list[Fitted]:
        """Those that tell the words best, of which no word is left that the collection has."""
        alike: list[Fitted] = []
        for each in found:
            if not all(map(self._may_be_left, each.left)):
                continue
            if not alike or each.rank > alike[0].rank:
                alike = [each]
            elif each.rank == alike[0].rank:
                alike.append(each)
        return alike

    def _may_be_left(self, word: str) -> bool:
        if word not in self._unknown:
            self._unknown[word] = not is_number(word) and is_unknown(word, self.question, self.index)
        return self._unknown[word]

    def tables(self, words: Sequence[Word]) -> Iterator[RowTable]:
        """The tables that have most of the words, the best first."""
        counts: Counter[int] = Counter()
        for word in words:
            if word not in self._having:
                self._having[word] = _tables_with(self.index, word)
            numbers = self._having[word]
            counts.update(numbers if len(numbers) <= _MOST_OF_WORD else ())
        wholes: dict[str, RowTable] = {}
        for number, _ in sorted(counts.items(), key=itemgetter(1), reverse=True)[:_MOST_PIECES]:
            if len(wholes) == _MOST_TABLES:
                break
            whole = self._wholes[number] if number in self._wholes else self._whole_of(number)
            if whole is not None and whole not in wholes:
                wholes[whole] = self._table(number, self.index.grid(number))
        yield from wholes.values()

    def _whole_of(self, number: int) -> str | None:
        """The table that a piece is of; None for a record."""
        grid = self.index.grid(number)
        self._wholes[number] = None if grid.table.is_record else grid.whole
        return self._wholes[number]

    def _table(self, number: int, grid: Grid) -> RowTable:
        """A table in all its pieces, made once for a question."""
        if grid.whole not in self._whole:
            self._whole[grid.whole] = row_table(tuple(self._pieces(number, grid)), self.question.language)
        return self._whole[grid.whole]

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


@once_a_collection(2048)
def _tables_with(index: Cells, word: Word) -> frozenset[int]:
    """The numbers of the tables that have a word in a name, a head or a cell."""
    keys = index.holders([word.text])
    rows = index.places(keys, (Kind.ROW,)) if len(keys) <= _MOST_KEYS else []
    headed = grids_of(place for name in _heads_told_by(word, index) for place in index.heads[name])
    return frozenset((*grids_of(rows), *index.of_kind(word.text), *index.holding(word.text), *headed))


def _heads_told_by(word: Word, index: Cells) -> list[str]:
    """The heads that a word has, or speaks of, as `is_head` knows; only those with a form of it are read."""
    parts = (part for said in (word.text, *word.implied) for part in said.split())
    forms = {form for part in parts for form in index.measured_as(part)}
    return [name for name in index.heads_with(forms) if is_head(word, said_words(name))]
