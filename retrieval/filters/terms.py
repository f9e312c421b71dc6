"""An inverted index of terms: which of a collection's terms a query has.

The query's phrases are looked up, so the cost follows the query, not the number of terms. A phrase is stored as a
128-bit digest in a sorted array: two million distinct terms take 32 MB and load in milliseconds, while a dict of
strings would take ten times that. Colliding digests don't occur without 2^64 work by an attacker.

A term that ends in a number is also a range: *armor class 6* holds if it occurs as a phrase, or if some number of
*armor class* lies from 6 to 6. So owned numbers and `contain_range` are one thing here, a *span*.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from retrieval.text.normal import Tokens, Words, is_number, normal, number, phrase
from retrieval.types import RangeRule

Ids = NDArray[np.int32]
_DIGEST = 16
_NO_PHRASE = "\0"
"""The prefix of keys that no phrase of a query can have: tokens contain letters and digits only."""


@dataclass(frozen=True, slots=True, eq=False)
class TermIndex:
    """Terms by digest, and the spans of numbers that satisfy some of them. A term's id is its place in `digests`.

    `lengths` are the token counts that occur. In span i, a number of phrase `owners[i]` from `low[i]` to `high[i]`
    satisfies term `satisfied[i]`; the empty phrase owns every number. Spans are sorted by owner.
    """

    digests: NDArray[np.bytes_]
    lengths: Ids
    owners: Ids
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    satisfied: Ids

    def ids_in(self, query: Words) -> Ids:
        """Return the ids of the terms that the query has, unordered and possibly repeated."""
        phrases = self._phrases(query)
        ids = np.array([id_ for _, id_ in phrases], dtype=np.int32)
        first, last = (np.searchsorted(self.owners, ids, side) for side in ("left", "right"))
        owning = np.flatnonzero(first < last).tolist()
        numbered = [self._spans_met(query, phrases[i][0], slice(first[i], last[i])) for i in owning]
        return np.concatenate([ids, *numbered])

    def _phrases(self, query: Words) -> list[tuple[Tokens, int]]:
        """Return the query's phrases that are in the index, with their ids."""
        if not len(self.digests):
            return []
        return [found for length in self.lengths.tolist() for found in self._phrases_of(query.tokens, length)]

    def _phrases_of(self, tokens: Tokens, length: int) -> Iterator[tuple[Tokens, int]]:
        """Yield those with this many tokens; done by length, since all runs of a long query at once would fill
        memory.
        """
        phrases = list({tokens[i : i + length] for i in range(len(tokens) - length + 1)})
        if not phrases:
            return
        wanted = _as_array(map(_digest, map(_key, phrases)))
        places = np.minimum(np.searchsorted(self.digests, wanted), len(self.digests) - 1)
        for i in np.flatnonzero(self.digests[places] == wanted).tolist():
            yield phrases[i], int(places[i])

    def _spans_met(self, query: Words, owner: Tokens, spans: slice) -> Ids:
        numbers = np.unique(query.numbers_of(owner) if owner else query.numbers())
        before = np.searchsorted(numbers, self.low[spans])
        return self.satisfied[spans][before < np.searchsorted(numbers, self.high[spans], side="right")]


class Vocabulary:
    """Assigns ids to terms while rules are compiled; `index` then returns them in final order.

    >>> vocabulary = Vocabulary()
    >>> vocabulary.term("A.C. 6") == vocabulary.term("armor class 6")
    True
    """

    def __init__(self) -> None:
        self._ids: dict[bytes, int] = {}
        self._spelled: dict[str, int] = {}
        self._lengths: set[int] = set()
        self._owners, self._satisfied = array("i"), array("i")
        self._low, self._high = array("d"), array("d")

    def term(self, term: str) -> int:
        """Return the id of a term; terms with one normal form share an id, and one without words never matches."""
        known = self._spelled.get(term)
        if known is None:
            known = self._spelled[term] = self._new(normal(term))
        return known

    def range(self, span: RangeRule) -> int:
        """Return the id of a range, which matches if the query has such a number."""
        owners = sorted({self._phrase(phrase(term)) for term in span.of}) if span.of else [self._empty_phrase()]
        low, high = _from(span.minimum), -_from(-span.maximum)
        known = len(self._ids)
        id_ = self._id(f"{_NO_PHRASE}{low!r} {high!r} {owners}")
        if id_ == known and low <= high:
            for owner in owners:
                self._add_span(owner, low, high, id_)
        return id_

    def index(self) -> tuple[TermIndex, Ids]:
        """Return the index, and the final id of every id assigned so far."""
        digests = _as_array(self._ids)
        order = np.argsort(digests)
        final = np.empty(len(order), dtype=np.int32)
        final[order] = np.arange(len(order), dtype=np.int32)
        owners, satisfied = final[_ids(self._owners)], final[_ids(self._satisfied)]
        low, high = (np.array(bounds, dtype=np.float64) for bounds in (self._low, self._high))
        by_owner = np.argsort(owners, kind="stable")
        spans = (owners[by_owner], low[by_owner], high[by_owner], satisfied[by_owner])
        return TermIndex(digests[order], np.array(sorted(self._lengths), dtype=np.int32), *spans), final

    def _new(self, tokens: Tokens) -> int:
        id_ = self._phrase(tokens)
        if len(tokens) > 1 and is_number(tokens[-1]) and not is_number(tokens[-2]):
            value = number(tokens[-1])
            self._add_span(self._phrase(tokens[:-1]), value, value, id_)
        return id_

    def _phrase(self, tokens: Tokens) -> int:
        if not tokens:
            return self._id(_NO_PHRASE)
        self._lengths.add(len(tokens))
        return self._id(_key(tokens))

    def _empty_phrase(self) -> int:
        self._lengths.add(0)
        return self._id(_key(()))

    def _id(self, key: str) -> int:
        return self._ids.setdefault(_digest(key), len(self._ids))

    def _add_span(self, owner: int, low: float, high: float, satisfied: int) -> None:
        self._owners.append(owner)
        self._low.append(low)
        self._high.append(high)
        self._satisfied.append(satisfied)


def _key(tokens: Tokens) -> str:
    return "\n".join(tokens)  # "armor class" is one token


def _digest(key: str) -> bytes:
    return blake2b(key.encode(), digest_size=_DIGEST).digest()


def _as_array(digests: Iterable[bytes]) -> NDArray[np.bytes_]:
    return np.frombuffer(b"".join(digests), dtype=f"S{_DIGEST}")


def _ids(ids: array[int]) -> Ids:
    return np.array(ids, dtype=np.int32)


def _from(bound: float) -> float:
    """Return the least float not below the bound: JSON integers may lie between two floats."""
    nearest = float(bound)
    return nearest if not nearest < bound else math.nextafter(nearest, math.inf)
