"""The best of a kind: every cell of a measure that the members of the kind have, from all pieces of their tables.

A kind is what the collection says it is: a caption, a heading, the head of the first column, a folder, the name above a
group of rows. Only who reads all members may say which is the best.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.planner.attributes import ENDS, SCALES
from agent.planner.clauses import COMMA, tokens_of
from agent.reasoners.quantities import quantities_of
from agent.structure.program import Bound, Linked, Reading, Subject
from retrieval.tables.bind import Binding
from retrieval.tables.cells import Cell, Grid
from retrieval.tables.index import Cells, Kind, Place
from retrieval.tables.match import Fit, Wording, said_words, same_word
from retrieval.text import STOP_WORDS, is_number, phrase

_UNIT = re.compile(r"\s*\([^()]*\)")
_MOSTLY = 0.6
"""The share of a head that a question has to hold."""
FEWEST = 2
"""Members of a kind; of one there is no best."""
MOST_MEASURES = 6
"""Heads that are tried as what is asked."""


def ranked(linked: Linked, index: Cells) -> Bound | None:
    """The cells of a measure over a kind; None where no head or label is the measure, or nothing is of the kind."""
    said = [word for word in tokens_of(linked.question) if _says(word)]
    implied = [each for words in linked.implied.values() for each in words]
    for words in (said, [*said, *implied]):
        for name in _measures(words, index):
            kind = [word for word in words if not any(same_word(word, other) for other in said_words(name))]
            tables = _grouped(list(_members(index.heads[name], kind, index)))
            if len(tables) == 1 and _can_rank(tables[0], name):
                return Bound(linked, tuple(map(_reading, tables[0])), name, True, rank=True)
    return None


def is_contested(linked: Linked) -> bool:
    """True where the better one is asked for, and no word says which end of the scale that is: it is not in a cell."""
    return linked.prefer in ("better", "worse")


def _says(word: str) -> bool:
    """True for a word that may name a measure or a kind, and neither asks nor tells an end of a scale."""
    return word not in STOP_WORDS and word not in SCALES and word not in ENDS and word != COMMA and not is_number(word)


def _can_rank(members: Sequence[_Member], measure: str) -> bool:
    """True for several values of one unit that can be put in an order."""
    return len(members) >= FEWEST and quantities_of([member.cell.text for member in members], measure) is not None


def _measures(words: Sequence[str], index: Cells) -> list[str]:
    """The heads and labels of which a question has the most, their units aside; those that have most words of it."""
    found, wording = [], Wording(words)
    for name in index.heads:
        said = _without_unit(name)
        told = [other for other in said if wording.is_told_by(other)]
        if told and len(told) >= _MOSTLY * len(said):
            found.append((len(told), len(told) / len(said), name))
    return [name for _, _, name in sorted(found, reverse=True)[:MOST_MEASURES]]


@lru_cache(maxsize=65536)
def _without_unit(name: str) -> tuple[str, ...]:
    return said_words(_UNIT.sub("", name))


@dataclass(frozen=True, slots=True)
class _Member:
    cell: Cell
    place: Place
    grid: Grid
    table: str


def _members(places: Sequence[Place], kind: Sequence[str], index: Cells) -> Iterator[_Member]:
    """The cells under these heads and labels whose tables, or the groups in them, are of the kind."""
    seen: set[tuple[str, int, int, int]] = set()
    for place in places:
        if place.grid is None or place.at is None:
            continue
        grid, is_label = index.grid(place.grid), place.kind is Kind.LABEL
        under = grid.places(row=place.at) if is_label else grid.places(column=place.at)
        for cell in (grid.cell(row, column) for row, column in under):
            at = (cell.chunk_id, cell.table, cell.row, cell.column)
            if at not in seen and cell.text.strip(" -–—") and _is_of(kind, cell, grid):
                seen.add(at)
                yield _Member(cell, place, grid, "" if is_label else grid.whole)


def _is_of(kind: Sequence[str], cell: Cell, grid: Grid) -> bool:
    """True where each word of the kind is said of the cell: by its group, where the table has a group of that word."""
    groups = {word for group in grid.groups for word in phrase(group)}
    own = phrase(" ".join(cell.row_path[:-1]))
    for word in kind:
        said = own if any(same_word(word, other) for other in groups) else grid.kinds
        if not any(same_word(word, other) for other in said):
            return False
    return True


def _grouped(members: Sequence[_Member]) -> list[list[_Member]]:
    """The members by table; the records of a kind are one."""
    found: dict[str, list[_Member]] = {}
    for member in members:
        found.setdefault(member.table, []).append(member)
    return list(found.values())


def _reading(member: _Member) -> Reading:
    """Who has the value: the row, or of a record the thing that it describes."""
    cell, grid = member.cell, member.grid
    name = cell.row_label
    if grid.table.is_record or grid.is_single:
        name = grid.title if grid.title in grid.headings[-1:] or not grid.headings else grid.headings[-1]
    whole = Fit(frozenset(phrase(member.place.name)), frozenset(), frozenset(), 1.0)
    label = member.place.name
    return Reading(Subject(name, name), (Binding((), grid, cell.row, cell.column, member.place, whole, label, (), ()),))
