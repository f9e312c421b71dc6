"""Families of look-alike chunks, and the queries that must still tell them apart.

A row of a near-duplicate table has a generated rule, which is exact but knows only the book's own words. The rule
states what a query must name: one subject and the key. Such queries, and the titles, test every proposal for any member
of the family.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from retrieval.filters.rule import judge
from retrieval.ingest.families import Captioned, find_families
from retrieval.text.normal import Tokens, Words, phrase
from retrieval.text.vocabulary import vocabulary
from retrieval.types import Chunk, QueryMust, RangeRule


@dataclass(frozen=True, slots=True)
class Member:
    """A row of a family with its generated rule, and the queries about it: its title first, then short ones."""

    chunk: Chunk
    rule: QueryMust
    queries: tuple[tuple[str, Words], ...]

    @property
    def caption(self) -> str:
        """The caption of the row's table."""
        return self.chunk.tables[0].caption


@dataclass(frozen=True, slots=True)
class Family:
    """The rows of tables that look alike, a tuple of members for each table."""

    tables: tuple[tuple[Member, ...], ...]

    @property
    def members(self) -> Iterator[Member]:
        """All rows of all tables."""
        return (member for table in self.tables for member in table)


def look_alikes(chunks: Sequence[Chunk], generated: Collection[str]) -> list[Family]:
    """Return the families among the chunks whose rules were generated; `generated` has their ids.

    Hand-written rules stay as they are and are excluded. A table whose look-alikes are all excluded is a family of its
    own.
    """
    tables: dict[tuple[str, int | None, str], list[Chunk]] = {}
    for chunk in chunks:
        if chunk.id in generated and chunk.query_must is not None and chunk.tables:
            tables.setdefault((chunk.source, chunk.line, chunk.tables[0].caption), []).append(chunk)
    rows = list(tables.values())
    found = [family.members for family in find_families([_whole(table) for table in rows])]
    alone = [(i,) for i in range(len(rows)) if not any(i in members for members in found)]
    return [_family([rows[i] for i in members]) for members in sorted([*found, *alone])]


def _whole(rows: Sequence[Chunk]) -> Captioned:
    first = rows[0].tables[0]
    return Captioned(replace(first, rows=tuple(chunk.tables[0].rows[0] for chunk in rows)), (first.caption,))


def _family(tables: Sequence[Sequence[Chunk]]) -> Family:
    said = Counter(term for table in tables for term in {t for chunk in table for t in _terms(chunk.query_must)})
    shared = {term for term, times in said.items() if times > 1}
    return Family(tuple(tuple(_member(chunk, shared) for chunk in table) for table in tables))


def _terms(rule: QueryMust | None) -> Iterator[Tokens]:
    return (phrase(term) for group in (rule.contain_one_of if rule else ()) for term in group)


def _member(chunk: Chunk, shared: Collection[Tokens]) -> Member:
    assert chunk.query_must is not None
    queries = [(chunk.title, Words(f"{_ASKING} {' '.join(vocabulary().never)} {chunk.title}"))]
    queries += [(text, Words(text)) for text in queries_about(chunk.query_must, shared)]
    return Member(chunk, chunk.query_must, tuple(q for q in queries if judge(q[1], chunk.query_must)))


_ASKING = (
    "Which number, score, value, chance or result does a character need to win or save, by the rule, row, table or "
    "chart of this book for"
)
"""A question of general words: a rule that accepts it with one of its terms tells nothing apart."""


def queries_about(rule: QueryMust, shared: Collection[Tokens] = ()) -> list[str]:
    """Return short queries that name one alternative of each group: all combinations, or, if there are too many, so
    many that each alternative occurs.

    Terms that other tables have too (`shared`) tell nothing apart; they are used only if a group has no others.

    >>> queries_about(QueryMust(contain_one_of=(("cleric", "druid"), ("armor class 6",))))
    ['cleric armor class 6', 'druid armor class 6']
    """
    groups = [_alternatives(group, shared) for group in rule.contain_one_of if group]
    if rule.contain_range is not None:
        groups.append(_within(rule.contain_range))
    if not groups:
        return []
    if math.prod(map(len, groups)) <= _MANY:
        return [" ".join(named) for named in product(*groups)]
    turns = max(map(len, groups))
    return [" ".join(group[turn % len(group)] for group in groups) for turn in range(turns)]


_MANY = 64


def _alternatives(group: Sequence[str], shared: Collection[Tokens]) -> list[str]:
    by_form: dict[Tokens, str] = {}
    for term in group:
        by_form.setdefault(phrase(term), term)
    own = [term for form, term in by_form.items() if form not in shared]
    return own or list(by_form.values())


def _within(span: RangeRule) -> list[str]:
    """Return numbers of the range with each of its terms: both ends and the numbers between them, or some of these."""
    low, high = span.minimum, span.maximum
    low = low if math.isfinite(low) else min(0.0, high - _BEYOND)
    high = high if math.isfinite(high) else low + _BEYOND
    some = [low + n for n in range(int(high - low) + 1)] if high - low <= _BEYOND else [low, (low + high) // 2]
    numbers = [f"{n:g}" for n in dict.fromkeys((*some, high))]
    return [f"{term} {n}".strip() for term in span.of or ("",) for n in numbers]


_BEYOND = 10
"""The width up to which a range is tried number by number, and how far an open range is tried."""
