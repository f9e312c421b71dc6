"""All query_must rules of a collection, compiled once, so that a query is matched against all of them together.

A rule is a set of *conditions* (a group, a term, a range) that must all be met, plus an optional one that blocks it
unless another is met (`contain_own`). The query's phrases lead to the terms they satisfy, those to the conditions,
those to the rules; a rule holds if all its conditions are met. Terms that the query lacks are never visited, so a
hundred thousand rules cost about as much as ten. The verdicts equal those of `retrieval.filters.rule.judge`, rule by
rule (seed document 1, layer 2).
"""

from __future__ import annotations

import io
import zlib
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import StoreError
from retrieval.filters.terms import Ids, TermIndex, Vocabulary
from retrieval.text.normal import Words
from retrieval.types import QueryMust

FILE = "rules.bank"
_FORMAT = b"versus rule bank 8\n"
"""Raise the number when the arrays or the normal form of `retrieval.text.normal` change: the bank holds normal
forms.
"""
_CHECKSUM = 4
_ARRAYS = 15

Condition = tuple[int, ...]
"""The ascending ids of the terms of which a query needs one; without any, the condition is never met."""


@dataclass(frozen=True, slots=True, eq=False)
class _Links:
    """Links from sources to targets as compressed sparse rows: `targets[starts[i] : starts[i + 1]]` for source i."""

    starts: NDArray[np.int64]
    targets: Ids

    @classmethod
    def build(cls, sources: Ids, targets: Ids, count: int) -> Self:
        """Link `sources[k]` to `targets[k]` for every k; there are `count` sources."""
        starts = np.concatenate([[0], np.cumsum(np.bincount(sources, minlength=count))])
        return cls(starts.astype(np.int64), targets[np.argsort(sources, kind="stable")])

    def follow(self, sources: Ids) -> Ids:
        """Return the targets of all these sources, concatenated."""
        starts = self.starts[sources]
        counts = self.starts[sources + 1] - starts
        shifts = np.repeat(starts - (np.cumsum(counts) - counts), counts)
        return self.targets[shifts + np.arange(len(shifts))]


@dataclass(frozen=True, slots=True, eq=False)
class RuleBank:
    """The rules of a collection, row by row. Immutable, so threads may share it.

    >>> bank = RuleBank.compile([QueryMust(contain="cleric"), None, QueryMust(contain="AC 6")])
    >>> bank.eligible(Words("What does a cleric need against an armor class of 7?")).tolist()
    [True, True, False]
    """

    _terms: TermIndex
    _conditions: _Links
    _rules: _Links
    _needed: Ids
    _others: _Links
    _own: _Links

    def __len__(self) -> int:
        """The number of rules."""
        return len(self._needed)

    @classmethod
    def compile(cls, rules: Sequence[QueryMust | None]) -> RuleBank:
        """Compile the rules; row i of the bank is rule i. `None` and a rule without operators always hold."""
        vocabulary, numbers = Vocabulary(), dict[Condition, int]()
        conditions, rows, needed = array("i"), array("i"), array("i")
        others, own, telling = array("i"), array("i"), array("i")
        for row, rule in enumerate(rules):
            wanted = list(_conditions(rule, vocabulary)) if rule is not None else []
            conditions.extend(numbers.setdefault(condition, len(numbers)) for condition in wanted)
            rows.extend([row] * len(wanted))
            needed.append(len(wanted))
            if rule is not None and rule.contain_own is not None:
                others.append(_number(rule.contain_own.others, vocabulary, numbers))
                own.append(_number(rule.contain_own.own, vocabulary, numbers))
                telling.append(row)
        index, final = vocabulary.index()
        return cls(
            index,
            _term_links(numbers, final),
            _Links.build(_int32(conditions), _int32(rows), len(numbers)),
            _int32(needed),
            _Links.build(_int32(others), _int32(telling), len(numbers)),
            _Links.build(_int32(own), _int32(telling), len(numbers)),
        )

    def eligible(self, query: Words) -> NDArray[np.bool_]:
        """Return which rules hold for the query, of shape (rows,); equal to `judge` for each rule."""
        met = np.zeros(len(self._rules.starts) - 1, dtype=np.bool_)
        met[self._conditions.follow(self._terms.ids_in(query))] = True
        found = np.flatnonzero(met).astype(np.int32)
        holds = np.bincount(self._rules.follow(found), minlength=len(self)) == self._needed
        holds[self._blocked_by_look_alikes(found)] = False
        return np.asarray(holds)

    def _blocked_by_look_alikes(self, met: Ids) -> Ids:
        """Return the rules for which the query has a term of their look-alikes and none of their own."""
        others = self._others.follow(met)
        return np.setdiff1d(others, self._own.follow(met)) if len(others) else others

    def save(self, folder: Path) -> None:
        """Write the bank into this folder as one file with a checksum; `StoreError` if that fails."""
        buffer = io.BytesIO()
        buffer.write(_FORMAT)
        for each in self._arrays():
            np.save(buffer, each, allow_pickle=False)
        buffer.write(zlib.crc32(buffer.getbuffer()).to_bytes(_CHECKSUM))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / FILE).write_bytes(buffer.getbuffer())
        except OSError as error:
            raise StoreError(
                f"{folder / FILE}: can't be written ({error.strerror or error}); make room for it"
            ) from error

    @classmethod
    def load(cls, folder: Path) -> RuleBank:
        """Read the bank of this folder; `StoreError` if it is missing, damaged or of another version."""
        path = folder / FILE
        try:
            content = path.read_bytes()
        except OSError as error:
            raise _unreadable(path, f"can't be read ({error.strerror or error})") from error
        if not content.startswith(_FORMAT):
            raise _unreadable(path, "is not a rule bank of this version")
        body = memoryview(content)[:-_CHECKSUM]
        if zlib.crc32(body) != int.from_bytes(content[-_CHECKSUM:]):
            raise _unreadable(path, "is damaged")
        buffer = io.BytesIO(content)
        buffer.seek(len(_FORMAT))
        arrays: list[Any] = [np.load(buffer, allow_pickle=False) for _ in range(_ARRAYS)]
        links = [_Links(*arrays[start : start + 2]) for start in (6, 8, 11, 13)]
        return cls(TermIndex(*arrays[:6]), links[0], links[1], arrays[10], links[2], links[3])

    def _arrays(self) -> Iterator[NDArray[Any]]:
        terms = self._terms
        yield from (terms.digests, terms.lengths, terms.owners, terms.low, terms.high, terms.satisfied)
        yield from (self._conditions.starts, self._conditions.targets, self._rules.starts, self._rules.targets)
        yield self._needed
        yield from (self._others.starts, self._others.targets, self._own.starts, self._own.targets)


def _conditions(rule: QueryMust, vocabulary: Vocabulary) -> Iterator[Condition]:
    for group in rule.contain_one_of:
        yield _condition(group, vocabulary)
    for term in rule.contain_all_of:
        yield (vocabulary.term(term),)
    if rule.contain is not None:
        yield (vocabulary.term(rule.contain),)
    if rule.contain_range is not None:
        yield (vocabulary.range(rule.contain_range),)


def _condition(group: Sequence[str], vocabulary: Vocabulary) -> Condition:
    return tuple(sorted(set(map(vocabulary.term, group))))


def _number(group: Sequence[str], vocabulary: Vocabulary, numbers: dict[Condition, int]) -> int:
    """Return the number of a group's condition."""
    return numbers.setdefault(_condition(group, vocabulary), len(numbers))


def _term_links(numbers: dict[Condition, int], final: Ids) -> _Links:
    """Return the links from each term, by its final id, to the conditions that it meets."""
    sizes = np.fromiter(map(len, numbers), np.int64, len(numbers))
    terms = np.fromiter((term for condition in numbers for term in condition), np.int32, int(sizes.sum()))
    return _Links.build(final[terms], np.repeat(np.arange(len(numbers), dtype=np.int32), sizes), len(final))


def _int32(numbers: array[int]) -> Ids:
    return np.array(numbers, dtype=np.int32)


def _unreadable(path: Path, reason: str) -> StoreError:
    return StoreError(f"{path}: {reason}; versus doctor --repair compiles the rules again")
