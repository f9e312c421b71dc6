"""Check the place that a question names: *in the list of boats* counts only the boats of that list.

The name of a table is more than a word. Another table of the same sort does not answer.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import PurePath

from agent.reasoning.kinds.common import MOST_TABLES
from agent.reasoning.kinds.member import FEWEST, Label, Member
from agent.understanding.linking.mentions import NAMES_OF_TABLES
from agent.understanding.linking.program import Bound, Reading
from agent.understanding.question.tagged import Tagged
from retrieval.tables.cells import Grid
from retrieval.tables.index import Cells, grids_of
from retrieval.tables.names import Mention, key_of
from retrieval.tables.writing import Kind
from retrieval.text.normal import is_number, phrase

_FEWEST_WORDS = 2
"""The fewest words of a name that leads to a table; a single word is too ambiguous."""

_OF_LEGEND = 2
"""The columns of a legend, a table that explains the columns of another."""
_YEAR = re.compile(r"\d{4}(?:/\d{2,4})?")
"""A year or a season: *2023*, *2022/23*."""
_NEARLY_ALL = 0.8
_MOSTLY = 0.5
"""The share of a folder's pages that must have a value for a superlative, and of the tables that have a word in their
own name, for it to leave out the others.
"""


def is_incomplete(bound: Bound, members: Sequence[Member], index: Cells) -> bool:
    """True if the compared members are not all that the question asks about."""
    if _is_part_elsewhere(bound, members):
        return True
    return _stands_elsewhere(bound, index) or _is_of_few_pages(bound, members, index) or _is_of_legend(bound, index)


def _is_of_legend(bound: Bound, index: Cells) -> bool:
    """True for rows that only explain the columns of another table: they are no members of a kind."""
    held = (*bound.readings, *bound.without_value)
    grid = held[0].best.grid if held else None
    if grid is None or grid.table.is_record or len(grid.column_labels) != _OF_LEGEND:
        return False
    keys = {key for row in grid.table.rows if (key := key_of(phrase(row[0])))}
    return len(keys) > 1 and len(index.known_names(sorted(keys), (Kind.COLUMN,))) >= _NEARLY_ALL * len(keys)


def _is_of_few_pages(bound: Bound, members: Sequence[Member], index: Cells) -> bool:
    """True for the best of entities with a page each in one folder, if most pages of the folder have no such value; it
    may be missing from members that the question excludes.
    """
    held = (*bound.readings, *bound.without_value)
    sources, folders = set[str](), set[PurePath]()
    for each in held:
        source = each.best.grid.source
        sources.add(source)
        folders.add(PurePath(source).parent)
    if bound.operation != "best" or len(sources) < len(held) or len(folders) != 1:
        return False
    folder = folders.pop()
    pages = {page for page in _pages_called(folder.name, index) if PurePath(page).parent == folder}
    label = phrase(bound.measure)
    having = {member.grid.source for member in members if label in member.texts}
    return len(pages & (sources | having)) < _MOSTLY * len(pages)


def _pages_called(folder: str, index: Cells) -> set[str]:
    """Return the pages whose folder has this name."""
    numbers = index.of_kind(phrase(folder)[-1]) if phrase(folder) else ()
    return {index.grid(number).source for number in sorted(numbers)[:MOST_TABLES]}


def _is_part_elsewhere(bound: Bound, members: Sequence[Member]) -> bool:
    """True for a label that is an item of another, *Open to: Miller 4*, if other members have that item alone as value:
    *Miller 4*.
    """
    whole, _, item = bound.measure.rpartition(": ")
    if not whole or bound.operation not in ("list", "count"):
        return False
    label, words = phrase(whole), phrase(item)
    others = (member.texts.get(label, "") for member in members if phrase(bound.measure) not in member.texts)
    return any(phrase(text)[: len(words)] == words for text in others)


def _stands_elsewhere(bound: Bound, index: Cells) -> bool:
    """True if the question names a table of several rows, and a compared member neither belongs to it nor has the words
    of its name.
    """
    question = bound.linked.question
    for mention in tables_named(question, index):
        words = frozenset(question.tokens[mention.start : mention.end])
        if not all(_has(each, words) for each in bound.judged):
            return True
    return False


def words_of_table(question: Tagged, members: Sequence[Member], labels: Collection[Label]) -> frozenset[str]:
    """Return the words of names of several words that the members' table has, such as the *race* of *race boats*: they
    are not matched with its column *Race*. Names that are also among the `labels` are excluded.
    """
    kinds = members[0].grid.kinds if members else frozenset[str]()
    said = (question.tokens[each.start : each.end] for each in question.names if each.end - each.start >= _FEWEST_WORDS)
    found = (words for words in said if kinds.issuperset(words) and not any(set(words) <= {*each} for each in labels))
    return frozenset(word for words in found for word in words)


def of_named_tables(members: list[Member], within: Collection[int]) -> list[Member]:
    """Return the members in the tables that the question names, given by their numbers, if there are any; else all.

    *In the Hull boat fees* means the table with this caption, not one of *Hull fees* in the section *Boats*.
    """
    return [each for each in members if any(number in within for number, _ in each.grids)] or members


def of_numbered_tables(question: Tagged, members: list[Member]) -> tuple[list[Member], frozenset[int]]:
    """Return the members in the tables that a number of the question names with the word before it, *Tier 3*, or a year
    alone, and the places of such numbers; all members if it names none of their tables.
    """
    places = set[int]()
    for n in question.numbers:
        pair = question.tokens[max(0, n.place - 1) : n.place + 1]
        if n.limit is None and pair[0].isalpha() and pair[0] not in question.language.function_words:
            called = [each for each in members if pair in _numbered_names(each.grid)]
            members, places = (called, places | {n.place}) if called else (members, places)
        elif n.limit is None and _YEAR.fullmatch(n.value):
            called = [each for each in members if n.value in each.grid.context and not _has_number(each, n.value)]
            members, places = (called, places | {n.place}) if called else (members, places)
    return members, frozenset(places)


def _has_number(member: Member, number: str) -> bool:
    """True if a value or a label of a member has a number."""
    return any(number in phrase(value.text) or number in value.words for value in member.values)


@lru_cache(maxsize=4096)
def _numbered_names(grid: Grid) -> frozenset[tuple[str, ...]]:
    """Return the pairs of a word and the number behind it in the names of a table."""
    pairs = (pair for name in grid.names for pair in pairwise(phrase(name)))
    return frozenset(pair for pair in pairs if is_number(pair[1]))


def of_called_tables(sort: str, members: list[Member]) -> list[Member]:
    """Return the members whose table has the word for their sort in its own name, if most of their tables have it.

    Under the heading *Ferries*, where *Steam ferries* and *Car ferries* are listed, *Tickets* are no ferries.
    """
    grids = {number: grid for each in members for number, grid in each.grids if each.at is not None}
    called = {number for number, grid in grids.items() if sort in phrase(grid.own_name)}
    if len(called) < FEWEST or len(called) <= _MOSTLY * len(grids):
        return members
    return [each for each in members if each.at is None or each.grids[0][0] in called]


def tables_named(question: Tagged, index: Cells) -> list[Mention]:
    """Return the names of a question that belong to tables of several rows."""
    return [each for each in question.names if each.end - each.start >= _FEWEST_WORDS and _names_table(each, index)]


def _names_table(mention: Mention, index: Cells) -> bool:
    places = index.places([mention.key], NAMES_OF_TABLES)
    return any(_is_table(index.grid(number)) for number in grids_of(places))


def _is_table(grid: Grid) -> bool:
    return not grid.table.is_record and (not grid.is_single or grid.is_cut_row)


def _has(reading: Reading, words: frozenset[str]) -> bool:
    """True if all words are in a member's name, its values and labels, or the names of its table."""
    grid, row = reading.best.grid, reading.best.row
    own = " ; ".join((reading.name, *grid.labels, *grid.table.rows[row]))
    return words <= grid.context.union(phrase(own))
