"""A line of a table whose values run along an axis of ordered points: *Wind* over 2019, 2020, 2021.

The points are the column headers beside a row that the question names, or the keys of the rows below a column that it
names. They are numbers, *2019*, numbers of one kind, *Week 3*, months, days of the week or versions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.languages.language import Language
from agent.reasoning.kinds.member import Value
from agent.reasoning.kinds.readings import reading_of
from agent.reasoning.measures.dimensions import measures_under, without_unit
from agent.reasoning.values.conditions import words_under
from agent.understanding.linking.program import Reading
from agent.understanding.question.tagged import Tagged
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells
from retrieval.tables.match import label_words, matches_any
from retrieval.tables.names import Mention
from retrieval.tables.writing import Kind
from retrieval.text.label_ranges import read_label
from retrieval.text.normal import phrase

FEWEST_POINTS = 3
"""The fewest points of an axis; two columns are rather two things side by side."""
_VERSION = re.compile(r"v?\d+(?:\.\d+){2,}")
_SHORT = 3
"""The fewest letters of an abbreviated month or day."""


@dataclass(frozen=True)
class Point:
    """One point of an axis: its text, its place in the order, and its value's cell."""

    text: str
    order: float
    value: Value


@dataclass(frozen=True)
class Line:
    """The values of a line that a question names, along the axis of its table."""

    mention: Mention
    name: str
    grid: Grid
    axis: str
    """The header that names the axis; empty if none does."""
    points: tuple[Point, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """The values, in the order of the table."""
        return tuple(each.value.text for each in self.points)

    @cached_property
    def _kinds(self) -> frozenset[str]:
        """The words for one point of the axis: those of its header, and those that all points share."""
        shared = frozenset[str].intersection(*(frozenset(read_label(each.text).name) for each in self.points))
        return shared | frozenset(phrase(self.axis))

    def is_along(self, word: str, language: Language) -> bool:
        """True for a word that asks for points of the axis: its name, or *year* if they are years."""
        if matches_any(word, self._kinds):
            return True
        units = {unit for each in language.dimensions if each.units & language.years for unit in each.units}
        return word in (language.years if all(map(_is_year, self.points)) else units - language.years)

    def tells(self, word: str, language: Language) -> bool:
        """True for a word of the table's surroundings, of the line's own name or of its values, and for what their unit
        measures.
        """
        grid = self.grid
        said = {*grid.context, *label_words(self.name), *words_under(self.texts), *grid.corner_words}
        return matches_any(word, said) or word in measures_under((*self.texts, self.name), language)

    def reading(self, point: Point) -> Reading:
        """Return the value at a point as the reading of that point."""
        return reading_of(point.text, point.value, point.value.row)


def lines_in(question: Tagged, index: Cells) -> Iterator[Line]:
    """Yield the lines with an axis that the question names."""
    for mention in question.names:
        columns: dict[tuple[str, int], list[tuple[int, Grid]]] = {}
        for place in index.places([mention.key], (Kind.ROW, Kind.COLUMN)):
            if place.grid is None or place.at is None or place.depth:
                continue
            grid = index.grid(place.grid)
            if grid.table.is_record:
                continue
            if place.kind is Kind.COLUMN:
                columns.setdefault((grid.table_id, place.at), []).append((place.grid, grid))
            elif (found := _across(mention, place.grid, grid, place.at, question.language)) is not None:
                yield found
        for (_, column), pieces in columns.items():
            if (found := _down(mention, pieces, column, question.language)) is not None:
                yield found


def _across(mention: Mention, number: int, grid: Grid, row: int, language: Language) -> Line | None:
    """Return the line of a row below the column headers that are points."""
    heads = [path[-1] if path else "" for path in grid.table.columns]
    orders = _orders(heads, language)
    name, cells = grid.row_names(row)[-1].strip(" *"), grid.table.rows[row]
    points = [
        Point(heads[at], order, Value.of(name, number, grid, row, at))
        for at, order in orders.items()
        if at and cells[at : at + 1]
    ]
    return _line(mention, name, grid, grid.corner, points)


def _down(mention: Mention, pieces: Sequence[tuple[int, Grid]], column: int, language: Language) -> Line | None:
    """Return the line of a column beside the row keys that are points, in all pieces of its table."""
    rows = [(number, grid, at) for number, grid in pieces for at in range(len(grid.table.rows))]
    keys = ["".join(grid.table.rows[at][:1]).strip(" *") for _, grid, at in rows]
    orders = _orders(keys, language)
    if not column or len(orders) < len(keys):
        return None  # sums and groups among the rows are no points
    grid = rows[0][1]
    name = grid.column_labels[column]
    points = [
        Point(key, orders[n], Value.of(name, number, piece, at, column))
        for n, (key, (number, piece, at)) in enumerate(zip(keys, rows, strict=True))
        if piece.table.rows[at][column : column + 1]
    ]
    return _line(mention, without_unit(name, language) or name, grid, grid.column_labels[0], points)


def _line(mention: Mention, name: str, grid: Grid, axis: str, points: Sequence[Point]) -> Line | None:
    distinct = {each.order for each in points}
    if len(points) < FEWEST_POINTS or len(distinct) < len(points):
        return None
    return Line(mention, name, grid, axis, tuple(points))


def _orders(texts: Sequence[str], language: Language) -> dict[int, float]:
    """Return the places of points among some texts, with their order; empty if they are of several kinds."""
    versions = {place: match[0] for place, text in enumerate(texts) if (match := _VERSION.fullmatch(text.strip()))}
    if len(versions) >= FEWEST_POINTS:
        in_order = sorted(versions, key=lambda place: tuple(map(int, versions[place].lstrip("v").split("."))))
        return {place: float(n) for n, place in enumerate(in_order)}
    for calendar in (language.months, language.weekdays):
        dated = {place: n for place, text in enumerate(texts) if (n := _place_in(calendar, text)) is not None}
        if len(dated) >= FEWEST_POINTS:
            return dated
    found = dict[int, float]()
    names = set[tuple[str, ...]]()
    for place, text in enumerate(texts):
        label = read_label(text)
        if label.span is not None and not label.span.width:
            found[place] = label.span.minimum
            names.add(tuple(label.name))
    return found if len(names) == 1 else {}


def _place_in(names: Sequence[str], text: str) -> float | None:
    """Return the number of a month or a day of the week by its name, in full or abbreviated."""
    (word, *more) = phrase(text) or ("",)
    if more or len(word) < _SHORT:
        return None
    return next((float(n) for n, name in enumerate(names) if name.startswith(word)), None)


def _is_year(point: Point) -> bool:
    return len(point.text.strip(" *")) == len("2019") and point.text.strip(" *").isdigit()
