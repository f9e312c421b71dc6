"""Gap detection against every worked example and edge case of seed document 2, as its README corrects them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.filters.gap import gap, largest_gap
from retrieval.filters.guarantee import shorten
from retrieval.types import Policy
from tests.retrieval.doubles import QUERY, hits_at, ids

EXAMPLES = [
    pytest.param([0.12, 0.18, 0.22, 0.35, 0.50], 4, "gap", id="beholders"),
    pytest.param([0.10, 0.12, 0.15, 0.17, 0.20, 0.22, 0.25, 0.28, 0.45, 0.55], 8, "gap", id="dragons"),
    pytest.param([0.08, 0.35, 0.50], 2, "gap", id="case-1-single-exceptional-match"),
    pytest.param([0.60, 0.65, 0.70], 3, "none", id="case-2-no-relevant-results"),
    pytest.param([0.10, 0.12, 0.14, 0.16, 0.18], 5, "none", id="case-3-all-equally-relevant"),
    pytest.param([0.05, 0.08, 0.20, 0.35, 0.55], 4, "gap", id="case-4-multiple-large-gaps"),
    pytest.param([0.10, 0.15, 0.40, 0.45, 0.50], 2, "gap", id="owlbears"),
    pytest.param([0.10, 0.19, 0.28, 0.37, 0.46, 0.55], 5, "distance", id="offset-when-no-gap"),
]


@pytest.mark.parametrize(("distances", "kept", "cut"), EXAMPLES)
def test_examples_of_the_seed_document(distances: list[float], kept: int, cut: str) -> None:
    short = shorten(QUERY, hits_at(*distances), Policy(), cuts=[gap])

    assert distances[:kept] == [hit.distance for hit in short.hits]
    assert cut == short.cut
    assert [cut] * (len(distances) - kept) == [drop.rule for drop in short.dropped]


@pytest.mark.parametrize(
    ("distances", "kept"), [([0.1, 0.2, 0.3], 2), ([0.5, 0.6, 0.7, 0.75], 2), ([0.05, 0.15, 0.25, 0.35], 2)]
)
def test_a_gap_of_exactly_the_threshold_counts_despite_float_noise(distances: list[float], kept: int) -> None:
    assert kept == largest_gap(distances, 0.1)


def test_of_equal_gaps_the_first_cuts() -> None:
    assert 2 == largest_gap([0.1, 0.2, 0.4, 0.6], 0.1)


def test_a_gap_just_below_the_threshold_does_not_cut() -> None:
    assert None is largest_gap([0.1, 0.2, 0.299], 0.1)


@pytest.mark.parametrize(("threshold", "kept"), [(0.05, 3), (0.15, 5)])
def test_the_gap_threshold_tunes_how_eager_the_cut_is(threshold: float, kept: int) -> None:
    short = shorten(QUERY, hits_at(0.10, 0.14, 0.18, 0.26, 0.30), Policy(gap_threshold=threshold), cuts=[gap])

    assert kept == len(short.hits)


@pytest.mark.parametrize("distances", [[], [0.2], [0.2, 0.9]])
def test_fewer_than_three_hits_have_no_gap_to_cut_at(distances: list[float]) -> None:
    assert None is largest_gap(distances, 0.1)
    assert len(distances) == len(gap(QUERY, hits_at(*distances), Policy()).kept)


def test_gap_min_chunks_stay() -> None:
    policy = Policy(gap_min_chunks=3, distance_offset=0.05)

    assert ["c1", "c2", "c3"] == ids(gap(QUERY, hits_at(0.1, 0.18, 0.26, 0.34), policy).kept)


def test_the_reasons_name_the_cliff_and_the_offset() -> None:
    behind = gap(QUERY, hits_at(0.1, 0.15, 0.4), Policy()).dropped[0]
    beyond = gap(QUERY, hits_at(0.1, 0.15, 0.2, 0.29), Policy(distance_offset=0.15)).dropped[0]

    assert "behind a gap of 0.250 between distances 0.150 and 0.400" == behind.reason
    assert "farther than the best distance 0.100 + 0.15" == beyond.reason


@given(st.lists(st.floats(0, 2), max_size=20))
def test_what_is_kept_is_a_prefix_and_nothing_is_lost(distances: list[float]) -> None:
    hits = hits_at(*sorted(distances))
    sifted = gap(QUERY, hits, Policy())

    assert hits[: len(sifted.kept)] == list(sifted.kept)
    assert ids(hits) == [*ids(sifted.kept), *(drop.chunk_id for drop in sifted.dropped)]
    assert min(2, len(hits)) <= len(sifted.kept)
