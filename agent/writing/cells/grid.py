"""One grid of entities and labels with a value in each cell, for tables, records and lists alike.

A table has entities in its rows and labels in its columns, or the other way round; neither this module nor its users
depend on it. The records of several chunks are one grid, of their titles and labels; so are the items of a list, each
with a name before a colon and its values behind it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain

from agent.understanding.words.measures import measures as known_measures
from agent.writing.texts.claims import places_of
from agent.writing.texts.columns import naming_columns, tables_of, with_divided_columns
from agent.writing.texts.facts import is_content_word, sentences_of, text_of, unit_of
from agent.writing.texts.numbers import Number, every_reading, is_plain, numbers_of_plain
from agent.writing.texts.offered import SourceNumbers
from agent.writing.texts.plain import plain
from agent.writing.texts.units import known_units, unit_named
from retrieval.tables.names import without_part
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import is_number, normal
from retrieval.types import Chunk, Table

_BRACKETED = re.compile(r"\(([^()]*)\)")
_ORDINAL = re.compile(r"^\(?\d+(?:\.\d+)*[A-Za-z]?[.)]\s+")
_LEAD = re.compile(r"\s*[-*•]?\s*([^:]{2,50}):\s+(.*\d.*)")
"""A line that begins with a name: *Elk: length 12 m, crew 4*."""
_HEADED = re.compile(r"\s*[-*•]?\s*([^:.;|]{2,40}):\s+(.*)")
_ITEM = re.compile(r"\s*([^\W\d_][^\d,;:.$€£]{0,40}?)[ :=]+(\S?[+-]?\d.{0,30})$")
_PROPER = re.compile(r"\b[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*|\b[a-z]\w*\d\w*(?:[.-]\w+)+")
"""A possible name in a text."""
_ARTICLE = re.compile(r"^(?:The|A|An) ")
_PARTS = re.compile(r"[;(]|,(?!\d)|\b(?:and|but|while|whereas)\b")
_BETWEEN_ITEMS = re.compile(r"[,;](?!\d)")
_SEVERAL = 2
_MOST_WORDS = 8
"""A longer value is a text, in which a number need not be the value of the label."""

Name = tuple[str, ...]
Point = int
_Under = tuple[tuple[Point, tuple[Number, ...]], ...]
"""The numbers under a word, by entity."""
Place = tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class Cell:
    """The numbers of a cell, the unit from its label or text, and whether the numbers are close to the label."""

    numbers: tuple[Number, ...]
    unit: str = ""
    is_close: bool = True

    @property
    def amount(self) -> float | None:
        """The only amount of the cell; None for none, dice or several."""
        if len({each.value for each in self.numbers}) != 1:
            return None
        exact = (each for each in self.numbers if is_plain(each) and not (each.bound or each.end))
        one = next(exact, None)
        return float(one.value) if one is not None else None


class Grid:
    """Cells by their names on two axes; each point of an axis has all its names."""

    def __init__(
        self,
        axes: tuple[Sequence[Sequence[Name]], Sequence[Sequence[Name]]],
        cells: Mapping[Place, Cell],
        others: Collection[str] = (),
        *,
        is_table: bool = False,
    ) -> None:
        self.axes, self.cells, self._others, self.is_table = axes, cells, others, is_table

    @cached_property
    def is_given(self) -> bool:
        """True for a table, records or a list, which have all of their entities; False for a grid from prose."""
        return not self._others

    @cached_property
    def values(self) -> frozenset[str]:
        """All values in the grid."""
        return frozenset(self._others).union(each.value for each in self._numbers())

    def _numbers(self) -> list[Number]:
        return list(chain.from_iterable(cell.numbers for cell in self.cells.values()))

    @cached_property
    def offered(self) -> Mapping[Place, SourceNumbers]:
        every = self._numbers()
        return {place: SourceNumbers(cell.numbers, among=every) for place, cell in self.cells.items()}


def grids_of(chunks: Sequence[Chunk]) -> list[Grid]:
    """Return the grids of some chunks: one for each table and list, and one for all records."""
    return list(_grids_of(tuple(chunks)))


@lru_cache(maxsize=256)
def _grids_of(chunks: tuple[Chunk, ...]) -> tuple[Grid, ...]:
    tables = (table for table in chain.from_iterable(map(tables_of, chunks)) if len(table.rows) > 1)
    lists = filter(None, map(_of_list, chunks))
    records = _of_records(chunks)
    return (*map(_of_table, tables), *lists, *([records] if records.cells else []))


@dataclass(frozen=True, slots=True)
class _Clause:
    """Part of a text with numbers: its subject, its words, and its numbers."""

    of: Name
    words: frozenset[str]
    numbers: tuple[Number, ...]


def prose_grid(chunks: Sequence[Chunk], words: frozenset[str]) -> Grid:
    """Return a grid of the entities that texts name; the labels are those of `words` that stand beside a number."""
    things: dict[Name, Point] = {}
    told: dict[str, dict[Point, tuple[Number, ...]]] = {}
    values: list[str] = []
    for clause in chain.from_iterable(map(_clauses_of, chunks)):
        thing = things.setdefault(clause.of, len(things))
        values += (each.value for each in clause.numbers)
        for word in sorted(words & clause.words):
            under = told.setdefault(word, {})
            under[thing] = (*under.get(thing, ()), *clause.numbers)
    labels: dict[_Under, list[str]] = {}
    for word, under in told.items():
        labels.setdefault(tuple(_with_one_value(under)), []).append(word)
    cells = {}
    for c, (column, named) in enumerate(labels.items()):
        for thing, numbers in column:
            cells[thing, c] = Cell(numbers, is_close=len(column) >= _SEVERAL or _adjoin(numbers, named))
    axes = [(name,) for name in things], [[(word,) for word in named] for named in labels.values()]
    return Grid(axes, cells, values)


def _with_one_value(under: Mapping[Point, tuple[Number, ...]]) -> Iterator[tuple[Point, tuple[Number, ...]]]:
    """Yield the entities that have the same number everywhere, with it."""
    for thing, numbers in under.items():
        if len({each.value for each in numbers}) == 1:
            yield thing, numbers


def _adjoin(numbers: Iterable[Number], words: Iterable[str]) -> bool:
    return any(not each.adjoining.isdisjoint(words) for each in numbers)


@lru_cache(maxsize=512)
def _clauses_of(chunk: Chunk) -> tuple[_Clause, ...]:
    """Return the clauses of a text with numbers; the subject is a name in the clause or before it, else the title."""
    lines = [line for line in text_of(chunk).split("\n") if " | " not in line and not _HEADED.fullmatch(line)]
    called = _proper_names("\n".join(lines))
    found = []
    for line in lines:
        of = _name(_bare(chunk.title))
        for part in chain.from_iterable(map(_PARTS.split, sentences_of(line))):
            tokens = normal(plain(part))
            of = _longest_named(called, tokens) or of
            words = frozenset(each for each in tokens if is_content_word(each) and not each[:1].isdecimal())
            if numbers := _numbers(part):
                found.append(_Clause(of, words - set(of) - known_units(), numbers))
    return tuple(found)


def _proper_names(text: str) -> set[Name]:
    """Return the possible names in a text: none that it also has in small letters, and no measures and units."""
    common = frozenset(filter(str.islower, text.split()))
    small = known_units() | known_measures()
    found = set()
    for proper in _PROPER.findall(text):
        called = _ARTICLE.sub("", proper)
        name = _name(called) if called.lower() not in common else ()
        if not small.issuperset(name):
            found.add(name)
    return found


def _longest_named(names: Iterable[Name], tokens: Sequence[str]) -> Name:
    """Return the longest name in some tokens, of several the first; none if they have none."""
    found: list[tuple[int, int, Name]] = []
    for name in names:
        found += ((-len(name), start, name) for start in places_of(name, tokens))
    return min(found)[2] if found else ()


@lru_cache(maxsize=256)
def _of_table(table: Table) -> Grid:
    table = with_divided_columns(table)
    heads = [" ".join(dict.fromkeys(head)) for head in table.columns]
    naming = (0, *naming_columns(table))
    rows = _unique_names([_names(row[c] for c in naming) for row in table.rows])
    called = ([" ".join(path), *path[-1:], *_ends_of(path, table)] for path in table.columns[1:])
    columns = _unique_names([(), *map(_names, called)])
    cells = {}
    for r, row in enumerate(table.rows):
        for c in range(1, len(row)):
            unit = _unit_in(heads[c]) or _unit_in(row[0]) or _unit_behind(row[c])
            if numbers := _numbers(row[c], heads[c], row[0]):
                cells[r, c] = Cell(numbers, unit)
    return Grid((rows, columns), cells, is_table=True)


def _ends_of(path: Sequence[str], table: Table) -> Iterator[str]:
    """Yield the ends of a header that shares its beginning with another: *May 2023* of *Rate May 2023*."""
    words = " ".join(path).split()
    others = [" ".join(other).split() for other in table.columns if other != path]
    for size in range(1, len(words)):
        if any(words[:size] == other[:size] for other in others):
            yield " ".join(words[size:])


def _of_records(chunks: Sequence[Chunk]) -> Grid:
    """Return a grid of the records of chunks, with one entity for each chunk."""
    titles = [list(dict.fromkeys((_bare(chunk.title), *map(_bare, chunk.headings[-1:])))) for chunk in chunks]
    labels: dict[tuple[Name, ...], Point] = {}
    several: set[Place] = set()
    cells: dict[Place, Cell] = {}
    for r, chunk in enumerate(chunks):
        for label, value in _labelled(chunk):
            numbers, name = _numbers(value, label) if len(value.split()) <= _MOST_WORDS else (), _names([label])
            if numbers and name:
                c = labels.setdefault(name, len(labels))
                if (r, c) in cells and cells[r, c].numbers != numbers:
                    several.add((r, c))
                cells[r, c] = Cell(numbers, _unit_in(label) or _unit_behind(value))
    cells = {place: cell for place, cell in cells.items() if place not in several}
    return Grid(([_names(each) for each in titles], list(labels)), cells)


def _labelled(chunk: Chunk) -> Iterator[tuple[str, str]]:
    """Yield the labels and values of a chunk's records and lines; a table of one row is a record, too."""
    lines = text_of(chunk).split("\n")
    leads = filter(None, map(_LEAD.fullmatch, lines)) if _of_list(chunk) else ()
    known = {match[1] for match in leads}
    for table in chunk.tables:
        if table.is_record:
            yield from ((row[0], " ".join(row[1:])) for row in table.rows if row[0] not in known)
            known.update(row[0] for row in table.rows)
        elif len(table.rows) == 1:
            yield from zip(map(" ".join, table.columns), table.rows[0], strict=True)
    for match in filter(None, map(_HEADED.fullmatch, lines)):
        if match[1] not in known:
            yield match[1], match[2]


@lru_cache(maxsize=512)
def _of_list(chunk: Chunk) -> Grid | None:
    """Return a grid of the lines that each begin with a name and share labels; None if there are too few."""
    found = []
    shared: Counter[str] = Counter()
    for match in filter(None, map(_LEAD.fullmatch, text_of(chunk).split("\n"))):
        items = list(filter(None, map(_ITEM.match, _BETWEEN_ITEMS.split(match[2]))))
        if items:
            found.append((match[1], items))
            shared.update({item[1].lower() for item in items})
    if len(found) < _SEVERAL or max(shared.values()) < _SEVERAL:
        return None
    labels: dict[Name, Point] = {}
    cells = {}
    for r, (_, items) in enumerate(found):
        for item in items:
            c = labels.setdefault(_name(item[1]), len(labels))
            cells[r, c] = Cell(_numbers(item[2], item[1]), _unit_behind(item[2]))
    return Grid(([_names([name]) for name, _ in found], [[name] for name in labels]), cells)


@lru_cache(maxsize=8192)
def _numbers(text: str, *labels: str) -> tuple[Number, ...]:
    """Return the numbers of a text, also with the measures that the labels before it name."""
    found = [each for each in every_reading(plain(text)) if not each.implied]
    for label in labels if found else ():
        read = every_reading(plain(f"{_BRACKETED.sub(' ', label)} {text}"))
        named = {each.value: each for each in read if each.measure}
        found += [named[value] for value in dict.fromkeys(each.value for each in found) if value in named]
    return tuple(found)


def _unit_in(label: str) -> str:
    """Return the unit that a label has in brackets."""
    for each in _BRACKETED.findall(label):
        words = normal(each)
        if words and unit_named(words[0]) in known_units():
            return unit_named(words[0])
    return ""


def _unit_behind(text: str) -> str:
    """Return the unit behind the only number of a cell."""
    tokens = normal(plain(text))
    units = {unit_of(tokens, each) for each in numbers_of_plain(plain(text))}
    return unit_named(min(units)) if len(units) == 1 and units <= known_units() else ""


def _bare(title: str) -> str:
    return _ORDINAL.sub("", without_part(title))


def _names(texts: Iterable[str]) -> tuple[Name, ...]:
    """Return the names that some texts are: in full, without brackets, or without a range, *child* of *Child to 14*."""
    found: dict[Name, None] = {}
    for text in texts:
        found |= dict.fromkeys(map(_name, (text, _BRACKETED.sub(" ", text), _without_range(text))))
    return tuple(filter(None, found))


def _without_range(text: str) -> str:
    """Return the words of a label with a range or a number; empty for any other."""
    label = read_label(_BRACKETED.sub(" ", text))
    return " ".join(filter(is_content_word, label.name)) if label.span is not None else ""


def _unique_names(axis: Sequence[tuple[Name, ...]]) -> list[tuple[Name, ...]]:
    """Return an axis with only the names that are unique to a point; a point without any keeps its first name."""
    counted = Counter(chain.from_iterable(axis))
    return [tuple(name for name in names if counted[name] == 1) or names[:1] for names in axis]


@lru_cache(maxsize=8192)
def _name(text: str) -> Name:
    """Return the tokens of a name; none for a number."""
    tokens = tuple(normal(plain(text)))
    has_words = any(is_content_word(token) and not is_number(token) for token in tokens)
    return tokens if has_words else ()
