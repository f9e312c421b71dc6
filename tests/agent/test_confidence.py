"""The confidence of a hit is seen wherever hits are: in the JSON, in a search, and with `--debug`."""

from __future__ import annotations

import json

import pytest

from agent.render import evidence_data, evidence_view, retrieved_view, to_json, to_text
from agent.types import Evidence
from retrieval.types import Chunk, Confidence, Hit, Retrieved, SubQuery

HITS = (
    Hit(Chunk("c1", "", "Beholder"), 0.12, 0.88, "high"),
    Hit(Chunk("c2", "", "Eye Tyrant"), 0.22, 0.78, "medium"),
    Hit(Chunk("c3", "", "Vision"), 0.35, 0.65, "low"),
)
FOUND = Retrieved(SubQuery("q1", "beholder"), HITS)


def test_each_hit_has_it_in_the_json() -> None:
    data = json.loads(to_json(evidence_data("beholder", Evidence((FOUND,)))))
    hits = data["retrieved"][0]["hits"]
    names = ["chunk_id", "title", "page", "page_label", "category", "distance", "relevance", "confidence"]
    assert names == list(hits[0])
    assert ["high", "medium", "low"] == [hit["confidence"] for hit in hits]


def test_a_hit_that_nobody_judged_has_none() -> None:
    unjudged = Retrieved(SubQuery("q1", "beholder"), (Hit(Chunk("c1", "", "Beholder"), 0.12, 0.88),))
    assert None is evidence_data("beholder", Evidence((unjudged,)))["retrieved"][0]["hits"][0]["confidence"]
    assert "0.880          Beholder" in to_text(evidence_view("beholder", Evidence((unjudged,))))


@pytest.mark.parametrize(("number", "word"), [(0, "high"), (1, "medium"), (2, "low")])
def test_a_search_and_its_debug_view_show_it_beside_the_relevance(number: int, word: Confidence) -> None:
    hit = HITS[number]
    shown = to_text(evidence_view("beholder", Evidence((FOUND,)))).splitlines()
    table = to_text(retrieved_view(FOUND)).splitlines()
    assert 1 == sum(f"{hit.relevance:.3f}  {word:<6}  {hit.chunk.title}" in line for line in shown)
    assert 1 == sum(
        {*hit.chunk.title.split(), f"{hit.relevance:.3f}", word, "kept"} <= {*line.split()} for line in table
    )
