"""The screens: what a chunk is, what it asks of a query, and whether it says something new."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from retrieval.filters import CUTS, SCREENS, Stage
from retrieval.filters.dedupe import dedupe
from retrieval.filters.identity import chunk_type, tags
from retrieval.filters.query_must import eligible
from retrieval.types import Chunk, Hit, Policy, QueryMust, SubQuery, Table
from tests.retrieval.doubles import QUERY, ids

MATRIX = QueryMust(contain_one_of=(("cleric", "druid"), ("armor class 6",)))


def hits(*chunks: Chunk) -> list[Hit]:
    return [Hit(one, 0.1, 0.9) for one in chunks]


def row(id_: str, key: str) -> Chunk:
    return Chunk(id_, "10", "Matrix", tables=(Table("", (("Level",), ("Roll",)), ((key, "10"),)),))


def rules(stages: Iterable[Stage]) -> list[str]:
    return [rule for stage in stages for rule in stage.rules]


def test_the_pipeline_is_two_visible_tuples() -> None:
    assert ["chunk_type", "tags", "min_score", "min_length", "query_must", "duplicate"] == rules(SCREENS)
    assert ["threshold", "gap", "distance", "keyword_overlap"] == rules(CUTS)


def test_query_must_is_judged_on_the_sub_query_and_says_what_was_lacking() -> None:
    chunks = hits(Chunk("c1", "a", "A", query_must=MATRIX), Chunk("c2", "b", "B"))
    good = eligible(SubQuery("q", "a 7th level cleric against AC 6"), chunks, Policy())
    bad = eligible(SubQuery("q", "a 7th level cleric against AC 5"), chunks, Policy())

    assert ["c1", "c2"] == ids(good.kept)
    assert ["c2"] == ids(bad.kept)
    assert [("query_must", "query lacks one of: armor class 6")] == [(d.rule, d.reason) for d in bad.dropped]


def test_the_same_words_merge_and_the_reason_names_the_kept_chunk() -> None:
    sifted = dedupe(QUERY, hits(Chunk("c1", "A  Bear\n", "A"), Chunk("c2", "a bear", "B")), Policy())

    assert ["c1"] == ids(sifted.kept)
    assert [("c2", "duplicate", "same text as c1")] == [(d.chunk_id, d.rule, d.reason) for d in sifted.dropped]


def test_rows_that_read_the_same_but_are_about_different_keys_both_stay() -> None:
    kept = dedupe(QUERY, hits(row("c1", "1-3"), row("c2", "4-6"), row("c3", "1-3")), Policy()).kept

    assert ["c1", "c2"] == ids(kept)


def test_any_wanted_chunk_type_and_all_wanted_tags() -> None:
    one = Chunk("c1", "a", "A", chunk_type="row", tags=("combat", "fighter"))
    two, three = replace(one, id="c2", chunk_type="table", tags=("fighter",)), Chunk("c3", "c", "C")
    query = SubQuery("q", "x", chunk_types=("row", "table"), tags=("fighter", "combat"))

    assert ["c1", "c2"] == ids(chunk_type(query, hits(one, two, three), Policy()).kept)
    assert ["c1"] == ids(tags(query, hits(one, two), Policy()).kept)
    assert "lacks the tag combat" == tags(query, hits(two), Policy()).dropped[0].reason
    assert ["c3"] == ids(tags(QUERY, chunk_type(QUERY, hits(three), Policy()).kept, Policy()).kept)
