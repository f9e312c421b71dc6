"""The retrieval of one sub-query as its specification reads: rank everything, take away what must go, keep the rest.

No rounds, no index, no tolerance, no cleverness, and no code of the retriever. The vectors it is given have cosines in
whole ten-thousandths, so distances are whole numbers here and every comparison is exact. What a rule and a title mean,
what a word is and what BM25 says has an oracle of its own, in the tests of those modules.

Sources: design.md, "Retrieval of one sub-query"; seed documents 2 (gap, offset, confidence), 4 (thresholds, guarantee,
length, words) and 5 (types, tags, score); Cormack et al. 2009 (fusion).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from retrieval.filters.rule import satisfies
from retrieval.ingest.index import embedding_text
from retrieval.lexical import LexicalIndex
from retrieval.text.normal import content_words, normal, title_key
from retrieval.types import Chunk, Policy, SubQuery

UNIT = 10_000
"""Distances are counted in ten-thousandths."""


@dataclass(frozen=True)
class Ranked:
    """A chunk and how far it is, in ten-thousandths of cosine distance."""

    chunk: Chunk
    distance: int

    @property
    def id(self) -> str:
        return self.chunk.id

    @property
    def relevance(self) -> int:
        return min(UNIT, max(0, UNIT - self.distance))

    @property
    def nearness(self) -> tuple[int, str]:
        return self.distance, self.id


@dataclass
class Expected:
    """Ids and distances of the hits in order, their confidence, the numbers, and what became of every chunk in reach.

    `fates` says `kept`, or the rule by which the chunk went. `survivors` are the hits before the cuts, and `pins` those
    that were asked for by name.
    """

    hits: list[tuple[str, float]]
    confidence: list[str]
    survivors: list[str]
    pins: list[str]
    fates: dict[str, str]
    best_score: float
    effective_threshold: float
    cut: str


def ranking(chunks: Sequence[Chunk], vectors: Sequence[Sequence[float]], query: Sequence[float]) -> list[Ranked]:
    """All chunks, nearest first, equally far ones by id."""
    ranked = [Ranked(c, round(UNIT * (1 - cosine(v, query)))) for c, v in zip(chunks, vectors, strict=True)]
    return sorted(ranked, key=lambda one: one.nearness)


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    product = math.fsum(a * b for a, b in zip(one, other, strict=True))
    return product / math.sqrt(math.fsum(a * a for a in one) * math.fsum(b * b for b in other))


def retrieve(
    everything: Sequence[Ranked], query: SubQuery, policy: Policy, reach: int | None = None, directed: bool = False
) -> Expected:
    """What the retriever has to return, given the whole ranking.

    `reach`: how many chunks it may look at, among those with a wanted type and the first wanted tag, before it gives
    up; of a `directed` store, among those that the query may have.
    """
    if not policy.filters:
        return unfiltered(everything[: policy.max_chunks], policy)
    fates = {one.id: rule for one in everything if (rule := objection(one, query, policy))}
    passed = [one for one in everything if one.id not in fates]
    pins = pinned(everything, passed, query, policy, reach, fates)
    within = reachable(everything, query, reach, directed)
    order = [*pins, *(one for one in passed if one not in pins and one.id in within)]
    survivors = nearest_first(up_to(policy.max_chunks, unique(order, fates), fates))
    if policy.hybrid:
        survivors = fused(survivors, passed, pins, everything, query, policy, reach, fates)
    kept = cut(survivors, pins, query, policy, fates)
    fates |= {one.id: "kept" for one in kept}
    best = max((one.relevance for one in survivors if one not in pins), default=0)
    return Expected(
        hits=[(one.id, one.distance / UNIT) for one in kept],
        confidence=confidence(kept, policy),
        survivors=[one.id for one in survivors],
        pins=[one.id for one in pins],
        fates=fates,
        best_score=max((one.relevance for one in survivors), default=0) / UNIT,
        effective_threshold=float(max(best * exactly(policy.relative_threshold), UNIT * exactly(policy.absolute_min)))
        / UNIT,
        cut=next((rule for rule in ("gap", "distance") if rule in {fates[one.id] for one in survivors}), "none"),
    )


def unfiltered(top: Sequence[Ranked], policy: Policy) -> Expected:
    best = max((one.relevance for one in top), default=0)
    names = [one.id for one in top]
    hits = [(one.id, one.distance / UNIT) for one in top]
    return Expected(hits, confidence(top, policy), names, [], dict.fromkeys(names, "kept"), best / UNIT, 0.0, "none")


def objection(one: Ranked, query: SubQuery, policy: Policy) -> str | None:
    """The first screen that has something against this chunk alone."""
    chunk = one.chunk
    if query.chunk_types and chunk.chunk_type not in query.chunk_types:
        return "chunk_type"
    if not set(query.tags) <= set(chunk.tags):
        return "tags"
    if one.relevance < UNIT * exactly(query.min_score):
        return "min_score"
    if len(chunk.text) < policy.min_length:
        return "min_length"
    if not satisfies(query.text, chunk.query_must):
        return "query_must"
    return None


def pinned(
    everything: Sequence[Ranked],
    passed: Sequence[Ranked],
    query: SubQuery,
    policy: Policy,
    reach: int | None,
    fates: dict[str, str],
) -> list[Ranked]:
    """The nearest chunks of every named entity: together half of the places, one for each at least."""
    keys = {title_key(name) for name in query.entities} - {""}
    titled = [one for one in everything if title_key(one.chunk.title) in keys]
    named = unique([one for one in passed if one.id in reachable(titled, query, reach, directed=False)], fates)
    share = max(1, policy.max_chunks // (2 * len(keys))) if keys else 0
    pins = [one for key in keys for one in [n for n in named if title_key(n.chunk.title) == key][:share]]
    return nearest_first(pins)


def reachable(some: Sequence[Ranked], query: SubQuery, reach: int | None, directed: bool) -> set[str]:
    counted = [
        one.id
        for one in some
        if (not query.chunk_types or one.chunk.chunk_type in query.chunk_types)
        and (not query.tags or query.tags[0] in one.chunk.tags)
        and (not directed or satisfies(query.text, one.chunk.query_must))
    ]
    return set(counted[:reach])


def unique(order: Sequence[Ranked], fates: dict[str, str]) -> list[Ranked]:
    """Of chunks with the same words and the same table rows, the first."""
    seen, first = set(), []
    for one in order:
        words = tuple(one.chunk.text.lower().split())
        keys = frozenset((table.caption, row[0]) for table in one.chunk.tables for row in table.rows)
        if (words, keys) in seen:
            fates[one.id] = "duplicate"
        else:
            seen.add((words, keys))
            first.append(one)
    return first


def up_to(limit: int, order: Sequence[Ranked], fates: dict[str, str]) -> list[Ranked]:
    fates |= {one.id: "max_chunks" for one in order[limit:]}
    return list(order[:limit])


def nearest_first(some: Sequence[Ranked]) -> list[Ranked]:
    return sorted(some, key=lambda one: one.nearness)


def fused(
    dense: Sequence[Ranked],
    passed: Sequence[Ranked],
    pins: Sequence[Ranked],
    everything: Sequence[Ranked],
    query: SubQuery,
    policy: Policy,
    reach: int | None,
    fates: dict[str, str],
) -> list[Ranked]:
    """The best by the ranks that distance and words give: named entities first, then reciprocal ranks."""
    by_id = {one.id: one for one in passed}
    index = LexicalIndex.build([one.id for one in everything], [embedding_text(one.chunk) for one in everything])
    found = [id_ for id_, _ in index.search(query.text, len(everything))][:reach]
    if not found:
        return list(dense)
    words = unique([by_id[id_] for id_ in found if id_ in by_id], fates)[: 2 * policy.max_chunks]

    def order(one: Ranked) -> tuple[bool, float, tuple[int, str]]:
        ranks = [some.index(one) + 1 for some in (list(dense), words) if one in some]
        return one not in pins, -sum(1 / (policy.rrf_k + rank) for rank in ranks), one.nearness

    both = [*dense, *(one for one in words if one not in dense)]
    return up_to(policy.max_chunks, unique(sorted(both, key=order), fates), fates)


def cut(
    survivors: Sequence[Ranked], pins: Sequence[Ranked], query: SubQuery, policy: Policy, fates: dict[str, str]
) -> list[Ranked]:
    """Threshold, gap or offset, and words, for all but named entities; then the minimum, best relevance first."""
    left = nearest_first([one for one in survivors if one not in pins])
    best = max((one.relevance for one in left), default=0)
    floor = max(best * exactly(policy.relative_threshold), UNIT * exactly(policy.absolute_min))
    left = keep(left, [one for one in left if one.relevance >= floor], "threshold", fates)
    rule, size = cliff([one.distance for one in left], policy)
    left = keep(left, left[: max(size, policy.gap_min_chunks)], rule, fates)
    left = keep(left, [one for one in left if shares_words(one, query, policy)], "keyword_overlap", fates)
    kept = [one for one in survivors if one in left or one in pins]
    lacking = max(0, policy.min_chunks - len(kept))
    others = [one for one in survivors if one not in kept]
    kept += sorted(others, key=lambda one: (-one.relevance, one.nearness))[:lacking]
    return [one for one in survivors if one in kept]


def keep(before: Sequence[Ranked], after: list[Ranked], rule: str, fates: dict[str, str]) -> list[Ranked]:
    fates |= {one.id: rule for one in before if one not in after}
    return after


def cliff(distances: Sequence[int], policy: Policy) -> tuple[str, int]:
    """Which rule cuts the ascending distances, and how many lie before: the largest gap, never the first, or else the
    offset from the best.
    """
    gaps = [far - near for near, far in pairwise(distances)]
    wide = [gap for gap in gaps[1:] if gap >= UNIT * exactly(policy.gap_threshold)]
    if wide:
        return "gap", gaps.index(max(wide), 1) + 1
    limit = min(distances, default=0) + UNIT * exactly(policy.distance_offset)
    return "distance", len([distance for distance in distances if distance <= limit])


def shares_words(one: Ranked, query: SubQuery, policy: Policy) -> bool:
    wanted = set(content_words(query.text))
    there = {*normal(one.chunk.title), *normal(one.chunk.text)}
    return len(wanted & there) >= len(wanted) * exactly(policy.min_keyword_overlap)


def confidence(kept: Sequence[Ranked], policy: Policy) -> list[str]:
    """`high`, `medium` or `low` for each, in the order given: the worse of how far it is and the cliffs before it."""
    said = {}
    ordered = nearest_first(kept)
    for number, one in enumerate(ordered):
        gaps = [far.distance - near.distance for near, far in pairwise(ordered[: number + 1])]
        widest = max(gaps, default=-1)
        wide = UNIT * exactly(policy.gap_threshold)
        if one.distance > UNIT * exactly(policy.medium_confidence) or widest >= wide:
            said[one.id] = "low"
        elif one.distance > UNIT * exactly(policy.high_confidence) or widest >= wide / 2:
            said[one.id] = "medium"
        else:
            said[one.id] = "high"
    return [said[one.id] for one in kept]


def exactly(number: float) -> Fraction:
    """The decimal that was written, not the float nearest to it."""
    return Fraction(str(number))
