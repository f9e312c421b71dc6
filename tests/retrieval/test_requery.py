"""The re-query loop driven by hand, and against an oracle that screens the whole ranking at once."""

from __future__ import annotations

from collections.abc import Generator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.searching.requery import Candidate, Fetch, Requeried, Strategy, requery
from retrieval.stores.store import Fetched
from retrieval.types import Chunk, Hit, Policy, QueryMust, SubQuery
from tests.retrieval.doubles import QUERY, ids

NOISE = QueryMust(contain="owl")
Steps = Generator[Fetch, Fetched, Requeried]


def ranking(noisy: Sequence[bool]) -> list[Candidate]:
    """Chunks at growing distances; the noisy ones want a word that the query lacks."""
    rules = [NOISE if is_noise else None for is_noise in noisy]
    return [(Chunk(f"c{n:03}", f"text {n}", "T", query_must=rule), 0.001 * n) for n, rule in enumerate(rules)]


def drive(steps: Steps, ranked: Sequence[Candidate]) -> tuple[Requeried, list[Fetch]]:
    """Answer every fetch from a ranking; return the result and what was asked."""
    fetches = [next(steps)]
    while True:
        rest = [pair for pair in ranked if pair[0].id not in fetches[-1].exclude]
        try:
            found = tuple(rest[: fetches[-1].n_results])
            fetches.append(steps.send(Fetched(found, len(found) < fetches[-1].n_results)))
        except StopIteration as finished:
            return finished.value, fetches


def test_clean_candidates_need_one_round() -> None:
    result, fetches = drive(requery(QUERY, Policy(max_chunks=3)), ranking([False] * 20))

    assert [Fetch(6)] == fetches
    assert ["c000", "c001", "c002"] == ids(result.survivors)
    assert ("satisfied", 1, 6) == (result.stop, result.rounds, result.fetched)
    assert ["max_chunks"] * 3 == [drop.rule for drop in result.drops]


def test_noise_is_refilled_by_asking_for_more_neighbours() -> None:
    result, fetches = drive(requery(QUERY, Policy(max_chunks=2)), ranking([True] * 7 + [False] * 20))

    assert [Fetch(4), Fetch(16)] == fetches
    assert ["c007", "c008"] == ids(result.survivors)
    assert ("satisfied", 2) == (result.stop, result.rounds)


def test_excluding_asks_only_for_what_is_new() -> None:
    steps = requery(QUERY, Policy(max_chunks=2), strategy="exclude")
    result, fetches = drive(steps, ranking([True] * 7 + [False] * 20))

    assert [4, 12] == [fetch.n_results for fetch in fetches]
    assert [0, 4] == [len(fetch.exclude) for fetch in fetches]
    assert ["c007", "c008"] == ids(result.survivors)


def test_a_store_with_nothing_left_is_exhausted() -> None:
    result, _ = drive(requery(QUERY, Policy()), ranking([True, False, True]))

    assert (["c001"], "exhausted", 3) == (ids(result.survivors), result.stop, result.fetched)


def test_an_empty_store_is_exhausted_after_one_round() -> None:
    result, fetches = drive(requery(QUERY, Policy()), [])

    assert (1, "exhausted", ()) == (len(fetches), result.stop, result.survivors)


def test_the_round_limit_stops_endless_noise() -> None:
    result, fetches = drive(requery(QUERY, Policy(max_chunks=1, max_rounds=3)), ranking([True] * 100))

    assert ([2, 8, 32], "max_rounds") == ([fetch.n_results for fetch in fetches], result.stop)
    assert ((), 32) == (result.survivors, len(result.drops))


def test_a_store_that_repeats_itself_is_not_asked_for_ever() -> None:
    steps = requery(QUERY, Policy(max_chunks=2), strategy="exclude")
    stubborn = ranking([True] * 50)
    next(steps)
    steps.send(Fetched(tuple(stubborn[:4]), complete=False))
    with pytest.raises(StopIteration) as finished:
        steps.send(Fetched(tuple(stubborn[:4]), complete=False))

    assert "exhausted" == finished.value.value.stop
    assert 4 == finished.value.value.fetched


def test_without_filters_the_plain_top_comes_in_one_fetch() -> None:
    result, fetches = drive(requery(QUERY, Policy(max_chunks=3, filters=False)), ranking([True] * 5))

    assert [Fetch(3)] == fetches
    assert ["c000", "c001", "c002"] == ids(result.survivors)
    assert () == result.drops


def test_distances_of_other_spaces_become_cosine_distances() -> None:
    steps = requery(QUERY, Policy(), space="l2")
    result, _ = drive(steps, [(Chunk("c1", "t", "T"), 0.5)])

    assert [(0.25, 0.75)] == [(hit.distance, hit.relevance) for hit in result.survivors]


def test_pinned_hits_have_their_place_but_must_pass_the_screens() -> None:
    far, noisy = Chunk("far", "far", "Far"), Chunk("noisy", "noisy", "Noisy", query_must=NOISE)
    pinned = [Hit(far, 0.9, 0.1), Hit(noisy, 0.1, 0.9)]
    result, _ = drive(requery(QUERY, Policy(max_chunks=3), pinned=pinned), ranking([False] * 20))

    assert ["c000", "c001", "far"] == ids(result.survivors)
    assert "noisy" in {drop.chunk_id for drop in result.drops if drop.rule == "query_must"}
    late = {drop.reason for drop in result.drops if drop.rule == "max_chunks"}
    assert {"1 asked for by name and 2 nearer chunks were kept"} == late


def test_a_duplicate_of_a_pinned_chunk_yields_to_it() -> None:
    pinned = [Hit(Chunk("pin", "Text 0", "Pin"), 0.9, 0.1)]
    result, _ = drive(requery(QUERY, Policy(max_chunks=2), pinned=pinned), ranking([False] * 4))

    assert ["c001", "pin"] == ids(result.survivors)


NOISY = st.lists(st.booleans(), max_size=120)


@given(NOISY, st.integers(1, 8), st.sampled_from(["widen", "exclude"]))
def test_survivors_are_the_nearest_clean_chunks_among_those_within_reach(
    noisy: list[bool], max_chunks: int, strategy: Strategy
) -> None:
    policy = Policy(max_chunks=max_chunks, max_rounds=3)
    ranked = ranking(noisy)
    result, _ = drive(requery(QUERY, policy, strategy=strategy), ranked)
    reach = ranked[: 2 * max_chunks * 4 ** (policy.max_rounds - 1)]
    clean = [chunk.id for chunk, _ in reach if chunk.query_must is None]

    assert clean[:max_chunks] == ids(result.survivors)
    assert result.fetched == len(result.survivors) + len(result.drops)
    assert (len(clean) >= max_chunks) == (result.stop == "satisfied")


@given(NOISY, st.integers(1, 8), st.lists(st.integers(0, 200), max_size=4, unique=True))
def test_both_strategies_agree(noisy: list[bool], max_chunks: int, pins: list[int]) -> None:
    ranked = ranking([*noisy, *[False] * 3])
    pinned = [Hit(*ranked[n % len(ranked)], 0.5) for n in pins]
    results = [
        drive(requery(QUERY, Policy(max_chunks=max_chunks), strategy=strategy, pinned=pinned), ranked)[0]
        for strategy in ("widen", "exclude")
    ]

    assert ids(results[0].survivors) == ids(results[1].survivors)
    assert (results[0].stop, results[0].rounds) == (results[1].stop, results[1].rounds)


def test_query_must_sees_the_sub_query() -> None:
    result, _ = drive(requery(SubQuery("q", "an owl bear"), Policy()), ranking([True] * 3))

    assert 3 == len(result.survivors)
