"""One type is the architecture: a filter takes a sub-query, hits and the policy, and returns kept hits and drops with
reasons.

A *screen* is a filter whose drops the store refills; a *cut* only shortens. Both are plain functions of this type; a
`Stage` says which of the two a filter is, and under which rules it drops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from retrieval.types import Drop, Gap, Hit, Policy, SubQuery

TOLERANCE = 1e-6
"""The noise of 32-bit distances, far below any threshold's precision: 0.3 - 0.2 is a gap of 0.1."""


@dataclass(frozen=True, slots=True)
class Sifted:
    """The hits that a filter kept, in their given order, and its drops with reasons.

    `gaps` are those that a gap cut considered, whether it cut there or not.
    """

    kept: tuple[Hit, ...] = ()
    dropped: tuple[Drop, ...] = ()
    gaps: tuple[Gap, ...] = ()


class Filter(Protocol):
    """A screen or a cut. The hits come best first; the result keeps their order."""

    def __call__(self, sub_query: SubQuery, hits: Sequence[Hit], policy: Policy) -> Sifted:
        """Return which hits stay, and one `Drop` with a reason for every other."""
        ...


@dataclass(frozen=True, slots=True)
class Stage:
    """A filter with its place in the pipeline; calling it filters.

    `rules` are the names under which it drops. `by_relevance` is True if it drops what is not near enough.
    """

    kind: Literal["screen", "cut"]
    judge: Filter
    rules: tuple[str, ...]
    by_relevance: bool = False

    def __call__(self, sub_query: SubQuery, hits: Sequence[Hit], policy: Policy) -> Sifted:
        """Return which hits stay, and one `Drop` with a reason for every other."""
        return self.judge(sub_query, hits, policy)


def drop(hit: Hit, rule: str, reason: str) -> Drop:
    """Return the record that `rule` removed `hit`, with the reason."""
    return Drop(hit.chunk.id, hit.chunk.title, rule, reason, hit.relevance)


def sift(hits: Iterable[Hit], rule: str, objection: Callable[[Hit], str | None]) -> Sifted:
    """Keep the hits for which `objection` returns None; for the others its text is the reason.

    >>> sift([], "tags", lambda hit: None)
    Sifted(kept=(), dropped=(), gaps=())
    """
    kept: list[Hit] = []
    dropped: list[Drop] = []
    for hit in hits:
        reason = objection(hit)
        if reason is None:
            kept.append(hit)
        else:
            dropped.append(drop(hit, rule, reason))
    return Sifted(tuple(kept), tuple(dropped))


def chain(filters: Iterable[Filter], sub_query: SubQuery, hits: Sequence[Hit], policy: Policy) -> Sifted:
    """Return what all filters keep, each applied to the rest of the one before, and every drop in order."""
    kept, dropped, gaps = tuple(hits), list[Drop](), list[Gap]()
    for each in filters:
        sifted = each(sub_query, kept, policy)
        kept = sifted.kept
        dropped += sifted.dropped
        gaps += sifted.gaps
    return Sifted(kept, tuple(dropped), tuple(gaps))
