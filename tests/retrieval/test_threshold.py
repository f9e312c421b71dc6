"""The hybrid threshold against every scenario of seed document 4."""

from __future__ import annotations

import pytest

from retrieval.filters.guarantee import shorten
from retrieval.filters.threshold import threshold, thresholds
from retrieval.types import Policy
from tests.retrieval.doubles import QUERY, hits_with, ids

SCENARIOS = [
    pytest.param([1.0, 0.95, 0.85, 0.40, 0.25], 0.4, 0.4, [1.0, 0.95, 0.85, 0.40], id="1-high-quality"),
    pytest.param([0.6, 0.5, 0.4, 0.2, 0.15], 0.24, 0.3, [0.6, 0.5, 0.4], id="2-medium-quality"),
    pytest.param([0.35, 0.32, 0.28, 0.15, 0.10], 0.14, 0.3, [0.35, 0.32], id="3-low-quality"),
    pytest.param([0.25, 0.20, 0.18, 0.10, 0.05], 0.1, 0.3, [0.25], id="4-nearly-irrelevant"),
    pytest.param([1.0, 0.95, 0.90, 0.35, 0.25], 0.4, 0.4, [1.0, 0.95, 0.90], id="before-and-after"),
]


@pytest.mark.parametrize(("relevances", "dynamic", "effective", "kept"), SCENARIOS)
def test_scenarios_of_the_seed_document(
    relevances: list[float], dynamic: float, effective: float, kept: list[float]
) -> None:
    hits = hits_with(*relevances)
    applied = thresholds(hits, Policy())
    short = shorten(QUERY, hits, Policy(), cuts=[threshold])

    assert relevances[0] == applied.best_score
    assert pytest.approx(dynamic) == applied.dynamic_threshold
    assert 0.3 == applied.absolute_min
    assert pytest.approx(effective) == applied.effective_threshold
    assert kept == [hit.relevance for hit in short.hits]
    assert len(relevances) - len(kept) == len(short.dropped)


def test_a_drop_says_how_far_below_the_threshold_it_was() -> None:
    (dropped,) = threshold(QUERY, hits_with(1.0, 0.25), Policy()).dropped

    assert ("threshold", "relevance 0.250 is below 0.400") == (dropped.rule, dropped.reason)


def test_exactly_the_threshold_is_kept_despite_float_noise() -> None:
    kept = threshold(QUERY, hits_with(0.7, 0.7 * 0.6 - 1e-9), Policy(relative_threshold=0.6)).kept

    assert ["c1", "c2"] == ids(kept)


def test_no_hits_give_no_hits_and_zero_best_score() -> None:
    assert () == threshold(QUERY, [], Policy()).kept
    assert 0.0 == thresholds([], Policy()).best_score
    assert () == shorten(QUERY, [], Policy(min_chunks=3)).hits


@pytest.mark.parametrize(("preset", "kept"), [("strict", 2), ("balanced", 3), ("lenient", 4)])
def test_presets_move_the_bar(preset: str, kept: int) -> None:
    hits = hits_with(0.8, 0.5, 0.35, 0.25, 0.1)

    assert kept == len(threshold(QUERY, hits, Policy.preset(preset)).kept)


def test_the_minimum_is_filled_with_the_best_whatever_the_order() -> None:
    hits = hits_with(0.1, 0.25, 0.2)
    short = shorten(QUERY, hits, Policy(min_chunks=2))

    assert [0.25, 0.2] == [hit.relevance for hit in short.hits]
    assert ["c1"] == [drop.chunk_id for drop in short.dropped]


def test_pinned_chunks_are_exempt_and_do_not_raise_the_bar_for_others() -> None:
    short = shorten(QUERY, hits_with(0.9, 0.31, 0.05), Policy(), pinned={"c1", "c3"})

    assert ["c1", "c2", "c3"] == ids(short.hits)
