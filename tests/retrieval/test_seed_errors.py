"""The errors in the founding documents, by their numbers in the seeds' README, each with what is right instead.

Number 4 needs the planner and number 8 the whole agent: `tests/agent/test_seed_errors.py`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import chromadb
import pytest
from chromadb.config import Settings

from retrieval.collections.chroma import open_collection
from retrieval.filters.gap import gap
from retrieval.filters.guarantee import shorten
from retrieval.filters.lint import lint
from retrieval.filters.rule import rule_from_json, satisfies
from retrieval.filters.threshold import threshold, thresholds
from retrieval.searching.requery import requery
from retrieval.searching.retriever import Retriever
from retrieval.stores.store import Fetched
from retrieval.types import Chunk, Hit, Policy, SubQuery
from tests.retrieval.doubles import QUERY, chunk, hits_at, hits_with, ids
from tests.retrieval.placed import Placed, shelve

ARMOR_CLASS_6 = ["armor class 6", "ac 6", "a.c. 6"]
THREE_GROUPS = {"contain_one_of": [["cleric", "clerics"], ["druid", "druids"], ["monk", "monks"], ARMOR_CLASS_6]}
ONE_GROUP = {"contain_one_of": [["cleric", "druid", "monk"], ARMOR_CLASS_6]}
EXAMPLE_1 = "What does a 7th level cleric need to roll to hit an opponent with armor class 6?"
EXAMPLE_2 = (
    "Who is more likely to win in a fight - a 4th level fighter with an armor class of 3 or a 7th level fighter with an"
    " armor class of 9? Both fighters have a strength of 16, a constitution of 16, and a dexterity of 12."
)
ALL_THREE = "a query must contain all of: cleric, druid, monk;"


def raw_collection(folder: Path, space: str | None) -> tuple[Any, Any]:
    """A client and an empty collection as another program makes them; `space` None is the default."""
    settings = Settings(_env_file=None, anonymized_telemetry=False)  # type: ignore[call-arg]
    client = chromadb.PersistentClient(str(folder), settings=settings)
    return client, client.create_collection("theirs", metadata={"hnsw:space": space} if space else None)


def test_error_1_three_groups_ask_for_all_three_classes_and_are_warned_about() -> None:
    assert not satisfies(EXAMPLE_1, THREE_GROUPS)
    assert satisfies("a cleric, a druid and a monk against AC 6", THREE_GROUPS)
    assert lint(rule_from_json(THREE_GROUPS, "matrix"))[0].startswith(ALL_THREE)


def test_error_1_one_group_with_all_of_them_is_meant() -> None:
    assert satisfies(EXAMPLE_1, ONE_GROUP)
    assert not satisfies("What does a 7th level fighter need to hit armor class 6?", ONE_GROUP)
    assert not [warning for warning in lint(rule_from_json(ONE_GROUP, "matrix")) if "all of" in warning]


def substring_match(query: str, rule: Mapping[str, Sequence[Sequence[str]]]) -> bool:
    """The document's own `satisfies_query_must`."""
    return all(any(term.lower() in query.lower() for term in group) for group in rule["contain_one_of"])


def matrix(armor_class: int) -> dict[str, list[list[str]]]:
    return {"contain_one_of": [["fighter"], [f"armor class {armor_class}", f"ac {armor_class}"]]}


@pytest.mark.parametrize("armor_class", [3, 9])
def test_error_2_armor_class_of_3_is_found(armor_class: int) -> None:
    assert not substring_match(EXAMPLE_2, matrix(armor_class))
    assert satisfies(EXAMPLE_2, matrix(armor_class))


@pytest.mark.parametrize(("said", "armor_class"), [("armor class 10", 1), ("AC 10", 1), ("armor class 16", 1)])
def test_error_2_10_is_not_1(said: str, armor_class: int) -> None:
    assert substring_match(f"a fighter against {said}", matrix(armor_class))
    assert not satisfies(f"a fighter against {said}", matrix(armor_class))


@pytest.mark.parametrize(("said", "armor_class"), [("AC -6", 6), ("AC 6", -6), ("armor class of minus 6", 6)])
def test_error_2_minus_6_is_not_6(said: str, armor_class: int) -> None:
    assert not satisfies(f"a fighter against {said}", matrix(armor_class))
    assert satisfies(f"a fighter against {said}", matrix(-armor_class))


async def test_error_3_the_rule_is_a_json_string_and_the_id_is_in_the_metadata(tmp_path: Path) -> None:
    embedder = Placed([QUERY.text], {"matrix": [0.9], "strength": [0.5]})
    chunks = [Chunk("m6", "matrix", "M", query_must=rule_from_json(ONE_GROUP, "m6")), Chunk("s", "strength", "S")]
    async with await open_collection(str(tmp_path), "rules", create=True, embedder=embedder) as store:
        await shelve(store, chunks, embedder)
        assert chunks == sorted([one async for one in store.scan()], key=lambda one: one.id)
        (vector,) = await embedder.embed([QUERY.text])
        assert ["s"] == [one.id for one, _ in await store.query(vector, 5, exclude=["m6"])]
    settings = Settings(_env_file=None, anonymized_telemetry=False)  # type: ignore[call-arg]
    client: Any = chromadb.PersistentClient(str(tmp_path), settings=settings)
    flat = client.get_collection("rules", embedding_function=None).get(ids=["m6"])["metadatas"][0]
    client.close()

    assert "m6" == flat["id"]
    assert isinstance(flat["query_must"], str)
    assert ONE_GROUP == json.loads(flat["query_must"])


async def test_error_3_where_sees_no_ids_so_they_are_excluded_here_where_the_metadata_lacks_them(
    tmp_path: Path,
) -> None:
    client, theirs = raw_collection(tmp_path, "cosine")
    embedder = Placed([QUERY.text], {f"t{n}": [0.9 - 0.1 * n] for n in range(4)})
    vectors = (await embedder.embed([f"t{n}" for n in range(4)])).tolist()
    theirs.add(ids=[f"t{n}" for n in range(4)], embeddings=vectors, documents=[f"t{n}" for n in range(4)])
    (vector,) = await embedder.embed([QUERY.text])
    told = theirs.query(query_embeddings=[vector.tolist()], n_results=2, where={"id": {"$nin": ["t0", "t1"]}})
    client.close()
    async with await open_collection(str(tmp_path), "theirs") as store:
        actual = [one.id for one, _ in await store.query(vector, 2, exclude=["t0", "t1"])]

    assert [["t0", "t1"]] == told["ids"]
    assert ["t2", "t3"] == actual


def test_error_3_a_chunk_that_is_fetched_again_is_not_kept_twice() -> None:
    """The document extends its list with every answer of the store, and so returns kept chunks once a round."""
    steps = requery(QUERY, Policy(max_chunks=3, min_length=7))
    first = [(chunk("long", "a bear in a den"), 0.1), *((chunk(n, f"crumb{n}"), 0.2) for n in range(5))]
    next(steps)
    steps.send(Fetched(tuple(first), False))
    with pytest.raises(StopIteration) as finished:
        steps.send(Fetched((*first, (chunk("new", "more of the bear"), 0.3)), True))

    assert ["clong", "cnew"] == ids(finished.value.value.survivors)
    assert 7 == finished.value.value.fetched


def test_error_5_the_largest_gap_cuts_so_beholders_are_four_and_dragons_eight() -> None:
    dragons = hits_at(0.10, 0.12, 0.15, 0.17, 0.20, 0.22, 0.25, 0.28, 0.45, 0.55)

    assert 4 == len(gap(QUERY, hits_at(0.12, 0.18, 0.22, 0.35, 0.50), Policy()).kept)
    assert 8 == len(gap(QUERY, dragons, Policy()).kept)


DOCUMENT_1 = {"AC 7": 0.6820, "AC -7": 0.7088, "AC 6": 0.7153, "AC -6": 0.7419}
"""Distances that document 1 lists for its example 1: squared L2, since no space was set."""


@pytest.mark.parametrize("space", [None, "l2", "ip", "cosine"])
async def test_error_6_a_collection_s_own_space_is_read_and_converted(tmp_path: Path, space: str | None) -> None:
    cosines = {title: 1 - squared / 2 for title, squared in DOCUMENT_1.items()}
    embedder = Placed([EXAMPLE_1], {title: [cosine] for title, cosine in cosines.items()})
    client, theirs = raw_collection(tmp_path, space)
    texts = list(DOCUMENT_1)
    vectors = (await embedder.embed(texts)).tolist()
    theirs.add(ids=texts, embeddings=vectors, documents=texts, metadatas=[{"title": text} for text in texts])
    (vector,) = await embedder.embed([EXAMPLE_1])
    raw = theirs.query(query_embeddings=[vector.tolist()], n_results=4)["distances"][0]
    client.close()
    async with await open_collection(str(tmp_path), "theirs") as store:
        assert (space or "l2") == store.space
        hits: Sequence[Hit] = (await Retriever(store, embedder).retrieve(SubQuery("q1", EXAMPLE_1))).hits

    assert pytest.approx([d if space in (None, "l2") else d / 2 for d in DOCUMENT_1.values()], abs=1e-5) == raw
    assert texts == ids(hits)
    assert pytest.approx([d / 2 for d in DOCUMENT_1.values()], abs=1e-5) == [hit.distance for hit in hits]
    assert pytest.approx(list(cosines.values()), abs=1e-5) == [hit.relevance for hit in hits]


def test_error_7_the_larger_of_the_two_thresholds_is_the_stricter() -> None:
    hits = hits_with(1.0, 0.95, 0.85, 0.40, 0.25)
    applied = thresholds(hits, Policy())
    both = [hit for hit in hits if hit.relevance >= max(applied.dynamic_threshold, applied.absolute_min)]

    assert applied.effective_threshold == max(applied.dynamic_threshold, applied.absolute_min)
    assert tuple(both) == threshold(QUERY, hits, Policy()).kept
    assert 2 == len(threshold(QUERY, hits_with(0.35, 0.32, 0.28), Policy()).kept)  # 0.28 >= 0.14, yet it goes


def test_error_7_the_guarantee_sorts_first() -> None:
    short = shorten(QUERY, hits_with(0.05, 0.25, 0.10), Policy(min_chunks=1), cuts=[threshold])

    assert [0.25] == [hit.relevance for hit in short.hits]
