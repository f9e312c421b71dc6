"""Fuse the results of sub-queries by reciprocal rank fusion, with a place for every sub-query.

Plain fusion favors what many sub-queries found, and would starve one about something else. So each sub-query's best
chunk gets its place first, preferably the one from which its answer was read; then rank decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, zip_longest

from retrieval.text.normal import title_key
from retrieval.types import Hit, Passage, Retrieved


def reciprocal_rank_fusion(rankings: Iterable[Sequence[str]], k: int = 60) -> dict[str, float]:
    """Return the fused score of every id: the sum of 1 / (k + rank) over its rankings, ranks from 1.

    Source: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
    Methods", SIGIR 2009; k = 60 is theirs.

    >>> reciprocal_rank_fusion([["a", "b"], ["b"]], k=1)
    {'a': 0.5, 'b': 0.8333333333333333}
    """
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, id_ in enumerate(ranking, start=1):
            scores[id_] = scores.get(id_, 0.0) + 1 / (k + rank)
    return scores


def fuse(
    retrieved: Sequence[Retrieved],
    limit: int = 12,
    preferred: Mapping[str, Sequence[str]] | None = None,
    rrf_k: int = 60,
) -> tuple[Passage, ...]:
    """Return at most `limit` distinct passages, best fused score first.

    `preferred` maps a sub-query's id to the chunk ids that answered it; these are chosen first. Next are the chunks of
    the entities that sub-queries name, the most relevant for each first, then the best chunk of every sub-query without
    a chunk yet; fused score fills the rest. Ties are broken by relevance, then by id.
    """
    best = _best_hits(retrieved)
    scores = reciprocal_rank_fusion(([hit.chunk.id for hit in one.hits] for one in retrieved), rrf_k)

    def rank(id_: str) -> tuple[float, float, str]:
        return -scores[id_], -best[id_].relevance, id_

    answers = [_preferred_ids(one, preferred or {}, best) for one in retrieved]
    named = [_entity_ids(one) for one in retrieved]
    bare = zip(retrieved, answers, named, strict=True)
    firsts = [[one.hits[0].chunk.id] for one, ids, entities in bare if one.hits and not ids and not entities]
    in_turn = (_in_rounds(answers), own_chunks(retrieved), _in_rounds(named), _in_rounds(firsts))
    wanted = chain(*in_turn, sorted(best, key=rank))
    chosen = islice(dict.fromkeys(wanted), max(limit, 0))
    found_by = _found_by(retrieved)
    return tuple(
        Passage(best[id_].chunk, best[id_].relevance, scores[id_], found_by[id_]) for id_ in sorted(chosen, key=rank)
    )


def _best_hits(retrieved: Sequence[Retrieved]) -> dict[str, Hit]:
    best: dict[str, Hit] = {}
    for hit in chain.from_iterable(one.hits for one in retrieved):
        if hit.chunk.id not in best or hit.relevance > best[hit.chunk.id].relevance:
            best[hit.chunk.id] = hit
    return best


def _preferred_ids(one: Retrieved, preferred: Mapping[str, Sequence[str]], known: Mapping[str, Hit]) -> list[str]:
    return [id_ for id_ in preferred.get(one.sub_query.id, ()) if id_ in known]


def own_chunks(retrieved: Sequence[Retrieved]) -> tuple[str, ...]:
    """Return, for each entity in the sub-queries, the id of the most relevant chunk titled by its name."""
    own: dict[str, Hit] = {}
    for hit in chain.from_iterable(map(_entity_hits, retrieved)):
        key = title_key(hit.chunk.title)
        if key not in own or hit.relevance > own[key].relevance:
            own[key] = hit
    return tuple(hit.chunk.id for hit in own.values())


def _entity_ids(one: Retrieved) -> list[str]:
    """Return the chunks asked for by id, and those of entities."""
    asked = [hit.chunk.id for hit in one.hits if hit.chunk.id in one.sub_query.chunk_ids]
    return [*asked, *(hit.chunk.id for hit in _entity_hits(one))]


def _entity_hits(one: Retrieved) -> list[Hit]:
    """Return the chunks titled by an entity's name, without tables, which have no claim to a place."""
    keys = {title_key(entity) for entity in one.sub_query.entities}
    own = (hit for hit in one.hits if hit.chunk.chunk_type != "table")
    return [hit for hit in own if keys and title_key(hit.chunk.title) in keys]


def _in_rounds(lists: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the first item of every list, then every second item, and so on."""
    for row in zip_longest(*lists):
        yield from (id_ for id_ in row if id_ is not None)


def _found_by(retrieved: Sequence[Retrieved]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for one in retrieved:
        for hit in one.hits:
            found.setdefault(hit.chunk.id, {})[one.sub_query.id] = None
    return {id_: tuple(sub_queries) for id_, sub_queries in found.items()}
