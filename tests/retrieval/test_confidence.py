"""Confidence Scores of seed document 2: the worse of two bands, one answer for every hit."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.filters.confidence import with_confidence
from retrieval.searching.retriever import Retriever
from retrieval.stores.store import MemoryStore
from retrieval.types import Confidence, Policy
from tests.retrieval.doubles import QUERY, chunk, hits_at
from tests.retrieval.placed import Placed, shelve

H, M, L = "high", "medium", "low"
WORST_LAST: tuple[Confidence, ...] = ("high", "medium", "low")


def confidences(*distances: float, policy: Policy | None = None) -> list[Confidence | None]:
    return [hit.confidence for hit in with_confidence(hits_at(*distances), policy or Policy())]


@pytest.mark.parametrize(
    ("distances", "expected"),
    [
        pytest.param([0.12, 0.18, 0.22, 0.35, 0.50], [H, M, M, L, L], id="beholders"),
        pytest.param([0.10, 0.12, 0.15, 0.17, 0.20, 0.22, 0.25, 0.28], [H, H, H, H, H, M, M, M], id="dragons"),
        pytest.param([0.08, 0.35, 0.50], [H, L, L], id="case-1-single-exceptional-match"),
        pytest.param([0.60, 0.65, 0.70], [L, L, L], id="case-2-no-relevant-results"),
        pytest.param([0.10, 0.12, 0.14, 0.16, 0.18], [H] * 5, id="case-3-all-equally-relevant"),
        pytest.param([0.05, 0.08, 0.20, 0.35], [H, H, L, L], id="case-4-multiple-large-gaps"),
        pytest.param([0.10, 0.15], [H, M], id="owlbears"),
    ],
)
def test_the_worked_examples(distances: list[float], expected: list[str]) -> None:
    assert expected == confidences(*distances)


@pytest.mark.parametrize(("distance", "expected"), [(0.0, H), (0.2, H), (0.2001, M), (0.4, M), (0.4001, L), (2.0, L)])
def test_the_distance_band_includes_its_limits(distance: float, expected: str) -> None:
    assert [expected] == confidences(distance)


@pytest.mark.parametrize(("gap", "expected"), [(0.0, H), (0.049, H), (0.05, M), (0.099, M), (0.1, L), (0.15, L)])
def test_the_gap_band_a_gap_below_half_the_threshold_is_none(gap: float, expected: str) -> None:
    assert [H, expected] == confidences(0.02, 0.02 + gap)


def test_what_is_behind_a_cliff_stays_behind_it() -> None:
    assert [H, L, L] == confidences(0.01, 0.18, 0.19)


def test_nothing_found_has_no_confidence() -> None:
    assert () == with_confidence([], Policy())


def test_the_limits_are_the_policy_s() -> None:
    policy = Policy(high_confidence=0.5, medium_confidence=0.6, gap_threshold=0.3)

    assert [H, M, L] == confidences(0.4, 0.55, 0.65, policy=policy)
    assert [H, L] == confidences(0.1, 0.1, policy=Policy(gap_threshold=0.0))


@given(st.lists(st.floats(0, 2), max_size=15).map(sorted), st.floats(0, 1))
def test_a_farther_hit_is_never_trusted_more(distances: list[float], gap_threshold: float) -> None:
    ranks = [
        WORST_LAST.index(one) for one in confidences(*distances, policy=Policy(gap_threshold=gap_threshold)) if one
    ]

    assert len(distances) == len(ranks)
    assert all(near <= far for near, far in pairwise(ranks))


@pytest.mark.parametrize("filters", [True, False])
async def test_every_hit_that_is_kept_has_its_confidence(filters: bool) -> None:
    embedder, store = Placed([QUERY.text], {"near": [0.9], "next": [0.78], "far": [0.5]}), MemoryStore()
    await shelve(store, [chunk(text, text) for text in ("near", "next", "far")], embedder)
    policy = Policy(max_chunks=3, gap_threshold=0.3, filters=filters)
    hits = (await Retriever(store, embedder, policy).retrieve(QUERY)).hits

    assert {"cnear": H, "cnext": M, "cfar": L} == {hit.chunk.id: hit.confidence for hit in hits}
