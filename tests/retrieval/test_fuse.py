"""Fusion: Cormack's scores, a quota for every sub-query, answers before anything else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.searching.fuse import fuse, reciprocal_rank_fusion
from retrieval.types import Chunk, Hit, Passage, Retrieved, SubQuery


def found(id_: str, *chunk_ids: str) -> Retrieved:
    """What a sub-query kept, best first."""
    hits = (Hit(Chunk(name, name, name), 0.1 * n, 1 - 0.1 * n) for n, name in enumerate(chunk_ids, start=1))
    return Retrieved(SubQuery(id_, id_), tuple(hits))


def names(passages: tuple[Passage, ...]) -> list[str]:
    return [passage.chunk.id for passage in passages]


def test_reciprocal_rank_fusion_sums_reciprocal_ranks() -> None:
    scores = reciprocal_rank_fusion([["a", "b"], ["b", "c"]])

    assert pytest.approx({"a": 1 / 61, "b": 1 / 62 + 1 / 61, "c": 1 / 62}) == scores


def test_what_many_found_comes_first_and_none_comes_twice() -> None:
    passages = fuse([found("q1", "a", "b"), found("q2", "c", "b")])

    assert ["b", "a", "c"] == names(passages)
    assert [("q1", "q2"), ("q1",), ("q2",)] == [passage.found_by for passage in passages]
    assert [0.8, 0.9, 0.9] == [passage.relevance for passage in passages]


def test_every_sub_query_has_its_best_chunk_in() -> None:
    popular = ["p1", "p2", "p3"]
    passages = fuse([found("q1", *popular), found("q2", *popular), found("q3", "lonely", *popular)], limit=2)

    assert ["p1", "lonely"] == names(passages)


def test_the_chunk_that_answered_takes_the_place_of_the_best() -> None:
    passages = fuse([found("q1", "a", "b", "c"), found("q2", "d", "e")], limit=2, preferred={"q1": ["c"]})

    assert {"c", "d"} == set(names(passages))


def test_a_preferred_chunk_is_never_dropped_before_another() -> None:
    retrieved = [found("q1", "a", "b", "c"), found("q2", "d", "e")]

    assert {"b", "c"} == set(names(fuse(retrieved, limit=2, preferred={"q1": ["c", "b"]})))
    assert ["e"] == names(fuse(retrieved, limit=1, preferred={"q2": ["e", "d"], "q1": []}))


def test_preferences_for_what_nobody_found_are_passed_over() -> None:
    assert ["a"] == names(fuse([found("q1", "a")], preferred={"q1": ["ghost"], "q9": ["a"]}))


def test_nothing_found_gives_nothing() -> None:
    assert () == fuse([])
    assert () == fuse([found("q1"), Retrieved(SubQuery("q2", "x"), error="store down")])
    assert () == fuse([found("q1", "a")], limit=0)


IDS = st.lists(st.sampled_from([f"c{n}" for n in range(12)]), unique=True, max_size=8)


@given(st.lists(IDS, max_size=6), st.integers(0, 12), st.data())
def test_quota_limit_and_order_hold_for_any_rankings(
    rankings: list[list[str]], limit: int, data: st.DataObject
) -> None:
    retrieved = [found(f"q{n}", *ranking) for n, ranking in enumerate(rankings)]
    preferred = {
        f"q{n}": data.draw(st.lists(st.sampled_from(ranking or ["x"]), unique=True, max_size=2))
        for n, ranking in enumerate(rankings)
    }
    passages = fuse(retrieved, limit, preferred)
    wanted = {id_ for n, ranking in enumerate(rankings) for id_ in preferred[f"q{n}"] if id_ in ranking}
    all_ids = {id_ for ranking in rankings for id_ in ranking}

    assert min(limit, len(all_ids)) == len(passages) == len(set(names(passages)))
    assert sorted(passages, key=lambda p: (-p.score, -p.relevance, p.chunk.id)) == list(passages)
    assert wanted <= set(names(passages)) or set(names(passages)) <= wanted
    if len(wanted) + len(rankings) <= limit:
        assert all(set(names(passages)) & set(ranking) for ranking in rankings if ranking)
    assert all(
        passage.found_by == tuple(f"q{n}" for n, ranking in enumerate(rankings) if passage.chunk.id in ranking)
        for passage in passages
    )


def test_a_table_that_only_lists_an_entity_takes_no_place_from_nearer_chunks() -> None:
    kinds = {"Cleric": "section", "Proficiency Table": "table", "Combat": "section", "Turning": "section"}
    chunks = [Chunk(name, name, name, chunk_type=kind) for name, kind in kinds.items()]
    near = {"Cleric": 0.1, "Combat": 0.2, "Turning": 0.3, "Proficiency Table": 0.7}
    hits = sorted((Hit(chunk, near[chunk.id], 1 - near[chunk.id]) for chunk in chunks), key=lambda hit: hit.distance)
    asked = SubQuery("q1", "cleric", entities=("cleric", "proficiency table"))

    assert ["Cleric", "Combat", "Turning"] == names(fuse([Retrieved(asked, tuple(hits))], limit=3))
