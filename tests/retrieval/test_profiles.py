"""Profiles: chunks of one type are cut by numbers of their own (seed document 4, "Per-Product-Type Thresholds")."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.filters.guarantee import shorten
from retrieval.stores.metric import relevance
from retrieval.types import Chunk, Hit, Policy, Profile
from tests.retrieval.doubles import QUERY, ids


def hits(*placed: tuple[str, float]) -> list[Hit]:
    """Hits of these types at these distances, called c1, c2, …"""
    chunks = (Chunk(f"c{number}", "…", "…", chunk_type=kind) for number, (kind, _) in enumerate(placed, 1))
    return [Hit(chunk, far, relevance(far, "cosine")) for chunk, (_, far) in zip(chunks, placed, strict=True)]


@pytest.mark.parametrize(
    ("profile", "kept"),
    [
        (Profile("table"), ["c1", "c2"]),
        (Profile("table", relative_threshold=0.3, absolute_min=0.2), ["c1", "c2", "c4"]),
        (Profile("section", absolute_min=0.85), ["c1"]),
        (Profile("rumour", absolute_min=0.0), ["c1", "c2"]),
    ],
    ids=lambda value: str(value)[:40],
)
def test_each_chunk_is_judged_by_the_profile_of_its_type(profile: Profile, kept: Sequence[str]) -> None:
    found = hits(("section", 0.1), ("section", 0.2), ("section", 0.7), ("table", 0.71))
    policy = Policy(absolute_min=0.35, gap_threshold=2.0, distance_offset=2.0, profiles=(profile,))
    assert kept == ids(shorten(QUERY, found, policy).hits)


def test_a_profile_says_which_gap_is_a_cliff_for_its_type() -> None:
    found = hits(("section", 0.1), ("section", 0.15), ("table", 0.3), ("section", 0.3))
    short = shorten(QUERY, found, Policy(profiles=(Profile("table", gap_threshold=0.2),)))
    assert ["c1", "c2", "c3"] == ids(short.hits)
    assert ["c4"] == [drop.chunk_id for drop in short.dropped]


def test_the_reason_of_a_drop_names_the_profile() -> None:
    found = hits(("section", 0.1), ("table", 0.3))
    (dropped,) = shorten(QUERY, found, Policy(profiles=(Profile("table", absolute_min=0.9),))).dropped
    assert ("threshold", "relevance 0.700 is below 0.900 (profile table)") == (dropped.rule, dropped.reason)


TYPES = st.sampled_from(["section", "table", "row"])
PLACED = st.lists(st.tuples(TYPES, st.floats(0, 1)), max_size=8)


@given(placed=PLACED, gap=st.floats(0, 0.5), offset=st.floats(0, 1), relative=st.floats(0, 1))
def test_a_profile_that_repeats_the_policy_changes_nothing(
    placed: list[tuple[str, float]], gap: float, offset: float, relative: float
) -> None:
    policy = Policy(gap_threshold=gap, distance_offset=offset, relative_threshold=relative)
    same = Profile("table", gap_threshold=gap, distance_offset=offset, relative_threshold=relative)
    plain = shorten(QUERY, hits(*placed), policy)
    profiled = shorten(
        QUERY,
        hits(*placed),
        Policy(gap_threshold=gap, distance_offset=offset, relative_threshold=relative, profiles=(same,)),
    )
    assert ids(plain.hits) == ids(profiled.hits)
    assert plain.gaps == profiled.gaps
    assert [(drop.chunk_id, drop.rule) for drop in plain.dropped] == [
        (drop.chunk_id, drop.rule) for drop in profiled.dropped
    ]


@given(placed=PLACED)
def test_the_guarantee_holds_whatever_profiles_say(placed: list[tuple[str, float]]) -> None:
    strict = tuple(Profile(kind, absolute_min=1.0) for kind in ("section", "table", "row"))
    assert min(2, len(placed)) <= len(shorten(QUERY, hits(*placed), Policy(min_chunks=2, profiles=strict)).hits)
