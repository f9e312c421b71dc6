"""The filters that are off by default: minimum score (seed document 5), length and shared words (seed document 4)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.filters import CUTS, SCREENS
from retrieval.filters.guarantee import shorten
from retrieval.filters.keyword_overlap import keyword_overlap, overlap
from retrieval.filters.min_length import min_length
from retrieval.filters.min_score import min_score
from retrieval.filters.protocol import Filter, chain
from retrieval.searching.requery import Candidate, Fetch, Requeried, Strategy, requery
from retrieval.searching.retriever import Retriever
from retrieval.stores.store import Fetched, MemoryStore
from retrieval.types import Chunk, Hit, Policy, SubQuery
from tests.retrieval.doubles import QUERY, chunk, hits_with, ids
from tests.retrieval.placed import Placed, shelve

ASKING = replace(QUERY, min_score=0.5)


def said(*texts: str) -> list[Hit]:
    """Hits with these texts, nearest first."""
    return [Hit(Chunk(f"c{n}", text, ""), 0.01 * n, 1 - 0.01 * n) for n, text in enumerate(texts, start=1)]


@pytest.mark.parametrize("one", [min_score, min_length, keyword_overlap])
def test_off_by_default_the_very_same_hits_come_back(one: Filter) -> None:
    hits = tuple(hits_with(0.9, 0.0))
    sifted = one(QUERY, hits, Policy())

    assert hits is sifted.kept
    assert () == sifted.dropped


def test_min_score_keeps_what_is_as_relevant_as_asked() -> None:
    sifted = min_score(ASKING, hits_with(0.9, 0.5, 0.5 - 1e-9, 0.499), Policy())

    assert ["c1", "c2", "c3"] == ids(sifted.kept)
    assert [("min_score", "relevance 0.499 is below the 0.500 asked for")] == [
        (drop.rule, drop.reason) for drop in sifted.dropped
    ]


def test_min_length_drops_what_is_shorter_than_100_characters() -> None:
    sifted = min_length(QUERY, said("x" * 100, "x" * 99), Policy(min_length=100))

    assert ["c1"] == ids(sifted.kept)
    assert [("c2", "min_length", "99 characters, wanted 100")] == [
        (drop.chunk_id, drop.rule, drop.reason) for drop in sifted.dropped
    ]


def test_keyword_overlap_needs_a_share_of_the_words_that_carry_meaning() -> None:
    query = SubQuery("q1", "What is the armor class of a bear in the woods?")  # armor class, bear, wood
    sifted = keyword_overlap(query, said("Bears have A.C. 6", "A bear.", "An owl."), Policy(min_keyword_overlap=0.5))

    assert ["c1"] == ids(sifted.kept)
    assert [
        ("keyword_overlap", "has 33% of the query's words, wanted 50%"),
        ("keyword_overlap", "has 0% of the query's words, wanted 50%"),
    ] == [(drop.rule, drop.reason) for drop in sifted.dropped]


def test_keyword_overlap_less_than_5_percent_is_none_at_all_for_a_short_query() -> None:
    sifted = keyword_overlap(QUERY, said("the pricing of slides", "wood"), Policy(min_keyword_overlap=0.05))

    assert ["c2"] == ids(sifted.kept)


def test_words_in_the_title_count_and_parts_of_words_do_not() -> None:
    wanted = frozenset({"bear", "wood"})

    assert 1.0 == overlap(wanted, Chunk("c1", "In the woods.", "Bears"))
    assert 0.0 == overlap(wanted, Chunk("c2", "An owlbear on a woodpile", ""))


def test_a_query_without_content_words_asks_for_no_overlap() -> None:
    kept = keyword_overlap(SubQuery("q1", "what is it?"), said("a bear"), Policy(min_keyword_overlap=1.0)).kept

    assert ["c1"] == ids(kept)


def test_the_guarantee_brings_back_a_chunk_in_other_words_but_not_one_below_the_score_asked_for() -> None:
    policy = Policy(min_keyword_overlap=1.0)
    screened = chain(SCREENS, ASKING, hits_with(0.4), policy).kept

    assert ["c1"] == ids(shorten(QUERY, said("an owl"), policy).hits)
    assert () == shorten(ASKING, screened, policy).hits


def test_named_entities_are_exempt_from_keyword_overlap() -> None:
    short = shorten(QUERY, said("a bear in the woods", "an owl"), Policy(min_keyword_overlap=1.0), pinned={"c2"})

    assert ["c1", "c2"] == ids(short.hits)


TEXTS = st.lists(st.sampled_from(["bear", "wood", "owl", "a bear in the woods"]), max_size=8)


@given(TEXTS, st.floats(0.01, 1))
def test_keyword_overlap_changes_nothing_that_the_other_cuts_decide(texts: list[str], share: float) -> None:
    plain = chain(CUTS, QUERY, said(*texts), Policy())
    stricter = chain(CUTS, QUERY, said(*texts), Policy(min_keyword_overlap=share))

    assert set(ids(stricter.kept)) <= set(ids(plain.kept))
    assert plain.dropped == tuple(drop for drop in stricter.dropped if drop.rule != "keyword_overlap")


def ranked(count: int, step: float) -> list[Candidate]:
    """Chunks whose relevance falls by `step` from one to the next."""
    return [(chunk(n, "crumb" if n % 2 else f"the long text number {n}"), step * n) for n in range(count)]


def searched(
    policy: Policy, query: SubQuery, ranking: list[Candidate], strategy: Strategy = "widen"
) -> tuple[Requeried, list[Fetch]]:
    steps = requery(query, policy, strategy=strategy)
    fetches = [next(steps)]
    while True:
        rest = [pair for pair in ranking if pair[0].id not in fetches[-1].exclude]
        found = tuple(rest[: fetches[-1].n_results])
        try:
            fetches.append(steps.send(Fetched(found, len(found) < fetches[-1].n_results)))
        except StopIteration as finished:
            return finished.value, fetches


def test_what_is_too_short_is_refilled() -> None:
    result, fetches = searched(Policy(max_chunks=3, min_length=10), QUERY, ranked(20, 0.01))

    assert [Fetch(6)] == fetches
    assert ["c0", "c2", "c4"] == ids(result.survivors)
    assert ["min_length"] * 3 == [drop.rule for drop in result.drops]


@pytest.mark.parametrize("strategy", ["widen", "exclude"])
def test_no_further_round_once_the_farthest_candidate_is_below_the_score_asked_for(strategy: Strategy) -> None:
    texts = [(chunk(n), 0.1 * n) for n in range(100)]
    result, fetches = searched(Policy(max_chunks=10), ASKING, texts, strategy)

    assert ("exhausted", 1, 1) == (result.stop, result.rounds, len(fetches))
    assert [f"c{n}" for n in range(6)] == ids(result.survivors)
    assert ["min_score"] * 14 == [drop.rule for drop in result.drops]


def test_there_is_another_round_while_good_ones_may_still_follow() -> None:
    crumbs = [(chunk(n, f"crumb {n}"), 0.001 * n) for n in range(30)]
    _, fetches = searched(Policy(max_chunks=4, min_length=10), ASKING, crumbs)

    assert [8, 32] == [fetch.n_results for fetch in fetches]


@given(st.lists(st.integers(0, 1000), max_size=80).map(sorted), st.integers(1, 6), st.floats(0.01, 1))
def test_stopping_early_loses_nothing(thousandths: list[int], max_chunks: int, wanted: float) -> None:
    ranking = [(chunk(n), distance / 1000) for n, distance in enumerate(thousandths)]
    result, _ = searched(Policy(max_chunks=max_chunks, max_rounds=12), replace(QUERY, min_score=wanted), ranking)
    expected = [one.id for one, distance in ranking if 1 - distance >= wanted - 1e-6]

    assert expected[:max_chunks] == ids(result.survivors)


async def test_a_named_entity_below_the_score_asked_for_is_dropped_like_all_others() -> None:
    store, embedder = MemoryStore(), Placed([QUERY.text], {"near": [0.9], "far": [0.3]})
    await shelve(store, [Chunk("c1", "near", "Near"), Chunk("c2", "far", "Far")], embedder)
    retrieved = await Retriever(store, embedder).retrieve(replace(ASKING, entities=("far",)))

    assert ["c1"] == ids(retrieved.hits)
    assert {"min_score": 1} == retrieved.dropped
