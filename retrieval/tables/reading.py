"""Read a value from the right cell: given a subject, keys and a wanted measure, return the cell.

Programs that know what they need (a domain, a tool of a model) ask by a `CellQuery`. A table belongs to its subject if
its caption, title, headings or one of its rows names the subject. Every key must match a row or a head. All functions
are pure over chunks; without a matching cell there is no reading.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from retrieval.tables.cells import Cell
from retrieval.tables.measures import share_of_label, want_score, want_words
from retrieval.tables.names import name_words
from retrieval.tables.whose import Ownership, TableOfChunk, ownership_of, tables_of
from retrieval.text.normal import phrase
from retrieval.types import Chunk, Table

_ORDINARY = frozenset({"common", "normal", "ordinary", "standard", "typical"})
_HEAD_NAME = 2.0
_SHORTEST = 4
"""The fewest letters of a word that may have another form."""


@dataclass(frozen=True, slots=True)
class CellQuery:
    """What to read. `subject` names the owner of the table or row (empty: any). `keys` are `(name, value)` pairs that
    must all match (an empty name: any column). `want` names the column, best wording first; it may be empty if two keys
    determine the cell.
    """

    subject: str = ""
    keys: tuple[tuple[str, str], ...] = ()
    want: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """A cell that answers a query, with its chunk and table; `score` ranks rivals."""

    cell: Cell
    chunk: Chunk
    table: Table
    score: float

    @property
    def text(self) -> str:
        """The text of the cell."""
        return self.cell.text

    @property
    def row(self) -> str:
        """The head of the key column and the row's key, *Weapon Dagger*; empty in a record."""
        return "" if self.table.is_record else f"{self.cell.axis} {self._cells[0]}".strip()

    @property
    def column(self) -> str:
        """The head of its column, or its label in a record."""
        return self._cells[0] if self.table.is_record else self.cell.column_label

    @property
    def caption(self) -> str:
        """The caption of its table, else the title of its chunk."""
        return self.table.caption or self.chunk.title

    @property
    def quote(self) -> str:
        """The cell as a citation shows it beside the chunk's title: row, column and value, or its sentence."""
        if self.cell.sentence:
            return self.cell.sentence
        where = " / ".join(part for part in (self.row, self.column) if part)
        return f"{where} = {self.text}" if where else self.text

    @property
    def _cells(self) -> tuple[str, ...]:
        return self.table.rows[self.cell.row]


def read_cell(query: CellQuery, chunks: Iterable[Chunk]) -> Reading | None:
    """Return the cell that fits best, or None when no table has it or several rows of one fit alike.

    >>> columns = ("Armor Class",), ("Level 1-3",), ("Level 4-6",)
    >>> matrix = Table("ATTACK MATRIX FOR CLERICS", columns, (("6", "14", "12"),))
    >>> query = CellQuery("cleric", (("level", "5"), ("armor class", "6")))
    >>> read_cell(query, [Chunk("m", "", "Matrix", tables=(matrix,))]).text
    '12'
    """
    return Tables(chunks).cell(query)


def _is_one_of_a_name(found: Sequence[Reading]) -> bool:
    """True if several rows of a table tie with different values, so that the choice among them is ambiguous."""
    best = found[0]
    rivals = [
        each
        for each in found
        if each.table is best.table and each.score == best.score and each.cell.column == best.cell.column
    ]
    return bool(best.row) and len({rival.text for rival in rivals}) > 1


def read_cells(query: CellQuery, chunks: Iterable[Chunk]) -> list[Reading]:
    """Return every cell that fits, best first; ties follow the order of `chunks`."""
    return Tables(chunks).cells(query)


class Tables:
    """The tables of some chunks, for many queries; results are cached."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._tables = [table for chunk in chunks for table in tables_of(chunk)]
        self._found: dict[CellQuery, list[Reading]] = {}
        self._own: dict[str, list[TableOfChunk]] = {}

    def cell(self, query: CellQuery) -> Reading | None:
        """Return the cell that fits best; see `read_cell`."""
        found = self.cells(query)
        return None if not found or _is_one_of_a_name(found) else found[0]

    def cells(self, query: CellQuery) -> list[Reading]:
        """Return every cell that fits, best first; see `read_cells`."""
        if query not in self._found:
            said = (each for table in self._of(query.subject) for each in _readings(query, table))
            self._found[query] = sorted(said, key=lambda each: -each.score)
        return self._found[query]

    def _of(self, subject: str) -> list[TableOfChunk]:
        """Return the tables that have something of a subject; most queries are about the same few."""
        if subject not in self._own:
            self._own[subject] = [table for table in self._tables if not ownership_of(table, subject).is_unowned]
        return self._own[subject]


@lru_cache(maxsize=16384)
def _readings(query: CellQuery, table: TableOfChunk) -> Sequence[Reading]:
    """Return the cells of a table that answer and are not blank; cached for repeated reasoning about a question."""
    found = _Reader(query, table, ownership_of(table, query.subject)).readings()
    return [each for each in found if is_not_blank(each.text)]


def is_not_blank(text: str) -> bool:
    """True unless a cell is empty, a dash or *n/a*."""
    return text.strip(" -–—") not in ("", "n/a", "N/A")


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A row that keys and subject have chosen: the columns that matched them, those to read, and the score."""

    row: int
    matched_columns: set[int]
    columns: frozenset[int] | None
    score: float


class _Reader:
    """A query, compared with one table."""

    def __init__(self, query: CellQuery, source: TableOfChunk, its: Ownership) -> None:
        self._query, self._chunk, self._grid, self._table = query, source.chunk, source.grid, source.table
        self._axes, self._heads = source.axes, source.axes.heads
        self._named, self._is_named = its.named or 0.0, its.is_named
        self._rows_of_subject, self._columns_of_subject = its.rows, its.columns
        self._fits: dict[frozenset[int], list[tuple[int, float]]] = {}

    def readings(self) -> Iterator[Reading]:
        """Yield the cells of the table that answer."""
        if self._table.is_record:
            yield from self._of_record()
            return
        for row in self._rows():
            for column, score in self._of_row(row):
                yield self._reading(row, column, score)

    def _rows(self) -> Iterable[int]:
        """Return the rows that may answer: those with every key that no head has and, if only a row can name the
        subject, with the subject.
        """
        every: Iterable[int] = range(len(self._table.rows))
        chosen = [self._axes.down(*key) for key in self._query.keys if not self._may_be_across(*key)]
        if chosen:
            return sorted(set(chosen[0]).intersection(*chosen[1:]))
        if self._query.keys or self._is_named or self._columns_of_subject:
            return every
        return sorted(self._rows_of_subject)

    def _may_be_across(self, name: str, wanted: str) -> bool:
        return not self._axes.key_columns(name) and bool(self._axes.across(name, wanted, bare=True))

    def _reading(self, row: int, column: int, score: float) -> Reading:
        return Reading(self._grid.cell(row, column), self._chunk, self._table, score)

    def _of_record(self) -> Iterator[Reading]:
        if not self._is_named or self._query.keys:
            return
        told = want_words(" ".join((self._chunk.title, *self._chunk.headings)))
        for row, (label, text) in enumerate(self._table.rows):
            fit = want_score(self._query.want, label, told | want_words(text))
            if fit > 0:
                yield self._reading(row, 1, self._named + 2 * fit)

    def _of_row(self, row: int) -> Iterator[tuple[int, float]]:
        """Yield the columns of a row that answer, each with its score."""
        is_listing = self._is_named and self._query.subject and not self._query.keys
        if is_listing and self._value_column is not None and (asked := self._asked(row)) > 0:
            yield self._value_column, self._named + 2 * asked
            return
        chosen = self._by_keys(row)
        if chosen is not None:
            chosen = self._of_subject(chosen)
        if chosen is None:
            return
        if chosen.columns is None:
            fits = self._fits_beside(frozenset(chosen.matched_columns))
        else:
            is_chosen = bool(chosen.matched_columns) or 0 in chosen.columns or self._asked(row) > 0
            fits = self._crossed(chosen) if is_chosen else []
        for column, fit in fits:
            yield column, chosen.score + 2 * fit

    def _asked(self, row: int) -> float:
        """Score how well the key of a row fits what is wanted."""
        return want_score(self._query.want, self._table.rows[row][0])

    def _by_keys(self, row: int) -> _Chosen | None:
        """Return the row if it or the heads match every key; keys that run down are tried first."""
        said: set[int] = set()
        columns: frozenset[int] | None = None
        width = 0.0
        for name, wanted in sorted(self._query.keys, key=lambda key: not self._axes.key_columns(key[0])):
            hit = self._axes.down(name, wanted).get(row)
            if hit is not None:
                said.add(hit.column)
                width += hit.width
                continue
            runs_down = bool(self._axes.key_columns(name))
            across = frozenset[int]() if runs_down else self._axes.across(name, wanted, bare=bool(said))
            if not across:
                return None
            columns = across if columns is None else columns & across
        return _Chosen(row, said, columns, -width)

    def _of_subject(self, chosen: _Chosen) -> _Chosen | None:
        """Return the row if the table belongs to the subject, or if the row or a head names the subject."""
        columns = chosen.columns
        if self._is_named:
            return _Chosen(chosen.row, chosen.matched_columns, columns, chosen.score + self._named)
        if self._is_named_by_head(chosen):
            return _Chosen(chosen.row, chosen.matched_columns, columns, chosen.score + _HEAD_NAME)
        if chosen.row in self._rows_of_subject:
            at, score = self._rows_of_subject[chosen.row]
            return _Chosen(chosen.row, chosen.matched_columns | {at}, columns, chosen.score + score)
        own = self._columns_of_subject if columns is None else ()
        return _Chosen(chosen.row, set(), frozenset(own), chosen.score + _HEAD_NAME) if own else None

    def _is_named_by_head(self, chosen: _Chosen) -> bool:
        """True if a head of a key names the subject, as *Cleric Level* above columns or rows does."""
        above = [" ".join(self._table.columns[at][:-1]) for at in chosen.columns or ()]
        heads = (*above, *(self._heads[at] for at in chosen.matched_columns))
        subject = name_words(self._query.subject)
        return any(subject < name_words(head) for head in heads)

    def _crossed(self, chosen: _Chosen) -> list[tuple[int, float]]:
        """Return the chosen columns with their scores; some wanted word must be in the table's names, row key or
        heads.
        """
        wanted = {word for wording in self._query.want for word in want_words(wording)}
        said = want_words(f"{self._axes_names} {self._table.rows[chosen.row][0]} {' '.join(self._heads)}")
        if wanted and not any(_is_form_of(word, other) for word in wanted for other in said):
            return []
        left = sorted((chosen.columns or frozenset()) - chosen.matched_columns)
        asked = self._asked(chosen.row)
        return [(at, max(asked, want_score(self._query.want, self._heads[at]))) for at in left]

    def _fits_beside(self, said: frozenset[int]) -> list[tuple[int, float]]:
        if said not in self._fits:
            self._fits[said] = self._wanted(said)
        return self._fits[said]

    def _wanted(self, said: Collection[int]) -> list[tuple[int, float]]:
        """Return the columns that fit best; a row that subject and keys have chosen needs a weaker fit."""
        want, is_pinned = self._query.want, bool(self._query.keys) and self._is_named
        fits: dict[int, float] = {}
        for column, head in enumerate(self._own_heads):
            if column in said:
                continue
            fits[column] = want_score(want, head, self._name_words)
            if is_pinned:
                fits[column] = max(fits[column], share_of_label(want, head, self._name_words))
        best = max(fits.values(), default=0.0)
        if best <= 0:
            return []
        return [(column, fit) for column, fit in fits.items() if fit == best and not self._is_one_of_many(column)]

    def _is_one_of_many(self, column: int) -> bool:
        """True for *Zone B* beside *Zone A*, or *Harm: Huge* beside *Harm: Small*, if the query doesn't choose one."""
        want = self._query.want
        kind, colon, one = self._heads[column].partition(":")
        if colon and sum(head.startswith(f"{kind}:") for head in self._heads) > 1:
            return not any(want_words(one) & want_words(wording) for wording in want)
        words = phrase(self._heads[column])
        is_numbered = len(words) > 1 and (words[-1].isdigit() or len(words[-1]) == 1)
        if not is_numbered or any(words[-1] in phrase(wording) for wording in want):
            return False
        return sum(phrase(head)[:-1] == words[:-1] for head in self._heads) > 1

    @cached_property
    def _value_column(self) -> int | None:
        """The value column of a table whose rows are labels with values; of several columns that of the ordinary
        kind.
        """
        if len(self._heads) == 2:
            return 1
        if not self._heads or self._heads[0].strip():
            return None
        kinds = enumerate(map(name_words, self._heads))
        return next((column for column, words in kinds if column and words and words <= _ORDINARY), None)

    @property
    def _axes_names(self) -> str:
        return f"{self._chunk.title} {self._table.caption}"

    @cached_property
    def _shared(self) -> frozenset[str]:
        """The words of heads that span several columns; they don't tell these columns apart."""
        spanning = [path[0] for path in self._table.columns if len(path) > 1]
        return frozenset(word for head in spanning if spanning.count(head) > 1 for word in phrase(head))

    @cached_property
    def _own_heads(self) -> list[str]:
        """Each column's head without the words that it shares with its neighbors."""
        return [" ".join(word for word in phrase(head) if word not in self._shared) or head for head in self._heads]

    @cached_property
    def _name_words(self) -> frozenset[str]:
        """The words of the table's names and spanning heads."""
        return want_words(f"{self._axes_names} {' '.join(sorted(self._shared))}")


def _is_form_of(word: str, other: str) -> bool:
    """True for *turn* and *turning*."""
    long_enough = min(len(word), len(other)) >= _SHORTEST
    return word == other or (long_enough and other + "ing" == word) or (long_enough and word + "ing" == other)
