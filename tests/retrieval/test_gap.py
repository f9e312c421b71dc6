"""Gap detection against every worked example and edge case of seed document 2, as its README corrects them (5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.filters.gap import gap, largest_gap, within_offset
from retrieval.filters.guarantee import shorten
from retrieval.searching.retriever import Retriever
from retrieval.stores.store import MemoryStore
from retrieval.types import Chunk, Policy, Retrieved
from tests.retrieval.doubles import QUERY, hits_at, ids
from tests.retrieval.placed import Placed, shelve

BEHOLDERS = {"Beholder": 0.12, "Beholder Lair": 0.18, "Eye Tyrant": 0.22, "Vision": 0.35, "Sight": 0.50}
DRAGONS = {
    "Black Dragon": 0.10, "Gold Dragon": 0.12, "Red Dragon": 0.15, "Blue Dragon": 0.17, "Green Dragon": 0.20,
    "White Dragon": 0.22, "Dragon Lair": 0.25, "Dragon Turtle": 0.28, "Dragon Egg": 0.45, "Drake": 0.55,
}  # fmt: skip
OWLBEARS = {"Owlbear": 0.10, "Owlbear Lair": 0.15, "Owl": 0.40, "Bear": 0.45, "Bugbear": 0.50}
NO_CLIFF = 1.0
"""A gap threshold that no gap reaches, so that the distance decides."""


async def search(results: Mapping[str, float], policy: Policy) -> Retrieved:
    """What the document's program returns: the k nearest results, cut by gap or distance, by no relevance threshold."""
    embedder, store = Placed([QUERY.text], {name: [1 - distance] for name, distance in results.items()}), MemoryStore()
    await shelve(store, [Chunk(name, name, name) for name in results], embedder)
    return await Retriever(store, embedder, replace(policy, absolute_min=0.0, relative_threshold=0.0)).retrieve(QUERY)


def distances_of(results: Mapping[str, float]) -> list[float]:
    return list(results.values())


async def test_step_by_step_walkthrough_of_beholders() -> None:
    distances = distances_of(BEHOLDERS)
    gaps = [far - near for near, far in pairwise(distances)]

    assert pytest.approx([0.06, 0.04, 0.13, 0.15]) == gaps  # step 1
    assert 4 == largest_gap(distances, 0.1)  # steps 2 to 4: position 3, and one more to include what is before it
    assert ["Beholder", "Beholder Lair", "Eye Tyrant", "Vision"] == ids(
        (await search(BEHOLDERS, Policy(max_chunks=5))).hits
    )


def test_step_2_the_first_gap_is_skipped_even_when_it_is_the_largest() -> None:
    assert 3 == largest_gap([0.1, 0.6, 0.65, 0.8], 0.1)
    assert None is largest_gap([0.1, 0.6, 0.65], 0.1)


@pytest.mark.parametrize(("found", "kept"), [(0, 0), (1, 1), (2, 2), (5, 2)])
async def test_step_5_at_least_two_where_there_are_that_many(found: int, kept: int) -> None:
    results = dict(list(OWLBEARS.items())[:found])

    assert kept == len((await search(results, Policy(gap_min_chunks=2, distance_offset=0.01))).hits)


async def test_dragons_have_a_cliff_of_0_17_before_the_egg() -> None:
    """The document calls them gapless, though 0.17 >= 0.1; its own numbered algorithm is right."""
    short = await search(DRAGONS, Policy(max_chunks=10))

    assert list(DRAGONS)[:8] == ids(short.hits)
    assert ("gap", {"Dragon Egg", "Drake"}) == (short.cut, {drop.chunk_id for drop in short.drops})


async def test_fallback_without_a_gap_dragons_are_cut_at_0_50() -> None:
    short = await search(DRAGONS, Policy(max_chunks=10, gap_threshold=0.18))

    assert list(DRAGONS)[:9] == ids(short.hits)
    assert [("Drake", "distance")] == [(drop.chunk_id, drop.rule) for drop in short.drops]


EDGE_CASES = [
    pytest.param({"Beholder": 0.08, "Vision": 0.35, "Eye": 0.50}, 5, 2, "gap", id="1-single-exceptional-match"),
    pytest.param({"Light Spell": 0.60, "Sword": 0.65, "Laser": 0.70}, 5, 3, "none", id="2-no-relevant-results"),
    pytest.param(
        {"Black Dragon": 0.10, "Gold Dragon": 0.12, "Red Dragon": 0.14, "Blue Dragon": 0.16, "Green Dragon": 0.18},
        5,
        5,
        "none",
        id="3-all-results-equally-relevant",
    ),
    pytest.param(
        {"Monster": 0.05, "Monster Manual": 0.08, "Dragon": 0.20, "Orc": 0.35, "Spell": 0.55},
        5,
        4,
        "gap",
        id="4-multiple-large-gaps",
    ),
    pytest.param({}, 5, 0, "none", id="nothing-found-at-all"),
]


@pytest.mark.parametrize(("results", "k", "kept", "cut"), EDGE_CASES)
async def test_edge_cases(results: dict[str, float], k: int, kept: int, cut: str) -> None:
    short = await search(results, Policy(max_chunks=k))

    assert list(results)[:kept] == ids(short.hits)
    assert cut == short.cut
    assert [cut] * (len(results) - kept) == [drop.rule for drop in short.drops]


@pytest.mark.parametrize(("threshold", "kept"), [(0.05, 3), (0.1, 5), (0.15, 5)])
async def test_parameter_1_a_lower_gap_threshold_cuts_more_eagerly(threshold: float, kept: int) -> None:
    results = {"a": 0.10, "b": 0.14, "c": 0.18, "d": 0.26, "e": 0.30}

    assert kept == len((await search(results, Policy(gap_threshold=threshold))).hits)


@pytest.mark.parametrize(("threshold", "kept"), [(0.05, 4), (0.1, 4), (0.15, 4), (0.16, 5)])
async def test_parameter_1_beholders_are_cut_at_their_largest_gap_up_to_its_own_size(
    threshold: float, kept: int
) -> None:
    assert kept == len((await search(BEHOLDERS, Policy(gap_threshold=threshold))).hits)


@pytest.mark.parametrize(("offset", "kept"), [(0.3, 8), (0.4, 9), (0.5, 10)])
async def test_parameter_2_the_distance_offset_of_dragons(offset: float, kept: int) -> None:
    policy = Policy(gap_threshold=NO_CLIFF, distance_offset=offset)

    assert kept == within_offset(distances_of(DRAGONS), offset) == len((await search(DRAGONS, policy)).hits)


def test_parameter_3_the_minimum_can_be_raised() -> None:
    policy = Policy(gap_min_chunks=3, distance_offset=0.05)

    assert ["c1", "c2", "c3"] == ids(gap(QUERY, hits_at(0.1, 0.18, 0.26, 0.34), policy).kept)


@pytest.mark.parametrize(("k", "kept"), [(3, 3), (5, 4), (10, 4)])
async def test_parameter_4_at_most_k_results(k: int, kept: int) -> None:
    assert kept == len((await search(BEHOLDERS, Policy(max_chunks=k))).hits)


async def test_debugging_the_reason_names_the_cliff() -> None:
    (sight,) = (await search(BEHOLDERS, Policy())).drops

    assert "behind a gap of 0.150 between distances 0.350 and 0.500" == sight.reason


async def test_debugging_the_reason_names_the_distance_threshold() -> None:
    (drake,) = (await search(DRAGONS, Policy(gap_threshold=NO_CLIFF))).drops

    assert "farther than the best distance 0.100 + 0.4" == drake.reason


def test_the_reason_names_the_largest_gap_though_the_minimum_reaches_behind_it() -> None:
    behind = gap(QUERY, hits_at(0.10, 0.15, 0.40, 0.45), Policy(gap_min_chunks=3)).dropped

    assert [("c4", "behind a gap of 0.250 between distances 0.150 and 0.400")] == [
        (drop.chunk_id, drop.reason) for drop in behind
    ]


RELEVANT = {"Owlbear", "Owlbear Lair"}


def measures(returned: list[str]) -> tuple[float, float, float]:
    """Precision, recall and F1 as "Evaluation Metrics" defines them."""
    right = len(RELEVANT & set(returned))
    precision, recall = right / len(returned), right / len(RELEVANT)
    return precision, recall, 2 * precision * recall / (precision + recall)


async def test_comparison_fixed_k_brings_irrelevant_owlbears() -> None:
    plain = await search(OWLBEARS, Policy(max_chunks=5, gap_threshold=NO_CLIFF, distance_offset=NO_CLIFF))

    assert pytest.approx((0.40, 1.0, 0.57), abs=0.005) == measures(ids(plain.hits))


async def test_comparison_adaptive_filtering_brings_the_relevant_owlbears_only() -> None:
    adaptive = await search(OWLBEARS, Policy(max_chunks=5))

    assert (1.0, 1.0, 1.0) == measures(ids(adaptive.hits))
    assert "behind a gap of 0.250 between distances 0.150 and 0.400" == adaptive.drops[0].reason


@pytest.mark.parametrize(
    ("distances", "kept"), [([0.1, 0.2, 0.3], 2), ([0.5, 0.6, 0.7, 0.75], 2), ([0.05, 0.15, 0.25, 0.35], 2)]
)
def test_a_gap_of_exactly_the_threshold_counts_despite_float_noise(distances: list[float], kept: int) -> None:
    assert kept == largest_gap(distances, 0.1)


def test_of_equal_gaps_the_first_cuts() -> None:
    assert 2 == largest_gap([0.1, 0.2, 0.4, 0.6], 0.1)


def test_a_gap_just_below_the_threshold_does_not_cut() -> None:
    assert None is largest_gap([0.1, 0.2, 0.299], 0.1)


def test_the_offset_itself_is_within() -> None:
    assert 2 == within_offset([0.1, 0.5, 0.51], 0.4)


@pytest.mark.parametrize("distances", [[], [0.2], [0.2, 0.9]])
def test_fewer_than_three_hits_have_no_gap_to_cut_at(distances: list[float]) -> None:
    assert None is largest_gap(distances, 0.1)
    assert len(distances) == len(gap(QUERY, hits_at(*distances), Policy()).kept)


def test_a_cut_that_the_guarantee_undid_is_not_reported() -> None:
    short = shorten(QUERY, hits_at(0.1, 0.15, 0.4), Policy(min_chunks=3), cuts=[gap])

    assert (3, (), "none") == (len(short.hits), short.dropped, short.cut)


@given(st.lists(st.floats(0, 2), max_size=20))
def test_what_is_kept_is_a_prefix_and_nothing_is_lost(distances: list[float]) -> None:
    hits = hits_at(*sorted(distances))
    sifted = gap(QUERY, hits, Policy())

    assert hits[: len(sifted.kept)] == list(sifted.kept)
    assert ids(hits) == [*ids(sifted.kept), *(drop.chunk_id for drop in sifted.dropped)]
    assert min(2, len(hits)) <= len(sifted.kept)


def numbered_algorithm(distances: list[float], gap_threshold: float, offset: float) -> int:
    """Seed document 2, "High-Level Overview", in whole thousandths so that no float noise matters."""
    gaps = [(position, far - near) for position, (near, far) in enumerate(pairwise(distances))][1:]
    eligible = [(size, -position) for position, size in gaps if size >= gap_threshold]
    if eligible:
        count = -max(eligible)[1] + 1
    else:
        count = sum(distance <= distances[0] + offset for distance in distances) if distances else 0
    return max(min(2, len(distances)), count)


@given(
    st.lists(st.integers(0, 2000), max_size=20).map(sorted),
    st.integers(1, 500),
    st.integers(0, 1000),
)
def test_any_distances_give_what_the_numbered_algorithm_gives(
    thousandths: list[int], threshold: int, offset: int
) -> None:
    policy = Policy(gap_threshold=threshold / 1000, distance_offset=offset / 1000)
    kept = gap(QUERY, hits_at(*(n / 1000 for n in thousandths)), policy).kept

    assert numbered_algorithm(list(map(float, thousandths)), threshold, offset) == len(kept)


async def test_every_gap_is_told_with_the_reason_why_it_cuts_or_does_not() -> None:
    retrieved = await search({**BEHOLDERS, "Eyesight": 0.54}, Policy(max_chunks=6))
    assert [
        (1, "0.06", False, "the first gap never cuts"),
        (2, "0.04", False, "below the gap threshold 0.1"),
        (3, "0.13", False, "the gap after 4 is taken: it is larger, or as large and comes first"),
        (4, "0.15", True, "the largest gap, it cuts"),
        (5, "0.04", False, "below the gap threshold 0.1"),
    ] == [(gap.after, f"{gap.size:.2f}", gap.cuts, gap.reason) for gap in retrieved.gaps]


async def test_a_gap_among_the_first_that_stay_does_not_cut_and_says_so() -> None:
    retrieved = await search(BEHOLDERS, Policy(max_chunks=5, gap_min_chunks=5))
    assert ("none", 5) == (retrieved.cut, len(retrieved.hits))
    assert "the largest gap, but the first 5 chunks stay" == retrieved.gaps[3].reason
    assert not any(gap.cuts for gap in retrieved.gaps)
